"""The path of one input through the NFA: where each rule begins and ends.

It takes three linear passes. The first reads the input with the subset automaton and keeps the set before each byte.
The second goes back and keeps in each set only the useful states: those from which the rest is accepted. The third
follows the one path that is left, and meets the marks where rules begin and end. If two paths are left, the input is
ambiguous: the third pass raises ``Ambiguous``, and ``utf8_abnf.automaton.spans`` chooses as the reference parser does.

Where rules are called, the path jumps over what they derive: the chart says where each call can end. So only the bytes
between the calls are read, and each called rule is followed on its own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from heapq import heappop, heappush
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from utf8_abnf.automaton.determinise import Subsets, too_large

if TYPE_CHECKING:
    from array import array
    from collections.abc import Iterator

    from utf8_abnf.automaton.nfa import Choice, Nfa

CLOSE = -1
"""The mark for the end of a rule. The mark for its beginning is the number of the state that opens it."""

Ends: TypeAlias = Callable[[str, int], Sequence[int]]
"""A function of a called rule and the offset where it begins: the offsets where it can end, ascending."""

_MAX_USEFUL = 1 << 16


class Call(NamedTuple):
    """A mark: here *rule* is called and derives what lies between two offsets of the input."""

    rule: str
    start: int
    end: int


class Ambiguous(Exception):  # noqa: N818  # not an error: the caller then decides in another way
    """The input has more than one derivation."""


class Tracer:
    """Follows many inputs through one NFA; what it computes is kept."""

    def __init__(self, nfa: Nfa, *, file: str = "<grammar>") -> None:
        self.nfa = nfa
        self.calls = any(state.call for state in nfa.states)
        self.subsets = Subsets(nfa, file=file)
        self._useful_numbers: dict[frozenset[int], int] = {}
        self._useful: list[frozenset[int]] = []
        self._back: dict[int, int] = {}
        self._hops: dict[int, tuple[int, tuple[int, ...]]] = {}
        self._turns: dict[tuple[object, ...], int] = {}
        self.accepted = self._number(frozenset({nfa.accept}))

    def follow(self, data: bytes, start: int, end: int, ends: Ends) -> CallTrace | None:
        """Return the path of ``data[start:end]``, where *ends* says how far calls go; None if it is not derived."""
        passed = passages(self.subsets, data, start, end, ends)
        if end not in passed or self.nfa.accept not in self.subsets.sets[passed[end]]:
            return None
        useful: dict[int, int] = {}
        for at in sorted(passed, reverse=True):
            gotos = self.subsets.gotos(passed[at])
            onward = tuple(
                (rule, tuple(sorted({useful[to] for to in ends(rule, at) if to in useful}))) for rule in gotos
            )
            empty = frozenset(rule for rule in gotos if at in ends(rule, at)) if gotos else frozenset()
            byte_class = self.subsets.classes[data[at]] if at < end else -1
            key = passed[at], byte_class, useful.get(at + 1) if at < end else None, onward, empty
            number = self._turns.get(key)
            if number is None:
                number = self._turns[key] = self._number(self._turn(*key))
            if self._useful[number]:
                useful[at] = number
        return CallTrace(self, useful, end, ends)

    def _turn(
        self,
        passed: int,
        byte_class: int,
        after: int | None,
        onward: tuple[tuple[str, tuple[int, ...]], ...],
        empty: frozenset[str],
    ) -> frozenset[int]:
        """Return the states of set *passed* from which the rest is accepted: by a byte, by a call, or at the end."""
        states, members = self.nfa.states, self.subsets.sets[passed]
        found = {self.nfa.accept} & members if byte_class < 0 else set()
        if after is not None:
            low = self.subsets.classes.index(byte_class)
            found |= {
                state
                for state in members
                if any(first <= low <= last for first, last in states[state].ranges)
                and self.subsets.closure(states[state].targets) & self._useful[after]
            }
        goals = {rule: frozenset().union(*(self._useful[each] for each in numbers)) for rule, numbers in onward}
        calls = [(state, self.subsets.closure(states[state].targets)) for state in members if states[state].call]
        found |= {state for state, after_it in calls if after_it & goals[states[state].call]}
        while fresh := {
            state
            for state, after_it in calls
            if states[state].call in empty and after_it & found and state not in found
        }:
            found |= fresh
        return frozenset(found)

    def trace(self, data: bytes) -> StateTrace | None:
        """Return the path of *data*, or None if the grammar does not derive it."""
        passed = self.subsets.read(data)
        if len(passed) <= len(data) or self.nfa.accept not in self.subsets.sets[passed[-1]]:
            return None
        classes, back = self.subsets.classes, self._back
        useful = passed[-1] = self.accepted
        for offset in range(len(data) - 1, -1, -1):  # the array is reused: each set is replaced by its useful states
            key = ((useful << 16 | passed[offset]) << 8) | classes[data[offset]]
            found = back.get(key)
            useful = passed[offset] = self._step_back(key) if found is None else found
        return StateTrace(self, passed)

    def _number(self, members: frozenset[int]) -> int:
        number = self._useful_numbers.get(members)
        if number is None:
            if len(self._useful) >= _MAX_USEFUL:
                raise too_large(self.subsets.file)
            number = self._useful_numbers[members] = len(self._useful)
            self._useful.append(members)
        return number

    def _step_back(self, key: int) -> int:
        byte_class, passed, after = key & 0xFF, key >> 8 & 0xFFFF, self._useful[key >> 24]
        low = self.subsets.classes.index(byte_class)
        states = self.nfa.states
        members = frozenset(
            state
            for state in self.subsets.sets[passed]
            if any(first <= low <= last for first, last in states[state].ranges)
            and self.subsets.closure(states[state].targets) & after
        )
        number = self._back[key] = self._number(members)
        return number

    def hop(self, state: int, useful: int) -> tuple[int, tuple[int, ...]]:
        """Return the marks between *state* and the next useful state, and the state after its byte.

        If the useful state calls a rule, the state is returned itself, as ``~state``.
        Raises ``Ambiguous`` if two ways lead there.
        """
        key = state << 16 | useful
        found = self._hops.get(key)
        if found is None:
            found = self._hops[key] = self._hop(state, self._useful[useful])
        return found

    def _hop(self, state: int, useful: frozenset[int]) -> tuple[int, tuple[int, ...]]:
        states = self.nfa.states
        marks: list[int] = []
        leading = self._leading_to(state, useful)
        while state not in useful:
            if states[state].opens:
                marks.append(state)
            elif states[state].closes:
                marks.append(CLOSE)
            ways = [target for target in states[state].targets if target in leading]
            if len(ways) > 1:
                raise Ambiguous
            state = ways[0]
        if states[state].call:
            return ~state, tuple(marks)
        targets = states[state].targets
        return (targets[0] if targets else state), tuple(marks)

    def _leading_to(self, start: int, useful: frozenset[int]) -> set[int]:
        """Return the states on the ways from *start* to *useful* that read nothing, both ends included."""
        before: dict[int, list[int]] = {}
        seen, todo = {start}, [start]
        while todo:
            state = todo.pop()
            if self.nfa.states[state].ranges or self.nfa.states[state].call:
                continue
            for target in self.nfa.states[state].targets:
                before.setdefault(target, []).append(state)
                if target not in seen:
                    seen.add(target)
                    todo.append(target)
        found = set(useful & seen)
        todo = list(found)
        while todo:
            fresh = [state for state in before.get(todo.pop(), ()) if state not in found]
            found.update(fresh)
            todo.extend(fresh)
        return found


def passages(subsets: Subsets, data: bytes, start: int, end: int, ends: Ends) -> dict[int, int]:
    """Return the offsets from *start* to *end* that are reached, each with the set there; calls go as *ends* says."""
    found = {start: subsets.start}
    waiting: list[int] = []
    at = start

    def reach(to: int, number: int) -> None:
        if to not in found:
            heappush(waiting, to)
            found[to] = number
        else:
            found[to] = subsets.join(found[to], number)

    while True:
        now = found[at]
        gotos = subsets.gotos(now)
        while not gotos and not waiting and at < end:  # the usual case, in one place for speed
            now = subsets.row(now)[data[at]]
            if now < 0:
                return found
            at += 1
            found[at] = now
            gotos = subsets.gotos(now)
        for rule, target in gotos.items():
            for to in ends(rule, at):
                if to <= end:
                    reach(to, target)
        if found[at] != now:
            continue  # a call read nothing, and more is possible now
        following = subsets.row(now)[data[at]] if at < end else -1
        if following >= 0:
            reach(at + 1, following)
        if not waiting:
            return found
        at = heappop(waiting)


class _Path:
    """What all paths have: the tracer that knows the states."""

    tracer: Tracer

    def choice(self, mark: int) -> Choice:
        """Return the rule and alternative that *mark* opens."""
        return self.tracer.nfa.states[mark].path[-1]

    def after(self, mark: int) -> int:
        """Return the state after *mark*, inside the rule that it opens."""
        return self.tracer.nfa.states[mark].targets[0]


class CallTrace(_Path):
    """The path of a piece of input with calls: for each offset between the calls, the number of its useful states."""

    def __init__(self, tracer: Tracer, useful: dict[int, int], end: int, ends: Ends) -> None:
        self.tracer = tracer
        self.ends = ends
        self._useful = useful
        self._end = end

    def marks(self, state: int | None, offset: int) -> Iterator[tuple[int, tuple[int | Call, ...]]]:
        """Yield (offset, marks) as ``StateTrace.marks`` does, and a ``Call`` for each call; offsets as in the input."""
        tracer, at = self.tracer, offset
        states = tracer.nfa.states
        now = tracer.nfa.start if state is None else state
        while True:
            now, marks = tracer.hop(now, self._useful[at])
            if now >= 0:
                if marks:
                    yield at, marks
                if at == self._end:
                    return
                at += 1
                continue
            rule, (now,) = states[~now].call, states[~now].targets
            after = tracer.subsets.closure([now])
            stops = [
                to for to in self.ends(rule, at) if to in self._useful and after & tracer._useful[self._useful[to]]
            ]
            if len(stops) > 1:
                raise Ambiguous
            yield at, (*marks, Call(rule, at, stops[0]))
            at = stops[0]

    def passes(self, state: int) -> list[int]:
        """Return the offsets at which the rest is accepted from *state*."""
        closure = self.tracer.subsets.closure([state])
        return [offset for offset, number in self._useful.items() if closure & self.tracer._useful[number]]


class StateTrace(_Path):
    """The path of one input: for each offset, the number of the set of useful states there (two bytes each)."""

    def __init__(self, tracer: Tracer, useful: array[int]) -> None:
        self.tracer = tracer
        self._useful = useful

    def marks(self, state: int | None = None, offset: int = 0) -> Iterator[tuple[int, tuple[int, ...]]]:
        """Yield (offset, marks) where rules begin and end, from *state* (default: start) at *offset*; see ``CLOSE``.

        Raises ``Ambiguous`` at a fork. What it yielded before is right.
        """
        hops, hop = self.tracer._hops, self.tracer.hop
        now = self.tracer.nfa.start if state is None else state
        useful = memoryview(self._useful)[offset:]
        for at, number in enumerate(useful, offset):
            now, marks = hops.get(now << 16 | number) or hop(now, number)
            if marks:
                yield at, marks

    def passes(self, state: int) -> list[int]:
        """Return the offsets at which the rest is accepted from *state*."""
        closure = self.tracer.subsets.closure([state])
        good = {number for number in set(self._useful) if closure & self.tracer._useful[number]}
        return [offset for offset, number in enumerate(self._useful) if number in good]
