"""Circular rules, such as ``a = a / "x"``: a rule that derives itself alone, and so has infinitely many trees.

The tree that is chosen must end: in a use of a circular rule, a circular rule that derives the same bytes may be used
only if its rank is lower. The rank of a rule and its bytes is 0 if it needs no circular rule for the same bytes, and
otherwise one more than the highest that it cannot do without.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from utf8_abnf.automaton.passages import Ends, passages
from utf8_abnf.automaton.recursion import strongly_connected

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from utf8_abnf.automaton.chart import Recogniser
    from utf8_abnf.automaton.facts import Chart
    from utf8_abnf.automaton.trace import Tracer


def circular_rules(recogniser: Recogniser) -> frozenset[str]:
    """Return the called rules that derive themselves alone, in lower case."""
    network, subsets = recogniser.network, recogniser.subsets
    edges: dict[str, list[str]] = {}
    for name, start, accept in zip(network.rules, network.starts, network.accepts, strict=True):
        begin = [subsets.nfa.states[each] for each in subsets.closure([start])]
        edges[name] = [state.call for state in begin if state.call and accept in subsets.closure(state.targets)]
    cycles = [each for each in strongly_connected(edges) if len(each) > 1 or set(edges[min(each)]) & each]
    return frozenset().union(*cycles)


class Circular:
    """Says where rules can end if a tree must not go round in circles. *tracer* gives the tracer of a rule."""

    def __init__(self, recogniser: Recogniser, tracer: Callable[[str], Tracer]) -> None:
        self.rules = recogniser.circular
        self._tracer = tracer

    def ends_in(self, chart: Chart, data: bytes, rule: str, start: int, end: int) -> Ends:
        """Return where rules can end that are called in the use of a circular *rule* for ``data[start:end]``."""
        ranks = self._ranks(chart, data, start, end)
        lower = {name for name, rank in ranks.items() if rank < ranks[rule]}
        return self._limited(chart, start, end, lower)

    def _limited(self, chart: Chart, start: int, end: int, allowed: set[str]) -> Ends:
        """Return ``chart.ends`` where circular rules that derive the same piece must be one of *allowed*."""

        def ends(rule: str, at: int) -> Sequence[int]:
            found = chart.ends(rule, at)
            if at != start or rule not in self.rules or rule in allowed:
                return found
            return [each for each in found if each != end]

        return Ends(ends, chart.all_ends.begins)

    def _ranks(self, chart: Chart, data: bytes, start: int, end: int) -> dict[str, int]:
        known = chart.ranks.setdefault((start, end), {})
        waiting = [] if known else [name for name in sorted(self.rules) if end in chart.ends(name, start)]
        rank = 0
        while waiting:
            ends = self._limited(chart, start, end, set(known))
            fresh = []
            for name in waiting:
                subsets = self._tracer(name).subsets
                reached = passages(subsets, data, start, end, ends).sets.get(end)
                if reached is not None and subsets.nfa.accept in subsets.sets[reached]:
                    fresh.append(name)
            known.update(dict.fromkeys(fresh, rank))
            waiting = [name for name in waiting if name not in fresh]
            rank += 1
        return known
