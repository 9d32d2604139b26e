"""Long inputs in short: as runs of a piece many times over, for JSON and for the shell."""

from __future__ import annotations

import re

from utf8_abnf.conformance.harness.driving.target import octal
from utf8_abnf.language.notation import hex_bytes

MAX_EXAMPLE = 64  # bytes of an input that are written one by one
RUN = re.compile(rb"(.{1,%d}?)\1{7,}" % MAX_EXAMPLE, re.DOTALL)

Runs = list[tuple[bytes, int]]


def runs_of(data: bytes) -> Runs:
    r"""Return pieces of *data* and how many times each stands there, in order.

    >>> runs_of(b"ab" * 1000 + b"\xff")
    [(b'ab', 1000), (b'\xff', 1)]
    """
    found: Runs = []
    end = 0
    for run in RUN.finditer(data):
        found += [(data[end : run.start()], 1), (run[1], len(run[0]) // len(run[1]))]
        end = run.end()
    return [(piece, times) for piece, times in [*found, (data[end:], 1)] if piece]


def writes(data: bytes) -> str:
    r"""Return a shell command that writes *data*, "" if it is long and has more than 64 bytes apart from its runs.

    >>> print(writes(b"a" * 70_000 + b"\xff"))
    { printf 'a%.0s' $(seq 70000); printf '\377'; }
    """
    if len(data) <= MAX_EXAMPLE:
        return f"printf {octal(data)}"
    runs = runs_of(data)
    if sum(len(piece) for piece, _ in runs) > 2 * MAX_EXAMPLE:
        return ""
    parts = (f"{octal(piece)[:-1]}%.0s' $(seq {times})" if times > 1 else octal(piece) for piece, times in runs)
    return f"{{ {' '.join(f'printf {part};' for part in parts)} }}"


def to_text(data: bytes) -> str:
    r"""Return *data* as hex, what is repeated in a long input with its number; ``from_text`` reads it.

    >>> to_text(b"\xc0\xaf"), to_text(b"ab" * 1000 + b"\xff")
    ('C0 AF', '(61 62)×1000 FF')
    """
    if len(data) <= MAX_EXAMPLE:
        return hex_bytes(data)
    return " ".join(
        hex_bytes(piece) if times == 1 else f"({hex_bytes(piece)})×{times}" for piece, times in runs_of(data)
    )


def from_text(text: str) -> bytes:
    """Return what ``to_text`` was given; ValueError if *text* is something else."""
    first, *more = re.split(r"\((.*?)\)×(\d+)", text)
    data = bytes.fromhex(first)
    for piece, times, rest in zip(more[::3], more[1::3], more[2::3], strict=True):
        data += bytes.fromhex(piece) * int(times) + bytes.fromhex(rest)
    return data
