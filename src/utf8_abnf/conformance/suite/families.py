"""The families of cases: each function yields the blocks of one family and says why its words find mistakes.

``levels.py`` says which family belongs to which level. ``docs/suites.md`` describes the levels
for readers; ``docs/_static/suites.sha256`` has a hash of each family.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import groupby, product
from typing import TYPE_CHECKING

from utf8_abnf.conformance.suite import words
from utf8_abnf.conformance.suite.blocks import Block, show
from utf8_abnf.conformance.suite.named import NAMED
from utf8_abnf.conformance.suite.words import SIGMA, by_length

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from utf8_abnf.conformance.suite.plan import Plan

# Characters of 1, 2, 3 and 4 bytes that stand around a fault.
FILLERS = {"ascii": b"a", "two": "é".encode(), "three": "€".encode(), "four": "😀".encode()}
BLOCK = 64  # bytes: the widest block of today's validators; 32, 16 and 8 divide it
OFFSETS = range(131)  # two blocks and the first bytes of a third
CUTTING = tuple(map(bytes.fromhex, ("00", "61", "7F", "C0", "C3", "E2", "F0", "FF")))  # that cut a character short
TAILS = SIGMA[0x80:0xC0]  # UTF8-tail = %x80-BF


def filled(size: int, filler: bytes) -> bytes:
    """Return *size* bytes of text: as many *filler* characters as fit, after as many "a" as are left over."""
    return b"a" * (size % len(filler)) + filler * (size // len(filler))


# ---- verdicts: the W method and the cases that it does not contain ----


def named(_: Plan) -> Iterator[Block]:
    """Yield level L0."""
    yield Block((tuple(row.data for row in NAMED),), names=(tuple(row.id for row in NAMED),))


def w_method(k: int) -> Callable[[Plan], Iterator[Block]]:
    """Return the family V·Σ^≤(k+1)·W; for a large automaton V·Σ^≤1·H, whatever *k*."""

    def make(plan: Plan) -> Iterator[Block]:
        if plan.identifiers:
            return words.h_blocks(plan.automaton, plan.cover, range(256), plan.identifiers)
        return words.w_blocks(plan.cover, plan.separating, k)

    return make


def samples(plan: Plan) -> Iterator[Block]:
    """Yield the words of the corpus."""
    yield Block((plan.corpus,))


def readable(plan: Plan) -> Iterator[Block]:
    """Yield V·W or V·H: few cases, in which every state is asked about."""
    each = plan.identifiers or [plan.separating] * len(plan.automaton.table)
    found = words.by_length(v + w for v in plan.cover for w in each[plan.automaton.run(v)])
    yield Block((found,))


def classes(plan: Plan) -> Iterator[Block]:
    """Yield V·C·W or V·C·H: C has one byte, the first, of each class of bytes that the grammar does not tell apart."""
    automaton = plan.automaton
    first = [automaton.classes.index(number) for number in sorted(set(automaton.classes))]
    if plan.identifiers:
        return words.h_blocks(automaton, plan.cover, first, plan.identifiers)
    return iter([Block((plan.cover, tuple(words.SIGMA[byte] for byte in first), plan.separating))])


def second(plan: Plan) -> Iterator[Block]:
    """Yield A₂·Σ^≤1·W: one whole character of each alternative comes before, and must not change the verdict."""
    return words.w_blocks(words.second_prefixes(plan.automaton, plan.tracks), plan.separating, 0)


def leads(plan: Plan) -> Iterator[Block]:
    """Yield A₃·Σ^≤1·W: every first byte, because a decoder's table may have one wrong row for one byte.

    Then every character of three bytes or more, with all bytes in the third place, and with some in the fourth.
    """
    yield from words.w_blocks(words.lead_prefixes(plan.tracks), plan.separating, 0)
    for track in plan.tracks:
        firsts = tuple(SIGMA[low : high + 1] for low, high in track)
        if len(track) > 2:
            yield Block((*firsts[:2], SIGMA), label="cut")
        if len(track) > 3:
            yield Block((*firsts[:3], CUTTING), label="cut")


def scalars(plan: Plan) -> Iterator[Block]:
    """Yield every character alone: a table of code points may be wrong in one entry."""
    for track in plan.tracks:
        yield Block(tuple(SIGMA[low : high + 1] for low, high in track))


def texts(plan: Plan) -> Iterator[Block]:
    """Yield every character again, in texts that go through all last bytes, for the fast paths for long text.

    Then every character of two or three bytes before a letter, after one, and after a sign of three bytes. Then every
    two characters side by side that are the lowest or the highest of a first byte, and every three that are so of an
    alternative.
    """
    for track in plan.tracks:
        *heads, (low, high) = track
        prefixes = list(map(b"".join, product(*(SIGMA[first : last + 1] for first, last in heads))))
        if heads:
            made = tuple(prefix + prefix.join(SIGMA[low : high + 1]) for prefix in prefixes)
            yield Block((made,), names=(tuple(f"{show(prefix)}-xx" for prefix in prefixes),))
    for track in plan.tracks:
        if len(track) in (2, 3):
            character = tuple(SIGMA[low : high + 1] for low, high in track)
            yield from (Block((*character, (b"a",))), Block(((b"a", FILLERS["three"]), *character)))
    yield from (Block((ends_of_leads(plan),) * 2), Block((ends(plan),) * 3))


def ends(plan: Plan) -> tuple[bytes, ...]:
    """Return the lowest and the highest character of each alternative."""
    return tuple(dict.fromkeys(bytes(each) for track in plan.tracks for each in zip(*track, strict=True)))


def ends_of_leads(plan: Plan) -> tuple[bytes, ...]:
    """Return the lowest and the highest character of each first byte."""
    characters = (
        bytes([lead, *(pair[end] for pair in rest)])
        for (low, high), *rest in plan.tracks
        for lead in range(low, high + 1)
        for end in (0, 1)
    )
    return tuple(dict.fromkeys(characters))


def coded(_: Plan) -> Iterator[Block]:
    """Yield every ill-formed sequence with a bit pattern of RFC 3629 section 3: some decoders check no more."""
    #                 1st byte             2nd byte             3rd and 4th       what its bits would say
    yield Block((SIGMA[0xC0:0xC2], TAILS), label="overlong-2")  #                    U+0000..007F
    yield Block((SIGMA[0xE0:0xE1], SIGMA[0x80:0xA0], TAILS), label="overlong-3")  #  U+0000..07FF
    yield Block((SIGMA[0xED:0xEE], SIGMA[0xA0:0xC0], TAILS), label="surrogate")  #   U+D800..DFFF
    yield Block((SIGMA[0xF0:0xF1], SIGMA[0x80:0x90], TAILS, TAILS), label="overlong-4")  # U+0000..FFFF
    yield Block((SIGMA[0xF4:0xF5], SIGMA[0x90:0xC0], TAILS, TAILS), label="too-large")  # 110000..13FFFF
    yield Block((SIGMA[0xF5:0xF8], TAILS, TAILS, TAILS), label="too-large")  #            140000..1FFFFF


def pairs(_: Plan) -> Iterator[Block]:
    """Yield surrogate pairs, high before low: CESU-8 writes them for characters of four bytes."""
    high = (SIGMA[0xED:0xEE], SIGMA[0xA0:0xB0], TAILS)  # U+D800..DBFF
    low = (SIGMA[0xED:0xEE], SIGMA[0xB0:0xC0], (b"\x80", b"\xbf"))  # U+DC00..DFFF
    yield Block((*high, *low))


def long_forms(_: Plan) -> Iterator[Block]:
    """Yield the forms of 4 to 13 bytes that RFC 2279, older software and Perl define, and the same forms cut short."""
    seconds = tuple(bytes([byte]) for byte in (0x80, 0x81, 0x82, 0x83, 0x84, 0x87, 0x88, 0x8F, 0x90, 0x9F, 0xA0, 0xBF))
    tails = by_length(tail * count for tail in (b"\x80", b"\xbf") for count in range(12))
    yield Block((SIGMA[0xF5:], seconds, tails))


# ---- verdicts: where a fault stands ----


def fault_words(plan: Plan) -> tuple[bytes, ...]:
    """Return words with one fault at most: a prefix of a character, then an edge byte of each class, then tails.

    Where the word can be completed, the lowest possible tails complete it, so that no second fault hides the first.
    """
    automaton = plan.automaton
    prefixes = words.prefix_closed(map(words.lowest, plan.tracks))
    made = list(prefixes)
    for prefix in prefixes:
        for byte in words.edges(automaton):
            word = prefix + bytes([byte])
            state = automaton.run(word)
            while state not in automaton.accepting and state not in automaton.dead:
                low, _, state = next(words.ranges(automaton, state))
                word += bytes([low])
            made.append(word)
    return by_length(made)


def few_faults(plan: Plan) -> tuple[bytes, ...]:
    """Return a word of each kind of fault: cut off at each place, and each kind of ill-formed sequence.

    The last words are characters of five and six bytes as RFC 2279 section 2 had them, and one of those cut to four.
    """
    cut = [word for word in words.prefix_closed(map(words.lowest, plan.tracks)) if not plan.oracle.accepts(word)]
    wrong = ("80", "BF", "C0 80", "C1 BF", "E0 9F BF", "ED A0 80", "F0 8F BF BF", "F4 90 80 80", "F5 80 80 80", "FF")
    long = ("F8 80 80 80", "F8 88 80 80 80", "FC 84 80 80 80 80")
    return by_length([b"", *cut, *map(bytes.fromhex, (*wrong, *long))])


def followers(at: int) -> dict[str, bytes]:
    """Return what may follow a word that ends at offset *at*: nothing, a byte, the rest of the block, or more."""
    rest = b"a" * (-at % BLOCK)
    return {
        "end": b"",
        "byte": b"a",
        "block": rest,
        "block-and-byte": rest + b"a",
        "blocks": rest + b"a" * (3 * BLOCK),
        "zeros": b"\0" * (2 * BLOCK + 1),
        "kilobyte": rest + b"a" * 1024,
    }


def placed(name: str, filler: bytes, offset: int, chosen: tuple[bytes, ...], ends: tuple[str, ...]) -> Iterator[Block]:
    """Yield *chosen* words at *offset* of a text of *filler* characters, each followed by what *ends* names."""
    head, label = (filled(offset, filler),), (f"{name}/{offset}",)
    for size, same in _same_size(chosen):
        after = followers(offset + size)
        yield Block((head, same, tuple(after[end] for end in ends)), names=(label, None, ends))


@lru_cache(maxsize=8)
def _same_size(chosen: tuple[bytes, ...]) -> tuple[tuple[int, tuple[bytes, ...]], ...]:
    return tuple((size, tuple(same)) for size, same in groupby(sorted(chosen, key=len), key=len))


def positions(plan: Plan) -> Iterator[Block]:
    """Yield every single fault at every offset of the first blocks: faults of block-wise validators depend on it."""
    chosen = fault_words(plan)
    for name, filler in FILLERS.items():
        for offset in OFFSETS:
            if offset >= len(filler) or name == "ascii":  # else it is the same text as with "ascii"
                yield from placed(name, filler, offset, chosen, ("end", "byte", "block", "block-and-byte", "blocks"))


def loops(plan: Plan) -> Iterator[Block]:
    """Yield each kind of fault before zeros, and in long text: some fast paths are for zeros, some loops unrolled."""
    kinds = few_faults(plan)
    for name, filler in FILLERS.items():
        for offset in OFFSETS:
            yield from placed(name, filler, offset, kinds, ("zeros",))
    for offset in range(0, 1025, 8):
        for name in ("ascii", "three"):
            yield from placed(name, FILLERS[name], offset, kinds, ("kilobyte",))


def mixed(plan: Plan) -> Iterator[Block]:
    """Yield every single fault in seeded random text of all kinds of characters."""
    random = Random(2003)  # the year of RFC 3629
    heads = tuple(random.text(plan, 8 + 2 * i) for i in range(48))
    tails = (b"", *(random.text(plan, size) for size in (3, 33, 90)))
    names = tuple(f"{i}" for i in range(max(len(heads), len(tails))))
    chosen = fault_words(plan)
    yield from (
        Block(((head,), chosen, tails), names=((names[i],), None, names[: len(tails)])) for i, head in enumerate(heads)
    )


class Random:
    """Reproducible random numbers: xorshift64 (Marsaglia 2003). No library can change the sequence."""

    def __init__(self, seed: int) -> None:
        self.state = seed

    def below(self, bound: int) -> int:
        """Return a number from 0 to *bound* - 1."""
        self.state ^= self.state << 13 & (1 << 64) - 1
        self.state ^= self.state >> 7
        self.state ^= self.state << 17 & (1 << 64) - 1
        return (self.state >> 16) % bound

    def text(self, plan: Plan, size: int) -> bytes:
        """Return well-formed text of *size* bytes or up to three more, with characters of all tracks."""
        made = b""
        while len(made) < size:
            track = plan.tracks[self.below(len(plan.tracks))]
            made += bytes(low + self.below(high - low + 1) for low, high in track)
        return made


def far_positions(plan: Plan) -> Iterator[Block]:
    """Yield each kind of fault around powers of two up to 2^20, where counters and buffers end, and some between."""
    kinds = few_faults(plan)
    for power in (8, 10, 12):
        for offset in range((1 << power) - 4, (1 << power) + 4):
            for name, filler in FILLERS.items():
                yield from placed(name, filler, offset, kinds, ("end", "blocks"))
    rare = tuple(map(bytes.fromhex, ("", "80", "E2 82", "ED A0 80", "F0 9F 98", "FF")))
    for offset in range(131, 4200, 61):
        yield from placed("ascii", FILLERS["ascii"], offset, rare, ("end", "byte"))
    for power, reach in ((13, 2), (14, 2), (15, 2), (16, 4), (20, 1)):
        for offset in range((1 << power) - reach, (1 << power) + reach):
            for name in ("ascii", "three"):
                yield from placed(name, FILLERS[name], offset, rare, ("end",) if power == 20 else ("end", "byte"))


# ---- sessions: one input must not change the verdict on the next ----


CUT_OFF = {  # and what completes it
    b"\xc3": b"\xa9",
    b"\xe2": b"\x82\xac",
    b"\xe2\x82": b"\xac",
    b"\xf0\x9f": b"\x98\x80",
    b"\xf0\x9f\x98": b"\x80",
}
LEAVING = (*range(1, 261), *((1 << power) + more for power in (9, 10, 11, 12) for more in (-1, 0, 1)))  # bytes


def session_words(plan: Plan) -> tuple[bytes, ...]:
    """Return inputs that leave something behind in a faulty decoder, or show that something was left."""
    texts = [filled(size, filler) for filler in FILLERS.values() for size in (16, 31, 64, 130, 4096)]
    special = ("EF BB BF", "EF BB BF 61", "00", "61 00 62", "EF BF BE", "EF BF BF", "FF FE", "7F", "0A", "C0 80")
    cut_texts = [filled(63, filler) + word for filler in FILLERS.values() for word in (b"\xe2\x82", b"\xf0\x9f\x98")]
    tails = [b"\x80" * count for count in (1, 2, 3)] + [b"\x82\xac", b"\xac", b"\x9f\x98\x80", b"\x98\x80", b"\xa9"]
    prefixes = [character[:end] for character in FILLERS.values() for end in range(len(character) + 1)]
    return by_length([*texts, *map(bytes.fromhex, special), *cut_texts, *tails, *prefixes, *few_faults(plan)])


def sessions(plan: Plan) -> Iterator[Block]:
    """Yield every ordered pair of session words, the second immediately after the first.

    Then, for text of every size up to 260 and around powers of two, what may show that something was left of it.
    """
    chosen = session_words(plan)
    for first in chosen:
        yield _pairs((first, second_) for second_ in chosen)
    yield from (_pairs(_pairs_of_size(size), label=f"size-{size}") for size in LEAVING)


def _pairs(pairs: Iterable[tuple[bytes, bytes]], label: str = "") -> Block:
    """Return the words of *pairs*, one pair behind the other."""
    words_, names = [], []
    for one, two in pairs:
        words_ += [one, two]
        names += [f"{show(one)}/before/{show(two)}", f"{show(two)}/after/{show(one)}"]
    return Block((tuple(words_),), label=label, names=(tuple(names),))


def _pairs_of_size(size: int) -> Iterator[tuple[bytes, bytes]]:
    """Yield a text of *size* bytes, cut within a character, well-formed or not, and what it may have an effect on."""
    filler = tuple(FILLERS.values())[size % len(FILLERS)]
    text, letter = filled(size, filler), b"a"
    for cut, rest in CUT_OFF.items():
        if len(cut) <= size:
            yield filled(size - len(cut), filler) + cut, rest + letter
    yield from ((text, fault) for fault in (b"\x80", b"\xc0\xaf", b"\xff"))
    yield filled(size - 1, filler) + b"\xff", text


# ---- in process only ----


def four_bytes(_: Plan) -> Iterator[Block]:
    """Yield all 2^32 strings of four bytes."""
    for lead in SIGMA:
        yield Block(((lead,), SIGMA, SIGMA, SIGMA))


def aligned(plan: Plan) -> Iterator[Block]:
    """Yield every single fault at the offsets 0..66 of two kinds of text: for a word that begins anywhere in memory."""
    chosen = fault_words(plan)
    for name in ("ascii", "three"):
        for offset in range(67):
            yield from placed(name, FILLERS[name], offset, chosen, ("end", "block-and-byte"))


def guarded(plan: Plan) -> Iterator[Block]:
    """Yield W/k0 and the words of ``aligned``: for a word that ends where memory ends."""
    yield from words.w_blocks(plan.cover, plan.separating, 0)
    yield from aligned(plan)
