"""Prove a kernel from its C source, by z3 and by walking every path of ``checked``: ``python tools/proof/walk``.

Needs z3-solver and pycparser from PyPI, and a C compiler for its preprocessor. For each kernel:
``lanes``    every lane of a block is one formula of its byte and the three before it, and pays what it owes, says z3
``cut off``  utf8_cut_off's three comparisons tell whether a text that is right so far ends within a character
``any size`` the same for texts of any size: the loops' invariants (invariants.py) hold before the first turn, each turn
             keeps them, and each way out of the loops gives what the theorem needs, says z3
``leaves``   what ``any size`` takes for granted of the functions that the loops call
``paths``    on every path of ``checked`` through texts of one size, all bytes unknown: no read outside the text; each
             byte judged, or passed over as ASCII where no character is unfinished; no late objection lost; a reason for
             every rejection, and none before where first_error looks. Together with the theorem of
             docs/kernel-proof.md: the verdict is the automaton's.
For the scalar kernel: ``table``, that its table is the automaton's, and ``any size``, that each of its functions tells
what the automaton does, on machines of 64 and of 32 bits.
"""

from __future__ import annotations

import argparse
import sys
import time
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

from anysize import AnySize, leaves
from interpreter import Interpreter, parse
from lanes import counterexamples, lanes_are_alike
from scalar import Scalar
from scalar import leaves as scalar_leaves
from walk import CUT_OFF, WIDTHS, GapError, Walk, check_size, leaves_out

from utf8_abnf.automaton import Automaton, compile_grammar
from utf8_abnf.conformance import proving
from utf8_abnf.grammar import Grammar

if TYPE_CHECKING:
    from collections.abc import Iterator

KERNEL = Path(__file__).resolve().parents[3] / "src" / "kernel"
# Every size of a few blocks, then some in which each further part of the loop is reached, aligned or not.
SMALL = [*((size, 0) for size in range(301)), (513, 0), (700, 0), (1100, 0)]
# The kernels' strides are long; with shorter ones the same source goes through all its turns in a short text.
STRIDES = {"WHOLE": 255, "STRETCH": 256, "ALIGN_FROM": 300}
SHORT = [*((size, 0) for size in range(256, 330, 9)), (350, 5), (600, 31), (901, 0), (1200, 63)]
LONG = [(1023, 127), (1025, 254), (1600, 255), (2048, 0), (2111, 126), (2600, 127), (4700, 255)]
SIZES = [*SMALL, *LONG]


def proofs(
    kernel: str,
    automaton: Automaton,
    sizes: list[tuple[int, int]],
    short: list[tuple[int, int]],
    source: Path = KERNEL,
    *,
    any_size: bool = False,
) -> Iterator[tuple[str, str]]:
    """Yield what is claimed, and "proved" or why not.

    *sizes*: of text, each with how far behind a cache line it begins; *short*: those to be walked with STRIDES.
    *any_size*: prove the loops for texts of any size as well.
    """
    tree = parse(source / f"{kernel}.c")
    interpreter = Interpreter(tree)
    alike = lanes_are_alike(kernel, interpreter)
    wrong = counterexamples(kernel, interpreter, automaton)
    yield f"{kernel} lanes", "proved" if alike and not wrong else "\n".join(["lanes differ"] * (not alike) + wrong)
    yield f"{kernel} cut off", "proved" if cut_off_tells(automaton) else "utf8_cut_off errs"
    yield f"{kernel} left out", leaves_out(kernel, interpreter)
    yield f"{kernel} leaves", leaves(kernel, interpreter)
    if any_size:
        yield f"{kernel} any size", AnySize(kernel, tree).prove()
    yield f"{kernel} paths", paths(kernel, interpreter, sizes)
    interpreter.globals |= STRIDES
    yield f"{kernel} short strides", paths(kernel, interpreter, short)


def scalar_proofs(
    automaton: Automaton, source: Path = KERNEL, *, words: tuple[int, ...] = (64, 32)
) -> Iterator[tuple[str, str]]:
    """Yield the same of the scalar kernel, for machines whose addresses have so many bits."""
    tree = parse(source / "scalar.c")
    yield "scalar table", Scalar(tree).table(automaton)
    yield "scalar leaves", scalar_leaves(tree)
    for word in words:
        yield f"scalar any size, {word}", Scalar(tree, word).prove()


def paths(kernel: str, interpreter: Interpreter, sizes: list[tuple[int, int]]) -> str:
    """Return that all paths of these sizes were proved, or where one was not."""
    walk, count = Walk(kernel, interpreter), 0
    for size, skew in sizes:
        try:
            count += check_size(walk, size, skew)
        except (GapError, IndexError) as error:
            return f"{size} bytes: {error}"
    return f"proved ({count} paths, {len(sizes)} sizes)"


def cut_off_tells(automaton: Automaton) -> bool:
    """Whether the three comparisons, constant on each byte class as they are, hold exactly within a character."""
    edges = sorted({*proving.edges_of(automaton), *(least - 1 for _, least in CUT_OFF)})
    contexts = proving.contexts(automaton)
    for three in product(edges, repeat=3):
        first, second, third = (automaton.classes[byte] for byte in three)
        state = contexts[(first * proving.STATES + second) * proving.STATES + third]
        cut = any(three[3 - back] >= least for back, least in CUT_OFF)
        if state != proving.NOWHERE and cut != (state not in automaton.accepting):
            return False
    return True


def main() -> int:
    """Prove what the command line asks for; 0 when all was proved."""
    parser = argparse.ArgumentParser(prog="tools/proof/walk", description=(__doc__ or "").split("\n\n")[0])
    kernels = ["scalar", *WIDTHS]
    listed = ", ".join(kernels)
    parser.add_argument("kernels", nargs="*", metavar="KERNEL", choices=[*kernels, []], help=f"{listed} (default: all)")
    parser.add_argument(
        "--sizes", nargs="+", metavar="SIZE[:SKEW]", help="sizes of text, and how far from a cache line"
    )
    args = parser.parse_args()
    automaton = compile_grammar(Grammar.load("utf8")).minimal()
    pairs = [tuple(map(int, f"{each}:0".split(":")[:2])) for each in args.sizes or ()]
    proved = True
    for kernel in args.kernels or kernels:
        begun = time.perf_counter()
        if kernel == "scalar":
            claims = scalar_proofs(automaton)
        else:
            sizes, short = (pairs, []) if pairs else (SIZES, SHORT)
            claims = proofs(kernel, automaton, sizes, short, any_size=not pairs)
        for claim, answer in claims:
            print(f"{claim:20} {answer}  {time.perf_counter() - begun:.1f} s", flush=True)
            proved &= answer.startswith("proved")
            begun = time.perf_counter()
    return 0 if proved else 1


if __name__ == "__main__":
    sys.exit(main())
