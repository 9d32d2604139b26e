"""Probes: what a model is checked on beyond A·Σ^≤(k+1)·W, to find what is no small automaton, or a finer one.

They are blocks of words, never of verdicts: the model under test says what to expect, so the same probes serve a
decoder of UTF-8 and one of its dialects. They are chosen from the suites' (``utf8_abnf.suite.families``), which are
ten times as many; tools/measure/learning.py counts which of the wrong decoders of our zoo they find.
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

ENDS = (b"", b"a", b"a" * 33, b"a" * 64, b"a" * 129, b"\0" * 129)  # what comes after a fault
RARE = tuple(map(bytes.fromhex, ("", "80", "E2 82", "E2 82 AC", "ED A0 80", "FF")))
WALKS = 4_000
LONGEST_WALK = 24  # bytes
SEED = 3629


def _named(_: Plan) -> tuple[Block, ...]:
    return tuple(named(plan()))


def _texts(chosen: Plan) -> tuple[Block, ...]:
    return (*texts(chosen), *long_forms(chosen))


def _coded(chosen: Plan) -> tuple[Block, ...]:
    """Return the surrogates, the overlong forms of two and three bytes, and the edges of what is ill-formed in four."""
    ends = (b"\x80", b"\x9f", b"\xbf")
    large = (SIGMA[0xF4:0xF8], TAILS, ends, ends)
    every = tuple(coded(chosen))
    return (*every[:3], Block((SIGMA[0xF0:0xF1], SIGMA[0x80:0x90], ends, ends)), Block(large))


def _places(chosen: Plan) -> tuple[Block, ...]:
    """Return every byte in the third and in the fourth place, after each first byte by itself, not one of a class."""
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
    """Return a fault straight after each first byte's lowest and highest character: it must not matter."""
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
    """Return every byte before and after each edge byte within long text: fast paths have tables of their own."""
    heads, rest = (b"a" * 37, b"a" + "€".encode() * 12), (b"a" * 96,)
    ends = tuple(SIGMA[byte] for byte in edges(chosen.automaton))
    return (Block((heads, SIGMA, ends, (b"", b"\x80", b"\x80\x80"), rest)), Block((heads, ends, SIGMA, rest)))


def _far(_: Plan) -> tuple[Block, ...]:
    """Return faults around powers of two, where counters and buffers end, and some between."""
    near = [(1 << power) + step for power in range(8, 14) for step in range(-3, 3)] + [*range(131, 4200, 61)]
    far = [(1 << power) + step for power in (14, 15, 16) for step in range(-3, 2)]
    return (
        *(
            Block((tuple(filled(size, filler) for size in sizes), RARE, ends))
            for filler in (b"a", "€".encode())
            for sizes, ends in ((near, (b"", b"a" * 65)), (far, (b"", b"a")))
        ),
        Block((tuple(b"a" * size for size in range(0, 1025, 8)), RARE, (b"a" * 1024,))),  # loops over several blocks
        Block(((b"a" * ((1 << 20) - 1),), (b"", b"a", b"\xff"), (b"", b"\xff"))),
    )


def _mixed(chosen: Plan) -> tuple[Block, ...]:
    """Return every single fault between texts of all kinds of characters in no order."""
    return tuple(mixed(chosen))[::4]


def _sessions(chosen: Plan) -> tuple[Block, ...]:
    return tuple(sessions(chosen))


#   name          what it holds
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
    """Return the probes by name, those first that find most for their price.

    >>> [name for name, _ in probes()]
    ['named', 'coded', 'places', 'after', 'texts', 'sessions', 'positions', 'mixed', 'inner', 'far']
    """
    chosen = plan()
    return tuple((name, make(chosen)) for name, make in _ALL.items())


def own_probe(model: Automaton) -> tuple[Block, ...]:
    """Return long texts of *model*'s own characters, one of each length, each with a fault after it."""
    fillers = {len(word): word for word in _round_trips(model) if word not in FILLERS.values()}
    sizes = (*OFFSETS, 255, 256, 257, 1023, 1024, 1025, 4095, 4096, 4097)
    heads = tuple(filler * (size // len(filler)) for filler in fillers.values() for size in sizes)
    return (Block((by_length(heads), RARE, (b"", b"a" * 65))),)


def walks(model: Automaton, separating: Sequence[bytes]) -> Block:
    """Return walks in no order: to a state of *model*, on by moves of all kinds, and then a word of *separating*."""
    chance = random.Random(SEED)  # noqa: S311  (to vary, not to hide)
    access = list(access_words(model).items())
    moves = [list(_kinds_of_moves(row)) for row in model.rows]
    found = []
    for _ in range(WALKS):
        state, word = chance.choice(access)
        for _ in range(chance.randrange(LONGEST_WALK)):
            byte = chance.choice(chance.choice(moves[state]))
            word += SIGMA[byte]
            state = model.rows[state][byte]
        found.append(word + chance.choice(separating))
    return Block((tuple(found),))


def _kinds_of_moves(row: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Yield for each state that *row* leads to the bytes that lead there: each is as likely as another."""
    for target in dict.fromkeys(row):
        yield tuple(byte for byte in range(256) if row[byte] == target)


def _round_trips(automaton: Automaton) -> list[bytes]:
    """Words that lead from the start back to the start, by the shortest way to each state that they pass."""
    return [
        word + SIGMA[byte]
        for state, word in access_words(automaton).items()
        for byte in range(256)
        if automaton.step(state, byte) == automaton.start
    ]


def known_forms(near: Sequence[Automaton]) -> Probe:
    """Return V·W of each of *near*: its forms, where V·Σ^≤1·W would be too much."""
    heads = by_length(word for each in near for word in state_cover(each))
    return "dialects", (Block((heads, by_length(word for each in near for word in separating_words(each)))),)


def few_probes() -> tuple[Probe, ...]:
    """Return the probes for a decoder that needs a process for each question."""
    return probes()[:1]
