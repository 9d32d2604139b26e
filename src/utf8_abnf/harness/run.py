"""A run: families of cases from the suites, through a session with one decoder, to a ``Report``."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from functools import partial
from typing import TYPE_CHECKING, Any

from utf8_abnf.errors import TargetError
from utf8_abnf.harness import report as model
from utf8_abnf.harness.difference import Deviations, Found
from utf8_abnf.harness.inprocess import InProcess
from utf8_abnf.harness.meaning import Meaning, cut_utf8, meaning
from utf8_abnf.harness.protocol import REJECT, UNSUPPORTED, frame, verdict_of
from utf8_abnf.harness.session import INTERRUPTED, Session
from utf8_abnf.harness.worker import CRASH, Failure, Limits, Window

if TYPE_CHECKING:
    from utf8_abnf.grammar import Grammar
    from utf8_abnf.harness.target import Target
    from utf8_abnf.suite import Batch, Family

MOST_TROUBLES = 100
QUESTIONS = {"exec": 3_000}  # how often a decoder is asked again for the deviation classes
MOST_QUESTIONS = 400_000
QUESTION_SECONDS = 20.0
GROUP = 1 << 20  # bytes
SEE_AFTER = 10.0  # seconds after which the pace so far tells whether the run can end in time

Progress = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True)
class Options:
    """What to pose and when to stop. *ids*, *families* and *rules* are glob patterns; empty means all."""

    level: str = "L2"
    families: tuple[str, ...] = ()
    ids: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    grammar: Grammar | None = None
    start: str | None = None
    limits: Limits = field(default_factory=Limits)
    max_failures: int = 0  # 0: no limit
    max_seconds: float = 600.0  # 0: no limit
    seed: int | None = None  # shuffle the cases of each batch
    expected: dict[str, str] = field(default_factory=dict)  # key of a deviation -> reason
    progress: Progress | None = None

    @property
    def filtered(self) -> str:
        """The filters in words; "" when the whole level is posed."""
        parts = [
            f"{name} {' '.join(values)}"
            for name, values in (("family", self.families), ("case", self.ids), ("rule", self.rules))
            if values
        ]
        return ", ".join(parts)


def chosen_families(options: Options) -> list[Family]:
    """Return the families of the level that the options ask for."""
    from utf8_abnf.suite import families

    found = families(options.level, grammar=options.grammar, start=options.start)
    return [
        each for each in found if not options.families or any(fnmatchcase(each.name, name) for name in options.families)
    ]


def selected(batch: Batch, options: Options, ordered: bool) -> list[int] | None:
    """Return the indices of *batch* to pose, in order; None means all of them as they stand."""
    indices: list[int] | None = None
    if options.ids:
        indices = [
            index for index in range(len(batch)) if any(fnmatchcase(batch.id(index), glob) for glob in options.ids)
        ]
    if options.rules:
        several = range(len(batch)) if indices is None else indices
        indices = [
            index for index in several if any(fnmatchcase(batch.case(index).rule, rule) for rule in options.rules)
        ]
    if options.seed is not None and not ordered:
        indices = list(range(len(batch))) if indices is None else indices
        random.Random(f"{options.seed} {batch.family} {batch.first}").shuffle(indices)  # noqa: S311
    return indices


class Run:
    """One run of one decoder. ``execute`` does it and returns the Report."""

    def __init__(self, target: Target, options: Options) -> None:
        self.target = target
        self.options = options
        self.families: dict[tuple[str, str], model.FamilyResult] = {}
        self.troubles: list[model.Trouble] = []
        self.more_troubles = 0
        self.others: dict[str, model.Deviation] = {}  # positions, replacement, streaming: by key
        self.notes: list[str] = []
        self.stopped = ""
        self._began = time.monotonic()
        self._questions = QUESTIONS.get(target.kind, MOST_QUESTIONS)
        self._seconds = QUESTION_SECONDS
        self._known: dict[bytes, bool | None] = {}
        self._done = 0
        self._total = 0
        self._family = ""
        unfiltered = not (options.ids or options.rules) and options.seed is None and options.grammar is None
        judged_here = target.library if unfiltered else None
        self._in_process = InProcess(judged_here, options.level, options.limits) if judged_here else None
        self.session = Session(target.start, options.limits, self._overdue)
        self.deviations = Deviations(self._ask, self._right(), self._cut(), thrifty=target.kind == "exec")

    def execute(self) -> model.Report:
        """Pose everything, explain what went wrong, and return the Report; ends the decoder."""
        from utf8_abnf.harness.modes import pose_other_modes

        try:
            try:
                families = chosen_families(self.options)
                self._total = sum(family.count * self._times(family) for family in families)
                for family in families:
                    if "v" in family.modes and (self._in_process or not family.in_process):
                        self.pose_verdicts(family)
                if self.options.grammar is None:
                    pose_other_modes(self, [family for family in families if not family.in_process])
                self.session.finish()
            except KeyboardInterrupt:
                self.stopped = INTERRUPTED
            except EnoughFailures as enough:
                self.notes.append(str(enough))
            except StopRun as stop:
                self.stopped = str(stop)
            self.stopped = self.session.stopped or self.stopped
            return self._report()
        finally:
            self.session.close()
            if self._in_process:
                self._in_process.close()

    def _times(self, family: Family) -> int:
        if family.in_process:
            return 1 if self._in_process else 0
        verdict = "v" in family.modes
        others = self.options.grammar is None and sum(
            mode in family.modes for mode in self.session.hello.modes if mode != "v"
        )
        return verdict + others

    def begin(self, family: Family) -> None:
        """Show *family* as the one that is being posed."""
        self._family = family.name

    def pose_verdicts(self, family: Family) -> None:
        """Pose *family* for its verdicts."""
        self.begin(family)
        if self._in_process and not family.ordered and self._judge_in_process(self._in_process, family):
            return
        mode = self.session.verdict_mode
        for group in grouped(prefetched(family.batches())):
            chosen = [selected(batch, self.options, family.ordered) for batch in group]
            windows = [
                make_window(batch, mode, indices, batch.verdicts if mode == "v" and indices is None else b"")
                for batch, indices in zip(group, chosen, strict=True)
            ]
            window = join(windows)
            posed = self.session.pose(window, mode)
            if posed.right:
                self.count(family, "v", passed=window.count)
            else:
                at = 0
                for batch, indices, part in zip(group, chosen, windows, strict=True):
                    values = posed.values[at : at + part.count]
                    self._tally(family, batch, indices, values, mode)
                    if self.target.kind == "exec":
                        self._remember(batch, indices, values)
                    at += part.count
            self.checkpoint(window.count)

    def _judge_in_process(self, judge: InProcess, family: Family) -> bool:
        """Judge *family* by calls in a child of ours; False when it has to be posed case by case instead."""
        count, failures, cases, ended = judge.judge(family.name, self._overdue)
        if not family.in_process and (failures or ended):
            return False
        self.count(family, "v", passed=count - failures, failed=failures)
        for name, data, accept in cases:
            self.deviations.add(data, name.__str__, accepted=not accept)
        if ended:
            self.trouble(Failure(CRASH, f"{ended}, in family {family.name} after {count:,} cases"), "", b"")
        self.checkpoint(count)
        return True

    def _tally(self, family: Family, batch: Batch, indices: list[int] | None, values: list[object], mode: str) -> None:
        passed = failed = troubled = unsupported = 0
        wanted = batch.verdicts
        for index, value in zip(indices if indices is not None else range(len(batch)), values, strict=False):
            if isinstance(value, Failure):
                troubled += 1
                self.trouble(value, batch.id(index), batch.data(index))
                continue
            verdict = value if mode == "v" else verdict_of(mode, value, batch.data(index))
            if verdict == wanted[index : index + 1]:
                passed += 1
            elif verdict == UNSUPPORTED:
                unsupported += 1
            else:
                failed += 1
                self.deviations.add(batch.data(index), partial(batch.id, index), accepted=verdict != REJECT)
        self.count(family, "v", passed=passed, failed=failed, troubled=troubled, unsupported=unsupported)

    def count(self, family: Family, mode: str, **more: int) -> None:
        """Add *more* outcomes to the family's row."""
        old = self.families.get((family.name, mode)) or model.FamilyResult(family.name, mode, family.count, 0, 0, 0)
        new = {name: getattr(old, name) + value for name, value in more.items()}
        self.families[family.name, mode] = replace(old, asked=old.asked + sum(more.values()), **new)

    def trouble(self, failure: Failure, case: str, data: bytes) -> None:
        """Note a case without an answer."""
        if len(self.troubles) >= MOST_TROUBLES:
            self.more_troubles += 1
            return
        command = self.target.reproduce(data) if case else ""
        self.troubles.append(model.Trouble(failure.kind, failure.detail, case, data, command))

    def checkpoint(self, count: int) -> None:
        """Take note that *count* more cases are done; ends the run when it has failed, or lasted, long enough."""
        self._done += count
        if self.session.stopped:
            raise StopRun(self.session.stopped)
        wrong = sum(row.failed + row.troubled for row in self.families.values())
        if self.options.max_failures and wrong >= self.options.max_failures:
            raise EnoughFailures(f"ended after {wrong} failures, as asked")
        if reason := self._overdue(0):
            raise StopRun(reason)

    def _overdue(self, more: int) -> str:
        """Show progress; return why the run has to end now, "" when it may go on."""
        if self.options.progress:
            self.options.progress(self._family, self._done + more, self._total)
        elapsed = time.monotonic() - self._began
        most = self.options.max_seconds
        if not most or elapsed < min(most, SEE_AFTER):
            return ""
        each = elapsed / max(self._done + more, 1)
        if elapsed < most and each * self._total < 2 * most:
            return ""
        return (
            f"too slow: {self._done + more:,} of {self._total:,} cases in {elapsed:.0f} s, {each:.2g} s a case; all "
            f"would take {each * self._total / 60:,.0f} min. Allow more with --max-time, or choose a smaller --level"
        )

    def _ask(self, words: list[bytes]) -> list[bool | None]:
        """Return whether the decoder accepts each of *words*, None where it does not say; asks no word twice."""
        new = [word for word in dict.fromkeys(words) if word not in self._known]
        self._questions -= len(new)
        began = time.monotonic()
        if new and self._questions >= 0 and self._seconds >= 0 and not self.session.stopped:
            for word, answer in zip(new, self.session.verdicts(new), strict=False):
                silent = isinstance(answer, Failure) or answer == UNSUPPORTED
                self._known[word] = None if silent else answer != REJECT
        self._seconds -= time.monotonic() - began
        return [self._known.get(word) for word in words]

    def _remember(self, batch: Batch, indices: list[int] | None, values: list[object]) -> None:
        """Keep the verdicts on *batch*, where asking for them again would take a process each."""
        for index, value in zip(indices if indices is not None else range(len(batch)), values, strict=False):
            self._known[batch.data(index)] = None if isinstance(value, Failure) else value != REJECT

    def _right(self) -> Callable[[bytes], bool]:
        if self.options.grammar is None:
            return _well_formed
        from utf8_abnf.automaton import compile_grammar

        return compile_grammar(self.options.grammar, self.options.start).accepts

    def _cut(self) -> Callable[[bytes], Iterable[tuple[bytes, bool]]]:
        if self.options.grammar is None:
            return cut_utf8
        right = self._right()
        return lambda data: [(data, right(data))]

    def _report(self) -> model.Report:
        from utf8_abnf.suite import theorem

        for failure in self.session.loose:
            self.trouble(failure, "", b"")
        deviations = [*self._classes(), *self.others.values()]
        excused = self.options.expected
        hello, options, target = self.session.hello, self.options, self.target
        made = model.Report(
            target=target.spec,
            name=target.name or hello.name or target.spec,
            version=hello.version or target.version,
            level=options.level,
            modes=hello.modes,
            families=tuple(self.families.values()),
            deviations=tuple(replace(each, excused=excused.get(each.key)) for each in deviations),
            troubles=tuple(self.troubles),
            more_troubles=self.more_troubles,
            notes=tuple(self.notes),
            stopped=self.stopped,
            unexpected_passes=tuple(sorted(set(excused) - {each.key for each in deviations}))
            if not self.stopped
            else (),
            seconds=time.monotonic() - self._began,
            filtered=options.filtered,
        )
        if made.verdict == "pass" and not made.filtered:
            return replace(made, theorem=theorem(options.level, grammar=options.grammar, start=options.start))
        return made

    def _classes(self) -> list[model.Deviation]:
        return [self._deviation(each) for each in self.deviations.classes()]

    def _deviation(self, found: Found) -> model.Deviation:
        kind = model.EXTRA if found.accepted else model.MISSING
        if self.options.grammar is None:
            means, line, detail = (
                meaning(found.example, found.box, accepted=found.accepted),
                found.box.line,
                found.detail,
            )
        else:  # its rules are not UTF-8's, and its words are whole inputs
            means, line, detail = Meaning("", "", "", ""), found.box.line.replace("UTF8-tail", "%x80-BF"), ""
        return model.Deviation(
            kind=kind,
            line=line,
            example=found.example,
            count=found.count,
            rule=means.rule,
            section=means.section,
            case=found.case,
            reproduce=self.target.reproduce(found.example),
            why=means.why,
            security=means.security,
            detail=detail,
        )


