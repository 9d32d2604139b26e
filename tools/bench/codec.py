"""utf8_abnf.codec against CPython's own codec: ``python tools/bench/codec.py`` prints ratios, more is better.

Both are called from the same Python loop, in interleaved rounds, and medians of CPU time are compared; results are
checked before anything is timed. Exit status 1 if decode or encode of 16 KiB and more is below 0.9 of CPython.
"""

from __future__ import annotations

import argparse
import platform
import sys
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from inputs import KINDS, text

from measure import interleaved, time_python
from utf8_abnf.codec import POLICIES, decode, encode, replace

if TYPE_CHECKING:
    from collections.abc import Callable

BAR = 0.9
BARRED = ("decode", "encode")  # the operations that must reach it; the others are printed
BULK = 1 << 14  # bytes: CPython copies ASCII so fast that the call of a Python function, 15 ns, shows up to here
SIZES = (64, 1024, 4096, BULK, 1 << 16, 1 << 20)


class Operation(NamedTuple):
    """Ours, CPython's, and what they are given for a text. Where *same*, both must give the same result."""

    name: str
    ours: Callable
    cpython: Callable
    given: Callable[[bytes], object]
    same: bool = True


def faulty(data: bytes) -> bytes:
    """Spoil one byte in 256."""
    spoilt = bytearray(data)
    spoilt[::256] = b"\xff" * len(spoilt[::256])
    return bytes(spoilt)


def as_numbers(data: bytes) -> list[int]:
    """Return the character numbers of *data*."""
    return [*map(ord, data.decode())]


def with_chr(numbers: list[int]) -> bytes:
    """Encode *numbers* as one does with CPython alone."""
    return "".join(map(chr, numbers)).encode()


def cpython_replace(data: bytes) -> str:
    """Replace as CPython does, by maximal subparts."""
    return data.decode(errors="replace")


OPERATIONS = (
    Operation("decode", decode, bytes.decode, bytes),
    Operation("encode", encode, str.encode, bytes.decode),
    Operation("encode numbers", encode, with_chr, as_numbers),
    Operation("replace, well-formed", replace, cpython_replace, bytes),
    Operation("replace, 1 fault in 256", replace, cpython_replace, faulty),
    *(
        Operation(f"replace, {name}, 1 in 256", partial(replace, policy=name), cpython_replace, faulty, same=False)
        for name in list(POLICIES)[1:]  # CPython has no such policies: this is what they cost beside its own
    ),
)


def measure(operation: Operation, data: bytes, rounds: int) -> tuple[float, float]:
    """Return the nanoseconds of a call: CPython's and ours."""
    given = operation.given(data)
    if operation.same and operation.ours(given) != operation.cpython(given):
        raise SystemExit(f"{operation.name}: not CPython's result; nothing measured")
    probes = {
        "cpython": lambda repeats: time_python(operation.cpython, given, repeats),
        "ours": lambda repeats: time_python(operation.ours, given, repeats),
    }
    medians = interleaved(probes, rounds)
    return medians["cpython"], medians["ours"]


def main() -> int:
    """Print a line for each operation and size, the worst kind of text in it, and return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--all", action="store_true", help="print every kind of text, not the worst of each size only")
    args = parser.parse_args()
    print(
        f"{platform.python_implementation()} {platform.python_version()}, {platform.machine()}; ratio = CPython / ours"
    )
    print(f"{'operation':36}{'bytes':>9}  {'kind':10}{'CPython ns':>13}{'ours ns':>13}{'ratio':>8}")
    below = 0
    for operation in OPERATIONS:
        for size in SIZES:
            rows = [(kind, *measure(operation, text(kind, size), args.rounds)) for kind in KINDS]
            worst = min(rows, key=lambda row: row[1] / row[2])
            for kind, cpython, ours in rows if args.all else [worst]:
                print(
                    f"{operation.name:36}{size:9}  {kind:10}{cpython:13.0f}{ours:13.0f}{cpython / ours:8.2f}",
                    flush=True,
                )
            below += operation.name in BARRED and size >= BULK and worst[1] / worst[2] < BAR
    print(f"{below} of the bulk sizes of decode and encode below {BAR} of CPython")
    return 1 if below else 0


if __name__ == "__main__":
    sys.exit(main())
