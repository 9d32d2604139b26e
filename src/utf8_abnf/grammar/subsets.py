"""Compute the sets of ``Nfa`` states that are possible after some bytes, on demand (the subset construction)."""

from __future__ import annotations

from array import array
from collections import deque
from functools import cache
from typing import TYPE_CHECKING, TypeVar

from utf8_abnf.errors import TooLargeError
from utf8_abnf.grammar.values import byte_classes
from utf8_abnf.language import syntax_errors as messages
from utf8_abnf.language.catalogue import Message

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from collections.abc import Set as AbstractSet

    from utf8_abnf.grammar.nfa import Nfa

T = TypeVar("T")

MAX_STATES = 20_000
"""A grammar whose automaton needs more states is too large (``TooLargeError``). RFC 3986's URI needs 2,200."""


def too_large(file: str = "<grammar>", remedy: Message | None = None) -> TooLargeError:
    """Return the error for a grammar whose automaton needs more than ``MAX_STATES`` states."""
    remedy = remedy or Message(messages.SMALLER_RULE)
    return TooLargeError(Message(messages.LARGE_NFA, most=f"{MAX_STATES:,}", remedy=remedy), file=file)


class Subsets:
    """The sets of NFA states that are possible after some bytes, numbered in the order of discovery.

    A set holds only states that read a byte or call a rule, and the accepting state. Moves are computed once and kept.
    The calls of *skipped* rules, which are nullable, may read nothing. *accepting*: the accepting states of several
    rules, where *nfa* has them all. Where state *loop* is possible, all is accepted, and the others do not matter.
    """

    def __init__(
        self,
        nfa: Nfa,
        *,
        file: str = "<grammar>",
        skipped: AbstractSet[str] = frozenset(),
        accepting: AbstractSet[int] | None = None,
        limit: int | None = None,
        loop: int = -1,
    ) -> None:
        self.nfa = nfa
        self.file = file
        self.limit = min(limit or MAX_STATES, MAX_STATES)
        self.loop = loop
        self.skipped = skipped
        self.accepting = {nfa.accept} if accepting is None else accepting
        self.classes = byte_classes([state.ranges for state in nfa.states if state.ranges])
        self.width = max(self.classes) + 1
        self._close = cache(self._closed)
        self._reads = [self._classes_of(state.ranges) for state in nfa.states]
        self._numbers: dict[frozenset[int], int] = {}
        self.sets: list[frozenset[int]] = []
        self._rows: list[list[int] | None] = []
        self.join = cache(self._join)
        self.gotos = cache(self._gotos)
        self.start = self.number(self.closure([nfa.start]))

    def _classes_of(self, ranges: tuple[tuple[int, int], ...]) -> tuple[int, ...]:
        return tuple(sorted({self.classes[byte] for low, high in ranges for byte in range(low, high + 1)}))

    def closure(self, states: Iterable[int]) -> frozenset[int]:
        """Return the states that *states* reach without reading, and that read a byte, call a rule or accept."""
        parts = list(map(self._close, states))
        return parts[0] if len(parts) == 1 else frozenset().union(*parts)

    def _closed(self, state: int) -> frozenset[int]:
        seen, todo, stops = {state}, [state], []
        while todo:
            now = todo.pop()
            one = self.nfa.states[now]
            if one.ranges or one.call or now in self.accepting:
                stops.append(now)
                if one.call not in self.skipped:
                    continue
            fresh = [target for target in one.targets if target not in seen]
            seen.update(fresh)
            todo.extend(fresh)
        return frozenset(stops)

    def number(self, members: frozenset[int]) -> int:
        """Return the number of a set; a new set gets the next number."""
        if self.loop in members:
            members = frozenset((self.loop, self.nfa.accept))
        number = self._numbers.get(members)
        if number is None:
            if len(self.sets) >= self.limit:
                raise too_large(self.file)
            number = self._numbers[members] = len(self.sets)
            self.sets.append(members)
            self._rows.append(None)
        return number

    def _join(self, one: int, other: int) -> int:
        """Return the number of the union of two sets."""
        return one if one == other else self.number(self.sets[one] | self.sets[other])

    def _gotos(self, number: int) -> dict[str, int]:
        """Return, for set *number*, the rules that it calls, each with the next set."""
        after: dict[str, list[int]] = {}
        for state in self.sets[number]:
            if call := self.nfa.states[state].call:
                after.setdefault(call, []).append(self.nfa.states[state].targets[0])
        return {call: self.number(self.closure(targets)) for call, targets in after.items()}

    def row(self, number: int) -> list[int]:
        """Return, for set *number*, the next set for each of the 256 bytes; -1 where the byte is not allowed."""
        row = self._rows[number]
        if row is None:
            moves = self.moves(number)
            row = self._rows[number] = [moves.get(byte_class, -1) for byte_class in self.classes]
        return row

    def read(self, data: bytes | memoryview) -> array[int]:
        """Return the set before each byte of *data* and after the last; stop before a byte that is not allowed."""
        rows = self._rows
        now = self.start
        passed = array("H", [now])  # two bytes for each byte of input: MAX_STATES fits
        for byte in data:
            now = (rows[now] or self.row(now))[byte]
            if now < 0:
                break
            passed.append(now)
        return passed

    def moves(self, number: int) -> dict[int, int]:
        """Return, for set *number*, the next set for each byte class that is allowed."""
        reached: dict[int, list[int]] = {}
        for state in self.sets[number]:
            for byte_class in self._reads[state]:
                reached.setdefault(byte_class, []).append(self.nfa.states[state].targets[0])
        together: dict[tuple[int, ...], int] = {}
        moves: dict[int, int] = {}
        for byte_class in sorted(reached):
            targets = tuple(reached[byte_class])
            if targets not in together:
                together[targets] = self.number(self.closure(targets))
            moves[byte_class] = together[targets]
        return moves


def shortest_words(start: T, moves: Callable[[T], Iterable[tuple[int, T]]]) -> Iterator[tuple[T, bytes]]:
    """Yield what can be reached from *start*, each with a shortest word that leads there; the shortest words first.

    *moves* returns the bytes that can be read, in the preferred order, and where they lead.
    """
    words = {start: b""}
    todo = deque(words)
    while todo:
        here = todo.popleft()
        yield here, words[here]
        for byte, target in moves(here):
            if target not in words:
                words[target] = words[here] + bytes([byte])
                todo.append(target)
