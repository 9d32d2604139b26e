"""The teacher: it puts blocks of words to the black box, returns the answers, and finds a word where a model is wrong.

Many words are sent together wherever that is possible: the learner asks hundreds of thousands of questions, and is
quick only if they are sent and compared at the speed of C.
"""

from __future__ import annotations

from itertools import chain, compress
from typing import TYPE_CHECKING, Protocol

from utf8_abnf.conformance.suite.blocks import Block, frames
from utf8_abnf.conformance.suite.framing import frame, unframe
from utf8_abnf.conformance.suite.oracle import oracle_of
from utf8_abnf.errors import TargetError, Utf8AbnfError
from utf8_abnf.language.notation import hex_bytes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from utf8_abnf.automaton import Automaton
    from utf8_abnf.conformance.suite.oracle import Oracle

MAX_QUESTIONS = 20_000_000
SENT_QUESTIONS = 1 << 15  # that are sent together, or
SENT_BYTES = 1 << 22  # so many bytes of them
SHOWN_BYTES = 16  # of an input, in a message
DEPENDS = (
    "what it accepts may depend on the length of the input or on positions in it; "
    "`utf8-abnf test` reports what it gets wrong"
)
LONG = 4_096  # bytes: how many questions have more is told


class NotLearnableError(Utf8AbnfError):
    """The decoder is not an automaton that the learner can find: *word* is the input that shows it."""

    def __init__(self, message: str, word: bytes) -> None:
        super().__init__(message)
        self.word = word


class TooLongError(NotLearnableError):
    """The model is wrong about *word*, which is long, and no border was found that explains it."""


