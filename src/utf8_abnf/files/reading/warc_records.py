"""The records of a WARC file, by fastwarc: of HTTP responses and requests the body, of others the block."""

from __future__ import annotations

import re
import sys
from collections import deque
from itertools import count
from typing import TYPE_CHECKING

from utf8_abnf.errors import UnreadableError
from utf8_abnf.files.reading.compressed import gunzip
from utf8_abnf.files.reading.limits import guarded
from utf8_abnf.files.reading.part import Part, broken
from utf8_abnf.files.reading.readers import BEGINS, reader_of
from utf8_abnf.files.reading.streams import CHUNK, MAX_HEADER, Stream
from utf8_abnf.language import messages
from utf8_abnf.language.catalogue import say
from utf8_abnf.language.notation import printable

if TYPE_CHECKING:
    import io
    from collections.abc import Callable, Iterator

    from fastwarc.warc import WarcRecord

    from utf8_abnf.files.reading.limits import Meter
    from utf8_abnf.files.reading.part import Packed


_WHOLE = 1 << 18  # bytes of a body that are read at once: most pages have fewer; 1 MiB takes 1.02 times as long
# A block of this size is freed first: glibc then keeps what smaller ones give back. Else it returned the memory of each
# body to the system where the heap happened to end behind it; a check took up to 1.9 times as long as reading alone.
_FREED = 4 << 20
_KEPT = 1 << 18  # bytes that were read and stay: fastwarc has a buffer of 64 KiB
_FIRST_LINE = re.compile(rb"WARC/[01]\.[0-9]{1,2}[ \t]*\r?\n(?=[A-Za-z-]+:)")  # of a record, and a header's name
_MAX_FIRST_LINE = 64
_BETWEEN = 1 << 20  # bytes of gzip that may be read to find a record: line ends alone make 1 GiB of them
_HEADER = 1 << 16  # bytes of a header that are read quickly
_MAX_DIGITS = 20  # of a length
_MAX_REASON = 200  # characters of what fastwarc says
_APART = 16 << 20  # bytes of a record that is decoded apart from the others
_RECORD = b"WARC/"
_END = b"\r\n\r\n"  # of a header, and of a record
_MEMBER = b"\x1f\x8b\x08"  # with which a member of gzip begins: RFC 1952 section 2.3.1


class _Read:
    """What fastwarc reads from. It does not pass on what this raises, so *error* keeps it.

    Bytes that were read stay for a while, since fastwarc reads more than it has used where a header is broken.
    """

    def __init__(self, stream: Stream) -> None:
        self._stream, self._at = stream, 0
        self._room = memoryview(bytearray(CHUNK))
        self._kept: deque[bytes] = deque()
        self._kept_size = 0
        self._back = b""  # what is read again
        self.error: UnreadableError | None = None
        self.ended = False
        self.end = b""  # the last four bytes

    def tell(self) -> int:
        return self._at

    def read(self, size: int) -> bytes:
        data, self._back = self._back[:size], self._back[size:]
        if not data:
            try:
                count = self._stream.readinto(self._room[:size])
            except UnreadableError as error:
                self.error, count = error, 0
            self.ended = not count
            data = bytes(self._room[:count])
        self._at += len(data)
        self.end = (self.end + data[-4:])[-4:]
        self._kept.append(data)
        self._kept_size += len(data)
        while self._kept_size - len(self._kept[0]) >= _KEPT:
            self._kept_size -= len(self._kept.popleft())
        return data

    def find_record(self, start: int) -> int:
        """Return where the next record begins, at offset *start* or behind it, and go there; -1 where none does.

        Of what is read no longer, nothing is looked at.
        """
        data = b"".join(self._kept)
        self._kept.clear()
        self._kept_size = 0
        data = data[max(0, start - (self._at - len(data))) :]
        while (found := _FIRST_LINE.search(data)) is None:
            data = data[-_MAX_FIRST_LINE:]
            more = self.read(CHUNK)
            if not more:
                return -1
            data += more
        self._back = data[found.start() :] + self._back
        self._at -= len(data) - found.start()
        self._kept.clear()
        self._kept_size = 0
        return self._at


