"""A report as Markdown, for a pull request, an issue or the summary of a CI job."""

from __future__ import annotations

from typing import TYPE_CHECKING

from utf8_abnf.conformance.harness.phrases import example_of, headline, hexed, not_run, title
from utf8_abnf.conformance.harness.report import KINDS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from utf8_abnf.conformance.harness.report import Report


def render(report: Report) -> str:
    """Return *report* as Markdown."""
    return "\n".join(_lines(report)) + "\n"


def _lines(report: Report) -> Iterator[str]:
    yield f"## UTF-8 conformance: {plain(title(report))}\n"
    yield f"**{headline(report)}**\n"
    if report.stopped:
        yield f"Stopped: {plain(report.stopped)}\n"
    if report.not_run:
        yield f"{not_run(report)}.\n"
    if report.deviations:
        yield "| | ABNF | shortest | cases | rule | why | risk |\n|---|---|---|--:|---|---|---|"
        for deviation in report.deviations:
            excuse = "" if deviation.excused is None else f" (expected: {plain(deviation.excused)})"
            why = "; ".join(part for part in (deviation.why, deviation.detail) if part)
            yield (
                f"| {deviation.kind}{excuse} | {code(deviation.line)} | {code(example_of(deviation))} "
                f"| {deviation.count:,} | {plain(deviation.reference)} | {plain(why)} | {plain(deviation.security)} |"
            )
        yield ""
        yield from (
            f"- {kind}: {about}" for kind, about in KINDS.items() if any(x.kind == kind for x in report.deviations)
        )
        yield "\nTo see it:\n"
        yield from (f"    {line}" for deviation in report.deviations for line in deviation.reproduce.splitlines())
        yield ""
    for trouble in report.troubles:
        where = f"{code(trouble.case)} ({code(hexed(trouble.data))})" if trouble.case else "no single case"
        yield f"- {trouble.kind}: {where}: {plain(trouble.detail)}"
    yield from (f"- unexpected pass: {code(key)}" for key in report.unexpected_passes)
    yield from (f"- {plain(note)}" for note in report.notes)
    if rows := [row for row in report.families if row.passed < row.total]:
        yield "\n| family | mode | right | wrong | without an answer |\n|---|---|--:|--:|--:|"
    for row in rows:
        yield f"| {plain(row.name)} | {row.mode} | {row.passed:,} | {row.failed:,} | {row.troubled:,} |"
    if report.theorem:
        yield ""
        yield from (f"> {line}" for line in report.theorem.splitlines())


def plain(text: str) -> str:
    """Return *text* so that Markdown shows it as it is, also within a table."""
    for mark in "\\`*_[]<>|#&~{}$":
        text = text.replace(mark, f"\\{mark}")
    return text.replace("\n", " ")


def code(text: str) -> str:
    """Return *text* as inline code that may stand in a table."""
    return "`" + text.replace("`", "'").replace("|", "\\|").replace("\n", " ") + "`"
