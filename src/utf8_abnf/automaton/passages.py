"""The offsets that a set of states can reach in a piece of input, where calls jump over what they derive."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from heapq import heappop, heappush
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from utf8_abnf.automaton.determinise import Subsets

Ends: TypeAlias = Callable[[str, int], Sequence[int]]
"""A function of a called rule and the offset where it begins: the offsets where it can end, ascending."""


class Passages(NamedTuple):
    """The number of the set at each offset that is reached, and the calls there: for each rule, where it can end."""

    sets: dict[int, int]
    calls: dict[int, dict[str, Sequence[int]]]


def passages(subsets: Subsets, data: bytes, start: int, end: int, ends: Ends) -> Passages:
    """Return the offsets from *start* to *end* that are reached, with the sets and calls there (see ``Ends``)."""
    found = {start: subsets.start}
    calls: dict[int, dict[str, Sequence[int]]] = {}
    waiting: list[int] = []
    at = start

    within: dict[int, tuple[Sequence[int], Sequence[int]]] = {}  # lists of ends by their ids, whole and cut at *end*
    passed: set[tuple[int, int]] = set()  # the lists, by their ids, whose ends were reached with a set

    def reach(to: int, number: int) -> None:
        if to not in found:
            heappush(waiting, to)
            found[to] = number
        else:
            found[to] = subsets.join(found[to], number)

    rows, known = subsets._rows, subsets._gotos
    while True:
        now = found[at]
        gotos = subsets.gotos(now)
        # The usual case. A list, because a generator takes longer.
        while not waiting and at < end and (not gotos or not any([ends(rule, at) for rule in gotos])):  # noqa: C419
            now = (rows[now] or subsets.row(now))[data[at]]
            if now < 0:
                return Passages(found, calls)
            at += 1
            found[at] = now
            seen = known[now]
            gotos = subsets.gotos(now) if seen is None else seen
        for rule, target in gotos.items():
            all_stops = ends(rule, at)
            if not all_stops or all_stops[0] > end:
                continue
            if id(all_stops) not in within:
                inside = all_stops if all_stops[-1] <= end else all_stops[: bisect_right(all_stops, end)]
                within[id(all_stops)] = all_stops, inside
            stops = within[id(all_stops)][1]
            calls.setdefault(at, {})[rule] = stops
            if (id(stops), target) not in passed:
                passed.add((id(stops), target))
                for to in stops:
                    reach(to, target)
        if found[at] != now:
            continue  # a call read nothing, and more is possible now
        following = subsets.row(now)[data[at]] if at < end else -1
        if following >= 0:
            reach(at + 1, following)
        if not waiting:
            return Passages(found, calls)
        at = heappop(waiting)
