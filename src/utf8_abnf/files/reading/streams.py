"""Streams as readers get and give them: read forward, looked at beforehand, counted, and with one kind of error."""

from __future__ import annotations

import io
import tempfile
from typing import TYPE_CHECKING, NamedTuple, Protocol

from utf8_abnf.errors import UnreadableError
from utf8_abnf.language.notation import printable

if TYPE_CHECKING:
    from collections.abc import Callable

    from typing_extensions import Buffer

    from utf8_abnf.files.reading.columns import ColumnScanner

CHUNK = 384 << 10  # bytes read at a time, which stay in the second cache, where that has 1 MiB
HEAD = 8000  # bytes that may be looked at before they are read: git's rule for binary files needs them
MAX_SPOOL = 1 << 30  # bytes of a file that has to be copied because it comes from a pipe or from another archive
MAX_OUT = 64 << 30  # bytes that may come out of one file: a small one can hold petabytes
_MAX_REASON = 200  # characters of what a library says


class Readable(Protocol):
    """What can be read into a buffer, as binary files can."""

    def readinto(self, room: memoryview, /) -> int | None:
        """Put bytes into *room* and return how many; 0 at the end."""


class Part(NamedTuple):
    """One content in a packed file: *open* it before the next one is asked for; None for a pipe or a device."""

    name: str
    open: Callable[[], Stream | ColumnScanner] | None


class Meter:
    """Counts what comes out of one file; ``UnreadableError`` where it is more than ``MAX_OUT``."""

    out = 0

    def add(self, count: int) -> None:
        """Count *count* more bytes."""
        self.out += count
        if self.out > MAX_OUT:
            raise UnreadableError(f"more than {MAX_OUT:,} bytes came out of this file; unpack it first")

    @property
    def is_exceeded(self) -> bool:
        """Whether nothing more may come out."""
        return self.out > MAX_OUT


class _Guard:
    """A context, as ``contextlib`` would make it of a function in five times the time: each chunk needs two."""

    def __enter__(self) -> None: ...

    def __exit__(self, _: object, error: BaseException | None, __: object) -> None:
        if error is None or isinstance(error, (UnreadableError, KeyboardInterrupt, SystemExit, GeneratorExit)):
            return
        if isinstance(error, EOFError):
            raise UnreadableError("is truncated: its end is missing") from None
        if isinstance(error, OSError) and error.strerror:  # gzip and bzip2 use the type for what is damaged, too
            raise UnreadableError(error.strerror) from error
        reason = " ".join(str(error).split()) or type(error).__name__  # a panic of Rust is not an Exception
        raise UnreadableError(f"cannot be unpacked: {printable(reason[:_MAX_REASON])}") from error


_GUARD = _Guard()


def guarded() -> _Guard:
    """Turn whatever a library raises for bytes that it cannot read into ``UnreadableError``.

    Why any exception: on broken input these libraries raise KeyError, ValueError, NotImplementedError and others,
    which they do not document.
    """
    return _GUARD


class Stream(io.RawIOBase):
    """The bytes of *source*, which may raise anything; this raises ``UnreadableError``.

    *meter* counts them where they are unpacked. *file*: the same bytes with seeking, where there is such a file.
    """

    def __init__(self, source: Readable, meter: Meter | None = None, *, file: io.RawIOBase | None = None) -> None:
        self._source, self._meter, self.file = source, meter, file
        self._head = b""
        self._error: UnreadableError | None = None  # met while looking, raised when the bytes before it have been read

    def readable(self) -> bool:
        return True

    def look(self, size: int = HEAD) -> bytes:
        """Return the first *size* bytes, or all if they are fewer; they are read again later."""
        room = memoryview(bytearray(size))
        while len(self._head) < size and self._error is None:
            try:
                count = self._more(room[: size - len(self._head)])
            except UnreadableError as error:
                self._error = error
            else:
                if not count:
                    break
                self._head += room[:count]
        return self._head

    def readinto(self, room: Buffer, /) -> int:
        room = memoryview(room)  # ``read`` of Python gives a bytearray, a slice of which would be a copy
        if self._head:
            count = min(len(room), len(self._head))
            room[:count] = self._head[:count]
            self._head = self._head[count:]
            return count
        if self._error:
            raise self._error
        return self._more(room[:CHUNK])

    def _more(self, room: memoryview) -> int:
        with guarded():
            count = self._source.readinto(room) or 0
        if self._meter:
            self._meter.add(count)
        return count


def with_seeking(stream: Stream) -> io.RawIOBase:
    """Return the bytes of *stream* as a file in which a library can seek: its own, or a copy without a name."""
    if stream.file is not None:
        return stream.file
    copy: io.RawIOBase = tempfile.TemporaryFile(buffering=0)  # noqa: SIM115 - the caller closes it
    room = memoryview(bytearray(CHUNK))
    try:
        while count := stream.readinto(room):
            copy.write(room[:count])
            if copy.tell() > MAX_SPOOL:
                raise UnreadableError(f"is part of a stream and has more than {MAX_SPOOL:,} bytes; save it as a file")
    except BaseException:
        copy.close()
        raise
    copy.seek(0)
    return copy
