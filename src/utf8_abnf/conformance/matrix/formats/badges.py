"""A badge for each decoder: in few words what it does, as SVG."""

from __future__ import annotations

import re
from html import escape
from typing import TYPE_CHECKING

from utf8_abnf.conformance.matrix.row import ASKED, CONFORMS, DISAGREES, STOPPED, TROUBLED, UNCONFIRMED
from utf8_abnf.conformance.matrix.telling import in_short

if TYPE_CHECKING:
    from collections.abc import Iterator

    from utf8_abnf.conformance.matrix.row import Matrix, Row

LABEL = "UTF-8 RFC 3629"
GOOD, OTHER, GREY = "#2a7e19", "#9a5200", "#555"  # white text can be read on these, 4.5 to 1 at least
ADVANCE, HEIGHT, PADDING = 6.7, 20, 6  # px of a character at 11 px, of the badge, and before and after a text


def badges(matrix: Matrix) -> Iterator[tuple[str, str]]:
    """Yield a file name and its text, ``NAME.svg`` for each row whose name can be a file's."""
    for row in matrix.rows:
        if re.fullmatch(r"[\w+-][\w.+-]*", row.name, re.ASCII):
            message, colour = _words(row)
            yield f"{row.name}.svg", _svg(message, colour)


def _words(row: Row) -> tuple[str, str]:
    """Return the message and the colour; what was not judged is grey."""
    message = in_short(row)
    unknown = not row.tested or message in {DISAGREES, UNCONFIRMED, STOPPED, TROUBLED, ASKED}
    return message, GOOD if message == CONFORMS else GREY if unknown else OTHER


def _svg(message: str, fill: str) -> str:
    left, right = (round(len(text) * ADVANCE + 2 * PADDING) for text in (LABEL, message))
    title = escape(f"{LABEL}: {message}")
    size = f'width="{left + right}" height="{HEIGHT}"'
    texts = "".join(
        f'<text x="{at}" y="14" textLength="{length}">{escape(text)}</text>'
        for at, text, length in ((PADDING, LABEL, left - 2 * PADDING), (left + PADDING, message, right - 2 * PADDING))
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="{title}" {size}><title>{title}</title>'
        f'<rect width="{left}" height="{HEIGHT}" fill="{GREY}"/>'
        f'<rect x="{left}" width="{right}" height="{HEIGHT}" fill="{fill}"/>'
        f'<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">{texts}</g></svg>\n'
    )
