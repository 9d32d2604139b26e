"""Widening: from one word that a decoder judges wrongly to the pattern of all words like it that it judges wrongly."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from itertools import pairwise, product
from typing import TYPE_CHECKING, NamedTuple

from utf8_abnf.conformance.harness.verdicts.patterns import Pattern, ranges_of
from utf8_abnf.conformance.harness.verdicts.places import Place
from utf8_abnf.conformance.suite.plan import plan

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from utf8_abnf.conformance.harness.verdicts.questions import Direction

MAX_LENGTH = 32  # bytes of a word that is widened
MAX_CORNERS = 256
MAX_WORDS = 2_048  # of a pattern that are asked, as %xED %xA0-BF UTF8-tail has; of a larger one a sample is asked
SHARE_OF_SCOUTS = 16  # one word of so many is asked at more places
MAX_EXPENSIVE_WORDS = 60  # where each question needs a process
MAX_PATTERNS = 16  # of characters that are alike
MAX_NARROWED = 12  # times that a pattern is made smaller: if it still does not fit, its words have no common form

# Where the ranges of RFC 3629, of its predecessors and of known dialects begin and end: the only bytes asked about
# where questions are expensive. 81 and 84 begin the longer forms of RFC 2279, 82 and 88 the longest.
EDGES = (0x00, 0x7F, 0x80, 0x81, 0x82, 0x83, 0x84, 0x87, 0x88, 0x8F, 0x90, 0x9F, 0xA0, 0xAF, 0xB0, 0xBF, 0xC0, 0xFF)
# These are asked as well in the first place of a word: the lowest and the highest byte that promise the same number of
# tails, and the neighbours of E0, ED, F0, F4 and F8, which do not take every tail.
FIRST_EDGES = (
    0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC, 0xED, 0xEE, 0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xF7, 0xF8, 0xF9, 0xFB, 0xFC,
    0xFD, 0xFE,
)  # fmt: skip


Places = Sequence[tuple[Place, bool]]


class Widened(NamedTuple):
    """Patterns, and the share of their words that were asked and are judged as the word that they were made from."""

    patterns: list[Pattern]
    asked: float


class Widening:
    """Widens words that are judged wrongly, or not, at each of *places* as the decoder said: place -> wrong.

    A word belongs to a pattern only if *may_belong* says so, and if the decoder judges it in the same way at all of
    *places*. Of a pattern some words are asked at the places of *scouts* as well. The words of *explained* are left
    out, and so are those that the decoder cannot judge wrongly: both are known to the byte, without a question.
    """

    def __init__(
        self,
        places: dict[Place, bool],
        scouts: dict[Place, bool],
        direction: Direction,
        may_belong: Callable[[bytes], bool],
        explained: Sequence[Pattern] = (),
    ) -> None:
        self._places = sorted(places.items(), key=lambda pair: not pair[1])  # where it is wrong, first
        self._scouts = list(scouts.items())
        self._direction = direction
        self._may_belong = may_belong
        self._explained = explained
        self._max_words = MAX_EXPENSIVE_WORDS if direction.ask.expensive else MAX_WORDS

    def widen(self, word: bytes) -> Widened:
        """Return patterns that have *word*, all of whose words belong to it, as far as they were asked."""
        if not 0 < len(word) <= MAX_LENGTH:
            return Widened([Pattern.of(word)], 1)
        rest = [_filled(*self._sweep(word, place)) for place in range(1, len(word))]
        asked, found = self._sweep(word, 0)
        alike = {byte for byte in found if byte == word[0] or self._has_rest(bytes([byte]) + word[1:], rest)}
        pattern = Pattern((_filled(asked, alike), *rest))
        for _ in range(MAX_NARROWED):
            parts = self._parts(pattern, word)
            words = _words(parts, self._max_words)
            wrong = self._strangers(words, self._places, word)
            wrong = wrong or self._strangers(_words(parts, self._max_words // SHARE_OF_SCOUTS), self._scouts, word)
            if not wrong:
                return Widened(parts, len(words) / sum(part.size for part in parts))
            pattern = _narrower(pattern, word, wrong)
        return Widened([Pattern.of(word)], 1)

    def _parts(self, pattern: Pattern, word: bytes) -> list[Pattern]:
        """Return *pattern* as patterns without the words that are explained or cannot be judged wrongly."""
        if not self._direction.standard.is_utf8:
            return [pattern]
        characters = character_patterns()
        if self._direction.accepted:
            parts = [pattern]
            for other in (*characters, *self._explained):
                parts = [part for each in parts for part in each.without(other)]
        else:
            parts = [common for each in characters if (common := pattern.common(each)) is not None]
        return parts if any(word in part for part in parts) else [pattern]

    def _strangers(self, words: list[bytes], places: Places, word: bytes) -> list[bytes]:
        return [
            each
            for each, belongs in zip(words, self._belong(words, places), strict=True)
            if not belongs and each != word
        ]

    def _belong(self, words: list[bytes], places: Places) -> list[bool]:
        """Tell for each of *words* whether the decoder judges it at all of *places* as it should."""
        left = [word for word in words if self._direction.can_be_wrong(word)]
        for place, expected in places:
            found = self._direction.ask([place.around(word) for word in left])
            accepted = expected is self._direction.accepted
            left = [word for word, answer in zip(left, found, strict=True) if answer is accepted]
        remaining = set(filter(self._may_belong, left))
        return [word in remaining for word in words]

    def _sweep(self, word: bytes, place: int) -> tuple[list[int], set[int]]:
        """Return the bytes that were asked in this *place* of *word*, and those that are judged just as wrongly."""
        edges = (*EDGES, *FIRST_EDGES) if place == 0 else EDGES
        values = sorted({*edges, word[place]}) if self._direction.ask.expensive else list(range(256))
        belong = self._belong([word[:place] + bytes([value]) + word[place + 1 :] for value in values], self._places)
        return values, {word[place], *(value for value, belongs in zip(values, belong, strict=True) if belongs)}

    def _has_rest(self, word: bytes, rest: list[frozenset[int]]) -> bool:
        """Tell whether the places of *word* after the first have the bytes of *rest*: else it is in another line."""
        for place, values in enumerate(rest, 1):
            ends = {end + step for pair in ranges_of(values) for end in pair for step in (-1, 0, 1)}
            asked = sorted({*EDGES, *ends} & set(range(256)))
            words = [word[:place] + bytes([value]) + word[place + 1 :] for value in asked]
            if self._belong(words, self._places[:1]) != [value in values for value in asked]:
                return False
        return True


def alike(place: Place, characters: Iterable[bytes], direction: Direction) -> tuple[Pattern, ...]:
    """Return patterns of the characters with which *place* is judged wrongly, for those of *characters* that are."""
    known = list(characters)
    answers = zip(known, direction.ask([place.around(each) for each in known]), strict=True)
    as_text = replace(direction, accepted=False)  # what is widened is well-formed
    found: list[Pattern] = []
    for each in [each for each, answer in answers if answer is direction.accepted]:
        if len(found) < MAX_PATTERNS and not any(each in pattern for pattern in found):
            found += Widening({place: not direction.accepted}, {}, as_text, lambda _: True).widen(each).patterns
    return tuple(found)


def _filled(asked: list[int], found: set[int]) -> frozenset[int]:
    """Return *found* and what lies between two of them that were *asked* one after the other: it is taken to be alike.

    ``Widening.widen`` asks a sample of the words with these bytes afterwards.
    """
    pairs = (pair for pair in pairwise(asked) if found.issuperset(pair))
    return frozenset(found.union(*(range(*pair) for pair in pairs)))


@cache
def character_patterns() -> list[Pattern]:
    """Return the patterns of the well-formed characters, as the grammar has them."""
    return [Pattern(tuple(frozenset(range(low, high + 1)) for low, high in track)) for track in plan().tracks]


def _words(parts: list[Pattern], limit: int) -> list[bytes]:
    """Return the words of *parts*; of large ones those whose bytes are the ends of ranges, and a sample."""
    if sum(part.size for part in parts) <= limit:
        return [bytes(word) for part in parts for word in product(*map(sorted, part.places))]
    words: list[bytes] = []
    for part in parts:
        share = max(1, limit // len(parts))
        ends = [sorted({end for pair in ranges_of(place) for end in pair}) for place in part.places]
        corners = min(MAX_CORNERS, -(-share // 2))
        words += (bytes(corner) for corner, _ in zip(product(*ends), range(corners), strict=False))
        chance = random.Random(3629)  # noqa: S311
        choices = [sorted(place) for place in part.places]
        words += (bytes(map(chance.choice, choices)) for _ in range(share - corners))
    return list(dict.fromkeys(words))


def _narrower(pattern: Pattern, word: bytes, wrong: list[bytes]) -> Pattern:
    """Return a large part of *pattern* with *word* in it and fewer of *wrong*; *word* alone if there is no such part.

    In one place the part has none of the bytes that *wrong* have there, or the byte of *word* alone.
    """
    parts = []
    for number, place in enumerate(pattern.places):
        own = frozenset({word[number]})
        for values in (place - {each[number] for each in wrong} | own, own):
            parts.append(Pattern((*pattern.places[:number], values, *pattern.places[number + 1 :])))
    parts = [part for part in parts if sum(each in part for each in wrong) < len(wrong)]
    return max(parts, key=lambda part: part.size, default=Pattern.of(word))
