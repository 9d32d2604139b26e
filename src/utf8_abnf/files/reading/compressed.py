"""Files that hold one compressed content: gzip, bzip2, xz, zstd. What is joined (``cat a.gz b.gz``) is one content."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Protocol

from utf8_abnf.errors import UnreadableError
from utf8_abnf.explain.nature import SIGNATURES
from utf8_abnf.files.reading.part import Part
from utf8_abnf.files.reading.streams import Stream
from utf8_abnf.language import messages
from utf8_abnf.language.catalogue import count, say
from utf8_abnf.language.notation import hex_bytes

if TYPE_CHECKING:
    import io
    from collections.abc import Callable, Iterator
    from types import ModuleType

    from utf8_abnf.files.reading.limits import Meter
    from utf8_abnf.files.reading.part import Packed
    from utf8_abnf.files.reading.streams import Readable

_IN = 64 << 10  # compressed bytes read at a time
_READ = 128 << 10  # the same for isal: with 32 KiB unpacking takes 1.01 times as long
_OUT = 128 << 10  # bytes unpacked at a time: a block of zstd, and it stays in the cache; 1 MiB takes 1.4 times as long
_SHOWN = 8  # bytes of what is not of the format
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
    """The content of one compressed stream of *format* after the other; each gets a *new* decompressor.

    NULs between them and at the end are passed over. ``UnreadableError`` for anything else that follows a stream.
    """

    def __init__(self, stream: Readable, format: str, new: Callable[[], Decompressor]) -> None:
        self._stream, self._format, self._new = stream, format, new
        self._magics = tuple(row.magic for row in SIGNATURES if row.format == format)
        self._decompressor: Decompressor | None = None
        self._room = memoryview(bytearray(_IN))
        self._begun = self._read_bytes = 0
        self._error: Exception | None = None

    def readinto(self, room: memoryview) -> int:
        """Fill *room*, as far as the content reaches: with zstd, a check of smaller pieces takes 1.1 times as long."""
        filled = 0
        try:
            while self._error is None and (out := self._more(min(len(room) - filled, _OUT))):
                room[filled : filled + len(out)] = out
                filled += len(out)
        except Exception as error:
            self._error = error  # raised when the bytes before it have been read
        if self._error and not filled:
            raise self._error
        return filled

    def _more(self, most: int) -> bytes:
        """Return up to *most* bytes of the content, b"" at its end or where *most* is 0."""
        out = b""
        while most and not out:
            data = b""
            if self._decompressor is None or self._decompressor.eof:
                data = self._beginning(self._decompressor.unused_data if self._decompressor else b"")
                if not data:
                    break
                self._decompressor = self._new()
                self._begun += 1
            elif self._decompressor.needs_input:
                data = self._read()
                if not data:
                    raise EOFError
            out = self._decompressor.decompress(data, most)
        return out

    def _beginning(self, data: bytes) -> bytes:
        """Return the first bytes of the next stream, of which *data* may be some; b"" at the end."""
        data = data.lstrip(b"\0")  # xz allows padding, and others write it
        while len(data) < max(map(len, self._magics)) and (more := self._read()):
            data = (data + more).lstrip(b"\0")
        if any(data[: len(magic)] == magic[: len(data)] for magic in self._magics):  # it may be cut off
            return data
        at = self._read_bytes - len(data)
        facts = {"format": self._format, "bytes": hex_bytes(data[:_SHOWN]), "offset": f"{at:,}"}
        raise UnreadableError(say(messages.NOT_COMPRESSED, streams=count(messages.STREAMS, self._begun), **facts))

    def _read(self) -> bytes:
        size = self._stream.readinto(self._room) or 0
        self._read_bytes += size
        return bytes(self._room[:size])


def gzip(packed: Packed) -> Iterator[Part]:
    """Yield the content of a file by gzip: by isal where it is installed, four times as fast as Python's own."""
    yield Part("", lambda: gunzip(packed.stream, packed.meter))


