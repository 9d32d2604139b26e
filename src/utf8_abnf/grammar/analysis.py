"""Find the nullable, productive and recursive rules of a ``Grammar``, and on which side they use each other.

A *component* is a set of rules that use each other. If they do so only at their right end (``a = "x" a / "y"``), or
only at their left end (``a = a "x" / "y"``), they are regular. A grammar in which this holds for every component is
*strongly regular* (Mohri and Nederhof, "Regular Approximation of Context-Free Grammars through Transformation", 2001).
"""

from __future__ import annotations

from collections import deque
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from utf8_abnf.grammar.model import references, settled, used_children, uses
from utf8_abnf.grammar.syntax import Alternation, Concatenation, Group, Option, Prose, Ref, Repetition, Span, Text, fold

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from collections.abc import Set as AbstractSet

    from utf8_abnf.grammar.model import Grammar
    from utf8_abnf.grammar.syntax import Node

EMPTY = (Text(""), Text("", case_sensitive=True))
MAX_TRIED = 20  # uses for which the shortest cycle is looked for


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
    """Return a short cycle of rules, of the component with the first rule that is on one; *used*: rules in a node."""
    edges = {
        rule.name: [grammar[name].name for name in used(rule.definition) if name in grammar]
        for rule in grammar.reachable(start)
    }
    cyclic = cycles(edges)
    around = next((names for name in edges for names in cyclic if name in names), frozenset[str]())
    inner = {name: [each for each in edges[name] if each in around] for name in edges if name in around}
    circles = ((name, *_path(inner, after, name)) for name in inner for after in inner[name])
    return min(islice(circles, MAX_TRIED), key=len, default=())


def place(grammar: Grammar, names: tuple[str, ...]) -> Span:
    """Return the span of the first of *names* that the grammar's text defines; core rules are defined elsewhere."""
    return next(grammar[name].span for name in names if not grammar[name].core)


class Component(NamedTuple):
    """Rules, by their names in lower case, each of which uses each other one, directly or through others.

    *right*: they use each other only where nothing follows. *left*: only where nothing comes before.
    """

    rules: frozenset[str]
    right: bool
    left: bool


@lru_cache(maxsize=8)
def components(grammar: Grammar) -> dict[str, Component]:
    """Return the component of each recursive rule of *grammar*, by the rule's name in lower case."""
    edges = {name: [each.lower() for each in uses(rule.definition)] for name, rule in grammar.rules.items()}
    kinds: dict[str, Component] = {}
    blank = _blank_rules(grammar)
    for names in cycles(edges):
        inner = [use for name in names for use in _uses(grammar, name, names, blank)]
        kind = Component(names, all(use.last for use in inner), all(use.first for use in inner))
        kinds.update(dict.fromkeys(names, kind))
    return kinds


def largest_regular(grammar: Grammar, start: str) -> str:
    """Return the rule that *start* uses, directly or not, and that is regular and uses most rules; "" if none is."""
    found = components(grammar)
    irregular = {name for name, kind in found.items() if not (kind.right or kind.left)}
    uses = {
        rule.name: {each.name.lower() for each in grammar.reachable(rule.name)} for rule in grammar.reachable(start)
    }
    regular = [name for name in uses if not uses[name] & irregular]
    return max(regular, key=lambda name: len(uses[name]), default="")


def cycles(edges: dict[str, list[str]]) -> list[frozenset[str]]:
    """Return the strongly connected components of a graph in which there is a cycle (Kosaraju's algorithm)."""
    seen, seen_backwards = set[str](), set[str]()
    order = [name for start in edges for name in _finished(edges, start, seen)]
    backwards: dict[str, list[str]] = {name: [] for name in edges}
    for name in edges:
        for after in backwards.keys() & edges[name]:
            backwards[after].append(name)
    parts = [frozenset(_finished(backwards, start, seen_backwards)) for start in reversed(order)]
    return [names for names in parts if len(names) > 1 or any(name in edges[name] for name in names)]


