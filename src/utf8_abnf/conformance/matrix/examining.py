"""Examine one decoder: start it, test it, learn it, confirm its deviations, and return its row, whatever it does."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING

from utf8_abnf.automaton import compile_grammar
from utf8_abnf.conformance.harness.box import SessionBox, deadline
from utf8_abnf.conformance.harness.driving.protocol import ACCEPT, REJECT, UNSUPPORTED
from utf8_abnf.conformance.harness.driving.session import Session
from utf8_abnf.conformance.harness.options import RunOptions
from utf8_abnf.conformance.harness.report import EXTRA, MISSING
from utf8_abnf.conformance.harness.run import execute
from utf8_abnf.conformance.learning import Model, learn
from utf8_abnf.conformance.matrix import row as words
from utf8_abnf.conformance.matrix.deviations import deviations
from utf8_abnf.conformance.matrix.grid import ask
from utf8_abnf.conformance.matrix.options import GRID
from utf8_abnf.conformance.matrix.recheck import CONTROLS, SecondWay, shown_command
from utf8_abnf.conformance.matrix.row import CheckedDeviation, LearnedGrammar, Row, cleaned
from utf8_abnf.errors import TargetError, Utf8AbnfError
from utf8_abnf.grammar import Grammar

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from utf8_abnf.conformance.harness.driving.target import Target
    from utf8_abnf.conformance.harness.known import Decoder
    from utf8_abnf.conformance.harness.report import Report
    from utf8_abnf.conformance.matrix.options import ExaminationOptions
    from utf8_abnf.conformance.matrix.results import Results

LEVELS = ("L0", "L1", "L2")
EXPENSIVE_LEVELS = 2  # L2 has millions of cases
MAX_TROUBLES = 5  # in a row
NOT_STARTED = "it did not run on this machine"
NOT_ASKED_FOR = "learning was not asked for"
GRAMMAR = "utf8"


def examine(decoder: Decoder, options: ExaminationOptions, results: Results, cancelled: Callable[[], None]) -> Row:
    """Return the row of *decoder*, from *results* if it is there; *cancelled* may raise to end the work."""
    reason = f"needs {decoder.install or decoder.program}"
    row = described(Row(decoder.name, verdict=words.ABSENT, reason=reason, not_learned=NOT_STARTED), decoder)
    if not decoder.available():
        return row
    try:
        target = decoder.target()
        version, known = _start(target, options)
    except Utf8AbnfError as error:
        return described(replace(row, verdict=words.BROKEN, reason=str(error)), decoder)
    row = replace(row, version=version, reason="", not_learned=NOT_ASKED_FOR)
    today = date.today().isoformat()
    if options.level == GRID:
        row = replace(row, verdict=words.ASKED, date=today, grid=ask(target, options.limits, today))
        return described(row, decoder)
    kept = results.take(decoder, row.version, options)
    if kept is not None:
        return described(kept, decoder)
    row = replace(row, date=today, grid=ask(target, options.limits, today))
    cancelled()
    row = described(_examined(row, decoder, target, known, options, cancelled), decoder)
    results.keep(decoder, row, options)
    return row


def described(row: Row, decoder: Decoder) -> Row:
    """Return *row*, in printable text, with what the rows file says of *decoder* today."""
    told = {name: getattr(decoder, name) for name in words.WORDS}
    clean: Row = cleaned(replace(row, **told, second_way=shown_command(decoder)))
    return clean


def _start(target: Target, options: ExaminationOptions) -> tuple[str, dict[bytes, bytes]]:
    """Return the version of *target*, and its verdicts on the control inputs."""
    with closing(Session(target.start, options.limits)) as session:
        answers = session.verdicts(list(CONTROLS))
        known = {
            word: answer
            for word, answer in zip(CONTROLS, answers, strict=False)
            if isinstance(answer, bytes) and answer in {ACCEPT, REJECT}
        }
        if all(answer == UNSUPPORTED for answer in answers):
            raise TargetError(f"it gave no verdict on any of {len(CONTROLS)} inputs")
        return session.hello.version or target.version, known


def _examined(
    row: Row,
    decoder: Decoder,
    target: Target,
    known: Mapping[bytes, bytes],
    options: ExaminationOptions,
    cancelled: Callable[[], None],
) -> Row:
    report = _tested(target, options, cancelled)
    row = _with_report(row, report)
    model = None
    if options.learns:
        model, reason, unjudged = _learned(target, report, options, cancelled)
        row = replace(row, not_learned=reason, unjudged_example=unjudged)
    if model:
        grammar = LearnedGrammar(model.learned.questions, model.dialect or "", "" if model.dialect else model.abnf)
        row = replace(row, learned=grammar)
    cancelled()
    way = SecondWay(decoder, known, cancelled)
    found = [_checked(each, way) for each in deviations(report, model)]
    row = replace(row, deviations=tuple(found), controls=way.controls)
    return replace(row, verdict=_verdict(row, report, disagrees=way.disagrees))


def _tested(target: Target, options: ExaminationOptions, cancelled: Callable[[], None]) -> Report:
    """Return the report of the requested level, or of the highest one below it that ends in time or fails.

    Its notes say why a higher level ended early. An expensive decoder is not asked L2.
    """
    levels = LEVELS[: LEVELS.index(options.level) + 1]
    levels = levels[:EXPENSIVE_LEVELS] if target.expensive else levels

    ended: list[str] = []
    for level in reversed(levels):
        run = RunOptions(
            level=level, limits=options.limits, max_seconds=options.seconds, progress=lambda *_: cancelled()
        )
        report = execute(target, run)
        if not report.stopped or report.troubles or report.failed or level == levels[0]:
            break
        ended.append(f"level {level} ended early: {report.stopped}")
    return replace(report, notes=(*report.notes, *ended))


def _with_report(row: Row, report: Report) -> Row:
    notes = {name: text for name, _, text in (note.partition(": ") for note in report.notes)}
    return replace(
        row,
        level=report.level,
        cases=report.cases,
        unjudged=report.unsupported,
        offsets=notes.pop("offsets", ""),
        replacement=notes.pop("replacement", ""),
        streaming=notes.pop("streaming", ""),
        notes=tuple(f"{name}: {text}" if text else name for name, text in notes.items()),
        troubles=tuple(replace(each, reproduce="", memory=None) for each in report.troubles[:MAX_TROUBLES]),
        reason=report.stopped,
    )


def _learned(
    target: Target, report: Report, options: ExaminationOptions, cancelled: Callable[[], None]
) -> tuple[Model | None, str, bytes | None]:
    """Return the model of *target*, which explains the wrong verdicts of *report*, or None and the reason for that.

    The last value is an input that the decoder could not judge, or None.
    """
    seen = [(each.example, each.kind == EXTRA) for each in report.deviations if each.kind in {EXTRA, MISSING}]
    expected = compile_grammar(Grammar.load(GRAMMAR))
    overdue = deadline(options.seconds, cancelled)
    try:
        session = Session(target.start, options.limits, overdue)
    except TargetError as error:
        return None, str(error), None
    box = SessionBox(session, expected, overdue)
    with closing(session):
        try:
            found = learn(box, expected, seen, expensive=target.expensive)
        except Utf8AbnfError as error:
            return None, str(error), box.unjudged
    if found.borders:
        return None, f"it looks at lengths: {found.borders[0].phrase}", box.unjudged
    return Model(target.name, GRAMMAR, expected, found), "", box.unjudged


def _checked(each: CheckedDeviation, way: SecondWay) -> CheckedDeviation:
    if not each.in_verdicts:
        return each
    check, said = way.check(each.example, accepted=each.kind == EXTRA)
    return replace(each, check=check, said=said)


def _verdict(row: Row, report: Report, *, disagrees: bool) -> str:
    states = {each.check for each in row.deviations if each.in_verdicts}
    if disagrees or words.CONTRADICTED in states:
        return words.DISAGREES
    if row.troubles:
        return words.TROUBLED
    if states:
        return words.DEVIATES if words.CONFIRMED in states else words.UNCONFIRMED
    if report.stopped:
        return words.STOPPED
    return words.CONFORMS_EXCEPT if row.deviations else words.CONFORMS
