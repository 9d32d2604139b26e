"""Probing: a word is asked at many places, and out come the conditions under which the decoder judges it wrongly.

The places vary in one thing at a time: the beginning and the end, one character before or after the word, the number of
bytes before or after it. Where a number matters, its exact bound is looked for. Each of these suggests conditions.
``conditions`` returns the simplest of them that agree with every answer.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from utf8_abnf.harness.cutting import characters
from utf8_abnf.harness.masks import conditions_of
from utf8_abnf.harness.places import (
    AFTER,
    ANYWHERE,
    ASCII,
    AT_END,
    AT_START,
    BEFORE,
    BYTES,
    CHARACTERS,
    DIRECTLY,
    EVERYWHERE,
    NOT_AT_END,
    NOT_AT_START,
    OFFSET,
    OTHERS,
    OUTERMOST,
    REST,
    SIZE,
    UNKNOWN,
    Conditions,
    Lane,
    Leftover,
    Measure,
    Neighbour,
    Place,
    characters_in,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from utf8_abnf.harness.places import Condition
    from utf8_abnf.harness.questions import Direction

SIZES = (
    2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64,
    65, 127, 128, 129, 255, 256, 257, 511, 512, 513, 1024, 4096,
)  # fmt: skip
FEW_SIZES = (2, 8, 16, 64, 256)
EVERY_CHARACTER = (*ASCII, *OTHERS)
FEW_CHARACTERS = (b"\0", b"\n", b'"', b"/", b"<", OTHERS[1], OTHERS[4], OTHERS[10])  # where each needs a process
MAX_ROUNDS = 2
MAX_PERIOD = 260  # bytes of a block that is found from any of its lanes
MAX_PERIODS = 300  # at whose starts it is asked from which block on the word is judged wrongly
MAX_START = 6_000  # bytes before a word, up to which every offset is asked for larger blocks
MAX_CROSSING = 8  # offsets: twice the bytes of a character that crosses a border, for it begins before it
MAX_CONTEXT = 16  # bytes of several characters that are looked at as one
MAX_CONTEXTS = 2  # of those on each side
MAX_LENGTHS = 4  # of texts around the word in a case: at each of them its places are asked
MAX_BOUNDS = 3  # that are looked for when one number grows
MAX_BYTES = 512 << 20  # of the places that are asked: what is wrong only behind many MiB is asked at some dozens
FAR = 1 << 20  # bytes before or after a word: from then on little is asked
BATCH = 16 << 20  # bytes of the places that are asked at a time


class _Line(NamedTuple):
    """Places that grow by a number of *filler* characters before the word or, if *of* is REST, after it.

    *near* and *other* do not change: what stands between the filler and the word, and what stands on the other side.
    """

    of: str
    filler: bytes
    near: bytes
    other: bytes

    def place(self, count: int) -> Place:
        text = self.filler * count
        return Place(text + self.near, self.other) if self.of == OFFSET else Place(self.other, self.near + text)


class Probe:
    """The answers about *word* in text of *filler* characters: ``answers`` tell for each place if it is wrong there."""

    def __init__(self, word: bytes, filler: bytes, direction: Direction) -> None:
        self.word = word
        self.filler = filler
        self.answers: dict[Place, bool] = {}
        self._direction = direction
        (self._filler_is_taken,) = direction.ask([filler])
        self._few = direction.ask.expensive
        self._left = MAX_BYTES
        self._characters: list[bytes] = []
        self._sizes: list[int] = []
        self._unexplained: list[Place] = []
        self._suggested: dict[Condition, None] = dict.fromkeys((AT_END, AT_START, NOT_AT_END, NOT_AT_START))

    def ask(self, places: Iterable[Place]) -> list[bool | None]:
        """Return whether the word is judged wrongly at each of *places*; None where that is not known.

        It is not known where the decoder rejects even plain text in place of the word: what stands around it is to
        blame there. Nor is it where the places have more than MAX_BYTES in all.
        """
        return [answer for batch in _batches(places) for answer in self._ask_batch(batch)]

    def _ask_batch(self, places: list[Place]) -> list[bool | None]:
        new = []
        for place in dict.fromkeys(places):
            if place not in self.answers and place.size <= self._left:
                self._left -= place.size
                new.append(place)
        plain = self.filler * max(1, len(self.word) // len(self.filler))
        accepted = self._direction.accepted
        found = dict(zip(new, self._direction.wrong_at(self.word, new), strict=True))
        doubtful = [place for place, is_wrong in found.items() if is_wrong is not accepted and self._filler_is_taken]
        taken = dict(zip(doubtful, self._direction.ask([place.around(plain) for place in doubtful]), strict=True))
        for place, is_wrong in found.items():
            if is_wrong is not None and taken.get(place) is not False:
                self.answers[place] = is_wrong
        return [self.answers.get(place) for place in places]

    def ask_everything(self, seen: Iterable[Place]) -> Conditions:
        """Ask at all places that may matter, and return the simplest conditions that agree with all answers.

        *seen* are the places where the word was judged wrongly in a case. As long as no conditions agree, more places
        like those are asked where the word is judged wrongly for a reason that is not known.
        """
        seen = list(seen)
        alone, _, _, inside = simple_places(self.filler)
        self.ask([*simple_places(self.filler), *seen])
        self.ask(simpler for place in seen for simpler in _simpler(place, self.filler))
        beside = {text for place in seen for text in (place.before[-1:], place.after[:1], place.before[:1]) if text}
        characters = FEW_CHARACTERS if self._few else EVERY_CHARACTER
        self._characters = list(dict.fromkeys((*characters, *sorted(each for each in beside if each in ASCII))))
        lengths = sorted({len(text) for place in seen for text in place}, reverse=True)
        longest = lengths[0] if lengths else 0
        far = longest > FAR
        self._few = self._few or far
        self._sizes = sorted(
            {
                0,
                1,
                *(FEW_SIZES if self._few else SIZES),
                *(each for length in lengths[:MAX_LENGTHS] for each in _around(length)),
            }
        )
        self._vary(alone)
        self._vary(inside)
        if not self._few:
            self._ask_contexts(AFTER, [place.before for place in seen])
            self._ask_contexts(BEFORE, [place.after for place in seen])
        self.ask(Place(each, other) for each in FEW_CHARACTERS for other in FEW_CHARACTERS)
        done = {alone, inside}
        conditions = self.conditions()
        for _ in range(MAX_ROUNDS):
            found = self._unexplained or [place for place, is_wrong in self.answers.items() if is_wrong]
            chosen = min(found, key=lambda place: (place.size, place), default=alone)
            if chosen in done or conditions == EVERYWHERE or (far and conditions != UNKNOWN):
                break
            plain = _plain(chosen, self.filler) if conditions == UNKNOWN else chosen
            around = [Place(x, y) for x in (plain.before, chosen.before) for y in (plain.after, chosen.after)]
            for place in dict.fromkeys(around):
                done.add(place)
                self._vary(place)
            conditions = self.conditions()
        has_walked = self._few
        for _ in range(MAX_ROUNDS):
            if not has_walked and (len(conditions.choices) != 1 or _is_window(conditions)):
                has_walked = self._walk_on()
                conditions = self.conditions()
            if not self._ask_in_large_input(conditions):
                break
            conditions = self.conditions()
        return conditions

    def _ask_in_large_input(self, conditions: Conditions) -> bool:
        """Ask at all sizes before and after the word in input as large as *conditions* need, and in the first blocks.

        Otherwise the size would hide the true bound of the others. Return whether anything was asked.
        """
        sizes: dict[int, list[int]] = {}
        for choice in conditions.choices:
            numbers = [each for each in choice if isinstance(each, Measure | Lane)]
            lanes = [each.low + each.period * block for each in numbers for block in range(2) if isinstance(each, Lane)]
            for each in numbers if len(numbers) > 1 else ():
                if isinstance(each, Measure) and each.at_least and (each.of == SIZE or (lanes and each.bound > 1)):
                    sizes.setdefault(each.bound, []).extend(lanes)
        for size, lanes in sizes.items():
            large = self.filler * (size // len(self.filler) + 1)
            counts = sorted(
                {*self._sizes, *_around(size // len(self.filler)), *(at // len(self.filler) for at in lanes)}
            )
            self._walk(_Line(OFFSET, self.filler, b"", large), counts)
            self._walk(_Line(REST, self.filler, b"", large), counts)
            for at in {low // len(self.filler) for low in lanes}:
                self._walk(_Line(REST, self.filler, b"", self.filler * at), counts)  # it may be smaller
        return bool(sizes)

    def _walk_on(self) -> bool:
        """Ask at the offsets around the first one at which the word is judged wrongly, and look for blocks.

        Return whether anything was asked.
        """
        wrong = [place for place, bad in self.answers.items() if bad and _plain(place, self.filler) == place]
        if not wrong:
            return False
        first = min(wrong, key=lambda place: (len(place.before), len(place.after)))
        unit = len(self.filler)
        start = len(first.before) // unit
        spans = [range(max(0, start - 1), start + 2 * MAX_PERIOD // unit)]
        spans += [range(2 * start + MAX_CROSSING)] * (start <= MAX_START)  # a buffer's second border, or this is one
        for span in spans:
            if period := self._find_period(_Line(OFFSET, self.filler, b"", first.after), span):
                if len(first.after) < period * unit:  # where the next block is whole as well
                    self._find_period(_Line(OFFSET, self.filler, b"", self.filler * period), span)
                break
        return True

    def _find_period(self, line: _Line, span: range) -> int:
        """Ask at the numbers of *span* along *line*, and return the length of a block in characters, 0 if it has none.

        The first of the blocks may begin later, so the last two tell their length.
        """
        answers = self.ask(map(line.place, span))
        begins = [number for number in range(1, len(span)) if answers[number] and not answers[number - 1]]
        if len(begins) < 2:
            return 0
        unit = len(self.filler)
        one, two = begins[-2:]
        period = two - one
        low = span[one] % period
        high = low + next(at for at in range(one, two) if not answers[at]) - one  # or it is not judged
        self._suggested[Lane(period * unit, low * unit, high * unit)] = None
        self._suggested |= {Leftover(period * unit, negated): None for negated in (False, True)}
        self._walk(line, list(range(low, span[-1] + 1, period))[:MAX_PERIODS])  # from which block on?
        for begin in begins[:2]:
            self._ask_in_one_size(line.place(span[begin]), period * unit, high - low)
        return period

    def _ask_in_one_size(self, place: Place, period: int, width: int) -> None:
        """Ask where in input of one size the word is judged wrongly: the size may be what is equal modulo *period*."""
        size = place.size + len(self.word)
        self._suggested[Lane(period, size % period, size % period + width, SIZE)] = None
        if len(self.filler) > 1:
            return
        rests = range(min(place.size, MAX_PERIOD) + 1)
        answers = self.ask(Place(self.filler * (place.size - rest), self.filler * rest) for rest in rests)
        for rest in [each for each in rests[1:] if answers[each] is not answers[each - 1]][:MAX_BOUNDS]:
            for at_least in (True, False):
                self._suggested[Measure(REST, at_least, rest)] = None

    def _vary(self, place: Place) -> None:
        """Ask at places like *place*, each of which differs from it in one thing."""
        (before, after), filler = place, self.filler
        self._ask_neighbours(place)
        stays = Place(before.replace(filler, b""), after.replace(filler, b""))
        for near in dict.fromkeys((Place(b"", b""), stays)):
            self._walk(_Line(OFFSET, filler, near.before, after), self._sizes)
            self._walk(_Line(REST, filler, near.after, before), self._sizes)
        if not self._few or self._sizes[-1] > FEW_SIZES[-1]:  # do bytes count, or characters?
            longest = max(len(before), len(after), 3)
            for other in OTHERS[1], OTHERS[4], OTHERS[10]:
                sizes = sorted({0, 1, *FEW_SIZES, *_around(longest), *_around(longest // len(other))})
                self._walk(_Line(OFFSET, other, b"", after), sizes)
                self._walk(_Line(REST, other, b"", before), sizes)

    def _ask_neighbours(self, place: Place) -> None:
        """Ask with each character before and after the word at *place*, directly and at a distance."""
        (before, after), space = place, 3 * self.filler
        forms: tuple[tuple[str, Callable[[bytes], Place]], ...] = (
            (AFTER, lambda each: Place(before + each, after)),
            (AFTER, lambda each: Place(each + space + before, after)),
            (BEFORE, lambda each: Place(before, each + after)),
            (BEFORE, lambda each: Place(before, after + space + each)),
        )
        answers = iter(self.ask(form(each) for _, form in forms for each in self._characters))
        for side, _ in forms:
            verdicts = {each: next(answers) for each in self._characters}
            chosen = frozenset(each for each, is_wrong in verdicts.items() if is_wrong)
            others = frozenset(each for each, is_wrong in verdicts.items() if is_wrong is False)
            if chosen and others:
                for how in (DIRECTLY, ANYWHERE, OUTERMOST):
                    self._suggested[Neighbour.of(side, chosen, how)] = None
                    self._suggested[Neighbour.of(side, others, how, negated=True)] = None

    def _ask_contexts(self, side: str, texts: Iterable[bytes]) -> None:
        """Ask with the shortest of *texts*, several characters on one *side*, whole and cut, directly and apart."""
        plain = set(self.filler)
        several = {text for text in texts if len(text) <= MAX_CONTEXT and not plain.issuperset(text)}
        contexts = [text for text in several if len(characters(text)) > 1]
        space = 3 * self.filler
        for text in sorted(contexts, key=lambda text: (len(text), text))[:MAX_CONTEXTS]:
            parts = characters(text)
            forms = [text, text + space, space + text, space + text + space, b"".join(parts[1:]), b"".join(parts[:-1])]
            others = (b"", self.filler)
            pairs = [(form, other) for form in forms for other in others]
            self.ask(Place(*pair) if side == AFTER else Place(*pair[::-1]) for pair in pairs)
            for how in (DIRECTLY, ANYWHERE, OUTERMOST):
                self._suggested[Neighbour.of(side, frozenset([text]), how)] = None

    def _walk(self, line: _Line, counts: list[int]) -> None:
        """Ask along *line*; where the answer changes between two of *counts*, look for the exact bound."""
        found = [pair for pair in zip(counts, self.ask(map(line.place, counts)), strict=True) if pair[1] is not None]
        changes = [(low, high) for (low, one), (high, two) in pairwise(found) if one is not two]
        for low, high in changes[:MAX_BOUNDS]:
            self._suggest_bound(line, self._bound(line, low, high))

    def _bound(self, line: _Line, low: int, high: int) -> int:
        """Return the number in low + 1 .. high from which on the answer is another one than at *low*."""
        first = self.answers[line.place(low)]
        while high - low > 1:
            middle = (low + high) // 2
            (found,) = self.ask([line.place(middle)])
            if found is None:
                break
            low, high = (middle, high) if found is first else (low, middle)
        return high

    def _suggest_bound(self, line: _Line, count: int) -> None:
        place = line.place(count)
        grown = place.before if line.of == OFFSET else place.after
        for of, text, own in ((line.of, grown, b""), (SIZE, place.around(self.word), self.word)):
            for at_least in (True, False):
                for unit, bound in ((BYTES, len(text)), (CHARACTERS, characters_in(text))):
                    least = len(own) if unit == BYTES else characters_in(own)
                    if of == SIZE and not at_least and bound == least + 1:
                        continue  # nothing but the word: that is the whole input
                    self._suggested[Measure(of, at_least, bound, unit)] = None

    def conditions(self) -> Conditions:
        """Return the simplest conditions that agree with all answers; ``UNKNOWN`` if there are none."""
        conditions, self._unexplained = conditions_of(self.answers, self.word, self._suggested)
        return conditions


def _batches(places: Iterable[Place]) -> Iterator[list[Place]]:
    """Yield *places* in lists of BATCH bytes, or of one place that is larger: they are made when they are asked."""
    batch: list[Place] = []
    size = 0
    for place in places:
        if batch and size + place.size > BATCH:
            yield batch
            batch, size = [], 0
        batch.append(place)
        size += place.size
    yield batch


def _is_window(conditions: Conditions) -> bool:
    """Tell whether *conditions* are fulfilled between two offsets only: one of the bounds may be the input's size."""
    return any(
        {each.at_least for each in choice if isinstance(each, Measure) and each.of != REST} == {True, False}
        for choice in conditions.choices
    )


def simple_places(filler: bytes) -> list[Place]:
    """Return the four places that tell whether a word stands at the beginning, at the end, at both, or at neither."""
    return [Place(b"", b""), Place(filler, b""), Place(b"", filler), Place(filler, filler)]


def _simpler(place: Place, filler: bytes) -> Iterator[Place]:
    """Yield places like *place* with something left out, or with plain text of the same length."""
    plain = _plain(place, filler)
    starts = dict.fromkeys((b"", filler, plain.before, place.before))
    yield from (Place(before, after) for before in starts for after in (b"", filler, plain.after, place.after))


def _plain(place: Place, filler: bytes) -> Place:
    """Return *place* with plain text of the same length."""
    return Place(*(filler * (len(text) // len(filler)) for text in place))


def _around(size: int) -> tuple[int, ...]:
    return (size - 1, size, size + 1) if size > 1 else ()
