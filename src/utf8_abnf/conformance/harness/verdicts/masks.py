"""Masks: which of many places fulfil a condition, as the bits of a number, in much less time than one by one."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from itertools import accumulate, combinations
from operator import or_
from typing import TYPE_CHECKING

from utf8_abnf.conformance.harness.verdicts.places import (
    AFTER,
    ANYWHERE,
    BEFORE,
    DIRECTLY,
    EVERYWHERE,
    MAX_CHARACTER,
    OFFSET,
    OUTERMOST,
    REST,
    SIZE,
    UNKNOWN,
    Conditions,
    Measure,
    Neighbour,
)
from utf8_abnf.conformance.harness.verdicts.units import LENGTH

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from utf8_abnf.conformance.harness.verdicts.places import Condition, Conjunction, Place

MAX_CANDIDATES = 48  # conditions that are tried together
MAX_CONDITIONS = 3  # that hold together, and so many choices of them


class Masks:
    """The places where *word* fulfils a condition: bit n of a mask stands for the place of number n in *places*."""

    def __init__(self, places: Sequence[Place], word: bytes) -> None:
        self._places = places
        self._word = word
        self._all = (1 << len(places)) - 1
        self._steps: dict[tuple[str, str], tuple[list[int], list[int]]] = {}
        self._sides = {
            AFTER: _Side(place.before for place in places),
            BEFORE: _Side(place.after for place in places),
        }

    def of(self, condition: Condition) -> int:
        """Return the mask of the places where ``condition.holds``.

        >>> from utf8_abnf.conformance.harness.verdicts.places import AT_END, Place
        >>> bin(Masks([Place(b"", b""), Place(b"", b"a"), Place(b"a", b"")], b"x").of(AT_END))
        '0b101'
        """
        if isinstance(condition, Measure):
            key = condition.of, condition.unit
            numbers, masks = self._steps.setdefault(key, self._steps.get(key) or self._find_steps(*key))
            mask = masks[bisect_left(numbers, condition.bound)]  # where the number is smaller
            return mask ^ self._all if condition.at_least else mask
        if not isinstance(condition, Neighbour) or condition.times > 1:
            return sum(1 << n for n, place in enumerate(self._places) if condition.holds(place, self._word))
        mask = self._sides[condition.side].mask(condition)
        return mask ^ self._all if condition.negated else mask

    def _find_steps(self, of: str, unit: str) -> tuple[list[int], list[int]]:
        """Return the numbers that occur, in order, and for each the places with a smaller one; at last all places."""
        length = LENGTH[unit]
        before = [0] * len(self._places) if of == REST else [length(place.before) for place in self._places]
        after = [0] * len(self._places) if of == OFFSET else [length(place.after) for place in self._places]
        own = length(self._word) if of == SIZE else 0
        by_number: defaultdict[int, int] = defaultdict(int)
        for number, sizes in enumerate(zip(before, after, strict=True)):
            by_number[own + sum(sizes)] |= 1 << number
        numbers = sorted(by_number)
        return numbers, [0, *accumulate((by_number[number] for number in numbers), or_)]


class _Side:
    """What stands on one side of the word, at all places: where a text begins with, ends with or has a character."""

    def __init__(self, texts: Iterable[bytes]) -> None:
        self._by_text: defaultdict[bytes, int] = defaultdict(int)
        for number, text in enumerate(texts):
            self._by_text[text] |= 1 << number
        self._begins: defaultdict[bytes, int] = defaultdict(int)
        self._ends: defaultdict[bytes, int] = defaultdict(int)
        self._has: defaultdict[int, int] = defaultdict(int)
        self._longer: dict[bytes, int] = {}  # the same for characters of more than a byte that were asked for
        for text, mask in self._by_text.items():
            for size in range(1, min(MAX_CHARACTER, len(text)) + 1):
                self._begins[text[:size]] |= mask
                self._ends[text[-size:]] |= mask
            for byte in set(text):
                self._has[byte] |= mask

    def mask(self, condition: Neighbour) -> int:
        """Return where one of the characters of *condition* stands as it says; ``negated`` is not looked at."""
        if condition.how == ANYWHERE:
            found = [self._having(each) for each in condition.characters]
            found += [mask for byte, mask in self._has.items() if condition.has(byte)]
            texts = self._by_text.items()
            found += [mask for each in condition.patterns for text, mask in texts if each.is_found_in(text)]
        else:
            ends = (condition.side == AFTER) is (condition.how == DIRECTLY)
            known = self._ends if ends else self._begins
            found = [mask for each, mask in known.items() if each in condition]
            if long := tuple(each for each in condition.characters if len(each) > MAX_CHARACTER):
                texts = self._by_text.items()
                found += [mask for text, mask in texts if (text.endswith if ends else text.startswith)(long)]
        every = 0
        for mask in found:
            every |= mask
        return every

    def _having(self, character: bytes) -> int:
        if len(character) == 1:
            return self._has.get(character[0], 0)
        if character not in self._longer:
            mask = self._has.get(character[0], 0)  # where it may be
            texts = self._by_text.items()
            self._longer[character] = sum(places for text, places in texts if places & mask and character in text)
        return self._longer[character]


def conditions_of(
    answers: Mapping[Place, bool],
    word: bytes,
    suggested: Iterable[Condition],
    is_over: Callable[[], bool] = lambda: False,
) -> tuple[Conditions, list[Place]]:
    """Return the simplest of the conditions *suggested*, or of several together, that agree with all *answers*.

    ``UNKNOWN`` if there are none, and then the places that are left over; and at once if the time *is_over*.
    """
    places = list(answers)
    wrong = sum(1 << number for number, place in enumerate(places) if answers[place])
    if wrong == (1 << len(places)) - 1:
        return EVERYWHERE, []
    masks: dict[int, Condition] = {}  # the places where a condition holds
    masks_of = Masks(places, word)
    for condition in sorted(suggested, key=_rank):
        if is_over():
            return UNKNOWN, []
        mask = masks_of.of(condition)
        if mask == wrong:
            return Conditions(((condition,),)), []
        masks.setdefault(mask, condition)
    conditions, left = _simplest(_candidates(masks, wrong), wrong)
    return conditions, [place for number, place in enumerate(places) if left >> number & 1]


def _candidates(masks: dict[int, Condition], wrong: int) -> dict[int, Condition]:
    """Return the conditions that are tried together: half of them are those that fit best if they hold all at once."""
    whole = sorted((mask for mask in masks if not wrong & ~mask), key=lambda mask: (mask & ~wrong).bit_count())
    chosen = set(whole[: MAX_CANDIDATES // 2])
    chosen.update([mask for mask in masks if mask not in chosen][: MAX_CANDIDATES - len(chosen)])
    return {mask: condition for mask, condition in masks.items() if mask in chosen}


def _rank(condition: Condition) -> tuple[int, int]:
    """Put simple conditions first, those with few characters before those with many, bytes before characters."""
    if isinstance(condition, Measure):
        return (0, 0) if condition.bound == 1 and condition.of != SIZE else (2, [*LENGTH].index(condition.unit))
    if isinstance(condition, Neighbour):
        how = (ANYWHERE, DIRECTLY, OUTERMOST).index(condition.how)
        return 1 + bool(condition.patterns), condition.negated * 1000 + len(condition.characters) * 3 + how
    return 2, 0


def _simplest(masks: dict[int, Condition], wrong: int) -> tuple[Conditions, int]:
    """Return the conditions that hold exactly at the *wrong* places (bits), or ``UNKNOWN`` and the places left over."""
    sound: dict[int, Conjunction] = {}  # those that hold at wrong places only, the simplest first
    for count in range(1, MAX_CONDITIONS + 1):
        for chosen in combinations(masks, count):
            both = chosen[0]
            for mask in chosen[1:]:
                both &= mask
            if both and not both & ~wrong:
                sound.setdefault(both, tuple(masks[mask] for mask in chosen))
        if wrong in sound:
            return Conditions((sound[wrong],)), 0
    choices: list[Conjunction] = []
    left = wrong
    while left and sound and len(choices) < MAX_CONDITIONS:
        best = max(sound, key=lambda mask: ((mask & left).bit_count(), -len(sound[mask])))
        choices.append(sound[best])
        left &= ~best
    return (UNKNOWN, left) if left else (Conditions(tuple(choices)), 0)
