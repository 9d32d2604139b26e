"""The matrix as one HTML page that loads nothing and works by keyboard; only sorting and filtering need its script.

Rule 1: every text that is not ours goes through ``escape``. Rule 2: the page allows its own script only, by its hash:
if rule 1 were broken, a script that a decoder wrote would still not run.
"""

from __future__ import annotations

from base64 import b64encode
from hashlib import sha256
from html import escape
from typing import TYPE_CHECKING

from utf8_abnf.automaton import compile_grammar
from utf8_abnf.drawing.difference_svg import difference_svg
from utf8_abnf.errors import Utf8AbnfError
from utf8_abnf.grammar import Grammar
from utf8_abnf.harness.formats.html import STYLE
from utf8_abnf.harness.formats.phrases import hexed
from utf8_abnf.matrix.behaviour import behaviours
from utf8_abnf.matrix.formats.words import (
    HEAD,
    MAX_SHOWN,
    NUMBERS,
    cells,
    commands_of,
    introduction,
    legend,
    promise,
    second_way,
    unjudged,
)
from utf8_abnf.matrix.row import CONFORMS, VERDICTS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from utf8_abnf.matrix.behaviour import Behaviour
    from utf8_abnf.matrix.row import CheckedDeviation, Matrix, Row

MORE_STYLE = """
body { max-width: 84rem; background: Canvas }
a { color: #0b57d0 } @media (prefers-color-scheme: dark) { a { color: #8ab4f8 } }
.wide { overflow-x: auto } .wide:focus-visible { outline: 3px solid }
#all td:nth-child(n+8) { min-width: 13rem }
th, td { vertical-align: top } thead th { position: sticky; top: 0; background: Canvas }
.conforms { color: var(--good) } .deviates, .troubled, .stopped, .broken { color: var(--bad) }
th button { font: inherit; background: none; border: 0; padding: 0; cursor: pointer; color: inherit }
label { display: inline-block; margin: 0 1rem .5rem 0 } svg { max-width: 100%; height: auto }
"""

# It shows the rows that match the text and the verdict, and sorts the table by the column whose head is pressed.
SCRIPT = """
const table = document.querySelector('#all'), body = table.tBodies[0], rows = [...body.rows]
const word = document.querySelector('#word'), verdict = document.querySelector('#verdict')
const shown = document.querySelector('#shown')
function narrow() {
  const wanted = word.value.toLowerCase()
  let count = 0
  for (const row of rows) {
    const fits = row.textContent.toLowerCase().includes(wanted) &&
      (!verdict.value || row.dataset.verdict === verdict.value)
    row.hidden = !fits
    count += fits
  }
  shown.textContent = `${count} of ${rows.length}`
}
word.oninput = verdict.oninput = narrow
document.querySelector('#narrow').hidden = false
;[...table.tHead.rows[0].cells].forEach((head, column) => {
  const button = document.createElement('button')
  button.textContent = head.textContent
  head.replaceChildren(button)
  button.onclick = () => {
    const down = head.ariaSort === 'ascending'
    for (const other of table.tHead.rows[0].cells) other.ariaSort = null
    head.ariaSort = down ? 'descending' : 'ascending'
    const key = row => row.cells[column].textContent
    rows.sort((a, b) => key(a).localeCompare(key(b), 'en', { numeric: true }) * (down ? -1 : 1))
    body.append(...rows)
  }
})
narrow()
"""


def render(matrix: Matrix) -> str:
    """Return *matrix* as an HTML document."""
    return "\n".join(_page(matrix)) + "\n"


