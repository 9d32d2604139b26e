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

    *advance* is called in this thread with the number of bytes that were checked since the last call.
    """
    starts, lock = iter(range(0, size, BLOCK)), Lock()
    right, checked = True, 0

    def work(advance: Callable[[int], None] | None = None) -> None:
        nonlocal right, checked
        reported = 0
        room = memoryview(bytearray(BLOCK + _MAX_TAIL))
        while right:
            with lock:
                start = next(starts, None)
            if start is None:
                return
            if not _is_right(file, size, start, room, is_valid):
                right = False
            with lock:
                checked += min(BLOCK, size - start)
            if advance:
                advance(checked - reported)
                reported = checked

    number = min(os.cpu_count() or 1, _MAX_THREADS, -(-size // BLOCK))
    others = [Thread(target=work, daemon=True) for _ in range(number - 1)]
    for thread in others:
        thread.start()
    try:
        work(advance)
    except BaseException:  # it may be interrupted
        right = False
        raise
    finally:
        for thread in others:
            thread.join()
    return right


def _is_right(file: int, size: int, start: int, room: memoryview, is_valid: Callable[[memoryview], bool]) -> bool:
    try:
        count = os.preadv(file, [room], start)
        begin = _tails(room[:_MAX_TAIL]) if start else 0
        end = min(count, BLOCK) + _tails(room[BLOCK:count])
        return count == min(len(room), size - start) and is_valid(room[begin:end])
    except Exception:  # whoever reads it again meets it again
        return False


def _tails(data: memoryview) -> int:
    return len(data) - len(bytes(data).lstrip(_TAILS))
