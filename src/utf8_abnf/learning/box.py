"""A decoder under test as the learner's black box: inputs go in through a session with it, verdicts come out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from utf8_abnf.errors import TargetError
from utf8_abnf.harness.protocol import ACCEPT, REJECT, UNSUPPORTED, unframe
from utf8_abnf.harness.worker import Failure, Window
from utf8_abnf.learning.teacher import shown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from utf8_abnf.automaton import Automaton
    from utf8_abnf.harness.session import Session


_PLAIN = frozenset({ACCEPT, REJECT})


class SessionBox:
    """The decoder of *session*. An input that it cannot judge gets the verdict of the model, or of *grammar*.

    *unjudged* is the first such input, and *refused* is their number. Raises ``TargetError`` with the input if the
    decoder crashes, hangs or stops answering.
    """

    def __init__(self, session: Session, grammar: Automaton) -> None:
        self._session = session
        self._grammar = grammar
        self.unjudged: bytes | None = None
        self.refused = 0

    def __call__(self, words: list[bytes], /) -> list[bool]:
        """Return for each of *words* whether it is accepted."""
        expected = [self._grammar.accepts(word) for word in words]
        return self._verdicts(words, self._session.verdicts(words), expected)

    def send(self, frames: bytes, expected: bytes, /) -> bytes:
        """Return ``1`` or ``0`` for each of *frames*; *expected* has the model's answers in the same form."""
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
        verdicts = self._verdicts(words, answers, [answer == ord("1") for answer in expected])
        return bytes(0x31 if accepted else 0x30 for accepted in verdicts)

    def _verdicts(self, words: list[bytes], answers: Sequence[object], expected: list[bool]) -> list[bool]:
        failed = next((at for at, answer in enumerate(answers) if isinstance(answer, Failure)), len(answers))
        if failed < len(words):
            answer = answers[failed] if failed < len(answers) else None
            why = answer.detail if isinstance(answer, Failure) else f"stopped answering: {self._session.stopped}"
            raise TargetError(f"asked about {shown(words[failed])}, the decoder {why}")
        return [self._verdict(*each) for each in zip(words, answers, expected, strict=True)]

    def _verdict(self, word: bytes, answer: object, expected: bool) -> bool:
        if answer != UNSUPPORTED:
            return answer == ACCEPT
        self.unjudged = word if self.unjudged is None else self.unjudged
        self.refused += 1
        return expected