def _page(matrix: Matrix) -> Iterator[str]:
    allowed = b64encode(sha256(SCRIPT.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{allowed}'"
    title = f"Decoders and RFC 3629, {matrix.date}"
    yield '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">'
    yield f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
    yield f'<title>{escape(title)}</title>\n<meta name="viewport" content="width=device-width">'
    yield f"<style>{STYLE}{MORE_STYLE}</style>\n</head>\n<body>\n<main>\n<h1>{escape(title)}</h1>"
    yield f"<p>{escape(' '.join(introduction(matrix)))}</p>"
    yield "<h2>One row for each behaviour</h2>"
    yield from _behaviours(matrix)
    yield "<h2>Every decoder</h2>\n<dl>"
    yield from (f'<dt class="{name}">{name}</dt><dd>{escape(text)}</dd>' for name, text in legend(matrix))
    yield "</dl>"
    yield from _decoders(matrix)
    yield "<h2>Decoders that deviate</h2>"
    for row in matrix.rows:
        if _has_section(row):
            yield from _section(row)
    yield f"</main>\n<script>{SCRIPT}</script>\n</body>\n</html>"


def _has_section(row: Row) -> bool:
    return bool(row.deviations or row.troubles or row.controls)


def _link(row: Row) -> str:
    name = escape(row.name)
    return f'<a href="#d-{name}">{name}</a>' if _has_section(row) else name


def _behaviours(matrix: Matrix) -> Iterator[str]:
    for number, each in enumerate(behaviours(matrix.rows)):
        first = each.rows[0]
        names = escape(", ".join(row.name for row in each.rows))
        yield f"<details><summary>{names}: {escape(_in_short(each))}</summary>"
        if each.deviations:
            yield "<ul>"
            yield from (f"<li>{_class(one)}</li>" for one in each.deviations[:MAX_SHOWN])
            yield f"</ul>{_more(first)}<p>In full: {', '.join(map(_link, each.rows))}</p>"
            yield _picture(first, f"b{number}-")
        yield "</details>"


def _in_short(each: Behaviour) -> str:
    first = each.rows[0]
    if each.dialect and each.deviations:
        return each.dialect
    if each.deviations:
        count = len(each.deviations)
        return f"{count} class{'es' * (count != 1)} of deviations, such as {hexed(each.deviations[0].example)}"
    if first.troubles:
        return f"{first.troubles[0].kind}: {first.troubles[0].detail}"
    return first.reason or VERDICTS[CONFORMS]


def _more(row: Row) -> str:
    return f"<p>{len(row.facts) - MAX_SHOWN} more classes are in the JSON.</p>" if len(row.facts) > MAX_SHOWN else ""


def _class(each: CheckedDeviation) -> str:
    return f"{escape(each.kind)} <code>{escape(each.line)}</code>, shortest <code>{hexed(each.example)}</code>"


def _picture(row: Row, prefix: str) -> str:
    """Return a picture of how the decoder's automaton differs from the RFC's; "" if it is unknown or too large."""
    if row.learned is None or row.learned.counterexample is None:
        return ""
    try:
        mine, yours = compile_grammar(Grammar.parse(row.learned.abnf)), compile_grammar(Grammar.load("utf8"))
        return difference_svg(mine, yours, names=(row.name, "RFC 3629"), prefix=prefix)
    except Utf8AbnfError:
        return ""


def _decoders(matrix: Matrix) -> Iterator[str]:
    options = "".join(f"<option>{name}</option>" for name, _ in legend(matrix))
    yield '<p id="narrow" hidden><label>Only rows with <input id="word" type="search"></label>'
    yield f'<label>Verdict <select id="verdict"><option value="">all</option>{options}</select></label>'
    yield '<span id="shown" role="status"></span></p>'
    yield '<div class="wide" tabindex="0" role="region" aria-label="Every decoder"><table id="all">'
    heads = "".join(f'<th scope="col">{name}</th>' for name in HEAD)
    yield f"<thead><tr>{heads}</tr></thead>\n<tbody>"
    for row in matrix.rows:
        yield f'<tr data-verdict="{row.verdict}"><th scope="row">{_link(row)}</th>{"".join(_cells(row))}</tr>'
    yield "</tbody></table></div>"


def _cells(row: Row) -> Iterator[str]:
    for head, cell in zip(HEAD, cells(row), strict=True):
        kind = row.verdict if head == "verdict" else "n" if head in NUMBERS else ""
        if head != "decoder":
            yield f'<td class="{kind}">{escape(cell)}</td>' if kind else f"<td>{escape(cell)}</td>"


def _section(row: Row) -> Iterator[str]:
    name = escape(row.name)
    title = f"<strong>{name}</strong> {escape(row.version)}: {row.verdict}"
    # The id is inside: a link to it opens the details element.
    yield f'<details><summary>{title}</summary>\n<dl id="d-{name}">'
    facts = [
        ("called", row.about),
        ("promises", promise(row)),
        ("documentation", row.link),
        ("declared", row.refuses),
        ("not judged", unjudged(row)),
        ("second way", second_way(row)),
        *((f"no answer ({each.kind})", f"{each.shown}: {each.detail}") for each in row.troubles),
        *(("disputed", each) for each in row.controls),
        *(("disputed", f"{hexed(each.example)}: {each.check.said}") for each in row.disputed),
        ("not learned", row.not_learned),
    ]
    yield from (f"<dt>{escape(name)}</dt><dd>{escape(text)}</dd>" for name, text in facts if text)
    yield "</dl>\n<ul>"
    yield from (f"<li>{_class(each)}{_explained(each)}</li>" for each in row.facts[:MAX_SHOWN])
    yield f"</ul>{_more(row)}"
    if commands := commands_of(row):
        yield f"<pre>{escape(commands)}</pre>"
    if row.learned and row.learned.counterexample is not None:
        yield f"<p>What it accepts, learned in {row.learned.questions:,} questions:</p>"
        yield f"<pre>{escape(row.learned.abnf)}</pre>"
    yield "</details>"


def _explained(each: CheckedDeviation) -> str:
    said = "; ".join(part for part in (each.check.words, each.why, each.detail, each.security) if part)
    return f"<br>{escape(said)}"
