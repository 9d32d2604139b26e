"""The matrix as a page of a site: one row for each behaviour, all decoders, a section for each that deviates."""

from __future__ import annotations

from typing import TYPE_CHECKING

from utf8_abnf.conformance.harness.formats.markdown import code, plain
from utf8_abnf.conformance.harness.formats.phrases import hexed
from utf8_abnf.conformance.matrix.behaviour import behaviours
from utf8_abnf.conformance.matrix.formats.words import (
    HEAD,
    MAX_SHOWN,
    NOT_OFFERED,
    cells,
    commands_of,
    dialect_of,
    first_rows,
    introduction,
    legend,
    promise,
    second_way,
    unjudged,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from utf8_abnf.conformance.matrix.behaviour import Behaviour
    from utf8_abnf.conformance.matrix.row import CheckedDeviation, Matrix, Row


MAX_IN_A_CELL = 13  # Perl's extended UTF-8 has so many classes


def render(matrix: Matrix) -> str:
    """Return *matrix* as Markdown that CommonMark and MyST show in the same way."""
    return "\n".join(_page(matrix)) + "\n"


def _page(matrix: Matrix) -> Iterator[str]:
    yield "# Decoders on one machine\n"
    yield "\n".join(introduction(matrix)) + "\n"
    yield from _behaviours(matrix)
    yield "## Every decoder\n"
    yield from (f"- **{name}**: {meaning}." for name, meaning in legend(matrix))
    yield ""
    yield f"{NOT_OFFERED} means that the decoder has no such interface.\n"
    yield from _decoders(matrix.rows)
    yield "## Decoders that deviate\n"
    firsts = first_rows(matrix.rows)
    for row in matrix.rows:
        if row.deviations or row.troubles or row.controls:
            yield from _section(row, firsts[row.name])


def _behaviours(matrix: Matrix) -> Iterator[str]:
    yield "## One row for each behaviour\n"
    rest = []
    for each in behaviours(matrix.rows):
        if each.deviations or each.rows[0].troubles or each.rows[0].reason:
            rest.append(each)
        else:
            yield f"**No deviation was found** in {len(each.rows)} decoders: {_names(each)}.\n"
    yield "| wrongly accepted (extra) or rejected (missing); shortest example | dialect | decoders |"
    yield "|---|---|---|"
    for each in rest:
        shown = [_class(one) for one in each.deviations[:MAX_IN_A_CELL]]
        shown += [f"and {len(each.deviations) - MAX_IN_A_CELL} more"] if len(each.deviations) > MAX_IN_A_CELL else []
        shown += [f"{plain(one.kind)}: {plain(one.detail)}" for one in each.rows[0].troubles[:1]]
        shown += [] if shown else [f"stopped: {plain(each.rows[0].reason)}"]
        yield f"| {'<br>'.join(shown)} | {plain(each.dialect)} | {_names(each)} |"
    yield ""


def _names(each: Behaviour) -> str:
    return ", ".join(plain(row.name) for row in each.rows)


def _class(each: CheckedDeviation) -> str:
    return f"{each.kind} {code(each.line)} {code(hexed(each.example))}"


def _decoders(rows: Iterable[Row]) -> Iterator[str]:
    yield f"| {' | '.join(HEAD)} |"
    yield "|" + "---|" * len(HEAD)
    for row in rows:
        yield f"| {' | '.join(map(plain, cells(row)))} |"
    yield ""


def _section(row: Row, first: Row) -> Iterator[str]:
    """Yield the section of *row*; *first* is the first row with the same classes, which has them in full."""
    yield f"### {plain(row.name)}\n"
    yield f"{plain(row.version)}; {plain(row.about)}. Promises: {plain(promise(row))}.\n"
    facts = [(row.severity.capitalize(), each) for each in row.consequences]
    facts += [("Newest version", row.newest), ("Known to its authors", row.known)]
    facts += [("Documentation", row.link), ("Declared", row.refuses)]
    facts += [("Not judged", unjudged(row)), *(("Note", note) for note in row.notes)]
    yield from (f"- {name}: {plain(text)}" for name, text in facts if text)
    yield from (f"- {plain(each.kind)}: {code(each.shown)}: {plain(each.detail)}" for each in row.troubles)
    yield f"- {plain(second_way(row))}"
    yield from (f"- Disputed: {plain(each)}" for each in row.controls)
    yield from (f"- Disputed: {code(hexed(each.example))}: {plain(each.check.said)}" for each in row.disputed)
    yield ""
    if row.facts and first is not row:
        yield f"The same {len(row.facts)} classes of deviations as {plain(first.name)}.\n"
    elif row.facts:
        yield "| | wrongly accepted (extra) or rejected (missing) | shortest | why | risk | second way |"
        yield "|---|---|---|---|---|---|"
        for each in row.facts[:MAX_SHOWN]:
            why = "; ".join(part for part in (each.why, each.detail) if part)
            last = f"{plain(why)} | {plain(each.security)} | {plain(each.check.words)}"
            yield f"| {each.kind} | {code(each.line)} | {code(hexed(each.example))} | {last} |"
        if len(row.facts) > MAX_SHOWN:
            yield f"\n{len(row.facts) - MAX_SHOWN} more classes are in the JSON."
        yield ""
    if commands := commands_of(row):
        yield from _fenced("sh", commands)
    if row.learned and row.learned.counterexample is not None and first is row:
        yield f"What it accepts, learned in {row.learned.questions:,} questions{_as_dialect(row)}:\n"
        yield from _fenced("abnf", row.learned.abnf.rstrip("\n"))
    if row.not_learned:
        yield f"Not learned: {plain(row.not_learned)}.\n"


def _as_dialect(row: Row) -> str:
    return f"; it is {plain(dialect_of(row))}" if dialect_of(row) else ""


def _fenced(language: str, text: str) -> Iterator[str]:
    fence = "```"
    while fence in text:
        fence += "`"
    yield f"{fence}{language}\n{text}\n{fence}\n"
