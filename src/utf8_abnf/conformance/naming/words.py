"""Makes automata of words: of sets of bytes, of rules of RFC 3629, and of the prefixes of words."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from utf8_abnf.automaton import Automaton, compile_grammar
from utf8_abnf.grammar import Grammar

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

RULES = ("UTF8-char", "UTF8-2", "UTF8-3", "UTF8-4")  # that lines name where a class is equal to one


def words_of(places: Sequence[Iterable[int]]) -> Automaton:
    """Return the automaton of the words that have at each place one of the bytes of that place."""
    rows = [[len(places) + 1] * 256 for _ in range(len(places) + 2)]
    for number, each in enumerate(places):
        for byte in each:
            rows[number][byte] = number + 1
    return Automaton.from_rows(0, rows, [len(places)])


def rule_of(words: Automaton) -> str | None:
    """Return the rule of ``RULES`` that derives just *words*, or None."""
    return next((rule for rule in RULES if words.equivalent(context(rule)) is None), None)


@lru_cache(256)
def context(text: str) -> Automaton:
    """Return what *text* derives: ABNF with the rules of RFC 3629, and ``octet``."""
    grammar = f"context = {text}\noctet = %x00-FF\n{Grammar.load('utf8').text}"
    return compile_grammar(Grammar.parse(grammar), "context").minimal()


def proper_prefixes(words: Automaton) -> Automaton:
    """Return the automaton of what *words* begin with: not nothing, and a whole word only if it begins another."""
    small = words.minimal()
    longer = {state for state, row in enumerate(small.table) if not set(row) <= small.dead}
    return replace(small, accepting=frozenset(longer - {small.start})).minimal()
