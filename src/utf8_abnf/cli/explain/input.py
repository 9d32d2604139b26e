"""The input of ``explain``: arguments or a file in, any part of them out. A large file is never held as a whole."""

from __future__ import annotations

import io

from utf8_abnf.cli.sources import STDIN, Opened, opened
from utf8_abnf.explain.locating import Scanner

BEFORE = 16  # bytes shown before the error
MAX_HELD = 1 << 20  # bytes: enough for any explanation that somebody reads


class Held:
    """An input that can be read at any offset: bytes, the beginning of a pipe, or a file, which is read again."""

    def __init__(self, data: bytes, *, path: str = "", size: int = 0) -> None:
        self._data = data
        self._path = path
        self.size = size or len(data)

    @classmethod
    def of_file(cls, path: str) -> Held:
        """Open *path*. What cannot be read twice, such as a pipe, is cut after ``MAX_HELD`` bytes."""
        with opened(path) as source:
            if source.size is not None and path != STDIN:
                return cls(b"", path=path, size=source.size)
            return cls(source.first + _all_of(source, MAX_HELD - len(source.first)))

    def read(self, offset: int, length: int) -> bytes:
        """Return up to *length* bytes at *offset*."""
        if not self._path:
            return self._data[offset : offset + length]
        with opened(self._path) as source:
            source.file.seek(offset)
            return _all_of(source, min(length, MAX_HELD))

    def interesting(self, length: int) -> int:
        """Return the offset of a character shortly before the first error; 0 for an input of up to *length* bytes."""
        if self.size <= length:
            return 0
        if self._path:
            with opened(self._path) as source:
                found = Scanner(source.readinto).first_offset()
        else:
            found = Scanner(io.BytesIO(self._data).readinto).first_offset()
        start = max(0, (found or 0) - BEFORE)
        while start < (found or 0) and 0x80 <= self.read(start, 1)[0] <= 0xBF:  # UTF8-tail
            start += 1
        return start


def _all_of(source: Opened, most: int) -> bytes:
    data = bytearray(most)
    filled = 0
    with memoryview(data) as view:
        while filled < most and (count := source.readinto(view[filled:])):
            filled += count
    return bytes(data[:filled])
