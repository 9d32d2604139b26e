"""A report as one page of HTML that has no script, loads nothing, can be read by keyboard, and can be printed."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from utf8_abnf.conformance.harness.formats.phrases import cases_in, example_of, headline, hexed, not_run, title
from utf8_abnf.conformance.harness.report import KINDS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from utf8_abnf.conformance.harness.report import Deviation, FamilyResult, Report, Trouble

STYLE = """
:root { color-scheme: light dark; --line: #8888; --good: #1a7f37; --bad: #b3261e; --soft: #8881 }
@media (prefers-color-scheme: dark) { :root { --good: #4ac26b; --bad: #ff8a80 } }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem }
h1 { font-size: 1.4rem } h2 { font-size: 1.15rem; margin-top: 2rem }
.verdict { border-left: .5rem solid var(--bad); padding: .4rem 1rem; background: var(--soft); font-weight: 600 }
.verdict.pass, .verdict.expected { border-color: var(--good) }
code, pre { font-family: ui-monospace, monospace; font-size: .92em }
pre { background: var(--soft); padding: .5rem .8rem; white-space: pre-wrap; overflow-wrap: anywhere }
details { border: 1px solid var(--line); border-radius: .3rem; margin: .5rem 0; padding: .3rem .8rem }
summary { cursor: pointer } summary:focus-visible { outline: 3px solid }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1rem } dt { font-weight: 600 } dd { margin: 0 }
table { border-collapse: collapse } th, td { border: 1px solid var(--line); padding: .2rem .6rem; text-align: left }
td.n { text-align: right; font-variant-numeric: tabular-nums }
@media print { body { margin: 0; max-width: none } details { break-inside: avoid } details::details-content {
content-visibility: visible } }
"""


def render(report: Report) -> str:
    """Return *report* as an HTML document."""
    return "\n".join(_lines(report)) + "\n"


def part(report: Report) -> str:
    """Return *report* as a piece of HTML without head and style."""
    return "\n".join(_body(report)) + "\n"


def _text(text: str) -> str:
    return escape(text)


def _name(report: Report) -> str:
    return _text(f"UTF-8 conformance: {title(report)}")


def _lines(report: Report) -> Iterator[str]:
    name = _name(report)
    yield f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{name}</title>'
    yield f'<meta name="viewport" content="width=device-width">\n<style>{STYLE}</style>\n</head>\n<body>\n<main>'
    yield from _body(report)
    yield "</main>\n</body>\n</html>"


def _body(report: Report) -> Iterator[str]:
    yield f"<h1>{_name(report)}</h1>"
    yield f'<p class="verdict {report.verdict}" role="status">{_text(headline(report))}</p>'
    if report.stopped:
        yield f"<p>Stopped: {_text(report.stopped)}</p>"
    if report.not_run:
        yield f"<p>{not_run(report)}.</p>"
    for kind, about in KINDS.items():
        several = [deviation for deviation in report.deviations if deviation.kind == kind]
        if several:
            yield f"<h2>{kind}: {about}</h2>"
            for deviation in several:
                yield from _deviation(deviation)
    if report.troubles:
        yield "<h2>no answer</h2>"
        for trouble in report.troubles:
            yield from _trouble(trouble)
    if report.unexpected_passes:
        yield "<h2>unexpected passes</h2>\n<ul>"
        yield from (f"<li><code>{_text(key)}</code></li>" for key in report.unexpected_passes)
        yield "</ul>"
    if report.notes:
        yield "<h2>notes</h2>\n<ul>"
        yield from (f"<li>{_text(note)}</li>" for note in report.notes)
        yield "</ul>"
    yield from _families(report.families)
    if report.theorem:
        yield f"<h2>What passing proves</h2>\n<pre>{_text(report.theorem)}</pre>"


def _deviation(deviation: Deviation) -> Iterator[str]:
    mark = "expected" if deviation.excused is not None else "fails"
    yield (
        f"<details open><summary><code>{_text(deviation.line)}</code>: shortest "
        f"<code>{_text(example_of(deviation))}</code>, {cases_in(deviation.count)}, {mark}"
        "</summary>\n<dl>"
    )
    facts = (
        ("why", deviation.why),
        ("rule", deviation.reference),
        ("where", deviation.detail),
        ("risk", deviation.security),
        ("usual mistake", deviation.mistake),
        ("expected", deviation.excused or ""),
        ("case", deviation.case),
    )
    yield from (f"<dt>{name}</dt><dd>{_text(value)}</dd>" for name, value in facts if value)
    yield f"</dl>\n<pre>{_text(deviation.reproduce)}</pre></details>"


def _trouble(trouble: Trouble) -> Iterator[str]:
    where = (
        f"<code>{_text(trouble.case)}</code>, <code>{hexed(trouble.data)}</code>" if trouble.case else "no single case"
    )
    yield f"<details open><summary>{trouble.kind}: {where}</summary>\n<p>The decoder {_text(trouble.detail)}.</p>"
    yield f"<pre>{_text(trouble.reproduce)}</pre></details>" if trouble.reproduce else "</details>"


def _families(families: tuple[FamilyResult, ...]) -> Iterator[str]:
    yield "<h2>families of cases</h2>\n<table>\n<thead><tr><th>family</th><th>mode</th><th>right</th><th>wrong</th>"
    yield "<th>without an answer</th><th>cannot judge</th><th>not asked</th></tr></thead>\n<tbody>"
    for row in families:
        numbers = (row.passed, row.failed, row.troubled, row.unsupported, max(0, row.total - row.asked))
        cells = "".join(f'<td class="n">{number:,}</td>' for number in numbers)
        yield f'<tr><th scope="row">{_text(row.name)}</th><td>{row.mode}</td>{cells}</tr>'
    yield "</tbody>\n</table>"
