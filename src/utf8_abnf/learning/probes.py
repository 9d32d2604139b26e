"""Probes: further words to check a model on, which find decoders that are larger automata, or are not automata.

A probe has words without verdicts: the model under test gives the expected answers, so the same probes serve decoders
of UTF-8 and of its dialects. They are a selection of the suites' words (``utf8_abnf.suite.families``), about a tenth;
tools/measure/learning.py counts how many of the wrong decoders in tests/zoo they find.
"""

from __future__ import annotations

import random
from functools import lru_cache
from typing import TYPE_CHECKING

from utf8_abnf.automaton import Automaton, access_words, separating_words, state_cover
from utf8_abnf.suite.blocks import Block
from utf8_abnf.suite.families import (
    FILLERS,
    OFFSETS,
    TAILS,
    coded,
    few_faults,
    filled,
    long_forms,
    mixed,
    named,
    sessions,
    texts,
)
from utf8_abnf.suite.plan import Plan, plan
from utf8_abnf.suite.words import SIGMA, by_length, edges, lowest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

Probe = tuple[str, tuple[Block, ...]]

ENDS = (b"", b"a", b"a" * 33, b"a" * 64, b"a" * 129, b"\0" * 129)  # text after a fault
FEW_PIECES = tuple(map(bytes.fromhex, ("", "80", "E2 82", "E2 82 AC", "ED A0 80", "FF")))
WALKS = 4_000
MAX_WALK = 24  # bytes
SEED = 3629


def _named(_: Plan) -> tuple[Block, ...]:
    return tuple(named(plan()))


def _texts(chosen: Plan) -> tuple[Block, ...]:
    return (*texts(chosen), *long_forms(chosen))


def _coded(chosen: Plan) -> tuple[Block, ...]:
    """Return the surrogates, the overlong forms of two and three bytes, and edges of the ill-formed four-byte forms."""
    ends = (b"\x80", b"\x9f", b"\xbf")
    large = (SIGMA[0xF4:0xF8], TAILS, ends, ends)
    every = tuple(coded(chosen))
    return (*every[:3], Block((SIGMA[0xF0:0xF1], SIGMA[0x80:0x90], ends, ends)), Block(large))


def _places(chosen: Plan) -> tuple[Block, ...]:
    """Return every byte in the third and in the fourth place, after each first byte (not one for each class)."""
    blocks = []
    for place in (2, 3):
        heads = by_length(
            bytes([lead, *(pair[end] for pair in rest[: place - 1])])
            for (low, high), *rest in chosen.tracks
            if len(rest) >= place
            for lead in range(low, high + 1)
            for end in (0, 1)
        )
        blocks.append(Block((heads, SIGMA, (b"", b"\x80", b"a"))))
    return tuple(blocks)


def _after(chosen: Plan) -> tuple[Block, ...]:
    """Return faults directly after the lowest and the highest character of each first byte."""
    heads = tuple(
        bytes([lead, *(pair[end] for pair in rest)])
        for (low, high), *rest in chosen.tracks
        for lead in range(low, high + 1)
        for end in (0, 1)
    )
    offsets = tuple(b"a" * size for size in range(17))
    return (
        Block((tuple(dict.fromkeys(heads)), few_faults(chosen))),
        Block((offsets, tuple(map(lowest, chosen.tracks)), few_faults(chosen))),
    )


def _positions(chosen: Plan) -> tuple[Block, ...]:
    """Return kinds of faults at every offset of two blocks of 64, in text of each kind of character."""
    kinds = few_faults(chosen)
    heads = {filler: tuple(filled(size, filler) for size in range(300)) for filler in FILLERS.values()}
    near = [Block((sized[: len(OFFSETS)], kinds, ENDS)) for sized in heads.values()]
    return (*near, *(Block((sized,)) for sized in heads.values()))


def _inner(chosen: Plan) -> tuple[Block, ...]:
    """Return every byte before and after each edge byte within long text: fast code paths have their own tables."""
    heads, rest = (b"a" * 37, b"a" + "€".encode() * 12), (b"a" * 96,)
    ends = tuple(SIGMA[byte] for byte in edges(chosen.automaton))
    return (Block((heads, SIGMA, ends, (b"", b"\x80", b"\x80\x80"), rest)), Block((heads, ends, SIGMA, rest)))


