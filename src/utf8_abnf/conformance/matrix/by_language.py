"""What decoders do, by language: rows in, counts of decoders out, as numbers, as a picture and in words."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from utf8_abnf.conformance.harness.report import MISSING
from utf8_abnf.conformance.matrix.grid import CHARACTERS
from utf8_abnf.conformance.matrix.telling import SHORT
from utf8_abnf.drawing.counts_svg import counts_svg

if TYPE_CHECKING:
    from utf8_abnf.conformance.matrix.row import Matrix, Row

DECODERS, CONFORM, STRICT = "decoders", "conform", "too strict"
HEADS = (DECODERS, CONFORM, *SHORT.values(), STRICT)


def by_language(matrix: Matrix) -> dict[str, tuple[int, ...]]:
    """Return for each language a count for each of ``HEADS``, of the decoders that were asked the grid.

    The language with the most decoders comes first.
    """
    counts: dict[str, Counter[str]] = {}
    for row in matrix.rows:
        if row.grid is not None:
            counts.setdefault(row.language or "others", Counter()).update([DECODERS, *heads(row)])
    order = sorted(counts, key=lambda name: (-counts[name][DECODERS], name))
    return {name: tuple(counts[name][head] for head in HEADS) for name in order}


def heads(row: Row) -> set[str]:
    """Return those of ``HEADS`` under which *row*, whose grid was asked, counts."""
    assert row.grid is not None
    found = {SHORT[fact] for fact in row.grid.wrong}
    if row.grid.fault(CHARACTERS) or any(each.kind == MISSING for each in row.facts):
        found.add(STRICT)
    return found or ({CONFORM} if not row.deviations else set())


def picture(matrix: Matrix) -> str:
    """Return the counts as SVG; its description says them in words."""
    lines = by_language(matrix)
    title = f"What {sum(counts[0] for counts in lines.values())} decoders do with ill-formed UTF-8, by language"
    return counts_svg(HEADS, lines, title=title, description=in_words(matrix), totals=2)


def in_words(matrix: Matrix) -> str:
    """Return the counts as sentences, one for each language."""
    return " ".join(
        f"{name}: {', '.join(f'{count} {head}' for head, count in zip(HEADS, counts, strict=True) if count)}."
        for name, counts in by_language(matrix).items()
    )
