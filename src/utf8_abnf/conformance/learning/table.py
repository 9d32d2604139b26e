"""Keeps the observation table of L*: a row for each state, and a column for each separating word."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from utf8_abnf.automaton import Automaton
from utf8_abnf.conformance.suite.blocks import Block
from utf8_abnf.conformance.suite.words import SIGMA, edges

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from utf8_abnf.conformance.learning.teacher import Teacher


class Table:
    """What is known so far: the answers to each word of *prefixes*, a byte, and each of *suffixes*.

    A row is bytes, ``1`` or ``0`` for each column, that is for each of *suffixes*. *grammar* gives the answers that
    are expected. If it is *sparse*, the rows after the edges of the grammar's byte classes are asked alone; between two
    edges with the same row all have it, and between others the place where the row changes is found by halving.
    """

    def __init__(
        self, teacher: Teacher, suffixes: Iterable[bytes], grammar: Automaton, *, sparse: bool = False
    ) -> None:
        self._teacher = teacher
        self._grammar = grammar
        self._edges = set(edges(grammar)) if sparse else set(range(256))
        self.suffixes: list[bytes] = []
        self.prefixes = [b""]
        self._start = b""  # the row of the start state
        self._rows: list[dict[int, bytes]] = []  # for each prefix, the rows after the bytes that were asked
        self.add(suffixes)

    def add(self, suffixes: Iterable[bytes]) -> None:
        """Add *suffixes* as columns of the table."""
        new = tuple(dict.fromkeys(suffix for suffix in suffixes if suffix not in self.suffixes))
        self.suffixes += new
        self._start += self._teacher.block(Block((new,)), self._grammar)
        for prefix, rows in zip(self.prefixes, self._rows, strict=False):
            for byte, more in self._ask(prefix, sorted(rows), new).items():
                rows[byte] += more
            self._halve(prefix, rows)

    def add_edge(self, byte: int) -> bool:
        """Ask for the rows after *byte*, which were taken from its neighbours; return False if they were asked."""
        if byte in self._edges:
            return False
        self._edges.add(byte)
        for prefix, rows in zip(self.prefixes, self._rows, strict=False):
            rows.update(self._ask(prefix, [byte], tuple(self.suffixes)))
            self._halve(prefix, rows)
        return True

    def close(self, max_states: int) -> bool:
        """Ask until the row after every prefix and byte is the row of a prefix; return False above *max_states*."""
        known = {self._row(prefix) for prefix in self.prefixes}
        for at, prefix in enumerate(self.prefixes):  # the list grows in this loop
            if at == len(self._rows):
                self._rows.append(self._ask(prefix, sorted(self._edges), tuple(self.suffixes)))
                self._halve(prefix, self._rows[at])
            for byte, row in sorted(self._rows[at].items()):
                if row not in known:
                    known.add(row)
                    self.prefixes.append(prefix + SIGMA[byte])
            if len(self.prefixes) > max_states:
                return False
        return True

    def _row(self, prefix: bytes) -> bytes:
        return self._rows[self.prefixes.index(prefix[:-1])][prefix[-1]] if prefix else self._start

    def _halve(self, prefix: bytes, rows: dict[int, bytes]) -> None:
        """Ask for more of the *rows* after *prefix*, until those that differ belong to bytes side by side."""
        while wanted := [
            (low + high) // 2 for low, high in pairwise(sorted(rows)) if high - low > 1 and rows[low] != rows[high]
        ]:
            rows.update(self._ask(prefix, wanted, tuple(self.suffixes)))

    def _ask(self, prefix: bytes, some: Sequence[int], suffixes: tuple[bytes, ...]) -> dict[int, bytes]:
        answers = self._teacher.block(Block(((prefix,), tuple(SIGMA[byte] for byte in some), suffixes)), self._grammar)
        size = len(suffixes)
        return {byte: answers[at * size : (at + 1) * size] for at, byte in enumerate(some)}

    def automaton(self) -> Automaton:
        """Return the closed table as an automaton whose state *i* is reached by ``prefixes[i]``."""
        numbers = {self._row(prefix): number for number, prefix in enumerate(self.prefixes)}
        moves = []
        for rows in self._rows:
            runs = ((numbers[rows[low]], high - low) for low, high in pairwise([*sorted(rows), 256]))
            moves.append(tuple(target for target, size in runs for _ in range(size)))
        empty = self.suffixes.index(b"")
        accepting = frozenset(number for row, number in numbers.items() if row[empty : empty + 1] == b"1")
        return Automaton(0, tuple(moves), bytes(range(256)), accepting)

    def sample(self, count: int) -> tuple[Block, bytes]:
        """Return about *count* of the words that were asked, with their answers, the last ones first."""
        known = zip(self.prefixes, self._rows, strict=True)
        rows = [(prefix + SIGMA[byte], row) for prefix, rows in known for byte, row in rows.items()]
        step = max(1, len(rows) * len(self.suffixes) // count)
        some = [*rows[::-step], (b"", self._start)]
        words = tuple(head + end for head, _ in some for end in self.suffixes)
        return Block((words,)), b"".join(row for _, row in some)
