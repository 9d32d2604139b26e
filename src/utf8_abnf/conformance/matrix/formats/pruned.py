"""The matrix for the terminal, pruned: a row for each different behaviour, with all decoders that have it."""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING

from utf8_abnf.conformance.matrix.behaviour import behaviours
from utf8_abnf.conformance.matrix.formats.text import Table, about, ending

if TYPE_CHECKING:
    from collections.abc import Iterator

    from utf8_abnf.conformance.matrix.formats.text import Line
    from utf8_abnf.conformance.matrix.row import Matrix


def render(matrix: Matrix) -> str:
    """Return the behaviours as a table: the decoders of each below each other, next to their deviations."""
    rows = Table(row.name for row in matrix.rows)
    return rows.head() + "".join(map(rows.line, _cells(matrix))) + ending(matrix)


def _cells(matrix: Matrix) -> Iterator[Line]:
    for each in behaviours(matrix.rows):
        first = each.rows[0]
        deviations = [line for line in about(first) if not line.startswith("claims: ")]
        names = (row.name for row in each.rows)
        for name, verdict, deviation in zip_longest(names, [first.verdict], deviations, fillvalue=""):
            yield name, "", "", verdict, deviation
