"""The records of a WARC file, by fastwarc: of HTTP responses and requests the body, of others the block."""

from __future__ import annotations

import sys
from itertools import count
from typing import TYPE_CHECKING

from utf8_abnf.errors import UnreadableError
from utf8_abnf.reading.compressed import gunzip
from utf8_abnf.reading.part import Part
from utf8_abnf.reading.readers import BEGINS, reader_of
from utf8_abnf.reading.streams import CHUNK, MAX_HEADER, Stream

if TYPE_CHECKING:
    import io
    from collections.abc import Callable, Iterator

    from fastwarc.warc import WarcRecord

    from utf8_abnf.reading.limits import Meter
    from utf8_abnf.reading.part import Packed


_WHOLE = 1 << 18  # bytes of a body that are read at once: most pages have fewer; 1 MiB takes 1.02 times as long
# A block of this size is freed first: glibc then keeps what smaller ones give back. Else it returned the memory of each
# body to the system where the heap happened to end behind it; a check took up to 1.9 times as long as reading alone.
_FREED = 4 << 20
_BETWEEN = 1 << 20  # bytes of gzip that may be read to find a record: line ends alone make 1 GiB of them
_HEADER = 1 << 16  # bytes of a header that are read quickly
_APART = 16 << 20  # bytes of a record that is decoded apart from the others
_MEMBER = b"\x1f\x8b\x08"  # with which a member of gzip begins: RFC 1952 section 2.3.1


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


class _Members:
    """A file of gzip for fastwarc to unpack. It seems to end where *left* bytes were read and no record was in them."""

    def __init__(self, file: io.RawIOBase) -> None:
        self._file = file
        self._at = self.left = 0
        file.seek(0)

    def tell(self) -> int:
        return self._at

    def read(self, size: int) -> bytes:
        data = self._file.read(min(size, self.left)) or b""
        self._at += len(data)
        self.left -= len(data)
        return data

    def begins(self, at: int) -> bool:
        """Return whether a member begins at offset *at*."""
        self._file.seek(at)
        head = self._file.read(len(_MEMBER))
        self._file.seek(self._at)
        return head == _MEMBER

    def content(self, start: int, meter: Meter) -> Stream:
        """Return what is in the members from offset *start* on, unpacked by us."""
        self._file.seek(start)
        return gunzip(self._file, meter)


class _Body:
    """The body of *record*, which is *decoded* first where the iterator over all records did not do that."""

    def __init__(self, record: WarcRecord, decoded: Callable[[WarcRecord], WarcRecord] | None = None) -> None:
        self._record, self._decoded = record, decoded
        self._first = b""
        self.error: BaseException | None = None

    def whole(self) -> bytes | None:
        """Return the body where two reads give all of it, else None; ``readinto`` gives it in any case."""
        more = b""
        try:
            self._reader = (self._decoded(self._record) if self._decoded else self._record).reader
            self._first = self._reader.read(_WHOLE)
            more = self._reader.read(_WHOLE)
        except (KeyboardInterrupt, SystemExit):
            raise
        except BaseException as error:
            self.error = error
        self._first += more
        return None if more or self.error else self._first

    def readinto(self, room: memoryview) -> int:
        data = self._first[: len(room)]
        self._first = self._first[len(data) :]
        if not data:
            if self.error:
                raise self.error
            data = self._reader.read(len(room))
        room[: len(data)] = data
        return len(data)


def records(packed: Packed) -> Iterator[Part]:
    """Yield the records, named by number, from 1, and target URI.

    Where each is a member of a gzip file, fastwarc unpacks them, in three quarters of the time. But it ends without an
    error before an empty member, and at the last one it does not look whether that is whole: so the last record that
    it gave is unpacked by us once more, and whatever comes after it.
    """
    bytes(_FREED)
    number = skipped = 0
    stream = packed.stream
    if stream.gzip is not None:
        members, last = _Members(stream.gzip), None
        for number, last in enumerate(_quickly(members), 1):
            if not _is_said(packed, last[2]):
                yield _part(packed, number, *last)
        start, skipped = 0, number
        if last and _is_first(members.content(last[0].stream_pos, packed.meter), *last):
            start, skipped = last[0].stream_pos, 1
        stream = members.content(start, packed.meter)
    yield from _carefully(packed, stream, number - skipped, skipped)


