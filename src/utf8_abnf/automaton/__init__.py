"""The byte automaton: from a rule of a grammar to the smallest deterministic automaton that accepts the same bytes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from utf8_abnf.automaton.determinise import determinise
from utf8_abnf.automaton.model import Automaton
from utf8_abnf.automaton.nfa import compile_nfa
from utf8_abnf.automaton.product import complement, difference, intersection, product, union
from utf8_abnf.automaton.words import access_word, access_words, count_words, separating_words, state_cover

if TYPE_CHECKING:
    from utf8_abnf.grammar import Grammar

__all__ = [
    "Automaton",
    "access_word",
    "access_words",
    "compile_grammar",
    "complement",
    "count_words",
    "difference",
    "intersection",
    "product",
    "separating_words",
    "state_cover",
    "union",
]


def compile_grammar(grammar: Grammar, start: str | None = None) -> Automaton:
    r"""Return the smallest automaton that accepts what rule *start* of *grammar* (its first by default) derives.

    Raises ``NotRegularError`` with the cycle of rules where the grammar is not shown to be regular, ``TooLargeError``
    above the limits in ``nfa`` and ``determinise``, and ``GrammarError`` where it is undefined: prose, a missing rule.

    >>> from utf8_abnf.grammar import Grammar
    >>> utf8 = compile_grammar(Grammar.load("utf8"))
    >>> utf8.accepts("€".encode()), utf8.accepts(b"\xed\\xa0\\x80")
    (True, False)
    >>> utf8.names
    ('start', 'tail1', 'after_E0', 'tail2', 'after_ED', 'after_F0', 'tail3', 'after_F4', 'reject')
    """
    return determinise(compile_nfa(grammar, start), file=grammar.file).minimal()
