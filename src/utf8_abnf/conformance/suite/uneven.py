"""The families of streams in uneven pieces, as pipes, TLS and networks deliver them, and of long streams.

A text in characters of three bytes, begun at two places, is cut within a character at every border of its pieces at
least once. So one text in many pieces asks for every pair of sizes: a decoder that forgets what is pending between a
piece of a bytes and one of b refuses it.
"""

from __future__ import annotations

from itertools import chain, product
from typing import TYPE_CHECKING

from utf8_abnf.conformance.framing import pack_chunks
from utf8_abnf.conformance.suite.blocks import Block, show
from utf8_abnf.conformance.suite.families import FILLERS, Random, filled
from utf8_abnf.conformance.suite.long_text import FAULTS
from utf8_abnf.conformance.suite.streams import even

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from utf8_abnf.conformance.suite.plan import Plan
    from utf8_abnf.conformance.suite.streams import Cut

SMALL = range(65)
TINY = range(13)
# Pieces that software reads and writes: powers of two, network packets (1460 and less), a record of TLS (16,384).
PIECES = (
    *(0, 1, 2, 3, 5, 8, 15, 16, 17, 31, 32, 33, 63, 64, 65, 100, 127, 128, 255, 256, 500, 512, 536, 1000, 1024),
    *(1369, 1400, 1448, 1460, 1500, 2048, 4096, 8192, 16384, 16389, 32768, 65536),
)
PACKETS = tuple(size for size in PIECES if 64 < size <= 2048)
MAX_PAIR = 70_000  # bytes: of the largest pieces not every pair
# Ill-formed words, cut where they are read wrongly if the next piece is taken for a new start, or for a mere tail.
SECONDS = ((b"\xe0", b"\x9f\xbf"), (b"\xed", b"\xa0\x80"), (b"\xf0", b"\x8f\xbf\xbf"), (b"\xf4", b"\x90\x80\x80"))
OTHERS = ((b"", b"\x80"), (b"\xe2", b"a"), (b"\xc0", b"\xaf"), (b"\xf0\x9f", b"a"))
BOM = b"\xef\xbb\xbf"


