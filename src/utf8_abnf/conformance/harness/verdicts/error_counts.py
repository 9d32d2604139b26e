"""Error counts: whether a decoder accepts ill-formed input only because of the number of errors in it, and which."""

from __future__ import annotations

from itertools import chain, cycle, islice, pairwise
from typing import TYPE_CHECKING

from utf8_abnf.conformance.harness.replacing import count_units
from utf8_abnf.conformance.harness.verdicts.causes import Cause
from utf8_abnf.conformance.harness.verdicts.cutting import ill_formed_pieces
from utf8_abnf.conformance.harness.verdicts.error_count import ERROR_UNITS, ErrorCount
from utf8_abnf.conformance.harness.verdicts.places import OTHERS, Conditions, Place
from utf8_abnf.conformance.suite.plan import plan
from utf8_abnf.validator.ill_formed import LONE_TAIL, MISSING_TAIL, OVERLONG, SURROGATE, TOO_LARGE

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from utf8_abnf.conformance.harness.replacing import Policy
    from utf8_abnf.conformance.harness.verdicts.questions import Direction

MIN_ERRORS = 2  # of an input that is looked at
FEW = 4  # texts of characters of all lengths behind which errors are asked
MAX_ASKED = 600  # numbers of errors that are all asked: two periods of a counter of a byte
MAX_APART = 260  # bytes between two errors that are all asked
FAR_APART = 1_500
MIN_APART = 8  # the same for errors by the thousand, which are spread over
MAX_SPREAD = 1 << 19  # so many bytes
KINDS = {  # errors of each code; the first has one error in every way of counting
    "": (b"\xff", b"a\xff", b"\x80", b"\xc0\xaf", b"\xe2\x82a", b"\xed\xa0\x80", b"\xf0\x9f\x98a"),
    LONE_TAIL: (b"\x80", b"a\x80", b"\xbf", b"ab\xa0"),
    OVERLONG: (b"\xc0a", b"\xc1", b"\xc0\xaf", b"\xe0\x80\xaf", b"\xf0\x80\x80\x80a"),
    SURROGATE: (b"\xed\xa0\x80", b"a\xed\xbf\xbf", b"\xed\xaf\x80ab"),
    TOO_LARGE: (b"\xff", b"a\xff", b"\xf5\x80\x80\x80", b"\xf4\x90\x80\x80a"),
    MISSING_TAIL: (b"\xc3a", b"\xe2\x82a", b"a\xf0\x9f\x98a", b"\xe2ab"),
}


