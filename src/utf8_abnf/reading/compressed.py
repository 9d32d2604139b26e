"""Files that hold one compressed content: gzip, bzip2, xz, zstd. What is joined (``cat a.gz b.gz``) is one content."""

from __future__ import annotations

import io
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Protocol

from utf8_abnf.reading.part import Part
from utf8_abnf.reading.streams import CHUNK, Stream

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import ModuleType

    from utf8_abnf.reading.limits import Meter
    from utf8_abnf.reading.part import Packed
    from utf8_abnf.reading.streams import Readable

_IN = 64 << 10  # compressed bytes read at a time
_READ = 128 << 10  # the same for isal: with 32 KiB unpacking takes 1.01 times as long
_OUT = 128 << 10  # bytes unpacked at a time: a block of zstd, and it stays in the cache; 1 MiB takes 1.4 times as long
MAX_XZ_MEMORY = 256 << 20  # bytes; xz -9 needs 65 MiB


class Decompressor(Protocol):
    """What bz2, lzma and compression.zstd of Python have in common."""

    @property
    def eof(self) -> bool:
        """Whether the end of its stream was reached."""

    @property
    def needs_input(self) -> bool:
        """Whether more can come out only after more went in."""

    @property
    def unused_data(self) -> bytes:
        """What went in after the end."""

    def decompress(self, data: bytes, max_length: int) -> bytes:
        """Return at most *max_length* bytes more."""


class _Joined:
    """The content of one compressed stream after the other; each gets a *new* decompressor."""

    def __init__(self, stream: Readable, new: Callable[[], Decompressor]) -> None:
        self._stream, self._new = stream, new
        self._decompressor: Decompressor | None = None
        self._room = memoryview(bytearray(_IN))

    def readinto(self, room: memoryview) -> int:
        while True:
            data = b""
            if self._decompressor is None:
                data = self._read()
                self._decompressor = self._new()
            elif self._decompressor.eof:
                data = self._decompressor.unused_data.lstrip(b"\0")  # xz allows padding, and others write it
                while not data:
                    more = self._read()
                    if not more:
                        return 0
                    data = more.lstrip(b"\0")
                self._decompressor = self._new()
            elif self._decompressor.needs_input:
                data = self._read()
                if not data:
                    raise EOFError
            out = self._decompressor.decompress(data, min(len(room), _OUT))
            if out:
                room[: len(out)] = out
                return len(out)

    def _read(self) -> bytes:
        return bytes(self._room[: self._stream.readinto(self._room) or 0])


def gzip(packed: Packed) -> Iterator[Part]:
    """Yield the content of a file by gzip: by isal where it is installed, four times as fast as Python's own."""
    yield Part("", lambda: gunzip(packed.stream, packed.meter))


def gunzip(file: io.RawIOBase, meter: Meter) -> Stream:
    """Return what is in *file*, from where it stands on."""
    return Stream(_gzip_file(file), meter, gzip=file.file if isinstance(file, Stream) else None)


def _gzip_file(file: io.RawIOBase) -> Readable:
    try:
        # What IGzipFile reads with. It unpacks into our buffer, where IGzipFile unpacks into one of its own and copies.
        # A check takes 1.04 times as long as isal needs to unpack; with IGzipFile it takes 1.07 times as long.
        from isal.isal_zlib import _GzipReader
    except ImportError:
        from gzip import GzipFile

        return GzipFile(fileobj=io.BufferedReader(file, CHUNK), mode="rb")
    return _Isal(_GzipReader(file, _READ))


class _Isal:
    """What isal's *reader* gives. Where this raises, what it unpacked before comes first."""

    def __init__(self, reader: io.RawIOBase) -> None:
        self._reader = reader
        self._error: Exception | None = None

    def readinto(self, room: memoryview) -> int | None:
        if self._error:
            raise self._error
        before = self._reader.tell()
        try:
            return self._reader.readinto(room)
        except Exception as error:
            if self._reader.tell() == before:
                raise
            self._error = error
            return self._reader.tell() - before


def bzip2(packed: Packed) -> Iterator[Part]:
    """Yield the content of a file by bzip2."""
    from bz2 import BZ2Decompressor

    yield _content(packed, _Joined(packed.stream, BZ2Decompressor))


def xz(packed: Packed) -> Iterator[Part]:
    """Yield the content of a file by xz; ``MAX_XZ_MEMORY`` bounds its memory."""
    from lzma import FORMAT_XZ, LZMADecompressor

    yield _content(packed, _Joined(packed.stream, partial(LZMADecompressor, FORMAT_XZ, MAX_XZ_MEMORY)))


def zstd(packed: Packed) -> Iterator[Part]:
    """Yield the content of a file by zstd; libzstd refuses windows above 128 MiB."""
    yield _content(packed, _Joined(packed.stream, _zstd_library().ZstdDecompressor))


def packer(name: str, sink: io.RawIOBase) -> io.BufferedIOBase:
    """Return a file that writes into *sink* in the format *name*, at the level that its program takes by default."""
    if name == "gzip":
        from gzip import GzipFile

        return GzipFile("", "wb", 6, sink, mtime=0)
    if name == "bzip2":
        from bz2 import BZ2File

        return BZ2File(sink, "wb")
    if name == "xz":
        from lzma import LZMAFile

        return LZMAFile(sink, "wb")  # type: ignore[arg-type]  # it needs write alone
    file: io.BufferedIOBase = _zstd_library().ZstdFile(sink, "wb")
    return file


def _zstd_library() -> ModuleType:
    try:
        return import_module("compression.zstd")
    except ModuleNotFoundError:
        return import_module("backports.zstd")


def _content(packed: Packed, source: Readable) -> Part:
    return Part("", lambda: Stream(source, packed.meter))
