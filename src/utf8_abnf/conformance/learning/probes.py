"""Probes: further words to check a model on, which find decoders that are larger automata, or are not automata.

A probe has words without verdicts: the model under test gives the expected answers, so the same probes serve decoders
of UTF-8 and of its dialects. They are a selection of the suites' words (``suite.families``), about a tenth;
tools/measure/learning.py counts how many of the wrong decoders in tests/zoo they find.
"""

from __future__ import annotations

import random
from functools import lru_cache
from itertools import product
from typing import TYPE_CHECKING

from utf8_abnf.automaton import Automaton, access_words, separating_words, state_cover
from utf8_abnf.conformance.learning.long_probes import (
    ATTACKS,
    FEW_PIECES,
    SEED,
    far,
    few_long,
    inner,
    lanes,
    offsets,
    positions,
    random_texts,
)
from utf8_abnf.conformance.suite.blocks import Block
from utf8_abnf.conformance.suite.contexts import BEFORE, MORE_BEFORE
from utf8_abnf.conformance.suite.families import (
    FILLERS,
    OFFSETS,
    TAILS,
    coded,
    ends_of_leads,
    few_faults,
    leads,
    long_forms,
    named,
    sessions,
    texts,
)
from utf8_abnf.conformance.suite.many_errors import COUNTS
from utf8_abnf.conformance.suite.plan import Plan, plan
from utf8_abnf.conformance.suite.real_texts import real_texts
from utf8_abnf.conformance.suite.words import SIGMA, by_length, lowest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

Probe = tuple[str, tuple[Block, ...]]

LEADS = SIGMA[0xC0:]  # the bytes that begin, or might begin, a character of two bytes or more
# What decoders are known to treat in a way of their own: marks, ends of lines, joiners, noncharacters, and what stands
# before an attack; and a character of some scripts.
CONTEXTS = tuple(
    text.encode()
    for text in (
        *("\ufeff", "a\ufeff", "\r\n", "\r\n\r\n", "a\n\n", "../", "..\\", "//", "<!", "&#", "charset=", "\0\0"),
        *("\x85", "\xa0", "\u0301", "\u200b", "\u200d", "\u200e", "\u2028", "\u2029", "\u202e", "\ufe0f", "\ufffd"),
        *("\ufdd0", "\ufffe", "\uffff", "\U0001fffe", "\U000e0001", "\U000fffff", "\U0010fffe", "\U0010ffff"),
        *("é", "ß", "я", "ω", "א", "ا", "ह", "ไ", "あ", "ア", "中", "한", "€", "😀", "🇩", "\U00020000"),
    )
)
# Characters of every length, and what decoders, terminals and parsers treat in a way of their own, for pairs of them.
COMMON = tuple(
    text.encode() for text in (*"\0\t\n\r <a\x7f", *"\x80éß\u0301я€中あ한", *"\u200d\ufeff\ufffd😀\U0010ffff")
)
BROKEN = tuple(
    map(
        bytes.fromhex,
        ("C0", "C1", "F5", "C3", "E2", "E2 82", "E4 B8", "F0 9F", "F0 9F 98", "C3 C3", "E2 82 C3", "F0 9F 98 41"),
    )
)
AROUND = tuple(
    (head.encode(), tail.encode())
    for head, tail in (
        *('""', "''", "``", "()", "[]", "{}", "<>", "aa", "&;", "%%", "\r\n", "\n\n", "\0\0"),
        *("\ufeff\ufeff", "éé", "€€", ('{"', '"}'), ('["', '"]'), ("<a>", "</a>"), ("<!--", "-->"), ("/*", "*/")),
        *(("<![CDATA[", "]]>"), (", "), ("\x1b$B", "\x1b(B")),
    )
)
RUNS = tuple(map(bytes.fromhex, ("80", "E2 82", "ED A0 80", "FF", "FF 61")))  # of errors
MAX_FOREIGN = 256  # words
WALKS = 4_000
MAX_WALK = 24  # bytes


def _texts(chosen: Plan) -> tuple[Block, ...]:
    return (*texts(chosen), *long_forms(chosen))


def _coded(chosen: Plan) -> tuple[Block, ...]:
    """Return the surrogates, the overlong forms, and edges of the four-byte forms that are too large."""
    ends = (b"\x80", b"\x9f", b"\xbf")
    large = (SIGMA[0xF4:0xF8], TAILS, ends, ends)
    every = tuple(coded(chosen))
    return (*every[:4], Block(large))


def _two_bytes(_: Plan) -> tuple[Block, ...]:
    """Return every word of two bytes."""
    return (Block((SIGMA, SIGMA)),)


def _places(_: Plan) -> tuple[Block, ...]:
    """Return first bytes of three- and four-byte characters with all bytes in the later places.

    All words of three bytes whose second is a tail byte are here. Of four bytes all are too many: the third and the
    fourth place take all bytes after every tail byte in one place before them.
    """
    three, four, low = SIGMA[0xE0:0xF0], SIGMA[0xF0:0xF5], TAILS[:1]
    seconds = (b"\xf0\x90", b"\xf1\x80", b"\xf2\x80", b"\xf3\x80", b"\xf4\x80")
    return (
        Block((three, TAILS, SIGMA)),
        Block((four, TAILS, SIGMA, (b"", *low))),
        Block((four, TAILS, low, SIGMA)),
        Block((seconds, TAILS, SIGMA)),
    )


