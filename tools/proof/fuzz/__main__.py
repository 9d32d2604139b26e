"""Fuzz the kernels against the automaton with libFuzzer: ``python tools/proof/fuzz --seconds 60``.

Builds kernels.c with clang, AddressSanitizer and UBSan in a scratch folder, starts from the folder ``corpus``,
and stops at the first difference or bad read, with the input that shows it. ``--keep`` adds what is worth keeping.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from utf8_abnf.automaton import Automaton, compile_grammar
from utf8_abnf.grammar import Grammar

HERE = Path(__file__).resolve().parent
KERNEL = HERE.parents[2] / "src" / "kernel"
KERNELS = ("avx2", "avx512", "dispatch", "faults", "neon", "scalar", "sse4", "wasm")


def oracle_header(automaton: Automaton) -> str:
    """Return oracle.h: the automaton as C tables."""
    rows = ",".join("{" + ",".join(map(str, row)) + "}" for row in automaton.table)
    accepting = ",".join(str(int(state in automaton.accepting)) for state in range(len(automaton.table)))
    return f"""/* Made from grammar/utf8.abnf by tools/proof/fuzz. */
#include <stdbool.h>
#include <stdint.h>
static const uint8_t CLASSES[256] = {{{",".join(map(str, automaton.classes))}}};
static const uint8_t NEXT[][{len(automaton.table[0])}] = {{{rows}}};
static const bool ACCEPTING[] = {{{accepting}}};
enum {{ START = {automaton.start}, SINK = {automaton.sink} }};
"""


def build(scratch: Path, kernel: Path = KERNEL) -> Path:
    """Build the target around the kernels in *kernel*; return the program."""
    (scratch / "oracle.h").write_text(oracle_header(compile_grammar(Grammar.load("utf8")).minimal()))
    sources = [kernel / f"{name}.c" for name in KERNELS]
    sanitizers = ["-fsanitize=fuzzer,address,undefined", "-fno-sanitize-recover=undefined"]
    command = ["clang", "-O1", "-g", *sanitizers, f"-I{scratch}", f"-I{kernel}", HERE / "kernels.c", *sources]
    subprocess.run([*command, "-o", scratch / "fuzz"], check=True)
    return scratch / "fuzz"


def run(program: Path, seconds: int, corpus: Path) -> subprocess.CompletedProcess[str]:
    """Fuzz for *seconds*, beginning with *corpus*, into which libFuzzer writes what it finds worth keeping."""
    limits = [
        f"-max_total_time={seconds}",
        "-max_len=2048",
        "-timeout=20",
        # Not -rss_limit_mb: Linux counts in what the process that started the fuzzer had used at most.
        "-rss_limit_mb=0",
        "-malloc_limit_mb=2048",
        "-print_final_stats=1",
    ]
    return subprocess.run([program, *limits, corpus], capture_output=True, text=True, check=False, cwd=program.parent)


def main() -> int:
    """Fuzz; 0 when nothing was found."""
    parser = argparse.ArgumentParser(prog="tools/proof/fuzz", description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--seconds", type=int, default=20)
    parser.add_argument(
        "--keep", action="store_true", help="merge what is new into tools/proof/fuzz/corpus, as little as covers it"
    )
    args = parser.parse_args()
    if not shutil.which("clang"):
        raise SystemExit("tools/proof/fuzz needs clang with libFuzzer: apt-get install clang libclang-rt-14-dev")
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder)
        program = build(scratch)
        work = scratch / "corpus"
        shutil.copytree(HERE / "corpus", work)
        done = run(program, args.seconds, work)
        print("\n".join(done.stderr.splitlines()[-30:]))
        if args.keep and done.returncode == 0:
            subprocess.run([program, "-merge=1", HERE / "corpus", work], check=True, capture_output=True, cwd=scratch)
    return 1 if done.returncode else 0


if __name__ == "__main__":
    sys.exit(main())
