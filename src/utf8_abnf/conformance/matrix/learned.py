"""Learn one decoder of the matrix: return its model, or the reason why there is none."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING, NamedTuple

from utf8_abnf.automaton import compile_grammar
from utf8_abnf.conformance.harness.box import SessionBox, deadline
from utf8_abnf.conformance.harness.driving.session import Session
from utf8_abnf.conformance.learning import Model, learn
from utf8_abnf.errors import TargetError, Utf8AbnfError
from utf8_abnf.grammar import Grammar

if TYPE_CHECKING:
    from collections.abc import Callable

    from utf8_abnf.conformance.harness.driving.target import Target
    from utf8_abnf.conformance.harness.driving.worker import Limits

GRAMMAR = "utf8"
QUESTIONS = 800_000  # that the learner asks, about
FEW_QUESTIONS = 4_000  # that it asks, about, if each costs a process


class LearningResult(NamedTuple):
    """The model, or the reason why there is none; *unjudged* is an input that the decoder could not judge, or None."""

    model: Model | None
    reason: str = ""
    unjudged: bytes | None = None


def learned(
    target: Target, *, limits: Limits, seconds: float, pace: float, cancelled: Callable[[], None]
) -> LearningResult:
    """Return what can be learned of *target* in *seconds*; *pace* is the number of seconds that an answer takes.

    *cancelled* is called often, and may raise to end the work.
    """
    expensive = target.kind == "exec" or pace * QUESTIONS > seconds / 2
    if pace * FEW_QUESTIONS > seconds:
        whole = f"{FEW_QUESTIONS:,} questions would take {pace * FEW_QUESTIONS / 60:,.0f} min"
        return LearningResult(None, f"a question takes {1000 * pace:.1f} ms, so {whole}")
    expected = compile_grammar(Grammar.load(GRAMMAR))
    overdue = deadline(seconds, cancelled)
    try:
        session = Session(target.start, limits, overdue)
    except TargetError as error:
        return LearningResult(None, str(error))
    box = SessionBox(session, expected, overdue)
    with closing(session):
        try:
            found = learn(box, expected, expensive=expensive)
        except Utf8AbnfError as error:
            return LearningResult(None, str(error), box.unjudged)
    if found.borders:
        return LearningResult(None, f"it looks at lengths: {found.borders[0].phrase}", box.unjudged)
    return LearningResult(Model(target.name, GRAMMAR, expected, found), "", box.unjudged)
