"""Widening: from one word that a decoder judges wrongly to the pattern of all words like it that it judges wrongly."""

from __future__ import annotations

from typing import TYPE_CHECKING

from utf8_abnf.harness.patterns import Pattern, ranges_of

if TYPE_CHECKING:
    from utf8_abnf.harness.questions import Direction

MAX_CORNERS = 256
MAX_LENGTH = 16  # bytes of a word that is widened

# Where the ranges of RFC 3629, of its predecessors and of known dialects begin and end: the only bytes asked about
# where questions are expensive. 81 and 84 begin the longer forms of RFC 2279, 82 and 88 the longest.
EDGES = (0x00, 0x7F, 0x80, 0x81, 0x82, 0x83, 0x84, 0x87, 0x88, 0x8F, 0x90, 0x9F, 0xA0, 0xAF, 0xB0, 0xBF, 0xC0, 0xFF)


def widen(word: bytes, direction: Direction) -> Pattern:
    """Return the pattern around *word* all of whose words the decoder gets wrong, as far as it was asked."""
    pieces = direction.pieces_to_blame(word)
    if not pieces or pieces[0] != word or len(word) > MAX_LENGTH:
        to_blame = (pieces or [word])[-1]
        return Pattern.of(to_blame, context=to_blame != word)
    sweeps = [_sweep(word, place, direction) for place in range(1, len(word))]
    pattern = Pattern((frozenset({word[0]}), *sweeps))
    return pattern if all(direction.are_wrong(_corners(pattern))) else Pattern.of(word)


def _sweep(word: bytes, place: int, direction: Direction) -> frozenset[int]:
    """Return the bytes which in this *place* of *word* are judged just as wrongly."""
    values = sorted({*EDGES, word[place]}) if direction.ask.expensive else list(range(256))
    wrong = direction.are_wrong([word[:place] + bytes([value]) + word[place + 1 :] for value in values])
    found = {word[place], *(value for value, is_wrong in zip(values, wrong, strict=True) if is_wrong)}
    if direction.ask.expensive:  # between two edges that are both wrong, everything is taken to be wrong
        for index in range(len(values) - 1):
            if wrong[index] and wrong[index + 1]:
                found.update(range(values[index], values[index + 1]))
    return frozenset(found)


def _corners(pattern: Pattern) -> list[bytes]:
    """Return the words of *pattern* whose bytes are the first or the last of a range."""
    corners = [b""]
    for place in pattern.places:
        ends = sorted({end for pair in ranges_of(place) for end in pair})
        corners = [corner + bytes([end]) for corner in corners for end in ends][:MAX_CORNERS]
    return corners


def with_neighbours(pattern: Pattern, direction: Direction) -> Pattern:
    """Return *pattern* with the first bytes next to its own that are judged just as wrongly, though in no case."""
    if pattern.context or len(pattern.places) < 2:
        return pattern
    leads = set(pattern.places[0])
    rest = pattern.places[1:]
    for step, lead in ((-1, min(leads) - 1), (1, max(leads) + 1)):
        while 0x80 <= lead <= 0xFF:
            word = bytes([lead, *map(min, rest)])
            if not all(direction.are_wrong([word])) or widen(word, direction).places[1:] != rest:
                break
            leads.add(lead)
            lead += step
    return Pattern((frozenset(leads), *rest))
