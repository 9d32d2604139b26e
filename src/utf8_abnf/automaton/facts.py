"""What reading an input found out: which called rules derive which pieces of it, or where it goes wrong."""

from __future__ import annotations

from bisect import bisect_left
from functools import cached_property
from typing import NamedTuple

from utf8_abnf.automaton.passages import Ends


class Refusal(NamedTuple):
    """The *offset* at which the input cannot go on, and the sets of states there. *complete*: it may end there."""

    offset: int
    sets: tuple[int, ...]
    complete: bool


_NOWHERE: list[int] = []


class Chart:
    """The pieces of one input that the called rules derive. *refused* says where the input goes wrong, if it does."""

    def __init__(self, number: dict[str, int], nullable: frozenset[str], size: int) -> None:
        self.refused: Refusal | None = None
        self.steps = 0  # rules that began or ended: the other bytes take one look in a table each
        self.facts: dict[int, list[int]] = {}  # ends, by start of the piece and number of the rule
        self.same: dict[int, tuple[int, int]] = {}  # offset: another one where the same rules began, and since where
        self.ranks: dict[tuple[int, int], dict[str, int]] = {}  # see ``utf8_abnf.automaton.circular``
        self._number = number
        self._nullable = nullable
        self._size = size
        self._ends: dict[int, list[int]] = {}
        self._after: dict[tuple[int, int], list[int]] = {}

    @cached_property
    def all_ends(self) -> Ends:
        """Where all rules can end; the input must have been read."""
        width, begins = len(self._number), bytearray([bool(self._nullable)]) * (self._size + 1)
        for start in [*self.same, *(key // width for key in self.facts)]:
            begins[start] = 1
        return Ends(self.ends, bytes(begins))

    def ends(self, rule: str, start: int) -> list[int]:
        """Return the offsets, ascending, where a piece that *rule* derives can end if it begins at *start*.

        Starts that go on alike share one list, so do not change it; the input must have been read.
        """
        number, width = self._number[rule], len(self._number)
        if start not in self.same and rule not in self._nullable:
            return self.facts.get(start * width + number, _NOWHERE)
        todo = []
        while start * width + number not in self._ends and start in self.same:
            todo.append(start)
            start = self.same[start][0]
        found = self._ends.get(start * width + number)
        if found is None:
            found = self._ends[start * width + number] = self._own(rule, start)
        for each in reversed(todo):
            at, since = self.same[each]
            later = self._from(at * width + number, found, since)
            own = self._own(rule, each)
            found = self._ends[each * width + number] = own + later if own else later
        return found

    def _own(self, rule: str, start: int) -> list[int]:
        """Return the ends that were found before *start* was the same as another offset."""
        facts = self.facts.get(start * len(self._number) + self._number[rule], [])
        return [start, *facts] if rule in self._nullable else facts

    def _from(self, key: int, ends: list[int], since: int) -> list[int]:
        """Return those of *ends*, which belong to *key*, that are not below *since*: always the same list."""
        low = bisect_left(ends, since)
        return self._after.setdefault((key, low), ends[low:]) if low else ends
