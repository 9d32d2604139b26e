"""Asking again: what was seen in process is asked in a process of its own.

A second answer never takes the first one away. What is not seen again becomes a deviation or a trouble of its own.
"""

from __future__ import annotations

import shlex
import sys
import time
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from utf8_abnf.harness.judging import NoAnswer, WrongVerdict
from utf8_abnf.harness.protocol import ACCEPT, REJECT
from utf8_abnf.harness.report import EXTRA, MISSING, Deviation
from utf8_abnf.harness.worker import Failure
from utf8_abnf.suite.judging import judged_cases, right_verdicts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from utf8_abnf.harness.evidence import Evidence
    from utf8_abnf.harness.inprocess import SeenInProcess
    from utf8_abnf.harness.session import Session
    from utf8_abnf.harness.target import Target
    from utf8_abnf.suite import Case
    from utf8_abnf.suite.judging import Memory

NOT_AGAIN = "not seen again when asked in a process of its own"
NOT_ASKED = "not asked again in a process of its own"
MAX_ASKED_AGAIN = 500  # cases of a family, evenly chosen from those with a wrong verdict
MAX_SECONDS = 20.0  # for these questions; less where the run has to end before


class _Witness(NamedTuple):
    """A case with a wrong verdict in process; *again* says what came of it when it was sent."""

    case: Case
    memory: Memory
    again: str
    reproduce: str


def ask_again_out_of_process(
    evidence: Evidence, session: Session, level: str, target: Target, seconds: float
) -> list[Deviation]:
    """Ask *session* for what was wrong in process, for *seconds* at most; return what was not seen again as deviations.

    There is one for what was accepted, one for what was rejected, and one for each case that is too long to be sent.
    What is seen again goes into *evidence*, and so does a crash.
    """
    found: list[Deviation] = []
    counts = {True: 0, False: 0}
    witnesses: dict[bool, list[_Witness]] = {True: [], False: []}
    ends = time.monotonic() + min(MAX_SECONDS, seconds)
    for seen in evidence.in_process.values():
        assert target.library
        command = [sys.executable, "-m", "utf8_abnf.harness.inprocess", *target.library, level]
        reproduce = f"echo {seen.family.name} | {shlex.join(command)}"
        if seen.failure:
            _ask_for_failure(seen, evidence, session, reproduce)
        found += [_huge(case, reproduce) for case in seen.huge]
        for accepted, several in _by_direction(seen):
            left = list(_not_again(seen, several, evidence, session, reproduce, ends, accepted=accepted))
            asked = len(_chosen(several))
            counts[accepted] += len(left) + (0 if seen.family.in_process or not left else len(several) - asked)
            witnesses[accepted] += left
    return [_deviation(several, counts[way], accepted=way) for way, several in witnesses.items() if several] + found


def _ask_for_failure(seen: SeenInProcess, evidence: Evidence, session: Session, reproduce: str) -> None:
    """Keep the crash of a case in process as a trouble of its own, unless the case crashes again when it is sent."""
    assert seen.failure
    asked = next(judged_cases(seen.family, [seen.number]), None)
    if asked is None:
        detail = f"{seen.failure.detail}, called in process in family {seen.family.name} after {seen.count:,} cases"
        evidence.keep(NoAnswer(replace(seen.failure, detail=detail), "", b"", None, reproduce))
        return
    case, memory = asked
    if any(each.case == case.id for each in evidence.no_answers):
        return
    answer = _verdict(session, case)
    if isinstance(answer, Failure):
        evidence.keep(NoAnswer(answer, case.id, case.data))
    else:
        detail = f"{seen.failure.detail}, called in process at {memory}; {NOT_ASKED if answer is None else NOT_AGAIN}"
        evidence.keep(NoAnswer(replace(seen.failure, detail=detail), case.id, case.data, memory, reproduce))
    evidence.move(seen.family, "troubled", 1)


def _verdict(session: Session, case: Case) -> bytes | Failure | None:
    answers = [] if session.stopped else session.verdicts([case.data])
    return answers[0] if answers else None


def _by_direction(seen: SeenInProcess) -> Iterator[tuple[bool, list[int]]]:
    """Yield the numbers of what was wrongly accepted, and of what was wrongly rejected."""
    numbers = [] if seen.huge else sorted(seen.numbers)
    right = right_verdicts(seen.family, numbers)
    for accepted in (True, False):
        yield accepted, [number for number, accept in zip(numbers, right, strict=True) if accept is not accepted]


def _chosen(several: list[int]) -> list[int]:
    return several[:: 1 + len(several) // MAX_ASKED_AGAIN]


def _not_again(
    seen: SeenInProcess,
    several: list[int],
    evidence: Evidence,
    session: Session,
    reproduce: str,
    ends: float,
    *,
    accepted: bool,
) -> Iterator[_Witness]:
    """Ask again for some cases; yield those that are not wrong in the same way, keep the others in *evidence*."""
    if not seen.family.in_process:
        evidence.move(seen.family, "failed", len(several))
    for case, memory in judged_cases(seen.family, _chosen(several)):
        answer = _verdict(session, case) if time.monotonic() < ends else None
        if answer == (ACCEPT if accepted else REJECT):
            evidence.keep(WrongVerdict(case.data, accepted, case.id.__str__))
        else:
            yield _Witness(case, memory, NOT_ASKED if answer is None else NOT_AGAIN, reproduce)


def _deviation(witnesses: list[_Witness], count: int, *, accepted: bool) -> Deviation:
    case, memory, again, reproduce = min(witnesses, key=lambda each: (len(each.case.data), each.case.data))
    return Deviation(
        kind=EXTRA if accepted else MISSING,
        line=f"<only in process> {'ill' if accepted else 'well'}-formed text",
        example=case.data,
        count=count,
        rule=case.rule,
        section="RFC 3629 section 4",
        case=case.id,
        reproduce=reproduce,
        why=str(case.error) if case.error else "every one of these is a character",
        security="the verdict depends on where the input lies in memory, or on what lies around it",
        detail=f"called in process at {memory}; {again}",
        memory=memory,
    )


def _huge(case: Case, reproduce: str) -> Deviation:
    return Deviation(
        kind=MISSING if case.accept else EXTRA,
        line=f"<only in process> {case.id}",
        example=case.data,
        count=1,
        rule=case.rule,
        section="RFC 3629 section 4",
        case=case.id,
        reproduce=reproduce,
        why=case.story,
        detail="called in process; too long to be sent to a process of its own",
    )
