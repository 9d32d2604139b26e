"""The records of a WARC file, by fastwarc: of HTTP responses and requests the body, of others the block."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastwarc.warc import ArchiveIterator

from utf8_abnf.files.reading.streams import Meter, Part, Stream

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fastwarc.warc import WarcRecord

    from utf8_abnf.errors import UnreadableError

_MAX_HEADER = 1 << 20  # bytes
_END = b"\r\n\r\n"  # of a header, and of a record


def records(stream: Stream, meter: Meter) -> Iterator[Part]:
    """Yield the records, named by number, from 1, and target URI. ``UnreadableError`` where the file is cut off."""
    source = _Source(stream)
    found = ArchiveIterator(source, auto_decode="all", max_header_len=_MAX_HEADER)
    for number, record in enumerate(found, 1):
        name = f"record {number} {record.headers.get('WARC-Target-URI', '')}".rstrip()
        yield Part(name, lambda record=record: Stream(_Body(record), meter))  # type: ignore[misc]
    source.check()


class _Source:
    """What fastwarc reads from. It does not pass on what this raises, and takes any end for that of the records."""

    def __init__(self, stream: Stream) -> None:
        self._stream = stream
        self._error: UnreadableError | None = None
        self._last = b""  # four bytes
        self._at = 0

    def tell(self) -> int:
        return self._at

    def read(self, size: int) -> bytes:
        data = b""
        try:
            data = self._stream.read(size) or b""
        except OSError as error:
            self._error = error  # type: ignore[assignment]  # a Stream raises no other
        self._at += len(data)
        self._last = (self._last + data[-len(_END) :])[-len(_END) :]
        return data

    def check(self) -> None:
        """Raise the error that reading met, or ``EOFError`` where what was read does not end as a record does."""
        if self._error:
            raise self._error
        if self._last != _END:
            raise EOFError


class _Body:
    """The body of a record."""

    def __init__(self, record: WarcRecord) -> None:
        self._record = record

    def readinto(self, room: memoryview) -> int:
        data: bytes = self._record.reader.read(len(room))
        room[: len(data)] = data
        return len(data)
