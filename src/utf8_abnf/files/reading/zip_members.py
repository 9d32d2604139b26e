"""The members of a zip archive, by its central directory; what that says is compared with what is there.

Without a directory they are found by the header before each: ``zip_headers``.
"""

from __future__ import annotations

import io
import stat
import struct
import zipfile
from typing import TYPE_CHECKING

from utf8_abnf.errors import UnreadableError
from utf8_abnf.files.reading import zip_headers
from utf8_abnf.files.reading.part import Part, broken, refuse
from utf8_abnf.files.reading.streams import CHUNK, Stream, with_seeking
from utf8_abnf.language import messages
from utf8_abnf.language.catalogue import count, say
from utf8_abnf.language.notation import hex_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from utf8_abnf.files.reading.part import Packed
    from utf8_abnf.files.reading.streams import Readable

MAX_DIRECTORY = 32 << 20  # bytes of the central directory, which zipfile holds as a whole: some 300,000 members
_STEP = 256 << 10  # bytes of a member that are read at a time; zipfile copies more of those it has not unpacked yet
_ENCRYPTED = 0x1  # APPNOTE 4.4.4: bit 0
_IS_UTF8 = 0x8  # bit 11, in the second byte of the flags
_MAX_NAME = 64  # bytes of a name that are shown
_VERSION, _FLAGS, _SIZES, _OFFSET, _NAME = 6, 8, 28, 42, 46  # offsets in an entry of the directory: APPNOTE 4.3.12
_SIGNATURE: bytes = zipfile.stringCentralDir  # type: ignore[attr-defined]
_NO_NAME = "''"
_MAX_FIELD = 0xFFFF  # bytes of a name, of extra fields, of a comment
_EMPTY: bytes = zipfile.stringEndArchive + bytes(18)  # type: ignore[attr-defined]  # an archive without members
_FOLDER = "<4s24x2H14x1s"  # an entry with the name "/", before its extra fields


class _TooLargeError(Exception):
    """Not an ``OSError``, which zipfile takes for a file that is not a zip file."""

    def __init__(self) -> None:
        super().__init__(say(messages.DIRECTORY_TOO_LARGE, most=f"{MAX_DIRECTORY:,}"))


class _Bounded:
    """A file whose reader cannot read more than ``MAX_DIRECTORY`` bytes at once.

    *notes*: *last* is then what was read last, and where it begins. *instead*: what is read in place of such bytes.
    """

    def __init__(self, file: io.RawIOBase) -> None:
        self._file, self.notes = file, True
        self.last = self.instead = (-1, b"")
        self.seek, self.tell, self.seekable = file.seek, file.tell, file.seekable

    def read(self, size: int = -1) -> bytes:
        start = self._file.tell() if self.notes else -1
        most = size if size >= 0 else MAX_DIRECTORY + 1
        parts, count = [], 0
        while count < most <= MAX_DIRECTORY + 1 and (data := self._file.read(min(most - count, CHUNK))):
            parts.append(data)
            count += len(data)
        if most > MAX_DIRECTORY + 1 or count > MAX_DIRECTORY:
            raise _TooLargeError
        found = b"".join(parts)
        if self.notes:
            place, instead = self.instead
            self.last = start, (instead if (start, count) == (place, len(instead)) else found)
            return self.last[1]
        return found


