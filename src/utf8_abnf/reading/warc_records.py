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


_WHOLE = 1 << 20  # bytes of a body that are read at once: most pages have fewer


class _Read:
    """What fastwarc reads from. It does not pass on what this raises, so *error* keeps it."""

    def __init__(self, stream: Stream) -> None:
        self._stream, self._at = stream, 0
        self._room = memoryview(bytearray(CHUNK))
        self.error: UnreadableError | None = None
        self.end = b""  # the last four bytes

    def tell(self) -> int:
        return self._at

    def read(self, size: int) -> bytes:
        try:
            count = self._stream.readinto(self._room[:size])
        except UnreadableError as error:
            self.error = error
            return b""
        self._at += count
        data = bytes(self._room[:count])
        self.end = (self.end + data[-4:])[-4:]
        return data


class _Body:
    def __init__(self, record: WarcRecord) -> None:
        self._reader = record.reader
        self._first = b""
        self._error: BaseException | None = None

    def whole(self) -> bytes | None:
        """Return the body where two reads give all of it, else None; ``readinto`` gives it in any case."""
        more = b""
        try:
            self._first = self._reader.read(_WHOLE)
            more = self._reader.read(_WHOLE)
        except BaseException as error:
            self._error = error
        self._first += more
        return None if more or self._error else self._first

    def readinto(self, room: memoryview) -> int:
        data = self._first[: len(room)]
        self._first = self._first[len(data) :]
        if not data:
            if self._error:
                raise self._error
            data = self._reader.read(len(room))
        room[: len(data)] = data
        return len(data)


def records(packed: Packed) -> Iterator[Part]:
    """Yield the records, named by number, from 1, and target URI."""
    from fastwarc.warc import ArchiveIterator

    source = _Read(packed.stream)
    archive = ArchiveIterator(source, auto_decode="all", max_header_len=MAX_HEADER)
    record = None
    for number, record in enumerate(archive, 1):
        body = _Body(record)
        whole = body.whole()
        if whole is not None and packed.passes(whole):
            packed.meter.add(len(whole))
            continue
        name = f"record {number} {record.headers.get('WARC-Target-URI', '')}".rstrip()
        meter = packed.meter.part(record.content_length)
        yield Part(name, lambda body=body, meter=meter: Stream(body, meter))  # type: ignore[misc]
    if source.error:
        raise source.error
    if source.end != b"\r\n\r\n" or source.tell() < (_end_of(record) if record else 0):
        raise EOFError  # fastwarc takes the end of the file for that of a record


def _end_of(record: WarcRecord) -> int:
    """Return where *record* ends, or a little before."""
    headers = sum(len(name) + len(value) + 3 for name, value in record.headers)
    start: int = record.stream_pos
    return start + headers + int(record.headers.get("Content-Length", "0"))
