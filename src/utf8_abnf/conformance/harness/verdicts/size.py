"""Size: whether a decoder is wrong about all texts of some sizes, whatever is in them, and which sizes these are."""

from __future__ import annotations

from functools import partial
from itertools import count
from typing import TYPE_CHECKING

from utf8_abnf.conformance.harness.verdicts.causes import Cause
from utf8_abnf.conformance.harness.verdicts.places import (
    ASCII,
    OTHERS,
    SIZE,
    Conditions,
    Lane,
    Measure,
    Place,
)
from utf8_abnf.conformance.harness.verdicts.units import BYTES, LENGTH

if TYPE_CHECKING:
    from collections.abc import Iterable

    from utf8_abnf.conformance.harness.verdicts.places import Conjunction
    from utf8_abnf.conformance.harness.verdicts.questions import Direction

FILLERS = (b"a", OTHERS[1], OTHERS[4], OTHERS[10])  # one of each length
FAULTS = (b"\xff", b"\x80", b"\xc0\xaf", b"\xed\xa0\x80", b"\xf0\x9f\x98a")  # some that are judged by different rules
SIGNS = [bytes([byte]) for byte in b"\0\t\n\r ,;:./<>\"'&#"]  # what text of many bytes is asked with
MAX_VARIED = 1 << 16  # bytes of text that is asked with each ASCII character
MAX_PERIOD = 300  # sizes after a wrong one, among which the next one is looked for
MAX_INSIDE = 600  # sizes between two borders that are all asked; of more of them some are
FEW_INSIDE = 8  # where each question needs a process,
FEWER_STEPS = 16  # times that each step to a border is larger than the one before
MAX_BYTES_INSIDE = 1 << 24
MAX_BEYOND = 1 << 17  # sizes above a wrong one, or as many again if that is more, up to which a border is looked for,
MAX_FAR_BEYOND = 1 << 20  # and never more
MAX_ROUNDS = 3


def size_cause(data: bytes, case: str, direction: Direction) -> Cause | None:
    """Return the cause of a decoder that is wrong about all text of as many bytes or characters as *data*, or None.

    Such a decoder rejects all well-formed text of some sizes, or accepts all that is ill-formed.
    """
    words = FAULTS if direction.accepted else FILLERS
    is_short = direction.accepted and len(data) < max(map(len, words))
    if not direction.standard.is_utf8 or is_short or any(direction.are_wrong(list(words))):
        return None  # it may be these words that are judged wrongly, whatever the size
    units = [BYTES] if direction.accepted else [*LENGTH]
    for unit in units:
        sizes = Sizes(unit, direction)
        number = LENGTH[unit](data)
        found = sizes.conditions(number) if number else None
        if found and not direction.ask.used_up:
            conditions = Conditions((found,))
            least = max((each.bound for each in found if isinstance(each, Measure) and each.at_least), default=1)
            first = next(size for size in count(least) if conditions.hold(Place(b"", b""), sizes.text(size)))
            return Cause([], conditions, Place(b"", b""), sizes.text(first), case, any_word=True)
    return None