class _Directory:
    """A central directory of which ``zipfile`` refuses an entry, and with it all others.

    *mended*: as many bytes, without what it refuses. *refused*: these entries by their number, with name and error.
    *lost*: how many bytes are in no entry, because the beginning or the lengths of one are wrong.
    """

    def __init__(self, found: bytes) -> None:
        self.mended = bytearray(found)
        self.refused: dict[int, tuple[str, Exception]] = {}
        self.lost = 0
        number, last = 0, -1
        for start, end, is_entry in _cut(found):
            if is_entry:
                if error := _why_refused(found[start:end]):
                    self.refused[number] = self._harmless(start, end, error)
                number, last = number + 1, start
            else:
                self.lost += end - start
                number += self._fill(start, end, last)

    def _harmless(self, start: int, end: int, error: Exception) -> tuple[str, Exception]:
        """Let an entry have no version, no extra fields, and a name in cp437. Return its name and what to say."""
        name_end = start + _NAME + struct.unpack_from("<H", self.mended, start + _SIZES)[0]
        raw = bytes(self.mended[start + _NAME : name_end])
        name = raw.decode("utf-8", "surrogateescape") if self.mended[start + _FLAGS + 1] & _IS_UTF8 else ""
        self.mended[start + _VERSION : start + _FLAGS] = bytes(2)
        self.mended[start + _FLAGS + 1] &= ~_IS_UTF8
        self.mended[name_end:end] = bytes(end - name_end)
        if isinstance(error, UnicodeDecodeError):
            error = UnreadableError(say(messages.NAME_NOT_UTF8, bytes=hex_bytes(raw[:_MAX_NAME])))
        return name or raw.decode("cp437") or _NO_NAME, error

    def _fill(self, start: int, end: int, last: int) -> int:
        """Make folders of bytes that are in no entry and return how many; too few become a comment on the *last*."""
        size = end - start
        if size <= _NAME:
            if last >= 0:
                size += struct.unpack_from("<H", self.mended, last + _SIZES + 4)[0]
                struct.pack_into("<H", self.mended, last + _SIZES + 4, min(size, _MAX_FIELD))
            return 0
        count = -(-size // _MAX_FIELD)
        for number in range(count):
            at, to = start + size * number // count, start + size * (number + 1) // count
            extra = to - at - _NAME - 1
            self.mended[at:to] = struct.pack(_FOLDER, _SIGNATURE, 1, extra, b"/") + bytes(extra)
        return count


def _cut(directory: bytes) -> Iterator[tuple[int, int, bool]]:
    """Yield start and end of each entry, and of what stands between entries; True for an entry."""
    start = 0
    while start < len(directory):
        end = 0
        if directory.startswith(_SIGNATURE, start) and start + _NAME <= len(directory):
            end = start + _NAME + sum(struct.unpack_from("<3H", directory, start + _SIZES))
        is_entry = start < end <= len(directory)
        if is_entry and end < len(directory) and not directory.startswith(_SIGNATURE, end):
            is_entry = directory.find(_SIGNATURE, start + 1, end + 3) < 0  # else its lengths are wrong
        if not is_entry:
            end = directory.find(_SIGNATURE, start + 1)
            end = len(directory) if end < 0 else end
        yield start, end, is_entry
        start = end


def _why_refused(entry: bytes) -> Exception | None:
    """Return what ``zipfile`` says of a directory that has this *entry* only; None where it takes it."""
    end = struct.pack("<4s4x2H2L2x", zipfile.stringEndArchive, 1, 1, len(entry), 0)  # type: ignore[attr-defined]
    try:
        zipfile.ZipFile(io.BytesIO(entry + end)).close()
    except Exception as error:
        return error
    return None


class _Member:
    """The content of a member; it has to have the size that the directory states.

    ``zipfile`` reads that many bytes and no more. So it is told of one more, which it does not find unless there are.
    """

    def __init__(self, archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> None:
        # Of other methods zipfile unpacks all that it reads at once: a small step bounds the memory.
        self._step = _STEP if info.compress_type in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED) else 4096
        self._left = info.file_size
        info.file_size += 1
        self._file: Readable = archive.open(info)  # type: ignore[assignment]

    def readinto(self, room: memoryview) -> int:
        count = self._file.readinto(room[: self._step]) or 0
        self._left -= count
        if self._left < 0 or (not count and self._left):
            raise UnreadableError(say(messages.WRONG_SIZE))
        return count


def members(packed: Packed) -> Iterator[Part]:
    """Yield the files of an archive; symbolic links are left out, as in folders."""
    with with_seeking(packed.stream) as file:
        try:
            archive, directory = _opened(file)
        except zipfile.BadZipFile:
            yield from _by_headers(packed, file)
            return
        with archive:
            for number, info in enumerate(archive.infolist()):
                if number in directory.refused:
                    yield broken(*directory.refused[number])
                elif not info.filename.endswith("/") and not stat.S_ISLNK(info.external_attr >> 16):
                    yield Part(info.filename or _NO_NAME, lambda info=info: _content(packed, archive, info))  # type: ignore[misc]
        if directory.lost:
            yield broken("", UnreadableError(say(messages.DIRECTORY_BROKEN, size=f"{directory.lost:,}")))


def _by_headers(packed: Packed, file: io.RawIOBase) -> Iterator[Part]:
    """Yield the files of an archive without a directory, which would have told symbolic links from files."""
    with zipfile.ZipFile(io.BytesIO(_EMPTY)) as archive:
        archive.fp = file  # type: ignore[assignment]  # where zipfile reads the members
        number = 0
        for found in zip_headers.found_in(file):
            number += found.info is not None
            if found.info is None or found.error:
                yield broken(found.name, found.error or EOFError())
            elif not found.name.endswith("/"):
                yield Part(found.name or _NO_NAME, lambda info=found.info: _content(packed, archive, info))  # type: ignore[misc]
    yield broken("", UnreadableError(say(messages.DIRECTORY_LOST, files=count(messages.FILES, number))))


def _opened(file: io.RawIOBase) -> tuple[zipfile.ZipFile, _Directory]:
    source = _Bounded(file)
    directory = _Directory(b"")
    try:
        archive = zipfile.ZipFile(source)
        is_right = all(is_entry for _, _, is_entry in _cut(source.last[1]))  # zipfile passes over a last one
    except (zipfile.BadZipFile, NotImplementedError, UnicodeDecodeError):
        is_right = False
    if not is_right:
        place, found = source.last  # the directory, unless there is none
        directory = _Directory(found)
        source.instead = place, bytes(directory.mended)
        archive = zipfile.ZipFile(source)
    source.notes = False
    if archive.infolist() and source.last[1][_OFFSET : _OFFSET + 4] not in (
        struct.pack("<L", archive.infolist()[0].header_offset & 0xFFFFFFFF),
        b"\xff" * 4,  # it stands in an extra field
    ):
        raise zipfile.BadZipFile  # the directory of an archive within this one: zipfile moves all offsets then
    return archive, directory


def _content(packed: Packed, archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> Stream:
    refuse(info.filename or _NO_NAME)
    if info.flag_bits & _ENCRYPTED:
        raise UnreadableError(say(messages.ENCRYPTED))
    return Stream(_Member(archive, info), packed.meter.part(info.compress_size))
