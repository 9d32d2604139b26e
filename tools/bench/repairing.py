"""utf8_abnf.repair beside CPython's own replacement: ``python tools/bench/repairing.py``.

Each text is spoilt at one byte in 100 kB and at one in 100 B, and repaired whole (1 MiB, as a stream is, in chunks of
that size, and 64 MiB, which has to be written into fresh memory). Rounds are interleaved, each function is called once
before its time is taken, since the one before it has filled the caches, and the best CPU time counts; "copy" is what
it costs to copy the bytes alone, as Python does and, "to large", into fresh memory in large pages of Linux: the limit
for 64 MiB. Exit status 1 where a goal is missed: 5 GB/s at one fault in 100 kB, and CPython's speed at one in 100 B.
"""

from __future__ import annotations

import argparse
import mmap
import platform
import sys
import time
from typing import TYPE_CHECKING

from inputs import text

from utf8_abnf import kernel, repair

if TYPE_CHECKING:
    from collections.abc import Callable

KINDS = ("english", "latin", "two-byte", "cjk", "prose", "html")
SPARSE, DENSE = 100_000, 100
MIB = 1 << 20
GOAL = 5.0  # GB/s at one fault in 100 kB


def spoilt(data: bytes, every: int) -> bytes:
    """Put a byte of Latin-1 in place of a byte of ASCII, or of the first byte of a character, in each *every* bytes."""
    out = bytearray(data)
    for at in range(every // 2, len(out), every):
        while 0x80 <= out[at] <= 0xBF:  # UTF8-tail = %x80-BF
            at -= 1
        out[at] = 0xE9 if out[at] <= 0x7F else 0xFF
    return bytes(out)


def speeds(functions: dict[str, Callable[[bytes], object]], data: bytes, rounds: int) -> dict[str, float]:
    """Return GB/s of each function on *data*."""
    best = dict.fromkeys(functions, float("inf"))
    for _ in range(rounds):
        for name, function in functions.items():
            function(data)
            begun = time.process_time()
            function(data)
            best[name] = min(best[name], time.process_time() - begun)
    return {name: len(data) / spent / 1e9 for name, spent in best.items()}


def copy_to_large_pages(data: bytes) -> None:
    """Copy *data* into fresh memory as ``repair`` asks for it."""
    with mmap.mmap(-1, len(data), flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS) as memory:  # Linux
        memory.madvise(mmap.MADV_HUGEPAGE)
        memory[:] = data


def main() -> int:
    """Print a line for each text and return 1 where a goal is missed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=25)
    args = parser.parse_args()
    functions = {
        "windows-1252": lambda data: repair(data, "windows-1252"),
        "fffd": lambda data: repair(data, "fffd"),
        "cesu8": lambda data: repair(data, "cesu8"),
        "decode": lambda data: data.decode("utf-8", "replace"),
        "copy": lambda data: bytes(memoryview(data)),
        "to large": copy_to_large_pages,
    }
    print(f"{platform.python_implementation()} {platform.python_version()}, {platform.machine()}, {kernel.name}; GB/s")
    print(f"{'text':10}{'bytes':>10}{'a fault in':>12}" + "".join(f"{name:>14}" for name in functions))
    missed = 0
    for size, every in ((MIB, SPARSE), (64 * MIB, SPARSE), (MIB, DENSE)):
        for kind in KINDS:
            rounds = args.rounds if size == MIB else 3
            found = speeds(functions, spoilt(text(kind, size), every), rounds)
            print(f"{kind:10}{size:10}{every:12}" + "".join(f"{value:14.2f}" for value in found.values()), flush=True)
            missed += found["windows-1252"] < (GOAL if every == SPARSE else found["decode"])
    print(f"{missed} goals missed")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