class _Members:
    """A file of gzip for fastwarc to unpack, from the member at offset *start* on.

    It seems to end where *left* bytes were read and no record was in them.
    """

    def __init__(self, file: io.RawIOBase, start: int) -> None:
        self._file, self._at = file, start
        self.left = 0
        self.ended = False
        file.seek(start)

    def tell(self) -> int:
        return self._at

    def read(self, size: int) -> bytes:
        data = self._file.read(min(size, self.left)) or b""
        self.ended = not data
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

    def is_whole(self, start: int, meter: Meter) -> bool:
        """Return whether there is a whole member at offset *start* that begins as a record."""
        from zlib import decompressobj, error

        self._file.seek(start)
        inflate, head = decompressobj(31), b""
        try:
            while not inflate.eof:
                data = inflate.unconsumed_tail or self._file.read(CHUNK)
                if not data:
                    return False
                out = inflate.decompress(data, CHUNK)
                meter.add(len(out))
                head = (head + out)[: len(_RECORD)]
        except error:
            return False
        return head == _RECORD

    def next_after(self, start: int, meter: Meter) -> int:
        """Return where the next member begins, behind offset *start*, that is a whole record; -1 where none does."""
        start += 1
        while True:
            self._file.seek(start)
            chunk = self._file.read(CHUNK) or b""
            at = chunk.find(_MEMBER)
            if at >= 0 and self.is_whole(start + at, meter):
                return start + at
            if len(chunk) < len(_MEMBER):
                return -1
            start += at + 1 if at >= 0 else len(chunk) - len(_MEMBER) + 1


class _Body:
    """The body of *record*, which is *decoded* first where the iterator over all records did not do that.

    *first* has been read of it.
    """

    def __init__(
        self, record: WarcRecord, decoded: Callable[[WarcRecord], WarcRecord] | None = None, *, first: bytes = b""
    ) -> None:
        self._record, self._decoded, self._first = record, decoded, first
        self._reader = record.reader
        self.error: BaseException | None = None

    def whole(self) -> bytes | None:
        """Return the body where two reads give all of it, else None; ``readinto`` gives it in any case."""
        more = b""
        try:
            if self._decoded:
                self._reader = self._decoded(self._record).reader
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
    file = packed.stream.gzip
    number = start = 0
    if file is None:
        try:
            with guarded():
                for _, part in _carefully(packed, packed.stream, 0, 0):
                    number += 1
                    if part:
                        yield part
        except UnreadableError as error:
            raise _last(error, packed, number) from None
        return
    while start >= 0:
        members, last, before = _Members(file, start), None, number
        for number, last in enumerate(_quickly(members), before + 1):
            record, first, more = last
            if more or not _is_said(packed, first):
                yield _part(packed, number, record, _Body(record, first=first + more))
        skipped = number - before
        if last and _is_first(members.content(last[0].stream_pos, packed.meter), *last):
            start, skipped = last[0].stream_pos, 1
        told = []  # the headers of the records that follow these
        try:
            with guarded():
                content = members.content(start, packed.meter)
                for headers, part in _carefully(packed, content, number - skipped, skipped):
                    told.append(headers)
                    if part:
                        yield part
            return
        except UnreadableError as error:
            lost = _last(error, packed, number + len(told))
            if packed.meter.exceeded or len(told) > 1 or skipped > 1:  # *start* is too far before the place
                raise lost from None
            number += not skipped or members.is_whole(start, packed.meter)
            start = members.next_after(start, packed.meter)
            if told and start >= 0 and _first_headers(members.content(start, packed.meter)) == told[0]:
                start = members.next_after(start, packed.meter)
            if start < 0:
                raise lost from None
            why = say(messages.RECORD_LOST, reason=error.strerror, offset=f"{start:,}")
            yield broken("", UnreadableError(why))


def _last(error: UnreadableError, packed: Packed, number: int) -> UnreadableError:
    """Return *error*, behind which nothing is read, with the *number* of the last record that was; 0 for none."""
    if packed.meter.exceeded or not number:
        return error
    return UnreadableError(say(messages.REST_LOST, reason=error.strerror, number=f"{number:,}"))


