"""The records of a WARC file, by fastwarc: of HTTP responses and requests the body, of others the block."""

from __future__ import annotations

from typing import TYPE_CHECKING

from utf8_abnf.errors import UnreadableError
from utf8_abnf.reading.part import Part
from utf8_abnf.reading.streams import CHUNK, MAX_HEADER, Stream

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fastwarc.warc import WarcRecord

    from utf8_abnf.reading.part import Packed


class _Read:
    """What fastwarc reads from. It does not pass on what this raises, so *error* keeps it."""

    def __init__(self, stream: Stream) -> None:
        self._stream, self._at = stream, 0
        self.error: UnreadableError | None = None
        self.end = b""  # the last four bytes

    def tell(self) -> int:
        return self._at

    def read(self, size: int) -> bytes:
        room = memoryview(bytearray(min(size, CHUNK)))
        try:
            count = self._stream.readinto(room)
        except UnreadableError as error:
            self.error = error
            return b""
        self._at += count
        data = bytes(room[:count])
        self.end = (self.end + data[-4:])[-4:]
        return data


class _Body:
    def __init__(self, record: WarcRecord) -> None:
        self._reader = record.reader

    def readinto(self, room: memoryview) -> int:
        data: bytes = self._reader.read(len(room))
        room[: len(data)] = data
        return len(data)


def records(packed: Packed) -> Iterator[Part]:
    """Yield the records, named by number, from 1, and target URI."""
    from fastwarc.warc import ArchiveIterator

    source = _Read(packed.stream)
    archive = ArchiveIterator(source, auto_decode="all", max_header_len=MAX_HEADER)
    least = 0  # where the last record ends, or a little before
    for number, record in enumerate(archive, 1):
        headers = sum(len(name) + len(value) + 3 for name, value in record.headers)
        least = record.stream_pos + headers + int(record.headers.get("Content-Length", "0"))
        name = f"record {number} {record.headers.get('WARC-Target-URI', '')}".rstrip()
        meter = packed.meter.part(record.content_length)
        yield Part(name, lambda record=record, meter=meter: Stream(_Body(record), meter))  # type: ignore[misc]
    if source.error:
        raise source.error
    if source.end != b"\r\n\r\n" or source.tell() < least:  # fastwarc takes the end of the file for that of a record
        raise EOFError
