"""A report as JUnit XML: a test case for each family and for each deviation, so that CI shows what to fix."""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.sax.saxutils import quoteattr

from utf8_abnf.conformance.harness.formats.result_lines import ResultLine, result_lines
from utf8_abnf.conformance.harness.phrases import title

if TYPE_CHECKING:
    from collections.abc import Iterator

    from utf8_abnf.conformance.harness.report import Report

TAGS = {"fail": "failure", "trouble": "error", "skip": "skipped"}


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
