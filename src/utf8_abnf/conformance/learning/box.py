"""A decoder under test as the learner's black box: inputs go in through a session with it, verdicts come out."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from utf8_abnf.conformance.harness.driving.protocol import ACCEPT, REJECT, UNSUPPORTED, unframe
from utf8_abnf.conformance.harness.driving.session import INTERRUPTED, Session
from utf8_abnf.conformance.harness.driving.worker import Failure, Window
from utf8_abnf.conformance.learning.teacher import OutOfTimeError, shown
from utf8_abnf.errors import TargetError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from utf8_abnf.automaton import Automaton
    from utf8_abnf.conformance.harness.driving.worker import Limits, Worker


_PLAIN = frozenset({ACCEPT, REJECT})


class SessionBox:
    """The decoder that *start* starts. An input that it cannot judge gets the verdict of the model, or of *grammar*.

    *unjudged* is the first such input, and *refused* is their number. *max_seconds* limits the time for all questions
    (0: no limit); *cancelled* is called often, and may raise to end the work.

    Raises ``TargetError`` if the decoder cannot be started and, with the input, if it crashes, hangs or stops
    answering; ``OutOfTimeError`` when the time is over; ``KeyboardInterrupt`` if the user interrupted the session.
    """

    def __init__(
        self,
        start: Callable[[Limits], Worker],
        limits: Limits,
        grammar: Automaton,
        *,
        max_seconds: float = 0.0,
        cancelled: Callable[[], None] = lambda: None,
    ) -> None:
        self._end = time.monotonic() + max_seconds if max_seconds else float("inf")
        self._max_seconds = max_seconds
        self._cancelled = cancelled
        self._grammar = grammar
        self._session = Session(start, limits, self._overdue)
        self.name = self._session.hello.name
        self.unjudged: bytes | None = None
        self.refused = 0

    def __enter__(self) -> SessionBox:
        return self

    def __exit__(self, *_: object) -> None:
        """End the decoder."""
        self._session.close()

    def __call__(self, words: list[bytes], /) -> list[bool]:
        """Return for each of *words* whether it is accepted."""
        expected = [self._grammar.accepts(word) for word in words]
        return self._verdicts(words, self._session.verdicts(words), expected)

    def send(self, frames: bytes, expected: bytes, /) -> bytes:
        """Return ``1`` or ``0`` for each of *frames*; *expected* has the model's answers in the same form."""
        if reason := self._overdue(0):
            raise OutOfTimeError(reason)
        if self._session.verdict_mode != "v":
            words = list(unframe(frames))
            answers: Sequence[object] = self._session.verdicts(words)
        else:
            received = self._session.send(Window(frames, len(expected), (), expected), "v")
            if received.as_expected:
                return expected
            answers = received.values
            if len(answers) == len(expected) and _PLAIN.issuperset(answers):
                return b"".join(answers)  # type: ignore[arg-type]
            words = list(unframe(frames))
        return _framed(self._verdicts(words, answers, [answer == ord("1") for answer in expected]))

    def _overdue(self, _answered: int) -> str:
        """Return why to stop, "" to go on; the session calls this between two windows."""
        self._cancelled()
        return f"learning takes more than {self._max_seconds:g} s" if time.monotonic() > self._end else ""

    def _verdicts(self, words: list[bytes], answers: Sequence[object], expected: list[bool]) -> list[bool]:
        for word, answer in zip(words, answers, strict=False):
            if isinstance(answer, Failure):
                raise TargetError(f"asked about {shown(word)}, the decoder {answer.detail}")
        verdicts = [self._verdict(*each) for each in zip(words, answers, expected, strict=False)]
        if len(verdicts) == len(words):
            return verdicts
        if (stopped := self._session.stopped) == INTERRUPTED:
            raise KeyboardInterrupt
        if reason := self._overdue(0):
            raise OutOfTimeError(reason, _framed(verdicts))
        raise TargetError(f"asked about {shown(words[len(answers)])}, the decoder stopped answering: {stopped}")

    def _verdict(self, word: bytes, answer: object, expected: bool) -> bool:
        if answer != UNSUPPORTED:
            return answer == ACCEPT
        self.unjudged = word if self.unjudged is None else self.unjudged
        self.refused += 1
        return expected


def _framed(verdicts: list[bool]) -> bytes:
    return bytes(0x31 if accepted else 0x30 for accepted in verdicts)
