"""Reporting: from what a run has seen and explained to its ``Report``."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from utf8_abnf.harness.meaning import Meaning, meaning
from utf8_abnf.harness.protocol import UNDERSTOOD
from utf8_abnf.harness.report import EXTRA, MISSING, Deviation, Report, Trouble

if TYPE_CHECKING:
    from collections.abc import Iterable

    from utf8_abnf.harness.evidence import Evidence
    from utf8_abnf.harness.classes import VerdictClass
    from utf8_abnf.harness.options import RunOptions
    from utf8_abnf.harness.protocol import Hello
    from utf8_abnf.harness.standard import Standard
    from utf8_abnf.harness.target import Target


def make_report(
    target: Target,
    hello: Hello,
    options: RunOptions,
    evidence: Evidence,
    deviations: list[Deviation],
    *,
    stopped: str,
    seconds: float,
) -> Report:
    """Return the report of a run that took *seconds*. *stopped* says why it ended early, "" when it did not."""
    from utf8_abnf.suite import theorem

    excused = options.expected
    not_seen = set(excused) - {deviation.key for deviation in deviations}
    report = Report(
        target=target.spec,
        name=target.name or hello.name or target.spec,
        version=hello.version or target.version,
        level=options.level,
        modes=hello.modes,
        families=tuple(evidence.families.values()),
        deviations=tuple(replace(deviation, excused=excused.get(deviation.key)) for deviation in deviations),
        troubles=tuple(_troubles(evidence, target)),
        more_troubles=evidence.more_no_answers,
        notes=tuple(evidence.notes),
        stopped=stopped,
        unexpected_passes=() if stopped else tuple(sorted(not_seen)),
        seconds=seconds,
        filtered=options.filtered,
        understood=hello.more.get(UNDERSTOOD, ""),
    )
    if report.verdict == "pass" and not report.filtered:
        return replace(report, theorem=theorem(options.level, grammar=options.grammar, start=options.start))
    return report


def _troubles(evidence: Evidence, target: Target) -> Iterable[Trouble]:
    for failure, case, data, memory, reproduce in evidence.no_answers:
        command = reproduce or (target.reproduce(data) if case else "")
        yield Trouble(failure.kind, failure.detail, case, data, command, memory)


def deviation_of_verdicts(found: VerdictClass, standard: Standard, target: Target) -> Deviation:
    """Return a class of wrong verdicts as a deviation."""
    means = Meaning("", "", "", "")
    if standard.is_utf8:  # the rules of another grammar are not these
        means = meaning(found.example, found.patterns, accepted=found.accepted)
    return Deviation(
        kind=EXTRA if found.accepted else MISSING,
        line=found.line,
        example=found.example,
        count=found.cases,
        rule=means.rule,
        section=means.section,
        case=found.case,
        reproduce=target.reproduce(found.example),
        why=means.why,
        security=means.security,
        detail=found.where,
    )


def deviations_of_answers(evidence: Evidence, target: Target) -> Iterable[Deviation]:
    """Yield a deviation for each kind of wrong offset, text or stream, with the shortest case that showed it."""
    for (kind, code), answers in evidence.wrong_answers.items():
        case = answers.shortest.case
        yield Deviation(
            kind=kind,
            line=code,
            example=case.data,
            count=answers.count,
            rule=case.rule,
            section="RFC 3629 section 4" if case.accept else "Unicode 3.9, maximal subpart",
            case=case.id,
            reproduce=target.reproduce(case.data),
            why=answers.shortest.why,
        )
