"""Questions to the decoder after the cases: its verdicts on further words, within a budget, and none of them twice."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from utf8_abnf.harness.protocol import ACCEPT, UNSUPPORTED
from utf8_abnf.harness.worker import Failure

if TYPE_CHECKING:
    from utf8_abnf.harness.sending import Answered
    from utf8_abnf.harness.session import Session
    from utf8_abnf.harness.standard import Standard

MAX_QUESTIONS = 400_000
MAX_EXPENSIVE_QUESTIONS = 3_000  # where each one needs a process
MAX_SECONDS = 20.0


class Questions:
    """Asks the decoder of *session*: call it with words. *expensive*: each question needs a process of its own."""

    def __init__(self, session: Session, *, expensive: bool) -> None:
        self.expensive = expensive
        self._session = session
        self._known: dict[bytes, bool | None] = {}
        self._left = MAX_EXPENSIVE_QUESTIONS if expensive else MAX_QUESTIONS
        self._seconds_left = MAX_SECONDS

    def __call__(self, words: list[bytes]) -> list[bool | None]:
        """Return whether the decoder accepts each of *words*; None where it does not say, or the budget is used up."""
        new = [word for word in dict.fromkeys(words) if word not in self._known]
        self._left -= len(new)
        began = time.monotonic()
        if new and self._left >= 0 and self._seconds_left >= 0 and not self._session.stopped:
            answers = self._session.verdicts(new)
            self._known.update((word, _accepts(answer)) for word, answer in zip(new, answers, strict=False))
        self._seconds_left -= time.monotonic() - began
        return [self._known.get(word) for word in words]

    def remember(self, answered: Answered) -> None:
        """Keep the verdicts in *answered*, which are those of mode v: they are not asked for again."""
        batch = answered.batch
        pairs = zip(answered.indices, answered.values or (), strict=False)
        self._known.update((batch.data(index), _accepts(value)) for index, value in pairs)


def _accepts(answer: object) -> bool | None:
    return None if isinstance(answer, Failure) or answer == UNSUPPORTED else answer == ACCEPT


@dataclass(frozen=True, slots=True)
class Direction:
    """One of the two ways to be wrong: the decoder accepts what is ill-formed or, if not *accepted*, rejects good data.

    *ask* gives the decoder's verdicts on words, *standard* the right ones.
    """

    accepted: bool
    ask: Questions
    standard: Standard

    def are_wrong(self, words: list[bytes]) -> list[bool]:
        """Tell for each of *words* whether the decoder gets it wrong in this direction."""
        possible = [self.standard.accepts(word) is not self.accepted for word in words]
        answers = iter(self.ask([word for word, is_possible in zip(words, possible, strict=True) if is_possible]))
        return [is_possible and next(answers, None) is self.accepted for is_possible in possible]

    def pieces_to_blame(self, data: bytes) -> list[bytes]:
        """Return the pieces of *data* that may be the cause: ill-formed ones, or characters if *data* was rejected."""
        return [piece for piece, good in self.standard.pieces(data) if good is not self.accepted]
