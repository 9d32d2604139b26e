"""The teacher: blocks of words in, the black box's answers out, and the first word on which a model is wrong.

A word is asked in company wherever that is possible: hundreds of thousands of questions have to be put and compared
at the speed of C, or a learner that is thorough would not be quick.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Protocol

from utf8_abnf.errors import Utf8AbnfError
from utf8_abnf.harness.protocol import unframe
from utf8_abnf.suite.blocks import Block, frames
from utf8_abnf.suite.oracle import Oracle

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from utf8_abnf.automaton import Automaton

AT_ONCE = 1 << 15  # questions
BYTES_AT_ONCE = 1 << 22


class NotLearnableError(Utf8AbnfError):
    """A decoder that is no automaton within the promise: *word* is the input that shows it."""

    def __init__(self, message: str, word: bytes) -> None:
        super().__init__(message)
        self.word = word


class Ask(Protocol):
    """A black box: a list of words in, whether each is accepted out.

    If it also has a method ``pose(frames, hope)``, it is asked in that way where many words are asked at once:
    *frames* as the stream protocol has them, *hope* the answers that the model would give, ``1`` or ``0`` each; the
    answers are returned in the same form.
    """

    def __call__(self, words: list[bytes], /) -> Sequence[bool]:
        """Return for each of *words* whether it is accepted."""


class Teacher:
    """The black box *ask*, and a count of the questions that it was asked."""

    def __init__(self, ask: Ask, progress: Callable[[int], None] | None = None) -> None:
        self._ask = ask
        self._pose: Callable[[bytes, bytes], bytes] = getattr(ask, "pose", self._pose_words)
        self._progress = progress
        self.questions = 0

    def answers(self, words: Sequence[bytes], model: Automaton) -> list[bool]:
        """Return for each of *words* whether it is accepted; *model* says what to hope for."""
        return [answer == ord("1") for answer in self.block(Block((tuple(words),)), model)]

    def block(self, block: Block, model: Automaton) -> bytes:
        """Return ``1`` or ``0`` for each word of *block*; *model* says what to hope for."""
        return self._posed(*frames(_oracle(model), block))

    def wrong(self, blocks: Iterable[Block], model: Automaton) -> bytes | None:
        """Return the first word of *blocks* on which *model* is wrong, or None."""
        for made, hope in _together(blocks, _oracle(model)):
            answers = self._posed(made, hope)
            if answers != hope:
                at = next(at for at, pair in enumerate(zip(answers, hope, strict=True)) if pair[0] != pair[1])
                return next(word for number, word in enumerate(unframe(made)) if number == at)
        return None

    def _posed(self, made: bytes, hope: bytes) -> bytes:
        answers = self._pose(made, hope)
        self._count(len(hope))
        return answers

    def _pose_words(self, made: bytes, _hope: bytes) -> bytes:
        return bytes(0x31 if answer else 0x30 for answer in self._ask(list(unframe(made))))

    def _count(self, number: int) -> None:
        self.questions += number
        if self._progress:
            self._progress(self.questions)


@lru_cache(maxsize=2)
def _oracle(model: Automaton) -> Oracle:
    return Oracle(model, positions=False)


def shown(word: bytes) -> str:
    """Return *word* for a message: its first bytes."""
    return f"{word[:16].hex(' ').upper() or 'the empty input'}{' …' if len(word) > 16 else ''}"


def _together(blocks: Iterable[Block], model: Oracle) -> Iterator[tuple[bytes, bytes]]:
    """Yield the frames of several blocks at a time, and what *model* says of each word: a round trip costs, too."""
    made, hopes, size, count = [], [], 0, 0
    for block in blocks:
        data, hope = frames(model, block)
        made.append(data)
        hopes.append(hope)
        size += len(data)
        count += len(hope)
        if count >= AT_ONCE or size >= BYTES_AT_ONCE:
            yield b"".join(made), b"".join(hopes)
            made, hopes, size, count = [], [], 0, 0
    if made:
        yield b"".join(made), b"".join(hopes)
