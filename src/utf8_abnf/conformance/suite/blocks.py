"""Keeps words as blocks: products of short lists of byte strings, of which frames, verdicts and judgements are made.

Every family of cases is a sequence of blocks. A block says ``head × words × follow`` instead of listing its words, so
that a family of millions takes a few lines, is counted without being made, and gives any of its words by number.

Rule 1: the order of the words is that of ``itertools.product``: the last part runs fastest.
Rule 2: frames and judgements are made in C where the package was built with it; the functions ending in ``_plain``
are their twins in Python, and a test compares the bytes that both return.
"""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import TYPE_CHECKING, NamedTuple

from utf8_abnf.conformance.framing import frame, unpack_chunks
from utf8_abnf.conformance.suite.fast import fast

if TYPE_CHECKING:
    from utf8_abnf.conformance.suite.oracle import Oracle

AROUND = 8  # bytes before and behind a word that is judged
AT_GUARD = -1  # place: the word ends where memory ends


@dataclass(frozen=True, slots=True)
class Block:
    """The words of ``parts[0] × parts[1] × …``. *label* and *names* go into the ids of cases.

    *names* has for each part the names of its items, or None where their bytes in hex are the names. Without *names*
    the id is the whole word in hex. The first *skip* parts are not data: they are the chunk sizes of a stream.
    """

    parts: tuple[tuple[bytes, ...], ...]
    label: str = ""
    names: tuple[tuple[str, ...] | None, ...] | None = None
    skip: int = 0

    def __len__(self) -> int:
        return prod(map(len, self.parts))

    def items(self, number: int) -> tuple[bytes, ...]:
        """Return the items, one from each part, that word *number* is made of."""
        return tuple(part[i] for part, i in zip(self.parts, self._indices(number), strict=True))

    def word(self, number: int) -> bytes:
        """Return word *number* (from 0), chunk sizes included."""
        return b"".join(self.items(number))

    def data(self, number: int) -> bytes:
        """Return the bytes of word *number* that a decoder gets."""
        return b"".join(self.items(number)[self.skip :])

    def chunks(self, number: int) -> tuple[int, ...] | None:
        """Return the chunk sizes of word *number*, or None where it is not a stream."""
        return unpack_chunks(self.word(number))[0] if self.skip else None

    def name(self, number: int) -> str:
        """Return the last part of the id of case *number*."""
        if self.names is None:
            return self._join(show(self.data(number)))
        chosen = zip(self.names, self.parts, self._indices(number), strict=True)
        shown = [show(part[i]) if names is None else names[i] for names, part, i in chosen]
        return self._join("/".join(filter(None, shown)))

    def find(self, name: str) -> int | None:
        """Return the number of the case whose id ends with *name*, or None. It inverts ``name``."""
        label = self._join("")
        if not name.startswith(label):
            return None
        name = name.removeprefix(label)
        if self.names is None:
            shown = [[item.hex("-").upper() for item in part] for part in self.parts[self.skip :]]
            return self._search(0, "" if name == "empty" else name, shown, "-")
        shown = [
            [show(item) for item in part] if names is None else list(names)
            for names, part in zip(self.names, self.parts, strict=True)
        ]
        return self._search(0, name, shown, "/")

    def _search(self, level: int, name: str, shown: list[list[str]], between: str) -> int | None:
        if level == len(shown):
            return None if name else 0
        below = prod(map(len, shown[level + 1 :]))
        for i, part in enumerate(shown[level]):
            if name == part or not part or name.startswith(part + between):
                rest = name[len(part) :].removeprefix(between) if part else name
                found = self._search(level + 1, rest, shown, between)
                if found is not None:
                    return i * below + found
        return None

    def _join(self, name: str) -> str:
        return f"{self.label}/{name}" if self.label else name

    def _indices(self, number: int) -> tuple[int, ...]:
        indices = []
        for part in reversed(self.parts):
            number, i = divmod(number, len(part))
            indices.append(i)
        if number:
            raise IndexError("a block has no such word")
        return tuple(reversed(indices))


def listed(cases: dict[str, bytes]) -> Block:
    """Return a block of the words in *cases*, each by its name: one block of many words costs less than many of one."""
    return Block((tuple(cases.values()),), names=(tuple(cases),))


def show(data: bytes) -> str:
    """Return *data* as a part of an id: ``ED-A0-80``, ``empty``; long words are cut in the middle."""
    if len(data) > 24:
        return f"{data[:8].hex('-').upper()}..{data[-8:].hex('-').upper()}({len(data)})"
    return data.hex("-").upper() or "empty"


