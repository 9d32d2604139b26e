"""Learn one decoder of the matrix: return its model, or the reason why there is none."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, NamedTuple

from utf8_abnf.automaton import compile_grammar
from utf8_abnf.errors import TargetError, Utf8AbnfError
from utf8_abnf.grammar import Grammar
from utf8_abnf.harness.session import Session
from utf8_abnf.learning import Model, SessionBox, dialects, learn

if TYPE_CHECKING:
    from collections.abc import Callable

    from utf8_abnf.harness.target import Target
    from utf8_abnf.harness.worker import Limits

GRAMMAR = "utf8"
QUESTIONS = 1_800_000  # that the learner asks, about
FEW_QUESTIONS = 76_000  # that it asks, about, if each costs a process


class LearningResult(NamedTuple):
    """The model, or the reason why there is none; *unjudged* is an input that the decoder could not judge, or None."""

    model: Model | None
    reason: str = ""
    unjudged: bytes | None = None


def learned(
    target: Target, *, k: int, limits: Limits, seconds: float, pace: float, cancelled: Callable[[], None]
) -> LearningResult:
    """Return what can be learned of *target* in *seconds*; *pace* is the number of seconds that an answer takes.

    *cancelled* is called often, and may raise to end the work.
    """
    expensive = target.kind == "exec" or pace * QUESTIONS > seconds / 2
    if pace * FEW_QUESTIONS > seconds:
        whole = f"{FEW_QUESTIONS:,} questions would take {pace * FEW_QUESTIONS / 60:,.0f} min"
        return LearningResult(None, f"a question takes {1000 * pace:.1f} ms, so {whole}")
    expected = compile_grammar(Grammar.load(GRAMMAR))
    clock = _Clock(seconds, cancelled)
    try:
        session = Session(target.start, limits, clock.overdue)
    except TargetError as error:
        return LearningResult(None, str(error))
    box = SessionBox(session, expected)
    try:
        found = learn(box, expected, near=dialects().values(), k=k, expensive=expensive, progress=clock.check)
    except Utf8AbnfError as error:
        return LearningResult(None, clock.overdue(0) or str(error), box.unjudged)
    finally:
        session.close()
    if found.borders:
        return LearningResult(None, f"it {found.borders[0]}", box.unjudged)
    return LearningResult(Model(target.name, GRAMMAR, expected, found), "", box.unjudged)


class _Clock:
    """Ends learning after *seconds*; *cancelled* may raise to end it at once."""

    def __init__(self, seconds: float, cancelled: Callable[[], None]) -> None:
        self._seconds = seconds
        self._until = time.monotonic() + seconds
        self._cancelled = cancelled

    def overdue(self, _done: int) -> str:
        """Return why to stop, "" to go on; a session calls this between two windows."""
        self._cancelled()
        return f"learning takes more than {self._seconds:.0f} s" if time.monotonic() > self._until else ""

    def check(self, _questions: int) -> None:
        """Raise TargetError when it is time to stop; the learner calls this with its progress."""
        if reason := self.overdue(0):
            raise TargetError(reason)
