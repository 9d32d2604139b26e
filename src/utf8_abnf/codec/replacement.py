"""Replacement: ill-formed bytes in, U+FFFD out, by each of the policies that decoders in use follow.

All policies replace the same bytes, those outside every well-formed character: a replacement stops before any byte that
is no UTF8-tail, and a well-formed character begins with one. They differ only in how many bytes share one U+FFFD.
So a policy is one function: it looks at the next four bytes, which do not begin with a well-formed character, and says
how many of them the next U+FFFD stands for.
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
WINDOW = 4  # bytes that a policy has to see

# For each byte value how many bytes it announces as the first of a sequence, 1 where it begins no row of the table.
ANNOUNCED = bytes(len(row.pictures) if (row := row_begun_by(byte)) else 1 for byte in range(256))
TAILS = frozenset(byte for byte in range(256) if fits(byte, TAIL_PICTURE))


@dataclass(frozen=True, slots=True)
class Policy:
    """A way to replace: *take* gets up to four bytes that begin ill-formed, and says for how many one U+FFFD stands."""

    name: str
    summary: str
    take: Callable[[bytes], int]


def _maximal_subpart(window: bytes) -> int:
    error = describe(window)
    return error.length if error else 1


def _byte(window: bytes) -> int:
    return 1


def announced_sequence(window: bytes) -> int:
    """Return the length of a first byte and the tails after it, as many as it announces at most."""
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
        Policy(MAXIMAL_SUBPART, "one for each maximal subpart: Unicode 3.9, WHATWG, CPython", _maximal_subpart),
        Policy("per-byte", "one for each ill-formed byte", _byte),
        Policy("announced-sequence", "one for a first byte and the tails that it announces", announced_sequence),
        Policy("surrogate-as-one", "one for a coded surrogate, otherwise by maximal subparts", _surrogate_as_one),
    )
}


def policy_named(name: str) -> Policy:
    """Return the policy *name*; ``LookupError`` names those there are."""
    try:
        return POLICIES[name]
    except KeyError:
        raise LookupError(f"no replacement policy {name!r}: there are {', '.join(POLICIES)}") from None


# CPython's "surrogateescape" decodes each ill-formed byte 80..FF as U+DC80..U+DCFF (PEP 383), which no well-formed
# sequence gives: the escapes are exactly the ill-formed bytes, found in one pass in C.
ESCAPED = re.compile("[\udc80-\udcff]+")


def replace(data: Buffer, /, *, policy: str = MAXIMAL_SUBPART) -> str:
    r"""Return the text in *data*, with U+FFFD for what is ill-formed; one of ``POLICIES`` says for how much of it each.

    Never raises for bad bytes; ``LookupError`` for a *policy* that is not there. "maximal-subpart" is what Unicode 3.9
    recommends, the WHATWG Encoding Standard requires, and CPython's ``errors="replace"`` does.

    >>> [replace(b"\xf0\x80\x80\x41", policy=name).count("\ufffd") for name in POLICIES]
    [3, 3, 1, 3]
    """
    if policy == MAXIMAL_SUBPART:
        return contiguous(data).decode(errors="replace")  # the twin of what follows, in C
    chosen = policy_named(policy)
    text = contiguous(data).decode(errors="surrogateescape")
    return ESCAPED.sub(lambda run: REPLACEMENT * _share(run[0], chosen), text)


def _share(escaped: str, policy: Policy) -> int:
    """Return how many U+FFFD stand for *escaped*, a whole run of ill-formed bytes."""
    run = escaped.encode("ascii", "surrogateescape")
    share = start = 0
    while start < len(run):
        start += policy.take(run[start : start + WINDOW])
        share += 1
    return share


def undecided(data: bytes) -> int:
    r"""Return how many bytes at the end of *data*, 0 to 3, wait for the next ones before any policy can take them.

    That is a first byte with fewer tails after it than it announces. What stands before it is decided, because no
    replacement reaches over a byte that is no tail.

    >>> undecided(b"a\xe2\x82"), undecided(b"\xe2\x82\xac")
    (2, 0)
    """
    for back in range(1, min(WINDOW, len(data) + 1)):
        if data[-back] not in TAILS:
            return back if ANNOUNCED[data[-back]] > back else 0
    return 0
