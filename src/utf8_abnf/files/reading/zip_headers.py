"""The members of a zip archive that is cut off, by the header before each: its directory, at the end, is lost.

A header may leave the sizes to a descriptor behind the data (APPNOTE 4.3.9). Nothing of the data is unpacked to find
it: a signature is that of the member's descriptor where the size that it states is that of the bytes before it.
"""

from __future__ import annotations

import os
import struct
import zipfile
from typing import TYPE_CHECKING, NamedTuple

from utf8_abnf.errors import UnreadableError
from utf8_abnf.files.reading.streams import CHUNK
from utf8_abnf.language import messages
from utf8_abnf.language.catalogue import say
from utf8_abnf.language.notation import hex_bytes

if TYPE_CHECKING:
    import io
    from collections.abc import Iterator

HEADER, DESCRIPTOR, DIRECTORY = b"PK\3\4", b"PK\7\x08", b"PK\1\2"  # APPNOTE 4.3.7, 4.3.9, 4.3.12
_HEADER = struct.Struct("<4s2x2H4x3L2H")  # flags and method; CRC, sizes; lengths of name and extra fields
_DESCRIPTORS = (struct.Struct("<3L"), struct.Struct("<L2Q"))  # CRC and sizes, after the signature
_MIN_DESCRIPTOR, _MAX_DESCRIPTOR = 16, 26  # bytes with the signature before and two more behind
_HAS_DESCRIPTOR, _IS_UTF8 = 0x8, 0x800  # bits of the flags: APPNOTE 4.4.4
_IN_ZIP64 = 0xFFFFFFFF  # in place of a size that is in an extra field: APPNOTE 4.5.3
_MAX_NAME = 64  # bytes of a name that are shown
MAX_LOST = 16  # places that are read up to the end of the file and tell nothing; more would take squared time


class Found(NamedTuple):
    """A member, or the *error* why it cannot be read; *name* is "" where it is not known."""

    name: str
    info: zipfile.ZipInfo | None
    error: Exception | None = None


def found_in(file: io.RawIOBase) -> Iterator[Found]:
    """Yield the members of *file* as far as their headers lead, and an error for what is lost."""
    size = file.seek(0, os.SEEK_END)
    at = lost = 0
    while at < size:
        if _read(file, at, len(DIRECTORY)) == DIRECTORY:
            at = _find(file, HEADER, at)  # another archive may follow
            if at < 0:
                return
        found, end = _member(file, at, size)
        yield found
        if end:
            at = end
            continue
        lost += 1
        end = _find(file, HEADER, at + 1) if lost < MAX_LOST else -1
        if end < 0:
            return
        at = end


def _member(file: io.RawIOBase, at: int, size: int) -> tuple[Found, int]:
    """Return what begins at offset *at*, and where it ends; 0 where that is not known."""
    fixed = _read(file, at, _HEADER.size)
    if len(fixed) < _HEADER.size:
        return Found("", None, EOFError()), size
    if not fixed.startswith(HEADER):
        return Found("", None, UnreadableError(say(messages.BROKEN_ZIP_HEADER, offset=f"{at:,}"))), 0
    _, flags, method, crc, packed, unpacked, name_length, extra_length = _HEADER.unpack(fixed)
    start = at + _HEADER.size + name_length + extra_length
    raw = _read(file, at + _HEADER.size, name_length)
    try:
        name = raw.decode("utf-8" if flags & _IS_UTF8 else "cp437")
        error = None
    except UnicodeDecodeError:
        name = raw.decode("utf-8", "surrogateescape")
        error = UnreadableError(say(messages.NAME_NOT_UTF8, bytes=hex_bytes(raw[:_MAX_NAME])))
    large = _zip64_sizes(_read(file, start - extra_length, extra_length))
    if large and _IN_ZIP64 in (packed, unpacked):
        unpacked, packed = large
    end = start + packed
    if flags & _HAS_DESCRIPTOR:
        forms = _DESCRIPTORS[1:] if large else _DESCRIPTORS
        crc, packed, unpacked, end = _descriptor(file, start, forms) or (crc, packed, unpacked, 0)
    if not end:
        return Found(name, None, UnreadableError(say(messages.NO_MEMBER_END))), 0
    if end > size:
        return Found(name, None, EOFError()), size
    info = zipfile.ZipInfo(name)
    info.flag_bits, info.compress_type, info.CRC = flags, method, crc
    info.compress_size, info.file_size, info.header_offset = packed, unpacked, at
    return Found(name, info, error), end


def _zip64_sizes(extra: bytes) -> tuple[int, int] | None:
    while len(extra) >= 4:
        kind, length = struct.unpack_from("<2H", extra)
        if kind == 1 and len(extra) >= 20:
            unpacked, packed = struct.unpack_from("<2Q", extra, 4)
            return unpacked, packed
        extra = extra[4 + length :]
    return None


def _descriptor(file: io.RawIOBase, start: int, forms: tuple[struct.Struct, ...]) -> tuple[int, int, int, int] | None:
    """Return CRC and sizes of the member whose data begin at *start*, and where its descriptor ends."""
    at = start
    while len(chunk := _read(file, at, CHUNK + _MAX_DESCRIPTOR)) >= _MIN_DESCRIPTOR:
        place = -1
        while 0 <= (place := chunk.find(DESCRIPTOR, place + 1)) < CHUNK:
            packed = at + place - start
            if chunk[place + 8 : place + 12] != (packed & 0xFFFFFFFF).to_bytes(4, "little"):  # a quick answer
                continue
            data = chunk[place + 4 : place + _MAX_DESCRIPTOR]
            for form in forms:
                after = data[form.size : form.size + 2]
                if len(data) >= form.size and after in (b"PK", b"P", b""):
                    crc, stated, unpacked = form.unpack_from(data)
                    if stated == packed:
                        return crc, packed, unpacked, at + place + 4 + form.size
        at += CHUNK
    return None


def _find(file: io.RawIOBase, signature: bytes, at: int) -> int:
    """Return where *signature* is next, from offset *at* on; -1 where it is not."""
    while chunk := _read(file, at, CHUNK):
        found = chunk.find(signature)
        if found >= 0:
            return at + found
        if len(chunk) < len(signature):
            break
        at += len(chunk) - len(signature) + 1
    return -1


def _read(file: io.RawIOBase, at: int, size: int) -> bytes:
    """Return *size* bytes from offset *at* on; fewer at the end."""
    file.seek(at)
    return file.read(size) or b""
