"""Return the smallest ``Automaton`` with the same words: Hopcroft's partition refinement.

It ends in one canonical form, so that equal languages give equal values: the start is state 0, states follow in the
order of their shortest words (of equal length, bytes ascending), the rejecting sink comes last; classes are as few as
possible and numbered by their lowest byte.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from utf8_abnf.automaton.model import Automaton


def minimal(automaton: Automaton) -> Automaton:
    """Return the smallest automaton that accepts the same bytes, in canonical form."""
    part_of = _refine(automaton)
    members: dict[int, int] = {}
    for state, part in enumerate(part_of):
        members.setdefault(part, state)
    table = {part: tuple(part_of[target] for target in automaton.table[state]) for part, state in members.items()}
    accepting = {part_of[state] for state in automaton.accepting}
    by_byte = sorted(set(automaton.classes), key=automaton.classes.index)
    order = {part_of[automaton.start]: 0}
    todo = list(order)
    for part in todo:
        for number in by_byte:
            target = table[part][number]
            if target not in order:
                order[target] = len(order)
                todo.append(target)
    sinks = [part for part in todo[1:] if part not in accepting and set(table[part]) == {part}]
    todo = [part for part in todo if part not in sinks] + sinks
    order = {part: number for number, part in enumerate(todo)}
    columns = list(zip(*(tuple(order[target] for target in table[part]) for part in todo), strict=True))
    numbers: dict[tuple[int, ...], int] = {}
    classes = bytes(numbers.setdefault(columns[number], len(numbers)) for number in automaton.classes)
    ends = frozenset(order[part] for part in accepting if part in order)
    return replace(automaton, start=0, table=tuple(zip(*numbers, strict=True)), classes=classes, accepting=ends)


def _refine(automaton: Automaton) -> list[int]:
    """Return for each state the number of its part: two states share a part if no word distinguishes them."""
    dead = automaton.dead
    before: list[dict[int, list[int]]] = [{} for _ in automaton.table[0]]  # no moves to dead states: most moves are
    for state, row in enumerate(automaton.table):
        for number, target in enumerate(row):
            if target not in dead:
                before[number].setdefault(target, []).append(state)
    live = frozenset(range(len(automaton.table))) - automaton.accepting - dead
    parts = [set(part) for part in (automaton.accepting, live, dead) if part]
    part_of = [0] * len(automaton.table)
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
