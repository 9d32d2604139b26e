"""Exact answers about a grammar: which rules are nullable, which are left-recursive, and the NFA of its derivations.

The reference parser, the automaton and the linter use these answers. ``DerivationNfa`` is Thompson's construction,
and so is ``utf8_abnf.automaton.nfa``. They are twins on purpose:

- The linter is below the automaton, and must work where no automaton can be compiled.
- Ambiguity needs each choice of the grammar as a state of its own, also a choice that reads nothing: then paths and
  derivations correspond one to one, and two paths for one string are an ambiguity. The NFA of the automaton needs the
  rules on the way to each byte, accepts rules that end in themselves, and leaves out choices that read nothing.

``tests/automaton/test_random.py`` runs both constructions on random grammars and compares them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from utf8_abnf.errors import TooLargeError
from utf8_abnf.grammar.model import settled, uses
from utf8_abnf.grammar.syntax import (
    NOWHERE,
    Alternation,
    Concatenation,
    Group,
    Option,
    Prose,
    Ref,
    Repetition,
    Text,
)
from utf8_abnf.grammar.values import byte_strings, mask_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from utf8_abnf.grammar.model import Grammar
    from utf8_abnf.grammar.syntax import Node, Rule, Span

    _Gap = tuple[Rule, Node, int, int, tuple[str, ...]]
    """A node that has still to be built, the two states that it connects, and the recursive rules around it."""

MAX_STATES = 100_000  # of an NFA; the URI grammar, the largest that ships, has some 7,000


def nullable_rules(grammar: Grammar) -> frozenset[str]:
    """Return the nullable rules, in lower case: those that derive the empty string."""
    found = settled(grammar.rules.values(), nullable, first=False)
    return frozenset(name for name, is_nullable in found.items() if is_nullable)


def nullable(node: Node, rules: Mapping[str, bool]) -> bool:
    """Return whether *node* derives the empty string, if *rules* says of rules (in lower case) whether they do."""
    return _derives(node, rules, lambda leaf: isinstance(leaf, Text) and not leaf.text, unknown=False)


def _derives(node: Node, rules: Mapping[str, bool], holds: Callable[[Node], bool], *, unknown: bool) -> bool:
    """Return whether *node* has a derivation whose leaves all are such that *holds*.

    *rules* says so of rules (in lower case), and *unknown* is the answer for a rule that is not among them.
    """
    match node:
        case Ref(name=name):
            return rules.get(name.lower(), unknown)
        case Repetition(low=low, item=item):
            return low == 0 or _derives(item, rules, holds, unknown=unknown)
        case Option():
            return True
        case Group(item=item):
            return _derives(item, rules, holds, unknown=unknown)
        case Concatenation(items=items):
            return all(_derives(item, rules, holds, unknown=unknown) for item in items)
        case Alternation(items=items):
            return any(_derives(item, rules, holds, unknown=unknown) for item in items)
    return holds(node)


def endless_rules(grammar: Grammar) -> list[str]:
    r"""Return the rules that derive nothing, in the order of the text. Undefined rules and prose count as something.

    >>> from utf8_abnf.grammar import Grammar
    >>> endless_rules(Grammar.parse('a = "x" a\nb = [ a ] "y"'))
    ['a']
    """

    def has_an_end(node: Node, rules: Mapping[str, bool]) -> bool:
        return _derives(node, rules, lambda leaf: True, unknown=True)

    ends = settled(grammar.rules.values(), has_an_end, first=False)
    return [rule.name for rule in grammar.rules.values() if not ends[rule.name.lower()]]


def productive_rules(grammar: Grammar) -> frozenset[str]:
    """Return the rules, in lower case, that derive something, if prose and undefined rules derive nothing."""

    def derives(node: Node, rules: Mapping[str, bool]) -> bool:
        return _derives(node, rules, lambda leaf: not isinstance(leaf, Prose), unknown=False)

    found = settled(grammar.rules.values(), derives, first=False)
    return frozenset(name for name, is_productive in found.items() if is_productive)


def left_recursion(grammar: Grammar, start: str | None = None) -> tuple[str, ...]:
    """Return a cycle of left-recursive rules that *start* reaches, by their names; () if there is none.

    A rule refers to the next one with nothing, or only nullable elements, before the reference.

    >>> from utf8_abnf.grammar import Grammar
    >>> left_recursion(Grammar.parse('list = [list] "a"'))
    ('list',)
    """
    empty = settled(grammar.rules.values(), nullable, first=False)
    return _cycle(grammar, start, lambda node: _first_references(node, empty))


def cycle(grammar: Grammar, start: str | None = None) -> tuple[str, ...]:
    """Return the names of rules that *start* reaches and that use each other in a cycle; () if there is none."""
    return _cycle(grammar, start, uses)


def _cycle(grammar: Grammar, start: str | None, used: Callable[[Node], list[str]]) -> tuple[str, ...]:
    rules = grammar.reachable(start)
    return first_cycle(
        {rule.name: [grammar[name].name for name in used(rule.definition) if name in grammar] for rule in rules}
    )


def place(grammar: Grammar, names: tuple[str, ...]) -> Span:
    """Return the span of the first of *names* that the grammar's text defines; core rules are defined elsewhere."""
    return next(grammar[name].span for name in names if not grammar[name].core)


