"""The families of streams: words in pieces. Where a word is cut must not change the answer.

A block has two parts: the ways to cut words of one length, and the words of that length.
"""

from __future__ import annotations

from functools import partial
from itertools import combinations_with_replacement, groupby
from typing import TYPE_CHECKING

from utf8_abnf.conformance.framing import pack_chunks
from utf8_abnf.conformance.suite import words
from utf8_abnf.conformance.suite.blocks import Block, show
from utf8_abnf.conformance.suite.families import CUT_OFF, FILLERS, ends, fault_words, few_faults, filled
from utf8_abnf.conformance.suite.named import NAMED
from utf8_abnf.conformance.suite.words import SIGMA, by_length

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from utf8_abnf.conformance.suite.plan import Plan

Cut = tuple[int, ...]


def cuts(size: int, most: int) -> tuple[Cut, ...]:
    """Return the ways to cut *size* bytes in one to *most* pieces, some of them empty; then every byte alone, twice.

    The second time there is an empty piece between the bytes: an empty read is not the end of a stream.
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


def stream_blocks(chosen: dict[bytes, str], ways: Callable[[int], tuple[Cut, ...]], label: str = "") -> Iterator[Block]:
    """Yield each word of *chosen*, cut in each of the *ways* for its size; the values of *chosen* go into the ids."""
    for size, of_size in groupby(by_length(chosen), key=len):
        cut, same = tuple(dict.fromkeys(ways(size))), tuple(of_size)
        names = (tuple(map(_name, cut)), tuple(chosen[word] for word in same))
        yield Block((tuple(map(pack_chunks, cut)), same), label=label, names=names, skip=1)


def _name(cut: Cut) -> str:
    if len(cut) > 8:
        return f"{len(cut)}x{cut[0]}" if cut[0] else f"{len(cut)}x0-{cut[1]}"
    return "+".join(map(str, cut)) or "none"


BOMS = ("EF BB BF", "EF BB BF 41", "EF BB BF EF BB BF 41", "41 EF BB BF 42", "EF BB", "EF BB 41")
LONG = {1 << 16: (1 << 16, 1 << 12), 1 << 17: (1 << 17, 1000)}  # letters: the sizes of their pieces


def stream_first(plan: Plan) -> Iterator[Block]:
    """Yield level L0: characters, each kind of fault and BOMs, cut in two everywhere; then long text."""
    lowest = map(words.lowest, plan.tracks)
    chosen = by_length([*lowest, *few_faults(plan), *map(bytes.fromhex, (*BOMS, "ED A0 80 ED B0 80"))])
    yield from stream_blocks({word: show(word) for word in chosen}, lambda size: cuts(size, 2))
    for size, steps in LONG.items():
        yield from stream_blocks({b"a" * size: f"letters/{size}"}, partial(_all_even, steps))


def stream_named(_: Plan) -> Iterator[Block]:
    """Yield the named cases of up to 64 bytes, cut in two everywhere."""
    chosen = {row.data: row.id for row in NAMED if len(row.data) <= 64}
    return stream_blocks(chosen, lambda size: cuts(size, 2))


def stream_faults(plan: Plan) -> Iterator[Block]:
    """Yield every single fault, alone and after each kind of character, cut in two and in three everywhere.

    Then each character of ASCII within a character, in place of its end, and before a fault, cut in two everywhere.
    """
    once = fault_words(plan)
    yield from stream_blocks({word: show(word) for word in once}, lambda size: cuts(size, 3))
    twice = [head + word for head in (*FILLERS.values(), b"\xef\xbb\xbf") for word in once]
    yield from stream_blocks({word: show(word) for word in twice}, lambda size: cuts(size, 2), label="after")
    beside = [cut + each + more for each in SIGMA[:0x80] for cut, rest in CUT_OFF.items() for more in (b"", rest)]
    beside += [each + fault for each in SIGMA[:0x80] for fault in (b"\x80", b"\xc0\xaf", b"\xff")]
    yield from stream_blocks({word: show(word) for word in beside}, lambda size: cuts(size, 2), label="beside")


def stream_ends(plan: Plan) -> Iterator[Block]:
    """Yield the first and last character of each track, alone, after a BOM and after four bytes, cut everywhere."""
    chosen = [head + word for head in (b"", b"\xef\xbb\xbf", b"\xf0\x9f\x98\x80") for word in ends(plan)]
    return stream_blocks({word: show(word) for word in chosen}, lambda size: cuts(size, 3))


def stream_sessions(plan: Plan) -> Iterator[Block]:
    """Yield every ordered pair of kinds of faults and of what completes them, as two streams in a row."""
    tails = (b"\x80", b"\x82\xac", b"\xac", b"\x9f\x98\x80", b"\x98\x80", b"\xef\xbb\xbf", b"a")
    chosen = by_length([*few_faults(plan), *FILLERS.values(), *tails])
    for first in chosen:
        for second in chosen:
            for word, other, place in ((first, second, "before"), (second, first, "after")):
                head = (pack_chunks((len(word),)),)
                yield Block((head, (word,)), names=(("",), (f"{show(word)}/{place}/{show(other)}",)), skip=1)


def stream_texts(plan: Plan) -> Iterator[Block]:
    """Yield longer text with one fault, in pieces of one size: decoders keep or lose bytes at the end of a piece."""
    steps = (1, 2, 3, 4, 5, 7, 8, 13, 15, 16, 17, 31, 32, 33, 63, 64, 65)
    for name, filler in FILLERS.items():
        after = {"end": b"", "byte": b"a", "more": filled(80, filler)}
        chosen = {
            filled(offset, filler) + word + more: f"{offset}/{show(word)}/{end}"
            for offset in range(60, 69)
            for word in few_faults(plan)
            for end, more in after.items()
        }
        yield from stream_blocks(chosen, partial(_all_even, steps), label=name)


def stream_buffers(_: Plan) -> Iterator[Block]:
    """Yield text around the sizes of usual buffers, in pieces of such sizes."""
    for power in (9, 10, 12, 13, 16):
        steps = tuple((1 << power) + more for more in (-1, 0, 1))
        few = power == 16  # the longest texts: one filler and two endings are enough
        rare = tuple(map(bytes.fromhex, ("", "E2 82") if few else ("", "80", "E2 82", "ED A0 80", "F0 9F 98", "FF")))
        for name in ("three",) if few else FILLERS:
            chosen = {
                filled(offset, FILLERS[name]) + word: f"{offset}/{show(word)}"
                for offset in range((2 << power) - 4, (2 << power) + 3)
                for word in rare
            }
            yield from stream_blocks(chosen, partial(_all_even, steps), label=f"{1 << power}/{name}")


def _all_even(steps: tuple[int, ...], size: int) -> tuple[Cut, ...]:
    return tuple(even(size, step) for step in steps)
