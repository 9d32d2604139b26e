"""Long inputs in short: as runs of a piece many times over, for JSON and for the shell."""

from __future__ import annotations

import re

from utf8_abnf.conformance.harness.driving.target import octal
from utf8_abnf.language.notation import hex_bytes, runs_of

MAX_EXAMPLE = 64  # bytes of an input that are written one by one


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