def _far(_: Plan) -> tuple[Block, ...]:
    """Return faults at offsets near powers of two, where counters and buffers end, and at some others."""
    near = [(1 << power) + step for power in range(8, 14) for step in range(-3, 3)] + [*range(131, 4200, 61)]
    far = [(1 << power) + step for power in (14, 15, 16) for step in range(-3, 2)]
    return (
        *(
            Block((tuple(filled(size, filler) for size in sizes), FEW_PIECES, ends))
            for filler in (b"a", "€".encode())
            for sizes, ends in ((near, (b"", b"a" * 65)), (far, (b"", b"a")))
        ),
        Block((tuple(b"a" * size for size in range(0, 1025, 8)), FEW_PIECES, (b"a" * 1024,))),  # unrolled loops
        Block(((b"a" * ((1 << 20) - 1),), (b"", b"a", b"\xff"), (b"", b"\xff"))),
    )


def _mixed(chosen: Plan) -> tuple[Block, ...]:
    """Return a quarter of the single faults within seeded random text of all kinds of characters."""
    return tuple(mixed(chosen))[::4]


def _sessions(chosen: Plan) -> tuple[Block, ...]:
    return tuple(sessions(chosen))


_ALL: dict[str, Callable[[Plan], tuple[Block, ...]]] = {
    "named": _named,
    "coded": _coded,
    "places": _places,
    "after": _after,
    "texts": _texts,
    "sessions": _sessions,
    "positions": _positions,
    "mixed": _mixed,
    "inner": _inner,
    "far": _far,
}


@lru_cache(maxsize=1)
def probes() -> tuple[Probe, ...]:
    """Return the probes by name, in an order that finds most faults early.

    >>> [name for name, _ in probes()]
    ['named', 'coded', 'places', 'after', 'texts', 'sessions', 'positions', 'mixed', 'inner', 'far']
    """
    chosen = plan()
    return tuple((name, make(chosen)) for name, make in _ALL.items())


def own_probe(model: Automaton) -> tuple[Block, ...]:
    """Return long texts of *model*'s own characters, one character for each length, each text with a fault after it."""
    fillers = {len(word): word for word in _round_trips(model) if word not in FILLERS.values()}
    sizes = (*OFFSETS, 255, 256, 257, 1023, 1024, 1025, 4095, 4096, 4097)
    heads = tuple(filler * (size // len(filler)) for filler in fillers.values() for size in sizes)
    return (Block((by_length(heads), FEW_PIECES, (b"", b"a" * 65))),)


def walks(model: Automaton, separating: Sequence[bytes]) -> Block:
    """Return seeded random walks: to a state of *model*, then up to 24 moves, and then a word of *separating*."""
    chance = random.Random(SEED)  # noqa: S311  (reproducible, not secret)
    access = list(access_words(model).items())
    moves = [list(_kinds_of_moves(row)) for row in model.rows]
    found = []
    for _ in range(WALKS):
        state, word = chance.choice(access)
        for _ in range(chance.randrange(MAX_WALK)):
            byte = chance.choice(chance.choice(moves[state]))
            word += SIGMA[byte]
            state = model.rows[state][byte]
        found.append(word + chance.choice(separating))
    return Block((tuple(found),))


def _kinds_of_moves(row: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Yield for each state that *row* leads to the bytes that lead there: a walk chooses each state equally often."""
    for target in dict.fromkeys(row):
        yield tuple(byte for byte in range(256) if row[byte] == target)


def _round_trips(automaton: Automaton) -> list[bytes]:
    """Return words that lead from the start to the start: the shortest word to each state, and one byte more."""
    return [
        word + SIGMA[byte]
        for state, word in access_words(automaton).items()
        for byte in range(256)
        if automaton.step(state, byte) == automaton.start
    ]


def known_forms(near: Sequence[Automaton]) -> Probe:
    """Return V·W of each of *near*, for a decoder that costs too much to ask V·Σ^≤1·W."""
    heads = by_length(word for each in near for word in state_cover(each))
    return "dialects", (Block((heads, by_length(word for each in near for word in separating_words(each)))),)


def few_probes() -> tuple[Probe, ...]:
    """Return the probes for a decoder that needs a process for each question: the named cases."""
    return probes()[:1]
