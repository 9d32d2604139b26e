"""Lay out a graph in columns: set the places of its states (``Stop``) and the routes of its moves.

The method is Sugiyama, Tagawa and Toda's (IEEE Transactions on Systems, Man, and Cybernetics 11, 1981). The label of a
move is a stop on its route, so no label can lie on a state. (1) Moves that close a cycle are set aside. (2) The column
of a state is the length of the longest path from it to an end. (3) The columns are sorted in sweeps, each stop by the
mean place of its neighbours. (4) Each stop moves towards its neighbours, as far as the order allows. For UTF-8 the
columns are the numbers of bytes that are still missing.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

SWEEPS = 24
APART = 12  # px between things of one column
NEAR, FAR = 30, 96  # px between columns: steep moves get more


@dataclass(slots=True)
class Stop:
    """A state, the label of a move, or a point that a move passes, in a column. *up* and *down* are px from its middle.

    *body* is the width of the state itself, in the middle of *width*; other stops get the width of their column.
    """

    width: float
    up: float
    down: float
    body: float = 0
    column: int = 0
    x: float = 0
    y: float = 0
    ahead: list[Stop] = field(default_factory=list)
    behind: list[Stop] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Route:
    """The stops of a move, from its source to its target, none for one that goes back; *words* is that of its label."""

    stops: tuple[Stop, ...]
    words: Stop


def place(states: Sequence[Stop], moves: Sequence[tuple[int, int, Stop]], start: int) -> list[Route]:
    """Set x and y of all *states* and of the labels of *moves* (source, target, label); return a route for each move.

    Every state must be reachable from *start*. The routes of moves from a state to itself and of moves that go back
    have no stops, and their labels no place: the caller draws these.
    """
    back = _closing(len(states), moves, start)
    _columns(states, [each[:2] for number, each in enumerate(moves) if number not in back], start)
    routes, columns = [], [[each for each in states if each.column == column]
        for column in range(max(each.column for each in states) + 1)]  # fmt: skip
    for number, (source, target, words) in enumerate(moves):
        if number in back:
            routes.append(Route((), words))
            continue
        stops = [states[source], words]
        words.column = states[source].column + 1
        columns[words.column].append(words)
        for column in range(words.column + 1, states[target].column):
            stops.append(Stop(0, 4, 4, column=column))
            columns[column].append(stops[-1])
        stops.append(states[target])
        for left, right in pairwise(stops):
            left.ahead.append(right)
            right.behind.append(left)
        routes.append(Route(tuple(stops), words))
    _order(columns)
    _heights(columns)
    _widths(columns)
    return routes


def _closing(count: int, moves: Sequence[tuple[int, int, Stop]], start: int) -> set[int]:
    """Return the numbers of the moves that close a cycle: the back edges of a depth-first search."""
    out: list[list[tuple[int, int]]] = [[] for _ in range(count)]
    for number, (source, target, _) in enumerate(moves):
        out[source].append((number, target))
    closing: set[int] = set()
    seen, on_way = {start}, {start}
    stack = [(start, iter(out[start]))]
    while stack:
        state, following = stack[-1]
        number, target = next(following, (-1, -1))
        if number < 0:
            stack.pop()
            on_way.discard(state)
        elif target in on_way:
            closing.add(number)
        elif target not in seen:
            seen.add(target)
            on_way.add(target)
            stack.append((target, iter(out[target])))
    return closing


def _columns(states: Sequence[Stop], moves: Sequence[tuple[int, int]], start: int) -> None:
    """Put each state into an even column, counted from the right by the longest path from it to an end."""
    left = [0] * len(states)
    for _ in states:  # the longest path has fewer moves than there are states
        for source, target in moves:
            left[source] = max(left[source], left[target] + 1)
    for state, stop in enumerate(states):
        stop.column = 2 * (left[start] - left[state])


def _order(columns: list[list[Stop]]) -> None:
    """Sort each column by the mean rank of its neighbours, in sweeps to the right and to the left."""
    for sweep in range(SWEEPS):
        forward = sweep % 2 == 0
        for column in columns if forward else columns[::-1]:
            rank = {id(stop): at for each in columns for at, stop in enumerate(each)}
            wish = {
                id(stop): _mean([rank[id(each)] for each in (stop.behind if forward else stop.ahead)], rank[id(stop)])
                for stop in column
            }
            column.sort(key=lambda stop: wish[id(stop)])  # stable: equal wishes keep their order


def _heights(columns: list[list[Stop]]) -> None:
    """Set every y: each stop moves towards its neighbours, as far as those above and below it in its column allow."""
    for column in columns:
        _settle(column, [0.0] * len(column))
    for sweep in range(SWEEPS):
        for column in columns if sweep % 2 else columns[::-1]:
            _settle(column, [_mean([each.y for each in (*stop.behind, *stop.ahead)], stop.y) for stop in column])
    for stop in (stop for column in columns for stop in column):
        stop.y = round(stop.y)


def _settle(column: list[Stop], wishes: list[float]) -> None:
    """Set each y midway between two layouts: in one no stop is above its wish, in the other none is below it."""
    apart = [one.down + APART + other.up for one, other in pairwise(column)]
    low, high = list(wishes), list(wishes)
    for at in range(1, len(column)):
        low[at] = max(low[at], low[at - 1] + apart[at - 1])
        high[-at - 1] = min(high[-at - 1], high[-at] - apart[-at])
    for stop, one, other in zip(column, low, high, strict=True):
        stop.y = (one + other) / 2


def _widths(columns: list[list[Stop]]) -> None:
    right = 0.0
    for number, column in enumerate(columns):
        if number:
            steepest = max((abs(stop.y - each.y) for stop in column for each in stop.behind), default=0)
            right += min(max(NEAR, steepest / 2), FAR)
        width = max(stop.width for stop in column)
        for stop in column:
            stop.x = round(right + width / 2)
            stop.width = stop.width if stop.body else width
        right = round(right + width)


def _mean(values: Iterable[float], otherwise: float) -> float:
    several = list(values)
    return sum(several) / len(several) if several else otherwise
