"""A decoder under test as the learner's black box: inputs go in through a session with it, verdicts come out."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from utf8_abnf.conformance.framing import unframe
from utf8_abnf.conformance.harness.driving.protocol import ACCEPT, REJECT, UNSUPPORTED
from utf8_abnf.conformance.harness.driving.session import INTERRUPTED
from utf8_abnf.conformance.harness.driving.worker import Failure, Window
from utf8_abnf.conformance.learning.teacher import OutOfQuestionsError
from utf8_abnf.conformance.naming.naming import shown
from utf8_abnf.errors import TargetError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from utf8_abnf.automaton import Automaton
    from utf8_abnf.conformance.harness.driving.session import Session

_PLAIN = frozenset({ACCEPT, REJECT})
LETTER = b"a"
LONG = 4_096  # bytes: an adapter's buffer may have so many


def deadline(seconds: float, cancelled: Callable[[], None] = lambda: None) -> Callable[[int], str]:
    """Return what a session calls between two windows: it says why to stop, "" to go on, *seconds* from now (0: never).

    *cancelled* is called each time, and may raise to end the work.
    """
    end = time.monotonic() + seconds if seconds else float("inf")

    def overdue(_answered: int) -> str:
        cancelled()
        return f"learning takes more than {seconds:g} s" if time.monotonic() > end else ""

    return overdue


class SessionBox:
    """The decoder of *session*. An input that it cannot judge gets the verdict of the model, or of *grammar*.

    Before that, a letter takes the place of each byte that the decoder cannot judge even alone, as NUL in some.
    *unjudged* is the first input that it could not judge, and *refused* is their number. *overdue* says why to stop.
    An input of *fails_from* bytes or more on which the decoder crashes or hangs is one that it cannot judge.

    Raises ``TargetError``, with the input, if the decoder crashes, hangs or stops answering; ``OutOfQuestionsError``
    when the time is over; ``KeyboardInterrupt`` if the user interrupted the session. With *fails_from* 0 each of these
    is an ``OutOfQuestionsError``.
    """

    def __init__(
        self,
        session: Session,
        grammar: Automaton,
        overdue: Callable[[int], str] = lambda _: "",
        *,
        fails_from: int = LONG,
    ) -> None:
        self._session = session
        self._grammar = grammar
        self._overdue = overdue
        self._fails_from = fails_from
        self._letters: bytes | None = None  # what takes the place of each byte, once it is known
        self.name = session.hello.name
        self.unjudged: bytes | None = None
        self.refused = 0

    def __call__(self, words: Sequence[bytes], /) -> list[bool]:
        """Return for each of *words* whether it is accepted."""
        return self._verdicts(list(words), self._session.verdicts(list(words)), self._grammar.accepts)

    def send(self, frames: bytes, expected: bytes, /) -> bytes:
        """Return ``1`` or ``0`` for each of *frames*; *expected* has the model's answers in the same form."""
        if reason := self._overdue(0):
            raise OutOfQuestionsError(reason)
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
        usual = {word: answer == ord("1") for word, answer in zip(words, expected, strict=True)}
        return bytes(0x31 if accepted else 0x30 for accepted in self._verdicts(words, answers, usual.__getitem__))

    def _verdicts(self, words: list[bytes], answers: Sequence[object], usual: Callable[[bytes], bool]) -> list[bool]:
        for word, answer in zip(words, answers, strict=False):
            if isinstance(answer, Failure) and len(word) < self._fails_from:
                raise TargetError(f"asked about {shown(word)}, the decoder {answer.detail}")
        if len(answers) < len(words):
            self._stop(words[len(answers)])
        asked = [word for word, answer in zip(words, answers, strict=True) if _is_open(answer)]
        others = iter(self._of_others(asked))
        return [
            answer == ACCEPT if not _is_open(answer) else usual(word) if (other := next(others)) is None else other
            for word, answer in zip(words, answers, strict=True)
        ]

    def _of_others(self, words: list[bytes]) -> list[bool | None]:
        """Return the verdicts on *words*, with letters in place of what cannot be judged; None if that is no help."""
        if not words:
            return []
        self.unjudged = words[0] if self.unjudged is None else self.unjudged
        self.refused += len(words)
        if self._letters is None:
            alone = self._session.verdicts([LETTER + bytes([byte]) + LETTER for byte in range(128)])
            self._letters = bytes(
                LETTER[0] if byte < len(alone) and _is_open(alone[byte]) else byte for byte in range(256)
            )
        others = {word: word.translate(self._letters) for word in words}
        changed = [other for word, other in others.items() if other != word]
        answers = dict(zip(changed, self._session.verdicts(changed), strict=False))
        found = (answers.get(others[word]) for word in words)
        return [None if answer is None or _is_open(answer) else answer == ACCEPT for answer in found]

    def _stop(self, word: bytes) -> None:
        if self._fails_from == 0:  # then a report is made of what is known
            raise OutOfQuestionsError(self._overdue(0) or self._session.stopped)
        if (stopped := self._session.stopped) == INTERRUPTED:
            raise KeyboardInterrupt
        if reason := self._overdue(0):
            raise OutOfQuestionsError(reason)
        raise TargetError(f"asked about {shown(word)}, the decoder stopped answering: {stopped}")


def _is_open(answer: object) -> bool:
    return answer == UNSUPPORTED or isinstance(answer, Failure)
