"""Two matrices in, one out: what a run did not ask is taken from an earlier run, or from another machine."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from utf8_abnf.conformance.matrix.row import ASKED

if TYPE_CHECKING:
    from utf8_abnf.conformance.matrix.row import Matrix, Row


def merged(matrix: Matrix, other: Matrix) -> Matrix:
    """Return *matrix* with the rows of *other* that it lacks; a row that was asked the grid alone gets its tests.

    Rows of another machine say which one. The rows of *other* come first, in their order.
    """
    here = (other.system, other.machine) == (matrix.system, matrix.machine)
    place = "" if here else f"{other.system}, {other.machine}, {other.made_by}"
    mine = {row.name: row for row in matrix.rows}
    rows = {row.name: _one(mine.get(row.name), replace(row, machine=row.machine or place)) for row in other.rows}
    rows |= {name: row for name, row in mine.items() if name not in rows}
    tests = other if any(row.verdict == ASKED for row in matrix.rows) else matrix  # of which the level is
    return replace(matrix, rows=tuple(rows.values()), level=tests.level)


def _one(mine: Row | None, other: Row) -> Row:
    if mine is None or not mine.tested:
        return other
    return replace(other, grid=mine.grid) if mine.verdict == ASKED and not other.machine else mine