class Sizes:
    """Asks about texts of some sizes, which are numbers of a *unit*."""

    def __init__(self, unit: str, direction: Direction) -> None:
        self._unit = unit
        self._direction = direction
        self._kinds = 3 * len(FAULTS) if direction.accepted else len(FILLERS)
        self._least = max(map(len, FAULTS)) if direction.accepted else 0  # the smallest size that can be asked

    def text(self, size: int, kind: int = 0) -> bytes:
        """Return a text of *size*; a *kind* is a filler, or a fault at the start, in the middle or at the end."""
        if self._direction.accepted:
            fault, room = FAULTS[kind // 3], size - len(FAULTS[kind // 3])
            before = (0, room // 2, room)[kind % 3]
            return b"a" * before + fault + b"a" * (room - before)
        each = FILLERS[kind]
        own = LENGTH[self._unit](each)
        return b"a" * (size % own) + each * (size // own)

    def _varied(self, size: int, character: bytes) -> bytes:
        """Return a text of *size* in which *character* stands again and again, before the fault if there is one."""
        fault = FAULTS[0] if self._direction.accepted else b""
        piece = 9 * b"a" + character
        each, rest = LENGTH[self._unit](piece), size - len(fault)
        return piece * (rest // each) + b"a" * (rest % each) + fault

    def _enclosed(self, size: int, character: bytes) -> bytes:
        """Return a text of *size* that begins and ends with *character*."""
        rest = size - 2 * LENGTH[self._unit](character)
        return character + self.text(rest) + character if rest > self._least else self._varied(size, character)

    def _wrong(self, sizes: Iterable[int], kinds: int = 1) -> list[bool]:
        """Tell whether the texts of *sizes*, of so many *kinds* each, are judged wrongly."""
        return self._direction.are_wrong([self.text(size, kind) for size in sizes for kind in range(kinds)])

    def conditions(self, size: int) -> Conjunction | None:
        """Return the conditions under which every text is judged wrongly: those of *size* are among them, or None."""
        if not all(self._wrong([size], self._kinds)):
            return None
        low = self._border(size, -1) or 0
        if self._direction.ask.expensive and not all(self._wrong([low], self._kinds)):
            return None
        high = self._border(size, 1)
        for _ in range(MAX_ROUNDS):
            inside = self._inside(low, high)
            right = [each for each, is_wrong in zip(inside, self._wrong(inside), strict=True) if not is_wrong]
            if not right:
                break
            low = max([low, *(self._between(each, size) for each in right if each < size)])
            above = [self._between(each, size) for each in right if each > size]
            high = min(above) if above else high
        outside = [each for each in (low - 1, high) if each and each > self._least]
        edges = [low] if high is None else [low, high - 1]
        if right or low <= self._least or not all(self._wrong(edges, self._kinds)):
            return None
        if any(self._wrong(outside, self._kinds)):
            return None
        if not self._direction.ask.expensive and not self._is_whatever_stands_in_it(edges):
            return None
        least = Measure(SIZE, at_least=True, bound=low, unit=self._unit)
        if high is None:
            return (least,)
        most = Measure(SIZE, at_least=False, bound=high, unit=self._unit)
        return self._periodic(low, high) or (least, most)

    def _is_whatever_stands_in_it(self, sizes: list[int]) -> bool:
        """Tell whether texts of *sizes* are judged wrongly with each ASCII character in them and at their ends."""
        known = ASCII if max(sizes) <= MAX_VARIED else SIGNS
        forms = (form for size in sizes for form in (partial(self._varied, size), partial(self._enclosed, size)))
        return all(all(self._direction.are_wrong(list(map(form, known)))) for form in forms)

    def _border(self, size: int, step: int) -> int | None:
        """Return the first size around *size* that is judged wrongly or, if *step* is 1, the first one behind them.

        None if there is none.
        """
        most = size + min(max(size, MAX_BEYOND), MAX_FAR_BEYOND)
        wrong, distance = size, 1
        while self._least < wrong < most:
            other = max(self._least, min(size + step * distance, most))
            if not all(self._wrong([other])):
                return self._between(other, wrong)
            wrong, distance = other, (FEWER_STEPS if self._direction.ask.expensive else 4) * distance
        return None

    def _between(self, right: int, wrong: int) -> int:
        """Return the border between a size that is judged rightly and one that is not: what is first beyond it."""
        while abs(wrong - right) > 1:
            middle = (wrong + right) // 2
            right, wrong = (right, middle) if all(self._wrong([middle])) else (middle, wrong)
        return max(right, wrong)

    def _inside(self, low: int, high: int | None) -> list[int]:
        last = low + MAX_INSIDE if high is None else high
        most = min(MAX_INSIDE, MAX_BYTES_INSIDE // max(1, len(self.text(last))))
        few = FEW_INSIDE if self._direction.ask.expensive else max(1, most)
        return list(range(low, last, -(-(last - low) // few)))

    def _periodic(self, low: int, high: int) -> Conjunction | None:
        """Return the conditions of a decoder that is wrong about *low* .. *high* - 1 modulo a number, or None."""
        if self._direction.ask.expensive or self._direction.ask.used_up:
            return None
        following = range(high + 1, low + MAX_PERIOD)
        period = next((each - low for each in following if all(self._wrong([each]))), 0)
        starts = [low + factor * period for factor in (1, 2, 3)]
        width = high - low
        if not period or not all(self._wrong([start + more for start in starts for more in (0, width - 1)])):
            return None
        if any(self._wrong([start + more for start in starts for more in (-1, width)])):
            return None
        first = low
        while first > period and all(self._wrong([first - period, first - period + width - 1])):
            first -= period
        more = (Measure(SIZE, at_least=True, bound=first, unit=self._unit),) * (first >= max(period, 2))
        return (Lane(period, first % period, first % period + width, SIZE, self._unit), *more)
