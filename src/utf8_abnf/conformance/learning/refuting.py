"""Refuting: the words that could show that a model is wrong, although it explains all that was seen.

Of each state, it is asked what characters, faults and separating words do after it, and after one more character.
"""

from __future__ import annotations

import random
from functools import lru_cache
from typing import TYPE_CHECKING

from utf8_abnf.automaton import access_words, separating_words
from utf8_abnf.conformance.suite import families
from utf8_abnf.conformance.suite.blocks import Block
from utf8_abnf.conformance.suite.families import few_faults
from utf8_abnf.conformance.suite.plan import plan
from utf8_abnf.conformance.suite.words import SIGMA, by_length, lowest, suffix_closed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from utf8_abnf.automaton import Automaton

SEED = 3629
WALKS, FEW_WALKS = 4_000, 100
MAX_WALK = 24  # bytes
MAX_SHOWN = 16


def refuting(model: Automaton, shown: Sequence[bytes] = ()) -> Iterator[Block]:
    """Yield the words for a decoder of which many questions can be asked.

    *shown* are the counterexamples: what is wrong for two reasons shows where they stand one after the other.
    """
    small = model.minimal()
    separating = suffix_closed(separating_words(small))
    some = tuple(dict.fromkeys(shown[-MAX_SHOWN:]))
    yield Block((_live(small), (b"", *some), by_length((*some, *separating))))
    yield walks(small, separating, WALKS)


def faults_after(model: Automaton) -> Iterator[Block]:
    """Yield for each state of *model* the usual faults and characters of UTF-8, directly after it or a character."""
    faults = by_length((*few_faults(plan()), *_characters()))
    for head in _live(model.minimal()):
        yield Block(((head,), (b"", *_characters()), faults))


def _live(model: Automaton) -> tuple[bytes, ...]:
    return tuple(word for state, word in access_words(model).items() if state not in model.dead)


def few_refuting(model: Automaton) -> Iterator[Block]:
    """Yield the words for a decoder of which each question costs a process."""
    small = model.minimal()
    yield walks(small, suffix_closed(separating_words(small)), FEW_WALKS)


@lru_cache(maxsize=1)
def suite() -> tuple[Block, ...]:
    """Return the families of L1: all bytes after each state of the standard, in contexts, and in long text."""
    chosen = [each for each in families("L1") if "v" in each.modes and not each.in_process]
    return tuple(block for each in chosen for block in each.blocks())


@lru_cache(maxsize=1)
def _characters() -> tuple[bytes, ...]:
    """Return the lowest and the highest character of each alternative."""
    ways = plan().tracks
    return tuple(dict.fromkeys((*map(lowest, ways), *(bytes(high for _, high in way) for way in ways))))


def walks(model: Automaton, separating: Sequence[bytes], number: int) -> Block:
    """Return seeded random walks: to a state of *model*, then up to 24 moves, and then a word of *separating*."""
    chance = random.Random(SEED).random  # noqa: S311  (reproducible, not secret)
    access = list(access_words(model).items())
    moves = [list(_kinds_of_moves(row)) for row in model.rows]
    found = []
    for _ in range(number):
        state, word = access[int(chance() * len(access))]
        for _ in range(int(chance() * MAX_WALK)):
            kinds = moves[state]
            kind = kinds[int(chance() * len(kinds))]
            byte = kind[int(chance() * len(kind))]
            word += SIGMA[byte]
            state = model.rows[state][byte]
        found.append(word + separating[int(chance() * len(separating))])
    return Block((tuple(found),))


def _kinds_of_moves(row: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Yield for each state that *row* leads to the bytes that lead there: a walk chooses each state equally often."""
    for target in dict.fromkeys(row):
        yield tuple(byte for byte in range(256) if row[byte] == target)
