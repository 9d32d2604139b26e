"""Unpacking and checking at the same time: a thread reads a stream, one buffer ahead of whoever checks what it read."""

from __future__ import annotations

from queue import SimpleQueue
from threading import Thread
from typing import TYPE_CHECKING

from utf8_abnf.reading.streams import CHUNK

if TYPE_CHECKING:
    from utf8_abnf.reading.streams import Readable

WORTH_A_THREAD = 4 << 20  # bytes, read before the thread is started: a shorter stream needs none


class Ahead:
    """The bytes of *source* and its exceptions, in order. ``close`` has to be called, also before the end is reached.

    What unpacks releases the GIL, as does what checks, so that on two processors the slower of them decides. It holds
    two buffers of ``CHUNK`` bytes. *source* must not wait for others, as a pipe may: ``close`` waits for it.
    """

    def __init__(self, source: Readable) -> None:
        self._source = source
        self._read = 0
        self._thread: Thread | None = None
        self._empty: SimpleQueue[bytearray | None] = SimpleQueue()
        self._full: SimpleQueue[tuple[bytearray, int] | BaseException] = SimpleQueue()
        self._buffer, self._at, self._end = bytearray(), 0, 0

    def readinto(self, room: memoryview) -> int:
        """Put the next bytes into *room* and return how many; 0 at the end."""
        if self._thread is None and self._read < WORTH_A_THREAD:
            count = self._source.readinto(room) or 0
            self._read += count
            return count
        if self._thread is None:
            self._start()
        if self._at == self._end and not self._next():
            return 0
        count = min(len(room), self._end - self._at)
        room[:count] = memoryview(self._buffer)[self._at : self._at + count]
        self._at += count
        return count

    def close(self) -> None:
        """End the thread, if there is one."""
        if self._thread is not None:
            self._empty.put(None)
            self._thread.join()

    def _start(self) -> None:
        for _ in range(2):
            self._empty.put(bytearray(CHUNK))
        self._thread = Thread(target=self._work, daemon=True)
        self._thread.start()

    def _work(self) -> None:
        while (buffer := self._empty.get()) is not None:
            try:
                count = self._source.readinto(memoryview(buffer)) or 0
            except BaseException as error:  # raised again by the one who reads
                self._full.put(error)
                return
            self._full.put((buffer, count))
            if not count:
                return

    def _next(self) -> bool:
        """Take the next buffer; return whether it has bytes. The end, or an error, comes again each time."""
        if self._buffer:
            self._empty.put(self._buffer)
        found = self._full.get()
        if isinstance(found, BaseException) or not found[1]:
            self._full.put(found)
            self._buffer = bytearray()
        if isinstance(found, BaseException):
            raise found
        if found[1]:
            self._buffer, self._at, self._end = found[0], 0, found[1]
        return bool(found[1])
