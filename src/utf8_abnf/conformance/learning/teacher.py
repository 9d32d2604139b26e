"""Asks a black box: blocks of words go in, and its verdicts come out, ``1`` or ``0`` each; the questions are counted.

The words of a block are sent together: the learner asks hundreds of thousands of questions, and is quick only if they
are sent and compared at the speed of C.
"""

from __future__ import annotations

from itertools import compress
from typing import TYPE_CHECKING, Protocol

from utf8_abnf.conformance.framing import frame, unframe
from utf8_abnf.conformance.naming.naming import shown
from utf8_abnf.conformance.suite.blocks import Block, frames
from utf8_abnf.conformance.suite.oracle import accepts, oracle_of
from utf8_abnf.errors import TargetError, Utf8AbnfError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from utf8_abnf.automaton import Automaton

MAX_QUESTIONS = 20_000_000
DEPENDS = (
    "what it accepts may depend on the length of the input or on positions in it; "
    "`utf8-abnf test` reports what it gets wrong"
)


class NotLearnableError(Utf8AbnfError):
    """The decoder is not an automaton that the learner can find: *word* is the input that shows it."""

    def __init__(self, message: str, word: bytes) -> None:
        super().__init__(message)
        self.word = word


class TooLongError(NotLearnableError):
    """The decoder accepts *word*, or rejects it, unlike the model; it is long, and no border explains it."""

    def __init__(self, word: bytes, *, accepted: bool) -> None:
        verdict = "accepts" if accepted else "rejects"
        super().__init__(
            f"the decoder {verdict} {shown(word)}, and no shorter input was found that shows this; {DEPENDS}", word
        )


class UnsteadyError(NotLearnableError):
    """The decoder answered *word* in two ways."""

    def __init__(self, word: bytes) -> None:
        super().__init__(
            f"asked twice about {shown(word)}, the decoder gave two answers: "
            "they depend on what it was asked before, or on chance",
            word,
        )


class OutOfQuestionsError(TargetError):
    """Learning ended early: the time was over, or as many questions were asked as are allowed.

    *questions* is the number of those that were answered. *word* is one whose verdict deviates from the grammar, and
    *accepted* is that verdict; *word* is None if none was noticed.
    """

    questions = 0
    word: bytes | None = None
    accepted = False


class Ask(Protocol):
    """A black box: it is called with a list of words, and returns for each whether it is accepted.

    A black box may also have a method ``send(frames, expected)``, which is quicker for many words. *frames* has the
    words as the stream protocol frames them, *expected* has the model's answer to each, ``1`` or ``0``; the method
    returns the answers in the same form.
    """

    def __call__(self, words: list[bytes], /) -> Sequence[bool]:
        """Return for each of *words* whether it is accepted."""


class Teacher:
    """The black box *ask*, and the number of questions that it has been asked, of which there are at most *most*.

    The longest word had *longest* bytes. Words of *limit* bytes or more are not asked, but get the model's answer; None
    means that all are asked. *deviation* is a word whose verdict was noticed to deviate from *grammar*, and the
    verdict; None if none was.
    """

    def __init__(
        self, ask: Ask, grammar: Automaton, progress: Callable[[int], None] | None = None, *, most: int = MAX_QUESTIONS
    ) -> None:
        self._ask = ask
        self._send: Callable[[bytes, bytes], bytes] = getattr(ask, "send", self._send_words)
        self._grammar = grammar
        self.deviation: tuple[bytes, bool] | None = None
        self._progress = progress
        self.most = most
        self.questions = self.longest = 0
        self.limit: int | None = None

    def block(self, block: Block, model: Automaton) -> bytes:
        """Return ``1`` or ``0`` for each word of *block*; *model* gives the expected answers."""
        framed, expected = frames(oracle_of(model), block)
        longest = sum(max(map(len, part), default=0) for part in block.parts)
        if self.limit is None or longest < self.limit:
            return self._sent(framed, expected, longest)
        short = [len(word) < self.limit for word in unframe(framed)]
        kept = b"".join(frame(word) for word in compress(unframe(framed), short))
        answers = iter(self._sent(kept, bytes(compress(expected, short)), self.limit - 1))
        return bytes(next(answers) if sent else each for sent, each in zip(short, expected, strict=True))

    def asked(self, words: Sequence[bytes], model: Automaton) -> list[bool]:
        """Return for each of *words*, of any length, whether it is accepted; *model* gives the expected answers."""
        framed, expected = frames(oracle_of(model), Block((tuple(words),)))
        return [answer == ord("1") for answer in self._sent(framed, expected, max(map(len, words), default=0))]

    def refuted(self, words: Sequence[bytes], model: Automaton) -> list[bool]:
        """Return for each of *words*, of any length, whether *model* is wrong about it."""
        answers = zip(self.asked(words, model), words, strict=True)
        return [answer is not accepts(model, word) for answer, word in answers]

    def _sent(self, framed: bytes, expected: bytes, longest: int) -> bytes:
        self.longest = max(self.longest, longest)
        try:
            if self.questions + len(expected) > self.most:
                raise OutOfQuestionsError(f"{self.questions:,} questions were asked, and {self.most:,} are allowed")
            answers = self._send(framed, expected)
        except OutOfQuestionsError as error:
            error.questions = self.questions
            error.word, error.accepted = self.deviation or (None, False)
            raise
        self.questions += len(answers)
        if self.deviation is None and answers != expected:
            told = [(word, answer == ord("1")) for word, answer in zip(unframe(framed), answers, strict=False)]
            wrong = (each for each in told if accepts(self._grammar, each[0]) is not each[1])
            self.deviation = min(wrong, key=lambda each: (len(each[0]), each), default=None)
        if self._progress:
            self._progress(self.questions)
        return answers

    def _send_words(self, framed: bytes, _expected: bytes) -> bytes:
        return bytes(0x31 if accepted else 0x30 for accepted in self._ask(list(unframe(framed))))
