"""What a grammar says about itself: which rules can be empty, which call themselves first, and its NFA of byte sets.

These are the exact answers that the reference parser, the Lark parser and the linter need. The NFA is Thompson's, one
state for one choice, so that its paths are the grammar's derivations one to one: two paths for one string are an
ambiguity.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from utf8_abnf.errors import TooLargeError
from utf8_abnf.grammar.model import references
from utf8_abnf.grammar.syntax import (
    NOWHERE,
    Alternation,
    Concatenation,
    Group,
    Option,
    Prose,
    Range,
    Ref,
    Repetition,
    Series,
    Text,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from utf8_abnf.grammar.model import Grammar
    from utf8_abnf.grammar.syntax import Node, Rule, Span

    _Piece = tuple[Rule, Node, int, int]  # what is to stand between which two states

MAX_STATES = 100_000  # of an NFA; the URI grammar, the largest on our shelf, has some 7,000


def nullable_rules(grammar: Grammar) -> frozenset[str]:
    """Return the rules that can be the empty string, in lower case."""
    users: dict[str, list[str]] = {}
    for name, rule in grammar.rules.items():
        for used in references(rule.definition):
            users.setdefault(used.lower(), []).append(name)
    found: set[str] = set()
    todo = list(grammar.rules)
    while todo:
        name = todo.pop()
        if name.lower() not in found and nullable(grammar[name].definition, found):
            found.add(name.lower())
            todo.extend(users.get(name.lower(), []))
    return frozenset(found)


def nullable(node: Node, rules: Iterable[str]) -> bool:
    """Whether *node* can be the empty string, if of all rules just *rules* can."""
    match node:
        case Ref(name=name):
            return name.lower() in rules
        case Text(text=text):
            return not text
        case Repetition(low=low, item=item):
            return low == 0 or nullable(item, rules)
        case Option():
            return True
        case Group(item=item):
            return nullable(item, rules)
        case Concatenation(items=items):
            return all(nullable(item, rules) for item in items)
        case Alternation(items=items):
            return any(nullable(item, rules) for item in items)
    return False


def left_recursion(grammar: Grammar, start: str | None = None) -> tuple[str, ...]:
    """Return the names of the rules in a cycle of first references that *start* reaches; empty if there is none.

    >>> from utf8_abnf.grammar import Grammar
    >>> left_recursion(Grammar.parse('list = [list] "a"'))
    ('list',)
    """
    empty = nullable_rules(grammar)
    edges = {
        rule.name: [grammar[name].name for name in _first_references(rule.definition, empty) if name in grammar]
        for rule in grammar.reachable(start)
    }
    return first_cycle(edges)


def place(grammar: Grammar, names: tuple[str, ...]) -> Span:
    """Return where the first rule of a cycle stands that stands in the grammar's text: core rules do not."""
    return next(grammar[name].span for name in names if not grammar[name].core)


def first_cycle(edges: dict[str, list[str]]) -> tuple[str, ...]:
    """Return the nodes of one cycle of the graph *edges*, in its order, or nothing; depth first, without recursion.

    >>> first_cycle({"a": ["b"], "b": ["c"], "c": ["b"]})
    ('b', 'c')
    """
    done: set[str] = set()
    for root in edges:
        path = {root: None} if root not in done else {}  # a dict, because it is ordered and quick to search
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


def _first_references(node: Node, empty: frozenset[str]) -> list[str]:
    """Return the rules with which *node* can begin, *empty* being the rules that can be nothing."""
    match node:
        case Ref(name=name):
            return [name]
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
class Nfa:
    """Thompson's automaton of a node. State 0 begins and state 1 ends; a state has empty moves or one byte move.

    *moves*: for each state the byte set (a mask of 256 bits) and the state after it; *empties*: the states that it
    leads to without a byte, in the order of the grammar; *places*: the rule and node that it stands for.
    """

    moves: list[tuple[int, int] | None] = field(default_factory=list)
    empties: list[tuple[int, ...]] = field(default_factory=list)
    places: list[tuple[Rule, Node]] = field(default_factory=list)
    _closures: dict[int, frozenset[int]] = field(default_factory=dict)

    def add(self, rule: Rule, node: Node) -> int:
        """Return a new state, without any move yet."""
        self.moves.append(None)
        self.empties.append(())
        self.places.append((rule, node))
        return len(self.moves) - 1

    def closure(self, states: Iterable[int]) -> frozenset[int]:
        """Return *states* and what they lead to without a byte."""
        found = set(states)
        todo = list(found)
        while todo:
            fresh = [each for each in self.empties[todo.pop()] if each not in found]
            found.update(fresh)
            todo.extend(fresh)
        return frozenset(found)

    def step(self, states: Iterable[int], byte: int) -> frozenset[int]:
        """Return the closure of what *states* lead to with *byte*."""
        moves = (self.moves[state] for state in states)
        return frozenset().union(*(self._closure_of(move[1]) for move in moves if move and move[0] >> byte & 1))

    def _closure_of(self, state: int) -> frozenset[int]:
        if state not in self._closures:
            self._closures[state] = self.closure([state])
        return self._closures[state]

    def representatives(self) -> tuple[int, ...]:
        """Return one byte for each class of bytes that no move tells apart; those that read best come first."""
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
    """How much work is left: states of automata, and steps over them. ``TooLargeError`` when it is used up."""

    def __init__(self, grammar: Grammar, left: int = MAX_STATES) -> None:
        self.grammar = grammar
        self.left = left

    def spend(self, work: int, rule: Rule) -> None:
        """Take *work* off what is left; *rule* is the one that an error names."""
        self.left -= work
        if self.left < 0:
            line, column = self.grammar.position(NOWHERE if rule.core else rule.span)
            message = f"{rule.name} is too large to be analysed within the limits"
            raise TooLargeError(message, file=self.grammar.file, line=line, column=column)


