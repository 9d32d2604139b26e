"""The streaming families: the same bytes in pieces; where they are cut must not change the answer.

A word's block has two parts: the ways to cut words of that length, and the words. So a cut is written down once.
"""

from __future__ import annotations

from itertools import combinations_with_replacement
from typing import TYPE_CHECKING

from utf8_abnf.suite import words
from utf8_abnf.suite.blocks import Block
from utf8_abnf.suite.families import FILLERS, fault_words, few_faults, filled
from utf8_abnf.suite.named import NAMED
from utf8_abnf.suite.oracle import pack_chunks
from utf8_abnf.suite.words import by_length

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from utf8_abnf.suite.plan import Plan

Cut = tuple[int, ...]


def cuts(size: int, most: int) -> tuple[Cut, ...]:
    """Return the ways to cut *size* bytes in one to *most* pieces, empty ones too; then every byte alone, twice.

    The second time an empty piece stands between the bytes: an empty read is not the end of a stream.
    """
    found = [
        tuple(b - a for a, b in zip((0, *places), (*places, size), strict=True))
        for pieces in range(1, most + 1)
        for places in combinations_with_replacement(range(size + 1), pieces - 1)
    ]
    return tuple(dict.fromkeys([*found, (1,) * size, (0, *(1, 0) * size)]))


def even(size: int, step: int) -> Cut:
    """Return *size* bytes in pieces of *step*, the last one shorter."""
    return (step,) * (size // step) + ((size % step,) if size % step else ())


def stream_blocks(chosen: Iterable[bytes], ways: dict[int, tuple[Cut, ...]], label: str = "") -> Iterator[Block]:
    """Yield each of the *chosen* words cut in each of the *ways* for its size."""
    by_size: dict[int, list[bytes]] = {}
    for word in by_length(chosen):
        by_size.setdefault(len(word), []).append(word)
    for size, same in by_size.items():
        heads = tuple(map(pack_chunks, ways[size]))
        names = tuple(_name(cut) for cut in ways[size])
        yield Block((heads, tuple(same)), label=label, names=(names, None), skip=1)


def _name(cut: Cut) -> str:
    if len(cut) > 8:
        return f"{len(cut)}x{cut[0]}" if cut[0] else f"{len(cut)}x0-{cut[1]}"
    return "+".join(map(str, cut)) or "none"


def stream_named(_: Plan) -> Iterator[Block]:
    """Yield the named cases cut in two everywhere."""
    chosen = [row.data for row in NAMED if len(row.data) <= 64]
    return stream_blocks(chosen, {len(word): cuts(len(word), 2) for word in chosen})


def stream_faults(plan: Plan) -> Iterator[Block]:
    """Yield every single fault, alone and after each kind of character, cut in two and in three everywhere."""
    once = fault_words(plan)
    yield from stream_blocks(once, {len(word): cuts(len(word), 3) for word in once})
    twice = [head + word for head in (*FILLERS.values(), b"\xef\xbb\xbf") for word in once]
    yield from stream_blocks(twice, {len(word): cuts(len(word), 2) for word in twice})


def stream_texts(plan: Plan) -> Iterator[Block]:
    """Yield longer text with one fault, in pieces of one size: a piece's end is where bytes are kept or lost."""
    steps = (1, 2, 3, 4, 5, 7, 8, 13, 15, 16, 17, 31, 32, 33, 63, 64, 65)
    kinds = few_faults(plan)
    for name, filler in FILLERS.items():
        chosen = [
            filled(offset, filler) + word + more
            for offset in range(60, 69)
            for word in kinds
            for more in (b"", b"a", filled(80, filler))
        ]
        ways = {size: tuple(even(size, step) for step in steps) for size in {len(word) for word in chosen}}
        yield from stream_blocks(chosen, ways, label=name)


def stream_buffers(_: Plan) -> Iterator[Block]:
    """Yield text around the sizes of usual buffers, in pieces of such sizes."""
    for power in (9, 10, 12, 13, 16):
        steps = tuple((1 << power) + more for more in (-1, 0, 1))
        few = power == 16  # the longest texts: one filler and two endings are enough
        rare = tuple(map(bytes.fromhex, ("", "E2 82") if few else ("", "80", "E2 82", "ED A0 80", "F0 9F 98", "FF")))
        for name, filler in [("three", FILLERS["three"])] if few else FILLERS.items():
            chosen = [filled((2 << power) + more, filler) + word for more in range(-4, 3) for word in rare]
            ways = {size: tuple(even(size, step) for step in steps) for size in {len(word) for word in chosen}}
            yield from stream_blocks(chosen, ways, label=f"{1 << power}/{name}")


def stream_ends(plan: Plan) -> Iterator[Block]:
    """Yield the first and last character of each track, alone, after a BOM and after four bytes, cut everywhere."""
    ends = [bytes(ends) for track in plan.tracks for ends in zip(*track, strict=True)]
    chosen = [head + word for head in (b"", b"\xef\xbb\xbf", b"\xf0\x9f\x98\x80") for word in ends]
    return stream_blocks(chosen, {len(word): cuts(len(word), 3) for word in words.by_length(chosen)}, label="ends")
