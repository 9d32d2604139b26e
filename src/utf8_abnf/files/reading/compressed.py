"""Files that hold one compressed content: gzip, bzip2, xz, zstd. What is joined (``cat a.gz b.gz``) is one content."""

from __future__ import annotations

import bz2
import gzip
import lzma
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any

from utf8_abnf.files.reading.streams import Meter, Part, Readable, Stream

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import ModuleType

_IN = 64 << 10  # compressed bytes read at a time
_OUT = 128 << 10  # bytes unpacked at a time, which stay in the cache
MAX_XZ_MEMORY = 256 << 20  # bytes; xz -9 needs 65 MiB


class _Joined:
    """The content of one compressed stream after the other; NULs may follow a stream.

    *new* returns a decompressor of Python's bz2, lzma or compression.zstd, which have the same methods, for each.
    """

    def __init__(self, stream: Stream, new: Callable[[], Any]) -> None:
        self._stream, self._new = stream, new
        self._decompressor: Any = None

    def readinto(self, room: memoryview) -> int:
        out = b""
        while not out:
            data = b""
            if self._decompressor is None or self._decompressor.eof:
                data = (self._decompressor.unused_data if self._decompressor else b"").lstrip(b"\0")
                while not data and (more := self._stream.read(_IN)):
                    data = more.lstrip(b"\0")
                if not data:
                    return 0
                self._decompressor = self._new()
            elif self._decompressor.needs_input and not (data := self._stream.read(_IN) or b""):
                raise EOFError
            out = self._decompressor.decompress(data, min(len(room), _OUT))
        room[: len(out)] = out
        return len(out)


class _Once:
    """What gzip's reader gives at once: with ``readinto`` it would lose what it unpacked before an error."""

    def __init__(self, file: gzip.GzipFile) -> None:
        self._file = file

    def readinto(self, room: memoryview) -> int:
        data = self._file.read1(min(len(room), _OUT))
        room[: len(data)] = data
        return len(data)


def gzipped(stream: Stream, meter: Meter) -> Iterator[Part]:
    """Yield the content of a file by gzip."""
    yield _content(_Once(gzip.GzipFile(fileobj=stream)), meter)


def bzipped(stream: Stream, meter: Meter) -> Iterator[Part]:
    """Yield the content of a file by bzip2."""
    yield _content(_Joined(stream, bz2.BZ2Decompressor), meter)


def xzipped(stream: Stream, meter: Meter) -> Iterator[Part]:
    """Yield the content of a file by xz; ``MAX_XZ_MEMORY`` bounds its memory."""
    yield _content(_Joined(stream, partial(lzma.LZMADecompressor, lzma.FORMAT_XZ, MAX_XZ_MEMORY)), meter)


def zstandard(stream: Stream, meter: Meter) -> Iterator[Part]:
    """Yield the content of a file by zstd; libzstd refuses windows above 128 MiB."""
    yield _content(_Joined(stream, _zstd_library().ZstdDecompressor), meter)


def _zstd_library() -> ModuleType:
    try:
        return import_module("compression.zstd")
    except ModuleNotFoundError:
        return import_module("backports.zstd")


def _content(source: Readable, meter: Meter) -> Part:
    return Part("", lambda: Stream(source, meter))
