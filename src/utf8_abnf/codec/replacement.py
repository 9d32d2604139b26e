"""Decode bytes with U+FFFD for ill-formed ones, by each of the policies that decoders follow.

All policies replace the same bytes: those outside of well-formed characters. A replacement ends before any byte that
is not a UTF8-tail, so it never covers the first byte of a well-formed character. The policies differ only in how many
bytes one U+FFFD replaces. So a policy is one function: it gets the next four bytes, which do not begin with a
well-formed character, and returns how many of them the next U+FFFD replaces.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from utf8_abnf.codec.by_the_book import SURROGATES, TABLE, TAIL_PICTURE, distribute, fits, row_begun_by
from utf8_abnf.codec.errors import contiguous
from utf8_abnf.validator.ill_formed import describe

if TYPE_CHECKING:
    from collections.abc import Callable

    from typing_extensions import Buffer

REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
WINDOW = 4  # bytes that a policy gets

# For each byte value: how many bytes a sequence has that begins with it; 1 where it begins no row of the table.
ANNOUNCED = bytes(len(row.pictures) if (row := row_begun_by(byte)) else 1 for byte in range(256))
TAILS = frozenset(byte for byte in range(256) if fits(byte, TAIL_PICTURE))


@dataclass(frozen=True, slots=True)
class Policy:
    """A way to replace: *take* gets up to four bytes and returns how many of them one U+FFFD replaces."""

    name: str
    take: Callable[[bytes], int]


def _maximal_subpart(window: bytes) -> int:
    error = describe(window)
    return error.length if error else 1


def announced_sequence(window: bytes) -> int:
    """Return the length of a first byte with the tails after it, at most as many as it announces."""
    length = 1
    while length < min(ANNOUNCED[window[0]], len(window)) and window[length] in TAILS:
        length += 1
    return length


def _surrogate_as_one(window: bytes) -> int:
    length = announced_sequence(window)
    if length == len(TABLE[2].pictures) and distribute(window[:length]) in SURROGATES:
        return length
    return _maximal_subpart(window)


MAXIMAL_SUBPART = "maximal-subpart"
POLICIES = {
    policy.name: policy
    for policy in (
        Policy(MAXIMAL_SUBPART, _maximal_subpart),  # Unicode 3.9, WHATWG, CPython
        Policy("per-byte", lambda window: 1),
        Policy("announced-sequence", announced_sequence),  # a first byte, and the tails that it announces
        Policy("surrogate-as-one", _surrogate_as_one),  # otherwise maximal subparts
    )
}


# CPython's "surrogateescape" decodes each ill-formed byte 80..FF as U+DC80..U+DCFF (PEP 383). Well-formed sequences
# never give these, so one pass in C finds exactly the ill-formed bytes.
ESCAPED = re.compile("[\udc80-\udcff]+")


def replace(data: Buffer, /, *, policy: str = MAXIMAL_SUBPART) -> str:
    r"""Return the text in *data*, with U+FFFD for ill-formed bytes; *policy*, one of ``POLICIES``, says for how many.

    Never raises for bad bytes; ``LookupError`` for an unknown *policy*. "maximal-subpart" is what Unicode 3.9
    recommends, the WHATWG Encoding Standard requires, and CPython's ``errors="replace"`` does.

    >>> [replace(b"\xf0\x80\x80\x41", policy=name).count("\ufffd") for name in POLICIES]
    [3, 3, 1, 3]
    """
    if policy == MAXIMAL_SUBPART:
        return contiguous(data).decode(errors="replace")  # CPython has this policy in C; a test compares it with ours
    if policy not in POLICIES:
        raise LookupError(f"unknown replacement policy {policy!r}; the policies are {', '.join(POLICIES)}")
    text = contiguous(data).decode(errors="surrogateescape")
    return ESCAPED.sub(lambda run: REPLACEMENT * _share(run[0], POLICIES[policy]), text)


def _share(escaped: str, policy: Policy) -> int:
    """Return how many U+FFFD replace *escaped*, a whole run of ill-formed bytes."""
    run = escaped.encode("ascii", "surrogateescape")
    share = start = 0
    while start < len(run):
        start += policy.take(run[start : start + WINDOW])
        share += 1
    return share
