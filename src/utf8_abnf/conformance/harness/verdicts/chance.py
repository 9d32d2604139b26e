"""Chance: places that nobody thought of, at which conditions are tried before they are told."""

from __future__ import annotations

import random
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING

from utf8_abnf.conformance.harness.standard import well_formed
from utf8_abnf.conformance.harness.verdicts.cutting import characters
from utf8_abnf.conformance.harness.verdicts.patterns import TAIL
from utf8_abnf.conformance.harness.verdicts.places import (
    ASCII,
    OTHERS,
    SIZE,
    Lane,
    Measure,
    Neighbour,
    Place,
)
from utf8_abnf.conformance.harness.verdicts.units import BYTES

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from utf8_abnf.conformance.harness.verdicts.places import Conditions

PLACES = 240  # for each word
NEAR, FAR = 40, 300  # bytes of places without a bound
MAX_SIZE = 1 << 13  # bytes of a place; larger ones are made only near larger bounds
MAX_BYTES = 1 << 22  # of all places together
MAX_ALTERED = 7  # characters of a place
MAX_NAMED = 8  # characters of a condition
SEED = 3629


def places_by_chance(conditions: Conditions, seen: Sequence[Place], filler: bytes) -> Iterator[Place]:
    """Yield places of all sizes and with all kinds of text, most of them near the bounds of *conditions*.

    The text has characters of *seen*, the places where a word is judged wrongly, in other orders and apart. There are
    always the same places for the same arguments.
    """
    chance = random.Random(SEED)  # noqa: S311
    in_text = (each for place in seen for side in place for each in characters(side[:FAR]))
    known = list(dict.fromkeys([*in_text, *_named(conditions)]))
    plain = set(filler)
    special = [place for place in dict.fromkeys(seen) if not plain.issuperset(place.before + place.after)]
    sized = _sized(chance, conditions, seen, known, filler)
    for number in range(PLACES):
        if number % 3 == 1 and special:
            yield Place(*(_altered(chance, side[-FAR:], filler) for side in chance.choice(special)))
        elif number % 3 == 2 and not plain.issuperset(b"".join(known)):
            yield Place(*(b"".join(chance.choices([filler, *known], k=chance.randrange(MAX_ALTERED))) for _ in "<>"))
        else:
            yield from islice(sized, 1)


def strangers(conditions: Conditions, seen: Sequence[Place], most: int) -> Iterator[Place]:
    """Yield places like *seen* with other characters beside the word, or in place of one: of *most* blocks, by chance.

    None where no character of *conditions* stands for others.
    """
    every = (each for choice in conditions.choices for each in choice)
    if not any(isinstance(each, Neighbour) and each.has_representatives for each in every):
        return
    chance = random.Random(SEED)  # noqa: S311
    places = [place for place in seen if place.size <= FAR] or [Place(b"", b"")]
    others = [chr(chance.randrange(*block)).encode() for block in blocks()]
    others = chance.sample(others, min(most, len(others)))
    for named in [each for each in _named(conditions) if each >= b"\x80"][:MAX_ALTERED]:
        others += [named[:-1] + bytes([tail]) for tail in sorted(TAIL) if well_formed(named[:-1] + bytes([tail]))]
    for other in others:
        before, after = chance.choice(places)
        yield from (Place(other, b""), Place(b"", other), Place(before + other, after), Place(before, other + after))
        sides = [characters(before), characters(after)]
        side = chance.choice(sides)
        at = chance.choice((0, max(0, len(side) - 1)))
        side[at : at + 1] = [other]
        yield Place(*map(b"".join, sides))


@cache
def blocks() -> list[tuple[int, int]]:
    """Return the numbers of characters above 7F in blocks, each from its first to behind its last: small ones first."""
    sizes = ((0x80, 0x800, 16), (0x800, 0xD800, 256), (0xE000, 0x10000, 256), (0x10000, 0x110000, 4096))
    return [(low, low + size) for first, end, size in sizes for low in range(first, end, size)]