def too_long(word: bytes, *, accepted: bool) -> TooLongError:
    """Return the error for *word*, which the decoder accepts or, if not *accepted*, rejects."""
    verdict = "accepts" if accepted else "rejects"
    return TooLongError(
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

    *answers* came to the last questions, *questions* is the number of all that were answered. *word* is one whose
    verdict deviates from the grammar, and *accepted* is that verdict; *word* is None if none was noticed.
    """

    def __init__(self, reason: str, answers: bytes = b"") -> None:
        super().__init__(reason)
        self.answers = answers
        self.questions = 0
        self.word: bytes | None = None
        self.accepted = False


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

    Each word is asked with *before* and *after* around it. Of the questions *long* have more than LONG bytes, *longest*
    at most. Words of *limit* bytes or more are not asked, but get the model's answer; None means that all are asked.
    *deviation* is a word whose verdict was noticed to deviate from *grammar*, and the verdict; None if none was.
    """

    def __init__(
        self,
        ask: Ask,
        grammar: Automaton,
        progress: Callable[[int], None] | None = None,
        *,
        most: int = MAX_QUESTIONS,
        before: bytes = b"",
        after: bytes = b"",
    ) -> None:
        self._ask = ask
        self._send: Callable[[bytes, bytes], bytes] = getattr(ask, "send", self._send_words)
        self._grammar = grammar
        self._around = (before, after)
        self.deviation: tuple[bytes, bool] | None = None
        self._progress = progress
        self.most = most
        self.questions = self.long = self.longest = 0
        self.limit: int | None = None

    def answers(self, words: Sequence[bytes], model: Automaton) -> list[bool]:
        """Return for each of *words* whether it is accepted; *model* gives the expected answers."""
        return [answer == ord("1") for answer in self.block(Block((tuple(words),)), model)]

    def asked(self, words: Sequence[bytes], model: Automaton) -> list[bool]:
        """Return the same as ``answers``, but ask words of any length."""
        block = Block((tuple(words),))
        return [answer == ord("1") for answer in self._sent(*frames(oracle_of(model), block), _longest(block))]

    def block(self, block: Block, model: Automaton) -> bytes:
        """Return ``1`` or ``0`` for each word of *block*; *model* gives the expected answers."""
        return self._answers(*frames(oracle_of(model), block), _longest(block))

    def wrong(self, blocks: Iterable[Block], model: Automaton) -> bytes | None:
        """Return the first word of *blocks* on which *model* is wrong, or None."""
        for framed, expected, longest in _together(blocks, oracle_of(model)):
            answers = self._answers(framed, expected, longest)
            if answers != expected:
                at = next(at for at, pair in enumerate(zip(answers, expected, strict=True)) if pair[0] != pair[1])
                return next(word for number, word in enumerate(unframe(framed)) if number == at)
        return None

    def _answers(self, framed: bytes, expected: bytes, longest: int) -> bytes:
        if self.limit is None or longest < self.limit:
            return self._sent(framed, expected, longest)
        short = [len(word) < self.limit for word in unframe(framed)]
        kept = b"".join(frame(word) for word in compress(unframe(framed), short))
        answers = iter(self._sent(kept, bytes(compress(expected, short)), self.limit))
        return bytes(next(answers) if sent else each for sent, each in zip(short, expected, strict=True))

    def _sent(self, framed: bytes, expected: bytes, longest: int) -> bytes:
        if self.questions + len(expected) > self.most:
            error = OutOfQuestionsError(f"{self.questions:,} questions were asked, and {self.most:,} are allowed")
            raise self._told(error)
        if longest > LONG:
            sizes = [len(word) for word in unframe(framed) if len(word) > LONG]
            self.long, self.longest = self.long + len(sizes), max(self.longest, *sizes, 0)
        before, after = self._around
        around = b"".join(frame(before + word + after) for word in unframe(framed)) if before or after else framed
        try:
            answers = self._send(around, expected)
        except OutOfQuestionsError as error:
            self._note(framed, error.answers, expected)
            raise self._told(error) from None
        self._note(framed, answers, expected)
        if self._progress:
            self._progress(self.questions)
        return answers

    def _told(self, error: OutOfQuestionsError) -> OutOfQuestionsError:
        error.questions = self.questions
        error.word, error.accepted = self.deviation or (None, False)
        return error

    def _note(self, framed: bytes, answers: bytes, expected: bytes) -> None:
        """Count the *answers*, and keep the shortest word whose answer is neither the expected nor the grammar's."""
        self.questions += len(answers)
        if self.deviation is None and answers != expected:
            told = zip(unframe(framed), answers, expected, strict=False)
            unusual = [(word, answer == ord("1")) for word, answer, usual in told if answer != usual]
            wrong = [each for each in unusual if self._grammar.accepts(each[0]) is not each[1]]
            self.deviation = min(wrong, key=lambda each: (len(each[0]), each), default=None)

    def _send_words(self, framed: bytes, _expected: bytes) -> bytes:
        return bytes(0x31 if accepted else 0x30 for accepted in self._ask(list(unframe(framed))))


class Asked:
    """The words of *blocks*, which *teacher* asks once: ``wrong`` compares the answers with one model after another."""

    def __init__(self, teacher: Teacher, blocks: Iterable[Block]) -> None:
        self._teacher = teacher
        self._blocks = iter(blocks)
        self._answers: list[tuple[Block, bytes]] = []
        self._added: set[Block] = set()

    def add(self, blocks: Iterable[Block]) -> None:
        """Add those of *blocks* that were not added before."""
        new = [each for each in blocks if each not in self._added]
        self._added.update(new)
        self._blocks = chain(self._blocks, new)

    def wrong(self, model: Automaton) -> bytes | None:
        """Return the first word on which *model* is wrong, or None."""
        for block, answers in self._known(model):
            expected = frames(oracle_of(model), block)[1]
            if answers != expected:
                pairs = enumerate(zip(answers, expected, strict=True))
                found = (block.word(at) for at, (answer, usual) in pairs if answer != usual)
                limit = self._teacher.limit
                if (word := next((each for each in found if limit is None or len(each) < limit), None)) is not None:
                    return word
        return None

    def _known(self, model: Automaton) -> Iterator[tuple[Block, bytes]]:
        yield from list(self._answers)
        for block in self._blocks:
            self._answers.append((block, self._teacher.block(block, model)))
            yield self._answers[-1]


def disagreeing(model: Automaton, seen: Sequence[tuple[bytes, bool]]) -> list[bytes]:
    """Return the words of *seen* (word, accepted) to which *model* gives another answer."""
    _, answers = frames(oracle_of(model), Block((tuple(word for word, _ in seen),)))
    return [
        word for (word, accepted), answer in zip(seen, answers, strict=True) if (answer == ord("1")) is not accepted
    ]


def shown(word: bytes) -> str:
    """Return *word* for a message: its first 16 bytes and, if it has more, how many it has.

    >>> shown(b"ab"), shown(b""), shown(b"a" * 5000)[-21:]
    ('61 62', 'the empty input', '61 61 … (5,000 bytes)')
    """
    start = hex_bytes(word[:SHOWN_BYTES]) or "the empty input"
    return f"{start} … ({len(word):,} bytes)" if len(word) > SHOWN_BYTES else start


def _longest(block: Block) -> int:
    """Return the length of the longest word of *block*, in bytes."""
    return sum(max(map(len, part), default=0) for part in block.parts)


def _together(blocks: Iterable[Block], model: Oracle) -> Iterator[tuple[bytes, bytes, int]]:
    """Yield the frames of several blocks at a time, with *model*'s answers and the length of the longest word.

    Each round trip takes time.
    """
    framed, expected, size, count, longest = [], [], 0, 0, 0
    for block in blocks:
        data, answers = frames(model, block)
        framed.append(data)
        expected.append(answers)
        size += len(data)
        count += len(answers)
        longest = max(longest, _longest(block))
        if count >= SENT_QUESTIONS or size >= SENT_BYTES:
            yield b"".join(framed), b"".join(expected), longest
            framed, expected, size, count, longest = [], [], 0, 0, 0
    if framed:
        yield b"".join(framed), b"".join(expected), longest
