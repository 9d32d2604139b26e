"""Cutting: where an input stops being well-formed, in time that grows with its length only."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from utf8_abnf.conformance.harness.standard import promised
from utf8_abnf.conformance.suite.plan import plan
from utf8_abnf.validator.functions import first_error

if TYPE_CHECKING:
    from collections.abc import Iterator


def character_expression() -> bytes:
    """Return the regular expression for one character, from the grammar's automaton."""
    tracks = (b"".join(b"[\\x%02x-\\x%02x]" % pair for pair in track) for track in plan().tracks)
    return b"(?:" + b"|".join(tracks) + b")"


@lru_cache(maxsize=1)
def _character() -> re.Pattern[bytes]:
    """Return the regular expression for one character."""
    return re.compile(character_expression())


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
        at = end_of_piece(data, start)
        yield start, at


def repaired(data: bytes, filler: bytes = b"a") -> bytes:
    """Return *data* with plain text, of the same length, in place of its ill-formed pieces."""
    parts, at = [], 0
    for start, end in ill_formed_pieces(data):
        parts += [data[at:start], filler * max(1, (end - start) // len(filler))]
        at = end
    return b"".join([*parts, data[at:]])


def end_of_piece(data: bytes, start: int) -> int:
    """Return the end of the ill-formed piece at *start*: its first byte and as many tail bytes as that promises."""
    end = start + 1
    last = min(start + promised(data[start]), len(data))
    while end < last and 0x80 <= data[end] <= 0xBF:
        end += 1
    return end


def characters(data: bytes) -> list[bytes]:
    """Return the characters of *data*, which is well-formed."""
    found: list[bytes] = _character().findall(data)
    return found
