"""What a decoder does by its learned model and no class says yet: as a few more lines of ABNF.

The lines name an accepted word if it consists of the RFC's characters and of pieces that a line of the kind ``extra``
derives. They name a rejected text if a piece of it is one that a line of the kind ``missing`` derives.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from utf8_abnf.automaton import compile_grammar
from utf8_abnf.automaton.product import difference
from utf8_abnf.conformance.harness.answers.answer_places import SOMEWHERE
from utf8_abnf.conformance.harness.report import EXTRA, MISSING
from utf8_abnf.conformance.harness.verdicts.patterns import Pattern
from utf8_abnf.errors import TooLargeError
from utf8_abnf.grammar import Grammar

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from utf8_abnf.automaton import Automaton
    from utf8_abnf.conformance.learning import Model

MAX_LINES = 5  # of each kind: a decoder whose errors reach over several characters would have thousands
MORE = "<more, by the learned grammar>"
PERHAPS_MORE = "<perhaps more, by the learned grammar>"
AT_THE_END = "only at the end of the input"
EVERYWHERE = {EXTRA: "*( UTF8-char / {} )", MISSING: "*UTF8-char ( {} ) *UTF8-char"}
NAMED = {EXTRA: "*( UTF8-char / {} )", MISSING: "*octet ( {} ) *octet"}
RULES = "\nnothing = %x00 nothing\noctet = %x00-FF\n"  # no word is long enough for ``nothing``


class Unnamed(NamedTuple):
    """A line that no class has; *word* is the first of its words. *place* is as in ``Deviation``."""

    kind: str
    line: str
    word: bytes
    place: str = ""


def is_abnf(line: str) -> bool:
    """Whether the *line* of a class is ABNF that holds wherever its words stand."""
    return line.startswith(("%x", "UTF8-tail", "("))


def unnamed(model: Model, named: Iterable[tuple[str, str]]) -> Iterator[Unnamed]:
    """Yield what *model* accepts or rejects wrongly and *named*, pairs of kind and line, does not name.

    If there are more lines of a kind than ``MAX_LINES``, ``MORE`` stands for the rest, with the first word of it. Where
    lines that overlap make too large an automaton to compare, ``PERHAPS_MORE`` says so, with the first wrong word.
    """
    known = [(kind, line) for kind, line in named if is_abnf(line)]
    decoder, standard = model.automaton, model.expected
    for kind, one, other in ((EXTRA, decoder, standard), (MISSING, standard, decoder)):
        words = decoder if kind == EXTRA else difference(standard, decoder)
        try:
            yield from _lines(kind, words, [line for each, line in known if each == kind])
        except TooLargeError:
            if (word := one.first_not_in(other)) is not None:
                yield Unnamed(kind, PERHAPS_MORE, word)


def _lines(kind: str, words: Automaton, lines: list[str]) -> Iterator[Unnamed]:
    for number in range(MAX_LINES + 1):
        named = _compiled(NAMED[kind].format(" / ".join(lines or ["nothing"])))
        word = words.first_not_in(named)
        if word is None:
            return
        if number == MAX_LINES:
            yield Unnamed(kind, MORE, word)
            return
        line = _widened(word, difference(words, named), words).line
        yield Unnamed(kind, line, word, _place(kind, line, word, words))
        lines = [*lines, line]


def _place(kind: str, line: str, word: bytes, words: Automaton) -> str:
    if _compiled(EVERYWHERE[kind].format(line)).first_not_in(words) is None:
        return ""
    at_each_end = _compiled(f"*UTF8-char ( {line} )").first_not_in(words) is None
    return AT_THE_END if at_each_end and _ends({words.run(word)}, words) else SOMEWHERE


def _compiled(words: str) -> Automaton:
    return compile_grammar(Grammar.parse(f"words = {words}{RULES}{Grammar.load('utf8').text}"), "words")


def _widened(word: bytes, unnamed: Automaton, words: Automaton) -> Pattern:
    """Return a pattern of *word* and others: each byte in turn becomes all bytes that may stand there.

    All words of it are *unnamed*, and either all of them or none begin a longer one of *words*.
    """
    ends = _ends({words.run(word)}, words)
    places = [frozenset({byte}) for byte in word]

    def is_alike(number: int, byte: int) -> bool:
        tried = [*places[:number], frozenset({byte}), *places[number + 1 :]]
        states = _reached(words, tried)
        alike = _ends(states, words) if ends else not any(_ends({state}, words) for state in states)
        return alike and _reached(unnamed, tried) <= unnamed.accepting

    for number in range(len(word)):
        places[number] = frozenset(byte for byte in range(256) if is_alike(number, byte))
    return Pattern(tuple(places))


def _reached(automaton: Automaton, places: Iterable[Iterable[int]]) -> set[int]:
    states = {automaton.start}
    for place in places:
        states = {automaton.step(state, byte) for state in states for byte in place}
    return states


def _ends(states: Iterable[int], automaton: Automaton) -> bool:
    """Whether nothing accepted goes on from any of *states*."""
    return all(set(automaton.rows[state]) <= automaton.dead for state in states)
