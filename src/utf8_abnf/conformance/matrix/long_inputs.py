"""Long inputs in short: as runs of a piece many times over, for JSON and for the shell."""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING, Any

from utf8_abnf.conformance.harness.driving.target import octal
from utf8_abnf.language.notation import hex_bytes

if TYPE_CHECKING:
    from collections.abc import Mapping

MAX_EXAMPLE = 64  # bytes of an input that a row keeps of a trouble, or shows in a command
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


def to_json(data: bytes) -> dict[str, Any]:
    """Return the field ``example`` for *data*; if it is long, its first bytes alone, and ``whole``, which has all."""
    if len(data) <= MAX_EXAMPLE:
        return {"example": hex_bytes(data)}
    runs = [[hex_bytes(piece), times] for piece, times in runs_of(data)]
    digest = hashlib.sha256(data).hexdigest()
    return {"example": hex_bytes(data[:MAX_EXAMPLE]), "whole": {"size": len(data), "sha256": digest, "runs": runs}}


def from_json(plain: Mapping[str, Any]) -> bytes:
    """Return what ``to_json`` was given."""
    if "whole" not in plain:
        return bytes.fromhex(plain["example"])
    return b"".join(bytes.fromhex(piece) * times for piece, times in plain["whole"]["runs"])
