"""Names a model: two automata go in, and lines with the words that the first wrongly accepts or rejects come out."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property, reduce
from typing import TYPE_CHECKING, NamedTuple

from utf8_abnf.automaton import complement, difference, union
from utf8_abnf.automaton.forms import characters as characters_of
from utf8_abnf.automaton.product import first_word
from utf8_abnf.conformance.naming.covering import cover
from utf8_abnf.conformance.naming.patterns import Pattern
from utf8_abnf.conformance.naming.pieces import INSIDE, Pieces
from utf8_abnf.conformance.naming.places import (
    ANYWHERE,
    AT_THE_START,
    MAX_CHARACTERS,
    WAITING,
    Place,
    characters,
    filled,
    place_of,
)
from utf8_abnf.conformance.naming.reading import Fact, reading
from utf8_abnf.conformance.naming.words import context, proper_prefixes, rule_of, words_of
from utf8_abnf.conformance.suite.oracle import oracle_of
from utf8_abnf.errors import TooLargeError
from utf8_abnf.language.notation import hex_bytes, runs_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from utf8_abnf.automaton import Automaton
    from utf8_abnf.conformance.naming.covering import Cover
    from utf8_abnf.conformance.naming.pieces import Box

EXTRA, MISSING = "extra", "missing"
MAX_LINES = 60  # more do not help a reader, and reading them back takes long
MAX_LINE = 120  # characters of the words of a line in some contexts
MAX_CHARACTER = 4  # bytes
MAX_PARTLY = 20  # lines of which each is checked where they are not complete

EVERYTHING = "UTF8-octets"
PREFIXES = "every proper prefix of a character"
PREFIXES_OF_WORDS = "every proper prefix of a word above"
PREFIXES_OF_BOTH = "every proper prefix of a character or of a word above"
VERDICTS = {EXTRA: ("accepted", "rejected"), MISSING: ("rejected", "accepted")}


@dataclass(frozen=True)
class Line:
    """A class: *language*, which *words* say in ABNF, is wrongly accepted (``extra``) or rejected at *place*.

    *example* is its shortest word. A line in some contexts, whose place could not be decided, says a kind of fault.
    *explains*, if it is there, tells of a word that is judged wrongly whether the line is to blame.
    """

    kind: str
    words: str
    language: Automaton
    place: Place
    example: bytes
    explains: Callable[[bytes], bool] | None = field(default=None, compare=False)

    @property
    def facts(self) -> list[Fact]:
        """The line as facts, one for each context of its place."""
        return [Fact(self.kind == EXTRA, self.language, *each.automata) for each in self.place.contexts]

    def in_columns(self, width: int) -> str:
        """Return the line as ABNF with a comment, the words in so many columns."""
        shortest = f"shortest {hex_bytes(self.example)}" if self.place.contexts and self.example else ""
        comment = "; ".join(filter(None, (self.place.phrase, shortest)))
        return f"{self.kind:<8} {self.words:<{width}}" + f" ; {comment}" * bool(comment)

    def __str__(self) -> str:
        return self.in_columns(0)


@dataclass(frozen=True)
class Naming:
    """The lines. If they are *complete*, ``reading`` accepts what the model accepts; else a line says what is left."""

    lines: tuple[Line, ...]
    standard: Automaton
    complete: bool = True

    @cached_property
    def reading(self) -> Automaton:
        """The automaton of a decoder that does what the lines say, without those in some contexts."""
        return reading(self.standard, [fact for line in self.lines for fact in line.facts])


def shortest_input(line: Line, standard: Automaton) -> bytes:
    """Return the shortest input that a decoder judges wrongly of which *line* says all; its example if unknown."""
    if not line.place.contexts or standard.accepting != {standard.start}:
        return line.example
    try:
        alone = reading(standard, line.facts)
    except TooLargeError:
        return line.example
    wrong = difference(alone, standard) if line.kind == EXTRA else difference(standard, alone)
    word = first_of(wrong)
    return line.example if word is None else word


def name(model: Automaton, standard: Automaton) -> Naming:
    """Return what *model* wrongly accepts or rejects, in few lines. *standard* accepts sequences of characters.

    The lines are complete, as equal automata show, or they are right and the last ones are in some contexts.

    >>> from utf8_abnf.automaton import compile_grammar
    >>> from utf8_abnf.grammar import Grammar
    >>> cesu8, utf8 = (compile_grammar(Grammar.load(name)) for name in ("dialects/cesu8", "utf8"))
    >>> for line in name(cesu8, utf8).lines:
    ...     print(line)
    extra    %xED %xA0-AF UTF8-tail %xED %xB0-BF UTF8-tail ; shortest ED A0 80 ED B0 80
    missing  UTF8-4 ; shortest F0 90 80 80
    """
    model, standard = model.minimal(), standard.minimal()
    if standard.accepting != {standard.start}:
        raise ValueError("the standard does not accept sequences of characters")
    if not model.accepting:
        words = EVERYTHING if standard == context(EVERYTHING) else '""'
        return Naming((Line(MISSING, words, words_of(()), Place("", ANYWHERE.at_the_end.contexts), b""),), standard)
    some: tuple[Line, ...] = ()
    waiting = (_Way(waiting=each) for each in WAITING)
    for way in (_Way(), *waiting, _Way(at_ends=True), _Way(finite=True)):
        try:
            naming = Naming(way.lines(model, standard), standard)
            if way.waiting and not naming.lines:
                continue
            if len(naming.lines) <= MAX_LINES and naming.reading.equivalent(model) is None:
                return naming
        except TooLargeError:
            continue
        some = some if some or way.waiting else naming.lines
    return _partly(model, standard, some[:MAX_PARTLY])


class _Way(NamedTuple):
    """A way to divide a model into pieces: see ``Pieces``. *waiting* is the place of what is followed by more."""

    waiting: Place | None = None
    finite: bool = False
    at_ends: bool = False

    def lines(self, model: Automaton, standard: Automaton) -> tuple[Line, ...]:
        """Return the lines; no lines if this way does not fit the model."""
        waits = self.waiting is not None
        pieces = Pieces(model, standard, at_ends=self.at_ends, waiting=waits, finite=self.finite)
        accepts = set(pieces.boundaries) - pieces.after_characters <= model.accepting
        if (self.waiting and accepts) or (self.at_ends and not accepts):
            return ()
        return _Namer(pieces, self.waiting).lines()


def _partly(model: Automaton, standard: Automaton, lines: Iterable[Line]) -> Naming:
    """Return those of *lines* that are right, and what they leave out, as lines in some contexts."""
    extra: list[Line] = []
    missing: list[Line] = []
    for line in sorted(lines, key=lambda each: each.kind == EXTRA):  # a wrong word may stand beside a missing one
        kept = missing if line.kind == MISSING else extra
        if _are_right(model, standard, [*extra, *missing, line], line.kind):
            kept.append(line)
    known = Naming((*extra, *missing), standard)
    rest = [
        _somewhere(kind, word, model, standard)
        for kind, one, other in ((EXTRA, model, known.reading), (MISSING, known.reading, model))
        if (word := one.first_not_in(other)) is not None
    ]
    return Naming((*known.lines, *rest), standard, complete=False)


def _are_right(model: Automaton, standard: Automaton, lines: Sequence[Line], kind: str) -> bool:
    """Whether what *lines* accept, or reject, against the standard, the *model* accepts, or rejects."""
    try:
        said = Naming(tuple(lines), standard).reading
    except TooLargeError:
        return False
    if kind == EXTRA:
        return difference(said, standard).first_not_in(model) is None
    return difference(standard, said).first_not_in(complement(model)) is None


def _somewhere(kind: str, word: bytes, model: Automaton, standard: Automaton) -> Line:
    """Return the line for *word*, which no line names, with the nearest text around it that is judged rightly."""
    core = _core(word, standard)
    around = context(f"*UTF8-char {Pattern.of(core).line} *UTF8-char")
    other = first_word(around, model, lambda mine, yours: mine and yours is not (kind == EXTRA))
    return in_some_contexts(word, other, standard)


def _core(word: bytes, standard: Automaton) -> bytes:
    """Return what of *word* is ill-formed, without characters before and after it; all of it if nothing is."""
    errors = list(oracle_of(standard).errors(word))
    return word[errors[0][0] : sum(errors[-1])] if errors else word


def shown(word: bytes) -> str:
    r"""Return *word* in hex, what is there many times as ``61×4,095`` or ``(E2 82 AC)×21,846``.

    >>> shown(b"a" * 5000 + b"\xff"), shown(b"")
    ('61×5,000 FF', 'the empty input')
    """
    parts = []
    for piece, times in runs_of(word):
        once = f"({hex_bytes(piece)})" if len(piece) > 1 and times > 1 else hex_bytes(piece)
        parts.append(once if times == 1 else f"{once}×{times:,}")
    text = " ".join(parts) or "the empty input"
    return text if len(text) <= MAX_LINE else f"{hex_bytes(word[:8])} ... ({len(word):,} bytes)"


def in_some_contexts(word: bytes, other: bytes | None, standard: Automaton) -> Line:
    """Return the line for *word*, judged wrongly; *other* is the nearest that is not, if known."""
    kind = MISSING if oracle_of(standard).accepts(word) else EXTRA
    wrong, right = VERDICTS[kind]
    nearest = "" if other is None else f"; nearest {right} {shown(other)}"
    place = Place(f"in some contexts; shortest {wrong} {shown(word)}{nearest}", ())
    if standard.accepting != {standard.start}:
        return Line(kind, Pattern.of(word).text, words_of([[byte] for byte in word]), place, word)
    core = _core(word, standard)
    line = Pattern.of(core).line
    if standard == context(EVERYTHING):  # which word is the shortest depends on what was asked, the kind of fault not
        error = oracle_of(standard).ill_formed(word)
        line = error.code if error else EVERYTHING
    # A text that is rejected is one of many, and the automaton of a long word would have a state for each byte.
    if len(line) > MAX_LINE or (kind == MISSING and len(word) > MAX_CHARACTER):
        return Line(kind, EVERYTHING, context("2*UTF8-char"), place, word)
    return Line(kind, line, words_of([[byte] for byte in core[:MAX_CHARACTER]]), place, word)


class _Namer:
    """The lines of some pieces. *waiting* is the place of words after which the decoder waits for something."""

    def __init__(self, pieces: Pieces, waiting: Place | None) -> None:
        self.pieces = pieces
        self.waiting = waiting
        boundaries, accepting = set(pieces.boundaries), pieces.model.accepting
        self.units = pieces.ending(lambda mine, whole, phase: mine in boundaries and not whole and phase == INSIDE)
        self.returning = pieces.ending(lambda mine, whole, phase: mine in boundaries and (whole or phase == INSIDE))
        self.ends = pieces.ending(lambda mine, whole, _: mine in accepting - boundaries and not whole)
        self.ending = pieces.ending(lambda mine, whole, phase: mine in accepting and not whole and phase == INSIDE)
        self.accepted = pieces.ending(lambda mine, _, __: mine in accepting)
        self.rejected = pieces.ending(lambda mine, whole, _: mine not in boundaries and whole)

    def lines(self) -> tuple[Line, ...]:
        """Return the lines, without those for whose place there is no predicate."""
        extra: list[Line] = []
        for where, boxes in self._groups(self.units):
            extra += self._covered(EXTRA, where, boxes, self._place(where, boxes), (self.units, self.returning))
        units = list(extra)
        for where, boxes in self._groups(self.ends):
            extra += self._ends(where, boxes, units)
        missing: list[Line] = []
        for where, boxes in self._groups(self.rejected, passing=True):
            found = self._covered(MISSING, where, boxes, place_of(self.pieces, where), (self.rejected, self.rejected))
            missing += _with_rules(found)
        return (*extra, *missing, *self._refused())

    def _groups(self, ends: int, *, passing: bool = False) -> Iterable[tuple[tuple[int, ...], list[Box]]]:
        """Return the boxes of words into *ends*, by the boundaries from which all words of the box lead there."""
        pieces = self.pieces
        groups: dict[tuple[int, ...], dict[Box, None]] = {}
        for start in pieces.starts.values():
            for box in pieces.boxes(start, ends, passing=passing):
                where = (each for each, other in pieces.starts.items() if not pieces.reached(1 << other, box) & ~ends)
                groups.setdefault(tuple(where), {})[box] = None
        return [(where, list(boxes)) for where, boxes in groups.items()]

    def _place(self, where: Sequence[int], boxes: Iterable[Box]) -> Place | None:
        pieces = self.pieces
        waiting = set(pieces.boundaries) - pieces.after_characters
        waits = pieces.ending(lambda mine, _, __: mine in waiting)
        if self.waiting and any(pieces.reached(pieces.starting(where), box) & waits for box in boxes):
            return filled(self.waiting, {"x": characters(pieces, waiting, pieces.after_characters, MAX_CHARACTERS)})
        return place_of(pieces, where)

    def _covered(
        self, kind: str, where: Sequence[int], boxes: list[Box], place: Place | None, ends: tuple[int, int]
    ) -> list[Line]:
        """Return a line for each cover at *place*; none for words that are all right: what is around them is not."""
        if place is None:
            return []
        covers = cover(self.pieces, self.pieces.starting(where), boxes, *ends)
        return [line for each in covers if (line := self._line(kind, each, place))]

    def _line(self, kind: str, chosen: Cover, place: Place) -> Line | None:
        places = self.pieces.bytes_of(chosen.box)
        language, text = words_of(places), Pattern(places).line
        if chosen.hole:
            places = self.pieces.bytes_of(chosen.hole)
            language, text = difference(language, words_of(places)), f"{text} but not {Pattern(places).line}"
        word = first_of(difference(language, self.pieces.standard) if kind == EXTRA else language)
        return None if word is None else Line(kind, text, language, place, word)

    def _ends(self, where: Sequence[int], boxes: list[Box], units: list[Line]) -> list[Line]:
        """Return the lines for words at the end: all prefixes of some words on one line, where that saves lines."""
        place = place_of(self.pieces, where)
        if place is None:
            return []
        place, ends = place.at_the_end, (self.ending, self.accepted)
        best = self._covered(EXTRA, where, boxes, place, ends)
        whole = characters_of(self.pieces.standard)
        assert whole is not None
        languages = [each.language for each in units]
        for text, begun in (
            (PREFIXES, [whole]),
            (PREFIXES_OF_WORDS, languages),
            (PREFIXES_OF_BOTH, [whole, *languages]),
        ):
            prefixes = proper_prefixes(reduce(union, begun or [whole]))
            models = (replace(self.pieces.model, start=each) for each in where)
            if len(best) > 1 and all(prefixes.first_not_in(each) is None for each in models):
                rest = [box for box in boxes if words_of(self.pieces.bytes_of(box)).first_not_in(prefixes) is not None]
                lines = self._covered(EXTRA, where, rest, place, ends)
                if len(lines) + 1 < len(best):
                    best = [Line(EXTRA, text, prefixes, place, first_of(prefixes) or b""), *lines]
        return best

    def _refused(self) -> list[Line]:
        """Return the lines for boundaries at which the input must not end: for what leads there, or for nothing."""
        pieces = self.pieces
        refused = set(pieces.boundaries) - pieces.model.accepting
        if self.waiting:
            refused &= pieces.after_characters
        if not refused:
            return []
        ends = pieces.ending(lambda mine, whole, _: mine in refused and whole)
        lines: list[Line] = []
        for where, boxes in self._groups(ends, passing=True):
            place = place_of(pieces, where)
            if place:
                lines += _with_rules(self._covered(MISSING, where, boxes, place.at_the_end, (ends, ends)))
        place = place_of(pieces, refused)
        if place and (pieces.model.start in refused or len(lines) > 1):
            return [Line(MISSING, '""', words_of(()), place.at_the_end, b"")]
        if pieces.model.start in refused:
            lines.append(Line(MISSING, '""', words_of(()), AT_THE_START.at_the_end, b""))
        return lines


def _with_rules(lines: list[Line]) -> list[Line]:
    """Return *lines* of one place, where a rule's name stands for those that together are the rule."""
    for length in sorted({len(line.example) for line in lines}):
        same = [line for line in lines if len(line.example) == length]
        language = reduce(union, (line.language for line in same))
        if rule := rule_of(language):
            named = replace(same[0], words=rule, language=language)
            lines = [named if line is same[0] else line for line in lines if line is same[0] or line not in same]
    return lines


def first_of(words: Automaton) -> bytes | None:
    """Return the shortest of *words*, None if there is none."""
    return first_word(words, words, lambda mine, _: mine)
