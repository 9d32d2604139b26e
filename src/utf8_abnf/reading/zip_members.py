"""The members of a zip archive, by its central directory; what that says is compared with what is there."""

from __future__ import annotations

import stat
import zipfile
from typing import TYPE_CHECKING

from utf8_abnf.errors import UnreadableError
from utf8_abnf.language import messages
from utf8_abnf.language.catalogue import say
from utf8_abnf.reading.part import Part, refuse
from utf8_abnf.reading.streams import CHUNK, Stream, with_seeking

if TYPE_CHECKING:
    import io
    from collections.abc import Iterator

    from utf8_abnf.reading.part import Packed
    from utf8_abnf.reading.streams import Readable

MAX_DIRECTORY = 32 << 20  # bytes of the central directory, which zipfile holds as a whole: some 300,000 members
_ENCRYPTED = 0x1  # APPNOTE 4.4.4: bit 0


class _TooLargeError(Exception):
    """Not an ``OSError``, which zipfile takes for a file that is not a zip file."""

    def __init__(self) -> None:
        super().__init__(say(messages.DIRECTORY_TOO_LARGE, most=f"{MAX_DIRECTORY:,}"))


class _Bounded:
    """A file whose reader cannot read more than ``MAX_DIRECTORY`` bytes at once."""

    def __init__(self, file: io.RawIOBase) -> None:
        self._file = file
        self.seek, self.tell, self.seekable = file.seek, file.tell, file.seekable

    def read(self, size: int = -1) -> bytes:
        most = size if size >= 0 else MAX_DIRECTORY + 1
        parts, count = [], 0
        while count < most <= MAX_DIRECTORY + 1 and (data := self._file.read(min(most - count, CHUNK))):
            parts.append(data)
            count += len(data)
        if most > MAX_DIRECTORY + 1 or count > MAX_DIRECTORY:
            raise _TooLargeError
        return b"".join(parts)


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
    with with_seeking(packed.stream) as file, zipfile.ZipFile(_Bounded(file)) as archive:
        for info in archive.infolist():
            mode = info.external_attr >> 16
            if not info.is_dir() and not stat.S_ISLNK(mode):
                yield Part(info.filename, lambda info=info: _content(packed, archive, info))  # type: ignore[misc]


def _content(packed: Packed, archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> Stream:
    refuse(info.filename)
    if info.flag_bits & _ENCRYPTED:
        raise UnreadableError(say(messages.ENCRYPTED))
    return Stream(_Member(archive, info), packed.meter.part(info.compress_size))
