"""Judging a C function in process: every family of a level, block by block, and text of more than 4 GiB."""

from __future__ import annotations

import ctypes
import mmap
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from utf8_abnf.suite import blocks as _blocks
from utf8_abnf.suite.case import Case
from utf8_abnf.suite.levels import ANY_PLACE, Batch, families, family_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from utf8_abnf.grammar import Grammar
    from utf8_abnf.suite.levels import Family

POISON = 0x80  # a tail byte behind every word: a decoder that reads past the end takes a cut character for a whole one


@dataclass(frozen=True, slots=True)
class Judged:
    """How the function did on one block of *family*: cases judged, wrong verdicts, and the first cases with one."""

    family: str
    count: int
    failures: int
    cases: tuple[Case, ...]


def judge(
    function: int,
    level: str = "L3",
    *,
    family: str | None = None,
    grammar: Grammar | None = None,
    start: str | None = None,
    after: int = POISON,
    keep: int = 100,
    stop: int = 0,
) -> Iterator[Judged]:
    """Ask the C function at address *function*, ``int f(const uint8_t *, size_t)``, for all verdicts of *level*.

    Yields one ``Judged`` per block, so that the caller can show progress and stop between two. *after* is the byte
    behind each case, *keep* how many failing cases each block names, *stop* after how many wrong verdicts a block is
    left (0: never). Streams and sessions are for ``Batch``. A crash of the function is a crash of this process.
    """
    if family is None:
        chosen = families(level, grammar=grammar, start=start)
    else:
        chosen = (family_of(family, level, grammar=grammar, start=start),)
    for each in chosen:
        if "v" in each.modes:
            yield from _judge_family(each, function, after=after, keep=keep, stop=stop)
    if level == "L3" and family is None and chosen[0].plan.is_utf8:
        yield from _judge_huge(function)


def _judge_family(family: Family, function: int, *, after: int, keep: int, stop: int) -> Iterator[Judged]:
    oracle = family.plan.oracle
    for place in family.places:
        for number, block in enumerate(family.blocks()):
            # A family that is put anywhere goes through all alignments, block by block: it costs nothing.
            at = number % 64 if family.places == ANY_PLACE else place
            found = _blocks.judge(oracle, block, function, after=after, place=at, keep=keep, stop=stop)
            batch = Batch(family, 0, block)
            failed = tuple(_placed(batch.case(i), family, place) for i in found.failed)
            yield Judged(family.name, found.count, found.failures, failed)


def _placed(case: Case, family: Family, place: int) -> Case:
    """Return *case* with its place in its id, where a family has several."""
    return replace(case, id=f"{case.id}@{place}") if len(family.places) > 1 else case


GIB4 = 1 << 32
#       size       offset      bytes   what it finds
HUGE = (
    (GIB4 + 16, 0, b"", "lengths in 32 bits see 16 bytes, and these are well-formed"),
    (GIB4 + 16, GIB4 + 5, b"\xff", "a fault past 4 GiB: offsets in 32 bits come round to the start"),
    (GIB4 + 1, GIB4, b"\x80", "a fault in the last byte: lengths in 32 bits see one byte, the first"),
    (GIB4, GIB4 - 1, b"\xc3", "cut off by the end at 4 GiB: lengths in 32 bits see nothing"),
    ((GIB4 >> 1) + 1, GIB4 >> 1, b"\xe2", "a fault at 2 GiB: signed lengths in 32 bits are negative"),
)


def _judge_huge(function: int) -> Iterator[Judged]:
    """Judge text of 2 and 4 GiB, all NUL but for a fault: pages that are only read take no memory.

    Where so much cannot be mapped (Windows, 32 bits, a limit) the one ``Judged`` says that 0 cases were judged.
    """
    try:
        held = mmap.mmap(-1, GIB4 + mmap.PAGESIZE, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    except (AttributeError, OSError, OverflowError, ValueError):
        yield Judged("huge", 0, 0, ())
        return
    call = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_size_t)(function)
    view = ctypes.c_char.from_buffer(held)
    try:
        for size, offset, fault, story in HUGE:
            held[offset : offset + len(fault)] = fault
            wrong = bool(call(ctypes.addressof(view), size)) == bool(fault)
            held[offset : offset + len(fault)] = bytes(len(fault))
            name = f"huge/{size}/{fault.hex().upper() or 'none'}/{offset}"
            case = Case(name, fault, not fault, rule="UTF8-octets", story=f"{size:,} bytes, {story}")
            yield Judged("huge", 1, int(wrong), (case,) if wrong else ())
    finally:
        del view
        held.close()
