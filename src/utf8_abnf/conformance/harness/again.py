"""Asking again: what was seen in process is asked in a process of its own.

A second answer never takes the first one away. What is not seen again becomes a deviation or a trouble of its own.
"""

from __future__ import annotations

import shlex
import sys
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from utf8_abnf.conformance.harness.answers.judging import NoAnswer, WrongVerdict
from utf8_abnf.conformance.harness.driving.protocol import ACCEPT, REJECT
from utf8_abnf.conformance.harness.driving.worker import Failure
from utf8_abnf.conformance.harness.report import EXTRA, MISSING, Deviation
from utf8_abnf.conformance.suite.judging import judged_cases, right_verdicts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from utf8_abnf.conformance.harness.driving.inprocess import SeenInProcess
    from utf8_abnf.conformance.harness.driving.session import Session
    from utf8_abnf.conformance.harness.driving.target import Target
    from utf8_abnf.conformance.harness.evidence import Evidence
    from utf8_abnf.conformance.suite import Case
    from utf8_abnf.conformance.suite.judging import Spot

NOT_AGAIN = "not seen again when asked in a process of its own"
BY_MEMORY = "the verdict depends on where the input lies in memory, on what lies around it, or on what was asked before"
MAX_ASKED_AGAIN = 500  # cases of a family, evenly chosen from those with a wrong verdict


class _Witness(NamedTuple):
    """A case with a wrong verdict in process, and another one when it was sent."""

    case: Case
    spot: Spot
    reproduce: str


def ask_again_out_of_process(
    evidence: Evidence,
    session: Session,
    level: str,
    target: Target,
) -> list[Deviation]:
    """Ask *session* for what was wrong in process; return what was not seen again as deviations.

    There is one for what was accepted, one for what was rejected, and one for each case that is too long to be sent.
    What is seen again goes into *evidence*, and so do what is not asked again, for that shows nothing, and a crash.
    """
    found: list[Deviation] = []
    counts = {True: 0, False: 0}
    witnesses: dict[bool, list[_Witness]] = {True: [], False: []}
    failures: dict[Failure, list[NoAnswer]] = {}
    for seen in evidence.in_process.values():
        assert target.library
        command = [sys.executable, "-m", "utf8_abnf.conformance.harness.driving.inprocess", *target.library, level]
        reproduce = f"echo {seen.family.name} | {shlex.join(command)}"
        if seen.failure and (failure := _ask_for_failure(seen, evidence, session, reproduce)):
            failures.setdefault(seen.failure, []).append(failure)
        found += [_huge(case, reproduce) for case in seen.huge]
        for accepted, several in _by_direction(seen):
            left = list(_not_again(seen, several, evidence, session, reproduce, accepted=accepted))
            asked = len(_chosen(several))
            counts[accepted] += len(left) + (0 if seen.family.in_process or not left else len(several) - asked)
            witnesses[accepted] += left
    for alike in failures.values():
        evidence.keep(_joined(alike))
    return [_deviation(several, counts[way], accepted=way) for way, several in witnesses.items() if several] + found


def _ask_for_failure(seen: SeenInProcess, evidence: Evidence, session: Session, reproduce: str) -> NoAnswer | None:
    """Return the crash of a case in process as a trouble of its own.

    None if the case crashes again when it is sent, or did before: then the trouble is kept.
    """
    assert seen.failure
    asked = next(judged_cases(seen.family, [seen.number]), None)
    if asked is None:
        detail = f"{seen.failure.detail}, called in process in family {seen.family.name} after {seen.count:,} cases"
        evidence.keep(NoAnswer(replace(seen.failure, detail=detail), "", b"", None, reproduce))
        return None
    case, spot = asked
    if any(each.case == case.id for each in evidence.no_answers):
        return None
    evidence.move(seen.family, "troubled", 1)
    answer = _verdict(session, case)
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
    *,
    accepted: bool,
) -> Iterator[_Witness]:
    """Ask again for some cases; yield those that are not wrong in the same way, keep the others in *evidence*."""
    if seen.failure and not seen.family.in_process:  # else it was counted as it was seen in process
        evidence.move(seen.family, "failed", len(several))
    for case, spot in judged_cases(seen.family, _chosen(several)):
        if _verdict(session, case) in (None, ACCEPT if accepted else REJECT):
            evidence.keep(WrongVerdict(case.data, accepted, case.id.__str__))
        else:
            yield _Witness(case, spot, reproduce)


def _deviation(witnesses: list[_Witness], count: int, *, accepted: bool) -> Deviation:
    case, spot, reproduce = min(witnesses, key=lambda each: (len(each.case.data), each.case.data))
    memory = spot.memory(len(case.data))
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
        security=BY_MEMORY,
        detail="; ".join(filter(None, (f"called in process at {memory}", _range_of(witnesses), NOT_AGAIN))),
        memory=memory,
    )


def _range_of(witnesses: list[_Witness]) -> str:
    """Return what sizes and first errors the inputs of *witnesses* have; "" for one of them."""
    if len(witnesses) == 1:
        return ""
    sizes = [len(each.case.data) for each in witnesses]
    errors = [each.case.error.start for each in witnesses if each.case.error]
    at = f" and a first error at offset {_range(errors)}" if errors else ""
    return f"{len(witnesses):,} such inputs have {_range(sizes)} bytes{at}"


def _range(numbers: list[int]) -> str:
    low, high = min(numbers), max(numbers)
    return f"{low:,}..{high:,}" if low < high else f"{low:,}"


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
