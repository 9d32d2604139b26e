"""Steadiness: what was answered wrongly is asked once more, to see whether the decoder gives two answers to one input.

A second answer never takes the first one away: the decoder is called unsteady.
"""

from __future__ import annotations

import pickle
import time
from collections.abc import Sequence
from contextlib import closing, suppress
from io import BytesIO
from itertools import islice, takewhile
from typing import TYPE_CHECKING, NamedTuple

from utf8_abnf.conformance.harness.answers.answer_classes import line_of
from utf8_abnf.conformance.harness.driving.apart import CAN_COPY, told_apart
from utf8_abnf.conformance.harness.driving.protocol import ACCEPT, REJECT
from utf8_abnf.conformance.harness.driving.session import Session
from utf8_abnf.conformance.harness.driving.trying import command_for
from utf8_abnf.conformance.harness.driving.worker import Failure
from utf8_abnf.conformance.harness.report import UNSTEADY, Deviation
from utf8_abnf.conformance.harness.sending import window_of_inputs
from utf8_abnf.conformance.harness.shifted import phrase_of, shift_of
from utf8_abnf.conformance.suite.plan import plan
from utf8_abnf.errors import TargetError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from utf8_abnf.conformance.harness.driving.target import Target
    from utf8_abnf.conformance.harness.evidence import Evidence
    from utf8_abnf.conformance.harness.verdicts.classes import VerdictClass
    from utf8_abnf.conformance.suite import Case

MAX_EXAMPLES = 400  # that are asked again
MAX_EXPENSIVE_EXAMPLES = 20  # where each question needs a process
MIN_SECONDS = 0.1  # for asking in a fresh process, however long that took to start
AGAIN, FRESH = "when asked again", "in a fresh process"
ALWAYS = "no test can say what such a decoder accepts: ask it for the same input many times"
TIMES = 3  # that each of them is asked in the same process, or where each question has one of its own


class Example(NamedTuple):
    """An input to which the decoder gave a wrong *answer* in *mode*; "" stands for its verdict, in whatever mode."""

    mode: str
    data: bytes
    chunks: tuple[int, ...]
    answer: object
    case: str

    def others(self, answers: Iterable[object]) -> list[object]:
        """Return those of *answers* that are not the first one."""
        return [answer for answer in answers if answer != self.answer]

    def ask(self, session: Session) -> Sequence[object]:
        """Return the answers that *session* gives now: to the input, and to it once more after a letter."""
        if session.stopped:
            return []
        if not self.mode:
            return session.verdicts([self.data, b"a", self.data])[::2]
        inputs = [(self.data, self.chunks), (b"a", (1,)), (self.data, self.chunks)]
        return session.send(window_of_inputs(inputs, self.mode), self.mode).values[::2]


Asked = tuple[Example, Sequence[object]]  # an example, and the answers that it got now


