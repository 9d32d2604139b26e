"""The members of a zip archive, by its central directory; what that says is compared with what is there."""

from __future__ import annotations

import stat
import struct
import zipfile
from functools import partial
from typing import TYPE_CHECKING

from utf8_abnf.errors import UnreadableError
from utf8_abnf.language import messages
from utf8_abnf.language.catalogue import say
from utf8_abnf.language.notation import hex_bytes
from utf8_abnf.reading.part import Part, refuse
from utf8_abnf.reading.streams import CHUNK, Stream, with_seeking
from utf8_abnf.validator.functions import is_valid

if TYPE_CHECKING:
    import io
    from collections.abc import Iterator

    from utf8_abnf.reading.part import Packed
    from utf8_abnf.reading.streams import Readable

MAX_DIRECTORY = 32 << 20  # bytes of the central directory, which zipfile holds as a whole: some 300,000 members
_ENCRYPTED = 0x1  # APPNOTE 4.4.4: bit 0
_IS_UTF8 = 0x8  # bit 11, in the second byte of the flags
_MAX_NAME = 64  # bytes of a name that are shown
_FLAGS, _SIZES, _NAME = 8, 28, 46  # offsets in an entry of the directory: APPNOTE 4.3.12


class _TooLargeError(Exception):
    """Not an ``OSError``, which zipfile takes for a file that is not a zip file."""

    def __init__(self) -> None:
        super().__init__(say(messages.DIRECTORY_TOO_LARGE, most=f"{MAX_DIRECTORY:,}"))


class _Bounded:
    """A file whose reader cannot read more than ``MAX_DIRECTORY`` bytes at once.

    *mends*: what is read now is the directory, and no ill-formed name in it may be said to be UTF-8. *wrong*: the
    numbers of the members whose name was.
    """

    def __init__(self, file: io.RawIOBase) -> None:
        self._file, self.mends = file, False
        self.wrong: set[int] = set()
        self.seek, self.tell, self.seekable = file.seek, file.tell, file.seekable

    def read(self, size: int = -1) -> bytes:
        most = size if size >= 0 else MAX_DIRECTORY + 1
        parts, count = [], 0
        while count < most <= MAX_DIRECTORY + 1 and (data := self._file.read(min(most - count, CHUNK))):
            parts.append(data)
            count += len(data)
        if most > MAX_DIRECTORY + 1 or count > MAX_DIRECTORY:
            raise _TooLargeError
        found = b"".join(parts)
        if self.mends and found.startswith(zipfile.stringCentralDir):  # type: ignore[attr-defined]
            found, self.wrong = _mended(found)
        return found


def _mended(directory: bytes) -> tuple[bytes, set[int]]:
    """Return *directory* where no ill-formed name is said to be UTF-8, and the numbers of the entries that were so."""
    mended, wrong, at, number = bytearray(directory), set(), 0, 0
    while len(entry := directory[at : at + _NAME]) == _NAME:
        size, *others = struct.unpack_from("<3H", entry, _SIZES)
        end = at + _NAME + size
        if entry[_FLAGS + 1] & _IS_UTF8 and not is_valid(directory[at + _NAME : end]):
            mended[at + _FLAGS + 1] ^= _IS_UTF8
            wrong.add(number)
        at, number = end + sum(others), number + 1
    return bytes(mended), wrong


class _Member:
    """The content of a member; it has to have the size that the directory states.

    ``zipfile`` reads that many bytes and no more. So it is told of one more, which it does not find unless there are.
    """

    def __init__(self, archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> None:
        # Of other methods zipfile unpacks all that it reads at once: a small step bounds the memory.
        self._step = CHUNK if info.compress_type in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED) else 4096
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
        source, archive = _opened(file)
        with archive:
            for number, info in enumerate(archive.infolist()):
                mode = info.external_attr >> 16
                if number in source.wrong:
                    raw = info.orig_filename.encode("cp437")  # in which zipfile reads what is not said to be UTF-8
                    yield Part(raw.decode("utf-8", "surrogateescape"), partial(_refuse, raw))
                elif not info.is_dir() and not stat.S_ISLNK(mode):
                    yield Part(info.filename, lambda info=info: _content(packed, archive, info))  # type: ignore[misc]


def _opened(file: io.RawIOBase) -> tuple[_Bounded, zipfile.ZipFile]:
    source = _Bounded(file)
    try:
        return source, zipfile.ZipFile(source)
    except UnicodeDecodeError:  # zipfile gives up at a name
        source.mends = True
        archive = zipfile.ZipFile(source)
        source.mends = False
        return source, archive


def _refuse(name: bytes) -> Stream:
    raise UnreadableError(say(messages.NAME_NOT_UTF8, bytes=hex_bytes(name[:_MAX_NAME])))


def _content(packed: Packed, archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> Stream:
    refuse(info.filename)
    if info.flag_bits & _ENCRYPTED:
        raise UnreadableError(say(messages.ENCRYPTED))
    return Stream(_Member(archive, info), packed.meter.part(info.compress_size))
