"""Finds borders: one wrong word goes in, and the length or period at which the answers of the decoder change comes out.

An automaton of few states gives the same answer to ``61×n FF`` for every n that is not small. A decoder that looks at
lengths or at offsets does not. ``border_of`` takes one word with a run of text, as ``shrink`` leaves it, and finds what
is counted, and from which number on, or with which period.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING

from utf8_abnf.conformance.learning.shrink import PIECE

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Shows = Callable[[Sequence[bytes]], Sequence[bool]]  # for each word whether its verdict is that of the first one

MIN_RUN = 8  # bytes of text: fewer are a context, which an automaton has states for
RUN = re.compile(rb"(?:a{%d,})" % MIN_RUN)
NEAR = 8  # counts around a border that are asked
PERIODS = tuple(1 << power for power in range(6, 18))
MANY = 200  # counts, from one on, that are tried as a period
BEFORE, AFTER, SIZE = "before", "after", "size"
PHRASES = {
    BEFORE: ("only after {n:,} {unit} or more", "only after fewer than {n:,} {unit}"),
    AFTER: ("only before {n:,} {unit} or more", "only before fewer than {n:,} {unit}"),
    SIZE: ("only in input of {n:,} {unit} or more", "only in input of fewer than {n:,} {unit}"),
}


@dataclass(frozen=True, slots=True)
class Border:
    """A decoder judges ``61×n core``, or where *axis* is ``after`` ``core 61×n``, in another way from *number* on.

    If there is a *period*, only where n and *number* are the same modulo it. *unit* is what it counts; *number* counts
    what is before the core, after it, or all of the input.
    """

    core: bytes
    axis: str
    number: int
    unit: str = "bytes"
    period: int = 0

    @property
    def pad(self) -> bytes:
        """Text so long that what comes after it (or before it, where *axis* is ``after``) is beyond the border."""
        return b"a" * self.number

    @property
    def phrase(self) -> str:
        """Where the decoder judges so as it does beyond the border."""
        if self.period:
            side = "before" if self.axis == AFTER else "after"
            return f"only {side} text of {self.number:,} {self.unit}, modulo {self.period:,}"
        return PHRASES[self.axis][0].format(n=self.number, unit=self.unit)

    @property
    def phrase_before(self) -> str:
        """Where it judges so as it does before the border."""
        return PHRASES[self.axis][1].format(n=self.number, unit=self.unit)

    def around(self, word: bytes) -> bytes:
        """Return *word* with as much text as brings it beyond the border."""
        if self.axis == SIZE:
            return b"a" * max(0, self.number - len(word)) + word
        return word + self.pad if self.axis == AFTER else self.pad + word

    def split(self, word: bytes) -> bytes | None:
        """Return what of *word* is beyond the border; None if nothing is. For a border without a period."""
        pieces = PIECE.findall(word)
        sizes = [self._size(each) for each in pieces]
        if self.axis == AFTER:
            rest = reversed(list(accumulate(reversed(sizes))))
            number = sum(1 for size in rest if size >= self.number)  # pieces that begin so far before the end
            return b"".join(pieces[: number - 1]) if number else None
        if sum(sizes) < self.number:
            return None
        if self.axis == SIZE:
            return word
        return b"".join(pieces[sum(1 for size in accumulate(sizes) if size < self.number) + 1 :])

    def _size(self, piece: bytes) -> int:
        if self.unit == "bytes":
            return len(piece)
        return 2 if self.unit == "UTF-16 code units" and piece >= b"\xf0" else 1


def border_of(word: bytes, shows: Shows) -> Border | None:
    """Return the border that *word* shows, which is judged wrongly and cannot be made shorter; None if it shows none.

    *shows* returns for each word whether its verdict is that of this one.
    """
    run = max(RUN.finditer(word), key=lambda found: len(found[0]), default=None)
    if run is None:
        return None
    head, count, tail = word[: run.start()], len(run[0]), word[run.end() :]
    if head and tail:
        return None  # two things: what is between them is no length of the input
    core = head + tail

    def wrong(counts: Sequence[int]) -> list[bool]:
        return list(shows([head + b"a" * each + tail for each in counts]))

    if any(wrong([count - each for each in range(1, min(count, NEAR) + 1)])):
        return None  # no border, for it could be made shorter
    onwards = [*range(count, count + NEAR), *(2 * count + each for each in range(NEAR)), 4 * count + 1]
    if all(wrong(onwards)):
        return _measured(core, count, shows)
    if period := _period(count, wrong):
        return Border(core, AFTER if head else BEFORE, count % period, period=period)
    return None


def _measured(core: bytes, count: int, shows: Shows) -> Border:
    """Return the border at *count* letters: what is counted, and where."""
    before, after = shows([b"a" * count + core, core + b"a" * count])
    axis = SIZE if before and after else BEFORE if before else AFTER
    number = count + len(core) if axis == SIZE else count
    return Border(core, axis, number, _unit(core, count, axis, shows))


def _unit(core: bytes, count: int, axis: str, shows: Shows) -> str:
    """Return what is counted: bytes, characters, or UTF-16 code units."""
    many, fewer = ("😀".encode() * each for each in (count // 2, count // 4))
    texts = {"bytes": fewer, "UTF-16 code units": many, "characters": many + many}
    for unit, text in texts.items():
        rest = b"a" * {"bytes": count % 4, "UTF-16 code units": count % 2, "characters": count % 2}[unit]
        word = text + rest
        if shows([core + word if axis == AFTER else word + core])[0]:
            return unit
    return "bytes"


def _period(count: int, wrong: Callable[[Sequence[int]], list[bool]]) -> int:
    """Return the period with which an answer comes again that *count* letters have; 0 if it does not."""
    tried: list[int] = sorted({*range(2, MANY), *PERIODS, *(count + each for each in range(1, NEAR))})
    found = wrong([count + each for each in tried])
    for period in [each for each, is_wrong in zip(tried, found, strict=True) if is_wrong]:
        again = [count + times * period for times in (2, 3)]
        others = [count + period + step for step in (period // 2, period // 4, period // 3) if step]
        if all(wrong(again)) and not any(wrong(others)):
            return period
    return 0
