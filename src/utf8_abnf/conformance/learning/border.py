"""Finds borders: one wrong word goes in, and the length or period at which the answers of the decoder change comes out.

An automaton of few states gives the same answer to ``61×n FF`` for every n that is not small. A decoder that looks at
lengths or at offsets does not. ``border_of`` takes one word with a run of text, as ``shrink`` leaves it, and finds what
is counted, and from which number on, or with which period. Of a period ``periodic`` makes a line.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from utf8_abnf.conformance.learning.shrink import RUN
from utf8_abnf.conformance.naming import EXTRA, MISSING, Line, Place
from utf8_abnf.conformance.naming.patterns import Pattern
from utf8_abnf.conformance.naming.words import context, words_of
from utf8_abnf.conformance.suite.plan import plan
from utf8_abnf.conformance.suite.words import SIGMA, lowest

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from utf8_abnf.conformance.learning.shrink import Shows

MIN_RUN = 8  # bytes of text: fewer are a context, which an automaton has states for
LETTERS = re.compile(rb"a{%d,}" % MIN_RUN)
MAX_CORE = 64  # bytes: more of them are themselves of a length that may matter
NEAR = 8  # counts around a border that are asked
PERIODS = tuple(1 << power for power in range(6, 18))
MANY = 200  # counts, from one on, that are tried as a period
LONG = "UTF8-2 / UTF8-3 / UTF8-4"  # characters that a block can cut
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
            return word.rjust(self.number, b"a")
        pad = b"a" * self.number
        return word + pad if self.axis == AFTER else pad + word

    def split(self, word: bytes) -> bytes | None:
        """Return what of *word* is beyond the border; None if nothing is. For a border without a period."""
        left = self.number
        for run in [*RUN.finditer(word)][:: -1 if self.axis == AFTER else 1]:
            piece = run[1]
            count, needed = len(run[0]) // len(piece), -(-left // self._size(piece))
            if needed <= count and self.axis == AFTER:
                return word[: run.end() - needed * len(piece)]
            if needed <= count:
                return word if self.axis == SIZE else word[run.start() + needed * len(piece) :]
            left -= count * self._size(piece)
        return None

    def _size(self, piece: bytes) -> int:
        if self.unit == "bytes":
            return len(piece)
        return 2 if self.unit == "UTF-16 code units" and piece >= b"\xf0" else 1


def border_of(word: bytes, shows: Shows) -> Border | None:
    """Return the border that *word* shows, which is judged wrongly and cannot be made shorter; None if it shows none.

    *shows* returns for each word whether its verdict is that of this one.
    """
    run = max(LETTERS.finditer(word), key=lambda found: len(found[0]), default=None)
    if run is None:
        return None
    head, count, tail = word[: run.start()], len(run[0]), word[run.end() :]
    core = head + tail
    if (head and tail) or len(core) > MAX_CORE:
        return None  # text on both sides of the letters, or long text: their number is not all that may matter

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


@dataclass(frozen=True)
class Period:
    """The *line* of what is judged wrongly at the offsets of a *border* with a period, or *across* its multiples."""

    border: Border
    line: Line
    across: bool

    def explains(self, word: bytes) -> bool:
        """Whether *word* has something at such an offset that is judged wrongly."""
        period, size = self.border.period, len(self.border.core)
        if self.across:
            return any(byte & 0xC0 == 0x80 for byte in word[period::period])
        if self.border.axis != BEFORE:
            return self.line.language.accepts(word[:size])
        offsets = range(self.border.number, len(word), period)
        return any(self.line.language.accepts(word[offset : offset + size]) for offset in offsets)


def periodic(border: Border, word: bytes, shows: Shows) -> Period:
    """Return what is judged as wrongly as *word* is, which shows a *border* with a period."""
    is_right = plan().automaton.accepts(word)
    if is_right and border.axis == BEFORE and (cut := cut_at(border, word, shows)):
        return cut
    core = border.core
    around = word[: len(word) - len(core)] if border.axis == BEFORE else b""
    after = b"" if around else word[len(core) :]
    places = []
    for at in range(len(core)):
        tried = [around + core[:at] + byte + core[at + 1 :] + after for byte in SIGMA]
        places.append(frozenset({core[at], *(byte for byte, is_wrong in enumerate(shows(tried)) if is_wrong)}))
    pattern = Pattern(tuple(places))
    line = Line(MISSING if is_right else EXTRA, pattern.line, words_of(pattern.places), Place(border.phrase, ()), word)
    return Period(border, line, across=False)


def cut_at(border: Border, word: bytes, shows: Shows) -> Period | None:
    """Return that characters of each length are judged as *word* just across multiples of a period; None if not."""
    for lengths in plan().tracks:
        size = len(lengths)
        offsets = range(border.period - size, border.period + 1)
        answers = shows([b"a" * offset + lowest(lengths) for offset in offsets])
        if list(answers) != [border.period - size < offset < border.period for offset in offsets]:
            return None
    phrase = f"only across a multiple of {border.period:,} bytes"
    return Period(border, Line(MISSING, LONG, context(LONG), Place(phrase, ()), word), across=True)
