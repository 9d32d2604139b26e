"""Return an ``Automaton`` of the words of a recursive ``Grammar`` beyond the depth to which it is unrolled.

The automaton of a grammar with a depth rejects words that nest deeper, although the grammar derives them. Each of these
words has a beginning where a rule would be used too deep, and then a byte with which that rule can begin. So a second
automaton finds all words that may be too deep; for these, ask the whole grammar.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from utf8_abnf.automaton.compile import compile_grammar, smallest_deeper
from utf8_abnf.automaton.earley import Recogniser
from utf8_abnf.automaton.network import called_rules, network
from utf8_abnf.errors import NotRegularError, TooLargeError, UndecidedError
from utf8_abnf.grammar.values import ranges_of
from utf8_abnf.language import grammars as messages
from utf8_abnf.language.catalogue import Message

if TYPE_CHECKING:
    from utf8_abnf.automaton.model import Automaton
    from utf8_abnf.grammar import Grammar
    from utf8_abnf.grammar.values import Ranges

MAX_DEEPER = 3  # levels that are added to one grammar to distinguish a difference from a word that nests deeper


def unrolled(grammar: Grammar, start: str | None = None, depth: int | None = None) -> Grammar:
    """Return *grammar*, with *depth* if an automaton of *start* needs one: it is recursive and not regular.

    Without *depth*, it is 1, or 0 where the automaton at depth 1 is too large.
    """
    try:
        compile_grammar(grammar, start)
    except NotRegularError:
        made = replace(grammar, depth=1 if depth is None else depth)
    else:
        return grammar
    try:
        if depth is None:
            compile_grammar(made, start)
    except TooLargeError:
        return replace(grammar, depth=0)
    return made


def beyond(grammar: Grammar, start: str | None = None) -> Automaton | None:
    """Return the automaton of all words that may be too deep for *grammar*, or None if it has no depth."""
    if grammar.depth is None:
        return None

    def firsts(rule: str) -> Ranges:
        mask = network(grammar, rule, called_rules(grammar, rule)).firsts[0]
        return ranges_of(byte for byte in range(256) if mask >> byte & 1)

    return smallest_deeper(grammar, start, cache(firsts))


def only_in(one: Grammar, other: Grammar, starts: tuple[str, str]) -> bytes | None:
    """Return the shortest word of *one*, within its depth, that *other* does not derive at any depth; None if none.

    ``UndecidedError`` if words of *one* nest much deeper in *other*.
    """
    mine = compile_grammar(one, starts[0])
    for more in range(MAX_DEEPER + 1):
        deeper = other if other.depth is None else replace(other, depth=other.depth + more)
        word = mine.first_not_in(compile_grammar(deeper, starts[1]))
        if word is None or other.depth is None or Recogniser(other, starts[1]).read(word).refused:
            return word
    facts = {"rule": starts[0], "file": one.file, "most": MAX_DEEPER, "other": other.file}
    raise UndecidedError(Message(messages.NESTS_DEEPER, **facts))