def first_cycle(edges: dict[str, list[str]]) -> tuple[str, ...]:
    """Return the nodes of one cycle of the graph *edges*, in order, or () if there is none.

    The search is depth first and does not call itself, so the length of a path has no limit.

    >>> first_cycle({"a": ["b"], "b": ["c"], "c": ["b"]})
    ('b', 'c')
    """
    done: set[str] = set()
    for root in edges:
        path = {root: None} if root not in done else {}  # a dict: ordered, and quick to search
        ahead = [iter(edges[root])]
        while path:
            name = next((each for each in ahead[-1] if each not in done), None)
            if name is None:
                done.add(path.popitem()[0])
                ahead.pop()
            elif name in path:
                names = list(path)
                return tuple(names[names.index(name) :])
            else:
                path[name] = None
                ahead.append(iter(edges.get(name, [])))
    return ()


def _first_references(node: Node, empty: Mapping[str, bool]) -> list[str]:
    """Return the rules with which *node* can begin; *empty* says which rules are nullable."""
    match node:
        case Ref(name=name):
            return [name]
        case Repetition(high=0):
            return []
        case Repetition(item=item) | Option(item=item) | Group(item=item):
            return _first_references(item, empty)
        case Alternation(items=items):
            return [name for item in items for name in _first_references(item, empty)]
        case Concatenation(items=items):
            found = []
            for item in items:
                found += _first_references(item, empty)
                if not nullable(item, empty):
                    break
            return found
    return []


@dataclass(slots=True)
class DerivationNfa:
    """The derivations of a node as an NFA. Reading starts in state 0 and ends in state 1.

    Each state reads one byte or none. *moves* has for each state that reads a byte the set of bytes, as a mask of 256
    bits, and the next state. *empties* has the next states of one that reads nothing, in the order of the grammar.
    *places* has for each state the rule and the node that it comes from.
    """

    moves: list[tuple[int, int] | None] = field(default_factory=list)
    empties: list[tuple[int, ...]] = field(default_factory=list)
    places: list[tuple[Rule, Node]] = field(default_factory=list)
    _closures: dict[int, frozenset[int]] = field(default_factory=dict)
    _inside: dict[int, tuple[int, ...]] = field(default_factory=dict)  # representatives, by mask

    def add(self, rule: Rule, node: Node) -> int:
        """Add a state that has no move yet; return its number."""
        self.moves.append(None)
        self.empties.append(())
        self.places.append((rule, node))
        return len(self.moves) - 1

    def closure(self, states: Iterable[int]) -> frozenset[int]:
        """Return *states* and all states that they reach without reading."""
        found = set(states)
        todo = list(found)
        while todo:
            fresh = [each for each in self.empties[todo.pop()] if each not in found]
            found.update(fresh)
            todo.extend(fresh)
        return frozenset(found)

    def step(self, states: Iterable[int], byte: int) -> frozenset[int]:
        """Return the closure of the states that *states* reach by reading *byte*."""
        moves = (self.moves[state] for state in states)
        return frozenset().union(*(self._closure_of(move[1]) for move in moves if move and move[0] >> byte & 1))

    def steps(self, states: Iterable[int], some_bytes: tuple[int, ...]) -> dict[int, frozenset[int]]:
        """Return for each of *some_bytes* that *states* can read what ``step`` does; always give the same bytes."""
        reached: dict[int, list[int]] = {}
        for state in states:
            if move := self.moves[state]:
                mask, target = move
                inside = self._inside.get(mask)
                if inside is None:
                    inside = self._inside[mask] = tuple(each for each in some_bytes if mask >> each & 1)
                for byte in inside:
                    reached.setdefault(byte, []).append(target)
        return {byte: frozenset().union(*map(self._closure_of, targets)) for byte, targets in reached.items()}

    def _closure_of(self, state: int) -> frozenset[int]:
        if state not in self._closures:
            self._closures[state] = self.closure([state])
        return self._closures[state]

    def representatives(self) -> tuple[int, ...]:
        """Return one byte for each class of bytes that no move tells apart; the most readable bytes come first."""
        masks = {move[0] for move in self.moves if move}
        seen: dict[tuple[bool, ...], int] = {}
        for byte in sorted(range(0x100), key=_reads_badly):
            seen.setdefault(tuple(bool(mask >> byte & 1) for mask in masks), byte)
        return tuple(seen.values())


def _reads_badly(byte: int) -> int:
    char = chr(byte)
    kinds = (char.islower(), char.isdigit(), char.isprintable() and char != " ")
    return kinds.index(True) if byte < 0x7F and any(kinds) else len(kinds)


