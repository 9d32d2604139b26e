"""A report as JUnit XML: a test case for each family and for each deviation, so that CI shows what to fix."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from xml.sax.saxutils import quoteattr

from utf8_abnf.conformance.harness.phrases import details, hexed, summary, title

if TYPE_CHECKING:
    from collections.abc import Iterator

    from utf8_abnf.conformance.harness.report import Report

TAGS = {"fail": "failure", "trouble": "error", "skip": "skipped"}


@dataclass(frozen=True, slots=True)
class ResultLine:
    """One result. *state* is pass, fail, expected, trouble (no answer) or skip (not asked)."""

    name: str
    state: str
    summary: str = ""
    text: str = ""


def result_lines(report: Report) -> Iterator[ResultLine]:
    """Yield a result for each family, each deviation, each trouble, what was not judged, and a run that was stopped."""
    blamed = bool(report.troubles) or any(deviation.excused is None for deviation in report.deviations)
    for family in report.families:
        name = f"family {family.name} (mode {family.mode})"
        numbers = f"{family.passed:,} of {family.asked:,} right"
        if family.failed or family.troubled:
            # An expected deviation does not fail here, as it does not fail in its own line.
            yield ResultLine(
                name, "fail" if blamed else "pass", f"{family.failed + family.troubled:,} not right", numbers
            )
        elif family.asked:
            yield ResultLine(name, "pass", numbers)
        else:
            yield ResultLine(name, "skip", "not asked")
    for deviation in report.deviations:
        state = "fail" if deviation.excused is None else "expected"
        yield ResultLine(f"deviation {deviation.key}", state, summary(deviation), details(deviation))
    for trouble in report.troubles:
        where = f"{trouble.case} ({hexed(trouble.data)})" if trouble.case else "no single case"
        text = f"{where}: it {trouble.detail}\n{trouble.reproduce}".strip()
        yield ResultLine(
            f"{trouble.kind} {trouble.case}".strip(), "trouble", f"{trouble.kind}: it {trouble.detail}", text
        )
    for text in report.not_judged:
        what, _, why = text.partition(": ")
        yield ResultLine(what, "fail" if report.strict else "skip", why)
    for key in report.unexpected_passes:
        yield ResultLine(
            f"expected {key}", "fail", "unexpected pass", "Remove it from the file of expected deviations."
        )
    for level in report.not_run:
        yield ResultLine(f"level {level}", "skip", "not run, because a lower level failed")
    if report.stopped:
        yield ResultLine("the whole run", "trouble", f"stopped: {report.stopped}")


def render(report: Report) -> str:
    """Return *report* as one test suite."""
    found = list(result_lines(report))
    counts = {tag: sum(TAGS.get(result.state) == tag for result in found) for tag in TAGS.values()}
    head = (
        f"<testsuite name={_quoted(title(report))} tests='{len(found)}' failures='{counts['failure']}' "
        f"errors='{counts['error']}' skipped='{counts['skipped']}' time='{report.seconds:.3f}'>"
    )
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', "<testsuites>", head, *_properties(report)]
    for result in found:
        lines.append(f"<testcase classname={_quoted(f'utf8-abnf.{report.level}')} name={_quoted(result.name)}>")
        if result.state in TAGS:
            lines.append(
                f"<{TAGS[result.state]} message={_quoted(result.summary)}>{_text(result)}</{TAGS[result.state]}>"
            )
        lines.append("</testcase>")
    return "\n".join([*lines, "</testsuite>", "</testsuites>"]) + "\n"


def _properties(report: Report) -> Iterator[str]:
    facts = {
        "target": report.target,
        "version": report.version,
        "cases": str(report.cases),
        "failed": str(report.failed),
    }
    yield "<properties>"
    for name, value in facts.items():
        yield f"<property name={_quoted(name)} value={_quoted(value)}/>"
    yield "</properties>"


def _text(line: ResultLine) -> str:
    return line.text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _quoted(text: str) -> str:
    return quoteattr(text)
