"""Borders: the length of text at which a decoder begins to answer in another way.

An automaton of few states gives the same answer to ``61 × n FF`` for every n that is not small. A decoder that looks at
lengths or positions does not. ``find_border`` makes such rows of inputs from one input, asks many lengths of each, and
halves the interval in which the answer changes until it knows the border.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

from utf8_abnf.conformance.learning.long_probes import FEW_PIECES
from utf8_abnf.conformance.suite.families import FILLERS, filled
from utf8_abnf.language.notation import hex_bytes

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from utf8_abnf.automaton import Automaton

FIRST = 5  # counts, from 0: most of their answers are the usual one
FEW = 80  # counts, from 0, that are asked to see whether a row has a border
NEAR = 300  # counts, from 0, that are all asked
MAX_ASKED = 1 << 23  # bytes of the inputs around a border
MAX_PIECE = 8  # bytes of the input that may stand before or after repeated text
MAX_SURVEYED = 2  # rows of inputs that are asked at many lengths: so many simple ones, and so many short ones
MAX_SHOWN = 4  # counts, or bytes
_CHARACTER = re.compile(rb"[^\x80-\xbf][\x80-\xbf]*|[\x80-\xbf]")
_REPEATED = re.compile(rb"(.{1,4}?)\1{5,}", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Border:
    """The inputs ``head unit×n tail``: the decoder's verdict on them is *accepted* for some n, and usually the other.

    *counts* are the smallest n with that verdict. *onwards* tells that every larger n that was asked has it as well.
    *asked* is the number of all n that were asked, and *largest* the largest of them. *measure* is what the decoder
    counts: bytes, characters, or UTF-16 code units; it is "" if this is not known.
    """

    head: bytes
    unit: bytes
    tail: bytes
    accepted: bool = False
    counts: tuple[int, ...] = ()
    onwards: bool = False
    asked: int = 0
    largest: int = 0
    measure: str = ""

    def word(self, count: int) -> bytes:
        """Return the input with *count* units."""
        return self.head + self.unit * count + self.tail

    @property
    def example(self) -> bytes:
        """The shortest input with the verdict."""
        return self.word(self.counts[0])

    @property
    def what(self) -> str:
        """What the decoder does from which length on, or at which lengths: a sentence without its subject."""
        return f"{'accepts' if self.accepted else 'rejects'} {self._where}"

    def __str__(self) -> str:
        """Return ``what``, and what was asked."""
        first, usual = self.counts[0], "rejected" if self.accepted else "accepted"
        before = f"{self._shown(first - 1)} is {usual}; " if first else ""
        return f"{self.what}: {before}asked at {self.asked:,} lengths up to {len(self.word(self.largest)):,} bytes"

    @property
    def _where(self) -> str:
        counts = ", ".join(f"{count:,}" for count in self.counts[: 1 if self.onwards else MAX_SHOWN])
        more = " or more" if self.onwards else " and other numbers of" if len(self.counts) > MAX_SHOWN else ""
        if self.head or self.unit != FILLERS["ascii"]:
            return f"{self._shown('n')} with n = {counts}{more.removesuffix(' of')}"
        measure = self.measure or "bytes"
        number = f"{counts} {measure}{more}" if self.onwards else f"{counts}{more} {measure}"
        return f"{_hex(self.tail)} after {number} of text" if self.tail else f"text of {number}"

    def _shown(self, count: int | str) -> str:
        number = f"{count:,}" if isinstance(count, int) else count
        return " ".join(filter(None, (_hex(self.head), f"{_hex(self.unit)}×{number}", _hex(self.tail))))


class Asking(Protocol):
    """What a border is found by: a ``Teacher``."""

    def asked(self, words: Sequence[bytes], grammar: Automaton) -> list[bool]:
        """Return for each of *words* whether the decoder accepts it."""
        ...


def find_border(teacher: Asking, grammar: Automaton, word: bytes) -> Border | None:
    """Return the border that is nearest to the start among rows of inputs like *word*, or None if there is none."""
    search = _Search(teacher, grammar)
    unusual = [(row, count) for row, seen in _rows(word) if (count := search.unusual(row, seen)) is not None]
    nearer = sorted(unusual, key=lambda found: len(found[0].word(found[1])))
    chosen = dict.fromkeys((*unusual[:MAX_SURVEYED], *nearer[:MAX_SURVEYED]))  # the simplest, and the shortest
    found = [search.surveyed(row, count) for row, count in chosen]
    nearest = min(found, key=lambda border: len(border.example), default=None)
    return nearest and replace(nearest, measure=search.measure(nearest))


def _rows(word: bytes) -> Iterator[tuple[Border, int]]:
    """Yield common rows of inputs, and rows that *word* or an input of its length belongs to, each with a count."""
    text = FILLERS["ascii"]
    yield from ((Border(b"", text, piece), max(NEAR, len(word))) for piece in FEW_PIECES)
    for size in range(min(MAX_PIECE, len(word)) + 1):
        yield Border(b"", text, word[len(word) - size :]), len(word) - size
        yield Border(word[:size], text, b""), len(word) - size
    characters = _CHARACTER.findall(word)
    yield from ((Border(b"", unit, b""), len(word)) for unit in dict.fromkeys(characters[:1] + characters[-1:]))
    runs = sorted(_REPEATED.finditer(word), key=lambda run: run.start() - run.end())
    for run in runs[:MAX_SURVEYED]:
        yield Border(word[: run.start()], run[1], word[run.end() :]), (run.end() - run.start()) // len(run[1])


class _Search:
    """Asks the rows of inputs."""

    def __init__(self, teacher: Asking, grammar: Automaton) -> None:
        self._teacher = teacher
        self._grammar = grammar

    def _answers(self, row: Border, counts: Iterable[int]) -> dict[int, bool]:
        chosen = sorted(set(counts))
        return dict(zip(chosen, self._teacher.asked([row.word(count) for count in chosen], self._grammar), strict=True))

    def unusual(self, row: Border, count: int) -> int | None:
        """Return the smallest number that is asked, *count* among them, with another answer than most of the first."""
        found = self._answers(row, [*range(FEW), *_powers(count), count])
        usual = _usual(found)
        return next((each for each, answer in found.items() if each >= FIRST and answer is not usual), None)

    def surveyed(self, row: Border, count: int) -> Border:
        """Return *row* with its border; *count* is a number with an unusual answer."""
        found = self._answers(row, [*range(NEAR), count, *_powers(2 * count)])
        usual = _usual(found)
        reach = 0
        while True:
            unusual = self._wrong(row, [each for each, answer in found.items() if answer is not usual], usual=usual)
            first = min(unusual)
            below = max((each for each in found if each < first), default=-1)
            if below < first - 1:
                found |= self._answers(row, [(below + first) // 2])
            elif reach:
                break
            else:  # look around the border: it is not the first one if an input before it is unusual
                reach = max(2, min(NEAR, MAX_ASKED // (2 * len(row.word(first)) + 1)))
                around = range(max(0, first - reach), first + reach)
                found |= self._answers(row, [*around, *(first * at // 16 for at in range(16)), 2 * first + 1])
            found = dict(sorted(found.items()))
        onwards = all(answer is not usual for each, answer in found.items() if each >= first)
        counts = tuple(sorted(unusual)[: MAX_SHOWN + 1])
        return replace(row, accepted=not usual, counts=counts, onwards=onwards, asked=len(found), largest=max(found))

    def _wrong(self, row: Border, unusual: list[int], *, usual: bool) -> list[int]:
        """Return those of the *unusual* numbers whose answer is wrong: the empty input, say, is accepted rightly."""
        return [each for each in unusual if self._grammar.accepts(row.word(each)) is usual] or unusual

    def measure(self, border: Border) -> str:
        """Return what the decoder counts, found by text of characters of two, three and four bytes, or ""."""
        if border.head or border.unit != FILLERS["ascii"] or not border.onwards or border.counts[0] < FIRST:
            return ""
        first = border.counts[0]
        for measure, text in _MEASURES.items():
            words = [text(count, filler) + border.tail for filler in FILLERS.values() for count in (first - 1, first)]
            answers = self._teacher.asked(words, self._grammar)
            if answers == [not border.accepted, border.accepted] * len(FILLERS):
                return measure
        return ""


def _characters(count: int, filler: bytes) -> bytes:
    return filler * count


def _code_units(count: int, filler: bytes) -> bytes:
    return b"a" * (count % 2) + filler * (count // 2) if filler == FILLERS["four"] else filler * count


_MEASURES = {"bytes": filled, "characters": _characters, "UTF-16 code units": _code_units}


def _powers(count: int) -> list[int]:
    """Return powers of two up to *count*, and at least to 4,096."""
    return [1 << power for power in range(6, max(count, 4_096).bit_length())]


def _usual(found: dict[int, bool]) -> bool:
    first = [found[count] for count in range(FIRST)]
    return sum(first) > len(first) // 2


def _hex(piece: bytes) -> str:
    return (
        hex_bytes(piece) if len(piece) <= 2 * MAX_SHOWN else f"{hex_bytes(piece[:MAX_SHOWN])} … ({len(piece):,} bytes)"
    )
