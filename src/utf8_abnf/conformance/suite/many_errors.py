"""The families of many errors in one input: counters that overflow, faults that cancel, buffers that are too small."""

from __future__ import annotations

from typing import TYPE_CHECKING

from utf8_abnf.conformance.suite.blocks import Block, listed, show
from utf8_abnf.conformance.suite.families import Random, filled
from utf8_abnf.conformance.suite.long_text import BIT_MORE, FAULTS, KIB, turn

if TYPE_CHECKING:
    from collections.abc import Iterator

    from utf8_abnf.conformance.suite.plan import Plan

# What is repeated: each kind of fault, alone and with a character behind it.
REPEATED = (
    *("80", "FF", "C3", "C0 AF", "E2 82", "E0 80 AF", "ED A0 80", "F0 9F 98", "F4 90 80 80"),
    *("80 61", "C3 61", "C0 AF 61", "E2 82 61", "ED A0 80 61", "FF E2 82 AC", "F0 9F 98 C3 A9"),
)
COUNTS = range(1, 521)  # counters of 8 bits have come back to 0 twice
MANY = (32_767, 32_768, 40_000, 65_535, 65_536, 65_537, 100_000)  # counters of 16 bits
#         bytes from one error to the next, and how many errors: for counters of blocks
SPREAD = ((64, (128, 256, 512, 40_000, 65_536)), (32, (128, 256, 512)), (16, (128, 256, 512)))
APART = 130  # bytes: two blocks and a little more


def error_runs(_: Plan) -> Iterator[Block]:
    """Yield 1 to 520 errors of each kind, and tens of thousands: counters overflow, and so do buffers for U+FFFD."""
    for word in map(bytes.fromhex, REPEATED):
        for counts in (COUNTS, MANY):
            yield Block((tuple(word * count for count in counts),), names=(tuple(f"{show(word)}/{n}" for n in counts),))
    for step, counts_ in SPREAD:
        for fault in (b"\xff", b"\xc0\xaf"):
            names = tuple(f"every-{step}/{show(fault)}/{count}" for count in counts_)
            yield Block((tuple((filled(step - len(fault), b"a") + fault) * n for n in counts_),), names=(names,))


def error_pairs(_: Plan) -> Iterator[Block]:
    """Yield two errors at all distances up to 130 and some up to 5000, and three: errors that cancel each other."""
    for distance in range(1, APART + 1):
        for head in dict.fromkeys((b"", b"a" * (distance * 7 % 64))):
            label = (f"{turn(distance)[0]}/{distance}/{len(head)}",)
            for first in (word for word in FAULTS if len(word) <= distance):
                made = (_before(first, distance),)
                names = (label, (show(first),), None, ("end", "text"))
                yield Block(((head,), made, FAULTS, (b"", b"a" * 70)), names=names)
    yield from _in_long_text()
    random = Random(5000)
    for distance in (*range(APART + 6, 5000, 8), *(APART + random.below(5000) for _ in range(250))):
        name = f"far/{turn(distance)[0]}/{distance}"
        yield listed({f"{name}/{show(word)}": _before(word, distance) + word + b"a" * 70 for word in FAULTS})
    yield from _three(random)


def _before(word: bytes, distance: int) -> bytes:
    """Return *word* and text, *distance* bytes in all."""
    return word + filled(distance - len(word), turn(distance)[1])


def _in_long_text() -> Iterator[Block]:
    """Yield two errors at all distances in text that is long enough for a loop over blocks, from eight lanes on.

    Such a loop joins the errors of a block's vectors, so that two of them may cancel each other. The second error is of
    the first one's kind, and of another kind. Some pairs stand in 8 KiB: the loop may need that much.
    """
    for distance in range(1, APART + 1):
        lanes = tuple(8 * number + (distance + distance // 8) % 8 for number in range(8))
        for number, lane in enumerate(lanes):
            yield _in_text(distance, KIB // 2 + lane, KIB + BIT_MORE, 1 + number % 7)
        yield _in_text(distance, 4 * KIB + lanes[distance % 8], 8 * KIB + BIT_MORE, 0)


def _in_text(distance: int, offset: int, size: int, step: int) -> Block:
    """Return pairs of errors in text of *size* bytes: two of one kind, and two that are *step* kinds apart."""
    name, filler = turn(distance + offset)
    pairs = {
        f"{show(first)}/{show(second)}": _before(first, distance) + second
        for number, first in enumerate(FAULTS)
        for second in (first, FAULTS[(number + step) % len(FAULTS)])
        if len(first) <= distance
    }
    words = tuple(word.ljust(size - offset, b"a") for word in pairs.values())
    label = (f"{name}/{offset}/{distance}",)
    return Block(((filled(offset, filler),), words), names=(label, tuple(pairs)))


def _three(random: Random) -> Iterator[Block]:
    """Yield three errors of one kind, and of three, at every distance and at drawn ones."""
    for number in range(3 * APART):
        distances = (4 + number, 4 + number) if number < APART else (4 + random.below(APART), 4 + random.below(APART))
        mixed = tuple(FAULTS[(number + step * (1 + number // 8)) % len(FAULTS)] for step in range(3))
        for words in (mixed, mixed[:1] * 3):
            made = b"".join(map(_before, words, distances)) + words[2]
            name = f"three/{number}/{'-'.join(map(str, distances))}/{'/'.join(map(show, words))}"
            yield listed({f"{name}/end": made, f"{name}/text": made + b"a" * 70})
