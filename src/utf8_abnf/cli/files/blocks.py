"""A large file, whose blocks are checked in threads: a descriptor in; out, whether all of it is well-formed.

A block begins after the tail bytes (UTF8-tail) at its beginning, three at most, which belong to the one before it. So
a text is well-formed exactly if all its blocks are. Where that is not so, the caller reads the file again, in order.
"""

from __future__ import annotations

import os
from threading import Lock, Thread
from typing import TYPE_CHECKING

from utf8_abnf.explain.locating import BLOCK

if TYPE_CHECKING:
    from collections.abc import Callable

_MAX_THREADS = 8  # beyond that memory is the limit, not the processor
_MAX_TAIL = 3  # bytes of a character after its first
_TAILS = bytes(range(0x80, 0xC0))  # UTF8-tail = %x80-BF


def are_valid(file: int, size: int, is_valid: Callable[[memoryview], bool], advance: Callable[[int], None]) -> bool:
    """Return whether all blocks of *file*, which has *size* bytes, are right by *is_valid*, and could be read.

    *advance* is told in this thread how many bytes were checked since it was told before.
    """
    return _Blocks(file, size, is_valid).are_valid(advance)


class _Blocks:
    def __init__(self, file: int, size: int, is_valid: Callable[[memoryview], bool]) -> None:
        self._file, self._size, self._is_valid = file, size, is_valid
        self._starts = iter(range(0, size, BLOCK))
        self._lock = Lock()
        self._checked = 0  # bytes
        self._ended = False  # a block is wrong, or the user wants no more
        self._right = True

    def are_valid(self, advance: Callable[[int], None]) -> bool:
        number = min(_usable_cpus(), _MAX_THREADS, -(-self._size // BLOCK))
        others = [Thread(target=self._work, daemon=True) for _ in range(number - 1)]
        for thread in others:
            thread.start()
        try:
            self._work(advance)
        finally:  # it may be interrupted
            self._ended = True
            for thread in others:
                thread.join()
        return self._right

    def _work(self, advance: Callable[[int], None] | None = None) -> None:
        told = 0
        room = memoryview(bytearray(BLOCK + _MAX_TAIL))
        while not self._ended:
            with self._lock:
                start = next(self._starts, None)
            if start is None:
                return
            if not self._is_right(start, room):
                self._right, self._ended = False, True
                return
            with self._lock:
                self._checked += min(BLOCK, self._size - start)
            if advance:
                advance(self._checked - told)
                told = self._checked

    def _is_right(self, start: int, room: memoryview) -> bool:
        try:
            count = os.preadv(self._file, [room], start)
            begin = _tails(room[:_MAX_TAIL]) if start else 0
            end = min(count, BLOCK) + _tails(room[BLOCK:count])
            return count == min(len(room), self._size - start) and self._is_valid(room[begin:end])
        except Exception:  # whoever reads it again meets it again
            return False


def _tails(data: memoryview) -> int:
    return len(data) - len(bytes(data).lstrip(_TAILS))


def _usable_cpus() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
