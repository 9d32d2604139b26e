"""One text in UTF-8, CESU-8 and modified UTF-8, side by side (RFC 3629 section 3 warns of the other two)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from utf8_abnf.codec import bulk, cesu8, mutf8
from utf8_abnf.codec.utf16 import split
from utf8_abnf.language.notation import code_point, hex_bytes
from utf8_abnf.validator.ill_formed import describe

if TYPE_CHECKING:
    from collections.abc import Iterator

    from utf8_abnf.validator.ill_formed import IllFormed


@dataclass(frozen=True, slots=True)
class Coded:
    """A text in one encoding. *error* says why *data* is not well-formed UTF-8; None where it is well-formed."""

    encoding: str
    data: bytes
    error: IllFormed | None


@dataclass(frozen=True, slots=True)
class ComparedCharacter:
    """A character's number, its 16-bit units in UTF-16, and its bytes in each of the three encodings."""

    code_point: int
    utf16: tuple[int, ...]
    utf8: bytes
    cesu8: bytes
    mutf8: bytes


@dataclass(frozen=True, slots=True)
class Comparison:
    """A text in UTF-8, CESU-8 and modified UTF-8; ``str()`` gives a table with a verdict for each encoding."""

    text: str
    characters: tuple[ComparedCharacter, ...]
    utf8: Coded
    cesu8: Coded
    mutf8: Coded

    def __str__(self) -> str:
        return "\n".join(_lines(self))


def compare(text: str, /) -> Comparison:
    r"""Return *text* in the three encodings, with the reason where one is not well-formed UTF-8.

    ``EncodeError`` for a lone surrogate.

    >>> print(compare("a\0\U000233B4"))
    character  UTF-16     UTF-8        CESU-8             modified UTF-8
    U+0061     0061       61           61                 61
    U+0000     0000       00           00                 C0 80
    U+233B4    D84C DFB4  F0 A3 8E B4  ED A1 8C ED BE B4  ED A1 8C ED BE B4
    UTF-8: well-formed
    CESU-8: UTF8-SURROGATE: byte A1 at offset 3; expected 80..9F (UTF8-3)
    modified UTF-8: UTF8-OVERLONG: byte C0 at offset 1; expected 00..7F, C2..F4 (UTF8-char)
    """
    bulk.encode(text)  # raises for a lone surrogate, with the position in the whole text
    return Comparison(
        text,
        tuple(_compared(character) for character in text),
        _coded("UTF-8", bulk.encode(text)),
        _coded("CESU-8", cesu8.encode(text)),
        _coded("modified UTF-8", mutf8.encode(text)),
    )


def _compared(character: str) -> ComparedCharacter:
    encoded = bulk.encode(character), cesu8.encode(character), mutf8.encode(character)
    return ComparedCharacter(ord(character), split(ord(character)), *encoded)


def _coded(encoding: str, data: bytes) -> Coded:
    try:
        data.decode()
    except UnicodeDecodeError as error:
        return Coded(encoding, data, describe(data[error.start : error.start + bulk.MAX_SEQUENCE], error.start))
    return Coded(encoding, data, None)


def _lines(comparison: Comparison) -> Iterator[str]:
    encodings = (comparison.utf8, comparison.cesu8, comparison.mutf8)
    rows = [("character", "UTF-16", *(each.encoding for each in encodings))]
    for each in comparison.characters:
        units = " ".join(f"{unit:04X}" for unit in each.utf16)
        columns = (hex_bytes(data) for data in (each.utf8, each.cesu8, each.mutf8))
        rows.append((code_point(each.code_point), units, *columns))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        yield "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
    for coded in encodings:
        yield f"{coded.encoding}: {coded.error or 'well-formed'}"
