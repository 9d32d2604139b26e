"""Boxes: few patterns with the words of many.

Where a decoder takes other bytes for tail bytes, what it wrongly accepts leaves out what is well-formed. That cuts it
into many patterns, and fewer that overlap say the same.
"""

from __future__ import annotations

from itertools import permutations, product
from math import prod
from typing import TYPE_CHECKING

from utf8_abnf.conformance.harness.standard import promised
from utf8_abnf.conformance.harness.verdicts.patterns import TAIL, Pattern

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    Cell = tuple[int, ...]  # for each place the number of a set of bytes between which no pattern tells
    Box = list[set[int]]

MAX_CELLS = 30_000
MAX_LENGTH = 4


def taken_for_tails(pattern: Pattern) -> frozenset[int]:
    """Return the bytes of *pattern* that are no tail bytes, but stand where its first byte promises some.

    >>> sorted(taken_for_tails(Pattern((frozenset({0xC3}), frozenset({0x41, 0x80})))))
    [65]
    """
    first, *rest = pattern.places or [TAIL]
    return frozenset().union(*rest) - TAIL if max(map(promised, first)) > len(rest) else frozenset()


def boxes(patterns: Iterable[Pattern]) -> list[Pattern]:
    """Return few patterns with the words of *patterns*; they may have words in common.

    >>> low, tail, high = (frozenset(each) for each in (range(0x80), range(0x80, 0xC0), range(0xC0, 0x100)))
    >>> words = [Pattern((frozenset({0xF0}), *rest)) for rest in ((tail, low), (high, low), (high, high))]
    >>> [each.line for each in boxes(words)]
    ['%xF0 %x80-FF %x00-7F', '%xF0 %xC0-FF ( %x00-7F / %xC0-FF )']
    """
    by_length: dict[int, list[Pattern]] = {}
    for pattern in patterns:
        by_length.setdefault(len(pattern.places), []).append(pattern)
    return [box for length in sorted(by_length) for box in _boxes(by_length[length])]


def _boxes(patterns: list[Pattern]) -> list[Pattern]:
    """Return the same for *patterns* of one length: the largest box around the first word, and so on."""
    parts = [_parts(places) for places in zip(*(each.places for each in patterns), strict=True)]
    if len(parts) > MAX_LENGTH or prod(map(len, parts)) > MAX_CELLS:
        return patterns
    words = set(_cells(patterns, parts))
    left, found = set(words), []
    while left:
        first = min(left)
        grown = [_grown(first, order, parts, words) for order in permutations(range(len(parts)))]
        best = max(grown, key=lambda box: sum(_size(cell, parts) for cell in left.intersection(product(*box))))
        left.difference_update(product(*best))
        found.append(best)
    return [
        Pattern(tuple(frozenset().union(*(parts[at][each] for each in place)) for at, place in enumerate(box)))
        for box in found
    ]


def _size(cell: Cell, parts: Sequence[Sequence[frozenset[int]]]) -> int:
    return prod(len(several[number]) for number, several in zip(cell, parts, strict=True))


def _parts(sets: Sequence[frozenset[int]]) -> list[frozenset[int]]:
    """Return the bytes in parts, so that each of *sets* has all of a part or nothing of it."""
    by_key: dict[tuple[bool, ...], set[int]] = {}
    for byte in range(256):
        by_key.setdefault(tuple(byte in each for each in sets), set()).add(byte)
    return [frozenset(part) for key, part in by_key.items() if any(key)]


def _cells(patterns: Iterable[Pattern], parts: Sequence[Sequence[frozenset[int]]]) -> Iterator[Cell]:
    for pattern in patterns:
        inside = (
            [number for number, part in enumerate(several) if part <= place]
            for place, several in zip(pattern.places, parts, strict=True)
        )
        yield from product(*inside)


def _grown(cell: Cell, order: Iterable[int], parts: Sequence[Sequence[frozenset[int]]], allowed: set[Cell]) -> Box:
    """Return a box around *cell* within *allowed* that cannot be larger: it grows in the places of *order* in turn."""
    box = [{number} for number in cell]
    for place in order:
        for number in range(len(parts[place])):
            more = [*box[:place], {number}, *box[place + 1 :]]
            if allowed.issuperset(product(*more)):
                box[place].add(number)
    return box
