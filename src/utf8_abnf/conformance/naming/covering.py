"""Covers words with few lines: boxes of words go in, and fewer boxes with the same words and allowed ones come out."""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

    from utf8_abnf.conformance.naming.pieces import Box, Pieces


class Cover(NamedTuple):
    """The words of a *box* that are not words of its *hole*. *wide*: some of them are well-formed."""

    box: Box
    hole: Box = ()
    wide: bool = False

    def has(self, box: Box) -> bool:
        """Whether all words of *box* are in this cover."""
        return _contains(self.box, box) and not _meets(self.hole, box)


def cover(pieces: Pieces, start: int, boxes: list[Box], exact: int, allowed: int) -> list[Cover]:
    """Return few covers that together have all words of *boxes*, which lead from *start* into *exact*; shortest first.

    All words of a cover lead into *allowed*. A wide cover stands for several exact ones, if it saves lines: what is
    well-formed needs no line, but may be in one. A hole counts as a line.
    """
    rest = _fewest(pieces, start, boxes, exact)
    covers = [
        Cover(wide, (), wide=True)
        for box in rest
        for wide in _widenings(pieces, start, box, allowed)
        if pieces.reached(start, wide) & ~exact
    ]
    covers += _with_holes(pieces, start, rest, exact, allowed)
    chosen: list[Cover] = []
    while covers:
        gain, best = max(((_gain(pieces, each, rest), each) for each in covers), key=lambda pair: pair[0])
        if gain <= 0:
            break
        chosen.append(best)
        rest = [box for box in rest if not best.has(box)]
    return sorted([*map(Cover, rest), *chosen], key=lambda each: (len(each.box), pieces.first_word(each.box)))


def _gain(pieces: Pieces, tried: Cover, rest: Iterable[Box]) -> int:
    """Return how many lines *tried* saves. Lines of tail bytes are what the RFC speaks of: they count less."""
    saved = [box for box in rest if tried.has(box)]
    only_tails = all(not classes & ~pieces.tails for box in saved for classes in box[1:])
    return len(saved) - 1 - bool(tried.hole) - 2 * (tried.wide and only_tails)


def _fewest(pieces: Pieces, start: int, boxes: list[Box], exact: int) -> list[Box]:
    """Return few boxes of words into *exact* that together have all words of *boxes*."""
    chosen: list[Box] = []
    rest = list(boxes)
    while rest:
        tried = _widenings(pieces, start, rest[0], exact)
        best = max(tried, key=lambda each: sum(_contains(each, box) for box in rest))
        chosen.append(best)
        rest = [box for box in rest if not _contains(best, box)]
    for each in list(chosen):  # drop what the others have, and shrink what is left to what they do not have
        others = [other for other in chosen if other is not each]
        alone = [box for box in boxes if _contains(each, box) and not any(_contains(other, box) for other in others)]
        chosen = [*others, reduce(_hull, alone)] if alone else others
    return sorted(chosen, key=lambda box: (len(box), box))


def _widenings(pieces: Pieces, start: int, box: Box, allowed: int) -> list[Box]:
    """Return *box* with as many classes in each place as *allowed* lets it have, the places in several orders."""
    places = range(len(box))
    orders = [[first, *(each for each in places if each != first)] for first in places] + [list(reversed(places))]
    return list(dict.fromkeys(_widened(pieces, start, box, allowed, order) for order in orders))


def _widened(pieces: Pieces, start: int, box: Box, allowed: int, order: Iterable[int]) -> Box:
    pieces.count(len(box))
    for place in order:
        into = allowed
        for classes in reversed(box[place + 1 :]):
            into = pieces.before(classes, into)
        box = (*box[:place], pieces.leading(pieces.reached(start, box[:place]), into), *box[place + 1 :])
    return box


def _with_holes(pieces: Pieces, start: int, boxes: list[Box], exact: int, allowed: int) -> list[Cover]:
    """Return covers with a hole, each of as many of *boxes* as one hole lets it have."""
    covers = []
    for box in boxes:
        grown = Cover(box)
        for other in boxes:
            if len(other) == len(box) and not grown.has(other):
                grown = _joined(pieces, start, _hull(grown.box, other), exact, allowed) or grown
        if grown.hole:
            covers.append(grown)
    return covers


def _joined(pieces: Pieces, start: int, box: Box, exact: int, allowed: int) -> Cover | None:
    """Return the cover of *box*, or None if a hole for all words that are not allowed has words into *exact*."""
    pieces.count(len(box))
    hole = pieces.hole(start, box, allowed)
    if hole and pieces.reached(start, hole) & exact:
        return None
    return Cover(box, hole, bool(pieces.reached(start, box) & allowed & ~exact))


def _hull(one: Box, other: Box) -> Box:
    return tuple(a | b for a, b in zip(one, other, strict=True))


def _contains(outer: Box, inner: Box) -> bool:
    return len(outer) == len(inner) and not any(b & ~a for a, b in zip(outer, inner, strict=True))


def _meets(one: Box, other: Box) -> bool:
    return len(one) == len(other) and all(a & b for a, b in zip(one, other, strict=True))
