"""Which deviations, by language: rows in, counts of decoders out, as numbers, as a picture and in words."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from utf8_abnf.conformance.harness.report import EXTRA, MISSING
from utf8_abnf.conformance.matrix.deviations import words_of
from utf8_abnf.drawing.counts_svg import counts_svg
from utf8_abnf.validator.functions import first_error
from utf8_abnf.validator.ill_formed import CODES

if TYPE_CHECKING:
    from utf8_abnf.conformance.matrix.row import CheckedDeviation, Matrix, Row

DECODERS = "decoders"
# Words of each length with each kind of error that bytes which a decoder swallows may have.
SWALLOWED = tuple(
    map(
        bytes.fromhex,
        (
            *(
                "C0 80",
                "E0 80 80",
                "F0 80 80 80",
                "ED A0 80",
                "F4 90 80 80",
                "F5 80 80 80",
                "F8 90 80 80",
                "FC 80 80 80",
            ),
            *("C2 41", "E2 41 41", "F1 41 41 41"),
        ),
    )
)
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
    heads = {code.removeprefix("UTF8-").lower() for each in row.facts for code in codes_of(each)}
    return heads | ({"too strict"} if any(each.kind == MISSING for each in row.facts) else set())


def codes_of(found: CheckedDeviation) -> set[str]:
    """Return the errors that a decoder misses by *found*: that of its example; several if bytes are swallowed."""
    if found.kind != EXTRA:
        return set()
    words = words_of((found.line,))
    inputs = [found.example, *(word for word in SWALLOWED if words is not None and words.accepts(word))]
    return {error.code for error in map(first_error, inputs) if error}


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
