"""Derivations: a grammar and a source of choices in, a sentence out, and what of the grammar it uses."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from math import inf
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from utf8_abnf.errors import TooLargeError
from utf8_abnf.grammar.model import settled, walk
from utf8_abnf.grammar.syntax import (
    Alternation,
    Concatenation,
    Group,
    Option,
    Range,
    Ref,
    Repetition,
    Series,
    Text,
    children,
)
from utf8_abnf.grammar.values import SURROGATES, UTF8, values_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from utf8_abnf.grammar.model import Grammar
    from utf8_abnf.grammar.syntax import Node, Rule

Cover: TypeAlias = Literal["rules", "alternatives", "edges"]
MAX_BYTES = 1 << 15  # of a sentence
SOFT_BYTES = 200  # behind them, a sentence takes the shortest way to its end
DEPTH = 8  # uses of rules within each other, before it does so


class Goal(NamedTuple):
    """Something of a grammar that a sentence can use.

    *place* is the number of a node in the definition of *rule*, -1 for the rule as such. *way* is the number of an
    alternative; 0 and 1 for an option that is left out or taken, for a repetition with the fewest items or more, and
    for the first and the last value of a range. With *after*, it is an alternative of the rule that is used there.
    """

    rule: str
    place: int = -1
    way: int = 0
    after: bool = False


@dataclass(slots=True)
class Sentence:
    """A word of the grammar, and what it uses."""

    data: bytearray = field(default_factory=bytearray)
    met: set[Goal] = field(default_factory=set)


class _Step(NamedTuple):
    """A node that has still to be written; *targets* are the nodes to go through, each with its way, or None."""

    node: Node
    rule: str
    targets: tuple[tuple[Node, int | None], ...]
    left: int
    used_at: Goal | None = None  # the place where the rule is used, if *node* is its whole definition


class Deriver:
    """Writes sentences of *grammar* from the rule *start*. ``GrammarError`` if the grammar cannot be used.

    >>> from utf8_abnf.grammar import Grammar
    >>> bytes(Deriver(Grammar.parse('a = "(" [ a ] ")"')).derive(lambda count: 0).data)
    b'()'
    """

    def __init__(self, grammar: Grammar, start: str | None = None) -> None:
        grammar.check(start)
        self.grammar = grammar
        self.rules = {rule.name: rule for rule in grammar.reachable(start)}
        self.start = grammar[start or grammar.start]
        self._heights = settled(self.rules.values(), lambda node, rules: 1 + _height(node, rules), inf)
        if self._heights[self.start.name.lower()] == inf:
            grammar.fail(f"rule {self.start.name} derives no sentence: it never ends", self.start.span)
        self._numbers: dict[str, dict[int, int]] = {}  # of nodes, by their identity
        self._parents: dict[int, Node] = {}
        self._usable: dict[str, list[Node]] = {name: list(self._usable_in(rule)) for name, rule in self.rules.items()}
        self._ways = self._ways_to_rules()

    def goals(self, cover: Cover) -> list[Goal]:
        """Return what sentences can use, in the order of the rules: all *rules*, or also all *alternatives* or *edges*.

        Alternatives are those of groups as well, options that are taken and left out, and repetitions with the fewest
        items and with more. Edges are the alternatives of the rule that is used, for each place where it is used, and
        the first and the last value of each range.
        """
        found = [Goal(name) for name in self._ways]
        for name in self._ways if cover != "rules" else ():
            for node in self._usable[name]:
                place = self._numbers[name][id(node)]
                found += [Goal(name, place, way) for way in self._ways_of(node, cover)]
                if cover == "edges" and isinstance(node, Ref):
                    rule = self.grammar[node.name]
                    ways = self._ways_of(rule.definition, "alternatives") if len(rule.alternatives) > 1 else [0]
                    found += [Goal(name, place, way, after=True) for way in ways]
        return found

    def derive(self, pick: Callable[[int], int], goal: Goal | None = None) -> Sentence:
        """Return a sentence; *pick* chooses a number below its argument. With *goal*, the sentence meets it.

        ``TooLargeError`` if the sentence would have more than ``MAX_BYTES`` bytes.
        """
        made = Sentence()
        targets = self._targets(goal) if goal else ()
        stack = [_Step(self.start.definition, self.start.name, targets, DEPTH)]
        made.met.add(Goal(self.start.name))
        while stack:
            step = stack.pop()
            if len(made.data) > SOFT_BYTES and step.left > 0:
                step = step._replace(left=0)
            self._expand(step, pick, made, stack)
            if len(made.data) + len(stack) > MAX_BYTES:
                raise TooLargeError(f"a sentence has more than {MAX_BYTES:,} bytes", file=self.grammar.file)
        return made

    # -- one step

    def _expand(self, step: _Step, pick: Callable[[int], int], made: Sentence, stack: list[_Step]) -> None:
        node, rule, targets, left, used_at = step
        way = None  # the way that is forced here; and what is forced in the rule that is used here
        further: tuple[tuple[Node, int | None], ...] = ()
        if targets and targets[0][0] is node:
            (_, way), *rest = targets
            targets, further = (), tuple(rest)
        place = Goal(rule, self._numbers[rule][id(node)])
        inside = self._towards(node, targets)
        match node:
            case Ref(name=name):
                used = self.grammar[name]
                made.met.add(Goal(used.name))
                if len(used.alternatives) == 1:
                    made.met.add(place._replace(after=True))
                stack.append(_Step(used.definition, used.name, further, left - 1, place))
            case Group(item=item):
                stack.append(step._replace(node=item, targets=targets, used_at=None))
            case Concatenation(items=items):
                below = [_Step(item, rule, targets if item is inside else (), left) for item in items]
                stack.extend(reversed(below))
            case Alternation(items=items):
                way = self._alternative(items, inside, way, left, pick)
                made.met.add(place._replace(way=way))
                if used_at:
                    made.met.add(used_at._replace(way=way, after=True))
                stack.append(_Step(items[way], rule, targets if items[way] is inside else (), left))
            case Option(item=item):
                if way is None:
                    way = 1 if inside else int(left > 0 and self._height(item) < inf and pick(2))
                made.met.add(place._replace(way=way))
                if way:
                    stack.append(_Step(item, rule, targets if inside else (), left))
            case Repetition(low=low, high=high, item=item):
                count = self._count(node, way, left, pick, inside=inside is not None)
                if low != high:
                    made.met.add(place._replace(way=int(count > low)))
                stack.extend(_Step(item, rule, (), left) for _ in range(count - 1))
                if count:
                    stack.append(_Step(item, rule, targets if inside else (), left))
            case _:
                self._write(node, place, way, pick, made)

    def _alternative(
        self, items: tuple[Node, ...], inside: Node | None, way: int | None, left: int, pick: Callable[[int], int]
    ) -> int:
        if way is not None:
            return way
        if inside:
            return next(number for number, item in enumerate(items) if item is inside)
        heights = [self._height(item) for item in items]
        if left <= 0:
            return heights.index(min(heights))
        possible = [number for number, height in enumerate(heights) if height < inf]
        return possible[pick(len(possible))]

    def _count(self, node: Repetition, way: int | None, left: int, pick: Callable[[int], int], *, inside: bool) -> int:
        if way is None:
            more = pick(3) if left > 0 and self._height(node.item) < inf and node.low < MAX_BYTES else 0
            count = max(node.low + more, int(inside))
        else:
            count = node.low + way
        count = count if node.high is None else min(count, node.high)
        if count > MAX_BYTES:
            self.grammar.fail(f"a sentence needs {count} items here, more than {MAX_BYTES:,}", node.span)
        return count

    def _write(self, node: Node, place: Goal, way: int | None, pick: Callable[[int], int], made: Sentence) -> None:
        for value in values_of(node):
            ranges = [part for low, high in value for part in self._without_surrogates(low, high)]
            low, high = ranges[pick(len(ranges)) if len(ranges) > 1 and way is None else -(way or 0)]
            if way is None:  # ends of ranges are where mistakes are
                kind = pick(4) if low < high else 0
                chosen = (low, high, low + pick(high - low + 1))[min(kind, 2)] if low < high else low
            else:
                chosen = high if way else low
            if isinstance(node, Range):
                made.met |= {place._replace(way=0)} if chosen == ranges[0][0] else set()
                made.met |= {place._replace(way=1)} if chosen == ranges[-1][1] else set()
            made.data += chr(chosen).encode() if self.grammar.values == UTF8 else bytes([chosen])

    def _without_surrogates(self, low: int, high: int) -> list[tuple[int, int]]:
        if self.grammar.values != UTF8:
            return [(low, high)]
        around = [(low, min(high, SURROGATES.start - 1)), (max(low, SURROGATES.stop), high)]
        return [(first, last) for first, last in around if first <= last]

    # -- the way to a goal

    def _targets(self, goal: Goal) -> tuple[tuple[Node, int | None], ...]:
        """Return the nodes to go through, so that a sentence meets *goal*."""
        found: list[tuple[Node, int | None]] = []
        if goal.place >= 0:
            node = next(node for node in walk(self.rules[goal.rule].definition)
                        if self._numbers[goal.rule][id(node)] == goal.place)  # fmt: skip
            if goal.after:
                assert isinstance(node, Ref)
                used = self.grammar[node.name]
                found.append((node, None))
                if len(used.alternatives) > 1:
                    found.append((used.definition, goal.way))
            else:
                found.append((node, goal.way))
        name = goal.rule
        while self._ways[name]:
            name, ref = self._ways[name]  # type: ignore[misc]
            found.insert(0, (ref, None))
        return tuple(found)

    def _towards(self, node: Node, targets: tuple[tuple[Node, int | None], ...]) -> Node | None:
        """Return the child of *node* that has the next target in it, or None."""
        below = targets[0][0] if targets else None
        while below is not None:
            above = self._parents.get(id(below))
            if above is node:
                return below
            below = above
        return None

    def _ways_to_rules(self) -> dict[str, tuple[str, Node] | None]:
        """Return for each rule that a sentence can use the rule that uses it, on a shortest way from the start."""
        found: dict[str, tuple[str, Node] | None] = {self.start.name: None}
        todo = deque([self.start.name])
        while todo:
            name = todo.popleft()
            for node in self._usable[name]:
                if isinstance(node, Ref) and (used := self.grammar[node.name].name) not in found:
                    found[used] = name, node
                    todo.append(used)
        return found

    def _usable_in(self, rule: Rule) -> Iterator[Node]:
        """Yield the nodes that a sentence can use, if it uses *rule*; number all of them, and note what is above."""
        numbers = self._numbers[rule.name] = {}
        for number, node in enumerate(walk(rule.definition)):
            numbers[id(node)] = number
            for child in children(node):
                self._parents[id(child)] = node
        todo = [rule.definition]
        while todo:
            node = todo.pop()
            if self._height(node) < inf:
                yield node
                if not (isinstance(node, Repetition) and node.high == 0):
                    todo.extend(reversed(children(node)))

    def _ways_of(self, node: Node, cover: Cover) -> list[int]:
        match node:
            case Alternation(items=items):
                return [number for number, item in enumerate(items) if self._height(item) < inf]
            case Option(item=item):
                return [0, 1] if self._height(item) < inf else [0]
            case Repetition(low=low, high=high, item=item) if low != high:
                return [0, 1] if self._height(item) < inf else [0]
            case Range(low=low, high=high) if cover == "edges":
                return [0, 1] if low != high else [0]
        return []

    def _height(self, node: Node) -> float:
        return _height(node, self._heights)


def _height(node: Node, rules: Mapping[str, float]) -> float:
    """Return how deep the flattest derivation of *node* is, if *rules* says so of the rules (in lower case)."""
    match node:
        case Ref(name=name):
            return rules[name.lower()]
        case Group(item=item):
            return _height(item, rules)
        case Repetition(low=low, item=item):
            return _height(item, rules) if low else 0
        case Concatenation(items=items):
            return max(_height(item, rules) for item in items)
        case Alternation(items=items):
            return min(_height(item, rules) for item in items)
    return 0


def values_near(grammar: Grammar, start: str | None = None) -> list[int]:
    """Return the values at the ends of what the terminals allow, and their neighbours, in ascending order."""
    ends = {
        end
        for rule in grammar.reachable(start)
        for node in walk(rule.definition)
        if isinstance(node, Range | Series | Text)
        for value in values_of(node)
        for pair in value
        for end in pair
    }
    greatest = 0x10FFFF if grammar.values == UTF8 else 0xFF
    near = {end + by for end in ends for by in (-1, 0, 1)}
    return sorted(each for each in near if 0 <= each <= greatest and (grammar.values != UTF8 or each not in SURROGATES))
