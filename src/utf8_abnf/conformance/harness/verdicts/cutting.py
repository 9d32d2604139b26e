"""Cutting: where an input stops being well-formed, in time that grows with its length only."""

from __future__ import annotations

from typing import TYPE_CHECKING

from utf8_abnf.conformance.harness.standard import first_piece
from utf8_abnf.validator.functions import first_error

if TYPE_CHECKING:
    from collections.abc import Iterator


def first_ill_formed(data: bytes, start: int = 0) -> int:
    """Return the offset of the first ill-formed sequence at or after *start*; the length of *data* if there is none.

    A character has to begin at *start*, or an ill-formed sequence.

    >>> first_ill_formed(bytes.fromhex("61 E2 82 AC ED A0 80"))
    4
    """
    error = first_error(memoryview(data)[start:])
    return len(data) if error is None else start + error.start


def ill_formed_pieces(data: bytes) -> Iterator[tuple[int, int]]:
    """Yield start and end of each ill-formed piece of *data*, as ``standard.cut_utf8`` cuts it.

    >>> list(ill_formed_pieces(bytes.fromhex("61 ED A0 80 80")))
    [(1, 4), (4, 5)]
    """
    at = 0
    while (start := first_ill_formed(data, at)) < len(data):
        at = start + len(first_piece(data, start))
        yield start, at
