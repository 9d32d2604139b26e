"""The families of long text: where blocks, buffers and their rests end, and where fast paths for long text begin.

No list of block or buffer sizes holds them all, so none is kept: faults stand at *every* offset of some stretch. A
decoder that works on pieces of m bytes is caught at the first piece's end, whatever m is, as long as it lies in there.
"""

from __future__ import annotations

from itertools import chain, islice, product
from typing import TYPE_CHECKING

from utf8_abnf.conformance.suite import words
from utf8_abnf.conformance.suite.blocks import Block, listed, show
from utf8_abnf.conformance.suite.families import FILLERS, Random, fault_words, few_faults, filled
from utf8_abnf.conformance.suite.words import SIGMA

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from utf8_abnf.conformance.suite.plan import Plan

KIB = 1024
BIT_MORE = 61  # bytes: no multiple of a block's size
LANES = 384  # bytes: the widest block that is looked for, three vectors of 128 bytes or six of 64
BEHIND_TAILS = (65, 130, 333, KIB, KIB + BIT_MORE, 2 * KIB + 9, 4 * KIB + 33, 8 * KIB + BIT_MORE)
ROUND = sorted({*range(5_000, 65_001, 1_000), *range(5 * KIB, 64 * KIB, KIB), 65_521, 65_535})  # likely buffers beyond
EVERY_OFFSET = 4224  # bytes: beyond a page of 4096, and beyond buffers of a network packet, 1460 or 1500

# A fault of each kind, short enough to stand anywhere. The last two are cut by the "a" that follows them.
#         lone  overlong      surrogate above 10FFFF F5..FF  missing tails
SHORT = ("80", "C0 AF", "E0 80 AF", "ED A0 80", "F4 90 80 80", "FF", "E2 82 61", "F0 9F 98 61")
FAULTS = tuple(map(bytes.fromhex, SHORT))
CUT = tuple(map(bytes.fromhex, ("C3", "E2", "E2 82", "F0 9F", "F0 9F 98")))  # by the end of the input


def turn(number: int) -> tuple[str, bytes]:
    """Return the name and the bytes of the filler whose turn it is."""
    name = tuple(FILLERS)[number % len(FILLERS)]
    return name, FILLERS[name]


def at(name: str, offset: int, faults: tuple[bytes, ...], rests: dict[str, bytes]) -> Block:
    """Return *faults* at *offset* of text of the filler *name*, before each of *rests*."""
    head = (filled(offset, FILLERS[name]),)
    return Block((head, faults, tuple(rests.values())), names=((f"{name}/{offset}",), None, tuple(rests)))


def turns(number: int, chosen: tuple[bytes, ...], count: int) -> tuple[bytes, ...]:
    """Return *count* of *chosen*, others for each *number*, so that after some numbers all had their turn."""
    return tuple(dict.fromkeys(chosen[(number * count + i) % len(chosen)] for i in range(count)))


def _up_to(total: int, offset: int) -> dict[str, bytes]:
    return {f"to-{total}": b"a" * (total - offset)}