def grouped(batches: Iterable[Batch]) -> Iterator[list[Batch]]:
    """Yield *batches* in groups of about a mebibyte: a round trip costs as much as thousands of short cases."""
    group: list[Batch] = []
    size = 0
    for batch in batches:
        if group and size + len(batch.frames) > GROUP:
            yield group
            group, size = [], 0
        group.append(batch)
        size += len(batch.frames)
    if group:
        yield group


def join(windows: list[Window]) -> Window:
    """Return *windows* as one."""
    if len(windows) == 1:
        return windows[0]
    hoped = all(window.hope for window in windows)
    return Window(
        b"".join(window.frames for window in windows),
        sum(window.count for window in windows),
        tuple(size for window in windows for size in window.chunks),
        b"".join(window.hope for window in windows) if hoped else b"",
    )


def prefetched(batches: Iterator[Batch]) -> Iterator[Batch]:
    """Yield *batches*, each made while the decoder works on the one before."""
    with ThreadPoolExecutor(1) as maker:
        following = maker.submit(next, batches, None)
        while (batch := following.result()) is not None:
            following = maker.submit(next, batches, None)
            yield batch


class StopRun(Exception):  # noqa: N818
    """The run ends here: its text says why."""


class EnoughFailures(StopRun):
    """As many failures as the user allowed."""


def make_window(batch: Batch, mode: str, indices: list[int] | None, hope: bytes) -> Window:
    """Return the cases of *batch* at *indices* (None: all) as one window; in mode s each in the chunks it asks for."""
    if mode == "s":
        every = indices if indices is not None else range(len(batch))
        chunks = [batch.chunks(index) or (len(batch.data(index)),) for index in every]
        frames = b"".join(frame(batch.data(index), sizes) for index, sizes in zip(every, chunks, strict=True))
        return Window(frames, len(chunks), tuple(map(len, chunks)), hope)
    if indices is None:
        return Window(batch.frames, len(batch), (), hope)
    return Window(b"".join(frame(batch.data(index)) for index in indices), len(indices))


def _well_formed(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def execute(target: Any, options: Options) -> model.Report:
    """Run *target* (anything that ``open_target`` takes) and return the Report; TargetError if it cannot be started."""
    from utf8_abnf.harness.target import open_target

    opened = open_target(target)
    try:
        run = Run(opened, options)
    except TargetError as error:
        raise TargetError(f"{opened.spec}: {error}") from None
    return run.execute()
