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
        self._known: list[dict[int, bytes]] = []  # for each prefix, the rows after the bytes that were asked
        self._moves: list[list[bytes]] = []  # for each prefix, the row after each byte
        self._asked: list[tuple[bytes, bytes, tuple[bytes, ...], bytes]] = []  # prefix, bytes, suffixes, answers
        self.add(suffixes)

    def add(self, suffixes: Iterable[bytes]) -> None:
        """Add *suffixes* as columns of the table."""
        new = tuple(dict.fromkeys(suffix for suffix in suffixes if suffix not in self.suffixes))
        if not new:
            return
        self.suffixes += new
        self._start += self._teacher.block(Block((new,)), self._grammar)
        for prefix, known in zip(self.prefixes, self._known, strict=False):
            for byte, more in self._ask(prefix, sorted(known), new).items():
                known[byte] += more
        self._fill()

    def add_edge(self, byte: int) -> bool:
        """Ask for the rows after *byte*, which were taken from its neighbours; return False if they were asked."""
        if byte in self._edges:
            return False
        self._edges.add(byte)
        for prefix, known in zip(self.prefixes, self._known, strict=False):
            known.update(self._ask(prefix, [byte], tuple(self.suffixes)))
        self._fill()
        return True

    def close(self, max_states: int) -> bool:
        """Ask until the row after every prefix and byte is the row of a prefix; return False above *max_states*."""
        rows = {self._row(prefix) for prefix in self.prefixes}
        for at, prefix in enumerate(self.prefixes):  # the list grows in this loop
            if at == len(self._known):
                self._known.append(self._ask(prefix, sorted(self._edges), tuple(self.suffixes)))
                self._moves.append(self._filled(prefix, self._known[at]))
            for byte, row in sorted(self._known[at].items()):
                if row not in rows:
                    rows.add(row)
                    self.prefixes.append(prefix + SIGMA[byte])
            if len(self.prefixes) > max_states:
                return False
        return True

    def _row(self, prefix: bytes) -> bytes:
        return self._moves[self.prefixes.index(prefix[:-1])][prefix[-1]] if prefix else self._start

    def _fill(self) -> None:
        pairs = zip(self.prefixes, self._known, strict=False)
        self._moves = [self._filled(prefix, known) for prefix, known in pairs]

    def _filled(self, prefix: bytes, known: dict[int, bytes]) -> list[bytes]:
        """Return the row after *prefix* and each byte; where neighbours in *known* differ, halving asks for more."""
        while True:
            gaps = [(low, high) for low, high in pairwise(sorted(known)) if high - low > 1]
            wanted = [(low + high) // 2 for low, high in gaps if known[low] != known[high]]
            if not wanted:
                break
            known.update(self._ask(prefix, wanted, tuple(self.suffixes)))
        rows = [known[0]] * 256
        for low, high in pairwise([*sorted(known), 256]):
            rows[low:high] = [known[low]] * (high - low)
        return rows

    def _ask(self, prefix: bytes, some: Sequence[int], suffixes: tuple[bytes, ...]) -> dict[int, bytes]:
        answers = self._teacher.block(Block(((prefix,), tuple(SIGMA[byte] for byte in some), suffixes)), self._grammar)
        self._asked.append((prefix, bytes(some), suffixes, answers))
        size = len(suffixes)
        return {byte: answers[at * size : (at + 1) * size] for at, byte in enumerate(some)}

    def automaton(self) -> Automaton:
        """Return the closed table as an automaton whose state *i* is reached by ``prefixes[i]``."""
        numbers = {self._row(prefix): number for number, prefix in enumerate(self.prefixes)}
        rows = tuple(tuple(map(numbers.__getitem__, moves)) for moves in self._moves)
        empty = self.suffixes.index(b"")
        accepting = frozenset(number for row, number in numbers.items() if row[empty : empty + 1] == b"1")
        return Automaton(0, rows, bytes(range(256)), accepting)

    def sample(self, count: int) -> list[tuple[bytes, bool]]:
        """Return about *count* of the words that were asked, with their answers, the last words first."""
        step = max(1, sum(len(answers) for *_, answers in self._asked) // count)
        chosen = []
        for prefix, some, suffixes, answers in reversed(self._asked):
            block = Block(((prefix,), tuple(SIGMA[byte] for byte in some), suffixes))
            chosen += [(block.word(at), answers[at] == ord("1")) for at in range(len(answers) - 1, -1, -step)]
        return chosen
