"""Probing: a word is asked at many places, and out come the conditions under which the decoder judges it wrongly.

The places vary in one thing at a time: the beginning and the end, one character before or after the word, the number of
bytes before or after it. Where a number matters, its exact bound is looked for. Each of these suggests conditions.
``conditions`` returns the simplest of them that agree with every answer.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from utf8_abnf.conformance.harness.verdicts.chance import blocks, places_by_chance, strangers
from utf8_abnf.conformance.harness.verdicts.contexts import contexts, neighbours, runs
from utf8_abnf.conformance.harness.verdicts.cutting import characters
from utf8_abnf.conformance.harness.verdicts.lines import (
    Line,
    around,
    batches,
    plain_place,
    simple_places,
    simpler_places,
)
from utf8_abnf.conformance.harness.verdicts.masks import conditions_of
from utf8_abnf.conformance.harness.verdicts.places import (
    AFTER,
    ANYWHERE,
    ASCII,
    AT_END,
    AT_START,
    BEFORE,
    DIRECTLY,
    EVERYWHERE,
    MAX_CHARACTER,
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
    Measure,
    Neighbour,
    Place,
)
from utf8_abnf.conformance.harness.verdicts.units import LENGTH
from utf8_abnf.conformance.harness.verdicts.widening import alike

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from utf8_abnf.conformance.harness.verdicts.places import Condition
    from utf8_abnf.conformance.harness.verdicts.questions import Direction

SIZES = (
    2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64,
    65, 127, 128, 129, 255, 256, 257, 511, 512, 513, 1024, 4096,
)  # fmt: skip
FEW_SIZES = (2, 8, 16, 64, 256)
EVERY_CHARACTER = (*ASCII, *OTHERS)
FEW_OTHERS = (OTHERS[1], OTHERS[4], OTHERS[10])
FEW_CHARACTERS = (b"\0", b"\n", b'"', b"/", b"<", *FEW_OTHERS)  # where each needs a process
MAX_ROUNDS = 2
MAX_CONFIRMING = 4  # times that places by chance are asked
STRANGERS, FEW_STRANGERS = 1_000, 60  # blocks of characters of which one is asked beside the word
MAX_SIZE = 6  # bytes of a sequence, by the oldest definition of UTF-8
MAX_PERIOD = 260  # bytes of a block that is found from any of its lanes
MAX_PERIODS = 300  # at whose starts it is asked from which block on the word is judged wrongly
MAX_START = 6_000  # bytes before a word, up to which every offset is asked for larger blocks
MAX_CROSSING = 8  # offsets: twice the bytes of a character that crosses a border, for it begins before it
MAX_LENGTHS = 4  # of texts around the word in a case: at each of them its places are asked
MAX_BOUNDS = 3  # that are looked for when one number grows
MAX_BYTES = 512 << 20  # of the places that are asked: what is wrong only behind many MiB is asked at some dozens
MAX_BESIDE = 4  # characters on a side of a word in whose place others are asked
FAR = 1 << 20  # bytes before or after a word: from then on little is asked


class Probe:
    """The answers about *word* in text of *filler* characters: ``answers`` tell for each place if it is wrong there.

    Places are left out where *is_known* says that the whole is judged wrongly for a reason that is known.
    """

    def __init__(
        self, word: bytes, filler: bytes, direction: Direction, is_known: Callable[[bytes], bool] | None = None
    ) -> None:
        self.word = word
        self.filler = filler
        self._is_known = is_known
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
        return [answer for batch in batches(places) for answer in self._ask_batch(batch)]

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
            is_known = is_wrong and self._is_known is not None and self._is_known(place.around(self.word))
            if is_wrong is not None and taken.get(place) is not False and not is_known:
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
        self.ask(simpler for place in seen for simpler in simpler_places(place, self.filler))
        ends = {text for place in seen for side in place for text in (side[:MAX_CHARACTER], side[-MAX_CHARACTER:])}
        beside = {each for text in ends for each in characters(text)[:: max(1, len(characters(text)) - 1)]}
        self._characters = list(dict.fromkeys((*(FEW_CHARACTERS if self._few else EVERY_CHARACTER), *sorted(beside))))
        lengths = sorted({len(text) for place in seen for text in place}, reverse=True)
        longest = lengths[0] if lengths else 0
        far = longest > FAR
        self._few = self._few or far
        self._sizes = sorted(
            {
                0,
                1,
                *(FEW_SIZES if self._few else SIZES),
                *(each for length in lengths[:MAX_LENGTHS] for each in around(length)),
            }
        )
        self._vary(alone)
        self._vary(inside)
        if not self._few:
            for side, texts in ((AFTER, [each.before for each in seen]), (BEFORE, [each.after for each in seen])):
                self._suggest(contexts(self.ask, side, texts, self._characters, self.filler))
        self.ask(Place(each, other) for each in FEW_CHARACTERS for other in FEW_CHARACTERS)
        if self._is_known is not None:  # what is known here may take in a part of a character
            self.ask(Place(b"", count * self.filler + each) for count in range(MAX_SIZE) for each in FEW_OTHERS)
        done = {alone, inside}
        conditions = self.conditions()
        for _ in range(MAX_ROUNDS):
            found = self._unexplained or [place for place, is_wrong in self.answers.items() if is_wrong]
            chosen = min(found, key=lambda place: (place.size, place), default=alone)
            if chosen in done or conditions == EVERYWHERE or (far and conditions != UNKNOWN):
                break
            plain = plain_place(chosen, self.filler) if conditions == UNKNOWN else chosen
            places = [Place(x, y) for x in (plain.before, chosen.before) for y in (plain.after, chosen.after)]
            for place in dict.fromkeys(places):
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
        return self._confirmed(conditions, seen)

    def _confirmed(self, conditions: Conditions, seen: list[Place]) -> Conditions:
        """Return *conditions* if they hold at places made by chance as well, else others that do.

        ``UNKNOWN`` if none do.
        """
        if conditions == UNKNOWN and not self._few:
            conditions = self._with_more()
        for _ in range(MAX_CONFIRMING):
            if conditions == UNKNOWN:
                break
            near = [*seen, *self._shortest()]
            places = list(strangers(conditions, near, FEW_STRANGERS if self._few else STRANGERS))
            if not self._few:
                places += places_by_chance(conditions, near, self.filler)
            answers = zip(places, self.ask(places), strict=True)
            others = [place for place, found in answers if found is not None and self._differs(conditions, place)]
            if not others:
                break
            self._vary(min(others, key=lambda place: (place.size, place)))
            conditions = self._with_more()
        else:
            return UNKNOWN
        return conditions

    def _with_more(self) -> Conditions:
        """Ask for conditions that are seldom needed, about the shortest place where the word is judged wrongly."""
        for place in self._shortest():
            self._suggest(runs(self.ask, place, self._characters))
            self._suggest(self._alike(place))
        return self.conditions()

    def _alike(self, place: Place) -> Iterator[Neighbour]:
        """Ask which characters are like those beside the word at *place*, and yield what that suggests."""
        others = [chr(first).encode() for first, _ in blocks()]
        for side, text in ((AFTER, place.before), (BEFORE, place.after)):
            for each in [each for each in dict.fromkeys(characters(text)) if each != self.filler][:MAX_BESIDE]:
                first, _, rest = text.partition(each)
                around = Place(first, rest + self.word + place.after)
                if side == BEFORE:
                    around = Place(place.before + self.word + first, rest)
                patterns = alike(around, [each, *self._characters, *others], self._direction)
                for how in (DIRECTLY, ANYWHERE, OUTERMOST):
                    yield Neighbour(side, frozenset(), how, patterns=patterns)

    def _differs(self, conditions: Conditions, place: Place) -> bool:
        return self.answers[place] is not conditions.hold(place, self.word)

    def _shortest(self) -> list[Place]:
        """Return the shortest place at which the word is judged wrongly, in a list; an empty one if there is none."""
        wrong = [place for place, is_wrong in self.answers.items() if is_wrong]
        return [min(wrong, key=lambda place: (place.size, place))] if wrong else []

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
                {*self._sizes, *around(size // len(self.filler)), *(at // len(self.filler) for at in lanes)}
            )
            self._walk(Line(OFFSET, self.filler, b"", large), counts)
            self._walk(Line(REST, self.filler, b"", large), counts)
            for at in {low // len(self.filler) for low in lanes}:
                self._walk(Line(REST, self.filler, b"", self.filler * at), counts)  # it may be smaller
        return bool(sizes)

    def _walk_on(self) -> bool:
        """Ask at the offsets around the first one at which the word is judged wrongly, and look for blocks.

        Return whether anything was asked.
        """
        for filler in (self.filler, *FEW_OTHERS):  # what is counted may not be in the filler
            if wrong := [place for place, bad in self.answers.items() if bad and plain_place(place, filler) == place]:
                self._find_blocks(filler, min(wrong, key=lambda place: (len(place.before), len(place.after))))
                return True
        return False

    def _find_blocks(self, filler: bytes, first: Place) -> None:
        """Look for blocks in text of *filler*, in which *first* is the first place where the word is judged wrongly."""
        unit = len(filler)
        start = len(first.before) // unit
        spans = [range(max(0, start - 1), start + 2 * MAX_PERIOD // unit)]
        spans += [range(2 * start + MAX_CROSSING)] * (start <= MAX_START)  # a buffer's second border, or this is one
        for span in spans:
            if period := self._find_period(Line(OFFSET, filler, b"", first.after), span):
                if len(first.after) < period * unit:  # where the next block is whole as well
                    self._find_period(Line(OFFSET, filler, b"", filler * period), span)
                break

    def _find_period(self, line: Line, span: range) -> int:
        """Ask at the numbers of *span* along *line*, and return the length of a block in characters, 0 if it has none.

        The first of the blocks may begin later, so the last two tell their length.
        """
        answers = self.ask(map(line.place, span))
        begins = [number for number in range(1, len(span)) if answers[number] and not answers[number - 1]]
        if len(begins) < 2:
            return 0
        unit = len(line.filler)
        one, two = begins[-2:]
        period = two - one
        low = span[one] % period
        high = low + next(at for at in range(one, two) if not answers[at]) - one  # or it is not judged
        counts = {each: length(line.filler) for each, length in LENGTH.items()}
        self._suggest(Lane(period * n, low * n, high * n, unit=each) for each, n in counts.items() if n)
        self._walk(line, list(range(low, span[-1] + 1, period))[:MAX_PERIODS])  # from which block on?
        for begin in begins[:2] if line.filler == self.filler else ():
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
        self._suggest(neighbours(self.ask, place, self._characters, filler))
        stays = Place(before.replace(filler, b""), after.replace(filler, b""))
        for near in dict.fromkeys((Place(b"", b""), stays)):
            self._walk(Line(OFFSET, filler, near.before, after), self._sizes)
            self._walk(Line(REST, filler, near.after, before), self._sizes)
        first, last = characters(before[:MAX_CHARACTER])[:1], characters(after[-MAX_CHARACTER:])[-1:]
        for of, opposite, far in ((OFFSET, REST, first), (REST, OFFSET, last)):
            if far not in ([], [filler]):  # where the input begins or ends with this, how long need it be?
                self._walk(Line(of, filler, b"", b"", far[0]), self._sizes)
                self._walk(Line(opposite, filler, b"", far[0]), self._sizes)
        if not self._few or self._sizes[-1] > FEW_SIZES[-1]:  # do bytes count, or characters?
            longest = max(len(before), len(after), 3)
            for other in FEW_OTHERS:
                sizes = sorted({0, 1, *FEW_SIZES, *around(longest), *around(longest // len(other))})
                self._walk(Line(OFFSET, other, b"", after), sizes)
                self._walk(Line(REST, other, b"", before), sizes)
            two, three, _ = FEW_OTHERS  # with a three among the twos the number of their bytes is odd
            self._walk(Line(OFFSET, two, b"", after, three), sizes)
            self._walk(Line(REST, two, b"", before, three), sizes)

    def _suggest(self, conditions: Iterable[Condition]) -> None:
        self._suggested.update(dict.fromkeys(conditions))

    def _walk(self, line: Line, counts: list[int]) -> None:
        """Ask along *line*, and suggest a condition for each number from which on the answer is another one."""
        for bound in self._bounds(line, counts):
            self._suggest_bound(line, bound)

    def _bounds(self, line: Line, counts: list[int]) -> list[int]:
        """Ask along *line*; where the answer changes between two of *counts*, return the exact number."""
        found = [pair for pair in zip(counts, self.ask(map(line.place, counts)), strict=True) if pair[1] is not None]
        changes = [(low, high) for (low, one), (high, two) in pairwise(found) if one is not two]
        return [self._bound(line, low, high) for low, high in changes[:MAX_BOUNDS]]

    def _bound(self, line: Line, low: int, high: int) -> int:
        """Return the number in low + 1 .. high from which on the answer is another one than at *low*."""
        first = self.answers[line.place(low)]
        while high - low > 1:
            middle = (low + high) // 2
            (found,) = self.ask([line.place(middle)])
            if found is None:
                break
            low, high = (middle, high) if found is first else (low, middle)
        return high

    def _suggest_bound(self, line: Line, count: int) -> None:
        place = line.place(count)
        grown = place.before if line.of == OFFSET else place.after
        for of, text, own in ((line.of, grown, b""), (SIZE, place.around(self.word), self.word)):
            for at_least in (True, False):
                for unit, length in LENGTH.items():
                    bound = length(text)
                    if of == SIZE and not at_least and bound == length(own) + 1:
                        continue  # nothing but the word: that is the whole input
                    self._suggested[Measure(of, at_least, bound, unit)] = None

    def conditions(self) -> Conditions:
        """Return the simplest conditions that agree with all answers.

        ``UNKNOWN`` if there are none, or if the time for questions is over: then too few were asked.
        """
        is_over = self._direction.ask.is_over
        conditions, self._unexplained = conditions_of(self.answers, self.word, self._suggested, is_over)
        return conditions


def _is_window(conditions: Conditions) -> bool:
    """Tell whether *conditions* are fulfilled between two offsets only: one of the bounds may be the input's size."""
    return any(
        {each.at_least for each in choice if isinstance(each, Measure) and each.of != REST} == {True, False}
        for choice in conditions.choices
    )
