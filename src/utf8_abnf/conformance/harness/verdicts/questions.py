"""Questions to the decoder after the cases: its verdicts on further words, within a budget, and none of them twice."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Protocol

from utf8_abnf.conformance.harness.driving.protocol import ACCEPT, UNSUPPORTED
from utf8_abnf.conformance.harness.driving.worker import Failure

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from utf8_abnf.conformance.harness.sending import Answered

MAX_QUESTIONS = 600_000
MAX_EXPENSIVE_QUESTIONS = 6_000  # where each one needs a process
MAX_BYTES = 4 << 30  # in all questions together
MAX_KEPT = 1 << 16  # bytes of a word that is kept as it is; of a longer one only a digest is
MAX_BATCH = 1 << 20  # bytes that are sent at once
MAX_WORDS = 500  # that are sent at once


class Responder(Protocol):
    """Gives verdicts on words, in order, fewer once it has *stopped*: a ``Session``, or what stands for one."""

    @property
    def stopped(self) -> str: ...

    def verdicts(self, words: list[bytes], /) -> Sequence[object]: ...


class Questions:
    """Asks the decoder of *session*: call it with words. *expensive*: each question needs a process of its own.

    *overdue* is asked before each batch, and returns why to stop, "" to go on. *asked* counts the words that were sent.
    *used_up* says why nothing more is asked, "" while it is.
    """

    def __init__(self, session: Responder, *, expensive: bool, overdue: Callable[[], str] | None = None) -> None:
        self.expensive = expensive
        self._overdue = overdue
        self.asked = 0
        self.used_up = ""
        self._session = session
        self._known: dict[bytes, bool | None] = {}
        self._left = MAX_EXPENSIVE_QUESTIONS if expensive else MAX_QUESTIONS
        self._bytes_left = MAX_BYTES

    def __call__(self, words: Sequence[bytes]) -> list[bool | None]:
        """Return whether the decoder accepts each of *words*; None where it does not say, or the budget is used up."""
        keys = list(map(_key, words))
        batch: dict[bytes, bytes] = {}
        size = 0
        for key, word in dict(zip(keys, words, strict=True)).items():
            if key not in self._known:
                batch[key] = word
                size += len(word)
                if size > MAX_BATCH or len(batch) == MAX_WORDS:
                    self._ask(batch)
                    batch, size = {}, 0
        if batch:
            self._ask(batch)
        return list(map(self._known.get, keys))

    def _ask(self, batch: dict[bytes, bytes]) -> None:
        """Ask the words in *batch*, or as many of them as the budget allows."""
        words = [] if self.is_over() else list(batch.values())[: max(0, self._left)]
        answers = self._session.verdicts(words) if words else []
        self._known.update((key, _accepts(answer)) for key, answer in zip(batch, answers, strict=False))
        self.asked += len(answers)
        self._left -= len(words)
        self._bytes_left -= sum(map(len, words))
        if self._session.stopped:
            self.used_up = self._session.stopped
        elif self._left <= 0 or self._bytes_left <= 0:
            self.used_up = f"{self.asked:,} questions were asked, which is the limit"

    def is_over(self) -> bool:
        """Look at the clock, and tell whether nothing more is asked: ``used_up`` says why."""
        self.used_up = self.used_up or (self._overdue() if self._overdue else "")
        return bool(self.used_up)

    def remember(self, answered: Answered) -> None:
        """Keep the verdicts in *answered*, which are those of mode v: they are not asked for again."""
        batch = answered.batch
        pairs = zip(answered.indices, answered.values, strict=False)
        self._known.update((_key(batch.data(index)), _accepts(value)) for index, value in pairs)


def _key(word: bytes) -> bytes:
    return word if len(word) <= MAX_KEPT else hashlib.blake2b(word).digest()


def _accepts(answer: object) -> bool | None:
    return None if isinstance(answer, Failure) or answer == UNSUPPORTED else answer == ACCEPT
