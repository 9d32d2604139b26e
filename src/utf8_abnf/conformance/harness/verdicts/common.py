"""Common causes: errors of several kinds that a decoder passes over for one reason, which is where they stand.

An error of one byte is asked at many places, and the conditions come out. Where errors have more bytes these may be
about their start, their end or their first wrong byte: errors of all kinds are asked around the bounds, and the
conditions that agree with the most kinds are taken. Other words of these kinds are asked last.
"""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

from utf8_abnf.conformance.harness.standard import well_formed
from utf8_abnf.conformance.harness.verdicts.causes import Cause, Causes
from utf8_abnf.conformance.harness.verdicts.cutting import end_of_piece, first_ill_formed
from utf8_abnf.conformance.harness.verdicts.patterns import Pattern
from utf8_abnf.conformance.harness.verdicts.places import (
    AT_END,
    AT_START,
    END,
    EVERYWHERE,
    FOUND,
    LAST,
    OFFSET,
    REST,
    SIZE,
    UNKNOWN,
    Conditions,
    Crossing,
    Lane,
    Leftover,
    Measure,
    Place,
)
from utf8_abnf.conformance.harness.verdicts.probing import FAR, Probe
from utf8_abnf.conformance.harness.verdicts.units import BYTES
from utf8_abnf.conformance.suite.plan import plan
from utf8_abnf.validator.ill_formed import TRUNCATED

if TYPE_CHECKING:
    from collections.abc import Iterator

    from utf8_abnf.conformance.harness.verdicts.places import Condition
    from utf8_abnf.conformance.harness.verdicts.questions import Direction

# Errors of every kind and length; the shorter come first, for what is found out with one of them.
ERRORS = (
    *(b"\xff", b"\x80", b"\xc3", b"\xc0\xaf", b"\xe2\x82", b"\xed\xa0", b"\xf4\x90", b"\xe0\x80\xaf"),
    *(b"\xed\xa0\x80", b"\xf0\x9f\x98", b"\xf0\x80\x80\xaf", b"\xf4\x90\x80\x80", b"\xf5\x80\x80\x80"),
)
SHIFTS = (0, *(sign * by for by in (1, 2, 3, 4) for sign in (-1, 1)))
MAX_NEAR = 6  # places on either side of a bound at which every error is asked
MAX_MORE = 4  # bytes behind an offset that may be what is left of the input
MIN_ERRORS = 2  # that one cause takes in: of one alone its bytes say more
FRESH = 240  # errors that are made by chance, and asked


class _Spot(NamedTuple):
    """An error of *code* at a place: its maximal subpart is *word*. *error* is the one of ``ERRORS``, or another."""

    error: bytes
    code: str
    place: Place
    word: bytes

    @property
    def data(self) -> bytes:
        return self.place.around(self.word)


