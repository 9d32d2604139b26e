"""Decode UTF-16 (RFC 2781) bytes to a ``str``.

"When encoding in UTF-8 from UTF-16 data, it is necessary to first decode the UTF-16 data to obtain character numbers,
which are then encoded in UTF-8" (RFC 3629 section 3). ``decode_utf16`` is that first step, done by CPython.
"""

from __future__ import annotations

import codecs
from typing import TYPE_CHECKING, Literal, TypeAlias

from utf8_abnf.codec.errors import Utf16Error, contiguous

if TYPE_CHECKING:
    from typing_extensions import Buffer

ByteOrder: TypeAlias = Literal["big", "little"]

ENCODINGS = {"big": "utf-16-be", "little": "utf-16-le"}
MARKS: dict[bytes, ByteOrder] = {codecs.BOM_UTF16_BE: "big", codecs.BOM_UTF16_LE: "little"}


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
