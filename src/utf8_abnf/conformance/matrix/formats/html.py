"""The matrix as one HTML page that loads nothing and works by keyboard; only sorting and filtering need its script.

Rule 1: every text that is not ours goes through ``escape``. Rule 2: the page allows its own script only, by its hash:
if rule 1 were broken, a script that a decoder wrote would still not run.
"""

from __future__ import annotations

from base64 import b64encode
from hashlib import sha256
from html import escape
from importlib.resources import files
from typing import TYPE_CHECKING

from utf8_abnf.conformance.matrix.by_language import HEADS, by_language, picture
from utf8_abnf.conformance.matrix.consequences import SEVERITIES
from utf8_abnf.conformance.matrix.formats.html_details import WIDE, details
from utf8_abnf.conformance.matrix.formats.text import short
from utf8_abnf.conformance.matrix.formats.words import first_rows, introduction, legend

if TYPE_CHECKING:
    from collections.abc import Iterator

    from utf8_abnf.conformance.matrix.row import Matrix, Row

COLUMNS = ("decoder", "language", "kind", "verdict", "consequence", "version", "tested on")
FILTERS = ("language", "kind", "verdict", "consequence")


def render(matrix: Matrix, *, badges: str = "") -> str:
    """Return *matrix* as an HTML document; *badges* is the folder of the badges beside it, "" if there are none."""
    return "\n".join(_page(matrix, badges)) + "\n"


def _page(matrix: Matrix, badges: str) -> Iterator[str]:
    folder = files("utf8_abnf.conformance.matrix.formats")
    style, script = ((folder / name).read_text(encoding="utf-8") for name in ("page.css", "page.js"))
    allowed = b64encode(sha256(f"\n{script}".encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{allowed}'"
    title = f"Decoders and RFC 3629, {matrix.date}"
    yield '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">'
    yield f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
    yield f'<title>{escape(title)}</title>\n<meta name="viewport" content="width=device-width">'
    yield f"<style>\n{style}</style>\n</head>\n<body>\n<main>\n<h1>{escape(title)}</h1>"
    yield from _by_language(matrix)
    yield f"<p>{escape(' '.join(introduction(matrix)))}</p>"
    yield "<details><summary>The words for verdicts and consequences</summary>\n<dl>"
    words = [*legend(matrix), *((name, text) for name, text in SEVERITIES.items() if _occurs(matrix, name))]
    yield from (f'<dt class="{_css(name)}">{name}</dt><dd>{escape(text)}</dd>' for name, text in words)
    yield "</dl></details>\n<h2>Every decoder</h2>"
    yield from _controls(matrix)
    yield '<div id="all">'
    firsts = first_rows(matrix.rows)
    for row in matrix.rows:
        yield from _decoder(row, firsts[row.name], badges)
    yield f"</div>\n</main>\n<script>\n{script}</script>\n</body>\n</html>"


def _occurs(matrix: Matrix, severity: str) -> bool:
    return any(row.severity == severity for row in matrix.rows)


def _css(name: str) -> str:
    return name.replace(" ", "-")


def _by_language(matrix: Matrix) -> Iterator[str]:
    """Yield the picture, and the same numbers as a table for those who do not see it."""
    if not matrix.tested:
        return
    yield f"<figure {WIDE}>{picture(matrix, 'languages-')}"
    yield "<figcaption>How many decoders conform, accept each kind of error, or are too strict.</figcaption>"
    yield "</figure>\n<details><summary>The picture as a table</summary>"
    yield f"<div {WIDE}><table>"
    heads = "".join(f'<th scope="col">{escape(head)}</th>' for head in ("language", *HEADS))
    yield f"<thead><tr>{heads}</tr></thead><tbody>"
    for name, counts in by_language(matrix).items():
        cells = "".join(f'<td class="n">{count}</td>' for count in counts)
        yield f'<tr><th scope="row">{escape(name)}</th>{cells}</tr>'
    yield "</tbody></table></div></details>"


def _facts(row: Row) -> dict[str, str]:
    """Return the text of each of ``COLUMNS``."""
    consequence = row.severity or ("none" if row.tested else "")
    cells = (row.name, row.language, row.kind, row.verdict, consequence, short(row.version), row.date)
    return dict(zip(COLUMNS, cells, strict=True))


def _controls(matrix: Matrix) -> Iterator[str]:
    """Yield what narrows and sorts the rows; it is hidden where no script runs."""
    yield '<div id="narrow" hidden><label>Search <input id="word" type="search"></label>'
    rows = [_facts(row) for row in matrix.rows]
    for name in FILTERS:
        values = sorted({row[name] for row in rows} - {""}, key=str.lower)
        options = "".join(f"<option>{escape(value)}</option>" for value in values)
        label = f'<select id="by-{name}" data-key="{name}"><option value="">all</option>{options}</select>'
        yield f"<label>{name.capitalize()} {label}</label>"
    buttons = "".join(f'<button type="button" data-sort="{name}">{name}</button>' for name in COLUMNS)
    yield '<span id="shown" role="status"></span>'
    yield f'<div role="group" aria-label="Sort by" id="sort">{buttons}</div></div>'


def _decoder(row: Row, first: Row, badges: str) -> Iterator[str]:
    """Yield the line of *row* and its details; *first* is the first row with the same classes."""
    facts = _facts(row)
    data = "".join(f' data-{_css(name)}="{escape(value)}"' for name, value in facts.items())
    cells = " ".join(f'<span class="{_cell_class(name, row)}">{escape(facts[name])}</span>' for name in COLUMNS)
    yield f'<details class="decoder"{data}><summary>{cells}</summary>'
    yield from details(row, first, badges)
    yield "</details>"


def _cell_class(name: str, row: Row) -> str:
    extra = {"verdict": row.verdict, "consequence": _css(row.severity or "none")}.get(name, "")
    return f"of-{_css(name)} {extra}".strip()