def _is_first(stream: Stream, record: WarcRecord, _: _Body, whole: bytes | None) -> bool:
    """Return whether *stream* begins with the *record*: fastwarc says where it is only if it is first in its member."""
    from fastwarc.warc import ArchiveIterator

    try:
        found = next(ArchiveIterator(_Read(stream), auto_decode="all", max_header_len=_HEADER))
    except Exception:
        return False
    return list(found.headers) == list(record.headers) and _Body(found).whole() == whole


def _quickly(members: _Members) -> Iterator[tuple[WarcRecord, _Body, bytes | None]]:
    """Yield the records of *members*, up to the first that is not in a member of its own or cannot be read."""
    from fastwarc.warc import ArchiveIterator

    archive = ArchiveIterator(members, auto_decode="all", max_header_len=_HEADER)
    for number in count(1):
        members.left = _BETWEEN
        try:
            record = next(archive, None)
        except (KeyboardInterrupt, SystemExit):
            raise
        except BaseException:  # a panic of Rust is not an Exception
            return
        if record is None or (number == 2 and not members.begins(record.stream_pos)):
            return
        members.left = sys.maxsize
        body = _Body(record)
        whole = body.whole()
        if body.error:
            return
        yield record, body, whole


def _carefully(packed: Packed, stream: Stream, before: int, skipped: int) -> Iterator[Part]:
    """Yield the records of *stream*, after *before* others, except for those *skipped*, the first ones."""
    from fastwarc.warc import ArchiveIterator

    source = _Read(stream)
    record = None
    for number, record in enumerate(ArchiveIterator(source, parse_http=False, max_header_len=MAX_HEADER), 1):
        body = _Body(record, _decoded)
        whole = body.whole()
        if number > skipped and not _is_said(packed, whole):
            yield _part(packed, before + number, record, body, whole)
    if source.error:
        raise source.error
    if source.end != b"\r\n\r\n" or source.tell() < (_end_of(record) if record else 0):
        raise EOFError  # fastwarc takes the end of the file for that of a record


def _decoded(record: WarcRecord) -> WarcRecord:
    """Return *record* with its HTTP header read and its body decoded: a copy, as fastwarc finds no record after errors.

    The record itself where it is large.
    """
    from fastwarc.warc import WarcRecord

    if not record.is_http:
        return record
    if record.content_length <= _APART:
        copy = WarcRecord()
        copy.set_bytes_content(record.reader.read())
        copy.is_http = True
        record = copy
    record.parse_http(auto_decode="all", max_header_len=MAX_HEADER)
    return record


def _is_said(packed: Packed, whole: bytes | None) -> bool:
    """Return whether all is said of a record; *whole* is its body, if that is small."""
    if whole is None or (whole and whole[0] in BEGINS and reader_of(whole)) or not packed.passes(whole):
        return False
    packed.meter.add(len(whole))
    return True


def _part(packed: Packed, number: int, record: WarcRecord, body: _Body, _: bytes | None) -> Part:
    name = f"record {number} {record.headers.get('WARC-Target-URI', '')}".rstrip()
    meter = packed.meter.part(record.content_length)
    return Part(name, lambda: Stream(body, meter))


def _end_of(record: WarcRecord) -> int:
    """Return where *record* ends, or a little before."""
    headers = sum(len(name) + len(value) + 3 for name, value in record.headers)
    start: int = record.stream_pos
    return start + headers + int(record.headers.get("Content-Length", "0"))
