"""Find the nullable, left-recursive and productive rules of a ``Grammar``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from utf8_abnf.grammar.model import references, settled, used_children, uses
from utf8_abnf.grammar.recursion import shortest_circle
from utf8_abnf.grammar.syntax import Concatenation, Prose, Ref, Text, fold

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from utf8_abnf.grammar.model import Grammar
    from utf8_abnf.grammar.syntax import Node, Span


def nullable_rules(grammar: Grammar) -> frozenset[str]:
    """Return the nullable rules, in lower case: those that derive the empty string."""
    found = settled(grammar.rules.values(), nullable, first=False)
    return frozenset(name for name, is_nullable in found.items() if is_nullable)


def nullable(node: Node, rules: Mapping[str, bool]) -> bool:
    """Return whether *node* derives the empty string, given that for each rule in *rules* (names in lower case)."""
    return _derives(node, rules, lambda leaf: isinstance(leaf, Text) and not leaf.text, unknown=False)


def _derives(node: Node, rules: Mapping[str, bool], holds: Callable[[Node], bool], *, unknown: bool) -> bool:
    """Return whether *node* has a derivation whose leaves all are such that *holds*.

    *rules* has the answer for each rule (names in lower case); *unknown* is the answer for any other rule.
    """

    def leaf(node: Node) -> bool:
        return rules.get(node.name.lower(), unknown) if isinstance(node, Ref) else holds(node)

    def repeated(low: int, high: int | None, derives: bool) -> bool:
        return low == 0 or derives

    return fold(node, leaf, sequence=all, choice=any, repeated=repeated)


def endless_rules(grammar: Grammar) -> list[str]:
    r"""Return the rules that derive nothing, in the order of the text. Undefined rules and prose count as something.

    >>> from utf8_abnf.grammar import Grammar
    >>> endless_rules(Grammar.parse('a = "x" a\nb = [ a ] "y"'))
    ['a']
    """
    rules = grammar.rules.values()
    ends = settled(rules, lambda node, known: _derives(node, known, lambda leaf: True, unknown=True), first=False)
    return [rule.name for rule in rules if not ends[rule.name.lower()]]


def productive_rules(grammar: Grammar) -> frozenset[str]:
    """Return the rules, in lower case, that derive something, if prose and undefined rules derive nothing."""

    def derives(node: Node, rules: Mapping[str, bool]) -> bool:
        return _derives(node, rules, lambda leaf: not isinstance(leaf, Prose), unknown=False)

    found = settled(grammar.rules.values(), derives, first=False)
    return frozenset(name for name, is_productive in found.items() if is_productive)


def left_recursion(grammar: Grammar, start: str | None = None) -> tuple[str, ...]:
    """Return the names of left-recursive rules that *start* reaches and that are a cycle; () if there is none.

    A rule refers to the next one with nothing, or only nullable elements, before the reference.

    >>> from utf8_abnf.grammar import Grammar
    >>> left_recursion(Grammar.parse('list = [list] "a"'))
    ('list',)
    """
    empty = settled(grammar.rules.values(), nullable, first=False)

    def first(node: Node) -> tuple[Node, ...]:
        """Return the nodes right below *node* with which it can begin."""
        below = used_children(node)
        is_sequence = isinstance(node, Concatenation)
        reading = (at for at, item in enumerate(below, 1) if is_sequence and not nullable(item, empty))
        return below[: next(reading, None)]

    return _cycle(grammar, start, lambda node: references(node, first))


def cycle(grammar: Grammar, start: str | None = None) -> tuple[str, ...]:
    """Return the names of rules that *start* reaches and that use each other in a cycle; () if there is none."""
    return _cycle(grammar, start, uses)


def _cycle(grammar: Grammar, start: str | None, used: Callable[[Node], list[str]]) -> tuple[str, ...]:
    edges = {
        rule.name: [grammar[name].name for name in used(rule.definition) if name in grammar]
        for rule in grammar.reachable(start)
    }
    return shortest_circle(edges)


def place(grammar: Grammar, names: tuple[str, ...]) -> Span:
    """Return the span of the first of *names* that the grammar's text defines; core rules are defined elsewhere."""
    return next(grammar[name].span for name in names if not grammar[name].core)
