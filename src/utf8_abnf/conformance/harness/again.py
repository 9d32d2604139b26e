"""Asks again, in a process of its own, for what was wrong in process: a ``SeenInProcess`` in, ``Witness`` values out.

A second answer never takes the first one away. What is not seen again becomes a deviation or a trouble of its own.
"""

from __future__ import annotations

import shlex
import sys
from dataclasses import replace
from functools import partial
from itertools import zip_longest
from typing import TYPE_CHECKING

from utf8_abnf.conformance.harness.answers.judging import NoAnswer, Witness, WrongVerdict
from utf8_abnf.conformance.harness.driving.protocol import ACCEPT
from utf8_abnf.conformance.harness.driving.worker import Failure
from utf8_abnf.conformance.harness.report import EXTRA, MISSING, Deviation
from utf8_abnf.conformance.harness.thinning import sample_of
from utf8_abnf.conformance.suite.judging import located

if TYPE_CHECKING:
    from collections.abc import Sequence

    from utf8_abnf.conformance.harness.driving.inprocess import SeenInProcess
    from utf8_abnf.conformance.harness.driving.session import Session
    from utf8_abnf.conformance.harness.driving.target import Target
    from utf8_abnf.conformance.harness.evidence import Evidence
    from utf8_abnf.conformance.suite import Batch, Case
    from utf8_abnf.conformance.suite.judging import Spot

NOT_AGAIN = "not seen again when asked in a process of its own"
BY_MEMORY = "the verdict depends on where the input lies in memory, on what lies around it, or on what was asked before"


def ask_again(seen: SeenInProcess, session: Session) -> tuple[list[WrongVerdict | NoAnswer], list[Witness]]:
    """Ask *session* for a sample of what was wrong in process; return what is wrong again, and what is not.

    What is not asked again, because the session has stopped, shows nothing: it counts as wrong again.
    """
    found = list(located(seen.family, [] if seen.huge else sample_of(seen.numbers)))
    inputs = [batch.data(number) for batch, number, _ in found]
    answers = [] if session.stopped else session.verdicts(inputs)
    wrong: list[WrongVerdict | NoAnswer] = []
    right: list[tuple[Batch, int, Spot]] = []
    for (batch, number, spot), data, answer in zip_longest(found, inputs, answers):
        accept = seen.family.plan.accepts(data)
        if isinstance(answer, Failure):
            wrong.append(NoAnswer(answer, batch.id(number), data))
        elif answer is None or (answer == ACCEPT) is not accept:
            wrong.append(WrongVerdict(data, not accept, partial(batch.id, number)))
        else:
            right.append((batch, number, spot))
    earlier = located(seen.family, [max(0, batch.first + number - 1) for batch, number, _ in right])
    pairs = zip(right, earlier, strict=True)
    witnesses = [
        Witness(seen.family.name, batch.case(number), spot, before.data(at))
        for (batch, number, spot), (before, at, _) in pairs
    ]
    return wrong, witnesses


def only_in_process(
    evidence: Evidence, session: Session, level: str, target: Target, witnesses: Sequence[Witness]
) -> list[Deviation]:
    """Return a deviation for what was accepted in process only, for what was rejected, and for each huge case.

    A crash in process goes into *evidence*.
    """
    commands = {name: _command(name, level, target) for name in evidence.in_process}
    failures: dict[Failure, list[NoAnswer]] = {}
    for name, seen in evidence.in_process.items():
        if seen.failure and (failure := _ask_for_failure(seen, evidence, session, commands[name])):
            failures.setdefault(seen.failure, []).append(failure)
    for alike in failures.values():
        evidence.keep(_joined(alike))
    sides = [[each for each in witnesses if each.case.accept is side] for side in (False, True)]
    huge = [_of_case(case, case.id, commands[name]) for name, seen in evidence.in_process.items() for case in seen.huge]
    return [*(_of_witnesses(several, commands) for several in sides if several), *huge]


def _command(family: str, level: str, target: Target) -> str:
    assert target.library
    command = [sys.executable, "-m", "utf8_abnf.conformance.harness.driving.inprocess", *target.library, level]
    return f"echo {family} | {shlex.join(command)}"


def _ask_for_failure(seen: SeenInProcess, evidence: Evidence, session: Session, reproduce: str) -> NoAnswer | None:
    """Return the crash of a case in process as a trouble of its own.

    None if the case crashes again when it is sent, or did before: then the trouble is kept.
    """
    assert seen.failure
    asked = next(located(seen.family, [seen.number]), None)
    if asked is None:
        detail = f"{seen.failure.detail}, called in process in family {seen.family.name} after {seen.count:,} cases"
        evidence.keep(NoAnswer(replace(seen.failure, detail=detail), "", b"", None, reproduce))
        return None
    batch, number, spot = asked
    case = batch.case(number)
    if any(each.case == case.id for each in evidence.no_answers):
        return None
    passed = evidence.families[seen.family.name, "v"].passed
    evidence.count(seen.family, "v", passed=-min(1, passed), troubled=1)  # what is right when sent was not right before
    answer = None if session.stopped else next(iter(session.verdicts([case.data])), None)
    if answer is None or isinstance(answer, Failure):
        evidence.keep(NoAnswer(answer or seen.failure, case.id, case.data))
        return None
    memory = spot.memory(len(case.data))
    after = f"after {seen.number:,} other cases of its family" if seen.number else "first of its family"
    detail = f"{seen.failure.detail}, called in process at {memory}, {after}; {NOT_AGAIN}"
    return NoAnswer(replace(seen.failure, detail=detail), case.id, case.data, memory, reproduce)


def _joined(alike: list[NoAnswer]) -> NoAnswer:
    """Return the shortest of *alike*, which ended in the same way in one family each; it says how many there are."""
    shortest = min(alike, key=lambda each: (len(each.data), each.data))
    if len(alike) == 1:
        return shortest
    longest = max(len(each.data) for each in alike)
    more = f"so in {len(alike)} families, in input of {len(shortest.data):,} to {longest:,} bytes"
    called, _, again = shortest.failure.detail.rpartition("; ")
    return shortest._replace(failure=replace(shortest.failure, detail=f"{called}; {more}; {again}"))


def _of_witnesses(witnesses: list[Witness], commands: dict[str, str]) -> Deviation:
    """Return *witnesses*, which were all accepted wrongly or all rejected, as one deviation."""
    family, case, spot, _ = min(witnesses, key=lambda each: (len(each.case.data), each.case.data))
    memory = spot.memory(len(case.data))
    return replace(
        _of_case(case, f"{'well' if case.accept else 'ill'}-formed text", commands[family]),
        count=len(witnesses),
        why=str(case.error) if case.error else "every one of these is a character",
        security=BY_MEMORY,
        detail=f"called in process at {memory}; {NOT_AGAIN}",
        memory=memory,
    )


def _of_case(case: Case, line: str, reproduce: str) -> Deviation:
    return Deviation(
        kind=MISSING if case.accept else EXTRA,
        line=f"<only in process> {line}",
        example=case.data,
        count=1,
        rule=case.rule,
        section="RFC 3629 section 4",
        case=case.id,
        reproduce=reproduce,
        why=case.story,
        detail="called in process; too long to be sent to a process of its own",
    )
