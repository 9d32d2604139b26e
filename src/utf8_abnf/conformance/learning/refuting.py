"""Refutes models: an automaton goes in, and out comes a word on which it and the decoder disagree, or None.

``Comparison`` is the equivalence oracle of L*. It compares a model with what was seen, with the answers to the families
of a suite, and with the answers to words that are made for the model: characters, faults and separating words after
each of its states, and random walks.
"""

from __future__ import annotations

import random
from functools import cache, lru_cache
from itertools import chain
from typing import TYPE_CHECKING

from utf8_abnf.automaton import Automaton, access_words, compile_grammar, separating_words, state_cover
from utf8_abnf.conformance.learning.shrink import LETTER
from utf8_abnf.conformance.suite import families
from utf8_abnf.conformance.suite.blocks import Block, frames
from utf8_abnf.conformance.suite.families import few_faults
from utf8_abnf.conformance.suite.oracle import oracle_of
from utf8_abnf.conformance.suite.plan import plan
from utf8_abnf.conformance.suite.words import SIGMA, by_length, lowest, suffix_closed
from utf8_abnf.grammar import Grammar
from utf8_abnf.grammar.files import shipped_grammars

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from utf8_abnf.conformance.learning.teacher import Teacher
    from utf8_abnf.conformance.suite import Family

SEED = 3629
WALKS, FEW_WALKS = 4_000, 100
MAX_WALK = 24  # bytes
MAX_SHOWN = 16
MAX_CHARACTER = 13  # bytes: Perl's longest form; RFC 2279 had 6
BOM = b"\xef\xbb\xbf"  # RFC 3629 section 6: some decoders treat it differently at the start
MAX_FAMILY = 100_000  # cases: larger families are not asked


@cache
def dialects() -> dict[str, Automaton]:
    """Return the automata of the shipped dialects by name: grammars that known decoders follow instead of RFC 3629.

    >>> "dialects/wtf8" in dialects()
    True
    """
    names = [name for name in shipped_grammars() if name.startswith("dialects/")]
    return {name: compile_grammar(Grammar.load(name)) for name in names}


class Comparison:
    """Compares models with verdicts; a call returns the first word on which a model is wrong, or None.

    The verdicts are those that were *seen*, (word, accepted), and the answers of *teacher* to *blocks*, and to what
    *words* yields for each model. Nothing is asked twice. Words that *passed*, or are beyond the teacher's limit, do
    not count.
    """

    def __init__(
        self,
        teacher: Teacher,
        blocks: Iterable[Block],
        words: Callable[[Automaton], Iterable[Block]],
        seen: Sequence[tuple[bytes, bool]] = (),
    ) -> None:
        self._teacher = teacher
        self._blocks = iter(blocks)
        self._words = words
        self._seen = seen
        self._answers: list[tuple[Block, bytes]] = []
        self._made: set[Block] = set()
        self.passed: set[bytes] = set()

    def __call__(self, model: Automaton) -> bytes | None:
        """Return a word on which *model* is wrong, or None; of the words that were seen the shortest."""
        if (word := min(filter(self._counts, self._wrong_of_seen(model)), key=len, default=None)) is not None:
            return word
        wrong = (word for block, answers in self._known(model) for word in _wrong_of(block, answers, model))
        return next(filter(self._counts, wrong), None)

    def _counts(self, word: bytes) -> bool:
        limit = self._teacher.limit
        return word not in self.passed and (limit is None or len(word) < limit)

    def _wrong_of_seen(self, model: Automaton) -> Iterator[bytes]:
        verdicts = bytes(0x31 if accepted else 0x30 for _, accepted in self._seen)
        return _wrong_of(Block((tuple(word for word, _ in self._seen),)), verdicts, model)

    def _known(self, model: Automaton) -> Iterator[tuple[Block, bytes]]:
        yield from list(self._answers)
        for block in chain(self._blocks, self._new(model)):
            self._answers.append((block, self._teacher.block(block, model)))
            yield self._answers[-1]

    def _new(self, model: Automaton) -> Iterator[Block]:
        for block in self._words(model):
            if block not in self._made:
                yield block
                self._made.add(block)


def _wrong_of(block: Block, answers: bytes, model: Automaton) -> Iterator[bytes]:
    """Yield the words of *block* to which *model* does not give these *answers*, ``1`` or ``0`` for each."""
    expected = frames(oracle_of(model), block)[1]
    if answers != expected:
        pairs = enumerate(zip(answers, expected, strict=True))
        yield from (block.word(at) for at, (answer, usual) in pairs if answer != usual)


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


def small_families(level: str) -> list[Family]:
    """Return the families of *level* that ask for verdicts, without those that have many or very long cases."""
    chosen = (each for each in families(level) if "v" in each.modes and not (each.in_process or each.longest))
    return [each for each in chosen if each.count <= MAX_FAMILY]


@lru_cache(maxsize=1)
def suite() -> tuple[Block, ...]:
    """Return the blocks of L1: all bytes after each state of the standard, in contexts, and in long text."""
    return tuple(block for each in small_families("L1") for block in each.blocks())


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


def first_suffixes(automata: Sequence[Automaton], *, expensive: bool) -> list[bytes]:
    """Return every W, a letter, and up to twelve tail bytes, which complete the long forms of older UTF-8.

    The letter tells what is wrong only at the end from what is wrong before anything.
    """
    words = [word for automaton in automata for word in separating_words(automaton)]
    last = next((word for word in words if len(word) == 1), b"")
    long = (last * times for times in range(4, MAX_CHARACTER) if last and not expensive)
    return list(dict.fromkeys([b"", *words, LETTER, *long]))


def cover(automata: list[Automaton]) -> list[bytes]:
    """Return every V and, if the byte order mark is accepted, its prefixes."""
    words = [word for automaton in automata for word in state_cover(automaton)]
    if automata[0].accepts(BOM):
        words += (BOM[:end] for end in range(1, len(BOM) + 1))
    return list(dict.fromkeys(words))


@lru_cache(maxsize=4)
def of_dialects(grammar: Automaton) -> tuple[Block, ...]:
    """Return the words that tell the states of *grammar* and of the known dialects apart."""
    known = list(dialects().values())
    return (Block((tuple(cover([grammar, *known])), tuple(first_suffixes(known, expensive=True)))),)
