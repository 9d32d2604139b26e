"""Streams as readers get and give them: read forward, looked at beforehand, counted, and with one kind of error."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Protocol

from utf8_abnf.errors import UnreadableError
from utf8_abnf.files.reading.limits import guarded
from utf8_abnf.language import messages
from utf8_abnf.language.catalogue import say

if TYPE_CHECKING:
    from typing_extensions import Buffer

    from utf8_abnf.files.reading.limits import Meter

CHUNK = 384 << 10  # bytes read at a time, which stay in the second cache, where that has 1 MiB
HEAD = 8000  # bytes that may be looked at before they are read: git's rule for binary files needs them
MAX_SPOOL = 1 << 30  # bytes of a file that has to be copied because it comes from a pipe or from another archive
MAX_HEADER = 1 << 20  # bytes of a header that a library reads at once


class Readable(Protocol):
    """What can be read into a buffer, as binary files can."""

    def readinto(self, room: memoryview, /) -> int | None:
        """Put bytes into *room* and return how many; 0 at the end."""


class Stream(io.RawIOBase):
    """The bytes of *source*, which may raise anything; this raises ``UnreadableError``.

    *meter* counts them where they come out of fewer. With seeking, where there is such a file: *file*, the same bytes;
    *gzip*, the file of which they are the content.
    """

    def __init__(
        self,
        source: Readable,
        meter: Meter | None = None,
        *,
        file: io.RawIOBase | None = None,
        gzip: io.RawIOBase | None = None,
    ) -> None:
        self._source, self._meter, self.file, self.gzip = source, meter, file, gzip
        self._head = b""
        self._error: UnreadableError | None = None  # met while looking, raised when the bytes before it have been read

    def readable(self) -> bool:
        return True

    def look(self, size: int = HEAD) -> bytes:
        """Return the first *size* bytes, or all if they are fewer; they are read again later."""
        if len(self._head) >= size:
            return self._head
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


class MisledError(UnreadableError):
    """A header states what cannot be followed; the stream itself can be read on."""


class Forward:
    """A stream for a library that seeks forward only and reads headers; it never holds more than ``MAX_HEADER``.

    *last* is what ``read`` returned last.
    """

    def __init__(self, stream: Stream) -> None:
        self._stream = stream
        self._at = 0
        self._back = self.last = b""

    def tell(self) -> int:
        return self._at

    def give_back(self, data: bytes) -> None:
        """Let *data*, which was read last, be read again."""
        self._back = data + self._back
        self._at -= len(data)

    def readinto(self, room: memoryview) -> int:
        if self._back:
            count = min(len(room), len(self._back))
            room[:count] = self._back[:count]
            self._back = self._back[count:]
        else:
            count = self._stream.readinto(room)
        self._at += count
        return count

    def read(self, size: int = -1) -> bytes:
        if not 0 <= size <= MAX_HEADER:
            raise MisledError(say(messages.HEADER_TOO_LARGE, most=f"{MAX_HEADER:,}"))
        room = memoryview(bytearray(size))
        filled = 0
        while filled < size and (count := self.readinto(room[filled:])):
            filled += count
        self.last = bytes(room[:filled])
        return self.last

    def seek(self, offset: int) -> int:
        if offset < self._at:
            raise MisledError(say(messages.NOT_FORWARD))
        room = memoryview(bytearray(min(CHUNK, offset - self._at)))
        while self._at < offset and self.readinto(room[: offset - self._at]):
            pass
        return self._at


class Slice:
    """The next *size* bytes of a stream, as a source of their own; ``EOFError`` where they are cut off."""

    def __init__(self, source: Readable, size: int) -> None:
        self._source, self._left = source, size

    def readinto(self, room: memoryview) -> int:
        if not self._left:
            return 0
        count = self._source.readinto(room[: self._left]) or 0
        if not count:
            raise EOFError
        self._left -= count
        return count


def with_seeking(stream: Stream) -> io.RawIOBase:
    """Return the bytes of *stream* as a file in which a library can seek: its own, or a copy without a name."""
    if stream.file is not None:
        return stream.file
    import tempfile

    copy: io.RawIOBase = tempfile.TemporaryFile(buffering=0)  # noqa: SIM115 - the caller closes it
    room = memoryview(bytearray(CHUNK))
    try:
        while count := stream.readinto(room):
            copy.write(room[:count])
            if copy.tell() > MAX_SPOOL:
                raise UnreadableError(say(messages.SAVE_IT_FIRST, most=f"{MAX_SPOOL:,}"))
    except BaseException:
        copy.close()
        raise
    copy.seek(0)
    return copy
