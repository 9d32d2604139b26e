"""Far: from which offset on a decoder accepts what is ill-formed, found with few questions, for each is long."""

from __future__ import annotations

from typing import TYPE_CHECKING

from utf8_abnf.conformance.harness.verdicts.causes import Cause
from utf8_abnf.conformance.harness.verdicts.common import ERRORS
from utf8_abnf.conformance.harness.verdicts.cutting import end_of_piece, first_ill_formed
from utf8_abnf.conformance.harness.verdicts.patterns import Pattern
from utf8_abnf.conformance.harness.verdicts.places import AT_END, NOT_AT_END, OFFSET, Conditions, Measure, Place
from utf8_abnf.conformance.suite.plan import plan
from utf8_abnf.validator.ill_formed import CODES

if TYPE_CHECKING:
    from collections.abc import Iterable

    from utf8_abnf.conformance.harness.verdicts.patterns import Bytes
    from utf8_abnf.conformance.harness.verdicts.questions import Direction

MIN_OFFSET = 1 << 18  # bytes before a fault: nearer ones are looked at in other ways
MAX_BYTES = 1 << 26  # in the questions about single bytes
AFTERS = AT_ITS_END, BEFORE_MORE = b"", b"a"
SIDES = {AFTERS: (), (AT_ITS_END,): (AT_END,), (BEFORE_MORE,): (NOT_AT_END,)}
HIGH = frozenset(range(0x80, 0x100))  # the bytes that no character of one byte has


def far_cause(data: bytes, case: str, direction: Direction) -> Cause | None:
    """Return the cause of a decoder that accepts the first fault of *data* from some offset on, or None.

    That is so for every byte of 80..FF, or else for the bytes of this fault. Where it accepts the fault only at the end
    of the input, it is so for the kinds of errors that it was seen to accept there.
    """
    start = first_ill_formed(data)
    if not direction.standard.is_utf8 or not direction.accepted or direction.ask.expensive or start < MIN_OFFSET:
        return None
    word = data[start : end_of_piece(data, start)]
    far = _Far(word, start, direction)
    if not far.afters or far.may_be_wrong([0, 1]):
        return None
    bound = far.bound(start)
    if far.may_be_wrong([bound - 1, bound // 2]) or not far.is_wrong_at([bound, bound + 1, (bound + start) // 2]):
        return None
    place = Place(b"a" * bound, far.afters[0])
    conditions = Conditions(((Measure(OFFSET, at_least=True, bound=bound), *SIDES[far.afters]),))
    if far.afters == (AT_ITS_END,):
        codes = _codes(place, conditions, direction)
        found = Cause([], conditions, place, word, case, codes=codes) if codes else None
    else:
        several = [bytes([byte]) for byte in sorted(HIGH)][:: 1 + bound * len(HIGH) // MAX_BYTES]
        is_any = all(direction.are_wrong([place.around(each) for each in several]))
        places: tuple[Bytes, ...] = (HIGH,) if is_any else tuple(frozenset([byte]) for byte in word)
        shown, asked = (b"\xff", len(several) / len(HIGH)) if is_any else (word, 1.0)
        found = Cause([Pattern(places)], conditions, place, shown, case, asked)
    return None if direction.ask.used_up else found


def _codes(place: Place, conditions: Conditions, direction: Direction) -> frozenset[str]:
    """Return the codes of the ``ERRORS`` that are judged as *conditions* say, at *place* at the end of the input.

    Those are all codes if all of these are: errors of some never stand at the end.
    """
    ends = [error[:size] for error in ERRORS for size in range(1, len(error) + 1)]
    agree: dict[str, bool] = {}
    for each, is_wrong in zip(ends, direction.are_wrong([place.around(each) for each in ends]), strict=True):
        found = plan().oracle.ill_formed(each)
        assert found is not None
        holds = conditions.hold(Place(place.before, each[found.length :]), each[: found.length])
        if holds or is_wrong:
            agree[found.code] = agree.get(found.code, True) and is_wrong is holds
    return frozenset(CODES) if all(agree.values()) else frozenset(code for code in agree if agree[code])


class _Far:
    """Asks about *word* behind so many letters, at the end of the input and before more of it.

    *afters* are those of the two that are judged wrongly behind *start* letters.
    """

    def __init__(self, word: bytes, start: int, direction: Direction) -> None:
        self._word = word
        self._direction = direction
        self.afters = self._wrong_at(start)

    def _wrong_at(self, offset: int) -> tuple[bytes, ...]:
        answers = self._direction.wrong_at(self._word, [Place(b"a" * offset, after) for after in AFTERS])
        return tuple(after for after, is_wrong in zip(AFTERS, answers, strict=True) if is_wrong)

    def may_be_wrong(self, offsets: Iterable[int]) -> bool:
        """Tell whether the word is judged wrongly at one of *offsets*, whatever follows."""
        return any(map(self._wrong_at, offsets))

    def is_wrong_at(self, offsets: Iterable[int]) -> bool:
        """Tell whether the word is judged at all of *offsets* as it is behind *start* letters."""
        return all(self._wrong_at(offset) == self.afters for offset in offsets)

    def bound(self, wrong: int) -> int:
        """Return the offset from which on the word is judged wrongly, as it is at *wrong*: a power of two is likely."""
        right, power = 0, 1 << (wrong.bit_length() - 1)
        for offset in (power, power - 1):
            right, wrong = (right, min(wrong, offset)) if self.is_wrong_at([offset]) else (max(right, offset), wrong)
        while wrong - right > 1:
            middle = (right + wrong) // 2
            right, wrong = (right, middle) if self.is_wrong_at([middle]) else (middle, wrong)
        return wrong
