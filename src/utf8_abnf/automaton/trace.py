"""The path of one input through the NFA: where each rule begins and ends.

It takes three linear passes. The first reads the input with the subset automaton and keeps the set before each byte.
The second goes back and keeps in each set only the useful states: those from which the rest is accepted. The third
follows the one path that is left, and meets the marks where rules begin and end. If two paths are left, the input is
ambiguous: the third pass raises ``Ambiguous``, and ``utf8_abnf.automaton.spans`` chooses as the reference parser does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from utf8_abnf.automaton.determinise import Subsets, too_large

if TYPE_CHECKING:
    from array import array
    from collections.abc import Iterator

    from utf8_abnf.automaton.nfa import Choice, Nfa

CLOSE = -1
"""The mark for the end of a rule. The mark for its beginning is the number of the state that opens it."""

_MAX_USEFUL = 1 << 16


class Ambiguous(Exception):  # noqa: N818  # not an error: the caller then decides in another way
    """The input has more than one derivation."""


class Tracer:
    """Follows many inputs through one NFA; what it computes is kept."""

    def __init__(self, nfa: Nfa, *, file: str = "<grammar>") -> None:
        self.nfa = nfa
        self.subsets = Subsets(nfa, file=file)
        self._useful_numbers: dict[frozenset[int], int] = {}
        self._useful: list[frozenset[int]] = []
        self._back: dict[int, int] = {}
        self._hops: dict[int, tuple[int, tuple[int, ...]]] = {}
        self.accepted = self._number(frozenset({nfa.accept}))

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
        targets = states[state].targets
        return (targets[0] if targets else state), tuple(marks)

    def _leading_to(self, start: int, useful: frozenset[int]) -> set[int]:
        """Return the states on the ways from *start* to *useful* that read nothing, both ends included."""
        before: dict[int, list[int]] = {}
        seen, todo = {start}, [start]
        while todo:
            state = todo.pop()
            if self.nfa.states[state].ranges:
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


class StateTrace:
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

    def choice(self, mark: int) -> Choice:
        """Return the rule and alternative that *mark* opens."""
        return self.tracer.nfa.states[mark].path[-1]

    def after(self, mark: int) -> int:
        """Return the state after *mark*, inside the rule that it opens."""
        return self.tracer.nfa.states[mark].targets[0]
