"""Bytes before which a called rule need not begin or end: a grammar and its network in, masks of bytes out.

In ``[ [ ] ]`` of JSON, the inner array may begin at each space before its bracket and end at each one behind it,
because it derives spaces at both ends, and so do the rules around it. Of these trees, that one counts in which what
comes first takes as many bytes as it can (``utf8_abnf.automaton.spans``). So two things need not be tried:

1. to begin a rule before a byte that what comes before it in a concatenation can always take as well, if after that
   byte the rule can only go on as if it began there;
2. to end a rule before a byte after which it can end as well, if what follows it can then only go on as if it began
   there.
"""

from __future__ import annotations

from functools import cached_property, reduce
from operator import and_, or_
from typing import TYPE_CHECKING

from utf8_abnf.grammar.model import settled
from utf8_abnf.grammar.syntax import Alternation, Concatenation, Group, Option, Ref, Repetition
from utf8_abnf.grammar.values import byte_strings, mask_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from collections.abc import Set as AbstractSet

    from utf8_abnf.automaton.chart import Recogniser
    from utf8_abnf.grammar import Grammar
    from utf8_abnf.grammar.syntax import Node, Span

BYTES = (1 << 256) - 1


class Taken:
    """The bytes that what comes before each use of a rule can always take as one more: ``uses``.

    Its keys are the rule that the use is in, as its name is written, and the place of the use.
    """

    def __init__(self, grammar: Grammar, start: str | None, calls: AbstractSet[str]) -> None:
        self._grammar = grammar
        rules = grammar.reachable(start)
        self._names = [rule.name.lower() for rule in rules]
        self._single = settled(rules, self._one, 0)
        self._last = settled(rules, self._more, 0)
        self.uses = self._all_uses(dict.fromkeys(self._names, BYTES) | dict.fromkeys([self._names[0], *calls], 0))

    def _one(self, node: Node, rules: Mapping[str, int]) -> int:
        """Return bytes that *node* derives alone."""
        match node:
            case Ref(name=name):
                return rules[name.lower()]
            case Group(item=item):
                return self._one(item, rules)
            case Alternation(items=items):
                return reduce(or_, [self._one(item, rules) for item in items])
            case Concatenation() | Option() | Repetition():
                return 0
        strings = byte_strings(node, self._grammar.values)
        return reduce(or_, [mask_of(each[0]) for each in strings if len(each) == 1], 0)

    def _more(self, node: Node, rules: Mapping[str, int]) -> int:
        """Return bytes that each word of *node* can have more at its end."""
        match node:
            case Ref(name=name):
                return rules[name.lower()]
            case Group(item=item):
                return self._more(item, rules)
            case Repetition(high=None, item=item):
                return self._one(item, self._single)
            case Concatenation(items=items):
                return self._more(items[-1], rules)
            case Alternation(items=items):
                return reduce(and_, [self._more(item, rules) for item in items])
        return 0

    def _all_uses(self, before: dict[str, int]) -> dict[tuple[str, Span], int]:
        taken, todo = {}, list(self._names)
        while todo:
            rule = self._grammar[todo.pop()]
            for use, mask in self._uses(rule.definition, before[rule.name.lower()]):
                taken[rule.name, use.span] = mask
                name = use.name.lower()
                if before[name] & ~mask:
                    before[name] &= mask
                    todo.append(name)
        return taken

    def _uses(self, node: Node, before: int) -> Iterator[tuple[Ref, int]]:
        """Yield the uses of rules in *node*, with what is always taken before them; *before*: before the node."""
        match node:
            case Ref():
                yield node, before
            case Group(item=item) | Option(item=item):
                yield from self._uses(item, before)
            case Repetition(item=item):
                yield from self._uses(item, 0)
            case Alternation(items=items):
                for item in items:
                    yield from self._uses(item, before)
            case Concatenation(items=items):
                for item in items:
                    yield from self._uses(item, before)
                    before = self._more(item, self._last)


class Late:
    """Says for the sets of a *recogniser* before which bytes rules need not begin or end."""

    def __init__(self, recogniser: Recogniser, taken: Taken) -> None:
        self._recogniser = recogniser
        self._network = recogniser.network
        self._subsets = recogniser.subsets
        self._taken = taken.uses

    def beginning(self, number: int) -> int:
        """Return the bytes before which the rules that set *number* calls need not begin."""
        states = [self._subsets.nfa.states[each] for each in self._subsets.sets[number]]
        taken = [self._taken[state.path[-1].rule, state.span] for state in states if state.call]
        fresh, firsts = self._recogniser.begin(self._recogniser.calls_of(number))
        return self._staying(fresh, reduce(and_, taken) & firsts)

    def ending(self, number: int, rule: int) -> int:
        """Return the bytes before which *rule*, which ends in set *number*, need not end."""
        row, accept = self._subsets.row(number), self._network.accepts[rule]
        again = [byte for byte in _bytes(self._settled[rule]) if row[byte] >= 0]
        return sum(1 << byte for byte in again if accept in self._subsets.sets[row[byte]])

    def _staying(self, number: int, mask: int) -> int:
        """Return the bytes of *mask* after which set *number* has become a part of itself, or nothing."""
        row, sets = self._subsets.row(number), self._subsets.sets
        return sum(1 << byte for byte in _bytes(mask) if row[byte] < 0 or sets[row[byte]] <= sets[number])

    @cached_property
    def _settled(self) -> list[int]:
        """For each rule the bytes after which what follows its uses can only go on as if it began there."""
        network, closure = self._network, self._subsets.closure
        found = [self._lasts & follow for follow in network.follows]
        uses = [
            (network.number[state.call], closure(state.targets))
            for state in self._subsets.nfa.states
            if state.call and state.targets
        ]
        for rule, after in uses:
            number = self._subsets.number(after)
            found[rule] = self._staying(number, found[rule])
            if calls := self._recogniser.calls_of(number):
                found[rule] = self._staying(self._recogniser.begin(calls)[0], found[rule])
        while True:
            before = list(found)
            for rule, after in uses:
                for ended in after & network.rule_of.keys():
                    outer = network.rule_of[ended]
                    found[rule] &= found[outer] | ~network.follows[outer]
            if found == before:
                return found

    @cached_property
    def _lasts(self) -> int:
        """The bytes with which a rule can end, other than in a rule that it calls."""
        accepts, closure = self._network.rule_of.keys(), self._subsets.closure
        states = [state for state in self._subsets.nfa.states if state.ranges and closure(state.targets) & accepts]
        return reduce(or_, [mask_of(state.ranges) for state in states], 0)


def _bytes(mask: int) -> list[int]:
    return [byte for byte in range(256) if mask >> byte & 1]
