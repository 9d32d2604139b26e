"""The smallest automaton: Hopcroft's partition refinement.

It ends in one canonical form, so that equal languages give equal values: the start is state 0, states follow in the
order of their shortest words (of equal length, bytes ascending), the rejecting sink comes last; classes are as few as
possible and numbered by their lowest byte.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from utf8_abnf.automaton.model import Automaton


def minimise(automaton: Automaton) -> Automaton:
    """Return the smallest automaton that accepts the same bytes, in canonical form."""
    part_of = _refine(automaton)
    members: dict[int, int] = {}
    for state, part in enumerate(part_of):
        members.setdefault(part, state)
    table = {part: tuple(part_of[target] for target in automaton.table[state]) for part, state in members.items()}
    accepting = {part_of[state] for state in automaton.accepting}
    return canonical(automaton, part_of[automaton.start], table, accepting)


def canonical(automaton: Automaton, start: int, table: dict[int, tuple[int, ...]], accepting: set[int]) -> Automaton:
    """Return the automaton of *table*, over the classes of *automaton*, with its reachable states in canonical order.

    *table* has at most one dead state. Bytes that no state tells apart share a class.
    """
    by_byte = sorted(set(automaton.classes), key=automaton.classes.index)
    order = {start: 0}
    todo = [start]
    for state in todo:
        for number in by_byte:
            target = table[state][number]
            if target not in order:
                order[target] = len(order)
                todo.append(target)
    sinks = [state for state in todo if state not in accepting and set(table[state]) == {state} and state != start]
    todo = [state for state in todo if state not in sinks] + sinks
    order = {state: number for number, state in enumerate(todo)}
    rows = tuple(tuple(order[target] for target in table[state]) for state in todo)
    numbers: dict[tuple[int, ...], int] = {}
    columns = list(zip(*rows, strict=True))
    classes = bytes(numbers.setdefault(columns[number], len(numbers)) for number in automaton.classes)
    ends = frozenset(order[state] for state in accepting if state in order)
    return replace(automaton, start=0, table=tuple(zip(*numbers, strict=True)), classes=classes, accepting=ends)


def _refine(automaton: Automaton) -> list[int]:
    """Return for each state the number of its part: two states share a part if no word tells them apart."""
    size = len(automaton.table)
    dead = automaton.dead
    before: list[dict[int, list[int]]] = [{} for _ in automaton.table[0]]  # no moves to dead states: most moves are
    for state, row in enumerate(automaton.table):
        for number, target in enumerate(row):
            if target not in dead:
                before[number].setdefault(target, []).append(state)
    accepting = set(automaton.accepting)
    parts = [part for part in (accepting, set(range(size)) - accepting - dead, set(dead)) if part]
    part_of = [0] * size
    for number, part in enumerate(parts):
        for state in part:
            part_of[state] = number
    waiting = {(number, column) for number in range(len(parts)) for column, moves in enumerate(before) if moves}
    while waiting:
        splitter, column = waiting.pop()
        touched: dict[int, set[int]] = {}
        for target in parts[splitter]:
            for state in before[column].get(target, ()):
                touched.setdefault(part_of[state], set()).add(state)
        for number, moved in touched.items():
            rest = parts[number] - moved
            if not rest:
                continue
            parts[number], fresh = (moved, rest) if len(moved) >= len(rest) else (rest, moved)
            parts.append(fresh)
            for state in fresh:
                part_of[state] = len(parts) - 1
            # The smaller half is enough: what the larger one would split, the two together split (Hopcroft 1971).
            waiting.update((len(parts) - 1, each) for each, moves in enumerate(before) if moves)
    return part_of
