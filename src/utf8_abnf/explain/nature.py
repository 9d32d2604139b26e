"""What a file is by its first bytes, and no more: what follows them may be UTF-8.

Only an error costs this: the commands do not import this module while the input is well-formed.
"""

from __future__ import annotations

import codecs
from functools import lru_cache
from typing import NamedTuple

from utf8_abnf.explain.locating import count_controls, count_ill_formed, count_multibyte, has_controls


class Signature(NamedTuple):
    """The bytes at *offset* with which a file of one *format* begins, as *source* defines them."""

    format: str
    offset: int
    magic: bytes
    source: str


# fmt: off
SIGNATURES = (
    #         format                 at  bytes                     source
    Signature("gzip",                 0, b"\x1f\x8b\x08",          "RFC 1952 section 2.3"),
    Signature("zstd",                 0, b"\x28\xb5\x2f\xfd",      "RFC 8878 section 3.1.1"),
    *(Signature("zstd",               0, bytes([first]) + b"\x2a\x4d\x18", "RFC 8878 section 3.1.2: pzstd begins so")
      for first in range(0x50, 0x60)),
    Signature("bzip2",                0, b"BZh",                   "bzip2 1.0.8, decompress.c: BZ_HDR_B, _Z, _h"),
    Signature("xz",                   0, b"\xfd7zXZ\0",            "The .xz File Format 1.2.1, section 2.1.1.1"),
    Signature("lzip",                 0, b"LZIP\x01",              "lzip manual, File format"),
    Signature("LZ4",                  0, b"\x04\x22\x4d\x18",      "LZ4 Frame Format 1.6.4, Magic Number"),
    Signature("compress (.Z)",        0, b"\x1f\x9d",              "ncompress, compress.c: MAGIC_1, MAGIC_2"),
    Signature("Snappy",               0, b"\xff\x06\0\0sNaPpY",    "Snappy framing format, section 4.1"),
    Signature("zip",                  0, b"PK\x03\x04",            "PKWARE APPNOTE 6.3.10, section 4.3.7"),
    Signature("zip",                  0, b"PK\x05\x06",            "PKWARE APPNOTE 6.3.10, section 4.3.16 (empty)"),
    Signature("7z",                   0, b"7z\xbc\xaf\x27\x1c",    "LZMA SDK, 7zFormat.txt"),
    Signature("RAR",                  0, b"Rar!\x1a\x07",          "RAR 5.0 archive format, signature"),
    Signature("tar",                257, b"ustar",                 "POSIX.1-2017, pax, ustar Interchange Format"),
    Signature("ar",                   0, b"!<arch>\n",             "System V ABI, chapter 7: ARMAG"),
    Signature("Parquet",              0, b"PAR1",                  "Apache Parquet format, File Format"),
    Signature("Arrow",                0, b"ARROW1\0\0",            "Apache Arrow columnar format, IPC File Format"),
    Signature("Feather",              0, b"FEA1",                  "Apache Arrow, feather.fbs"),
    Signature("ORC",                  0, b"ORC",                   "Apache ORC specification, File Tail"),
    Signature("Avro",                 0, b"Obj\x01",               "Apache Avro 1.11, Object Container Files"),
    Signature("HDF5",                 0, b"\x89HDF\r\n\x1a\n",     "HDF5 File Format Specification 3.0, section II.A"),
    Signature("SQLite",               0, b"SQLite format 3\0",     "SQLite Database File Format, section 1.3.1"),
    Signature("PDF",                  0, b"%PDF-",                 "ISO 32000-1 section 7.5.2"),
    Signature("OLE (old Office)",     0, b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "[MS-CFB] section 2.2"),
    Signature("ELF",                  0, b"\x7fELF",               "System V ABI, chapter 4: ELFMAG"),
    Signature("Windows program",      0, b"MZ",                    "Microsoft PE Format, MS-DOS Stub"),
    Signature("Mach-O",               0, b"\xcf\xfa\xed\xfe",      "mach-o/loader.h: MH_MAGIC_64"),
    Signature("Mach-O",               0, b"\xce\xfa\xed\xfe",      "mach-o/loader.h: MH_MAGIC"),
    Signature("Java class or universal Mach-O", 0, b"\xca\xfe\xba\xbe", "JVM Spec. 4.1; mach-o/fat.h: FAT_MAGIC"),
    Signature("WebAssembly",          0, b"\0asm",                 "WebAssembly Core Specification, section 5.5.16"),
    Signature("PNG",                  0, b"\x89PNG\r\n\x1a\n",     "PNG (W3C), section 5.2"),
    Signature("JPEG",                 0, b"\xff\xd8\xff",          "ITU-T T.81, annex B: SOI and a marker"),
    Signature("GIF",                  0, b"GIF87a",                "GIF89a Specification, section 17"),
    Signature("GIF",                  0, b"GIF89a",                "GIF89a Specification, section 17"),
    Signature("TIFF",                 0, b"II*\0",                 "TIFF 6.0, section 2"),
    Signature("TIFF",                 0, b"MM\0*",                 "TIFF 6.0, section 2"),
    Signature("RIFF (WebP, WAV, AVI)", 0, b"RIFF",                 "Microsoft RIFF, 1991"),
    Signature("Ogg",                  0, b"OggS\0",                "RFC 3533 section 6"),
    Signature("FLAC",                 0, b"fLaC",                  "RFC 9639 section 6"),
    Signature("MP3",                  0, b"ID3",                   "ID3v2.4.0 structure, section 3.1"),
    Signature("MP4/HEIC",             4, b"ftyp",                  "ISO/IEC 14496-12 section 4.3"),
    Signature("Matroska or WebM",     0, b"\x1a\x45\xdf\xa3",      "RFC 8794 section 11.2.1: EBML"),
    Signature("WOFF",                 0, b"wOFF",                  "W3C WOFF 1.0 section 4"),
    Signature("WOFF2",                0, b"wOF2",                  "W3C WOFF 2.0 section 4"),
    Signature("TrueType",             0, b"\0\x01\0\0\0",          "OpenType 1.9, Table Directory; 255 tables at most"),
    Signature("OpenType",             0, b"OTTO",                  "OpenType 1.9, Table Directory"),
    Signature("Git pack",             0, b"PACK\0\0\0",            "gitformat-pack(5)"),
)
# fmt: on

