"""A report as JUnit XML: a test case for each family and for each deviation, so that CI shows what to fix."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from utf8_abnf.conformance.harness.phrases import details, hexed, summary, title

if TYPE_CHECKING:
    from collections.abc import Iterator

    from utf8_abnf.conformance.harness.report import Report

FAILURE, ERROR, SKIPPED, PASSED = "failure", "error", "skipped", ""


class Result(NamedTuple):
    """One test case. *tag* is one of FAILURE, ERROR (no answer), SKIPPED (not asked) and PASSED."""

    name: str
    tag: str
    summary: str = ""
    text: str = ""


def results(report: Report) -> Iterator[Result]:
    """Yield a result for each family, each deviation, each trouble, what was not judged, and a run that was stopped."""
    blamed = bool(report.troubles) or any(deviation.excused is None for deviation in report.deviations)
    for family in report.families:
        name = f"family {family.name} (mode {family.mode})"
        if family.failed or family.troubled:
            # An expected deviation does not fail here, as it does not fail in its own line.
            right = f"{family.passed:,} of {family.asked:,} right"
            yield Result(name, FAILURE if blamed else PASSED, f"{family.failed + family.troubled:,} not right", right)
        else:
            yield Result(name, PASSED if family.asked else SKIPPED, "not asked")
    for deviation in report.deviations:
        tag = FAILURE if deviation.excused is None else PASSED
        yield Result(f"deviation {deviation.key}", tag, summary(deviation), details(deviation))
    for trouble in report.troubles:
        where = f"{trouble.case} ({hexed(trouble.data)})" if trouble.case else "no single case"
        text = f"{where}: it {trouble.detail}\n{trouble.reproduce}".strip()
        yield Result(f"{trouble.kind} {trouble.case}".strip(), ERROR, f"{trouble.kind}: it {trouble.detail}", text)
    for text in report.not_judged:
        what, _, why = text.partition(": ")
        yield Result(what, FAILURE if report.strict else SKIPPED, why)
    for key in report.unexpected_passes:
        yield Result(f"expected {key}", FAILURE, "unexpected pass", "Remove it from the file of expected deviations.")
    for level in report.not_run:
        yield Result(f"level {level}", SKIPPED, "not run, because a lower level failed")
    if report.stopped:
        yield Result("the whole run", ERROR, f"stopped: {report.stopped}")


def render(report: Report) -> str:
    """Return *report* as one test suite."""
    several = list(results(report))
    tags = Counter(result.tag for result in several)
    counts = {"failures": tags[FAILURE], "errors": tags[ERROR], "skipped": tags[SKIPPED]}
    numbers = {name: str(count) for name, count in {"tests": len(several), **counts}.items()}
    facts = {"name": title(report), **numbers, "time": f"{report.seconds:.3f}"}
    suites = Element("testsuites")
    suite = SubElement(suites, "testsuite", facts)
    properties = SubElement(suite, "properties")
    for name in ("target", "version", "cases", "failed"):
        SubElement(properties, "property", name=name, value=str(getattr(report, name)))
    for result in several:
        case = SubElement(suite, "testcase", classname=f"utf8-abnf.{report.level}", name=result.name)
        if result.tag:
            SubElement(case, result.tag, message=result.summary).text = result.text
    indent(suites)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{tostring(suites, encoding="unicode")}\n'