def _sized(
    chance: random.Random, conditions: Conditions, seen: Sequence[Place], known: Sequence[bytes], filler: bytes
) -> Iterator[Place]:
    """Yield places with sizes near the bounds of *conditions*, as long as all have fewer than MAX_BYTES."""
    bounds = sorted({*_bounds(conditions), *(size for place in seen for size in map(len, place))})
    sizes = [*bounds, *_sizes(conditions)]
    fillers = [filler, *OTHERS] if _count_characters(conditions) else [filler]
    left = MAX_BYTES
    while (left := left - (size := _number(chance, sizes))) > 0:
        offset = min(size, chance.choice((0, size, size - min(size, _number(chance, bounds)), _number(chance, bounds))))
        sprinkled = chance.choice(([], known, [*ASCII, *OTHERS], [*known, *OTHERS]))
        each = chance.choice(fillers) if fillers[1:] else filler
        longer = len(each) // len(filler)
        sides = (_text(chance, length * longer, bounds, sprinkled, each) for length in (offset, size - offset))
        yield Place(*sides)


def _count_characters(conditions: Conditions) -> bool:
    every = (each for choice in conditions.choices for each in choice)
    return any(isinstance(each, Measure | Lane) and each.unit != BYTES for each in every)


def _named(conditions: Conditions) -> Iterator[bytes]:
    """Yield the characters that *conditions* name; where these are most of all, those that they leave out."""
    for each in (each for choice in conditions.choices for each in choice):
        if isinstance(each, Neighbour):
            inside = [character for character in (*sorted(each.characters), *ASCII, *OTHERS) if character in each]
            outside = [character for character in (*ASCII, *OTHERS) if character not in each]
            yield from min(inside, outside, key=len)[:MAX_NAMED]


def _bounds(conditions: Conditions) -> Iterator[int]:
    for each in (each for choice in conditions.choices for each in choice):
        if isinstance(each, Measure) and each.of != SIZE:
            yield each.bound
        elif isinstance(each, Lane):
            yield from (each.low, each.high, each.period + each.low, 3 * each.period + each.high)
        elif isinstance(each, Neighbour) and each.times > 1:
            yield each.times


def _sizes(conditions: Conditions) -> list[int]:
    return [
        each.bound
        for choice in conditions.choices
        for each in choice
        if isinstance(each, Measure) and each.of == SIZE
        for _ in range(3)
    ]


def _number(chance: random.Random, bounds: Sequence[int]) -> int:
    """Return a number near one of *bounds*, up to twice that, or a small one."""
    bound = chance.choice([*bounds, NEAR, FAR])
    number = chance.choice((chance.randrange(NEAR), bound + chance.randrange(-4, 5), chance.randrange(2 * bound + 1)))
    return max(0, min(number, max(MAX_SIZE, bound + 4)))


def _text(chance: random.Random, size: int, bounds: Sequence[int], sprinkled: Sequence[bytes], filler: bytes) -> bytes:
    """Return about *size* bytes of *filler* with up to four of the characters *sprinkled* in it, or none."""
    parts = [filler] * (size // len(filler))
    for _ in range(chance.randrange(5) if parts and sprinkled else 0):
        each = chance.choice(sprinkled)
        last = len(parts) - 1
        at = chance.choice((0, last, chance.randrange(len(parts)), min(last, _number(chance, bounds) // len(filler))))
        parts[at : at + max(1, len(each) // len(filler))] = [each]
    return b"".join(parts)


def _altered(chance: random.Random, text: bytes, filler: bytes) -> bytes:
    """Return *text* with some characters left out, moved, repeated or put apart by some of *filler*."""
    parts = characters(text)
    for _ in range(chance.randrange(1, MAX_ALTERED) if parts else 0):
        at = chance.randrange(len(parts) + 1)
        moved = [parts.pop(chance.randrange(len(parts)))] if parts and chance.random() < 1 / 2 else []
        parts[at:at] = chance.choice((moved, 2 * moved, [], [filler] * chance.randrange(1, 4)))
    return b"".join(parts)
