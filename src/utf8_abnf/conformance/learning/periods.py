"""Describes faults with a period: a border goes in, and the line of what is wrong at every n-th offset comes out."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from itertools import pairwise
from typing import TYPE_CHECKING

from utf8_abnf.automaton import union
from utf8_abnf.conformance.learning.border import BEFORE
from utf8_abnf.conformance.naming import EXTRA, MISSING, Line, Place
from utf8_abnf.conformance.naming.patterns import Pattern
from utf8_abnf.conformance.naming.words import rule_words, words_of
from utf8_abnf.conformance.suite.plan import plan
from utf8_abnf.conformance.suite.words import edges

if TYPE_CHECKING:
    from collections.abc import Sequence

    from utf8_abnf.conformance.learning.border import Border, Shows

RULES = ("UTF8-2", "UTF8-3", "UTF8-4")  # of characters that a block can cut


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


def periodic(border: Border, word: bytes, shows: Shows, *, accepted: bool) -> Period:
    """Return what is judged as *word* is, which shows a *border* with a period."""
    if not accepted and border.axis == BEFORE and (cut := cut_at(border, word, shows)):
        return cut
    core = border.core
    around = word[: len(word) - len(core)] if border.axis == BEFORE else b""
    after = b"" if around else word[len(core) :]
    places: list[frozenset[int]] = [frozenset({byte}) for byte in core]
    for at in range(len(core)):
        tried = [core[:at] + bytes([byte]) + core[at + 1 :] for byte in edges(plan().automaton)]
        answers = shows([around + each + after for each in tried])
        places[at] |= {each[at] for each, is_wrong in zip(tried, answers, strict=True) if is_wrong}
    pattern = Pattern(tuple(map(_filled, places)))
    line = Line(EXTRA if accepted else MISSING, pattern.line, words_of(pattern.places), Place(border.phrase, ()), word)
    return Period(border, line, across=False)


def cut_at(border: Border, word: bytes, shows: Shows) -> Period | None:
    """Return that characters across multiples of the period of *border* are judged as *word*; None if they are not."""
    if not _are_cut(border, shows):
        return None
    language = reduce(union, map(rule_words, RULES))
    phrase = f"only across a multiple of {border.period:,} bytes"
    return Period(border, Line(MISSING, " / ".join(RULES), language, Place(phrase, ()), word), across=True)


def _filled(place: frozenset[int]) -> frozenset[int]:
    """Return *place*, of edges of byte classes, with what lies between two edges of one class."""
    marks = edges(plan().automaton)
    classes = plan().automaton.classes
    return place | {
        byte
        for low, high in pairwise(marks)
        if {low, high} <= place and classes[low] == classes[high]
        for byte in range(low, high)
    }


def _are_cut(border: Border, shows: Shows) -> bool:
    """Whether characters of each length are judged so just where a multiple of the period lies within them."""
    for lengths in plan().tracks:
        size = len(lengths)
        character = bytes(low for low, _ in lengths)
        offsets = range(border.period - size, border.period + 1)
        answers: Sequence[bool] = shows([b"a" * offset + character for offset in offsets])
        if list(answers) != [border.period - size < offset < border.period for offset in offsets]:
            return False
    return True
