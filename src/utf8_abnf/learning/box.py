"""A decoder under test as the learner's black box: a session with it in, verdicts out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from utf8_abnf.harness.protocol import ACCEPT, UNSUPPORTED, unframe
from utf8_abnf.harness.worker import Failure, Window
from utf8_abnf.learning.teacher import NotLearnableError, shown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from utf8_abnf.automaton import Automaton
    from utf8_abnf.harness.session import Session


class SessionBox:
    """The decoder of *session*. What it cannot judge it is taken to answer as the model hopes, or as *expected* says.

    *unjudged* is the first such input, *refused* counts them. A decoder that crashes, hangs or stops answering raises
    ``NotLearnableError`` with the input that it was asked about.
    """

    def __init__(self, session: Session, expected: Automaton) -> None:
        self._session = session
        self._expected = expected
        self.unjudged: bytes | None = None
        self.refused = 0

    def __call__(self, words: list[bytes], /) -> list[bool]:
        """Return for each of *words* whether it is accepted."""
        hopes = [self._expected.accepts(word) for word in words]
        return [self._verdict(*each) for each in self._paired(words, self._session.verdicts(words), hopes)]

    def pose(self, frames: bytes, hope: bytes, /) -> bytes:
        """Return ``1`` or ``0`` for each of *frames*; *hope* is what the model would answer."""
        if self._session.verdict_mode != "v":
            words = list(unframe(frames))
            answers: Sequence[object] = self._session.verdicts(words)
        else:
            received = self._session.send(Window(frames, len(hope), (), hope), "v")
            if received.as_expected:
                return hope
            words, answers = list(unframe(frames)), received.values
        hopes = [each == ord("1") for each in hope]
        return bytes(0x31 if self._verdict(*each) else 0x30 for each in self._paired(words, answers, hopes))

    def _paired(
        self, words: list[bytes], answers: Sequence[object], hopes: list[bool]
    ) -> list[tuple[bytes, object, bool]]:
        failed = next((at for at, answer in enumerate(answers) if isinstance(answer, Failure)), len(answers))
        if failed < len(words):
            answer = answers[failed] if failed < len(answers) else None
            why = answer.detail if isinstance(answer, Failure) else f"stopped answering: {self._session.stopped}"
            raise NotLearnableError(f"asked about {shown(words[failed])}, the decoder {why}", words[failed])
        return list(zip(words, answers, hopes, strict=True))

    def _verdict(self, word: bytes, answer: object, hope: bool) -> bool:
        if answer != UNSUPPORTED:
            return answer == ACCEPT
        self.unjudged = word if self.unjudged is None else self.unjudged
        self.refused += 1
        return hope