class ErrorCounts:
    """Finds the cause of a decoder that counts errors; the numbers up to ``MAX_ASKED`` are asked once.

    If it replaces them by the marks of a *policy*, those in a row may be what it counts.
    """

    def __init__(self, direction: Direction, policy: Policy | None = None) -> None:
        self._direction = direction
        self._ways = [*((unit, b"") for unit in ERROR_UNITS), *([(policy.unit, policy.mark)] if policy else [])]
        self._known: dict[bytes, list[int]] = {}  # the numbers of a kind of errors that are accepted

    def cause(self, data: bytes, case: str) -> Cause | None:
        """Return the cause that explains *data*, and all input with as many errors of whatever kind; None if none does.

        *data* is accepted wrongly. If the errors are of one code, others need not be accepted. Nothing is asked where
        each question needs a process.
        """
        direction = self._direction
        if not direction.accepted or not direction.standard.is_utf8 or direction.ask.expensive:
            return None
        counts = {way: count_units(way[0], data) for way in self._ways}
        if max(counts.values()) < MIN_ERRORS:
            return None
        errors = [plan().oracle.ill_formed(data[start : end + 1]) for start, end in ill_formed_pieces(data)]
        codes = {error.code for error in errors[:MAX_APART] if error}
        for code in ["", *codes] if len(codes) == 1 else [""]:
            kinds = KINDS.get(code, ())
            for error, apart in self._spaced(kinds[0]) if kinds else ():
                for (unit, mark), count in counts.items():
                    for low, high, period in self._ranges(error, count):
                        found = ErrorCount(unit, low, high, period, apart, code, mark)
                        if found.holds(Place(b"", b""), data) and self._is_right(found, kinds):
                            shown = error * low
                            return Cause([], Conditions(((found,),)), Place(b"", b""), shown, case, any_word=True)
        return None

    def _accepted(self, error: bytes, counts: Sequence[int]) -> list[bool]:
        return self._direction.are_wrong([error * count for count in counts])

    def _spaced(self, error: bytes) -> Iterator[tuple[bytes, tuple[int, int] | None]]:
        """Yield *error* with letters behind it, if two have to stand apart, and the distances of their starts."""
        pairs = [error + b"a" * more + error for more in (*range(MAX_APART), FAR_APART)]
        wrong = [more for more, is_wrong in enumerate(self._direction.are_wrong(pairs)) if is_wrong]
        if not wrong or len(wrong) == len(pairs):
            yield error, None
        elif wrong[-1] < MAX_APART and wrong[-1] - wrong[0] + 1 == len(wrong):
            yield error + b"a" * wrong[0], (len(error) + wrong[0], len(error) + wrong[-1])

    def _ranges(self, error: bytes, count: int) -> list[tuple[int, int, int]]:
        """Return the numbers of errors that may be what the decoder accepts: low, high and period."""
        if error not in self._known:
            answers = self._accepted(error, range(1, MAX_ASKED + 1))
            self._known[error] = [number for number, wrong in enumerate(answers, 1) if wrong]
        asked = self._known[error]
        if not asked:
            return self._far_ranges(error, count)
        if asked[0] == 1:  # then the number is not the reason
            return []
        begins = [asked[0], *(two for one, two in pairwise(asked) if two - one > 1)]
        ends = [one + 1 for one, two in pairwise(asked) if two - one > 1]
        if not ends:
            return [(asked[0], 0 if asked[-1] == MAX_ASKED else asked[-1] + 1, 0)]
        period = begins[1] - begins[0]
        return [(begins[0], ends[0], period)] if begins[0] <= period >= ends[0] - 1 else []

    def _far_ranges(self, error: bytes, count: int) -> list[tuple[int, int, int]]:
        """Return the same for *count* errors, which are more than those that are all asked."""
        low, high = MAX_ASKED, count
        if high <= low or not all(self._accepted(error, [high])):
            return []
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if all(self._accepted(error, [middle])) else (middle, high)
        after, far, twice = self._accepted(error, [high + 1, 2 * high - 1, 2 * high])
        if after and far:
            return [(high, 0, 0)]
        return [] if after else [(high, high + 1, high if twice and not far else 0)]

    def _is_right(self, found: ErrorCount, kinds: Sequence[bytes]) -> bool:
        """Tell whether the decoder accepts input where *found* holds: errors of each of *kinds* and of all.

        One kind at a time is not enough: a decoder may take two errors that are alike for none.
        """
        steps = {found.low // 3, found.low // 2, found.low, found.high or found.low + 1, found.low + found.period}
        counts = sorted({count + step for count in steps for step in (-1, 0, 1) if count + step > 0})
        some_apart = max(MIN_APART, min(FAR_APART // 10, MAX_SPREAD // found.low))
        far = [size for size in found.apart or (some_apart,) for size in (size - 1, size, size + 1)]
        spaced = [[kind.ljust(size, b"a") for kind in kinds] for size in (0, *far)]
        mixed = (b"".join(islice(cycle(reversed(each)), count)) for each in spaced for count in counts)
        beside = (b"".join(OTHERS[: -1 - at]) + kinds[0] * count for at in range(FEW) for count in counts)
        alike = (kind * count for each in spaced for kind in dict.fromkeys(each) for count in counts)
        words = chain(mixed, beside, alike)
        # One after the other: tens of thousands of errors are megabytes, and to count them takes long.
        return all(self._direction.ask([word]) == [found.holds(Place(b"", b""), word)] for word in words)
