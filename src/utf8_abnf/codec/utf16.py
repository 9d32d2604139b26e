"""UTF-16 (RFC 2781): from bytes to 16-bit units, to character numbers with surrogate pairs joined, and back.

"When encoding in UTF-8 from UTF-16 data, it is necessary to first decode the UTF-16 data to obtain character numbers,
which are then encoded in UTF-8" (RFC 3629 section 3). ``decode_utf16`` is that first step, done by CPython; ``join``
and ``split`` are its plain twins, which follow RFC 2781 sections 2.1 and 2.2.
"""

from __future__ import annotations

import codecs
from typing import TYPE_CHECKING, Literal, TypeAlias

from utf8_abnf.codec.errors import EncodeError, Utf16Error, contiguous, is_scalar_value

if TYPE_CHECKING:
    from collections.abc import Iterable

    from typing_extensions import Buffer

ByteOrder: TypeAlias = Literal["big", "little"]

HIGH = range(0xD800, 0xDBFF + 1)  # first of a pair, has the upper ten bits: RFC 2781 section 2.1, W1
LOW = range(0xDC00, 0xDFFF + 1)  # second of a pair, has the lower ten bits: W2
PAIRED = 0x10000  # numbers from here on take a pair, which encodes the number less this

ENCODINGS = {"big": "utf-16-be", "little": "utf-16-le"}
MARKS: dict[bytes, ByteOrder] = {codecs.BOM_UTF16_BE: "big", codecs.BOM_UTF16_LE: "little"}


def split(number: int, /) -> tuple[int, ...]:
    """Return the one or two 16-bit units for the character *number* (RFC 2781 section 2.1).

    >>> [f"{unit:04X}" for unit in split(0x233B4)]
    ['D84C', 'DFB4']
    """
    if not is_scalar_value(number):
        raise EncodeError.after([], number)
    if number < PAIRED:
        return (number,)
    upper, lower = divmod(number - PAIRED, 2**10)
    return HIGH[upper], LOW[lower]


def join(units: Iterable[int], /) -> list[int]:
    """Return the character numbers for 16-bit *units*, pairs of surrogates joined (RFC 2781 section 2.2).

    ``Utf16Error`` at a lone surrogate, with offsets in the bytes of the units, two for each; ``ValueError`` for a
    number that is not a 16-bit unit.

    >>> [hex(number) for number in join([0x41, 0xD84C, 0xDFB4])]
    ['0x41', '0x233b4']
    """
    row = list(units)
    numbers = []
    i = 0
    while i < len(row):
        if row[i] in HIGH and i + 1 < len(row) and row[i + 1] in LOW:
            numbers.append(PAIRED + HIGH.index(row[i]) * 2**10 + LOW.index(row[i + 1]))
            i += 2
        elif row[i] in HIGH or row[i] in LOW:
            data = b"".join(unit.to_bytes(2, "big") for unit in row)
            raise Utf16Error("utf-16-be", data, 2 * i, row[i])
        else:
            if not 0 <= row[i] < PAIRED:
                raise ValueError(f"unit {i} is not a 16-bit unit: {row[i]:X}")
            numbers.append(row[i])
            i += 1
    return numbers


def decode_utf16(data: Buffer, /, *, byte_order: ByteOrder | None = None) -> str:
    r"""Return the text in *data*, which is UTF-16 of the given *byte_order*.

    If *byte_order* is None, a byte order mark at the start gives it and is not part of the text; without a mark it is
    "big" (RFC 2781 section 4.3). Otherwise U+FEFF at the start is a character like any other (sections 4.1, 4.2).
    ``Utf16Error`` for a lone surrogate or half a unit, with its offset in bytes.

    >>> decode_utf16(bytes.fromhex("FE FF D8 08 DF 45 00 3D")), decode_utf16(b"a\0", byte_order="little")
    ('𒍅=', 'a')
    """
    whole = contiguous(data)
    order, begin = _order(whole, byte_order)
    try:
        return str(memoryview(whole)[begin:].tobytes() if begin else whole, ENCODINGS[order])
    except UnicodeDecodeError as error:
        start = begin + error.start
        pair = whole[start : start + 2]
        unit = int.from_bytes(pair, order) if len(pair) == 2 else None
        raise Utf16Error(ENCODINGS[order], whole, start, unit) from None


def _order(data: bytes, stated: ByteOrder | None) -> tuple[ByteOrder, int]:
    """Return the byte order of *data* and the offset at which its text begins."""
    if stated is not None:
        if stated not in ENCODINGS:
            raise ValueError(f"byte_order {stated!r} is not 'big', 'little' or None (by the byte order mark)")
        return stated, 0
    mark = MARKS.get(data[:2])
    return (mark, 2) if mark else ("big", 0)
