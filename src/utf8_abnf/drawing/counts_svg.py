"""Draw a table of counts as SVG: one line for each name, one column for each kind."""

from __future__ import annotations

from typing import TYPE_CHECKING

from utf8_abnf.drawing.svg import MARGIN, SMALL, Pen, text_width

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

LINE = 24  # px from one line to the next
GAP = 4  # px between cells


def counts_svg(
    heads: Sequence[str], lines: Mapping[str, Sequence[int]], *, title: str, description: str, totals: int = 0
) -> str:
    """Return *lines* as SVG: a name and a count for each of *heads*. A count of 0 is an empty cell.

    The first columns, *totals* of them, are in another colour than the rest.
    """
    first = max(text_width(name) for name in lines) + MARGIN if lines else 0
    width = max(text_width(head, SMALL) for head in heads) + 2 * GAP
    pen = Pen()
    for column, head in enumerate(heads):
        pen.text(MARGIN + first + (column + 0.5) * (width + GAP), MARGIN + LINE / 2, head, "small")
    for number, (name, counts) in enumerate(lines.items(), 1):
        top = MARGIN + number * LINE
        pen.text(MARGIN, top + 17, name, anchor="start")
        for column, count in enumerate(counts):
            left = MARGIN + first + column * (width + GAP)
            full = "rule" if column < totals else "bytes"
            pen.rect(left, top + 2, width, LINE - GAP, full if count else "cell", round_by=3)
            if count:
                pen.text(left + width / 2, top + 17, str(count))
    whole = 2 * MARGIN + first + len(heads) * (width + GAP)
    return pen.document(whole, 2 * MARGIN + (len(lines) + 1) * LINE, title=title, description=description)
