"""Decoders that behave alike: one entry for all rows with the same deviations, the most common first."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from utf8_abnf.conformance.matrix.row import DISAGREES

if TYPE_CHECKING:
    from collections.abc import Iterable

    from utf8_abnf.conformance.matrix.row import CheckedDeviation, Row


@dataclass(frozen=True, slots=True)
class Behaviour:
    """Rows with the same deviations and the same kinds of troubles; rows that conform have neither."""

    rows: tuple[Row, ...]

    @property
    def deviations(self) -> tuple[CheckedDeviation, ...]:
        """Their deviations, with the first row's examples."""
        return self.rows[0].facts

    @property
    def dialect(self) -> str:
        """The name of the shipped grammar that describes all of them, "" if there is none."""
        names = {row.learned.dialect for row in self.rows if row.learned}
        return names.pop() if len(names) == 1 else ""


def behaviours(rows: Iterable[Row]) -> tuple[Behaviour, ...]:
    """Return the behaviours of the tested rows: first the one without deviations, then the most common first.

    Rows on which our adapter and the second way disagree are left out, because one of the two is wrong.
    """
    groups: dict[tuple[object, ...], list[Row]] = defaultdict(list)
    for row in rows:
        if row.tested and row.verdict != DISAGREES:
            deviations = tuple(sorted(each.key for each in row.facts))
            troubles = tuple(sorted({each.kind for each in row.troubles}))
            groups[deviations, troubles, bool(row.reason)].append(row)
    found = [Behaviour(tuple(members)) for members in groups.values()]
    return tuple(sorted(found, key=lambda each: (bool(each.deviations or each.rows[0].troubles), -len(each.rows))))
