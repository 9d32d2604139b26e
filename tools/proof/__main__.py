"""Have the model checker CBMC prove the kernels' C source equal to the grammar's automaton: ``python tools/proof``.

What is checked, for all values of all bytes, with the intrinsics as model/immintrin.h describes them:
``lanes``     every lane of a block judges its byte, given the bytes before it, as the automaton does
``whole``     is_valid of a text of exactly so many bytes is the automaton's verdict: head, blocks, ASCII path, tail
``sequence``  utf8_sequence and utf8_unfinished, on which the scalar kernel's loop and first_error rest
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from itertools import product
from pathlib import Path

from utf8_abnf.automaton import Automaton, compile_grammar
from utf8_abnf.grammar import Grammar
from utf8_abnf.proving import enumeration as proving

HERE = Path(__file__).resolve().parent
KERNEL = HERE.parents[1] / "src" / "kernel"
LANES = {"avx512": 128, "avx2": 32}  # of the inner loop's step
# Sizes around what a kernel does differently: its short path, one block, a block and a masked rest.
SIZES = {"avx512": (3, 62, 63, 64, 65, 128, 131), "avx2": (3, 30, 31, 32, 33, 64, 67)}


@dataclass(frozen=True)
class Claim:
    """One run of the checker: *harness* with these *macros*, loops unwound *unwind* times and shown to end by then."""

    name: str
    harness: str
    source: str
    macros: tuple[str, ...]
    unwind: int
    also: tuple[str, ...] = ()


def claims(kernels: list[str], sizes: list[int] | None = None) -> list[Claim]:
    """Return what there is to prove about *kernels*; *sizes* of whole texts, by default those in SIZES."""
    out = []
    for kernel in kernels:
        if kernel == "scalar":
            out += [Claim(f"scalar sequence {n}", "sequence", "scalar.c", (f"SIZE={n}",), 8) for n in range(1, 6)]
            continue
        width, source = LANES[kernel], f"{kernel}.c"
        macros = (f"WIDTH={width}", f"LANES=lanes_{kernel}")
        out.append(Claim(f"{kernel} lanes", "lanes", source, macros, width + 66))
        for size in sizes or SIZES[kernel]:
            macros = (f"SIZE={size}", f"IS_VALID=is_valid_{kernel}")
            out.append(Claim(f"{kernel} whole {size}", "whole", source, macros, max(size, 64) + 2, ("scalar.c",)))
    return out


def oracle_header(automaton: Automaton) -> str:
    """Return oracle.h: the automaton's table, its memory of three bytes, and when a kernel may object late."""
    width, states = max(automaton.classes) + 1, len(automaton.table)
    flat = proving.contexts(automaton)
    every = range(width)
    at = {key: flat[(key[0] * proving.STATES + key[1]) * proving.STATES + key[2]] for key in product(every, repeat=3)}
    context = ",".join(str(at[key]) for key in product(every, repeat=3))
    never = [
        byte for byte in range(256) if {row[automaton.classes[byte]] for row in automaton.table} == {automaton.sink}
    ]
    tail = automaton.classes[0x80], automaton.classes[0x90], automaton.classes[0xA0]
    return f"""/* Made from grammar/utf8.abnf by tools/proof. */
#include <stdbool.h>
#include <stdint.h>
static const uint8_t CLASSES[256] = {{{",".join(map(str, automaton.classes))}}};
static const uint8_t NEXT[{states}][{width}] = {{{",".join(str(each) for row in automaton.table for each in row)}}};
static const uint8_t CONTEXT[{width}][{width}][{width}] = {{{context}}};
static const bool ACCEPTING[{states}] = {{{",".join(str(int(each in automaton.accepting)) for each in range(states))}}};
enum {{ START = {automaton.start}, SINK = {automaton.sink}, NOWHERE = {proving.NOWHERE} }};
/* A byte that no text contains is found out by the next lane; FF, before anything but a tail byte, by the one after. */
static inline int LATE(uint8_t byte, uint8_t follower) {{
    const uint8_t c = CLASSES[follower];
    if ({" && ".join(f"byte != {each}" for each in never)}) return 0;
    return byte == 0xFF && !({" || ".join(f"c == {each}" for each in tail)}) ? LATE_FF : 1;
}}
"""


def late_ff(kernel: str) -> int:
    """Return how many lanes after an FF the kernel objects to it: AVX-512 files FF under ASCII, see its header."""
    return 2 if kernel == "avx512" else 1


def check(claim: Claim, scratch: Path, kernel: Path = KERNEL, seconds: float = 1800) -> str:
    """Return "proved", or the checker's own words about why not. Raises TimeoutExpired after *seconds*."""
    command = ["cbmc", "--no-standard-checks", "--unwinding-assertions", "--unwind", str(claim.unwind)]
    command += ["-I", str(HERE / "model"), "-I", str(kernel), "-I", str(scratch)]
    command += [f"-D{each}" for each in (*claim.macros, f"LATE_FF={late_ff(claim.name.split()[0])}")]
    command += [f'-DKERNEL_SOURCE="{kernel / claim.source}"', str(HERE / f"{claim.harness}.c")]
    command += [str(kernel / each) for each in claim.also]
    done = subprocess.run(command, capture_output=True, text=True, timeout=seconds, check=False)
    if done.returncode == 0 and "VERIFICATION SUCCESSFUL" in done.stdout:
        return "proved"
    failures = [line for line in done.stdout.splitlines() if line.endswith(": FAILURE")]
    return "\n".join(failures) or done.stdout[-2000:] + done.stderr[-2000:]


def main() -> int:
    """Prove what the command line asks for; 0 when all was proved."""
    parser = argparse.ArgumentParser(prog="tools/proof", description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("kernels", nargs="*", choices=["scalar", "avx2", "avx512", []], help="default: all three")
    parser.add_argument("--sizes", type=int, nargs="+", metavar="N", help="sizes of whole texts (default: a choice)")
    parser.add_argument("--seconds", type=float, default=1800, help="time limit of each run of the checker")
    args = parser.parse_args()
    if not shutil.which("cbmc"):
        raise SystemExit(
            "tools/proof needs cbmc, the model checker: tools/proof/install_cbmc.sh, or www.cprover.org/cbmc"
        )
    version = subprocess.run(["cbmc", "--version"], capture_output=True, text=True, check=True).stdout.strip()
    print(f"cbmc {version}")
    proved = True
    with tempfile.TemporaryDirectory() as scratch:
        (Path(scratch) / "oracle.h").write_text(oracle_header(compile_grammar(Grammar.load("utf8")).minimal()))
        for claim in claims(args.kernels or ["scalar", "avx2", "avx512"], args.sizes):
            begun = time.perf_counter()
            try:
                answer = check(claim, Path(scratch), seconds=args.seconds)
            except subprocess.TimeoutExpired:
                answer = f"not decided within {args.seconds:.0f} s"
            proved &= answer == "proved"
            print(f"{claim.name:20} {answer}  {time.perf_counter() - begun:.1f} s", flush=True)
    return 0 if proved else 1


if __name__ == "__main__":
    sys.exit(main())
