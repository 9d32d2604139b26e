"""Steadiness: what was answered wrongly is asked once more, to see whether the decoder gives two answers to one input.

A second answer never takes the first one away: the decoder is called unsteady.
"""

from __future__ import annotations

import time
from itertools import islice, takewhile
from typing import TYPE_CHECKING, NamedTuple

from utf8_abnf.errors import TargetError
from utf8_abnf.harness.incremental import frame_of, steps_of
from utf8_abnf.harness.protocol import ACCEPT, REJECT, frame
from utf8_abnf.harness.report import UNSTEADY, Deviation
from utf8_abnf.harness.session import Session
from utf8_abnf.harness.trying import command_for
from utf8_abnf.harness.worker import Failure, Window
from utf8_abnf.suite.plan import plan

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from utf8_abnf.harness.classes import VerdictClass
    from utf8_abnf.harness.evidence import Evidence
    from utf8_abnf.harness.target import Target

MAX_EXAMPLES = 400  # that are asked again
MAX_EXPENSIVE_EXAMPLES = 20  # where each question needs a process
TIMES = 3  # that each of them is asked in the same and in a fresh process


class Example(NamedTuple):
    """An input to which the decoder gave a wrong *answer* in *mode*; "" stands for its verdict, in whatever mode."""

    mode: str
    data: bytes
    chunks: tuple[int, ...]
    answer: object
    case: str

    def ask(self, session: Session) -> Sequence[object]:
        """Return the answers that *session* gives now: to the input, and to it once more after a letter."""
        if session.stopped:
            return []
        inputs = [self.data, b"a", self.data]
        if not self.mode:
            return session.verdicts(inputs)[::2]
        if not self.chunks:
            return session.send(Window(b"".join(map(frame, inputs)), len(inputs)), self.mode).values[::2]
        make, steps = (frame_of, steps_of) if self.mode == "i" else (frame, tuple)
        chunks = self.chunks, (1,), self.chunks
        frames = b"".join(make(data, sizes) for data, sizes in zip(inputs, chunks, strict=True))
        return session.send(Window(frames, len(inputs), tuple(len(steps(each)) for each in chunks)), self.mode).values[
            ::2
        ]


class Steadiness:
    """Asks the decoder of *session* again, in the same and in a fresh process; ``close`` ends the fresh one."""

    def __init__(self, session: Session, target: Target, level: str, *, is_utf8: bool) -> None:
        self._target = target
        self._level = level
        self._is_utf8 = is_utf8
        self._is_expensive = target.kind == "exec"  # then each question has a process of its own
        self._same, self._fresh = session, session if self._is_expensive else None
        self._asked: set[tuple[str, bytes, tuple[int, ...]]] = set()
        self._found: dict[str, list[tuple[Example, str]]] = {}

    def ask_again(self, examples: Iterable[Example], seconds: float) -> None:
        """Ask for as many of *examples* as there is time for, the first ones first; none of them twice."""
        limit = MAX_EXPENSIVE_EXAMPLES if self._is_expensive else MAX_EXAMPLES
        new = list(islice((each for each in examples if each[:3] not in self._asked), limit))
        if not new:
            return
        sessions = {} if self._is_expensive else {"the same process": self._same}
        sessions["a fresh process"] = self._fresh = self._fresh or self._start()
        for where, session in sessions.items():
            ends = time.monotonic() + seconds / len(sessions)
            for example in takewhile(lambda _: time.monotonic() < ends, new * TIMES):  # noqa: B023
                for answer in example.ask(session):
                    if answer != example.answer:
                        self._found.setdefault(self._line(example), []).append(
                            (example, f"{_shown(example.answer)}, then in {where} {_shown(answer)}")
                        )
            if time.monotonic() >= ends:
                return
        self._asked.update(each[:3] for each in new)

    def _start(self) -> Session:
        try:
            return Session(self._target.start, self._same.limits)
        except TargetError:  # it cannot be started once more
            return self._same

    def _line(self, example: Example) -> str:
        error = plan().oracle.ill_formed(example.data) if self._is_utf8 else None
        return error.code if error else "well-formed text" if self._is_utf8 else "input"

    @property
    def deviations(self) -> list[Deviation]:
        """One deviation for each kind of input that got another answer than at first."""
        return [_deviation(line, several, self._target, self._level) for line, several in self._found.items()]

    @property
    def inputs(self) -> set[bytes]:
        """The inputs that got two answers."""
        return {example.data for several in self._found.values() for example, _ in several}

    def close(self) -> None:
        """End the fresh process."""
        if self._fresh and self._fresh is not self._same:
            self._fresh.close()


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


def _deviation(line: str, several: list[tuple[Example, str]], target: Target, level: str) -> Deviation:
    example, detail = min(several, key=lambda each: len(each[0].data))
    return Deviation(
        kind=UNSTEADY,
        line=line,
        example=example.data,
        count=len({each.data for each, _ in several}),
        rule="",
        section="",
        case=example.case,
        reproduce=command_for(target, example.data, example.case, level),
        why=f"the first answer was {detail}",
        security="no test can say what such a decoder accepts: ask it for the same input many times",
    )
