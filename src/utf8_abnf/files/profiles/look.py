r"""The look for refused characters: their forms in, the places of such characters in a text out.

A form has a range of bytes for each byte of a character. In any text, ill-formed text included, bytes that follow a
form are a whole character: a first byte is never the continuation of another character. So the regular expression of
all forms is exact. It is slow; ``refused.c`` finds the places that are worth asking it about, and misses none.
"""

from __future__ import annotations

import re
from itertools import combinations, product
from math import prod
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from typing_extensions import Buffer

    from utf8_abnf.files.profiles import _look as loops
else:
    try:
        from utf8_abnf.files.profiles import _look as loops
    except ImportError:  # installed without a compiler
        loops = None

Ranges: TypeAlias = tuple[tuple[int, int], ...]  # a range for each byte of a character, both ends included
Halves: TypeAlias = tuple[int, int]  # which high and which low halves a byte may have, as masks of 16 bits
Group: TypeAlias = tuple[Halves, ...]  # ... for each byte of a character, the last byte first

MAX_GROUPS = 8  # bits of a byte
MAX_CHARACTER = 4  # bytes: UTF8-4 has four
_ALL: Halves = (0xFFFF, 0xFFFF)


class Look:
    r"""Finds the characters of *forms* in bytes.

    >>> list(Look([((0xEF, 0xEF), (0xBF, 0xBF), (0xBD, 0xBD))]).places("a\ufffdb".encode()))
    [(1, 4)]
    """

    def __init__(self, forms: Iterable[Ranges]) -> None:
        forms = list(forms)
        self._pattern = re.compile(b"|".join(map(_pattern, forms)) or b"(?!)")
        self._sieve = sieve(forms) if forms else b""

    def places(self, data: Buffer) -> Iterator[tuple[int, int]]:
        """Yield start and end of each character, in order."""
        return self._sifted(data) if loops and self._sieve else self.plain(data)

    def plain(self, data: Buffer) -> Iterator[tuple[int, int]]:
        """Yield the same by the regular expression alone."""
        at = 0
        while found := self._pattern.search(data, at):  # finditer would hold the buffer
            yield found.span()
            at = found.end()

    def is_in(self, data: Buffer) -> bool:
        """Return whether there is one."""
        if loops and self._sieve and loops.next_candidate(self._sieve, data, 0) < 0:
            return False  # without a generator
        return next(self.places(data), None) is not None

    def count(self, data: Buffer) -> int:
        """Return how many there are."""
        return sum(1 for _ in self.places(data))

    def _sifted(self, data: Buffer) -> Iterator[tuple[int, int]]:
        at = done = 0
        while (at := loops.next_candidate(self._sieve, data, at)) >= 0:
            at += 1
            if found := self._pattern.search(data, max(done, at - MAX_CHARACTER), at):
                done = at
                yield found.span()


def _pattern(form: Ranges) -> bytes:
    return b"".join(b"[\\x%02x-\\x%02x]" % each for each in form)


def sieve(forms: list[Ranges]) -> bytes:
    """Return the tables for ``refused.c`` (see refused.h), which let each character of *forms* pass, and few others."""
    groups = [
        (*group, *[_ALL] * (MAX_CHARACTER - len(group)))
        for group in _merged({group for form in forms for group in _groups(form)})
    ]
    length = max(map(len, forms))
    rarest_first = sorted(range(length), key=lambda place: sum(_size(group[place : place + 1]) for group in groups))
    places = (*rarest_first, *range(length, MAX_CHARACTER))
    high, low = ([_row(groups, place, side) for place in places] for side in range(2))
    allowed = [
        [byte for byte in range(256) if highs[byte >> 4] & lows[byte & 15]]
        for highs, lows in zip(high, low, strict=True)
    ]
    return bytes([length, *places, *map(min, allowed), *map(max, allowed)]) + b"".join(high + low)


def _row(groups: list[Group], place: int, side: int) -> bytes:
    """Return for each half of a byte a bit for each group that may have it there."""
    return bytes(sum((group[place][side] >> half & 1) << bit for bit, group in enumerate(groups)) for half in range(16))


def _groups(form: Ranges) -> Iterator[Group]:
    return product(*(_halves(low, high) for low, high in reversed(form)))


def _halves(low: int, high: int) -> list[Halves]:
    """Return the bytes *low*..*high* as sets of halves: every high half of a set goes with every low half of it."""
    found: dict[int, int] = {}  # the high halves for each set of low halves
    for first in range(low >> 4, (high >> 4) + 1):
        begin, end = max(low, first << 4), min(high, first << 4 | 15)
        lows = (1 << (end & 15) + 1) - (1 << (begin & 15))
        found[lows] = found.get(lows, 0) | 1 << first
    return [(highs, lows) for lows, highs in found.items()]


def _merged(groups: set[Group]) -> list[Group]:
    """Return at most ``MAX_GROUPS`` groups that have all characters of *groups*.

    One group after another is added. Where there are too many, the two are joined that let the fewest other characters
    pass when they are one.
    """
    kept: list[Group] = []
    for group in sorted(groups):
        kept.append(group)
        while pairs := [(*_cost(*pair), *pair) for pair in combinations(kept, 2) if len(pair[0]) == len(pair[1])]:
            cost, joined, one, other = min(pairs)
            if cost and len(kept) <= MAX_GROUPS:
                break
            kept = [each for each in kept if each not in (one, other)] + [joined]
    return kept


def _cost(one: Group, other: Group) -> tuple[int, Group]:
    """Return how many other characters the two let pass when they are joined, and the joined group."""
    joined = tuple((high | high2, low | low2) for (high, low), (high2, low2) in zip(one, other, strict=True))
    common = tuple((high & high2, low & low2) for (high, low), (high2, low2) in zip(one, other, strict=True))
    return _size(joined) - _size(one) - _size(other) + _size(common), joined


def _size(group: Group) -> int:
    return prod(high.bit_count() * low.bit_count() for high, low in group)
