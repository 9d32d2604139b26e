"""Far: from which offset on a decoder accepts what is ill-formed, found with few questions, for each is long."""

from __future__ import annotations

from typing import TYPE_CHECKING

from utf8_abnf.harness.causes import Cause
from utf8_abnf.harness.cutting import end_of_piece, first_ill_formed
from utf8_abnf.harness.patterns import Pattern
from utf8_abnf.harness.places import OFFSET, Conditions, Measure, Place

if TYPE_CHECKING:
    from collections.abc import Iterable

    from utf8_abnf.harness.patterns import Bytes
    from utf8_abnf.harness.questions import Direction

MIN_OFFSET = 1 << 18  # bytes before a fault: nearer ones are looked at in other ways
MAX_BYTES = 1 << 26  # in the questions about single bytes
HIGH = frozenset(range(0x80, 0x100))  # the bytes that no character of one byte has


def far_cause(data: bytes, case: str, direction: Direction) -> Cause | None:
    """Return the cause of a decoder that accepts the first fault of *data* from some offset on, or None.

    That is so for every byte of 80..FF, or else for the bytes of this fault.
    """
    start = first_ill_formed(data)
    if not direction.standard.is_utf8 or not direction.accepted or direction.ask.expensive or start < MIN_OFFSET:
        return None
    word = data[start : end_of_piece(data, start)]
    far = _Far(word, direction)
    if not far.is_wrong_at([start]) or any(far.are_wrong([0, 1])):
        return None
    bound = far.bound(start)
    if any(far.are_wrong([bound - 1, bound // 2])) or not far.is_wrong_at([bound, bound + 1, (bound + start) // 2]):
        return None
    place = Place(b"a" * bound, b"")
    several = [bytes([byte]) for byte in sorted(HIGH)][:: 1 + bound * len(HIGH) // MAX_BYTES]
    is_any = all(direction.are_wrong([place.around(each) for each in several]))
    places: tuple[Bytes, ...] = (HIGH,) if is_any else tuple(frozenset([byte]) for byte in word)
    conditions = Conditions(((Measure(OFFSET, at_least=True, bound=bound),),))
    shown, asked = (b"\xff", len(several) / len(HIGH)) if is_any else (word, 1.0)
    return None if direction.ask.used_up else Cause([Pattern(places)], conditions, place, shown, case, asked)


class _Far:
    """Asks about *word* behind so many letters, at the end of the input and before more of it."""

    def __init__(self, word: bytes, direction: Direction) -> None:
        self._word = word
        self._direction = direction

    def are_wrong(self, offsets: Iterable[int]) -> list[bool]:
        places = [Place(b"a" * offset, after) for offset in offsets for after in (b"", b"a")]
        return [each is True for each in self._direction.wrong_at(self._word, places)]

    def is_wrong_at(self, offsets: Iterable[int]) -> bool:
        return all(self.are_wrong(offsets))

    def bound(self, wrong: int) -> int:
        """Return the offset from which on the word is judged wrongly, as it is at *wrong*: a power of two is likely."""
        right, power = 0, 1 << (wrong.bit_length() - 1)
        for offset in (power, power - 1):
            right, wrong = (right, min(wrong, offset)) if self.is_wrong_at([offset]) else (max(right, offset), wrong)
        while wrong - right > 1:
            middle = (right + wrong) // 2
            right, wrong = (right, middle) if self.is_wrong_at([middle]) else (middle, wrong)
        return wrong
