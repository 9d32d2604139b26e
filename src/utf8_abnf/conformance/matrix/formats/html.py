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

from utf8_abnf.conformance.matrix.by_language import by_language, picture
from utf8_abnf.conformance.matrix.formats.html_details import WIDE, details
from utf8_abnf.conformance.matrix.formats.text import short
from utf8_abnf.conformance.matrix.grid import CHARACTERS, NOT_ASKED, REJECTS
from utf8_abnf.conformance.matrix.row import VERDICTS
from utf8_abnf.conformance.matrix.telling import BADGE, SHORT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from utf8_abnf.conformance.matrix.row import Matrix, Row

COLUMNS = {CHARACTERS: "valid text", **SHORT}
KEYS = {f"c{number}": name for number, name in enumerate(COLUMNS.values())}  # by which the script knows them
SIGNS = {"good": "✓", "some": "◐", "bad": "✗", "unknown": "–"}
ASKED = {"good": "right", "some": "wrong", "bad": "wrong", "unknown": NOT_ASKED}  # what a filter finds


def render(matrix: Matrix, *, badges: str = "") -> str:
    """Return *matrix* as an HTML document; *badges* is the folder of the badges beside it, "" if there are none."""
    return "\n".join(_page(matrix, badges)) + "\n"


def _page(matrix: Matrix, badges: str) -> Iterator[str]:
    folder = files("utf8_abnf.conformance.matrix.formats")
    style, script = ((folder / name).read_text(encoding="utf-8") for name in ("page.css", "page.js"))
    allowed = b64encode(sha256(f"\n{script}".encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{allowed}'"
    title = f"What {len(matrix.tested)} UTF-8 decoders accept"
    yield '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">'
    yield f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
    yield f'<title>{escape(title)}</title>\n<meta name="viewport" content="width=device-width">'
    yield f"<style>{style}</style>\n</head>\n<body>\n<main>\n<h1>{escape(title)}</h1>"
    yield "<p>Each cell says what a decoder does with ill-formed input of one kind: ✓ rejects or replaces it, ◐ "
    yield "accepts or loses some of it, ✗ all of it, – was not asked. Open a row for inputs, commands and versions.</p>"
    yield from _controls(matrix)
    yield '<div id="all">'
    for row in matrix.rows:
        yield from _decoder(row, badges)
    yield "</div>"
    yield from _by_language(matrix)
    yield f"<h2>How it was made</h2>\n<p>{escape(' '.join(introduction(matrix)))}</p>\n<dl>"
    used = {row.verdict for row in matrix.rows}
    meanings = ((name, meaning) for name, meaning in VERDICTS.items() if name in used)
    yield from (f"<dt>{name}</dt><dd>{escape(text)}</dd>" for name, text in meanings)
    yield f"</dl>\n</main>\n<script>\n{script}</script>\n</body>\n</html>"


def introduction(matrix: Matrix) -> Iterator[str]:
    """Yield sentences: what was done, where and when, and what a deviation is."""
    yield (
        f"{len(matrix.tested)} of {len(matrix.rows)} known decoders, tested with level {matrix.level} of the suites on "
        f"{matrix.system}, {matrix.machine}, {matrix.cores} cores, {matrix.date}."
    )
    count = sum(row.learned is not None for row in matrix.tested)
    learned = f", {count} of them learned to k = 0" if count else ""
    yield f"Made by utf8-abnf matrix ({matrix.made_by}, Python {matrix.python}){learned}."
    yield (
        "A deviation is a line of ABNF that the decoder accepts and RFC 3629 does not derive (extra), or the other way "
        "round (missing). It is a deviation from RFC 3629, not from what the decoder promises."
    )
    yield "A shell command without our adapter asks each of these examples again, and the row shows it."


def _by_language(matrix: Matrix) -> Iterator[str]:
    """Yield the picture; its description says the numbers in words."""
    if not by_language(matrix):
        return
    yield f"<h2>By language</h2>\n<figure {WIDE}>{picture(matrix)}"
    yield "<figcaption>How many decoders conform, pass on or lose each kind of error, or are too strict.</figcaption>"
    yield "</figure>"


def _controls(matrix: Matrix) -> Iterator[str]:
    """Yield what narrows and sorts the rows; it is hidden where no script runs."""
    yield '<div id="narrow" hidden><label>Search <input id="word" type="search"></label>'
    yield '<span id="shown" role="status"></span><details><summary>Filters</summary>'
    yield _select("language", sorted({row.language for row in matrix.rows} - {""}, key=str.lower))
    yield _select("kind", sorted({row.kind for row in matrix.rows} - {""}, key=str.lower))
    yield from (_select(name, dict.fromkeys(ASKED.values()), key) for key, name in KEYS.items())
    yield '</details><div role="group" aria-label="Sort by" id="sort">'
    for key, name in {"decoder": "decoder", **KEYS}.items():
        yield f'<button type="button" data-sort="{key}">{escape(name)}</button>'
    yield "</div></div>"


def _select(name: str, values: Iterator[str] | list[str] | dict[str, None], key: str = "") -> str:
    options = "".join(f"<option>{escape(value)}</option>" for value in values)
    key = key or name
    select = f'<select id="by-{key}" data-key="{key}"><option value="">all</option>{options}</select>'
    return f"<label>{escape(name.capitalize())} {select}</label>"


def _decoder(row: Row, badges: str) -> Iterator[str]:
    """Yield the line of *row* and its details."""
    kinds = [_cell(row, fact) for fact in COLUMNS]
    data = {"decoder": row.name, "language": row.language, "kind": row.kind}
    data |= {key: ASKED[kind] for key, (kind, _) in zip(KEYS, kinds, strict=True)}
    told = "".join(f' data-{name}="{escape(value)}"' for name, value in data.items())
    cells = "".join(
        f'<span class="{kind}"><span class="of">{escape(name)}: </span>{SIGNS[kind]} {word}</span>'
        for name, (kind, word) in zip(COLUMNS.values(), kinds, strict=True)
    )
    about = f"<small>{escape(row.language)} {escape(short(row.version))}</small>"
    name = f'<span class="name"><b>{escape(row.name)}</b> {about}</span>'
    yield f'<details class="decoder"{told}><summary>{name}{cells}</summary>'
    yield from details(row, badges)
    yield "</details>"


def _cell(row: Row, fact: str) -> tuple[str, str]:
    """Return one of ``SIGNS`` and a word for what *row* does: the worse of in one piece and byte by byte."""
    if row.grid is None:
        return "unknown", NOT_ASKED
    if cell := row.grid.fault(fact):
        word = REJECTS if fact == CHARACTERS else BADGE[cell.answer]
        return "bad" if row.grid.always(fact) else "some", word
    answers = {row.grid.cell(fact).answer, row.grid.cell(fact, stream=True).answer} - {NOT_ASKED}
    if not answers:
        return "unknown", NOT_ASKED
    return "good", "accepts" if fact == CHARACTERS else REJECTS if REJECTS in answers else min(answers)
