"""Texts of 2 and 4 GiB, NUL but for one fault, judged in process: pages that are only read take no memory."""

from __future__ import annotations

import ctypes
import mmap
from typing import TYPE_CHECKING

from utf8_abnf.suite.case import Case

if TYPE_CHECKING:
    from collections.abc import Iterator

GIB4 = 1 << 32
#       size                offset      bytes     what it finds
HUGE_CASES = (
    (GIB4 + 16, 0, b"", "lengths in 32 bits see 16 bytes, and these are well-formed"),
    (GIB4 + 16, GIB4 + 5, b"\xff", "a fault past 4 GiB: offsets in 32 bits wrap around to the start"),
    (GIB4 + 1, GIB4, b"\x80", "a fault in the last byte: lengths in 32 bits see one byte, the first"),
    (GIB4, GIB4 - 1, b"\xc3", "cut off by the end at 4 GiB: lengths in 32 bits see nothing"),
    ((GIB4 >> 1) + 1, GIB4 >> 1, b"\xe2", "a fault at 2 GiB: signed lengths in 32 bits are negative"),
)


def judge_huge(function: int) -> Iterator[tuple[Case, bool]]:
    """Yield each case, its data the fault alone, and whether the C function at address *function* judged it wrongly.

    Yield nothing where so much memory cannot be mapped: on Windows, with 32 bits, or under a limit on memory.
    """
    try:
        held = mmap.mmap(-1, GIB4 + mmap.PAGESIZE, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    except (AttributeError, OSError, OverflowError, ValueError):
        return
    call = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_size_t)(function)
    view = ctypes.c_char.from_buffer(held)
    try:
        for size, offset, fault, story in HUGE_CASES:
            held[offset : offset + len(fault)] = fault
            wrong = bool(call(ctypes.addressof(view), size)) == bool(fault)
            held[offset : offset + len(fault)] = bytes(len(fault))
            name = f"huge/{size}/{fault.hex().upper() or 'none'}/{offset}"
            yield Case(name, fault, not fault, rule="UTF8-octets", story=f"{size:,} bytes, {story}"), wrong
    finally:
        del view
        held.close()
