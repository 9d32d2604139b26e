"""Which deviations, by language: rows in, counts of decoders out, as numbers, as a picture and in words."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from utf8_abnf.drawing.counts_svg import counts_svg
from utf8_abnf.harness.report import EXTRA, MISSING
from utf8_abnf.validator.functions import first_error
from utf8_abnf.validator.ill_formed import CODES

if TYPE_CHECKING:
    from utf8_abnf.matrix.row import Matrix, Row

DECODERS = "decoders"
HEADS = (DECODERS, "conform", *(code.removeprefix("UTF8-").lower() for code in CODES), "too strict")


def by_language(matrix: Matrix) -> dict[str, tuple[int, ...]]:
    """Return for each language a count for each of ``HEADS``: decoders that were tested, that conform, that accept ...

    The language with the most decoders comes first.
    """
    counts: dict[str, Counter[str]] = {}
    for row in matrix.tested:
        found = counts.setdefault(row.language or "others", Counter())
        found[DECODERS] += 1
        found.update(_heads(row))
    order = sorted(counts, key=lambda name: (-counts[name][DECODERS], name))
    return {name: tuple(counts[name][head] for head in HEADS) for name in order}


def _heads(row: Row) -> set[str]:
    if not row.facts:
        return {"conform"} if row.verdict == "conforms" else set()
    errors = [first_error(each.example) for each in row.facts if each.kind == EXTRA]
    heads = {error.code.removeprefix("UTF8-").lower() for error in errors if error}
    return heads | ({"too strict"} if any(each.kind == MISSING for each in row.facts) else set())


def picture(matrix: Matrix, prefix: str = "") -> str:
    """Return the counts as SVG; its description says them in words."""
    title = f"What {len(matrix.tested)} decoders accept that RFC 3629 does not, by language"
    words = in_words(matrix)
    return counts_svg(HEADS, by_language(matrix), title=title, description=words, totals=2, prefix=prefix)


def in_words(matrix: Matrix) -> str:
    """Return the counts as sentences, one for each language."""
    return " ".join(
        f"{name}: {', '.join(f'{count} {head}' for head, count in zip(HEADS, counts, strict=True) if count)}."
        for name, counts in by_language(matrix).items()
    )
