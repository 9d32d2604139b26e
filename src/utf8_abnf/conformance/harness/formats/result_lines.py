"""A report as a flat list of named results, for the formats that only have tests which pass or fail."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from utf8_abnf.conformance.harness.phrases import cases_in, example_of, hexed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from utf8_abnf.conformance.harness.report import Deviation, Report


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


def summary(deviation: Deviation) -> str:
    """Return *deviation* in one line."""
    many = cases_in(deviation.count)
    excuse = f"; expected: {deviation.excused}" if deviation.excused is not None else ""
    return f"{deviation.kind}: {deviation.line}, shortest {example_of(deviation)}, {many}{excuse}"


def details(deviation: Deviation) -> str:
    """Return what is known about *deviation*, one line for each fact."""
    facts = (
        ("why", f"{deviation.why} ({deviation.reference})" if deviation.why else deviation.reference),
        ("where", deviation.detail),
        ("risk", deviation.security),
        ("usual mistake", deviation.mistake),
        ("case", deviation.case),
        ("try", deviation.reproduce),
    )
    return "\n".join(f"{name}: {value}" for name, value in facts if value)