class CommonCauses:
    """Finds what errors of several kinds that are wrongly accepted have in common."""

    def __init__(self, direction: Direction, filler: bytes) -> None:
        self._direction = direction
        self._filler = filler
        self._in_vain: set[tuple[bytes, tuple[Place, ...]]] = set()

    def cause(self, data: bytes, case: str, causes: Causes) -> Cause | None:
        """Return the cause that takes in the first error of *data* that *causes* leave, and errors of other kinds.

        None if there is none, or if the bytes 80..FF say the same. Nothing is asked where each question needs a
        process.
        """
        direction = self._direction
        if not direction.accepted or not direction.standard.is_utf8 or direction.ask.expensive:
            return None
        stuck = causes.read(data)[1]
        start = stuck[-1] if stuck else first_ill_formed(data)
        if start >= len(data) or len(data) > FAR:
            return None
        seen = self._seen(data, start)
        if len({spot.error for spot in seen}) < MIN_ERRORS or {spot.code for spot in seen} == {TRUNCATED}:
            return None  # the place of what is cut off is the end, and its first bytes say more
        first = min(seen, key=lambda spot: ERRORS.index(spot.error))
        places = tuple(spot.place for spot in seen if spot.error == first.error)
        if (first.word, places) in self._in_vain:
            return None
        cause = self._probed(first.word, places, case)
        if cause is None:
            self._in_vain.add((first.word, places))
        return cause

    def _probed(self, word: bytes, places: tuple[Place, ...], case: str) -> Cause | None:
        """Return the cause of all errors that are judged wrongly where *word* is, as it is at *places*, or None."""
        direction = self._direction
        probe = Probe(word, self._filler, direction)
        found = probe.ask_everything(places)
        if found in (EVERYWHERE, UNKNOWN) or not all(_is_number(each) for choice in found.choices for each in choice):
            return None
        spots = list(self._around(probe, found))
        answers = dict(zip(spots, self._wrong(spots), strict=True))
        conditions = _best(found, answers)
        failing = _failing(answers, conditions)
        failing |= self._strangers(answers, conditions, failing)
        wrong = [spot for spot, is_wrong in answers.items() if is_wrong and spot.code not in failing]
        if direction.ask.used_up or len({spot.error for spot in wrong}) < MIN_ERRORS or _are_bytes(found, answers):
            return None
        codes = frozenset(spot.code for spot in wrong)
        if codes == {TRUNCATED}:
            return None
        shortest = min(wrong, key=lambda spot: (len(spot.data), spot.data))
        return Cause([], conditions, shortest.place, shortest.word, case, codes=codes)

    def _wrong(self, spots: list[_Spot]) -> list[bool]:
        return self._direction.are_wrong([spot.data for spot in spots])

    def _seen(self, data: bytes, start: int) -> list[_Spot]:
        """Return the spots of ``ERRORS`` like the error at *start* of *data* that are judged wrongly as well."""
        end = end_of_piece(data, start)
        before, after = data[:start], data[end:]
        plain = Place(len(before) * self._filler[:1], len(after) * self._filler[:1])
        kept = [Place(before, after)] if well_formed(before) and well_formed(after) else []
        spots = [
            spot
            for place in ([plain] if self._filler < b"\x80" else []) + kept
            for error in ERRORS
            for shift in SHIFTS
            for spot in self._moved(place, end - start, error, shift)
        ]
        return [spot for spot, is_wrong in zip(spots, self._wrong(spots), strict=True) if is_wrong]

    def _moved(self, place: Place, size: int, error: bytes, shift: int) -> Iterator[_Spot]:
        """Yield *error* in place of *size* bytes at *place*, so many bytes nearer to the start.

        The input keeps its size once, and once what stands after the error.
        """
        before, after = place
        if (shift > 0 and not before[:shift].isascii()) or (shift < 0 and not self._filler.isascii()):
            return
        before = before[shift:] if shift > 0 else self._filler * -shift + before
        need = place.size + size - len(before) - len(error)
        yield from _spots(before, error, after)
        if need >= 0:
            yield from _spots(before, error, after[:need] + self._filler * (need - len(after)))

    def _around(self, probe: Probe, conditions: Conditions) -> Iterator[_Spot]:
        """Yield errors of all kinds around the bounds of *conditions*, and a few bytes to both sides of these."""
        known = {}
        for is_wrong in (True, False):
            for place in _nearest(probe, conditions, is_wrong=is_wrong):
                for error, shift in product(ERRORS, SHIFTS):
                    known.update(dict.fromkeys(self._moved(place, len(probe.word), error, shift)))
        yield from known

    def _strangers(self, answers: dict[_Spot, bool], conditions: Conditions, failing: set[str]) -> set[str]:
        """Return the codes of which an error made by chance is not judged as *conditions* say."""
        wrong = min((s for s, bad in answers.items() if bad and s.code not in failing), key=_size, default=None)
        right = min((s for s, bad in answers.items() if not bad and s.code not in failing), key=_size, default=None)
        chance = random.Random(3629)  # noqa: S311
        spots = []
        for spot in filter(None, (wrong, right)):
            for _ in range(FRESH):
                error = bytes(
                    [chance.randrange(0x80, 0x100), *chance.choices(range(0x80, 0xC0), k=chance.randrange(4))]
                )
                spots += list(self._moved(spot.place, len(spot.word), error, 0))
        spots = [spot for spot in spots if spot.code not in failing]
        return {
            spot.code
            for spot, is_wrong in zip(spots, self._wrong(spots), strict=True)
            if is_wrong is not conditions.hold(spot.place, spot.word)
        }


