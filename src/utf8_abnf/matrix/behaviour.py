"""Decoders that behave alike: rows in, one entry for each different set of departures out, the most common first."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from utf8_abnf.matrix.row import DISAGREES

if TYPE_CHECKING:
    from collections.abc import Iterable

    from utf8_abnf.matrix.row import Departure, Row


@dataclass(frozen=True, slots=True)
class Behaviour:
    """Rows with the same departures and the same troubles; none of either is the behaviour of those that conform."""

    rows: tuple[Row, ...]

    @property
    def departures(self) -> tuple[Departure, ...]:
        """What they depart in: the first row's, which has the shortest examples as all have."""
        return self.rows[0].facts

    @property
    def dialect(self) -> str:
        """The name of the grammar that describes them all, "" where there is none."""
        names = {row.learned.dialect for row in self.rows if row.learned}
        return names.pop() if len(names) == 1 else ""


def behaviours(rows: Iterable[Row]) -> tuple[Behaviour, ...]:
    """Return the behaviours of the tested ones of *rows*: first that without departures, then by how many share it.

    Rows on which adapter and direct way disagree are left out: what they would show is not known to be so.
    """
    groups: dict[tuple[object, ...], list[Row]] = defaultdict(list)
    for row in rows:
        if row.tested and row.verdict != DISAGREES:
            departures = tuple(sorted(each.key for each in row.facts))
            troubles = tuple(sorted({each.kind for each in row.troubles}))
            groups[departures, troubles, bool(row.reason)].append(row)
    found = [Behaviour(tuple(members)) for members in groups.values()]
    return tuple(sorted(found, key=lambda each: (bool(each.departures or each.rows[0].troubles), -len(each.rows))))