def lanes(plan: Plan) -> Iterator[Block]:
    """Yield every kind of fault in every lane of a block, in text of 1 KiB and of 8 KiB and a bit.

    Code for long text has tables of its own, one for each lane at worst, and starts at some length.
    """
    every, few = fault_words(plan), few_faults(plan)
    for lane in range(LANES):
        for number in (lane, lane + 1 + lane // 4 % 3):  # two fillers, another pair in each block
            name, _ = turn(number)
            offset = KIB // 2 + lane
            yield at(name, offset, every if lane < 64 and number == lane else few, _up_to(KIB + BIT_MORE, offset))
    for lane in range(LANES // 3):
        offset = 4 * KIB + lane
        yield at(turn(lane + lane // 4)[0], offset, few, _up_to(8 * KIB + BIT_MORE, offset))
    for lane in range(LANES // 3, KIB):  # of loops over the widest blocks
        offset = 4 * KIB + lane
        yield at(turn(lane)[0], offset, FAULTS, _up_to(8 * KIB + BIT_MORE, offset))


def starts(plan: Plan) -> Iterator[Block]:
    """Yield faults at every offset 0..260 before a kilobyte, and before eight: the start of long text.

    First, one to three tails that begin the text: a function that looks at the memory before it may complete them.
    """
    tails = tuple(map(bytes, chain.from_iterable(product(b"\x80\x9f\xbf", repeat=count) for count in (1, 2, 3))))
    for name, filler in FILLERS.items():
        texts = tuple(filled(size, filler) for size in BEHIND_TAILS)
        yield Block((tails, texts), label=f"tails/{name}", names=(None, tuple(map(str, BEHIND_TAILS))))
    few = few_faults(plan)
    for offset in range(261):
        for number in (offset, offset + 1 + offset // 4 % 3):
            yield at(turn(number)[0], offset, few, {"kilobyte": b"a" * (KIB + BIT_MORE)})
        yield at(turn(offset)[0], offset, FAULTS, _up_to(8 * KIB + BIT_MORE, offset))


def borders(_: Plan) -> Iterator[Block]:
    """Yield faults at every offset up to 4224, and a sample beyond: for buffers and blocks of any size.

    Whatever the size, its first border lies there. Other faults end the text there, and characters that are cut off end
    it at every offset up to twice that. Beyond, faults lie across every border of ``ROUND``.
    """
    for offset in range(EVERY_OFFSET):
        name, _filler = turn(offset + offset // 64)
        yield at(name, offset, FAULTS, _up_to(EVERY_OFFSET + 128 + BIT_MORE, offset))
        yield at(name, offset, (*turns(offset, FAULTS, 2), *turns(offset, CUT, 1)), {"end": b""})
        yield at(name, EVERY_OFFSET + offset, turns(offset, CUT, 1), {"end": b""})
    random = Random(1460)
    for begin in range(EVERY_OFFSET, 1 << 16, 256):
        offset = begin + random.below(256)
        yield at(turn(offset)[0], offset, (*turns(begin // 256, FAULTS, 2), *turns(begin // 256, CUT, 1)), {"end": b""})
    for size, step in ((16 * KIB, 256), (32 * KIB, 256), (64 * KIB, 512)):
        for begin in range(0, size, step):  # in text that goes on: a fast path may begin at such a size
            offset = begin + random.below(step)
            yield at(turn(offset)[0], offset, turns(begin // step, FAULTS, 4), _up_to(size + 4 + BIT_MORE, offset))
    for border in ROUND:
        for offset in range(border - 3, border + 1):
            across = tuple(word for word in FAULTS if offset + len(word) > border) if offset < border else FAULTS[:1]
            yield at(turn(border)[0], offset, across, {"round": b"a" * BIT_MORE})


def rests(plan: Plan) -> Iterator[Block]:
    """Yield faults in the rest behind the last full block of long text, for rests of every length, whatever the block.

    The text has 1 KiB and 0..384 bytes, then 8 KiB and so many; the fault ends it or lies at some bytes before the end.
    """
    both = (*FAULTS, *CUT)
    for number in range(LANES):
        name, filler = turn(number + number // 64)
        cases = {}
        for base, places in ((KIB, (0, 1, 2, 4, 8, 16, 32, 64)), (8 * KIB, (0, 1, 24))):
            for before_end in places:
                every = base == KIB and before_end < 2
                for fault in both if every else turns(number + before_end, both, 4):
                    text = filled(base + number - before_end - len(fault), filler)
                    cases[f"{name}/{base + number}/{before_end}/{show(fault)}"] = text + fault + b"a" * before_end
        yield listed(cases)
    chosen = tuple(word for word in few_faults(plan) if word)
    for size in range(KIB, KIB + 64):  # every kind of fault as the last thing in the rest of a block of 64
        yield listed({f"last/{size}/{show(word)}": filled(size - len(word), b"a") + word for word in chosen})


def inner(plan: Plan) -> Iterator[Block]:
    """Yield all pairs of bytes, and every first byte's tails, within long text, for the tables of fast paths."""
    tails = (b"", b"\x80", b"\x80\x80")
    for name, filler in (("ascii", FILLERS["ascii"]), ("three", FILLERS["three"])):
        head, rest = (filled(37, filler),), (filled(96, filler),)
        label = ((name,), None, None)
        yield from (
            Block((head, SIGMA[i : i + 16], SIGMA, tails, rest), names=(*label, None, ("",))) for i in range(0, 256, 16)
        )
        prefixes = [word for word in words.lead_prefixes(plan.tracks) if not plan.oracle.accepts(word)]
        yield Block((head, tuple(prefixes), SIGMA, rest), names=(*label, ("",)))
    random = Random(256)
    for number, first in enumerate(SIGMA):  # every pair again, far from the start of a text
        name, offset = tuple(FILLERS)[number % len(FILLERS)], 100 + random.below(300)
        head, rest = (filled(offset, FILLERS[name]),), (filled(30, FILLERS[name]),)
        for pairs in (SIGMA[:128], SIGMA[128:]):
            yield Block(
                (head, (first,), pairs, tails[::2], rest), names=((f"far/{name}/{offset}",), *[None] * 3, ("",))
            )


def sizes(_: Plan) -> Iterator[Block]:
    """Yield well-formed text of every size up to 300 bytes and around powers of two: a decoder must accept it.

    Then of every size up to 4,224 and of one in 256 beyond, each in characters of one kind.
    """
    characters = {**FILLERS, "nul": b"\0", "delete": b"\x7f", "last-two": b"\xdf\xbf", "last-three": b"\xef\xbf\xbf"}
    characters |= {"last-four": b"\xf4\x8f\xbf\xbf", "mixed": b"".join(FILLERS.values())}
    near = [size for power in (9, 10, 11, 12, 13, 14, 15, 16) for size in range((1 << power) - 2, (1 << power) + 3)]
    for name, filler in characters.items():
        for size in [*range(301), *near, *([1 << 20] if name in FILLERS else [])]:
            yield Block(((filled(size, filler),),), names=((f"{name}/{size}",),))
    random = Random(301)
    for size in (*range(301, 4225), *(begin + random.below(256) for begin in range(4225, 1 << 16, 256))):
        name = tuple(FILLERS)[(size + size // 4) % len(FILLERS)]
        yield Block(((filled(size, FILLERS[name]),),), names=((f"every/{name}/{size}",),))


OPENINGS = (
    *("\ufeff", '{"', "[{", "<?xml", "<!DOCTYPE", "<html", "%PDF", "#!", "---"),
    *("//", "/*", "\r\n", "é", "€", "😀"),
)
OPENED = (300, 1_100, 3_333, 9_001, 20_003, 70_000)  # bytes: text of so many or more is caught by the last
WITH_ALL = (3_333, 20_003)  # of these: with all kinds of faults


def openings(_: Plan) -> Iterator[Block]:
    """Yield faults within text that begins and ends with each character of ASCII, and with what begins a file.

    A decoder may look at the first bytes to choose how it reads long text, and choose a way that does not check it.
    """
    every = (b"", *FAULTS)
    for number, opening in enumerate((*SIGMA[:0x80], *(text.encode() for text in OPENINGS))):
        for size in OPENED:
            offset = len(opening) + size // 2
            head = opening + filled(size // 2, turn(number + size)[1])
            chosen = every if size in WITH_ALL else (b"", *turns(number + size, FAULTS, 2))
            names = ((f"{show(opening)}/{size}",), None, ("",))
            yield Block(((head,), chosen, (b"a" * (size - offset) + opening,)), names=names)
        yield Block(((opening + filled(WITH_ALL[-1], b"a"),), CUT), names=((f"{show(opening)}/cut",), None))


#            2^n  fillers             faults
VAST = (
    (20, ("ascii", "three", "four"), ("", "80", "C0 AF", "ED A0 80", "E2 82", "FF")),
    (21, ("ascii", "three"), ("", "80", "C0 AF", "E2 82")),
    (24, ("three",), ("", "80", "C0 AF", "ED A0 80", "F4 90 80 80", "FF", "E2 82")),
)
MAX_SENT = (1 << 24) + 4 * KIB  # bytes of the longest case of ``vast``


def vast(_: Plan) -> Iterator[Block]:
    """Yield text and faults beyond 2^20, 2^21 and 2^24 bytes: where counters, floats and shifted offsets end."""
    for power, fillers, faults in VAST:
        for name in fillers:
            offset = (1 << power) + 11  # odd: a float that has 24 bits cannot hold 2^24 + 11
            words = tuple(map(bytes.fromhex, faults))
            yield at(name, offset, words, {"end": b""} if power == 20 else {"more": b"a" * (3 * KIB)})


def offsets(_: Plan) -> Iterator[Block]:
    """Yield faults at every offset up to 65,536, before the end and before some text, for functions in process."""
    for offset in range((1 << 16) + 1):
        for name in ("ascii", "three"):
            yield at(name, offset, (*turns(offset, FAULTS, 4), CUT[2]), {"end": b"", "text": b"a" * BIT_MORE})


# ---- L1: short enough for one process per case ----


def behind(_: Plan) -> Iterator[Block]:
    """Yield each short fault behind 1..130 characters, at the end of the text and with a byte after it."""
    cut = (*CUT, b"\xf0")
    for count in range(1, 131):
        for name, number in (("ascii", 0), (turn(1 + count % 3)[0], 1)):
            characters = (FILLERS[name] * count,)
            label = ((f"{name}/{count}",), None)
            yield Block((characters, (*FAULTS, *islice(cut, number, None))), names=label)


LINE = "The quick brown fox jumps over the lazy dog 0123456789\r\n"
KINDS = {
    "letters": b"a",
    "digits": b"0123456789",
    "spaces": b" ",
    "lines": LINE.encode(),
    "nul": b"\0",
    "two": FILLERS["two"],
    "three": FILLERS["three"],
    "four": FILLERS["four"],
    "mixed": "aé€😀".encode(),
    "hangul": "한국어 ".encode(),
    "bom": b"\xef\xbb\xbf",
}


def long_inputs(_: Plan) -> Iterator[Block]:
    """Yield one long input of each kind, well-formed and with a fault behind it: buffers and limits on length."""
    for name, text in KINDS.items():
        for count in (1_000, 10_000):
            made = text * (count // len(text) if len(text) > 4 else count)
            yield Block(((made,), (b"", *FAULTS[:1], CUT[2])), names=((f"{name}/{count}",), None))
    yield Block(
        ((b"a" * 100_000, FILLERS["three"] * 40_000), (b"", b"\xff")), names=(("letters/100000", "three/40000"), None)
    )


def edges(plan: Plan) -> Iterator[Block]:
    """Yield the outer edges of every alternative: after every first byte each later byte just within and just outside.

    Every byte after 7F begins them, so that a limit that is one off shows wherever it stands, also as a limit of code
    points. They come alone, and within text that is long enough for a fast path.
    """
    found = tuple(dict.fromkeys(_edge_words(plan)))
    yield Block((found,))
    yield Block(((b"a" * 37,), found, (b"a" * 96,)), names=(("within",), None, ("",)))


def _edge_words(plan: Plan) -> Iterator[bytes]:
    lows = tuple(map(bytes.fromhex, ("00", "7F", "80", "8F", "90", "9F", "A0", "BF", "C0", "FF")))
    yield from (b"\0", b"\x7f")
    tails = {2: (), 3: (b"\x80", b"\xbf"), 4: (b"\x80\x80", b"\xbf\xbf")}
    for lead in range(0x80, 0x100):
        first = bytes([lead])
        yield first
        size = 4 if lead >= 0xF0 else 3 if lead >= 0xE0 else 2
        yield from (first + second + rest for second in lows for rest in tails[size] or (b"",))
        if size > 2:
            yield from _later_edges(first, size, lows, _allowed(plan, lead))


def _later_edges(first: bytes, size: int, lows: tuple[bytes, ...], seconds: Iterable[bytes]) -> Iterator[bytes]:
    for second in seconds:
        for byte in lows:
            yield first + second + byte + b"\x80" * (size - 3)
            if size == 4:
                yield first + second + byte + b"\xbf"
                yield from (first + second + third + byte for third in (b"\x80", b"\xbf"))


def _allowed(plan: Plan, lead: int) -> tuple[bytes, bytes]:
    """Return the lowest and the highest byte that may follow *lead*; those of UTF8-tail where none may."""
    for (low, high), *rest in plan.tracks:
        if rest and low <= lead <= high:
            return bytes(rest[0][:1]), bytes(rest[0][1:])
    return b"\x80", b"\xbf"
