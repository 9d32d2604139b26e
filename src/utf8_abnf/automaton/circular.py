"""Circular rules, such as ``a = a / "x"``: a rule that derives itself alone, and so has infinitely many trees.

The tree that is chosen must end: a use of a rule contains no second use of that rule for the same bytes. Of such trees
the first is chosen, from the outside to the inside.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from utf8_abnf.automaton.earley import Chart, Ends, Recogniser

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from collections.abc import Set as AbstractSet

    from utf8_abnf.automaton.derivation import Tracer


class Circular:
    """Says which rules can be used, and where they can end, if a tree must not go round in circles.

    *tracer* gives the tracer of a rule in which calls of some rules may read nothing.
    """

    def __init__(self, recogniser: Recogniser, tracer: Callable[[str, AbstractSet[str]], Tracer]) -> None:
        self.rules = recogniser.network.circular
        self.nullable = recogniser.nullable
        self._tracer = tracer

    def within(
        self, chart: Chart, data: bytes, rule: str, start: int, end: int, around: frozenset[str]
    ) -> tuple[Tracer, Ends]:
        """Return the tracer of a use of *rule* for ``data[start:end]``, and where rules that it calls can end.

        The rules *around* it derive the same bytes, and must not be used again.
        """
        if rule not in self.rules:
            return self._tracer(rule, self.nullable), chart.all_ends
        return self._limited(chart, rule, start, end, self._allowed(chart, data, start, end, around | {rule}))

    def _limited(self, chart: Chart, rule: str, start: int, end: int, allowed: set[str]) -> tuple[Tracer, Ends]:
        """Return the same where circular rules that derive the same piece must be among *allowed*."""

        def ends(name: str, at: int) -> Sequence[int]:
            found = chart.ends(name, at)
            if at != start or name not in self.rules or name in allowed:
                return found
            return [each for each in found if each != end]

        skipped = self.nullable - (self.rules - allowed) if start == end else self.nullable
        return self._tracer(rule, skipped), Ends(ends, chart.all_ends.begins)

    def _allowed(self, chart: Chart, data: bytes, start: int, end: int, around: frozenset[str]) -> set[str]:
        """Return the circular rules that derive ``data[start:end]`` by a tree that ends, without those *around* it."""
        key = start, end, around
        if key not in chart.allowed:
            allowed: set[str] = set()
            waiting = [name for name in sorted(self.rules - around) if end in chart.ends(name, start)]
            fresh = set(waiting)
            while fresh:
                limited = ((name, *self._limited(chart, name, start, end, allowed)) for name in waiting)
                fresh = {name for name, tracer, ends in limited if tracer.accepts(data, start, end, ends)}
                allowed |= fresh
                waiting = [name for name in waiting if name not in fresh]
            chart.allowed[key] = allowed
        return chart.allowed[key]
