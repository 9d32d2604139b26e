"""A run: cases of the suites go to one decoder, its answers are judged and explained, and a ``Report`` comes out.

The way of a case is a straight line, each station a module: ``sending`` gives the case to the decoder and returns the
answer, ``judging`` says what is wrong with it, ``evidence`` keeps that. When all cases are through, ``explaining`` asks
the decoder again and makes classes of the wrong verdicts, and ``reporting`` makes the report.
"""

from __future__ import annotations

import time
from contextlib import closing, nullcontext
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain, islice, zip_longest
from typing import TYPE_CHECKING, Any

from utf8_abnf.conformance.harness.again import ask_again, only_in_process
from utf8_abnf.conformance.harness.answers.answer_classes import answer_classes, follow
from utf8_abnf.conformance.harness.answers.conventions import convention_of
from utf8_abnf.conformance.harness.answers.judging import judge_answers, judge_verdicts
from utf8_abnf.conformance.harness.box import SessionBox
from utf8_abnf.conformance.harness.clock import Clock
from utf8_abnf.conformance.harness.driving.inprocess import InProcess
from utf8_abnf.conformance.harness.driving.session import INTERRUPTED, Session
from utf8_abnf.conformance.harness.evidence import Evidence
from utf8_abnf.conformance.harness.explaining import explain
from utf8_abnf.conformance.harness.findings import Findings, LevelEnd
from utf8_abnf.conformance.harness.opening import open_target
from utf8_abnf.conformance.harness.options import chosen_families, why_nothing_was_asked
from utf8_abnf.conformance.harness.reporting import (
    deviation_of_verdicts,
    deviations_of_answers,
    make_report,
    not_judged,
)
from utf8_abnf.conformance.harness.sending import send, send_sample, window_of_inputs
from utf8_abnf.conformance.harness.standard import probes_of
from utf8_abnf.conformance.harness.steadiness import Steadiness, examples_of, examples_of_classes
from utf8_abnf.conformance.harness.thinning import Thinning
from utf8_abnf.conformance.suite import cases as cases_of
from utf8_abnf.conformance.suite import families as families_of
from utf8_abnf.conformance.suite.plan import plan
from utf8_abnf.errors import TargetError, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from utf8_abnf.conformance.harness.answers.answer_classes import WrongAnswers
    from utf8_abnf.conformance.harness.answers.conventions import Convention
    from utf8_abnf.conformance.harness.answers.judging import Judgement, Portion
    from utf8_abnf.conformance.harness.explaining import VerdictClass
    from utf8_abnf.conformance.harness.options import RunOptions
    from utf8_abnf.conformance.harness.report import Report
    from utf8_abnf.conformance.harness.sending import Answered
    from utf8_abnf.conformance.suite import Family

MEBIBYTE = b"a" * (1 << 20)
MAX_INCREMENTAL = 10_000  # cases of a family of streams that is sent in mode i as well: each is fed three times
FRESH = 2  # processes in which it is asked after explaining: one may be like the first by chance
ONE_IN = 5  # of the named cases a decoder that is right is asked in a fresh process: that costs less than 0.1 s
SAMPLE = 2_000  # cases of L1 from which a convention is found out, whatever the options choose


def execute(target: Any, options: RunOptions) -> Report:
    """Run *target* (anything that ``open_target`` takes) and return the Report.

    TargetError if it cannot be started, UsageError if there is nothing that *options* would ask it.
    """
    opened = open_target(target, probes=probes_of(options.grammar, options.start))
    families = chosen_families(options)
    standard = plan(options.grammar, options.start)
    clock = Clock(options.max_seconds, options.progress)
    try:
        session = Session(opened.start, options.limits, clock.overdue)
    except TargetError as error:
        raise TargetError(f"{opened.spec}: {error}") from None
    in_process: InProcess | None = None
    if opened.library and options.grammar is None and not options.ids:  # families of the suite, with all their cases
        in_process = InProcess(opened.library, options.level, options.limits)
    is_expensive = opened.kind == "exec"  # then each question has a process of its own
    evidence = Evidence()
    with closing(session), closing(in_process) if in_process else nullcontext():
        findings = Findings(options.tell, standard) if options.tell else None
        cases = _Cases(session, in_process, options, clock, evidence, findings, is_expensive)
        stopped = cases.send_all(families)
        evidence.keep_unattributed(session.unattributed)
        if session.stopped and session.stopped == clock.reason:  # only the time for the cases is over
            session.stopped = ""
        if not (stopped or evidence.asked or evidence.failures or session.unattributed):
            why = "; ".join(not_judged(evidence, options, cases.not_run)) or why_nothing_was_asked(
                options, session.hello.modes
            )
            raise UsageError(f"no case was asked: {why}")
        steadiness = Steadiness(session, opened, options.level, evidence.witnesses, is_utf8=standard.is_utf8)
        clock.begin_explaining(len(evidence.wrong_verdicts))
        steadiness.ask_again(examples_of(evidence))
        classes: list[VerdictClass] = []
        if not steadiness.is_hopeless:
            box = SessionBox(session, standard.automaton, clock.overdue, fails_from=0)
            again = [] if standard.is_utf8 else [each for each in families if each.level not in cases.not_run]
            classes, ended = explain(evidence.wrong_verdicts, box, standard.automaton, again, expensive=is_expensive)
            evidence.notes += [f"explaining ended early: {ended}"] if ended else []
        steadiness.ask_again(chain(examples_of_classes(classes), examples_of(evidence)), fresh=FRESH)
        named = evidence.families.get(("named", "v"))
        if not evidence.failures and named and named.passed == named.total:
            steadiness.ask_the_right(islice(cases_of("L0", "named"), 0, None, ONE_IN))
        if steadiness.is_hopeless:
            classes, wrong_answers = [], []
            evidence.notes.append(
                "what else is wrong cannot be told before each answer is about its own question alone"
            )
        else:
            classes = [found for found in classes if found.example not in steadiness.inputs]
            wrong_answers = _answer_classes(evidence, session)
        deviations = steadiness.deviations
        deviations += [deviation_of_verdicts(found, standard, opened, options.level) for found in classes]
        witnesses = [] if steadiness.is_hopeless else evidence.witnesses
        deviations += only_in_process(evidence, session, options.level, opened, witnesses)
        deviations += deviations_of_answers(wrong_answers, opened, options.level)
        report = make_report(opened, session.hello, options, evidence, deviations, stopped, cases.not_run)
        return replace(report, seconds=clock.elapsed)