def gunzip(file: io.RawIOBase, meter: Meter) -> Stream:
    """Return what is in *file*, from where it stands on."""
    seekable, start = (file.file, 0) if isinstance(file, Stream) else (file, file.tell())
    try:
        # What IGzipFile reads with. It unpacks into our buffer, where IGzipFile unpacks into one of its own and copies.
        # A check takes 1.04 times as long as isal needs to unpack; with IGzipFile it takes 1.07 times as long.
        from isal.isal_zlib import _GzipReader
    except ImportError:
        return Stream(_joined_gzip(file), meter, gzip=seekable)
    return Stream(_Isal(_GzipReader(file, _READ), seekable, start), meter, gzip=seekable)


def _joined_gzip(stream: Readable) -> _Joined:
    return _Joined(stream, "gzip", _Inflater)


class _Isal:
    """What isal's *reader* gives. Where it raises, what it unpacked before comes first.

    *file* has the packed bytes from *start* on and can be read again; None where nothing can.
    """

    def __init__(self, reader: io.RawIOBase, file: io.RawIOBase | None, start: int) -> None:
        self._reader, self._file, self._start = reader, file, start
        self._error: Exception | None = None
        self._again: _Joined | None = None

    def readinto(self, room: memoryview) -> int | None:
        if self._error is None:
            before = self._reader.tell()
            try:
                return self._reader.readinto(room)
            except Exception as error:
                self._error = error
                if count := self._reader.tell() - before:
                    return count
                self._unpack_again(before)
        with suppress(Exception):
            if self._again and (count := self._again.readinto(room)):
                return count
        self._again = None
        raise self._exact(self._error)

    def _unpack_again(self, start: int) -> None:
        """Get ready to give by zlib what isal, after *start* bytes, had unpacked when it met the damage."""
        if self._file is None:
            return
        self._file.seek(self._start)
        self._again, room = _joined_gzip(self._file), memoryview(bytearray(_OUT))
        with suppress(Exception):
            while start and (count := self._again.readinto(room[:start])):
                start -= count

    def _exact(self, error: Exception) -> Exception:
        """Return *error*, or what is known better: isal says the same of what is cut off and of what has a little more.

        It has one type for what is damaged and what has much more, which only the text tells apart.
        """
        if self._file is None and isinstance(error, EOFError):
            return UnreadableError(say(messages.UNCLEAR_END))
        if self._file is None:
            has_more = str(error).startswith("Not a gzipped file")
            return UnreadableError(say(messages.MORE_AFTER_END)) if has_more else error
        self._file.seek(0)
        again, room = _joined_gzip(self._file), memoryview(bytearray(_OUT))
        try:
            while again.readinto(room):
                pass
        except Exception as found:
            return found if isinstance(found, (EOFError, UnreadableError)) else error
        return error


class _Inflater:
    """The decompressor of Python's zlib for one stream of gzip, as a ``Decompressor``."""

    def __init__(self) -> None:
        from zlib import decompressobj

        self._inflate = decompressobj(31)  # with the header and the checksum of gzip

    @property
    def eof(self) -> bool:
        return self._inflate.eof

    @property
    def needs_input(self) -> bool:
        return not self._inflate.unconsumed_tail

    @property
    def unused_data(self) -> bytes:
        return self._inflate.unused_data

    def decompress(self, data: bytes, max_length: int) -> bytes:
        from zlib import error

        data = self._inflate.unconsumed_tail + data
        while True:
            before = self._inflate.copy()  # 40 KiB
            try:
                return self._inflate.decompress(data, max_length)
            except error:
                if max_length == 1:
                    raise
                self._inflate, max_length = before, max_length // 2  # up to the damage it can be unpacked


def bzip2(packed: Packed) -> Iterator[Part]:
    """Yield the content of a file by bzip2."""
    from bz2 import BZ2Decompressor

    yield _content(packed, _Joined(packed.stream, "bzip2", BZ2Decompressor))


def xz(packed: Packed) -> Iterator[Part]:
    """Yield the content of a file by xz; ``MAX_XZ_MEMORY`` bounds its memory."""
    from lzma import FORMAT_XZ, LZMADecompressor

    yield _content(packed, _Joined(packed.stream, "xz", partial(LZMADecompressor, FORMAT_XZ, MAX_XZ_MEMORY)))


def zstd(packed: Packed) -> Iterator[Part]:
    """Yield the content of a file by zstd; libzstd refuses windows above 128 MiB."""
    yield _content(packed, _Joined(packed.stream, "zstd", _zstd_library().ZstdDecompressor))


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
