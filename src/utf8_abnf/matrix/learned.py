"""Learning one decoder of the matrix: a target in, what was learned out, or in words why nothing was."""

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
QUESTIONS = 900_000  # that a learner asks, about
FEW_QUESTIONS = 60_000  # that it asks at least where they are dear


class Outcome(NamedTuple):
    """The model, or why there is none; *unjudged* is an input that the decoder could not judge, if there was one."""

    model: Model | None
    reason: str = ""
    unjudged: bytes | None = None


def learned(
    target: Target, *, k: int, limits: Limits, seconds: float, pace: float, cancelled: Callable[[], None]
) -> Outcome:
    """Return what can be learned of *target* in *seconds*; *pace* is how many of them an answer takes.

    *cancelled* is called again and again, and may raise to end it.
    """
    dear = target.kind == "exec" or pace * QUESTIONS > seconds / 2
    if pace * FEW_QUESTIONS > seconds:
        all_of_them = f"{FEW_QUESTIONS:,} of them {pace * FEW_QUESTIONS / 60:,.0f} min"
        return Outcome(None, f"a question takes {1000 * pace:.1f} ms, and {all_of_them}")
    expected = compile_grammar(Grammar.load(GRAMMAR))
    clock = _Clock(seconds, cancelled)
    try:
        session = Session(target.start, limits, clock.overdue)
    except TargetError as error:
        return Outcome(None, str(error))
    box = SessionBox(session, expected)
    try:
        found = learn(box, expected, near=dialects().values(), k=k, expensive=dear, progress=clock.look)
    except Utf8AbnfError as error:
        return Outcome(None, clock.overdue(0) or str(error), box.unjudged)
    finally:
        session.close()
    return Outcome(Model(target.name, GRAMMAR, expected, found), "", box.unjudged)


class _Clock:
    """Says when learning has taken *seconds*; *cancelled* may raise to end it at once."""

    def __init__(self, seconds: float, cancelled: Callable[[], None]) -> None:
        self._seconds = seconds
        self._until = time.monotonic() + seconds
        self._cancelled = cancelled

    def overdue(self, _done: int) -> str:
        """Return why it is enough, "" to go on: what a session asks between two windows."""
        self._cancelled()
        return f"learning takes longer than {self._seconds:.0f} s" if time.monotonic() > self._until else ""

    def look(self, _questions: int) -> None:
        """Raise when it is enough: what a learner tells its progress to."""
        if reason := self.overdue(0):
            raise TargetError(reason)
