"""Long probes: faults in long text, for decoders that work on blocks, count, or stop somewhere.

Each family takes a few megabytes. Where a decoder's border lies is not looked for here but in ``border``: it is enough
that some word of a probe lies behind it.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from utf8_abnf.conformance.suite.blocks import Block
from utf8_abnf.conformance.suite.families import FILLERS, OFFSETS, few_faults, filled, mixed
from utf8_abnf.conformance.suite.words import SIGMA, edges

if TYPE_CHECKING:
    from utf8_abnf.conformance.suite.plan import Plan

ENDS = (b"", b"a", b"a" * 33, b"a" * 64, b"a" * 129, b"\0" * 129)  # text after a fault
FEW_PIECES = tuple(map(bytes.fromhex, ("", "80", "E2 82", "E2 82 AC", "ED A0 80", "FF")))
# The commonest forms in attacks: "/" overlong, "<" and a quote after a cut character, NUL overlong, above 10FFFF.
ATTACKS = tuple(map(bytes.fromhex, ("C0 AF", "E0 80 AF", "F0 80 80 AF", "C3 3C", "C2 22", "C0 80", "F4 90 80 80")))
FAR_PIECES = tuple(map(bytes.fromhex, ("FF", "80", "ED A0 80", "C0 AF", "F4 90 80 80", "C3 3C")))
SEED = 3629
PACKETS = 1_600  # bytes: every offset up to here; a network packet has 1460
FARTHEST = 1 << 17
SAMPLED = 160  # offsets between PACKETS and FARTHEST


def positions(chosen: Plan) -> tuple[Block, ...]:
    """Return kinds of faults at every offset of two blocks of 64, in text of each kind of character."""
    kinds = (*few_faults(chosen), *ATTACKS)
    heads = {filler: tuple(filled(size, filler) for size in range(300)) for filler in FILLERS.values()}
    near = [Block((sized[: len(OFFSETS)], kinds, ENDS)) for sized in heads.values()]
    return (*near, *(Block((sized,)) for sized in heads.values()))


def lanes(_: Plan) -> tuple[Block, ...]:
    """Return faults in every lane of two blocks of 64, before and behind 1 KiB and 8 KiB of text."""
    near = tuple(b"a" * size for size in OFFSETS)
    return tuple(
        Block((tuple(b"a" * (before + size) for size in OFFSETS) if before else near, kinds, (b"a" * after,)))
        for before, after, kinds in (
            (0, 1_024, (*FEW_PIECES, *ATTACKS)),
            (1_024, 1_024, (*FEW_PIECES, *ATTACKS)),
            (0, 8_400, FAR_PIECES),
            (8_192, 130, FAR_PIECES),
        )
    )


def inner(chosen: Plan) -> tuple[Block, ...]:
    """Return all pairs of bytes within long text, and edge bytes with more around them: fast paths have own tables."""
    heads, rest = (b"a" * 37, b"a" + "€".encode() * 12), (b"a" * 96,)
    ends = tuple(SIGMA[byte] for byte in edges(chosen.automaton))
    return (
        Block((heads[:1], SIGMA, SIGMA, (b"a" * 33,))),
        Block((heads, SIGMA, ends, (b"\x80", b"\x80\x80"), rest)),
        Block((heads[1:], SIGMA, ends, rest)),
        Block((heads[1:], ends, SIGMA, rest)),
    )


def far(_: Plan) -> tuple[Block, ...]:
    """Return faults at offsets near powers of two, where counters and buffers end."""
    near = [(1 << power) + step for power in range(8, 14) for step in range(-3, 3)]
    far = [(1 << power) + step for power in (14, 15, 16) for step in range(-3, 2)]
    return (
        *(
            Block((tuple(filled(size, filler) for size in sizes), FEW_PIECES, ends))
            for filler in (b"a", "€".encode())
            for sizes, ends in ((near, (b"", b"a" * 65)), (far, (b"", b"a")))
        ),
        Block((tuple(b"a" * size for size in (*near, *far)), ATTACKS)),
        Block((tuple(b"a" * size for size in range(0, 1025, 8)), FEW_PIECES, (b"a" * 1024,))),  # unrolled loops
        Block(((b"a" * ((1 << 20) - 1),), (b"", b"a", b"\xff", b"\xc0\xaf"), (b"", b"\xff"))),
    )


def offsets(_: Plan) -> tuple[Block, ...]:
    """Return faults at every offset to 1,600, and at a sample beyond; text of every length to 4,200 and of that sample.

    The sample is as dense at every size: as many offsets between 2,000 and 4,000 as between 40,000 and 80,000.
    """
    chance = random.Random(SEED)  # noqa: S311  (reproducible, not secret)
    beyond = [round(PACKETS * (FARTHEST / PACKETS) ** chance.random()) for _ in range(SAMPLED)]
    pieces = (*FEW_PIECES[1:], b"\xc0\xaf", b"\xf4\x90\x80\x80", b"\xc3\x3c")
    return (
        Block((tuple(b"a" * size for size in range(len(OFFSETS), PACKETS)), pieces)),
        Block((tuple(b"a" * size for size in range(300, 4_200)),)),
        Block((tuple(filled(size, "é".encode()) for size in range(300, PACKETS)),)),
        Block((tuple(b"a" * size for size in beyond), (b"", b"\xff", b"\xed\xa0\x80"))),
    )


def few_long() -> tuple[Block, ...]:
    """Return text of every length to 130, and text and faults around powers of two: few enough for processes."""
    sizes = [(1 << power) + step for power in range(5, 21) for step in (-1, 1)]
    return (
        Block((tuple(b"a" * size for size in OFFSETS),)),
        Block((tuple(b"a" * size for size in sizes), (b"", b"\xff", b"\xed\xa0\x80"))),
    )


def random_texts(chosen: Plan) -> tuple[Block, ...]:
    """Return a quarter of the single faults within seeded random text of all kinds of characters."""
    return tuple(mixed(chosen))[::4]
