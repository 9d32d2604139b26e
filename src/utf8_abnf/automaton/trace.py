"""The path of one input through the NFA: where each rule begins and ends.

It takes three linear passes. The first reads the input with the subset automaton and keeps the set before each byte.
The second goes back and keeps in each set only the useful states: those from which the rest is accepted. The third
follows the one path that is left, and meets the marks where rules begin and end. If two paths are left, the input is
ambiguous. Often one more byte shows which path the reference parser takes (``Tracer.fork``), as with the spaces of JSON
that several rules can read. Otherwise the third pass raises ``Ambiguous``, and ``utf8_abnf.automaton.spans`` chooses.

Where rules are called, the path jumps over what they derive: the chart says where each call can end. So only the bytes
between the calls are read, and each called rule is followed on its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from utf8_abnf.automaton.determinise import Subsets, too_large
from utf8_abnf.automaton.passages import passages
from utf8_abnf.automaton.paths import CLOSE, Ambiguous, CallTrace, Fork, StateTrace

if TYPE_CHECKING:
    from collections.abc import Sequence

    from utf8_abnf.automaton.nfa import Choice, Nfa
    from utf8_abnf.automaton.passages import Ends

_MAX_USEFUL = 1 << 16


_Onward = tuple[tuple[str, frozenset[int]], ...]
_Turn = tuple[int, int, int, _Onward, frozenset[str]]


def _onward(
    called: dict[str, Sequence[int]], at: int, useful: dict[int, int], goals: dict[int, frozenset[int]]
) -> tuple[_Onward, frozenset[str]]:
    """Return for each rule that is *called* at *at* the useful sets where it can end, and the rules that may be empty.

    *goals* keeps them by the id of the list of ends, which many offsets share.
    """
    onward, empty = [], []
    for rule, stops in called.items():
        found = goals.get(id(stops))
        if found is None:
            found = frozenset([useful[to] for to in stops if to in useful])
            if stops[0] == at:
                empty.append(rule)
            else:
                goals[id(stops)] = found
        onward.append((rule, found))
    return tuple(onward), frozenset(empty)


class Tracer:
    """Follows many inputs through one NFA; what it computes is kept."""

    def __init__(self, nfa: Nfa, *, file: str = "<grammar>") -> None:
        self.nfa = nfa
        self.calls = any(state.call for state in nfa.states)
        self.choices: dict[int, Choice] = {
            number: state.path[-1] for number, state in enumerate(nfa.states) if state.opens
        }
        """What each mark opens."""
        self.subsets = Subsets(nfa, file=file)
        self._useful_numbers: dict[frozenset[int], int] = {}
        self._useful: list[frozenset[int]] = []
        self._back: dict[int, int] = {}
        self._quiet: set[int] = set()  # the sets that are known to call nothing
        self._hops: dict[int, tuple[int, tuple[int, ...]] | None] = {}
        self._turns: dict[_Turn, int] = {}
        self._forks: dict[tuple[int, int, int], Fork | None] = {}
        self._later: dict[tuple[int, int, int], tuple[frozenset[str], int] | None] = {}
        self.nothing = self._number(frozenset())
        self.accepted = self._number(frozenset({nfa.accept}))

    def follow(self, data: bytes, start: int, end: int, ends: Ends) -> CallTrace | None:
        """Return the path of ``data[start:end]``, where *ends* says how far calls go; None if it is not derived."""
        sets, calls = passages(self.subsets, data, start, end, ends)
        if end not in sets or self.nfa.accept not in self.subsets.sets[sets[end]]:
            return None
        classes, back, nothing = self.subsets.classes, self._back, self.nothing
        useful: dict[int, int] = {}
        goals: dict[int, frozenset[int]] = {}
        following, after = end + 1, nothing
        for at in sorted(sets, reverse=True):
            if following != at + 1:
                after = nothing
            if at in calls or at == end:
                onward, empty = _onward(calls.get(at, {}), at, useful, goals)
                turn = sets[at], classes[data[at]] if at < end else -1, after, onward, empty
                found = self._turns.get(turn)
                after = self._turned(turn) if found is None else found
            elif after != nothing:
                key = ((after << 16 | sets[at]) << 8) | classes[data[at]]
                found = back.get(key)
                after = self._step_back(key) if found is None else found
            following = at
            if after != nothing:
                useful[at] = after
        return CallTrace(self, useful, end, calls)

    def _turned(self, turn: _Turn) -> int:
        number = self._turns[turn] = self._number(self._turn(*turn))
        return number

    def _turn(
        self,
        passed: int,
        byte_class: int,
        after: int,
        onward: _Onward,
        empty: frozenset[str],
    ) -> frozenset[int]:
        """Return the states of set *passed* from which the rest is accepted: by a byte, by a call, or at the end."""
        states, members = self.nfa.states, self.subsets.sets[passed]
        found = {self.nfa.accept} & members if byte_class < 0 else set()
        if after != self.nothing:
            low = self.subsets.classes.index(byte_class)
            found |= {
                state
                for state in members
                if any(first <= low <= last for first, last in states[state].ranges)
                and self.subsets.closure(states[state].targets) & self._useful[after]
            }
        goals = {rule: frozenset().union(*(self._useful[each] for each in numbers)) for rule, numbers in onward}
        calls = [(state, self.subsets.closure(states[state].targets)) for state in members if states[state].call]
        found |= {state for state, after_it in calls if after_it & goals.get(states[state].call, frozenset())}
        while fresh := {
            state
            for state, after_it in calls
            if states[state].call in empty and after_it & found and state not in found
        }:
            found |= fresh
        return frozenset(found)

    def trace(self, data: bytes | memoryview) -> StateTrace | None:
        """Return the path of *data*, or None if it is not derived, or if a rule could be called on the way."""
        passed = self.subsets.read(data)
        if len(passed) <= len(data) or self.nfa.accept not in self.subsets.sets[passed[-1]]:
            return None
        if self.calls and (fresh := set(passed) - self._quiet):
            if any(map(self.subsets.gotos, fresh)):
                return None
            self._quiet |= fresh
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

    def hop(self, state: int, useful: int) -> tuple[int, tuple[int, ...]] | None:
        """Return the state after the next byte, and the marks before it; None if two ways lead to a useful state.

        If the next useful state calls a rule, it is returned itself, as ``~state``.
        """
        key = state << 16 | useful
        if key not in self._hops:
            way = self._way(state, self._useful[useful], None)
            self._hops[key] = way[:2] if way else None
        return self._hops[key]

    def fork(self, state: int, useful: int, following: int | None) -> Fork:
        """Return the way from *state* that the reference parser takes, by the sets *useful* here and *following* next.

        Where an option or a round of a repetition can be read or left out, the reference reads as much as it can. To
        read is right if whatever is possible after the next byte on the other way is possible on this way as well: the
        same can then be derived, with more bytes in what begins first. Otherwise this raises ``Ambiguous``.
        """
        if following is None:
            raise Ambiguous
        key = state, useful, following
        if key not in self._forks:
            self._forks[key] = self._way(state, self._useful[useful], self._useful[following])
        found = self._forks[key]
        if found is None:
            raise Ambiguous
        return found

    def later(self, state: int, sooner: int, later: int) -> tuple[frozenset[str], int]:
        """Return what ``Fork`` has as *calls* and *depth* for a call that can end one byte later, before *state*.

        *sooner* and *later* are the useful sets at the two ends. Raises ``Ambiguous`` if the later end is not right.
        """
        key = state, sooner, later
        if key not in self._later:
            after = self.subsets.closure([state])
            depth = len(self.nfa.states[state].path)
            self._later[key] = self._covered(
                dict.fromkeys(after & self._useful[sooner], depth), after, self._useful[later]
            )
        found = self._later[key]
        if found is None:
            raise Ambiguous
        return found

    def _way(self, state: int, useful: frozenset[int], following: frozenset[int] | None) -> Fork | None:
        states = self.nfa.states
        marks: list[int] = []
        leading = self._leading_to(state, useful)
        calls: frozenset[str] = frozenset()
        depth = 0
        while state not in useful:
            if states[state].opens:
                marks.append(state)
            elif states[state].closes:
                marks.append(CLOSE)
            ways = [target for target in states[state].targets if target in leading]
            if len(ways) > 1:
                if following is None or not states[state].optional:
                    return None
                inside = self._depths(state, ways[0], leading - {ways[1]})
                reading = [each for each in inside if states[each].ranges]
                after = self.subsets.closure(states[each].targets[0] for each in reading)
                covered = self._covered(self._depths(state, ways[1], leading), after, following) if reading else None
                if covered is None:
                    return None
                calls, depth = calls | covered[0], max(depth, covered[1])
            state = ways[0]
        if states[state].call:
            return Fork(~state, tuple(marks), calls, depth)
        targets = states[state].targets
        return Fork(targets[0] if targets else state, tuple(marks), calls, depth)

    def _covered(
        self, ways: dict[int, int], after: frozenset[int], following: frozenset[int]
    ) -> tuple[frozenset[str], int] | None:
        """Return the calls among *ways*, and their depth, if all that they lead to is in both of *after*, *following*.

        *ways* are useful states, each with the number of rules that contain all between the fork and it.
        """
        calls = []
        for way in ways:
            state = self.nfa.states[way]
            if state.call:
                calls.append(state.call)
            possible = {way} if state.call else self.subsets.closure(state.targets) & following
            if not (state.call or state.ranges) or not possible <= after & following:
                return None
        return (frozenset(calls), max(ways.values())) if ways else None

    def _depths(self, fork: int, way: int, leading: set[int]) -> dict[int, int]:
        """Return the useful states that *way* from *fork* leads to, each with the rules that contain all on the way."""
        states = self.nfa.states
        depths = {fork: len(states[fork].path)}
        found: dict[int, int] = {}
        todo = [(way, depths[fork])]
        while todo:
            state, depth = todo.pop()
            if state in depths or state not in leading:
                continue
            depth = depths[state] = min(depth, len(states[state].path) - states[state].closes)
            if states[state].ranges or states[state].call or state == self.nfa.accept:
                found[state] = depth
            else:
                todo += [(target, depth) for target in states[state].targets]
        return found

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