def _first_headers(stream: Stream) -> list[tuple[str, str]]:
    """Return the headers of the first record of *stream*; none where there is none."""
    from fastwarc.warc import ArchiveIterator

    try:
        return list(next(ArchiveIterator(_Read(stream), max_header_len=MAX_HEADER)).headers)
    except Exception:
        return []


def _is_first(stream: Stream, record: WarcRecord, first: bytes, more: bytes) -> bool:
    """Return whether *stream* begins with the *record*: fastwarc says where it is only if it is first in its member."""
    from fastwarc.warc import ArchiveIterator

    try:
        found = next(ArchiveIterator(_Read(stream), auto_decode="all", max_header_len=_HEADER))
    except Exception:
        return False
    same = list(found.headers) == list(record.headers)
    return same and _Body(found).whole() == (None if more else first)


def _quickly(members: _Members) -> Iterator[tuple[WarcRecord, bytes, bytes]]:
    """Yield the records of *members*, up to the first that is not in a member of its own or cannot be read.

    With the beginning of each body, and what is read next: b"" where that was all of it.
    """
    from fastwarc.warc import ArchiveIterator

    archive = ArchiveIterator(members, auto_decode="all", max_header_len=_HEADER)
    for number in count(1):
        members.left = _BETWEEN
        try:
            record = next(archive, None)
            if record is None or (number == 2 and not members.begins(record.stream_pos)):
                return
            members.left = sys.maxsize
            read = record.reader.read
            first, more = read(_WHOLE), read(_WHOLE)
        except (KeyboardInterrupt, SystemExit):
            raise
        except BaseException:  # a panic of Rust is not an Exception
            return
        if members.ended:  # it may be cut off
            return
        yield record, first, more


def _carefully(
    packed: Packed, stream: Stream, before: int, skipped: int
) -> Iterator[tuple[list[tuple[str, str]], Part | None]]:
    """Yield headers and part of the records of *stream*, after *before* others, except for the first *skipped*.

    None for the part of a record of which all is said.
    """
    from fastwarc.warc import ArchiveIterator

    source = _Read(stream)
    number, record, at = 0, None, 0
    while True:
        try:
            for record in ArchiveIterator(source, parse_http=False, max_header_len=MAX_HEADER):
                number += 1
                body = _Body(record, _decoded)
                whole = body.whole()
                if source.ended and source.end != _END and "Content-Length" not in record.headers:
                    break  # the file ends in its header
                if source.ended and record.reader.tell() < record.content_length:
                    body.error, whole = source.error or EOFError(), None
                if number > skipped:
                    is_said = _is_said(packed, whole)
                    yield list(record.headers), None if is_said else _part(packed, before + number, record, body)
            break
        except (KeyboardInterrupt, SystemExit, GeneratorExit, UnreadableError):
            raise
        except BaseException as error:  # a panic of Rust is not an Exception
            if source.error:
                raise source.error from None
            at = source.find_record(max(at + 1, _end_of(record) if record else 0))
            if at < 0:
                raise source.error or error from None
            number += 1
            reason = say(messages.CANNOT_UNPACK, reason=printable(str(error)[:_MAX_REASON]))
            yield [], broken("", UnreadableError(say(messages.RECORD_LOST, reason=reason, offset=f"{at:,}")))
    if source.error:
        raise source.error
    if source.end != _END or source.tell() < (_end_of(record) if record else 0):
        raise EOFError  # fastwarc takes the end of the file for that of a header or a record


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


def _part(packed: Packed, number: int, record: WarcRecord, body: _Body) -> Part:
    name = f"record {number} {record.headers.get('WARC-Target-URI', '')}".rstrip()
    meter = packed.meter.part(record.content_length)
    return Part(name, lambda: Stream(body, meter))


def _end_of(record: WarcRecord) -> int:
    """Return where *record* ends, or a little before."""
    headers = sum(len(name) + len(value) + 3 for name, value in record.headers)
    start: int = record.stream_pos
    length = record.headers.get("Content-Length", "")
    return start + headers + (int(length) if length.isascii() and length.isdigit() and len(length) < _MAX_DIGITS else 0)
