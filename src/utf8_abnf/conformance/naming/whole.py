"""Names a model of any grammar: if its words are not sequences of characters, each line derives whole inputs."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from utf8_abnf.automaton import difference
from utf8_abnf.automaton.forms import forms
from utf8_abnf.conformance.naming.naming import EXTRA, MISSING, Line, first_of, in_some_contexts, name
from utf8_abnf.conformance.naming.patterns import Pattern, joined
from utf8_abnf.conformance.naming.places import ANYWHERE
from utf8_abnf.conformance.naming.words import words_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from utf8_abnf.automaton import Automaton

MAX_LINES = 20  # where they say all words
MAX_SEEN, MAX_SHORTEST = 12, 3  # where they say those that were seen, and where none was


def lines_of_model(model: Automaton, standard: Automaton, seen: Sequence[bytes] = ()) -> list[Line]:
    """Return what *model* wrongly accepts or rejects: ``name`` says it of standards that have characters.

    Of other standards lines say whole inputs: all of them, where few lines do, or those like the words *seen*.
    """
    if standard.accepting == {standard.start}:
        return list(name(model, standard).lines)
    lines: list[Line] = []
    for kind, wrong in ((EXTRA, difference(model, standard)), (MISSING, difference(standard, model))):
        several = forms(wrong.minimal())
        patterns = joined(Pattern.of_ranges(each.ranges) for each in several or ())
        if len(patterns) <= MAX_LINES and several is not None:
            lines += (_line(kind, each) for each in patterns)
        else:
            lines += _some(kind, wrong.minimal(), standard, seen)
    return lines


def _line(kind: str, words: Pattern) -> Line:
    return Line(kind, words.text, words_of(words.places), ANYWHERE, bytes(map(min, words.places)))


def _some(kind: str, wrong: Automaton, standard: Automaton, seen: Sequence[bytes]) -> Iterator[Line]:
    """Yield lines for the words *seen*, or the shortest of *wrong*: each has all that is like it; one for the rest."""
    rest = wrong
    for _ in range(MAX_SEEN if seen else MAX_SHORTEST):
        word = next(filter(rest.accepts, seen), None) if seen else first_of(rest)
        if word is None:
            break
        pattern = widened(word, wrong)
        yield _line(kind, pattern)
        rest = difference(rest, words_of(pattern.places)).minimal()
    if (word := first_of(rest)) is not None:
        yield in_some_contexts(word, None, standard)


def widened(word: bytes, wrong: Automaton) -> Pattern:
    """Return *word* with as many bytes in each place as leave all its words in *wrong*, the first places first.

    >>> from utf8_abnf.automaton import compile_grammar
    >>> from utf8_abnf.grammar import Grammar
    >>> widened(b"a0", compile_grammar(Grammar.parse('start = "a" 1*%x30-39 / "b" *%x30-34')).minimal()).text
    '( "a" / "b" ) ( "0" / "1" / "2" / "3" / "4" )'
    """
    places: list[frozenset[int]] = []
    states = {wrong.start}
    for at, byte in enumerate(word):
        rest = word[at + 1 :]
        good = {state for state in range(len(wrong.table)) if replace(wrong, start=state).accepts(rest)}
        place = frozenset(each for each in range(256) if all(wrong.step(state, each) in good for state in states))
        places.append(place)
        states = {wrong.step(state, each) for state in states for each in place}
        assert byte in place
    return Pattern(tuple(places))
