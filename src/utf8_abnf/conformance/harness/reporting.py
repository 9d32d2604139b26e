"""Reporting: from what a run has seen and explained to its ``Report``."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from utf8_abnf.conformance.harness.answers.answer_classes import BORDER
from utf8_abnf.conformance.harness.driving.protocol import UNDERSTOOD
from utf8_abnf.conformance.harness.driving.target import command_for
from utf8_abnf.conformance.harness.meaning import Meaning, meaning, usual_mistake
from utf8_abnf.conformance.harness.options import chosen_families
from utf8_abnf.conformance.harness.report import EXTRA, MISSING, Deviation, Report, Trouble
from utf8_abnf.conformance.harness.sending import chunks_of
from utf8_abnf.conformance.suite import theorem

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from utf8_abnf.conformance.harness.answers.answer_classes import WrongAnswers
    from utf8_abnf.conformance.harness.driving.protocol import Hello
    from utf8_abnf.conformance.harness.driving.target import Target
    from utf8_abnf.conformance.harness.evidence import Evidence
    from utf8_abnf.conformance.harness.explaining import VerdictClass
    from utf8_abnf.conformance.harness.options import RunOptions
    from utf8_abnf.conformance.suite.plan import Plan


def make_report(
    target: Target,
    hello: Hello,
    options: RunOptions,
    evidence: Evidence,
    deviations: list[Deviation],
    stopped: str,
    not_run: Sequence[str],
) -> Report:
    """Return the report of a run. *stopped* says why it ended early, "" when it did not; *not_run* has levels.

    A run that ended after as many failures as the user allows has not passed, even if each of these was expected.
    """
    excused = options.expected
    found = {deviation.full_key for deviation in deviations}
    if found <= set(excused) and not evidence.no_answers:
        stopped = stopped or evidence.ended_early
    was_asked = not (stopped or options.filtered or not_run or options.level < options.expected_level)
    not_seen = set(excused) - found if was_asked else ()
    report = Report(
        target=target.spec,
        name=target.name or hello.name or target.spec,
        version=hello.version or target.version,
        level=options.level,
        modes=hello.modes,
        families=tuple(evidence.families.values()),
        deviations=tuple(replace(deviation, excused=excused.get(deviation.full_key)) for deviation in deviations),
        troubles=tuple(_troubles(evidence, target, options.level)),
        more_troubles=evidence.more_no_answers,
        notes=(*evidence.notes, *filter(None, [evidence.ended_early])),
        not_judged=tuple(not_judged(evidence, options, not_run)),
        not_run=tuple(not_run),
        strict=options.strict,
        stopped=stopped,
        unexpected_passes=tuple(sorted(not_seen)),
        filtered=options.filtered,
        understood=hello.more.get(UNDERSTOOD, ""),
    )
    if report.verdict == "pass" and not report.filtered:
        judged = [row.name for row in report.families if row.mode == "v" and row.passed + row.failed >= row.total]
        words = theorem(options.level, grammar=options.grammar, start=options.start, judged=judged)
        more = f" Not judged: {'; '.join(report.not_judged)}." if report.not_judged else ""
        return replace(report, theorem=words + more)
    return report


def not_judged(evidence: Evidence, options: RunOptions, not_run: Sequence[str]) -> Iterable[str]:
    """Yield in words what was not judged of the levels that were run, first what, and behind a colon why."""
    yield from evidence.not_judged
    rows = evidence.families.values()
    if unsupported := sum(row.unsupported for row in rows):
        yield f"{unsupported:,} case{'s' * (unsupported > 1)} not judged: the decoder says that it cannot judge them"
    for (name, mode), why in evidence.not_sent.items():
        yield f"family {name} not judged in mode {mode}: {why}"
    if options.filtered:
        return
    asked = {row.name: row.asked for row in rows if row.mode == "v"}
    left = {True: 0, False: 0}  # whether the family is judged in process only: cases
    for family in chosen_families(options):
        if family.level in not_run or (family.name, "v") in evidence.not_sent:
            continue
        left[family.in_process] += max(0, family.count - asked.get(family.name, 0)) if "v" in family.modes else 0
    if left[True]:
        yield f"{left[True]:,} cases not judged: they need a C function in the same process, and memory for it"
    if left[False]:
        yield f"{left[False]:,} cases not judged: {evidence.ended_early or 'they were not asked'}"


def _troubles(evidence: Evidence, target: Target, level: str) -> Iterable[Trouble]:
    for failure, case, data, memory, reproduce in evidence.no_answers:
        command = reproduce or (command_for(target, data, case, level) if case else "")
        yield Trouble(failure.kind, failure.detail, case, data, command, memory)


def deviation_of_verdicts(verdict_class: VerdictClass, standard: Plan, target: Target, level: str) -> Deviation:
    """Return a class of wrong verdicts as a deviation."""
    example, where = verdict_class.example, verdict_class.where
    means, mistake = Meaning("", "", "", ""), ""
    if standard.is_utf8:  # the rules of another grammar are not these
        facts = {"accepted": verdict_class.accepted, "rest_is_unread": verdict_class.rest_is_unread}
        mistake = usual_mistake(example, where, **facts)
        means = meaning(example, verdict_class.language, **facts)
    return Deviation(
        kind=EXTRA if verdict_class.accepted else MISSING,
        line=verdict_class.line,
        example=example,
        count=verdict_class.cases,
        rule=means.rule,
        section=means.section,
        case=verdict_class.case,
        reproduce=command_for(target, example, verdict_class.case, level),
        why=means.why,
        security=means.security,
        detail=where,
        place=where,
        mistake=mistake,
    )


def deviations_of_answers(classes: Iterable[WrongAnswers], target: Target, level: str) -> Iterable[Deviation]:
    """Yield a deviation for each of *classes* of wrong offsets, texts or streams, with its shortest case."""
    for answers in classes:
        wrong = answers.shortest
        case = wrong.case()
        is_cut_elsewhere = bool(wrong.chunks) and wrong.chunks != chunks_of(case.data)
        yield Deviation(
            kind=wrong.kind,
            line=wrong.fault,
            example=case.data,
            count=answers.count,
            rule=case.rule,
            section="RFC 3629 section 4" if case.accept else "Unicode 3.9, maximal subpart",
            case=case.id,
            reproduce=command_for(target, case.data, case.id, level, by_name=is_cut_elsewhere),
            why=wrong.why,
            detail=BORDER if answers.at_borders else "",
        )