def frames(oracle: Oracle, block: Block) -> tuple[bytes, bytes]:
    """Return all words of *block* as frames (u32 little-endian length, bytes), and ``1`` or ``0`` for each."""
    if fast is None:
        return frames_plain(oracle, block)
    made: tuple[bytes, bytes] = fast.frames(*oracle.machine, block.parts, block.skip)
    return made


def frames_plain(oracle: Oracle, block: Block) -> tuple[bytes, bytes]:
    """Return the same as ``frames``, made in Python."""
    written, verdicts = [], bytearray()
    for items in product(*block.parts):
        word = b"".join(items)
        written.append(frame(word))
        verdicts += b"1" if oracle.accepts(b"".join(items[block.skip :])) else b"0"
    return b"".join(written), bytes(verdicts)


class Around(NamedTuple):
    """What lies around the words that a function is called with, in memory: each word draws one of each.

    *before* has eight bytes, or several times eight, and *behind* one byte for all eight bytes behind a word.
    """

    before: bytes
    behind: bytes

    def of(self, number: int) -> tuple[bytes, int]:
        """Return the eight bytes before word *number* of a family, and the byte that lies behind it eight times."""
        drawn = (number * 2654435761 & 0xFFFFFFFF) >> 16  # Knuth, The Art of Computer Programming, section 6.4
        choices = len(self.before) // AROUND
        at = drawn % choices * AROUND
        return self.before[at : at + AROUND], self.behind[drawn // choices % len(self.behind)]


PLAIN = Around(bytes(AROUND), b"\x80")  # a tail: a function that reads it takes a cut character for a whole one
# A function that looks back sees a character begin, or end, or nothing: it may take the first byte for the next of it.
_BEFORE = ("00", "80", "BF", "C3", "E1", "F1", "FF", "E1 80", "F1 80 80")
HOSTILE = Around(
    b"".join(
        (bytes.fromhex(each) * AROUND if len(each) == 2 else b"aaaaaaaa" + bytes.fromhex(each))[-AROUND:]
        for each in _BEFORE
    ),
    bytes.fromhex("80 00 80 E1 BF F1 80 FF"),
)


@dataclass(frozen=True, slots=True)
class Judgement:
    """The verdicts of a function on a block.

    *count* words were judged, *failures* verdicts were wrong, *failed* has the numbers of the first words with one.
    """

    count: int
    failures: int
    failed: tuple[int, ...]


def judge(
    oracle: Oracle,
    block: Block,
    function: int,
    *,
    around: Around = PLAIN,
    first: int = 0,
    place: int,
    keep: int,
    stop: int,
    asked: int = 0,
) -> Judgement:
    """Ask the C function at address *function*, ``int f(const uint8_t *, size_t)``, for its verdict on every word.

    *around* is what lies around each word, so that a function that reads before its start or past its end is found;
    *first* is the number that the block's first word has for it. With *place* from 0 to 63 the word begins so many
    bytes after a multiple of 64, and the page before these may not be touched. With ``AT_GUARD`` it ends just before
    such a page. (Windows has no such pages here.) The numbers of the first *keep* words with a wrong verdict are kept.
    The function is asked no more after *stop* wrong verdicts; 0 means never.
    *asked* is the address of 64 bits that get the number of each word before the function is called with it (0: none):
    if the function crashes, another process can read there which word did it.
    """
    if fast is None:
        return judge_plain(oracle, block, function, around=around, first=first, keep=keep, stop=stop, asked=asked)
    return Judgement(*fast.judge(*oracle.machine, block.parts, function, *around, first, place, keep, stop, asked))


def judge_plain(
    oracle: Oracle,
    block: Block,
    function: int,
    *,
    around: Around = PLAIN,
    first: int = 0,
    keep: int,
    stop: int,
    asked: int = 0,
) -> Judgement:
    """Return the same as ``judge``, in Python; it cannot choose where in memory a word begins."""
    call = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_size_t)(function)
    number = ctypes.c_uint64.from_address(asked) if asked else ctypes.c_uint64()
    count = failures = 0
    failed: list[int] = []
    for items in product(*block.parts):
        word = b"".join(items)
        before, behind = around.of(first + count)
        held = ctypes.create_string_buffer(before + word + bytes([behind]) * AROUND)
        number.value = count
        if bool(call(ctypes.addressof(held) + AROUND, len(word))) != oracle.accepts(word):
            failures += 1
            if len(failed) < keep:
                failed.append(count)
        count += 1
        if stop and failures == stop:
            break
    return Judgement(count, failures, tuple(failed))
