"""The matrix for the terminal, pruned: a row for each different behaviour, with all the decoders that have it."""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING

from utf8_abnf.matrix.behaviour import behaviours
from utf8_abnf.matrix.formats.text import about, table

if TYPE_CHECKING:
    from collections.abc import Iterator

    from utf8_abnf.matrix.formats.text import Line
    from utf8_abnf.matrix.row import Matrix


def render(matrix: Matrix) -> str:
    """Return the behaviours as a table; the decoders of one stand below each other, beside what they depart in."""
    return table(matrix, list(_cells(matrix)))


def _cells(matrix: Matrix) -> Iterator[Line]:
    for each in behaviours(matrix.rows):
        first = each.rows[0]
        said = [line for line in about(first) if not line.startswith("claims: ")]
        verdicts = [first.verdict]
        for row, verdict, what in zip_longest((row.name for row in each.rows), verdicts, said, fillvalue=""):
            yield row, "", "", verdict, what
