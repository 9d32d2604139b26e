"""The members of a tar archive, read forward: it may come from a pipe or out of a compressed file."""

from __future__ import annotations

import tarfile
from typing import TYPE_CHECKING

from utf8_abnf.errors import UnreadableError
from utf8_abnf.language import messages
from utf8_abnf.language.catalogue import say
from utf8_abnf.reading.part import Part, refuse
from utf8_abnf.reading.streams import CHUNK, Forward, Slice, Stream

if TYPE_CHECKING:
    from collections.abc import Iterator

    from utf8_abnf.reading.part import Packed


def members(packed: Packed) -> Iterator[Part]:
    """Yield the files of an archive; links are left out, as in folders. ``UnreadableError`` where it is cut off."""
    source = Forward(packed.stream)
    with tarfile.TarFile(fileobj=source, errorlevel=0) as archive:  # type: ignore[arg-type]
        while (member := archive.next()) is not None:
            archive.members.clear()  # type: ignore[attr-defined]  # a list of all members, which nobody asks
            if member.isreg():
                yield Part(member.name, lambda: _content(source, member))
            elif member.ischr() or member.isblk() or member.isfifo():
                yield Part(member.name, None)
        _end(source)


def _content(source: Forward, member: tarfile.TarInfo) -> Stream:
    refuse(member.name)
    if member.sparse is not None:
        raise UnreadableError(say(messages.SPARSE_MEMBER))
    source.seek(member.offset_data)
    return Stream(Slice(source, member.size))


def _end(source: Forward) -> None:
    """Read to the end, where a compressed file has its checksum. ``tarfile`` takes a broken header for the end."""
    if not source.last:
        raise UnreadableError(say(messages.NO_TAR_END))
    if source.last.strip(b"\0"):
        raise EOFError if len(source.last) < tarfile.BLOCKSIZE else UnreadableError(say(messages.BROKEN_TAR_HEADER))
    room = memoryview(bytearray(CHUNK))
    nothing = bytes(CHUNK)
    while count := source.readinto(room):
        if room[:count] != nothing[:count]:
            raise UnreadableError(say(messages.AFTER_TAR_END))