def text(size: int, name: str, shift: int = 0) -> bytes:
    """Return *size* bytes: *shift* letters, characters of the filler *name*, and letters for what is left."""
    filler = FILLERS[name]
    made = b"a" * min(shift, size) + filler * (max(0, size - shift) // len(filler))
    return made.ljust(size, b"a")


def stream(name: str, cut: Cut, data: bytes) -> Block:
    """Return the block of one stream."""
    return Block(((pack_chunks(cut),), (data,)), names=((name,), ("",)), skip=1)


def in_turn(*sizes: Iterable[int]) -> Cut:
    """Return each of the *sizes* in turn.

    >>> in_turn((9, 9), (1, 2))
    (9, 1, 9, 2)
    """
    return tuple(chain.from_iterable(zip(*sizes, strict=True)))


def stream_pairs(_: Plan) -> Iterator[Block]:
    """Yield streams in which every pair of sizes follows each other, and every triple of small ones."""
    ways = [(name, shift) for name in ("two", "three", "four") for shift in range(len(FILLERS[name]))]
    for first in SMALL:
        cut = in_turn((first,) * len(SMALL), SMALL)
        for name, shift in ways:
            yield stream(f"small/{first}/{name}/{shift}", cut, text(sum(cut), name, shift))
    for first in PIECES:
        seconds = [size for size in PIECES if first + size <= MAX_PAIR]
        cut = in_turn((first,) * len(seconds), seconds)
        for shift in (0, 1):
            yield stream(f"pieces/{first}/{shift}", cut, text(sum(cut), "three", shift))
    for first in PIECES[len(PIECES) - 22 : -2]:  # a large piece before and after every small one
        cut = in_turn((first,) * len(SMALL), SMALL)
        for shift in (0, 1):
            yield stream(f"mixed/{first}/{shift}", cut, text(sum(cut), "three", shift))
    for first, second in product(TINY, TINY):
        cut = in_turn((first,) * len(TINY), (second,) * len(TINY), TINY)
        for shift in (0, 1):
            yield stream(f"triples/{first}/{second}/{shift}", cut, text(sum(cut), "three", shift))


def stream_junctions(_: Plan) -> Iterator[Block]:
    """Yield an ill-formed word across the border of two pieces, for every pair of sizes."""
    for first, second in product(range(41), range(41)):
        for word in (*SECONDS, *OTHERS):
            yield _across(first, second, *word)
    small, large = PIECES[:13], PIECES[13:]
    pairs = (
        *product(PIECES, large),
        *product(large, small),
        *product(range(41), PACKETS),
        *product(PACKETS, range(41)),
    )
    for number, (first, second) in enumerate(dict.fromkeys(pairs)):
        if first + second <= MAX_PAIR:
            for word in (SECONDS[number % 4], OTHERS[0], OTHERS[1 + number % 3]):
                yield _across(first, second, *word)


def _across(first: int, second: int, head: bytes, tail: bytes) -> Block:
    before = b"a" * (5 + first - len(head)) if first < 41 else filled(5 + first - len(head), FILLERS["three"])
    data = before + head + tail + b"a" * (max(0, second - len(tail)) + 3)
    cut = (5, first, second, len(data) - 5 - first - second)
    return stream(f"{first}/{second}/{show(head + tail)}", cut, data)


def stream_empty(_: Plan) -> Iterator[Block]:
    """Yield runs of empty pieces within characters and behind faults, and a BOM where a piece begins."""
    words = (*(FILLERS[name] for name in ("two", "three", "four")), *map(b"".join, (*SECONDS, *OTHERS)))
    for word, empty in product(words, (2, 3, 4, 300)):
        cut = (1, *((0,) * empty + (1,)) * (len(word) - 1), *(0,) * empty)
        yield stream(f"within/{show(word)}/{empty}", cut, word)
    for word, empty, more in product((*FAULTS, *FILLERS.values()), (1, 2, 3, 300), (0, 1, 60)):
        yield stream(f"behind/{show(word)}/{empty}/{more}", (len(word), *(0,) * empty, more), word + b"a" * more)
    for name, filler in FILLERS.items():
        for at in range(len(filler) + 1):
            for before, after in product((0, 1, 64), (0, 1, 64)):
                data = b"a" * before + filler[:at] + BOM + b"b" * after
                cut = (before + at, 3 + after)
                yield stream(f"bom/{name}/{at}/{before}/{after}", (*cut, len(filler) - at), data + filler[at:])
                yield stream(f"bom-ends/{name}/{at}/{before}/{after}", cut, data)
        for cut in ((4, 1, 2, 4), (4, 2, 1, 4), (4, 1, 1, 1, 4), (4, 0, 3, 4)):
            yield stream(f"bom-cut/{name}/{'+'.join(map(str, cut))}", cut, text(4, name) + BOM + text(4, name))


def stream_long(_: Plan) -> Iterator[Block]:
    """Yield streams of thousands of pieces, of more than 128 KiB and of 1 MiB, with a fault behind all that or none."""
    faults = (b"", *FAULTS, b"\xe2\x82")
    for step, fault in product((1, 2, 3, 5, 7), faults):
        data = text(5000 * step, "three", 1) + fault
        yield stream(f"5000-pieces/{step}/{show(fault)}", even(len(data), step), data)
    for fault in faults[:3]:
        data = text(70_000, "four") + fault
        yield stream(f"70000-pieces/{show(fault)}", even(len(data), 1), data)
    for step, fault in product((1000, 1460, 4096, 16384, 65536), faults):
        data = text(300_000, "three", 1) + fault + b"a" * step
        yield stream(f"300000/{step}/{show(fault)}", even(len(data), step), data)
    for fault in faults[:3]:
        data = text((1 << 20) + 100_000, "three", 1) + fault
        yield stream(f"1148576/{show(fault)}", even(len(data), 8192), data)
    random = Random(128)
    for number in range(400):
        cut = tuple(random.below((4, 20, 100, 1500)[random.below(4)]) for _ in range(20 + random.below(200)))
        fault = FAULTS[number % len(FAULTS)] if number % 2 else b""
        at = random.below(sum(cut) - 3) if fault else 0
        head = text(at, "three", number % 3)
        data = head + fault + text(sum(cut) - len(head) - len(fault), ("two", "three", "four")[number % 3])
        yield stream(f"drawn/{number}", (*cut[:-1], len(data) - sum(cut[:-1])), data)
