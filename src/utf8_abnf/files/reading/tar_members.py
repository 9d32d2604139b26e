"""The members of a tar archive, read forward: it may come from a pipe or out of a compressed file."""

from __future__ import annotations

import tarfile
from functools import partial
from typing import TYPE_CHECKING

from utf8_abnf.errors import UnreadableError
from utf8_abnf.files.reading.streams import CHUNK, Meter, Part, Stream

if TYPE_CHECKING:
    from collections.abc import Iterator

_MAX_HEADER = 1 << 20  # bytes of a header that tarfile reads at once
_FOLDER = b"D"  # of GNU's incremental archives: it has names of files


def members(stream: Stream, meter: Meter) -> Iterator[Part]:
    """Yield the files of an archive; links are left out, as in folders. ``UnreadableError`` where it is cut off."""
    source = _Forward(stream)
    with tarfile.TarFile(fileobj=source) as archive:  # type: ignore[arg-type]
        while (member := archive.next()) is not None:
            archive.members.clear()  # type: ignore[attr-defined]  # a list of all members, which nobody asks
            if member.ischr() or member.isblk() or member.isfifo():
                yield Part(member.name, None)
            elif not (member.issym() or member.islnk() or member.isdir() or member.type == _FOLDER):
                yield Part(member.name, partial(_content, source, member, meter))  # POSIX: another type is a file
    if len(source.last) < tarfile.BLOCKSIZE or source.last.strip(b"\0"):  # tarfile takes a broken header for the end
        raise UnreadableError("the archive has a broken header or no end mark; what may follow was not checked")
    room = memoryview(bytearray(CHUNK))
    while count := stream.readinto(room):  # a compressed archive has its checksum there
        if any(room[:count]):
            raise UnreadableError("there is more after the end mark of the archive, which was not checked")


def _content(source: _Forward, member: tarfile.TarInfo, meter: Meter) -> Stream:
    if member.issparse():
        raise UnreadableError("is stored as a sparse file; unpack it first")
    source.seek(member.offset_data)
    return Stream(_Slice(source, member.size), meter)


class _Forward:
    """A stream for tarfile, which seeks forward only here and reads headers. *last* is what ``read`` returned last."""

    def __init__(self, stream: Stream) -> None:
        self._stream, self._at = stream, 0
        self.last = b""

    def tell(self) -> int:
        return self._at

    def readinto(self, room: memoryview) -> int:
        count = self._stream.readinto(room)
        self._at += count
        return count

    def read(self, size: int = -1) -> bytes:
        if not 0 <= size <= _MAX_HEADER:
            raise UnreadableError(f"has a header of more than {_MAX_HEADER:,} bytes, as in attacks")
        room, filled = memoryview(bytearray(size)), 0
        while filled < size and (count := self.readinto(room[filled:])):
            filled += count
        self.last = bytes(room[:filled])
        return self.last

    def seek(self, offset: int) -> None:
        if offset < self._at:
            raise UnreadableError("its headers point backwards, as in attacks")
        room = memoryview(bytearray(min(CHUNK, offset - self._at)))
        while self._at < offset and self.readinto(room[: offset - self._at]):
            pass


class _Slice:
    """The next *size* bytes of a stream, as a source of their own; ``EOFError`` where they are cut off."""

    def __init__(self, source: _Forward, size: int) -> None:
        self._source, self._left = source, size

    def readinto(self, room: memoryview) -> int:
        count = self._source.readinto(room[: max(0, self._left)]) if self._left > 0 else 0
        if not count and self._left > 0:
            raise EOFError
        self._left -= count
        return count
