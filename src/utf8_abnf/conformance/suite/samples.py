"""Chooses words for a suite: an automaton and sample words go in, access and separating words come out.

The shortest words of a grammar are seldom words that people write: those of a date are all of the year 0000. With a
corpus, a state is reached by the beginning of a sample word, and states are told apart by its ends, as far as they can.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from utf8_abnf.automaton import access_words, separating_words
from utf8_abnf.automaton.earley import Recogniser
from utf8_abnf.errors import UsageError
from utf8_abnf.language import suites as messages
from utf8_abnf.language.catalogue import Message

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from utf8_abnf.automaton import Automaton
    from utf8_abnf.grammar import Grammar

MAX_CORPUS = 1_000  # words
MAX_WORD = 1_000  # bytes of one


def refused(corpus: tuple[bytes, ...], automaton: Automaton, grammar: Grammar, start: str) -> tuple[bytes, ...]:
    """Return the words of *corpus* that are not words of *start*: cases that a decoder has to reject, and nothing else.

    ``UsageError`` if the words are too many or too long.
    """
    if len(corpus) > MAX_CORPUS or max(map(len, corpus), default=0) > MAX_WORD:
        raise UsageError(Message(messages.LARGE_CORPUS, words=f"{MAX_CORPUS:,}", bytes=f"{MAX_WORD:,}"))
    words = tuple(word for word in corpus if not automaton.accepts(word))
    if grammar.depth is None or not words:
        return words
    recogniser = Recogniser(grammar, start)
    return tuple(word for word in words if recogniser.read(word).refused is not None)


def words_in(data: bytes) -> tuple[bytes, ...]:
    r"""Return the words of a corpus, one on each line; lines end with LF or CR LF, and empty lines are skipped.

    >>> words_in(b"2024-02-29\n\n1999-12-31\r\n")
    (b'2024-02-29', b'1999-12-31')
    """
    lines = (line.removesuffix(b"\r") for line in data.split(b"\n"))
    return tuple(dict.fromkeys(line for line in lines if line))


def access(automaton: Automaton, corpus: Iterable[bytes]) -> Iterator[bytes]:
    """Yield a word for each state: the first prefix of a sample word that leads to it, else the shortest word."""
    reached = {automaton.start: b""}
    for word in corpus:
        state = automaton.start
        for end, byte in enumerate(word, 1):
            state = automaton.step(state, byte)
            reached.setdefault(state, word[:end])
    yield from (access_words(automaton) | reached).values()


def separating(automaton: Automaton, corpus: Iterable[bytes]) -> Iterator[bytes]:
    """Yield words that tell every two states apart: ends of sample words first, then others as far as needed."""
    states = range(len(automaton.table))
    ends = dict.fromkeys([b"", *(word[start:] for word in corpus for start in range(len(word) + 1))])
    parts = [0] * len(states)
    for word in (*ends, *separating_words(automaton)):
        numbers: dict[tuple[int, bool], int] = {}
        answers = (automaton.run(word, state) in automaton.accepting for state in states)
        finer = [numbers.setdefault(each, len(numbers)) for each in zip(parts, answers, strict=True)]
        if len(numbers) > max(parts) + 1 or not word:
            parts = finer
            yield word
