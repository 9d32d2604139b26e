"""Texts of more than 2 and 4 GiB, with characters of three bytes in them, judged in process.

One file of 3 MiB is mapped again and again, side by side: so much text takes no memory. Where a case has a fault, the
3 MiB around it are a copy of their own, of which the system copies one page. Each text begins at an address of its own
modulo 64, between bytes that would make a character or an error of what is at its ends.
"""

from __future__ import annotations

import ctypes
import mmap
import tempfile
from typing import TYPE_CHECKING

from utf8_abnf.conformance.suite.case import Case
from utf8_abnf.language.notation import hex_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator

CHARACTER = "€".encode()
HALF = 3 << 19  # bytes: half of the file is of characters of three bytes, half is ASCII
TILE = CHARACTER * (HALF // 3) + b"a" * HALF
GIB4 = 1 << 32
SOME = 1 << 26  # bytes of the text that a function is called with first: how long it takes tells how long all will take
MAP_FIXED = 0x10  # of Linux, the BSDs and macOS; Python's mmap cannot map at an address
FAILED = ctypes.c_void_p(-1).value
# Where the text of each case begins in the file, what lies before it and behind it, again and again. It begins with a
# character, at 1, 63, 0, 31, 2 and 53 modulo 64; the second and the third begin with ASCII, so that even their first
# bytes alone are well-formed.
SURROUNDINGS = (
    (129, b"\xe1\x80", b"\x80"),
    (HALF + 63, b"\xc3", b"\xbf"),
    (HALF + 192, b"\xf1\x80\x80", b"\xff"),
    (159, b"\xff", b"\x80"),
    (66, b"\x80", b"\x80"),
    (117, b"\xe1", b"\xe1"),
)
MARGIN = 8  # bytes before and behind a text that are written over
#       size                offset      bytes             what it finds
HUGE_CASES = (
    (GIB4 + 16, 0, b"", "lengths in 32 bits see 16 bytes, and these end within a character"),
    (GIB4 + 16, GIB4 + 5, b"\xff", "a fault past 4 GiB: offsets in 32 bits wrap around to the start"),
    (GIB4 + 1, GIB4, b"\x80", "a fault in the last byte: lengths in 32 bits see one byte, the first"),
    (GIB4, GIB4 - 1, b"\xc3", "cut off by the end at 4 GiB: lengths in 32 bits see nothing"),
    ((GIB4 >> 1) + 1, GIB4 >> 1, b"\xe2", "a fault at 2 GiB: signed lengths in 32 bits are negative"),
    (GIB4 + 16, (GIB4 >> 1) + 7, b"\xed\xa0\x80", "a surrogate past 2 GiB: signed offsets in 32 bits are negative"),
)


class Mapping:
    """The file, mapped side by side over *size* bytes and more. ``OSError`` where that cannot be done."""

    def __init__(self, size: int) -> None:
        self._mmap = ctypes.CDLL(None, use_errno=True).mmap
        self._mmap.restype = ctypes.c_void_p
        self._mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, *[ctypes.c_int] * 3, ctypes.c_long]
        self._size = -(-size // len(TILE)) * len(TILE)
        self._written: set[int] = set()  # the copies of the file that are not the file's own any more
        self._file = tempfile.TemporaryFile()  # noqa: SIM115 -- ``close`` closes it
        try:
            self._file.write(TILE)
            self._file.flush()
            self.address = self._map(None, self._size, 0, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, -1)
            for at in range(0, self._size, len(TILE)):
                self._tile(at, writable=False)
        except BaseException:
            self._file.close()
            raise

    def _map(self, address: int | None, size: int, protection: int, flags: int, descriptor: int) -> int:
        mapped = self._mmap(address, size, protection, flags, descriptor, 0)
        if mapped == FAILED:
            raise OSError(ctypes.get_errno(), "cannot map so much memory")
        return int(mapped or 0)

    def _tile(self, at: int, *, writable: bool) -> None:
        protection = mmap.PROT_READ | (mmap.PROT_WRITE if writable else 0)
        kind = mmap.MAP_PRIVATE if writable else mmap.MAP_SHARED
        start = at // len(TILE) * len(TILE)
        self._map(self.address + start, len(TILE), protection, kind | MAP_FIXED, self._file.fileno())

    def write(self, at: int, data: bytes) -> None:
        """Write *data* over the text at offset *at*; ``restore`` the text afterwards."""
        for place, byte in enumerate(data, at):  # they may lie across two copies of the file
            if place // len(TILE) not in self._written:
                self._tile(place, writable=True)
                self._written.add(place // len(TILE))
            ctypes.memset(self.address + place, byte, 1)

    def restore(self) -> None:
        """Let the file be seen again wherever something was written."""
        for number in self._written:
            self._tile(number * len(TILE), writable=False)
        self._written.clear()

    def close(self) -> None:
        """Give back the addresses and the file."""
        unmap = ctypes.CDLL(None).munmap
        unmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
        unmap(self.address, self._size)
        self._file.close()


def patch(size: int, offset: int, fault: bytes) -> tuple[int, bytes]:
    """Return what to write, and where, so that *size* bytes are well-formed but for *fault* at *offset*."""
    begin = offset if fault else size
    within = begin % len(TILE)
    start = begin - within % 3 if within < HALF else begin  # the character that the fault lies in
    data = b"a" * (begin - start) + fault
    end = (start + len(data)) % len(TILE)
    return start, data + b"a" * (-end % 3 if end < HALF and start + len(data) < size else 0)


def judge_huge(function: int) -> Iterator[tuple[Case, bool] | None]:
    """Yield each case, its data the fault alone, and whether the C function at address *function* judged it wrongly.

    The first is None: when it comes, the function has been called with ``SOME`` of the text. Yield nothing where so
    much memory cannot be mapped: on Windows, with 32 bits, or under a limit on memory.
    """
    if ctypes.sizeof(ctypes.c_size_t) < 8 or not hasattr(mmap, "MAP_PRIVATE"):
        return
    try:
        held = Mapping(GIB4 + len(TILE))
    except OSError:
        return
    call = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_size_t)(function)
    try:
        call(held.address + len(TILE), SOME)
        yield None
        for case, (place, before, behind) in zip(HUGE_CASES, SURROUNDINGS, strict=True):
            size, offset, fault, story = case
            held.write(*patch(place + size, place + offset, fault))
            held.write(place - MARGIN, (before * MARGIN)[-MARGIN:])
            held.write(place + size, behind * MARGIN)
            wrong = bool(call(held.address + place, size)) == bool(fault)
            held.restore()
            name = f"huge/{size}/{fault.hex().upper() or 'none'}/{offset}"
            lies = f"at an address {place % 64} modulo 64, {hex_bytes(before)} before, {hex_bytes(behind)} behind"
            yield Case(name, fault, not fault, rule="UTF8-octets", story=f"{size:,} bytes {lies}: {story}"), wrong
    finally:
        held.close()