class Budget:
    """A limit on work, counted in states and in steps over states. ``TooLargeError`` when nothing is left."""

    def __init__(self, grammar: Grammar, left: int = MAX_STATES) -> None:
        self.grammar = grammar
        self.left = left

    def spend(self, work: int, rule: Rule) -> None:
        """Subtract *work* from what is left; an error names *rule*."""
        self.left -= work
        if self.left < 0:
            file, line, column = self.grammar.where(NOWHERE if rule.core else rule.span)
            message = f"{rule.name} is too large to be analysed within the limit"
            raise TooLargeError(message, file=file, line=line, column=column)


def derivation_nfa(
    grammar: Grammar, rule: Rule, node: Node | None = None, budget: Budget | None = None, depth: int = 0
) -> DerivationNfa:
    """Return the NFA of *node*, which is a part of *rule*; by default of the whole rule.

    Derivations in which a rule is more than *depth* times within itself are left out. ``TooLargeError`` when *budget*
    (by default ``MAX_STATES`` states) is used up.
    """
    budget = budget or Budget(grammar)
    made = DerivationNfa()
    top = node or rule.definition
    made.add(rule, top)
    made.add(rule, top)
    recursive = _recursive(grammar, rule)
    todo: list[_Gap] = [(rule, top, 0, 1, (rule.name,))]
    while todo:
        before = len(made.moves)
        gap = todo.pop()
        if isinstance(gap[1], Ref) and gap[1].name in grammar and (name := grammar[gap[1].name].name) in recursive:
            if gap[4].count(name) > depth:
                continue  # a state without a move
            gap = (*gap[:4], (*gap[4], name))
        if isinstance(gap[1], Repetition) and _copies(gap[1]) > budget.left:
            budget.spend(_copies(gap[1]), rule)
        todo.extend((*each, gap[4]) for each in reversed(_expanded(made, grammar, *gap[:4])))
        budget.spend(len(made.moves) - before + 1, rule)
    return made


def _expanded(
    made: DerivationNfa, grammar: Grammar, rule: Rule, node: Node, enter: int, leave: int
) -> list[tuple[Rule, Node, int, int]]:
    """Build the outermost node between *enter* and *leave*; return the nodes inside it, each with its two states."""
    match node:
        case Ref(name=name):
            return [(grammar[name], grammar[name].definition, enter, leave)]
        case Group(item=item):
            return [(rule, item, enter, leave)]
        case Option(item=item):
            return _repeated(made, rule, Repetition(0, 1, item, node.span), enter, leave)
        case Repetition():
            return _repeated(made, rule, node, enter, leave)
        case Alternation(items=items):
            first = [made.add(rule, item) for item in items]
            made.empties[enter] = tuple(first)
            made.places[enter] = (rule, node)
            return [(rule, item, state, leave) for item, state in zip(items, first, strict=True)]
        case Concatenation(items=items):
            between = [enter, *(made.add(rule, item) for item in items[1:]), leave]
            return [(rule, item, between[i], between[i + 1]) for i, item in enumerate(items)]
    strings = byte_strings(node, grammar.values)
    starts = [enter] if len(strings) == 1 else [made.add(rule, node) for _ in strings]
    for string, start in zip(strings, starts, strict=True):
        between = [start, *(made.add(rule, node) for _ in string[1:]), leave]
        if not string:
            made.empties[start] = (leave,)
        for i, ranges in enumerate(string):
            made.moves[between[i]] = (mask_of(ranges), between[i + 1])
    if len(starts) > 1:
        made.empties[enter] = tuple(starts)
        made.places[enter] = (rule, node)
    return []


def _recursive(grammar: Grammar, start: Rule) -> set[str]:
    """Return the names of the rules that *start* reaches and that use themselves, directly or through others."""
    edges = {
        rule.name: {grammar[name].name for name in uses(rule.definition) if name in grammar}
        for rule in grammar.reachable(start.name)
    }
    found = set()
    for name, todo in ((name, [*used]) for name, used in edges.items()):
        seen = set(todo)
        while todo and name not in seen:
            fresh = edges[todo.pop()] - seen
            seen |= fresh
            todo += fresh
        found |= {name} & seen
    return found


def _repeated(
    made: DerivationNfa, rule: Rule, node: Repetition, enter: int, leave: int
) -> list[tuple[Rule, Node, int, int]]:
    """Build copies of the item, then a loop where there is no upper bound.

    Each optional copy and each round of the loop is a choice: first to read one more item, then to leave.
    """
    copies = _copies(node)
    states = [enter, *(made.add(rule, node) for _ in range(copies))]
    made.places[enter] = (rule, node)
    pieces: list[tuple[Rule, Node, int, int]] = []
    for i in range(copies):
        body = states[i]
        if i >= node.low:
            body = made.add(rule, node.item)
            made.empties[states[i]] = (body, leave)
        pieces.append((rule, node.item, body, states[i + 1]))
    last = states[-1]
    if node.high is None:
        body = made.add(rule, node.item)
        made.empties[last] = (body, leave)
        pieces.append((rule, node.item, body, last))
    else:
        made.empties[last] = (leave,)
    return pieces


def _copies(node: Repetition) -> int:
    """Return how often the item of *node* is built, but for a loop behind."""
    return node.low if node.high is None else node.high