def _finished(edges: dict[str, list[str]], start: str, seen: set[str]) -> list[str]:
    """Return the nodes that *start* reaches beside those in *seen*, each behind what it reaches; add them to *seen*."""
    done, todo = [], [(start, False)]
    while todo:
        name, is_done = todo.pop()
        if is_done:
            done.append(name)
        elif name in edges and name not in seen:
            seen.add(name)
            todo += [(name, True), *((each, False) for each in edges[name])]
    return done


def nesting(grammar: Grammar, rule: str) -> tuple[tuple[str, ...], Span]:
    """Return why *rule* is not shown to be regular: a circle of rules, and the place of a use in it.

    This use has something on both sides where there is such a use, else behind it. The first rule is not repeated.
    """
    names, blank = components(grammar)[rule.lower()].rules, _blank_rules(grammar)
    inner = [use for name in grammar.rules if name in names for use in _uses(grammar, name, names, blank)]
    edges: dict[str, list[str]] = {name: [] for name in names}
    for use in inner:
        edges[use.within].append(use.name)
    least = min((use.last, use.first) for use in inner)
    uses = [use for use in inner if (use.last, use.first) == least][:MAX_TRIED]
    circles = [[use.within, *_path(edges, use.name, use.within)] for use in uses]
    shortest = min(range(len(uses)), key=lambda number: len(circles[number]))
    return tuple(grammar[name].name for name in circles[shortest]), uses[shortest].span


def _path(edges: dict[str, list[str]], start: str, end: str) -> list[str]:
    """Return the rules of a shortest path from *start* to *end*, which is left out."""
    before, todo = {start: start}, deque([start])
    while end not in before:
        name = todo.popleft()
        fresh = {each: name for each in edges[name] if each not in before}
        before.update(fresh)
        todo.extend(fresh)
    found = []
    while end != start:
        end = before[end]
        found.append(end)
    return found[::-1]


class _Use(NamedTuple):
    """A use of rule *name* in rule *within*, in lower case. *last*: nothing follows it; *first*: nothing is before."""

    within: str
    name: str
    last: bool
    first: bool
    span: Span


def _uses(grammar: Grammar, rule: str, names: AbstractSet[str], blank: Mapping[str, bool]) -> Iterator[_Use]:
    """Yield the uses of *names* in *rule*, in the order of the text."""
    todo = [(grammar[rule].definition, True, True)]
    while todo:
        node, last, first = todo.pop()
        match node:
            case Ref(name=name) if name.lower() in names:
                yield _Use(rule.lower(), name.lower(), last, first, node.span)
            case Group(item=item) | Option(item=item):
                todo.append((item, last, first))
            case Repetition(item=item, high=high) if high != 0:
                todo.append((item, last and high == 1, first and high == 1))
            case Alternation(items=items):
                todo.extend((item, last, first) for item in reversed(items))
            case Concatenation(items=items):
                reading = [i for i, item in enumerate(items) if not _blank(item, blank)]
                begin, end = (min(reading), max(reading)) if reading else (len(items), -1)
                todo.extend(
                    (item, last and i >= end, first and i <= begin) for i, item in reversed([*enumerate(items)])
                )


def _blank_rules(grammar: Grammar) -> dict[str, bool]:
    """Return for each rule, in lower case, whether it derives the empty string and nothing else."""
    return settled(grammar.rules.values(), _blank, first=False)


def _blank(node: Node, rules: Mapping[str, bool]) -> bool:
    """Return whether *node* derives the empty string and nothing else, given that for each rule in *rules*."""

    def leaf(node: Node) -> bool:
        return rules.get(node.name.lower(), False) if isinstance(node, Ref) else node in EMPTY

    def repeated(low: int, high: int | None, is_blank: bool) -> bool:
        return high == 0 or is_blank

    return fold(node, leaf, sequence=all, choice=all, repeated=repeated)
