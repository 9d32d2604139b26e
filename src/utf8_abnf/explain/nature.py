"""Recognise the format or encoding of a file by its first bytes (``Nature``). What follows may be UTF-8.

Only an error costs this, or a NUL: the commands do not import this module while the input is text without them.
"""

from __future__ import annotations

import codecs
from functools import lru_cache
from typing import NamedTuple
from unicodedata import category

from utf8_abnf.explain.locating import HEAD, count_controls, count_ill_formed, has_controls
from utf8_abnf.validator.functions import is_valid


class Signature(NamedTuple):
    """The bytes at *offset* with which a file of one *format* begins, as *source* defines them."""

    format: str
    offset: int
    magic: bytes
    source: str


# fmt: off
SIGNATURES = (  # of what is packed, and of what lies beside texts most often
    #         format     at  bytes                     source
    Signature("gzip",     0, b"\x1f\x8b\x08",          "RFC 1952 section 2.3"),
    Signature("zstd",     0, b"\x28\xb5\x2f\xfd",      "RFC 8878 section 3.1.1"),
    *(Signature("zstd",   0, bytes([first]) + b"\x2a\x4d\x18", "RFC 8878 section 3.1.2: pzstd begins so")
      for first in range(0x50, 0x60)),
    Signature("bzip2",    0, b"BZh",                   "bzip2 1.0.8, decompress.c: BZ_HDR_B, _Z, _h"),
    Signature("xz",       0, b"\xfd7zXZ\0",            "The .xz File Format 1.2.1, section 2.1.1.1"),
    Signature("zip",      0, b"PK\x03\x04",            "PKWARE APPNOTE 6.3.10, section 4.3.7"),
    Signature("zip",      0, b"PK\x05\x06",            "PKWARE APPNOTE 6.3.10, section 4.3.16 (empty)"),
    Signature("tar",    257, b"ustar",                 "POSIX.1-2017, pax, ustar Interchange Format"),
    Signature("Parquet",  0, b"PAR1",                  "Apache Parquet format, File Format"),
    Signature("Arrow",    0, b"ARROW1\0\0",            "Apache Arrow columnar format, IPC File Format"),
    Signature("PNG",      0, b"\x89PNG\r\n\x1a\n",     "PNG (W3C), section 5.2"),
    Signature("PDF",      0, b"%PDF-",                 "ISO 32000-1 section 7.5.2"),
)
_WIDE = (  # 32 first: its mark begins with 16's; by function, because the modules of encodings take 0.4 ms to load
    #name      unit  decoder                   bytes of a letter before its first NUL
    ("UTF-32LE", 4, codecs.utf_32_le_decode, 1),
    ("UTF-32BE", 4, codecs.utf_32_be_decode, 0),
    ("UTF-16LE", 2, codecs.utf_16_le_decode, 1),
    ("UTF-16BE", 2, codecs.utf_16_be_decode, 0),
)
# fmt: on

COMPRESSED = frozenset(("gzip", "bzip2", "xz", "zstd"))
ARROW_STREAM = "Arrow stream"
READABLE = COMPRESSED | {"tar", "zip", "Parquet", "Arrow", ARROW_STREAM}  # as in reading.readers
_LETTERS_WITHOUT_MARK = 4  # from so many on, UTF-16 or UTF-32 without a mark can be distinguished from other data
_MAX_SCHEMA = 1 << 24  # bytes of the schema of a stream of Arrow
_MIN_HEAD = 32  # bytes from which on data in no known format can be recognised


class Nature(NamedTuple):
    """What the first bytes show: a *format* that is not text, or the *encoding* of text; else "".

    *is_data*: they are not text, though of no known format.
    """

    format: str
    encoding: str
    is_data: bool = False

    @property
    def is_known(self) -> bool:
        """Whether the file is certainly something else than UTF-8."""
        return bool(self.format or self.encoding)


