"""The offsets that a set of states can reach in a piece of input, where calls jump over what they derive."""

from __future__ import annotations

from bisect import bisect_right
from heapq import heappop, heappush
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from utf8_abnf.automaton.determinise import Subsets


class Ends(NamedTuple):
    """Where called rules can end: *of* returns, for a rule and the offset where it begins, the ends, ascending.

    *begins* has a 0 for each offset at which no rule begins, up to the end of the input; it is empty where none does.
    """

    of: Callable[[str, int], Sequence[int]]
    begins: bytes


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

    rows, begins = subsets._rows, ends.begins
    while True:
        now = found[at]
        while not waiting and at < end:  # the usual case
            if begins and begins[at] and any(ends.of(rule, at) for rule in subsets.gotos(now)):
                break
            now = (rows[now] or subsets.row(now))[data[at]]
            if now < 0:
                return Passages(found, calls)
            at += 1
            found[at] = now
        for rule, target in subsets.gotos(now).items():
            all_stops = ends.of(rule, at)
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