def nfa(grammar: Grammar, rule: Rule, node: Node | None = None, budget: Budget | None = None) -> Nfa:
    """Return the automaton of *node*, a piece of *rule*, or of the whole rule.

    The rules it uses must not be recursive (``cycle`` tells). ``TooLargeError`` when it uses up *budget*, by default
    ``MAX_STATES`` states.
    """
    budget = budget or Budget(grammar)
    made = Nfa()
    top = node or rule.definition
    made.add(rule, top)
    made.add(rule, top)
    todo: list[_Piece] = [(rule, top, 0, 1)]
    while todo:
        before = len(made.moves)
        todo.extend(reversed(_expanded(made, grammar, *todo.pop())))
        budget.spend(len(made.moves) - before + 1, rule)
    return made


def cycle(grammar: Grammar, start: str | None = None) -> tuple[str, ...]:
    """Return the names of rules that call each other in a circle and that *start* reaches; empty if there are none."""
    edges = {
        rule.name: [grammar[name].name for name in references(rule.definition) if name in grammar]
        for rule in grammar.reachable(start)
    }
    return first_cycle(edges)


def _expanded(
    made: Nfa, grammar: Grammar, rule: Rule, node: Node, enter: int, leave: int
) -> list[tuple[Rule, Node, int, int]]:
    """Put the outermost shape of *node* between two states; return the pieces that remain, each with its states."""
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
    masks = byte_sets(node)
    between = [enter, *(made.add(rule, node) for _ in masks[1:]), leave]
    if not masks:
        made.empties[enter] = (leave,)
    for i, mask in enumerate(masks):
        made.moves[between[i]] = (mask, between[i + 1])
    return []


def _repeated(made: Nfa, rule: Rule, node: Repetition, enter: int, leave: int) -> list[_Piece]:
    """Each copy that may be left out, and the loop, is a choice of its own: first one more, then enough."""
    copies = min(node.low if node.high is None else node.high, 10 * MAX_STATES)  # enough to use up any budget
    states = [enter, *(made.add(rule, node) for _ in range(copies))]
    made.places[enter] = (rule, node)
    pieces: list[_Piece] = []
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


def byte_sets(node: Node) -> list[int]:
    """Return the byte sets that a literal is made of, as masks; a value above FF has no bytes."""
    match node:
        case Range(low=low, high=high):
            return [_mask(low, high)]
        case Series(values=values):
            return [_mask(value, value) for value in values]
        case Text(text=text, case_sensitive=True):
            return [1 << ord(char) for char in text]
        case Text(text=text):
            return [1 << ord(char.lower()) | 1 << ord(char.upper()) for char in text]
        case Prose():
            return [0]
    raise TypeError(node)


def _mask(low: int, high: int) -> int:
    return ((1 << min(high, 0xFF) + 1) - 1) >> low << low if low <= 0xFF else 0


MAX_WORD = 64  # bytes: longer prefix codes are not worth a loop
MAX_SETS = 10_000  # sets of NFA states


def prefix_code(grammar: Grammar, rule: Rule, node: Node) -> int:
    """Return the length of the longest word of *node*, if its words are a prefix code; else 0.

    A prefix code: no word begins another one, so that a sequence of words can be cut in one way only, and from the
    left. Words of more than ``MAX_WORD`` bytes count as none.

    >>> from utf8_abnf.grammar import Grammar
    >>> utf8 = Grammar.load("utf8")
    >>> prefix_code(utf8, utf8["UTF8-char"], utf8["UTF8-char"].definition)
    4
    """
    if cycle(grammar, rule.name):
        return 0
    made = nfa(grammar, rule, node)
    some_bytes = made.representatives()
    level = {made.closure([0])}
    for length in range(MAX_WORD + 1):
        if any(1 in states and any(made.moves[state] for state in states) for states in level):
            return 0  # a word is whole here, and a longer one goes on
        level = {made.step(states, byte) for states in level for byte in some_bytes} - {frozenset()}
        if not level:
            return length
        if len(level) > MAX_SETS:
            return 0
    return 0


class Loop(NamedTuple):
    """A rule that is ``low*high item``, where the words of *item* are a prefix code of at most *longest* bytes."""

    item: Node
    low: int
    high: int | None
    longest: int


def repeated_prefix_code(grammar: Grammar, rule: Rule) -> Loop | None:
    """Return *rule* as a loop over words that can be cut off one by one from the left, or None where it is not one."""
    node = _without_groups(rule.definition)
    if not isinstance(node, Repetition):
        return None
    item = _without_groups(node.item)
    longest = prefix_code(grammar, rule, item)
    return Loop(item, node.low, node.high, longest) if longest else None


def _without_groups(node: Node) -> Node:
    while isinstance(node, Group):
        node = node.item
    return node