@lru_cache(maxsize=1)  # every error of a file asks for the same head
def nature_of(head: bytes) -> Nature:
    r"""Return what a file is that begins with *head*, the more of ``locating.HEAD`` bytes the better.

    >>> nature_of(bytes.fromhex("1F 8B 08 00")).format
    'gzip'
    >>> nature_of("né à Nice".encode("utf-16")).encoding
    'UTF-16'
    >>> nature_of("né".encode("latin-1"))
    Nature(format='', encoding='', is_data=False)
    """
    if encoding := wide_encoding(head):
        return Nature("", encoding)
    if found := next((row.format for row in SIGNATURES if _begins(head, row)), ""):
        return Nature(found, "")
    if _is_arrow_stream(head):
        return Nature(ARROW_STREAM, "")
    return Nature("", "", _is_data(head))


def _is_arrow_stream(head: bytes) -> bool:
    """Return whether *head* begins as a stream of Arrow: FF FF FF FF, the length of a schema, and where its root is.

    See "Encapsulated message format" in the Apache Arrow columnar format; the root is that of a FlatBuffers buffer.
    """
    length, root = (int.from_bytes(head[at : at + 4], "little") for at in (4, 8))
    return (
        head.startswith(b"\xff\xff\xff\xff") and length % 8 == 0 and 0 < root < length < _MAX_SCHEMA and root % 4 == 0
    )


def _is_data(head: bytes) -> bool:
    """Return whether *head* is not text: one byte in 16 is a control, and one in 16 begins an ill-formed sequence.

    In data without order, as compressed data are, these are one in 9 and about four in 9. NULs do not count: there may
    be UTF-16 after text.
    """
    controls, ill_formed = count_controls(head) - head.count(0), count_ill_formed(head)
    return len(head) >= _MIN_HEAD and min(controls, ill_formed) * 16 >= len(head)


def _begins(head: bytes, row: Signature) -> bool:
    """Return whether *head* has the signature; a word of ASCII might begin a text too, unless there are controls."""
    if not head.startswith(row.magic, row.offset):
        return False
    is_word = row.magic.isascii() and row.magic.decode().isprintable() and row.format != "PDF"  # which may be all text
    return not is_word or has_controls(head)


def wide_part(text: bytes) -> tuple[int, str]:
    r"""Return where in *text* UTF-16 or UTF-32 begins, by a byte order mark or the first NUL, and which; "" for none.

    >>> wide_part("né\n".encode() + "à Nice".encode("utf-16-be"))
    (4, 'UTF-16BE')
    """
    nul = text.find(0)
    for name, _, _, before in _WIDE:
        start = nul - before
        is_line_end = start > 0 and text[start] == 0x0A  # it belongs to the text before
        if (
            start >= 0
            and not is_line_end
            and is_valid(text[:start])
            and wide_encoding(text[start : start + HEAD]) == name
        ):
            return start, name
    for name, *_ in _WIDE:
        start = text.find("\ufeff".encode(name))
        if start >= 0 and wide_encoding(text[start : start + HEAD]) == name[:6]:
            return start, name
    return -1, ""


def wide_encoding(head: bytes) -> str:
    """Return the encoding of text in units of four or two bytes that *head* is, or "".

    The evidence is a byte order mark, unless UTF-8 follows it, or NUL in every second or in three of four bytes: in
    three of four units at least, and from the beginning on. What follows the last line end may be UTF-8 again.
    """
    for name, size, decode, before in _WIDE:
        rest = b"\0" * (size - 1)
        end = head.rfind(b"\n" + rest if before else rest + b"\n")
        try:
            text, _ = decode(head[: end + size] if end >= 0 else head, "strict", False)  # a character may be cut
        except UnicodeDecodeError:
            continue
        marked = text.startswith("\ufeff")
        text = text.removeprefix("\ufeff")
        if not is_text(text):
            continue
        if marked and not (size == 2 and 0 not in head and is_valid(head[2:].rpartition(b"\n")[0] or head[2:])):
            return name[:6]
        narrow = sum(each < "\u0100" for each in text)
        if not marked and len(text) >= _LETTERS_WITHOUT_MARK and narrow * 4 >= len(text) * 3 and 0 in head[: 2 * size]:
            return name
    return ""


def is_text(text: str) -> bool:
    """Return whether *text* is not empty and has only assigned characters that plain text has."""
    return bool(text) and all(each in "\t\n\f\r" or category(each) not in ("Cc", "Cn", "Co", "Cs") for each in text)