def _is_number(condition: Condition) -> bool:
    """Tell whether *condition* is about offsets or sizes, other than the start and the end of the input.

    What stands beside an error, or that nothing does, is better said of its bytes.
    """
    return isinstance(condition, Measure | Lane | Crossing | Leftover) and condition not in (AT_START, AT_END)


def _size(spot: _Spot) -> tuple[int, bytes]:
    return len(spot.data), spot.data


def _spots(before: bytes, error: bytes, after: bytes) -> Iterator[_Spot]:
    """Yield the spot of *error* between *before* and *after*, unless these are parts of it."""
    if end_of_piece(error + after, 0) != len(error) or not well_formed(before + after):
        return
    found = plan().oracle.ill_formed(error + after[:1])
    if found is not None and found.start == 0:
        word = error[: found.length]
        yield _Spot(error, found.code, Place(before, error[found.length :] + after), word)


def _nearest(probe: Probe, conditions: Conditions, *, is_wrong: bool) -> Iterator[Place]:
    """Yield a few places where the word of *probe* is judged so: the shortest, also at the end, and near each bound."""
    places = sorted(
        (place for place, answer in probe.answers.items() if answer is is_wrong), key=lambda each: each.size
    )
    yield from places[:MAX_NEAR]
    yield from [place for place in places if not place.after][:MAX_NEAR]
    for bound in (each for choice in conditions.choices for each in choice if isinstance(each, Measure)):
        places.sort(key=lambda place: (abs(bound.number(place, probe.word) - bound.bound), place.size))
        yield from places[:MAX_NEAR]


def _best(found: Conditions, answers: dict[_Spot, bool]) -> Conditions:
    """Return those of the variants of *found* that the fewest kinds of errors contradict, the first of them."""
    best, fewest = found, len(ERRORS)
    for each in _variants(found):
        failing = len(_failing(answers, each))
        if failing < fewest:
            best, fewest = each, failing
        if not failing:
            break
    return best


def _variants(conditions: Conditions) -> Iterator[Conditions]:
    """Yield *conditions*, and those that say the same of an error of one byte at the end of the input."""
    options = [[list(_alike(each)) for each in choice] for choice in conditions.choices]
    for chosen in product(*(product(*choice) for choice in options)):
        yield Conditions(tuple(chosen))


def _alike(condition: Condition) -> Iterator[Condition]:
    yield condition
    if isinstance(condition, Measure) and condition.unit == BYTES:
        if condition.of == OFFSET:
            yield replace(condition, of=FOUND)
            yield replace(condition, of=END, bound=condition.bound + 1)
            yield from (replace(condition, of=SIZE, bound=condition.bound + more) for more in range(1, MAX_MORE + 1))
        elif condition.of == REST:
            yield replace(condition, of=LAST, bound=condition.bound + 1)
    if isinstance(condition, Lane) and (condition.of, condition.unit) == (OFFSET, BYTES):
        yield replace(condition, of=FOUND)
        yield replace(condition, of=END, low=condition.low + 1, high=condition.high + 1)
        if condition.high - condition.low == 1 and condition.high % condition.period == 0:
            yield Crossing(condition.period)


def _failing(answers: dict[_Spot, bool], conditions: Conditions) -> set[str]:
    """Return the codes of errors that are not judged as *conditions* say."""
    return {spot.code for spot, is_wrong in answers.items() if conditions.hold(spot.place, spot.word) is not is_wrong}


def _are_bytes(conditions: Conditions, answers: dict[_Spot, bool]) -> bool:
    """Tell whether a decoder that accepts each of the bytes 80..FF where *conditions* hold gives all *answers*."""
    known = Causes(accepted=True, whole=False)
    high = frozenset(range(0x80, 0x100))
    known.add(Cause([Pattern((high,))], conditions, Place(b"", b""), b"\xff", ""))
    return all((known.explaining(spot.data) is not None) is is_wrong for spot, is_wrong in answers.items())
