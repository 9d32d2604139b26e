"""Combine two ``Automaton`` values: their product, and the shortest word with wanted verdicts."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from utf8_abnf.automaton.minimise import minimal
from utf8_abnf.grammar.subsets import shortest_words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from utf8_abnf.automaton.model import Automaton

    Predicate = Callable[[bool, bool], bool]


def _common_classes(left: Automaton, right: Automaton) -> tuple[bytes, list[tuple[int, int, int]]]:
    """Return the byte classes of both together, and for each its lowest byte and its class on either side."""
    pairs: dict[tuple[int, int], int] = {}
    classes = bytes(pairs.setdefault(pair, len(pairs)) for pair in zip(left.classes, right.classes, strict=True))
    return classes, [(classes.index(number), *pair) for pair, number in pairs.items()]


def first_word(left: Automaton, right: Automaton, wanted: Predicate) -> bytes | None:
    """Return the shortest word (of several, the one that sorts first) with *wanted* verdicts, or None."""
    _, columns = _common_classes(left, right)

    def moves(pair: tuple[int, int]) -> Iterator[tuple[int, tuple[int, int]]]:
        mine, yours = left.table[pair[0]], right.table[pair[1]]
        return ((byte, (mine[column], yours[other])) for byte, column, other in columns)

    reached = shortest_words((left.start, right.start), moves)
    return next(
        (word for (mine, yours), word in reached if wanted(mine in left.accepting, yours in right.accepting)), None
    )


def product(left: Automaton, right: Automaton, wanted: Predicate) -> Automaton:
    """Return the smallest automaton that accepts the words for whose two verdicts *wanted* is true."""
    classes, columns = _common_classes(left, right)
    numbers = {(left.start, right.start): 0}
    todo = [(left.start, right.start)]
    table: list[tuple[int, ...]] = []
    for mine, yours in todo:
        row = []
        for _, a, b in columns:
            target = left.table[mine][a], right.table[yours][b]
            if target not in numbers:
                numbers[target] = len(todo)
                todo.append(target)
            row.append(numbers[target])
        table.append(tuple(row))
    accepting = frozenset(
        number for (mine, yours), number in numbers.items() if wanted(mine in left.accepting, yours in right.accepting)
    )
    return minimal(replace(left, start=0, table=tuple(table), classes=classes, accepting=accepting))


def union(left: Automaton, right: Automaton) -> Automaton:
    """Return the smallest automaton that accepts what either accepts."""
    return product(left, right, lambda mine, yours: mine or yours)


def intersection(left: Automaton, right: Automaton) -> Automaton:
    """Return the smallest automaton that accepts what both accept."""
    return product(left, right, lambda mine, yours: mine and yours)


def difference(left: Automaton, right: Automaton) -> Automaton:
    """Return the smallest automaton that accepts what *left* accepts and *right* rejects."""
    return product(left, right, lambda mine, yours: mine and not yours)


def complement(automaton: Automaton) -> Automaton:
    """Return the smallest automaton that accepts what *automaton* rejects."""
    states = frozenset(range(len(automaton.table)))
    return minimal(replace(automaton, accepting=states - automaton.accepting))
