"""Finds borders: one wrong word goes in, and the length or period at which the answers of the decoder change comes out.

An automaton of few states gives the same answer to ``61×n FF`` for every n that is not small. A decoder that looks at
lengths or at offsets does not. ``border_of`` takes one word with a run of text, as ``shrink`` leaves it, and finds what
is counted, and from which number on, or with which period. Of a period ``periodic`` makes lines.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from itertools import compress
from typing import TYPE_CHECKING

from utf8_abnf.conformance.learning.shrink import LETTER, RUN
from utf8_abnf.conformance.naming.periodic import AFTER_FULL, BEFORE_LAST, BLOCKS, NOT_FULL, ONCE, Tried, rule_of_first
from utf8_abnf.conformance.suite.families import few_faults
from utf8_abnf.conformance.suite.plan import plan
from utf8_abnf.conformance.suite.words import lowest

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from utf8_abnf.conformance.learning.shrink import Shows

MIN_RUN = 8  # bytes of text: fewer are a context, which an automaton has states for
LETTERS = re.compile(rb"a{%d,}" % MIN_RUN)
MAX_CORE = 64  # bytes: more of them are themselves of a length that may matter
NEAR = 8  # counts around a border that are asked
SHIFT = 4  # bytes: so much earlier or later a usual word shows the same
MIN_PERIOD = 4  # bytes: a character may have as many
PERIODS = (*range(MIN_PERIOD, 200), *(1 << power for power in range(8, 18)))
MANY_PERIODS = (*range(MIN_PERIOD, 4096), *PERIODS)
BEFORE, AFTER, SIZE = "before", "after", "size"
PHRASES = {
    BEFORE: ("only after {n:,} {unit} or more", "only after fewer than {n:,} {unit}"),
    AFTER: ("only before {n:,} {unit} or more", "only before fewer than {n:,} {unit}"),
    SIZE: ("only in input of {n:,} {unit} or more", "only in input of fewer than {n:,} {unit}"),
}


@dataclass(frozen=True, slots=True)
class Border:
    """A decoder judges ``61×n core``, or where *axis* is ``after`` ``core 61×n``, in another way from *number* on.

    If there is a *period*, only where n and *number* are the same modulo it; if that is ``ONCE``, where they are the
    same. *unit* is what it counts; *number* counts what is before the core, after it, or all of the input. *told* says
    where that is, "" if all that is beyond the number is judged so.
    """

    core: bytes
    axis: str
    number: int
    unit: str = "bytes"
    period: int = 0
    told: str = ""

    @property
    def step(self) -> int:
        """The period, 0 if nothing comes again."""
        return self.period % ONCE

    @property
    def phrase(self) -> str:
        """Where the decoder judges so as it does beyond the border."""
        return self.told or PHRASES[self.axis][0].format(n=self.number, unit=self.unit)

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

    def split(self, word: bytes) -> tuple[bytes, bytes, bytes] | None:
        """Return what of *word* is beyond the border, the piece at it, and the text on its other side, or None."""
        left = self.number
        for run in [*RUN.finditer(word)][:: -1 if self.axis == AFTER else 1]:
            piece = run[1]
            count, needed = len(run[0]) // len(piece), -(-left // self._size(piece))
            if needed <= count:
                number = count - needed if self.axis == AFTER else needed - 1  # of pieces before that at the border
                at = run.start() + number * len(piece)
                ends = word[:at], word[at + len(piece) :]
                rest, text = ends if self.axis == AFTER else ends[::-1]
                return (word, b"", b"") if self.axis == SIZE else (rest, piece, text)
            left -= count * self._size(piece)
        return None

    def _size(self, piece: bytes) -> int:
        return {"bytes": len(piece), "UTF-16 code units": 2 if piece >= b"\xf0" else 1}.get(self.unit, 1)


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
    if any(shows([head + LETTER * each + tail for each in range(max(0, count - NEAR), count)])):
        return None  # no border, for it could be made shorter
    onwards = [*range(count, count + NEAR), *(2 * count + each for each in range(NEAR)), 4 * count + 1]
    if all(shows([head + LETTER * each + tail for each in onwards])):
        border = _measured(core, count, shows)
        if border.axis == AFTER and (period := period_of(word, shows)):
            return period  # of blocks only those that are full are judged so
        ends = (each.numbers for each in usual(border, shows))
        whole = (each[0] for each in ends if each and each[-1] - each[0] == len(each) - 1 < 2 * SHIFT)
        border = replace(border, number=next(whole, border.number))
        text = core + LETTER * count if border.axis == SIZE else word
        pads = [LETTER * each for each in (1, *onwards[::NEAR])]
        is_inside, *are_wrong = shows([pad + text if border.axis == AFTER else text + pad for pad in pads])
        if border.axis != SIZE and not is_inside:
            return border  # only at an end of the input
        size = len(word) - 1 if border.axis == AFTER else border.number
        if border.unit == "bytes" and size <= PERIODS[-1] and (side := _side(core, size, shows)[0]):
            return Border(core, BEFORE, size, period=size, told=BLOCKS[side].format(size))
        less = [word[each:] + LETTER * each for each in range(1, NEAR)]
        if border.axis == AFTER:
            less = [LETTER * each + word[:-each] for each in range(1, NEAR)]
        if border.axis != SIZE and any(shows(less)):
            return None  # less text is enough there
        return border if all(are_wrong) else replace(border, told=f"in some contexts, {border.phrase}")
    found = None if head else period_of(word, shows)
    return found if found and found.step else None


def usual(border: Border, shows: Shows) -> Iterator[Tried]:
    """Yield the usual faults, the shortest first, and characters, with the numbers near that of *border*.

    So what is said does not depend on what was seen first. Numbers are less than the period.
    """
    first = max(0, border.number - SHIFT + (border.step if border.number <= SHIFT else 0))
    near = range(first, first + min(2 * SHIFT + 1, border.step or ONCE))
    after = LETTER * border.step if border.core.endswith(2 * LETTER) else b""  # if text could not be left out
    ill_formed, faults, letter = plan().oracle.ill_formed, few_faults(plan())[1:], LETTER * (border.axis != AFTER)
    cut = [each for each in faults if (error := ill_formed(each)) and error.truncated]
    for core in (*(each + letter for each in faults), *cut, *map(lowest, plan().tracks[1:])):
        error = ill_formed(core)
        text = core if error and error.truncated else core + after
        texts = [
            [replace(border, number=each + more).around(text) for each in near] for more in sorted({0, border.step})
        ]
        found = [each for each, *wrong in zip(near, *map(shows, texts), strict=True) if all(wrong)]
        numbers = [number % (border.period or ONCE) for number in found]
        side, example = _side(core, border.step, shows) if border.step and error and not error.truncated else ("", b"")
        if found and not side:
            example = texts[0][found[0] - first]
        kind, offending = (error.code, error.offending) if error else (rule_of_first(core[0]), 0)
        yield Tried(core, kind, offending, numbers, example, side)


def _side(core: bytes, size: int, shows: Shows) -> tuple[str, bytes]:
    """Return the part of ``BLOCKS`` of *size* bytes in which alone *core* is judged wrongly, and an example, or ""."""
    heads = [LETTER * number + core for number in (0, size, 3 * size - len(core) - 1)]
    full = [each + LETTER * (-len(each) % size) for each in heads]
    if len(core) < size and not any(shows(full)):
        if all(shows([each + LETTER for each in full])):
            return BEFORE_LAST, full[0] + LETTER
        is_alone, *are_behind = shows(heads)
        if all(are_behind):
            return (NOT_FULL, heads[0]) if is_alone else (AFTER_FULL, heads[1])
    return "", b""


def period_of(word: bytes, shows: Shows, periods: Iterable[int] = PERIODS) -> Border | None:
    """Return one of *periods* with which *word* is judged wrongly behind letters, whatever letters; None if none is.

    If it is judged so behind that many letters alone, the period is ``ONCE``.
    """
    core = word.lstrip(LETTER)
    count = len(word) - len(core)
    is_short = 0 < len(core.rstrip(LETTER)) <= MAX_CORE
    found = {_period(core, count, letter, periods, shows) for letter in (LETTER, b"b") if is_short}
    if not (period := found.pop() if len(found) == 1 else 0):
        return None
    told = f"only after text of {count % period:,} bytes, modulo {period:,}"
    return Border(core, BEFORE, count % period, period=period, told=told)


def _period(core: bytes, count: int, letter: bytes, periods: Iterable[int], shows: Shows) -> int:
    """Return the period with which an answer comes again that *count* of a *letter* have; 0 if there is none."""

    def wrong(*counts: int) -> list[bool]:
        return list(shows([letter * (count + each) + core for each in counts]))

    tried = sorted({*periods, *(count + each for each in range(1, NEAR) if count)})
    likely = [each for each, is_wrong in zip(tried, wrong(*tried), strict=True) if is_wrong]
    if not all(wrong(0)) or 2 * len(likely) > len(tried):
        return 0
    for period in (part for each in likely for part in range(MIN_PERIOD, each + 1) if each % part == 0):
        between = [period + period // part for part in (2, 3, 4)]
        if all(wrong(period, 2 * period, 3 * period)) and not all(wrong(*between)):
            return period
    moved = [letter * (count - each) + core + letter * each for each in range(1, NEAR)]
    return ONCE if not likely and count >= MIN_RUN and not any(shows(moved)) else 0


def _measured(core: bytes, count: int, shows: Shows) -> Border:
    """Return the border at *count* letters: where it is, and whether bytes, characters or UTF-16 code units count."""
    before, after = shows([LETTER * count + core, core + LETTER * count])
    axis = SIZE if before and after else BEFORE if before else AFTER
    many, fewer = ("😀".encode() * each for each in (count // 2, count // 4))
    texts = {"bytes": fewer + LETTER * (count % 4)}
    texts |= {"UTF-16 code units": many + LETTER * (count % 2), "characters": many + many + LETTER * (count % 2)}
    are_alike = shows([core + text if axis == AFTER else text + core for text in texts.values()])
    return Border(core, axis, count + len(core) * (axis == SIZE), next(compress(texts, are_alike), "bytes"))