def _answer_classes(evidence: Evidence, session: Session) -> list[WrongAnswers]:
    """Return the classes of wrong answers but those that follow from wrong verdicts, which a note counts."""
    classes = answer_classes(evidence.wrong_answers)
    has_classes = len(evidence.wrong_verdicts) > 0
    following = [each for each in classes if has_classes and follow(each.questions, session)]
    if following:
        count = sum(each.count for each in following)
        evidence.notes.append(f"{count:,} wrong offsets, texts or streams follow from the wrong verdicts")
    return [each for each in classes if each not in following]


def _is_sent(family: Family, mode: str) -> bool:
    """Tell whether *family* is sent in *mode*, one of p, r, s and i."""
    if mode == "i":
        return "s" in family.modes and family.count <= MAX_INCREMENTAL and not family.longest
    return mode in family.modes and not family.in_process


class _EndOfRun(Exception):  # noqa: N818
    """No more cases are sent: its text says why."""


@dataclass(slots=True)
class _Cases:
    """The first part of a run, which sends the cases and judges the answers: what is seen goes into *evidence*."""

    session: Session
    in_process: InProcess | None
    options: RunOptions
    clock: Clock
    evidence: Evidence
    findings: Findings | None
    is_expensive: bool
    conventions: dict[str, Convention] = field(default_factory=dict)  # of each mode, once it is known
    not_run: list[str] = field(default_factory=list)  # levels, because one before them failed
    modes_left: set[str] = field(default_factory=set)  # in which it failed too often; "" stands for its verdicts

    def send_all(self, families: Sequence[Family]) -> str:
        """Send *families*; return why that ended early, "" when it did not."""
        stopped: list[str] = []
        try:
            times = {family.name: self._times(family) for family in families}
            asked = [family for family in families if times[family.name]]  # to count the others takes time
            self.clock.total = sum(family.count * times[family.name] for family in asked)
            levels = list(dict.fromkeys(family.level for family in families))
            for level, following in zip_longest(levels, levels[1:], fillvalue=""):
                stopped += self._level([family for family in families if family.level == level])
                stops = not (self.options.keep_going or self.options.expected)  # what is expected does not fail
                if stops and (self.evidence.failures or self.session.unattributed):
                    self.not_run, following = levels[levels.index(level) + 1 :], ""
                if self.findings:
                    self.findings.tell(LevelEnd(level, self.evidence.asked, self.evidence.failures, following))
                if self.not_run:
                    break
            self.session.finish()
        except KeyboardInterrupt:
            stopped.insert(0, INTERRUPTED)
        except _EndOfRun as end:
            stopped.append(str(end))
        return "; ".join(dict.fromkeys(filter(None, (self.session.stopped, *stopped))))

    def _level(self, families: Sequence[Family]) -> list[str]:
        """Send the *families* of one level, so that a decoder's faults on short input are known before the long.

        Return why modes were left in which the decoder fails too often: it is still asked in the others.
        """
        left = []
        asks = {"": partial(self._all_verdicts, families)}
        for mode in self._other_modes():
            asks[mode] = partial(self._answers, mode, [each for each in families if _is_sent(each, mode)])
        for mode in [each for each in asks if each not in self.modes_left]:
            try:
                asks[mode]()
            except _EndOfRun:
                if not (reason := self.session.leave_mode()):
                    raise
                self.modes_left.add(mode)
                left.append(f"in mode {mode or self.session.verdict_mode}: {reason}")
        return left

    def _all_verdicts(self, families: Sequence[Family]) -> None:
        """Ask for the verdicts of *families*."""
        for family in families:
            if "v" in family.modes and (self.in_process or not family.in_process) and self._is_bearable(family, "v"):
                self._verdicts(family)

    def _is_bearable(self, family: Family, mode: str) -> bool:
        """Whether the decoder can answer the longest case of *family* before it is taken to hang; a note if not."""
        if not family.longest or self.in_process:
            return True
        asked = self.session.verdict_mode if mode == "v" else mode
        began = time.monotonic()
        self.session.send(window_of_inputs([(MEBIBYTE, (len(MEBIBYTE),))], asked), asked)
        seconds = (time.monotonic() - began) * family.longest / len(MEBIBYTE)
        if seconds < self.options.limits.silence:
            return True
        size = f"{family.longest >> 20} MiB"
        self.evidence.not_sent[family.name, mode] = f"{size} would take it {seconds:.0f} s"
        return False

    def _other_modes(self) -> list[str]:
        """Return the modes other than the verdict in which the decoder is asked, in a fixed order."""
        return [mode for mode in "prsi" if mode in self.session.hello.modes and self.options.grammar is None]

    def _times(self, family: Family) -> int:
        """Return how often each case of *family* is sent."""
        if family.in_process:
            return 1 if self.in_process else 0
        return ("v" in family.modes) + sum(_is_sent(family, mode) for mode in self._other_modes())

    def _verdicts(self, family: Family) -> None:
        """Ask for the verdicts of *family*: in process where that is possible; what a crash leaves is sent."""
        self.clock.family = family.name
        first = 0
        if self.in_process and not family.ordered:
            seen = self.in_process.judge(family, self.clock.overdue)
            self.evidence.add_in_process(seen)
            wrong, witnesses = ask_again(seen, self.session)
            self._keep(wrong)
            self.evidence.witnesses += witnesses
            self._after(seen.count)
            if seen.stopped or not seen.failure or family.in_process:
                return
            first = seen.count
        mode = self.session.verdict_mode
        is_compared = mode == "v" and not self.is_expensive
        thinning = Thinning()
        for right, group in send(self.session, family, mode, compare=is_compared, first=first):
            if not is_compared:
                self._judge(family, "v", right, group, judge_verdicts)
                continue
            thinned = [thinning.thinned(answered) for answered in group]
            wrong_too = sum(each.wrong for each in thinned)
            self.evidence.count(family, "v", failed=wrong_too)
            counted = right + sum(each.right for each in thinned)
            self.clock.done += wrong_too
            self._judge(family, "v", counted, [each.kept for each in thinned], judge_verdicts)

    def _keep(self, judgements: Sequence[Judgement]) -> None:
        """Keep *judgements* as evidence, and tell what is new."""
        for judgement in judgements:
            self.evidence.keep(judgement)
        if self.findings:
            self.findings.see(judgements)

    def _answers(self, mode: str, families: Sequence[Family]) -> None:
        """Send *families* in *mode*, first a sample of them to find out the decoder's convention."""
        if not families:
            return
        if mode not in self.conventions:
            sampled = [family for family in families_of("L1") if _is_sent(family, mode)]
            sample = send_sample(self.session, sampled, mode, SAMPLE)
            self.conventions[mode] = convention_of(mode, sample, self.conventions.get("r"))
            self.evidence.notes.append(self.conventions[mode].note)
            self.evidence.not_judged += filter(None, [self.conventions[mode].not_judged])
        convention = self.conventions[mode]
        for family in families:
            if not self._is_bearable(family, mode):
                continue
            self.clock.family = family.name
            for right, group in send(self.session, family, mode, compare=convention.is_of_suite):
                self._judge(family, mode, right, group, partial(judge_answers, convention=convention))

    def _judge(
        self,
        family: Family,
        mode: str,
        right: int,
        group: list[Answered],
        judge: Callable[[Answered], Iterable[Portion]],
    ) -> None:
        """Judge the answers of *group*, and look at the clock now and then: wrong answers take long to judge.

        *right* is how many more answers need no judging.
        """
        if right:
            self.evidence.add(family, mode, right)
            self.clock.done += right
        left = sum(len(answered.values) for answered in group)  # answered, and not yet judged
        for answered in group:
            for count, judgements in judge(answered):
                self.evidence.add(family, mode, count, judgements)
                if self.findings:
                    self.findings.see(judgements)
                self.clock.done += count
                left -= count
                if not self.session.stopped:  # else all that it answered is judged first, as long as there is time
                    self._check_time(left)
                elif not self.clock.left:
                    raise _EndOfRun(self.session.stopped)
        self._after(0)

    def _after(self, count: int) -> None:
        """Count *count* more cases as done; raise ``_EndOfRun`` when the run has failed, or lasted, long enough."""
        self.clock.done += count
        if self.session.stopped:
            raise _EndOfRun(self.session.stopped)
        if self.options.fail_fast and (failures := self.evidence.failures):
            self.evidence.ended_early = f"ended after {failures} failure{'s' * (failures != 1)}, as asked"
            raise _EndOfRun
        self._check_time()

    def _check_time(self, more: int = 0) -> None:
        """Raise ``_EndOfRun`` when the run has lasted long enough; *more* cases are answered and not yet judged."""
        self.clock.failed = bool(self.evidence.failures)
        if reason := self.clock.overdue(more):
            raise _EndOfRun(reason)