COMPRESSED = frozenset(("gzip", "bzip2", "xz", "zstd"))
ARROW_STREAM = "Arrow stream"
READABLE = COMPRESSED | {"tar", "zip", "Parquet", "Arrow", ARROW_STREAM, "Feather"}  # as in reading.readers
_UTF_16_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_WIDE = (  # 32 first: its mark begins with 16's; by function, because the modules of encodings take 0.4 ms to load
    ("UTF-32LE", 4, codecs.utf_32_le_decode), ("UTF-32BE", 4, codecs.utf_32_be_decode),
    ("UTF-16LE", 2, codecs.utf_16_le_decode), ("UTF-16BE", 2, codecs.utf_16_be_decode),
)  # fmt: skip
_LETTERS_WITHOUT_MARK = 4  # from so many on, UTF-16 or UTF-32 without a mark can be told from other data
_MIN_KANA = 8  # and from so many kana


_MAX_SCHEMA = 1 << 24  # bytes of the schema of a stream of Arrow
EBCDIC = "EBCDIC"  # in all its code pages letters, digits and spaces are the same
_EBCDIC_LETTERS = bytes([*range(0x81, 0x8A), *range(0x91, 0x9A), *range(0xA2, 0xAA), *range(0xC1, 0xCA),
                         *range(0xD1, 0xDA), *range(0xE2, 0xEA)])  # fmt: skip
_EBCDIC_DIGITS = bytes(range(0xF0, 0xFA))
_EBCDIC_OTHERS = bytes.fromhex("15 25 40 4B 4D 50 5C 5D 60 61 6B 6F 7A 7D 7E 7F")
_SPACE_OF_SHIFT_JIS = b"\x81\x40"  # U+3000: forms are filled with it
_MIN_HEAD = 32  # bytes from which on EBCDIC, or data in no known format, can be told


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
    if encoding := _wide_encoding(head):
        return Nature("", encoding)
    if found := next((row.format for row in SIGNATURES if _begins(head, row)), ""):
        return Nature(found, "")
    if _is_arrow_stream(head):
        return Nature(ARROW_STREAM, "")
    return Nature("", EBCDIC if _is_ebcdic(head) else "", _is_data(head))


def _is_arrow_stream(head: bytes) -> bool:
    """Return whether *head* begins as a stream of Arrow: FF FF FF FF, the length of a schema, and where its root is.

    See "Encapsulated message format" in the Apache Arrow columnar format; the root is that of a FlatBuffers buffer.
    """
    length, root = (int.from_bytes(head[at : at + 4], "little") for at in (4, 8))
    return (
        head.startswith(b"\xff\xff\xff\xff") and length % 8 == 0 and 0 < root < length < _MAX_SCHEMA and root % 4 == 0
    )


