"""The observation table of L*: words that reach the states found so far, and the suffixes that tell them apart."""

from __future__ import annotations

from typing import TYPE_CHECKING

from utf8_abnf.automaton import Automaton
from utf8_abnf.suite.blocks import Block
from utf8_abnf.suite.words import SIGMA

if TYPE_CHECKING:
    from collections.abc import Iterable

    from utf8_abnf.learning.teacher import Teacher


class Table:
    """*prefixes* reach the states found so far. A state's row is its answers on *suffixes*, ``1`` or ``0`` each."""

    def __init__(self, teacher: Teacher, suffixes: Iterable[bytes], expected: Automaton) -> None:
        self._teacher = teacher
        self._expected = expected
        self.suffixes: list[bytes] = []
        self.prefixes = [b""]
        self._start = b""  # the row of the start
        self._moves: list[list[bytes]] = []  # for each prefix, the rows after one byte more
        self._asked: list[tuple[bytes, tuple[bytes, ...], bytes]] = []  # prefix, suffixes, answers: to ask again
        self.add(suffixes)

    def add(self, suffixes: Iterable[bytes]) -> None:
        """Tell states apart by *suffixes*, too."""
        new = tuple(dict.fromkeys(suffix for suffix in suffixes if suffix not in self.suffixes))
        if not new:
            return
        self.suffixes += new
        self._start += self._teacher.block(Block((new,)), self._expected)
        for prefix, rows in zip(self.prefixes, self._moves, strict=False):
            for byte, more in enumerate(self._rows_after(prefix, new)):
                rows[byte] += more

    def close(self, most: int) -> bool:
        """Ask until each prefix with one byte more is, by its row, one of the prefixes; False at *most* of these."""
        known = {self._row(prefix) for prefix in self.prefixes}
        for at, prefix in enumerate(self.prefixes):  # which grows meanwhile
            if at == len(self._moves):
                self._moves.append(self._rows_after(prefix, tuple(self.suffixes)))
            for byte, row in enumerate(self._moves[at]):
                if row not in known:
                    known.add(row)
                    self.prefixes.append(prefix + SIGMA[byte])
            if len(self.prefixes) > most:
                return False
        return True

    def _row(self, prefix: bytes) -> bytes:
        return self._moves[self.prefixes.index(prefix[:-1])][prefix[-1]] if prefix else self._start

    def _rows_after(self, prefix: bytes, suffixes: tuple[bytes, ...]) -> list[bytes]:
        answers = self._teacher.block(Block(((prefix,), SIGMA, suffixes)), self._expected)
        self._asked.append((prefix, suffixes, answers))
        return [answers[at : at + len(suffixes)] for at in range(0, len(answers), len(suffixes))]

    def automaton(self) -> Automaton:
        """Return the closed table as an automaton whose state *i* is reached by ``prefixes[i]``."""
        numbers = {self._row(prefix): number for number, prefix in enumerate(self.prefixes)}
        rows = tuple(tuple(map(numbers.__getitem__, moves)) for moves in self._moves)
        empty = self.suffixes.index(b"")
        accepting = frozenset(number for row, number in numbers.items() if row[empty : empty + 1] == b"1")
        return Automaton(0, rows, bytes(range(256)), accepting)

    def remembered(self, count: int) -> list[tuple[bytes, bool]]:
        """Return about *count* of the words asked, with the answers, last ones first."""
        step = max(1, sum(len(answers) for *_, answers in self._asked) // count)
        found = []
        for prefix, suffixes, answers in reversed(self._asked):
            block = Block(((prefix,), SIGMA, suffixes))
            found += [(block.word(at), answers[at] == ord("1")) for at in range(len(answers) - 1, -1, -step)]
        return found
