"""What the HTML page says of one decoder when its line is opened: a row in, lines of HTML out.

Every text that is not ours goes through ``escape``.
"""

from __future__ import annotations

import re
from html import escape
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from utf8_abnf.conformance.harness.phrases import hexed
from utf8_abnf.conformance.matrix.long_inputs import writes
from utf8_abnf.conformance.matrix.recheck import command_line
from utf8_abnf.conformance.matrix.row import CHECKS
from utf8_abnf.conformance.matrix.telling import sentences

if TYPE_CHECKING:
    from collections.abc import Iterator

    from utf8_abnf.conformance.matrix.row import CheckedDeviation, Row

ISSUES = "https://github.com/utf8-abnf/utf8-abnf/issues/new"
MAX_SHOWN = 20  # classes of one decoder: the JSON has all
NO_PROMISE = "promises nothing about ill-formed data"
WIDE = 'class="wide" tabindex="0"'  # what is wider than the window is scrolled by key as well
ADDRESS = re.compile(r"https?://[^\s\"'<>\\()]+[^\s\"'<>\\().,;:]")


def details(row: Row, badges: str) -> Iterator[str]:
    """Yield the details of *row*: sentences, a command that works anywhere, versions, and then the rest."""
    name = escape(row.name)
    # The id is inside: a link to it opens the details element.
    yield f'<div id="d-{name}">'
    if row.grid and (said := [*sentences(row.grid)]):
        yield f"<ul>{''.join(f'<li>{escape(each)}</li>' for each in said)}</ul>"
    if row.anywhere or row.second_way:
        yield f"<p>Ask it yourself, with bytes on standard input:</p><pre>{escape(command_of(row))}</pre>"
    yield "<dl>"
    yield from (f"<dt>{escape(name)}</dt><dd>{_linked(text)}</dd>" for name, text in _facts(row) if text)
    yield "</dl>"
    if row.facts:
        yield f"<ul>{''.join(f'<li>{_class(each)}</li>' for each in row.facts[:MAX_SHOWN])}</ul>"
    if len(row.facts) > MAX_SHOWN:
        yield f"<p>{len(row.facts) - MAX_SHOWN} more classes are in the JSON.</p>"
    if commands := commands_of(row):
        yield f"<pre>{escape(commands)}</pre>"
    if row.learned and row.learned.dialect != "utf8":
        yield f"<p>What it accepts, learned in {row.learned.questions:,} questions:</p>"
        yield f"<pre>{escape(row.learned.text)}</pre>"
    yield f"<p>{' · '.join(_links(row, badges))}</p></div>"


def _facts(row: Row) -> Iterator[tuple[str, str]]:
    yield "called", row.about
    yield "version", f"{row.version}, tested on {row.date}" if row.date else row.version
    yield "grid asked", f"{row.grid.version}, {row.grid.date}" if row.grid else "not here"
    yield "sent in from", row.machine
    yield "newest version", row.newest
    yield "known to its authors", row.known
    yield "told to its authors", row.told
    yield "fixed in", row.fixed
    yield "promises", promise(row)
    yield "documentation", row.link
    yield "packages", row.install
    yield "tests", f"{row.cases:,} of level {row.level}" if row.tested else ""
    yield "no verdict", row.reason
    yield "declared", row.refuses
    yield "not judged", _unjudged(row)
    yield "offsets", row.offsets
    yield "replacement", row.replacement
    yield "streaming", row.streaming
    yield from (("note", each) for each in row.notes)
    yield from ((f"no answer ({each.kind})", f"{hexed(each.data)}: {each.detail}") for each in row.troubles)
    yield from (("disputed", each) for each in row.controls)
    yield from (("disputed", f"{hexed(each.example)}: {each.said}") for each in row.disputed)
    yield "grammar", row.learned.dialect if row.learned else ""
    yield "not learned", row.not_learned


def _linked(text: str) -> str:
    """Return *text* as HTML, its web addresses as links."""
    parts, at = [], 0
    for found in ADDRESS.finditer(text):
        address = escape(found[0])
        parts += [escape(text[at : found.start()]), f'<a href="{address}">{address}</a>']
        at = found.end()
    return "".join([*parts, escape(text[at:])])


def _class(each: CheckedDeviation) -> str:
    check = CHECKS[each.check] + (f" ({each.said})" if each.said else "")
    said = escape("; ".join(filter(None, (each.place, each.why, check))))
    line = escape(each.line)
    return f"{escape(each.kind)} <code>{line}</code>, shortest <code>{hexed(each.example)}</code><br>{said}"


def _links(row: Row, badges: str) -> Iterator[str]:
    """Yield the permanent address of *row*, its badge, and the forms for a mistake and for another decoder."""
    name = escape(row.name)
    yield f'<a href="#d-{name}">Permanent address</a>'
    if badges:
        yield f'<a href="{badges}{name}.svg">Badge</a>'
    mistake = {"template": "decoder-shown-wrongly.yml", "title": f"Decoder shown wrongly: {row.name}"}
    mistake |= {"decoder": row.name, "version": row.version}
    yield f'<a href="{ISSUES}?{escape(urlencode(mistake))}">Report a mistake</a>'
    another = {"template": "missing-decoder.yml", "title": "Missing decoder: ", "near": row.name}
    yield f'<a href="{ISSUES}?{escape(urlencode(another))}">Add a decoder</a>'


def promise(row: Row) -> str:
    """Return what the decoder promises, and the words of its documentation on ill-formed data if it has some."""
    return f'{row.claim}: "{row.quote}"' if row.quote else f"{row.claim}; its documentation {NO_PROMISE}"


def _unjudged(row: Row) -> str:
    """Return how many inputs the decoder's interface cannot take, "" for none."""
    if not row.unjudged and row.unjudged_example is None:
        return ""
    example = f", inputs such as {hexed(row.unjudged_example)}" if row.unjudged_example is not None else ""
    declared = "" if row.refuses else "; the decoder's row does not declare such inputs"
    return f"{row.unjudged or 'none'} of {row.cases:,} tests{', in learning' * (not row.unjudged)}{example}{declared}"


def command_of(row: Row) -> str:
    """Return the command that asks *row* and shows its first deviation, if it has one; if it can, it installs first."""
    command = row.anywhere or row.second_way
    examples = [each.example for each in row.deviations if each.in_verdicts]
    return command_line(examples[0], command) if examples else command


def commands_of(row: Row) -> str:
    """Return shell commands that show the deviations: direct commands and, where there are none, our adapter."""
    found = row.deviations[:MAX_SHOWN]
    direct = [each.example for each in found if each.in_verdicts and row.second_way]
    lines = [
        f"utf8-abnf smoke known:{row.name} '{hexed(each.example)}'" for each in found if each.example not in direct
    ]
    sent = [writes(example) for example in direct]
    if len(direct) > 1:  # of one there is a command already
        body = f"\n{row.second_way}\n" if "\n" in row.second_way else f" {row.second_way} "
        lines[:0] = [f"ask() ({body})", *(f"{each} | ask; echo $?" for each in sent if each)]
    return "\n".join(filter(None, lines))
