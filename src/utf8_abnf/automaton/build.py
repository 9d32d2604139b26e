"""From rows of 256 next states to an ``Automaton``: bytes that no state tells apart become one class."""

from __future__ import annotations

from typing import TYPE_CHECKING

from utf8_abnf.automaton.model import Automaton

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


def from_rows(start: int, rows: Sequence[Sequence[int]], accepting: Iterable[int]) -> Automaton:
    """Return the automaton whose state *s* goes to ``rows[s][byte]``; classes are numbered by their lowest byte."""
    columns: dict[tuple[int, ...], int] = {}
    classes = bytes(columns.setdefault(column, len(columns)) for column in zip(*rows, strict=True))
    return Automaton(start, tuple(zip(*columns, strict=True)), classes, frozenset(accepting))


def merge_classes(automaton: Automaton) -> Automaton:
    """Return the same automaton with as few byte classes as it needs, numbered by their lowest byte."""
    columns = list(zip(*automaton.table, strict=True))
    numbers: dict[tuple[int, ...], int] = {}
    classes = bytes(numbers.setdefault(columns[number], len(numbers)) for number in automaton.classes)
    return Automaton(automaton.start, tuple(zip(*numbers, strict=True)), classes, automaton.accepting)
