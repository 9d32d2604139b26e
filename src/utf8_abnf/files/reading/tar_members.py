"""The members of a tar archive, read forward: it may come from a pipe or out of a compressed file."""

from __future__ import annotations

import tarfile
from functools import partial
from typing import TYPE_CHECKING

from utf8_abnf.errors import UnreadableError
from utf8_abnf.files.reading.part import Part, broken, refuse
from utf8_abnf.files.reading.readers import is_tar
from utf8_abnf.files.reading.streams import CHUNK, Forward, MisledError, Slice, Stream
from utf8_abnf.language import messages
from utf8_abnf.language.catalogue import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from utf8_abnf.files.reading.part import Packed

_FOLDER = b"D"  # of GNU's incremental archives: it has names of files
_CHECKSUM = slice(148, 156)  # of a header: eight bytes, digits and what ends them


def members(packed: Packed) -> Iterator[Part]:
    """Yield the files of an archive; links are left out, as in folders. ``UnreadableError`` where it is cut off."""
    source = Forward(packed.stream)
    for member in _headers(source):
        if isinstance(member, UnreadableError):
            yield broken("", member)
        elif member.ischr() or member.isblk() or member.isfifo():
            yield Part(member.name, None)
        elif not (member.issym() or member.islnk() or member.isdir() or member.type == _FOLDER):
            yield Part(member.name, partial(_content, source, member))  # POSIX: a type that is not known is a file


def _headers(source: Forward) -> Iterator[tarfile.TarInfo | UnreadableError]:
    """Yield the headers, and an error for each that is broken: what it belongs to is passed over, up to the next."""
    while True:
        is_end = False
        try:
            with tarfile.TarFile(fileobj=source, errorlevel=0) as archive:  # type: ignore[arg-type]
                while (member := archive.next()) is not None:
                    archive.members.clear()  # type: ignore[attr-defined]  # a list of all members, which nobody asks
                    yield member
            if not source.last:
                raise UnreadableError(say(messages.NO_TAR_END))
            is_end = not source.last.strip(b"\0")  # tarfile takes a broken header for the end also
            reason = say(messages.AFTER_TAR_END if is_end else messages.BROKEN_TAR_HEADER)
        except MisledError as error:
            reason = str(error.strerror)
        except UnreadableError:
            raise
        except Exception:  # tarfile raises ValueError and others for numbers that are none
            reason = say(messages.BROKEN_TAR_HEADER)
        if not is_end and len(source.last) < tarfile.BLOCKSIZE:
            raise EOFError
        start, goes_on = _passed_over(source, nuls=is_end)
        size = source.tell() - start
        if is_end and not size and not goes_on:
            return
        message = messages.READ_ON if goes_on else messages.NOT_READ_ON
        yield UnreadableError(say(message, reason=reason, size=f"{size:,}", offset=f"{start:,}"))
        if not goes_on:
            return


def _passed_over(source: Forward, *, nuls: bool) -> tuple[int, bool]:
    """Read up to the next header, or to the end, where a compressed file has its checksum.

    Return where that begins which is passed over, after *nuls* that fill an archive, and whether a header follows.
    """
    block = tarfile.BLOCKSIZE
    source.seek(-(-source.tell() // block) * block)
    start = source.tell()
    while chunk := source.read(CHUNK):
        if nuls and chunk.count(0) == len(chunk):
            start += len(chunk)
            continue
        for at in range(0, len(chunk), block):
            found = chunk[at : at + block]
            if nuls and not found.strip(b"\0"):
                start += len(found)
                continue
            nuls = False
            if found[_CHECKSUM].strip(b" \0").isdigit() and is_tar(found):  # the first is a quick answer
                source.give_back(chunk[at:])
                return start, True
    return start, False


def _content(source: Forward, member: tarfile.TarInfo) -> Stream:
    refuse(member.name)
    if member.sparse is not None:
        raise UnreadableError(say(messages.SPARSE_MEMBER))
    if member.size < 0:
        raise UnreadableError(say(messages.NOT_FORWARD))
    source.seek(member.offset_data)
    return Stream(Slice(source, member.size))
