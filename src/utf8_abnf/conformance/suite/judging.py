"""Judges a C function in process: every family of a level, block by block, and texts of more than 4 GiB."""

from __future__ import annotations

import ctypes
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from utf8_abnf.conformance.suite import blocks as _blocks
from utf8_abnf.conformance.suite.fast import fast
from utf8_abnf.conformance.suite.huge import judge_huge
from utf8_abnf.conformance.suite.levels import ANY_PLACE, Batch, families, family_of
from utf8_abnf.language.notation import hex_bytes

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from utf8_abnf.conformance.suite.case import Case
    from utf8_abnf.conformance.suite.levels import Family

MAX_NUMBERS = 1 << 16  # of cases with a wrong verdict that are kept for each family
AT_END = ("sizes", "real-texts")  # a crash ends a family: in the others a function that looks behind shows more
PAGE = "a page that cannot be read"


@dataclass(frozen=True, slots=True)
class Memory:
    """Where an input lay when a function was called with it: its address modulo 64 and, in words, what was around it.

    *address* is None where the package was built without its C half: then Python chose the address.
    """

    address: int | None
    before: str
    behind: str

    def __str__(self) -> str:
        address = "an unknown address" if self.address is None else f"address {self.address} modulo 64"
        return f"{address} (before it {self.before}; behind it {self.behind})"


class Spot(NamedTuple):
    """Where an input lies when a function is called with it: its *place* (see ``blocks.judge``), and what is around it.

    *before* has the eight bytes before it, *behind* is the byte that lies behind it eight times.
    """

    place: int
    before: bytes
    behind: int

    def memory(self, size: int) -> Memory:
        """Return in words where *size* bytes lie."""
        behind = f"eight bytes {self.behind:02X}"
        if fast is None:
            return Memory(None, f"bytes {hex_bytes(self.before)}", behind)
        page = PAGE if sys.platform != "win32" else "other memory"
        if self.place == _blocks.AT_GUARD:
            return Memory(-size % 64, f"bytes {hex_bytes(self.before)}", page)
        shown = self.before[max(0, len(self.before) - self.place) :]
        before = f"bytes {hex_bytes(shown)}, and farther off {page}" if shown else page
        return Memory(self.place % 64, before, behind)


@dataclass(frozen=True, slots=True)
class Judged:
    """The verdicts on one block of *family*: *count* cases, *failures* wrong verdicts, *cases* the first of these.

    *numbers* has the places of all of these cases in the family, from 0, as far as they could be kept.
    """

    family: str
    count: int
    failures: int
    cases: tuple[Case, ...]
    numbers: tuple[int, ...] = ()


class Progress(ctypes.Structure):
    """Which case of a family a function is asked for: number *word* of the block that begins with case *first*."""

    _fields_ = (("first", ctypes.c_uint64), ("word", ctypes.c_uint64))


def judge(
    function: int,
    level: str = "L3",
    *,
    family: str | None = None,
    keep: int = 100,
    progress: Progress | None = None,
) -> Iterator[Judged]:
    """Ask the C function at address *function*, ``int f(const uint8_t *, size_t)``, for all verdicts of *level*.

    Yield one ``Judged`` per block, so that the caller can show progress and stop between blocks. Around the cases of
    L2 and L3 lie bytes that mislead a function which looks at them. At most *keep* failing cases of each family are
    kept. Streams are not judged here. If the function crashes, this process crashes; *progress*, in memory that another
    process can read, then tells during which case.
    """
    progress = progress or Progress()
    for each in families(level) if family is None else (family_of(family, level),):
        if each.huge:
            yield from _judge_huge(each, function, progress)
        elif "v" in each.modes:
            yield from _judge_family(each, function, progress, keep=keep)


def _judge_huge(family: Family, function: int, progress: Progress) -> Iterator[Judged]:
    progress.first = progress.word = 0
    for judged in judge_huge(function):
        number = progress.first
        if judged is None:
            yield Judged(family.name, 0, 0, ())
            continue
        case, wrong = judged
        yield Judged(family.name, 1, int(wrong), (case,) if wrong else (), (number,) if wrong else ())
        progress.first = number + 1


def _judge_family(family: Family, function: int, progress: Progress, *, keep: int) -> Iterator[Judged]:
    left = MAX_NUMBERS
    for batch, place in _batches(family):
        progress.word, progress.first = 0, batch.first
        judged = _blocks.judge(
            family.plan.oracle,
            batch.block,
            function,
            around=_around(family),
            first=batch.first,
            place=place,
            keep=min(left, len(batch)),
            stop=0,
            asked=ctypes.addressof(progress) + Progress.word.offset,
        )
        left -= len(judged.failed)
        cases = tuple(map(batch.case, judged.failed[:keep]))
        keep -= len(cases)
        numbers = tuple(batch.first + number for number in judged.failed)
        yield Judged(family.name, judged.count, judged.failures, cases, numbers)


def _batches(family: Family) -> Iterator[tuple[Batch, int]]:
    """Yield the cases of *family* once for each place in memory, in batches, and the place of each batch."""
    first = 0
    for place in family.places:
        for number, block in enumerate(family.blocks()):
            # A family with no place of its own takes another alignment for each block; that costs nothing.
            at = _alignment(family, number) if family.places == ANY_PLACE else place
            yield Batch(family, first, block, suffix=f"@{place}" if len(family.places) > 1 else ""), at
            first += len(block)


def _alignment(family: Family, number: int) -> int:
    """Return the place of block *number*: from 0 on or, for hostile surroundings, with room before the first blocks.

    In the families ``AT_END`` the words of every ninth block end where memory ends.
    """
    if _around(family) is _blocks.PLAIN:
        return number % 64
    return _blocks.AT_GUARD if family.name in AT_END and number % 9 == 8 else (24 + 29 * number) % 64


def _around(family: Family) -> _blocks.Around:
    return _blocks.PLAIN if family.level < "L2" else _blocks.HOSTILE


def located(family: Family, numbers: Iterable[int]) -> Iterator[tuple[Batch, int, Spot]]:
    """Yield where the cases of *family* with these *numbers* are, in order: a batch, the number in it, and the memory.

    >>> from utf8_abnf.conformance.suite import family_of
    >>> [(batch.id(at), hex(spot.behind)) for batch, at, spot in located(family_of("W/k0", "L1"), [5])]
    [('W/k0/90-80-80', '0x80')]
    """
    wanted = sorted(numbers, reverse=True)
    for batch, place in _batches(family):
        while wanted and wanted[-1] < batch.first + len(batch):
            number = wanted.pop()
            yield batch, number - batch.first, Spot(place, *_around(family).of(number))
        if not wanted:
            return