def _neighbours(chosen: Plan) -> tuple[Block, ...]:
    """Return texts in which each last byte of a character, and each context, is before each first two bytes of one."""
    after = [*SIGMA[:0x80], *(lead + tail for lead in SIGMA[0xC2:0xE0] for tail in TAILS)]
    for lead, second in product(SIGMA[0xE0:0xF5], TAILS):
        word = lead + second + TAILS[0] * (1 + (lead >= b"\xf0"))
        if chosen.oracle.accepts(word):
            after.append(word)
    before = (*SIGMA[:0x80], *(b"\xc3" + tail for tail in TAILS), *CONTEXTS)
    return (Block((tuple(b"".join(head + word for word in after) for head in before),)),)


def _after(chosen: Plan) -> tuple[Block, ...]:
    """Return faults directly after the lowest and the highest character of each first byte, and after each context."""
    offsets = tuple(b"a" * size for size in range(17))
    return (
        Block((tuple(dict.fromkeys((*ends_of_leads(chosen), *CONTEXTS))), (*few_faults(chosen), *ATTACKS))),
        Block((offsets, tuple(map(lowest, chosen.tracks)), few_faults(chosen))),
    )


def _contexts(chosen: Plan) -> tuple[Block, ...]:
    """Return faults before, after and between what filters and parsers look for, and after pairs of characters.

    After a context there are also first bytes that begin nothing.
    """
    faults = tuple(dict.fromkeys((*few_faults(chosen), *ATTACKS, *BROKEN)))
    contexts = tuple(dict.fromkeys((*(text.encode() for text in (*BEFORE, *MORE_BEFORE.split("·"))), *CONTEXTS)))
    return (
        Block((contexts, tuple(dict.fromkeys((*faults, *LEADS))), (b"", b"a"))),
        Block((faults, contexts, (b"", b"a", b"\xff"))),
        *(Block(((head,), faults, (b"", b"a"), (tail,))) for head, tail in AROUND),
        Block((tuple(head + tail for head, tail in AROUND), faults)),
        Block((COMMON, COMMON, faults)),
        Block((tuple(word * count for word in COMMON for count in (3, 4, 5, 7, 8, 16)), faults)),
    )


def _inside(_: Plan) -> tuple[Block, ...]:
    """Return common characters with any byte, or a context, within them: decoders of mail and of lines skip some."""
    within = tuple(dict.fromkeys((*SIGMA, *(text.encode() for text in BEFORE), *CONTEXTS, b"=\r\n", b"=\n")))
    return tuple(Block(((word[:at],), within, (word[at:],))) for word in COMMON for at in range(1, len(word)))


def _error_runs(_: Plan) -> tuple[Block, ...]:
    """Return runs of errors, up to two rounds of a counter of 8 bits."""
    return tuple(Block((tuple(word * count for count in COUNTS),)) for word in RUNS)


_ALL: dict[str, Callable[[Plan], Iterable[Block]]] = {
    "named": named,
    "coded": _coded,
    "two bytes": _two_bytes,
    "places": _places,
    "leads": leads,
    "after": _after,
    "texts": _texts,
    "neighbours": _neighbours,
    "contexts": _contexts,
    "inside": _inside,
    "real texts": real_texts,
    "error runs": _error_runs,
    "sessions": sessions,
    "positions": positions,
    "mixed": random_texts,
    "inner": inner,
    "lanes": lanes,
    "far": far,
    "offsets": offsets,
}


@lru_cache(maxsize=1)
def probes() -> tuple[Probe, ...]:
    """Return the probes by name, in an order that finds most faults early.

    >>> [name for name, _ in probes()][:7]
    ['named', 'coded', 'two bytes', 'places', 'leads', 'after', 'texts']
    """
    chosen = plan()
    return tuple((name, tuple(make(chosen))) for name, make in _ALL.items())


def own_probe(model: Automaton) -> tuple[Block, ...]:
    """Return texts of *model*'s own characters.

    Long ones have one character for each length, and a fault after it. In short ones a character that is not UTF-8's
    stands before and after others: a decoder that lets it pass may be in another state from then on.
    """
    own = _round_trips(model)
    fillers = {len(word): word for word in own if word not in FILLERS.values()}
    foreign = tuple(word for word in own if not plan().oracle.accepts(word))[:MAX_FOREIGN]
    others = (*COMMON, *CONTEXTS, *few_faults(plan()))
    sizes = (*OFFSETS, 255, 256, 257, 1023, 1024, 1025, 4095, 4096, 4097)
    heads = tuple(filler * (size // len(filler)) for filler in fillers.values() for size in sizes)
    return (
        Block((by_length(heads), FEW_PIECES, (b"", b"a" * 65))),
        Block((foreign, others, (b"", *foreign[:2]))),
        Block((others, foreign)),
    )


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
    """Return the probes for a decoder that needs a process for each question."""
    return *probes()[:1], ("second place", (Block((LEADS, SIGMA)),)), ("long", few_long())
