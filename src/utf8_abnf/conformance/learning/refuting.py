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
from utf8_abnf.automaton.forms import characters, forms
from utf8_abnf.conformance.learning.shrink import LETTER
from utf8_abnf.conformance.suite import families
from utf8_abnf.conformance.suite.blocks import Block, frames
from utf8_abnf.conformance.suite.contexts import overlong
from utf8_abnf.conformance.suite.families import ends, few_faults
from utf8_abnf.conformance.suite.oracle import oracle_of
from utf8_abnf.conformance.suite.plan import plan
from utf8_abnf.conformance.suite.words import SIGMA, by_length, suffix_closed
from utf8_abnf.grammar import Grammar
from utf8_abnf.grammar.files import shipped_grammars

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from utf8_abnf.conformance.learning.teacher import Teacher
    from utf8_abnf.conformance.suite import Family

    Seen = Sequence[tuple[bytes, bool]]  # words, and whether each is accepted

SEED = 3629
WALKS, FEW_WALKS = 4_000, 100
MAX_WALK = 24  # bytes
MAX_SHOWN = 16
PADS = tuple(LETTER * size for size in range(1, 65))  # a decoder may look at blocks of so many bytes
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
        seen: Seen = (),
    ) -> None:
        self._teacher = teacher
        self._blocks = iter(blocks)
        self._words = words
        first = Block((tuple(word for word, _ in seen),))
        self._answers = {first: bytes(0x31 if accepted else 0x30 for _, accepted in seen)}
        self.passed: set[bytes] = set()

    def __call__(self, model: Automaton) -> bytes | None:
        """Return a word on which *model* is wrong, or None; the first one of those that were seen."""
        wrong = (word for block, answers in self._known(model) for word in _wrong_of(block, answers, model))
        return next(filter(self._counts, wrong), None)

    def _counts(self, word: bytes) -> bool:
        limit = self._teacher.limit
        return word not in self.passed and (limit is None or len(word) < limit)

    def _known(self, model: Automaton) -> Iterator[tuple[Block, bytes]]:
        yield from list(self._answers.items())
        for block in chain(self._blocks, self._words(model)):
            if block not in self._answers:
                self._answers[block] = self._teacher.block(block, model)
                yield block, self._answers[block]


def _wrong_of(block: Block, answers: bytes, model: Automaton) -> Iterator[bytes]:
    """Yield the words of *block* to which *model* does not give these *answers*, ``1`` or ``0`` for each."""
    expected = frames(oracle_of(model), block)[1]
    if answers != expected:
        pairs = enumerate(zip(answers, expected, strict=True))
        yield from (block.word(at) for at, (answer, usual) in pairs if answer != usual)


def refuting(
    model: Automaton, standard: Automaton, shown: Sequence[bytes] = (), *, few: bool = False
) -> Iterator[Block]:
    """Yield the ends of each form of *model*, words after its states, and walks; *few* where each costs a process.

    If the *standard* accepts sequences of characters, there are also words that tell the known dialects apart, and the
    usual faults and characters of UTF-8, directly after each state or a character.
    *shown* are the counterexamples: some faults show in two of them alone, or behind letters, in a lane of a block.
    """
    small = model.minimal()
    separating = suffix_closed(separating_words(small))
    longer = _overlong() if standard.accepting == {standard.start} else ()
    single = characters(small)
    found = (forms(single) if single else None) or ()
    yield Block(((*longer, *(bytes(end) for form in found for end in zip(*form.ranges, strict=True))),))
    if few:
        yield walks(small, separating, FEW_WALKS)
        return
    live = tuple(word for state, word in access_words(small).items() if state not in small.dead)
    if longer:
        yield _of_dialects(standard)
        faults = by_length((*few_faults(plan()), *ends(plan())))
        yield from (Block(((head,), (b"", *ends(plan())), faults)) for head in live)
    some = tuple(dict.fromkeys(shown[-MAX_SHOWN:]))
    yield from (Block((PADS, (word,), (b"", PADS[-1]))) for word in some)
    yield Block((live, (b"", *some), by_length((*some, *separating))))
    yield walks(small, separating, WALKS)


def small_families(level: str) -> list[Family]:
    """Return the families of *level* that ask for verdicts, without those that have many or very long cases."""
    chosen = (each for each in families(level) if "v" in each.modes and not (each.in_process or each.longest))
    return [each for each in chosen if each.count <= MAX_FAMILY]


def walks(model: Automaton, separating: Sequence[bytes], number: int) -> Block:
    """Return seeded random walks: to a state of *model*, then up to 24 moves, and then a word of *separating*."""
    chance = random.Random(SEED).random  # noqa: S311  (reproducible, not secret)
    access = list(access_words(model).items())
    moves = [  # each state that can follow is equally likely, however many bytes lead there
        [[byte for byte in range(256) if row[byte] == target] for target in dict.fromkeys(row)] for row in model.rows
    ]
    words = []
    for _ in range(number):
        state, word = access[int(chance() * len(access))]
        for _ in range(int(chance() * MAX_WALK)):
            kinds = moves[state]
            kind = kinds[int(chance() * len(kinds))]
            byte = kind[int(chance() * len(kind))]
            word += SIGMA[byte]
            state = model.rows[state][byte]
        words.append(word + separating[int(chance() * len(separating))])
    return Block((tuple(words),))


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


@cache
def _overlong() -> tuple[bytes, ...]:
    """Return the ends of each alternative in every longer form: a decoder may check what these mean."""
    return tuple(overlong(each.decode(), size) for each in ends(plan()) for size in range(len(each) + 1, 7))


@lru_cache(maxsize=4)
def _of_dialects(grammar: Automaton) -> Block:
    """Return the words that tell the states of *grammar* and of the known dialects apart."""
    known = list(dialects().values())
    return Block((tuple(cover([grammar, *known])), tuple(first_suffixes(known, expensive=True))))
