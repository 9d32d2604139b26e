"""Learning one decoder of the matrix: a target in, what was learned out, or in words why nothing was."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, NamedTuple

from utf8_abnf.automaton import compile_grammar
from utf8_abnf.errors import TargetError, Utf8AbnfError
from utf8_abnf.grammar import Grammar
from utf8_abnf.harness.protocol import ACCEPT, UNSUPPORTED
from utf8_abnf.harness.session import Session
from utf8_abnf.harness.worker import Failure, Limits
from utf8_abnf.learning import Model, NotLearnableError, dialects, learn

if TYPE_CHECKING:
    from collections.abc import Callable

    from utf8_abnf.automaton import Automaton
    from utf8_abnf.harness.target import Target

GRAMMAR = "utf8"
QUESTIONS = 100_000  # that a learner asks of a decoder that needs a process for each


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
    dear = target.kind == "exec"
    if dear and pace * QUESTIONS > seconds:
        minutes = pace * QUESTIONS / 60
        reason = f"each question takes {1000 * pace:.0f} ms, and about {QUESTIONS:,} of them {minutes:,.0f} min"
        return Outcome(None, reason)
    expected = compile_grammar(Grammar.load(GRAMMAR))
    box = None
    try:
        box = _BlackBox(target, expected, limits, seconds, cancelled)
        found = learn(box, expected, near=dialects().values(), k=k, thrifty=dear)
    except Utf8AbnfError as error:
        return Outcome(None, str(error), box.unjudged if box else None)
    finally:
        if box:
            box.session.close()
    return Outcome(Model(target.name, GRAMMAR, expected, found), "", box.unjudged)


class _BlackBox:
    """A decoder as the learner's black box; what it cannot judge is answered by the grammar."""

    def __init__(
        self, target: Target, expected: Automaton, limits: Limits, seconds: float, cancelled: Callable[[], None]
    ) -> None:
        self.session = Session(target.start, limits)
        self._expected = expected
        self._at_once = 64 if target.kind == "exec" else 4096  # between two looks at the clock
        self._seconds = seconds
        self._until = time.monotonic() + seconds
        self._cancelled = cancelled
        self.unjudged: bytes | None = None

    def __call__(self, words: list[bytes], /) -> list[bool]:
        verdicts: list[bool] = []
        for at in range(0, len(words), self._at_once):
            self._cancelled()
            if time.monotonic() > self._until:
                raise TargetError(f"learning took longer than {self._seconds:.0f} s")
            verdicts += self._some(words[at : at + self._at_once])
        return verdicts

    def _some(self, words: list[bytes]) -> list[bool]:
        answers = self.session.verdicts(words)
        verdicts = []
        for word, answer in zip(words, answers, strict=False):
            if isinstance(answer, Failure):
                shown = word[:16].hex(" ").upper() or "the empty input"
                raise NotLearnableError(f"asked about {shown}, it {answer.detail}", word)
            if answer == UNSUPPORTED:
                self.unjudged = word if self.unjudged is None else self.unjudged
                verdicts.append(self._expected.accepts(word))
            else:
                verdicts.append(answer == ACCEPT)
        if len(verdicts) < len(words):
            raise NotLearnableError(f"it stopped answering: {self.session.stopped}", words[len(verdicts)])
        return verdicts
