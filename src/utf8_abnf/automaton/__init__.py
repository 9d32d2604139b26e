"""Compile a rule of a ``Grammar`` to the smallest deterministic ``Automaton`` that accepts the same bytes.

``compile`` makes it from an NFA (``grammar.nfa``) by the subset construction and ``minimise`` (Hopcroft). ``model`` has
the result, an ``Automaton``; five modules that it uses name this class in annotations.

These modules work on automata: ``product`` (union, intersection, difference, complement, counterexamples), ``words``
(access words, state cover, separating words), ``names`` (of states), ``forms`` (characters as ABNF), ``show`` (table,
Mermaid, DOT, JSON) and ``annotate`` (JSON with the places in the grammar). ``regex`` turns a grammar into a regular
expression. For one input, ``explain`` finds the first wrong byte and what is allowed there, ``derivation`` follows its
derivation, and ``ways`` chooses one where there are several. The errors are in ``utf8_abnf.errors``.

For a recursive grammar, ``depth`` finds the words that its unrolled automaton leaves out. ``network`` is its recursive
transition network: an automaton for each rule that is called. ``earley`` reads an input with it and finds which rules
derive which pieces.
"""

from utf8_abnf.automaton.compile import compile_grammar
from utf8_abnf.automaton.model import Automaton
from utf8_abnf.automaton.product import complement, difference, intersection, product, union
from utf8_abnf.automaton.words import access_words, separating_words, state_cover

__all__ = [
    "Automaton",
    "access_words",
    "compile_grammar",
    "complement",
    "difference",
    "intersection",
    "product",
    "separating_words",
    "state_cover",
    "union",
]
