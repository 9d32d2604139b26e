"""Error counts: whether a decoder accepts ill-formed input only because of the number of errors in it, and which."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from utf8_abnf.harness.causes import Cause
from utf8_abnf.harness.places import ERROR_UNITS, Conditions, ErrorCount, Place
from utf8_abnf.harness.replacing import count_units

if TYPE_CHECKING:
    from collections.abc import Sequence

    from utf8_abnf.harness.questions import Direction

MIN_ERRORS = 3  # of an input that is looked at: two may cancel each other, whatever their number
MAX_ASKED = 600  # numbers of errors that are all asked: two periods of a counter of a byte
ONE_ERROR = b"\xff"  # in every way of counting
KINDS = (b"\xff", b"a\xff", b"\x80", b"\xc0\xaf", b"\xe2\x82a", b"\xed\xa0\x80", b"\xf0\x9f\x98a")


class ErrorCounts:
    """Finds the cause of a decoder that counts errors; the numbers up to ``MAX_ASKED`` are asked once."""

    def __init__(self, direction: Direction) -> None:
        self._direction = direction
        self._asked: list[int] = []

    def cause(self, data: bytes, case: str) -> Cause | None:
        """Return the cause that explains *data*, and all input with as many errors of whatever kind; None if none does.

        *data* is accepted wrongly. Nothing is asked where each question needs a process.
        """
        direction = self._direction
        if not direction.accepted or not direction.standard.is_utf8 or direction.ask.expensive:
            return None
        counts = {unit: count_units(unit, data) for unit in ERROR_UNITS}
        if max(counts.values()) < MIN_ERRORS:
            return None
        for unit, count in counts.items():
            for low, high, period in self._ranges(count):
                found = ErrorCount(unit, low, high, period)
                if found.holds_for(count) and self._is_right(found):
                    return Cause([], Conditions(((found,),)), Place(b"", b""), ONE_ERROR * low, case, any_word=True)
        return None

    def _accepted(self, counts: Sequence[int]) -> list[bool]:
        return self._direction.are_wrong([ONE_ERROR * count for count in counts])

    def _ranges(self, count: int) -> list[tuple[int, int, int]]:
        """Return the numbers of errors that may be what the decoder accepts: low, high and period."""
        self._asked = self._asked or [
            number for number, wrong in enumerate(self._accepted(range(1, MAX_ASKED + 1)), 1) if wrong
        ]
        asked = self._asked
        if not asked:
            return self._far_ranges(count)
        if asked[0] == 1:  # then the number is not the reason
            return []
        begins = [asked[0], *(two for one, two in pairwise(asked) if two - one > 1)]
        ends = [one + 1 for one, two in pairwise(asked) if two - one > 1]
        if not ends:
            return [(asked[0], 0 if asked[-1] == MAX_ASKED else asked[-1] + 1, 0)]
        period = begins[1] - begins[0]
        return [(begins[0], ends[0], period)] if begins[0] <= period >= ends[0] - 1 else []

    def _far_ranges(self, count: int) -> list[tuple[int, int, int]]:
        """Return the same for *count* errors, which are more than those that are all asked."""
        low, high = MAX_ASKED, count
        if high <= low or not all(self._accepted([high])):
            return []
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if all(self._accepted([middle])) else (middle, high)
        after, far, twice = self._accepted([high + 1, 2 * high - 1, 2 * high])
        if after and far:
            return [(high, 0, 0)]
        return [] if after else [(high, high + 1, high if twice and not far else 0)]

    def _is_right(self, found: ErrorCount) -> bool:
        """Tell whether the decoder accepts input of each of ``KINDS`` just where *found* holds."""
        steps = {found.low // 3, found.low // 2, found.low, found.high or found.low + 1, found.low + found.period}
        counts = sorted({count + step for count in steps for step in (-1, 0, 1) if count + step > 0})
        words = [kind * count for kind in KINDS for count in counts]
        expected = [found.holds(Place(b"", b""), word) for word in words]
        return self._direction.are_wrong(words) == expected
