"""From a grammar to its smallest automaton, in three steps: NFA, subset construction, minimisation."""

from __future__ import annotations

from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from utf8_abnf.automaton.fragments import smallest

if TYPE_CHECKING:
    from utf8_abnf.automaton.model import Automaton
    from utf8_abnf.grammar import Grammar

_compiled: WeakKeyDictionary[Grammar, dict[str, Automaton]] = WeakKeyDictionary()  # for as long as the grammar lives


def compile_grammar(grammar: Grammar, start: str | None = None) -> Automaton:
    r"""Return the smallest automaton that accepts what rule *start* of *grammar* (its first by default) derives.

    Raises ``NotRegularError``, with the cycle of rules, where the grammar is not shown to be regular; ``TooLargeError``
    above the limits in ``nfa`` and ``determinise``; ``GrammarError`` where a rule is missing or written as prose.

    >>> from utf8_abnf.grammar import Grammar
    >>> utf8 = compile_grammar(Grammar.load("utf8"))
    >>> utf8.accepts("€".encode()), utf8.accepts(b"\xed\\xa0\\x80")
    (True, False)
    >>> utf8.names
    ('start', 'tail1', 'after_E0', 'tail2', 'after_ED', 'after_F0', 'tail3', 'after_F4', 'reject')
    """
    known = _compiled.setdefault(grammar, {})
    name = (start or grammar.start).lower()
    if name not in known:
        known[name] = smallest(grammar, start)
    return known[name]
