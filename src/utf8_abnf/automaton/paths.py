"""Paths through an NFA: the useful states at each offset of an input in, the marks where rules begin and end out.

``utf8_abnf.automaton.trace`` finds the useful states, and decides at forks.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from array import array
    from collections.abc import Iterator, Sequence

    from utf8_abnf.automaton.trace import Tracer

CLOSE = -1
"""The mark for the end of a rule. The mark for its beginning is the number of the state that opens it."""


class Call(NamedTuple):
    """A mark: here *rule* is called and derives what lies between two offsets of the input."""

    rule: str
    start: int
    end: int


class Fork(NamedTuple):
    """The way that is taken where two ways go on: the state after the next byte (see ``Tracer.hop``) and the marks.

    It is right if each of *calls* can end from the next offset wherever it can end from here. *depth*: how many rules,
    counted from the outermost, contain both ways.
    """

    state: int
    marks: tuple[int, ...]
    calls: frozenset[str]
    depth: int


class Ambiguous(Exception):  # noqa: N818  # not an error: the caller then decides in another way
    """The input has more than one derivation."""


class _Path:
    """What all paths have: the tracer that knows the states, and by offset the depth of each fork that was passed."""

    def __init__(self, tracer: Tracer) -> None:
        self.tracer = tracer
        self.forks: dict[int, int] = {}

    def after(self, mark: int) -> int:
        """Return the state after *mark*, inside the rule that it opens."""
        return self.tracer.nfa.states[mark].targets[0]


class CallTrace(_Path):
    """The path of a piece of input with calls: for each offset between the calls, the number of its useful states."""

    def __init__(
        self, tracer: Tracer, useful: dict[int, int], end: int, calls: dict[int, dict[str, Sequence[int]]]
    ) -> None:
        super().__init__(tracer)
        self._useful = useful
        self._end = end
        self._calls = calls

    def marks(self, state: int | None, offset: int) -> Iterator[tuple[int, tuple[int | Call, ...]]]:
        """Yield (offset, marks) as ``StateTrace.marks`` does, and a ``Call`` for each call; offsets as in the input."""
        tracer, useful, hops, at = self.tracer, self._useful, self.tracer._hops, offset
        now = tracer.nfa.start if state is None else state
        while True:
            number = useful[at]
            hop = hops.get(now << 16 | number) or tracer.hop(now, number)
            now, marks = hop or self._passed(tracer.fork(now, number, useful.get(at + 1)), at)
            if now < 0:
                now, call = self._call(~now, at)
                yield at, (*marks, call)
                at = call.end
                continue
            if marks:
                yield at, marks
            if at == self._end:
                return
            at += 1

    def _passed(self, fork: Fork, at: int) -> tuple[int, tuple[int, ...]]:
        self._compare(fork.calls, at)
        self.forks[at] = max(fork.depth, self.forks.get(at, 0))
        return fork.state, fork.marks

    def _compare(self, rules: frozenset[str], at: int) -> None:
        """Raise ``Ambiguous`` if one of *rules* can end from *at* where it cannot end from the next offset."""
        for rule in rules:
            here, there = self._calls[at][rule], self._calls.get(at + 1, {}).get(rule, [])
            if here is not there and not set(here) <= set(there):
                raise Ambiguous

    def _call(self, state: int, at: int) -> tuple[int, Call]:
        """Return the state after the call in *state*, and the call, as long as it can be."""
        tracer, useful = self.tracer, self._useful
        rule, (after,) = tracer.nfa.states[state].call, tracer.nfa.states[state].targets
        stops = self._calls[at][rule]
        if len(stops) > 1:
            members = tracer.subsets.closure([after])
            stops = [to for to in stops if to in useful and not members.isdisjoint(tracer._useful[useful[to]])]
        for to, longer in pairwise(stops):
            if longer != to + 1:
                raise Ambiguous
            rules, depth = tracer.later(after, useful[to], useful[longer])
            self._compare(rules, to)
            self.forks[at] = max(depth, self.forks.get(at, 0))
        return after, Call(rule, at, stops[-1])

    def passes(self, state: int) -> list[int]:
        """Return the offsets at which the rest is accepted from *state*."""
        closure = self.tracer.subsets.closure([state])
        return [offset for offset, number in self._useful.items() if closure & self.tracer._useful[number]]


class StateTrace(_Path):
    """The path of one input: for each offset, the number of the set of useful states there (two bytes each)."""

    def __init__(self, tracer: Tracer, useful: array[int]) -> None:
        super().__init__(tracer)
        self._useful = useful

    def marks(self, state: int | None = None, offset: int = 0) -> Iterator[tuple[int, tuple[int, ...]]]:
        """Yield (offset, marks) where rules begin and end, from *state* (default: start) at *offset*; see ``CLOSE``.

        Raises ``Ambiguous`` at a fork where more than the next byte decides. What it yielded before is right.
        """
        hops, hop = self.tracer._hops, self.tracer.hop
        now = self.tracer.nfa.start if state is None else state
        useful = memoryview(self._useful)[offset:]
        for at, number in enumerate(useful, offset):
            found = hops.get(now << 16 | number) or hop(now, number)
            if found is None:
                following = self._useful[at + 1] if at + 1 < len(self._useful) else None
                now, marks, _, self.forks[at] = self.tracer.fork(now, number, following)
            else:
                now, marks = found
            if marks:
                yield at, marks

    def passes(self, state: int) -> list[int]:
        """Return the offsets at which the rest is accepted from *state*."""
        closure = self.tracer.subsets.closure([state])
        good = {number for number in set(self._useful) if closure & self.tracer._useful[number]}
        return [offset for offset, number in enumerate(self._useful) if number in good]
