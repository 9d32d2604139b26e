"""The standard that a decoder is held against: samples of a grammar, and how data is cut into pieces to blame."""

from __future__ import annotations

from functools import cache
from itertools import islice, product
from typing import TYPE_CHECKING

from utf8_abnf.conformance.harness.driving.habit import PROBES, Probes
from utf8_abnf.conformance.suite.plan import plan
from utf8_abnf.validator.functions import first_error

if TYPE_CHECKING:
    from collections.abc import Iterator

    from utf8_abnf.grammar import Grammar

# Bytes that older definitions of UTF-8, and Perl's, promise by their first byte (RFC 2279 section 2; perlunicode).
PROMISED = ((0xC0, 1), (0xE0, 2), (0xF0, 3), (0xF8, 4), (0xFC, 5), (0xFE, 6), (0xFF, 7), (0x100, 13))


MAX_PROBES = 6  # of each kind
MAX_PROBED = 20_000  # words that are looked through for probes


def probes_of(grammar: Grammar | None, start: str | None) -> Probes:
    """Return short inputs that *grammar* derives, and others, in turn; () where there are not some of both."""
    if grammar is None:
        return PROBES
    chosen = plan(grammar, start)
    words = dict.fromkeys(head + tail for head, tail in islice(product(chosen.cover, chosen.separating), MAX_PROBED))
    probes: dict[bool, list[bytes]] = {True: [], False: []}
    for data in sorted(words, key=len):
        some = probes[chosen.accepts(data)]
        some += [data] * (len(some) < MAX_PROBES)
        if len(probes[True]) == len(probes[False]) == MAX_PROBES:
            break
    pairs = zip(probes[True], probes[False], strict=False)
    return tuple(probe for good, bad in pairs for probe in ((good, True), (bad, False)))


def first_piece(data: bytes, at: int = 0) -> bytes:
    r"""Return the sequence that begins at *at*: as many bytes as its first byte promises, as far as tails follow it.

    >>> first_piece(bytes.fromhex("ED A0 80 80")).hex(" "), first_piece(b"\xc3<").hex(" ")
    ('ed a0 80', 'c3')
    """
    end = at + 1
    last = at + promised(data[at])
    while end < last and data[end : end + 1] and 0x80 <= data[end] <= 0xBF:
        end += 1
    return data[at:end]


def cut_utf8(data: bytes) -> Iterator[tuple[bytes, bool]]:
    """Yield the pieces of *data*, characters and what a lax decoder may take for one, each with whether it is right.

    >>> [(piece.hex(" "), good) for piece, good in cut_utf8(bytes.fromhex("61 ED A0 80 80"))]
    [('61', True), ('ed a0 80', False), ('80', False)]
    """
    accepts = cache(plan().oracle.accepts)  # there are few characters in most texts
    at = 0
    while at < len(data):
        piece = first_piece(data, at)
        yield piece, accepts(piece)
        at += len(piece)


def promised(lead: int) -> int:
    """Return how many bytes a sequence has that begins with *lead*, by this or an older definition of UTF-8."""
    return next(length for first, length in PROMISED if lead < first)


def first_ill_formed(data: bytes, start: int = 0) -> int:
    """Return the offset of the first ill-formed sequence at or after *start*; the length of *data* if there is none.

    A character has to begin at *start*, or an ill-formed sequence.

    >>> first_ill_formed(bytes.fromhex("61 E2 82 AC ED A0 80"))
    4
    """
    error = first_error(memoryview(data)[start:])
    return len(data) if error is None else start + error.start


def ill_formed_pieces(data: bytes) -> Iterator[tuple[int, int]]:
    """Yield start and end of each ill-formed piece of *data*, as ``cut_utf8`` cuts it.

    >>> list(ill_formed_pieces(bytes.fromhex("61 ED A0 80 80")))
    [(1, 4), (4, 5)]
    """
    at = 0
    while (start := first_ill_formed(data, at)) < len(data):
        at = start + len(first_piece(data, start))
        yield start, at
