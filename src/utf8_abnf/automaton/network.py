"""Build the ``Network`` of a recursive ``Grammar``: an NFA for each called rule, and how they call each other.

Only as many recursive rules are called as it takes to break every cycle of rules (in JSON one, ``value``). All other
rules are built into those that use them, where they are ordinary states. So the regular parts of a grammar stay
automata, and calls are rare. A rule that would make the others too large is called as well.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from utf8_abnf.grammar.analysis import components, cycles, endless_rules, nullable_rules
from utf8_abnf.grammar.model import settled, uses
from utf8_abnf.grammar.nfa import Nfa, State, compile_nfa
from utf8_abnf.grammar.subsets import Subsets
from utf8_abnf.grammar.syntax import Range, Ref, fold
from utf8_abnf.grammar.values import UTF8, mask_of, values_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from utf8_abnf.grammar import Grammar
    from utf8_abnf.grammar.syntax import Node

END = 256
"""The number that stands for the end of the input, behind the 256 bytes."""

MAX_NETWORK = 40_000  # states, by an estimate, where rules as large as these are built into others, or smaller ones
MAX_INLINE = (MAX_NETWORK, 2_000, 200, 20)


def called_rules(grammar: Grammar, start: str | None = None) -> frozenset[str]:
    """Return the rules, in lower case, that the network for *start* calls; none where no rule is recursive.

    Of each cycle of rules it takes the one that the others use most.
    """
    names = [rule.name.lower() for rule in grammar.reachable(start)]
    recursive = components(grammar)
    edges = {name: [each.lower() for each in uses(grammar[name].definition)] for name in names if name in recursive}
    breaking: set[str] = set()
    while cyclic := cycles(edges):
        for cycle in cyclic:
            used = [each for name in cycle for each in edges[name]]
            worth = {name: used.count(name) * len(set(edges[name]) & cycle) for name in cycle}
            breaking.add(max(sorted(cycle, key=names.index), key=worth.__getitem__))
        edges = {
            name: [each for each in used if each not in breaking]
            for name, used in edges.items()
            if name not in breaking
        }
    for most in MAX_INLINE:
        sizes = _sizes(grammar, names, breaking, most)
        called = breaking | {name for name, size in sizes.items() if size > most}
        if sum(sizes[name] for name in {names[0], *called}) <= MAX_NETWORK:
            break
    return frozenset(called)


def _sizes(grammar: Grammar, names: list[str], called: set[str], most: int) -> dict[str, int]:
    """Return about how many states each rule needs, where *called* are called, and rules that need more than *most*."""

    def size(node: Node, sizes: Mapping[str, int]) -> int:
        def leaf_size(leaf: Node) -> int:
            match leaf:
                case Ref(name=name):
                    inlined = sizes.get(name.lower(), 1)
                    return 1 if name.lower() in called or inlined > most else inlined
                case Range():
                    return 1 if grammar.values != UTF8 else 8
            return max(len(values_of(leaf)), 1)

        def joined(each: list[int]) -> int:
            return 1 + sum(each)

        def repeated(low: int, high: int | None, each: int) -> int:
            return 1 if high == 0 else (max(low, high or 0) + 1) * each

        return fold(node, leaf_size, sequence=joined, choice=joined, repeated=repeated)

    return settled([grammar[name] for name in names], size, first=1)


@dataclass
class Network:
    """The states of the rule *start* and of all called rules, as one NFA without marks.

    *rules* has their names in lower case, the start rule first; *starts* and *accepts* have their states, in this
    order. States from which a rule cannot end are left out of all moves, so that each move can still be completed.
    """

    rules: tuple[str, ...]
    starts: tuple[int, ...]
    accepts: tuple[int, ...]
    subsets: Subsets

    @cached_property
    def number(self) -> dict[str, int]:
        """The number of each rule."""
        return {name: number for number, name in enumerate(self.rules)}

    @cached_property
    def rule_of(self) -> dict[int, int]:
        """The number of the rule that each accepting state belongs to."""
        return {state: number for number, state in enumerate(self.accepts)}

    @cached_property
    def firsts(self) -> list[int]:
        """For each rule the bytes with which it can begin, as a mask."""
        found = [0] * len(self.rules)
        while True:
            fresh = [self._bytes(self.subsets.closure([start]), found) for start in self.starts]
            if fresh == found:
                return found
            found = fresh

    @cached_property
    def follows(self) -> list[int]:
        """For each rule the bytes that can come after it, as a mask; bit ``END`` for the end of the input."""
        following = [1 << END, *[0] * (len(self.rules) - 1)]
        calls = [
            (self.number[state.call], self.subsets.closure(state.targets))
            for state in self.subsets.nfa.states
            if state.call and state.targets
        ]
        while True:
            before = list(following)
            for rule, after in calls:
                following[rule] |= self._bytes(after, self.firsts)
                for ended in after & self.rule_of.keys():
                    following[rule] |= following[self.rule_of[ended]]
            if before == following:
                return following

    @cached_property
    def circular(self) -> frozenset[str]:
        """The called rules that derive themselves alone, in lower case."""
        closure, states = self.subsets.closure, self.subsets.nfa.states
        edges: dict[str, list[str]] = {}
        for name, start, accept in zip(self.rules, self.starts, self.accepts, strict=True):
            begin = [states[each] for each in closure([start])]
            edges[name] = [state.call for state in begin if state.call and accept in closure(state.targets)]
        return frozenset[str]().union(*cycles(edges))

    def _bytes(self, members: frozenset[int], firsts: list[int]) -> int:
        mask = 0
        for member in members:
            state = self.subsets.nfa.states[member]
            mask |= firsts[self.number[state.call]] if state.call else mask_of(state.ranges)
        return mask


def network(grammar: Grammar, start: str | None, calls: frozenset[str]) -> Network:
    """Return the network for the rule *start* (default: the first) that calls the rules *calls*.

    Raises ``TooLargeError`` and ``GrammarError`` as ``compile_nfa`` does.
    """
    first = (start or grammar.start).lower()
    rules = (first, *sorted(calls - {first}))
    states: list[State] = []
    starts, accepts = [], []
    for rule in rules:
        nfa = compile_nfa(grammar, rule, calls=calls)
        shift = len(states)
        for state in nfa.states:
            states.append(state._replace(targets=tuple(target + shift for target in state.targets)))
        starts.append(nfa.start + shift)
        accepts.append(nfa.accept + shift)
    live = _live(states, accepts, frozenset(name.lower() for name in endless_rules(grammar)))
    kept = tuple(
        state._replace(
            targets=tuple(each for each in state.targets if each in live),
            ranges=state.ranges if number in live else (),
            call=state.call if number in live else "",
        )
        for number, state in enumerate(states)
    )
    nfa = Nfa(kept, starts[0], accepts[0])
    subsets = Subsets(nfa, file=grammar.file, skipped=nullable_rules(grammar), accepting=frozenset(accepts))
    return Network(rules, tuple(starts), tuple(accepts), subsets)


def _live(states: list[State], accepts: list[int], endless: frozenset[str]) -> set[int]:
    """Return the states from which the end of their rule can be reached, without a call of an *endless* rule."""
    before: dict[int, list[int]] = {}
    for number, state in enumerate(states):
        for target in state.targets if state.call not in endless else ():
            before.setdefault(target, []).append(number)
    live, todo = set(accepts), list(accepts)
    while todo:
        fresh = set(before.get(todo.pop(), ())) - live
        live |= fresh
        todo.extend(fresh)
    return live