def _is_ebcdic(head: bytes) -> bool:
    """Return whether *head* is text in EBCDIC: letters, digits and spaces that are 40, as bytes of ASCII hardly are.

    Of a third letters, as in sentences, or, as in records with fields, of an eighth spaces and some letters or digits.
    """
    letters = len(head) - len(head.translate(None, _EBCDIC_LETTERS))
    digits = len(head) - len(head.translate(None, _EBCDIC_DIGITS))
    known = letters + digits + len(head) - len(head.translate(None, _EBCDIC_OTHERS))
    spaces = head.count(0x40)
    is_text = letters * 3 >= len(head) or (spaces * 8 >= len(head) and (letters + digits) * 40 >= len(head))
    is_text = is_text and head.count(_SPACE_OF_SHIFT_JIS) * 2 < spaces
    return is_text and spaces > 1 and known * 20 >= len(head) * 17 and len(head) >= _MIN_HEAD


def _is_data(head: bytes) -> bool:
    """Return whether *head* is not text: one byte in 16 is a control, and one in 16 begins an ill-formed sequence.

    In data without order, as compressed data are, these are one in 9 and about four in 9. NULs do not count: there may
    be UTF-16 after text.
    """
    controls, ill_formed = count_controls(head) - head.count(0), count_ill_formed(head)
    return len(head) >= _MIN_HEAD and min(controls, ill_formed) * 16 >= len(head)


def has_utf_16_mark(head: bytes) -> bool:
    """Return whether *head* begins with UTF-16's byte order mark, which alone proves nothing."""
    return head.startswith(_UTF_16_MARKS)


def _begins(head: bytes, row: Signature) -> bool:
    """Return whether *head* has the signature; a word of ASCII might begin a text too, unless there are controls."""
    if not head.startswith(row.magic, row.offset):
        return False
    is_word = row.magic.isascii() and row.magic.decode().isprintable() and row.format != "PDF"  # which may be all text
    return not is_word or has_controls(head)


def _wide_encoding(head: bytes) -> str:
    """Return the encoding of text in units of four or two bytes, or ""."""
    for name, size, decode in _WIDE:
        try:
            text, _ = decode(head, "strict", False)  # a character may be cut at the end
        except UnicodeDecodeError:
            continue
        marked = text.startswith("\ufeff")
        text = text.removeprefix("\ufeff")
        if is_text(text) and (_is_utf_32 if size == 4 else _is_utf_16)(text, head, marked=marked):
            return name[:6] if marked else name
    return ""


def _is_utf_32(text: str, head: bytes, *, marked: bool) -> bool:
    """Return whether *head* is UTF-32, as which it reads *text*: few units, or only C3 A9 00 00, may be UTF-8."""
    return marked or (len(text) >= _LETTERS_WITHOUT_MARK and count_multibyte(head) < len(text))


def _is_utf_16(text: str, head: bytes, *, marked: bool) -> bool:
    """Return whether *head* is UTF-16, as which it reads *text*; bytes of UTF-8 can often be read in this way.

    A mark is not enough: what follows FF FE may be UTF-8. UTF-16 has NULs, for its spaces and line ends, or it has
    kana, the half of most Japanese text, which as bytes are 30 and another one each time. UTF-8 has many pairs of ASCII
    bytes or many characters of several bytes, which in UTF-16 come about by chance only, most often in Korean: one in
    12 bytes. Without a mark there may be none at all, but for quotation marks and the like, pairs that begin with 20.
    """
    narrow = sum(character < "\u0100" for character in text)
    signs = sum("\u2020" <= character <= "\u207e" for character in text)
    kana = count_kana(text)
    pairs = sum(0x20 <= ord(character) & 0xFF < 0x7F and 0x20 <= ord(character) >> 8 < 0x7F for character in text)
    characters = count_multibyte(head)
    is_japanese = kana >= _MIN_KANA and kana * 4 >= len(text)
    if marked:
        return characters * 8 <= len(head) and (is_japanese or (narrow > 0 and pairs * 4 <= len(text) * 3))
    has_letters = len(text) >= _LETTERS_WITHOUT_MARK and narrow * 8 >= len(text)
    return not characters and (is_japanese or (has_letters and pairs == signs <= narrow / 16))


def count_kana(text: str) -> int:
    """Return how many kana *text* has."""
    return sum("\u3040" <= character <= "\u30ff" for character in text)


def is_text(text: str) -> bool:
    """Return whether *text* is not empty and has only assigned characters that plain text has."""
    from unicodedata import category

    return bool(text) and all(each in "\t\n\f\r" or category(each) not in ("Cc", "Cn", "Co", "Cs") for each in text)
