"""Lines of a model beside any grammar; if its words are not sequences of characters, each line says whole inputs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from utf8_abnf.automaton import difference
from utf8_abnf.automaton.forms import forms
from utf8_abnf.automaton.product import first_word
from utf8_abnf.conformance.naming.naming import EXTRA, MISSING, Line, in_some_contexts, name
from utf8_abnf.conformance.naming.patterns import Pattern, merge
from utf8_abnf.conformance.naming.places import ANYWHERE
from utf8_abnf.conformance.naming.words import words_of

if TYPE_CHECKING:
    from utf8_abnf.automaton import Automaton

MAX_LINES = 20


def lines_of_model(model: Automaton, standard: Automaton) -> list[Line]:
    """Return what *model* wrongly accepts or rejects: ``name`` says it of standards that have characters."""
    if standard.accepting == {standard.start}:
        return list(name(model, standard).lines)
    return _whole(model, standard)


def _whole(model: Automaton, standard: Automaton) -> list[Line]:
    """Return what *model* wrongly accepts or rejects, as whole inputs.

    Where that are few sets of words, the lines say all of them; else one line says the shortest word.
    """
    found = []
    for kind, wrong in ((EXTRA, difference(model, standard)), (MISSING, difference(standard, model))):
        word = first_word(wrong, wrong, lambda mine, _: mine)
        if word is None:
            continue
        several = forms(wrong.minimal())
        patterns = merge(Pattern.of_ranges(each.ranges) for each in several or ())
        if patterns and len(patterns) <= MAX_LINES:
            found += [
                Line(kind, each.text, words_of(each.places), ANYWHERE, bytes(map(min, each.places)))
                for each in _joined(patterns)
            ]
        else:
            found.append(in_some_contexts(word, None, word, accepted=kind == EXTRA))
    return found


def _joined(patterns: list[Pattern]) -> list[Pattern]:
    """Return *patterns*, those joined that differ in their first bytes only: none need begin with one range."""
    firsts: dict[tuple[frozenset[int], ...], frozenset[int]] = {}
    for pattern in patterns:
        rest = pattern.places[1:]
        firsts[rest] = firsts.get(rest, frozenset()) | frozenset().union(*pattern.places[:1])
    return [Pattern((first, *rest) if first else rest) for rest, first in firsts.items()]
