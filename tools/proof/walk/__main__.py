"""Prove a kernel from its C source, by z3 and by walking every path of ``checked``: ``python tools/proof/walk``.

Needs z3-solver and pycparser from PyPI, and a C compiler for its preprocessor. For each kernel:
``lanes``    every lane of a block is one formula of its byte and the three before it, and pays what it owes, says z3
``cut off``  utf8_cut_off's three comparisons tell whether a text that is right so far ends within a character
``any size`` the same for texts of any size: the loops' invariants (invariants.py) hold before the first turn, each turn
             keeps them, and each way out of the loops gives what the theorem needs, says z3
``first lane``  first_lane asks each lane about its own byte and the three before it, and names the lowest that objects
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
from interpreter import Interpreter, ParseError, parse
from lanes import counterexamples, first_lane, lanes_are_alike
from scalar import Scalar
from scalar import leaves as scalar_leaves
from walk import CUT_OFF, WIDTHS, GapError, Walk, check_size, leaves_out

from utf8_abnf.automaton import Automaton, compile_grammar
from utf8_abnf.conformance import proving
from utf8_abnf.grammar import Grammar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

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
    run = Interpreter(tree)
    yield f"{kernel} lanes", said(run, lambda: lanes(kernel, run, automaton))
    yield f"{kernel} cut off", "proved" if cut_off_tells(automaton) else "utf8_cut_off errs"
    yield f"{kernel} first lane", said(run, lambda: first_lane(kernel, run))
    yield f"{kernel} left out", said(run, lambda: leaves_out(kernel, run))
    yield f"{kernel} leaves", said(run, lambda: leaves(kernel, run))
    if any_size:
        loops = AnySize(kernel, tree)
        yield f"{kernel} any size", said(loops.run, loops.prove)
    yield f"{kernel} paths", said(run, lambda: paths(kernel, run, sizes))
    run.globals |= STRIDES
    yield f"{kernel} short strides", said(run, lambda: paths(kernel, run, short))


def scalar_proofs(
    automaton: Automaton, source: Path = KERNEL, *, words: tuple[int, ...] = (64, 32)
) -> Iterator[tuple[str, str]]:
    """Yield the same of the scalar kernel, for machines whose addresses have so many bits."""
    tree = parse(source / "scalar.c")
    run = Scalar(tree)
    yield "scalar table", said(run, lambda: run.table(automaton))
    yield "scalar leaves", said(run, lambda: scalar_leaves(tree))
    for word in words:
        loops = Scalar(tree, word)
        yield f"scalar any size, {word}", said(loops, loops.prove)


def said(run: Interpreter, claim: Callable[[], str]) -> str:
    """Return what *claim* answers. Where that is not "proved", file and line of what was run last come first.

    Whatever goes wrong while the source is run is an answer: the walk cannot read that line.
    """
    try:
        answer = claim()
    except Exception as error:  # a wrong kernel may lead the interpreter anywhere
        answer = f"this line cannot be read ({type(error).__name__}: {error})"
    return answer if answer.startswith("proved") else f"{run.place()}: {answer}"


def lanes(kernel: str, run: Interpreter, automaton: Automaton) -> str:
    """Return that all lanes are alike and pay what they owe, or what is wrong with them."""
    alike = lanes_are_alike(kernel, run)
    wrong = ["lanes differ"] * (not alike) + counterexamples(kernel, run, automaton)
    return "\n".join(wrong) or "proved"


def paths(kernel: str, run: Interpreter, sizes: list[tuple[int, int]]) -> str:
    """Return that all paths of these sizes were proved, or where one was not."""
    walk, count = Walk(kernel, run), 0
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
            claims = scalar_proofs(automaton, KERNEL)
        else:
            sizes, short = (pairs, []) if pairs else (SIZES, SHORT)
            claims = proofs(kernel, automaton, sizes, short, KERNEL, any_size=not pairs)
        try:
            for claim, answer in claims:
                print(f"{claim:20} {answer}  {time.perf_counter() - begun:.1f} s", flush=True)
                proved &= answer.startswith("proved")
                begun = time.perf_counter()
        except ParseError as error:
            print(f"{kernel + ' source':20} {error}")
            proved = False
    return 0 if proved else 1


if __name__ == "__main__":
    sys.exit(main())