class Steadiness:
    """Asks the decoder of *session* again, in the same process and in fresh ones."""

    def __init__(self, session: Session, target: Target, level: str, *, is_utf8: bool) -> None:
        self._target = target
        self._level = level
        self._is_utf8 = is_utf8
        self._is_expensive = target.kind == "exec"  # then each question has a process of its own
        self._session = session
        self._answers: dict[Example, dict[str, list[object]]] = {}  # where it was asked again, and what came
        self.shift = 0  # by how many questions each answer comes too late

    def ask_again(self, examples: Iterable[Example], seconds: float, *, fresh: int = 1) -> None:
        """Ask for as many of *examples* as there is time for, the first ones first, and in *fresh* new processes."""
        limit = MAX_EXPENSIVE_EXAMPLES if self._is_expensive else MAX_EXAMPLES
        new = list(islice({each[:3]: each for each in examples}.values(), limit))
        if not new:
            return
        if self._is_expensive:
            self._keep(FRESH, _asked(self._session, new * TIMES, seconds))
            return
        seconds /= 1 + fresh
        self._keep(AGAIN, _asked(self._session, new * TIMES, seconds))
        if self._unsteady and not self.shift:
            self.shift = shift_of(self._session)
        for _ in range(fresh):
            self._keep(FRESH, self._asked_in_a_fresh_process(new, seconds))

    def ask_the_right(self, cases: Iterable[Case], seconds: float) -> None:
        """Ask for *cases*, all judged rightly before, in a fresh process; not where each question has one anyway."""
        right = [Example("", case.data, (), ACCEPT if case.accept else REJECT, case.id) for case in cases]
        if not self._is_expensive:
            self._keep(FRESH, self._asked_in_a_fresh_process(right, seconds))

    def _keep(self, where: str, asked: Iterable[Asked]) -> None:
        for example, answers in asked:
            self._answers.setdefault(example, {}).setdefault(where, []).extend(answers)

    @property
    def _unsteady(self) -> list[Example]:
        """The examples that got another answer than at first."""
        return [each for each, told in self._answers.items() if any(map(each.others, told.values()))]

    def _asked_in_a_fresh_process(self, examples: Sequence[Example], seconds: float) -> list[Asked]:
        if self._target.kind == "object":
            return _asked_in_a_copy(self._session, examples, seconds)
        ends = time.monotonic() + seconds
        try:
            session = Session(self._target.start, self._session.limits)
        except TargetError:  # it cannot be started once more
            return []
        with closing(session):
            return list(_asked(session, examples, max(MIN_SECONDS, ends - time.monotonic())))

    def _line(self, example: Example) -> str:
        error = plan().oracle.ill_formed(example.data) if self._is_utf8 else None
        return error.code if error else "well-formed text" if self._is_utf8 else "input"

    @property
    def deviations(self) -> list[Deviation]:
        """The inputs that got another answer than at first, as one deviation: all may have one cause."""
        if not (several := self._unsteady):
            return []
        example = min(several, key=lambda each: len(each.data))
        why, security = _told(example, self._answers[example]), ALWAYS
        if self.shift:
            why = f"asked again in another order, {phrase_of(self.shift)}"
            security = "a verdict is given about other data than those asked about"
        found = Deviation(
            kind=UNSTEADY,
            line=line_of(list(dict.fromkeys(map(self._line, several)))),
            example=example.data,
            count=len(self.inputs),
            rule="",
            section="",
            case=example.case,
            reproduce=command_for(self._target, example.data, example.case, self._level),
            why=why,
            security=security,
        )
        return [found]

    @property
    def inputs(self) -> set[bytes]:
        """The inputs that got two answers."""
        return {example.data for example in self._unsteady}


def _asked(session: Session, examples: Iterable[Example], seconds: float) -> Iterator[Asked]:
    """Yield *examples*, each with the answers of *session*, as far as there is time."""
    ends = time.monotonic() + seconds
    for example in takewhile(lambda _: time.monotonic() < ends, examples):
        yield example, example.ask(session)


def _asked_in_a_copy(session: Session, examples: Sequence[Example], seconds: float) -> list[Asked]:
    """Return the same, asked in a copy of this process, in which a Python object is called."""
    if not CAN_COPY:
        return []

    def work(write: Callable[[bytes], object]) -> None:
        for number, (_, answers) in enumerate(_asked(session, examples, seconds)):
            write(pickle.dumps((number, list(answers))))

    told = BytesIO(told_apart(work, seconds))
    asked: list[Asked] = []
    with suppress(EOFError, pickle.UnpicklingError):  # it was cut where the time was over
        while True:
            number, answers = pickle.load(told)  # noqa: S301
            asked.append((examples[number], answers))
    return asked


def examples_of(evidence: Evidence) -> Iterator[Example]:
    """Yield the shortest inputs that were answered wrongly, one for each kind of wrong answer that was kept."""
    for answers in evidence.wrong_answers.values():
        wrong = answers.shortest
        chunks = (wrong.case.chunks or (len(wrong.case.data),)) if wrong.mode in "si" else ()
        yield Example(wrong.mode, wrong.case.data, chunks, wrong.answer, wrong.case.id)
    for accepted, data, case in evidence.wrong_verdicts.shortest():
        yield Example("", data, (), ACCEPT if accepted else REJECT, case)


def examples_of_classes(classes: Iterable[VerdictClass]) -> Iterator[Example]:
    """Yield the example of each of *classes*: it need not be an input that was sent in a case."""
    for found in classes:
        yield Example("", found.example, (), ACCEPT if found.accepted else REJECT, found.case)


def _shown(answer: object) -> str:
    if isinstance(answer, Failure):
        return f"it {answer.detail}"
    return "accepted" if answer == ACCEPT else "rejected" if answer == REJECT else ascii(answer)


def _told(example: Example, answers: dict[str, list[object]]) -> str:
    """Return in words how often *example* got another answer than at first."""
    others = {where: example.others(several) for where, several in answers.items()}
    first = next(filter(None, others.values()))[0]
    times = [f"{len(others[where])} of {len(several)} times {where}" for where, several in answers.items() if several]
    return f"the first answer was {_shown(example.answer)}; another, {_shown(first)}, came {' and '.join(times)}"
