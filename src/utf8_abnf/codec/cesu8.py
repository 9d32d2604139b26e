"""CESU-8 (Unicode Technical Report 26), which is NOT UTF-8: it encodes each 16-bit unit of UTF-16 by section 3's table.

"CESU-8 operates similarly to UTF-8 but encodes the UTF-16 code values (16-bit quantities) instead of the character
number ... the CESU-8 encoding of those characters is NOT valid UTF-8" (RFC 3629 section 3, on numbers above FFFF).
It is not meant for use on the Internet. No function of ``utf8_abnf.codec`` reads or writes it, except those here.
"""

from __future__ import annotations

import re
import struct
from typing import TYPE_CHECKING

from utf8_abnf.codec.bulk import encode as encode_utf8
from utf8_abnf.codec.errors import contiguous

if TYPE_CHECKING:
    from typing_extensions import Buffer

NAME = "cesu-8"
ABOVE_FFFF = re.compile("[\U00010000-\U0010ffff]")
PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")
# What is not allowed once each unit is decoded: a surrogate without its partner, a character in four bytes.
STRAY = re.compile(f"{PAIR.pattern}|(?P<stray>[\ud800-\udfff\U00010000-\U0010ffff])")


def encode(text: str, /) -> bytes:
    """Return *text* in CESU-8. ``EncodeError`` for a lone surrogate, as in UTF-8.

    >>> encode("𣎴").hex(" ").upper()  # U+233B4
    'ED A1 8C ED BE B4'
    """
    encode_utf8(text)  # raises for a lone surrogate, with the position in the whole text
    return ABOVE_FFFF.sub(_pair, text).encode(errors="surrogatepass")


def _pair(character: re.Match[str]) -> str:
    return "".join(map(chr, struct.unpack(">HH", character[0].encode("utf-16-be"))))


def decode(data: Buffer, /) -> str:
    r"""Return the text in *data*, which is CESU-8; ``encode`` of that text gives the same bytes again.

    ``UnicodeDecodeError`` (its encoding is "cesu-8") for anything else: lone surrogates, sequences of four bytes, and
    bytes that are also ill-formed in UTF-8.

    >>> decode(bytes.fromhex("ED A1 8C ED BE B4")) == "\U000233B4"
    True
    """
    whole = contiguous(data)
    units, fault = _units(whole)
    for found in STRAY.finditer(units):
        if found["stray"]:
            raise _stray(whole, units, found.start())
    if fault:
        raise UnicodeDecodeError(NAME, whole, fault.start, fault.end, "not a sequence of CESU-8")
    return PAIR.sub(_character, units)


def _units(data: bytes) -> tuple[str, UnicodeDecodeError | None]:
    """Return the characters and surrogates that *data* encodes up to the first error, and that error or None."""
    try:
        return data.decode(errors="surrogatepass"), None
    except UnicodeDecodeError as error:
        return data[: error.start].decode(errors="surrogatepass"), error


def _character(pair: re.Match[str]) -> str:
    return pair[0].encode("utf-16-be", "surrogatepass").decode("utf-16-be")


def _stray(data: bytes, units: str, position: int) -> UnicodeDecodeError:
    start = len(units[:position].encode(errors="surrogatepass"))
    end = start + len(units[position].encode(errors="surrogatepass"))
    paired = ABOVE_FFFF.match(units[position])
    reason = "CESU-8 encodes this character as a surrogate pair" if paired else "surrogate without a partner"
    return UnicodeDecodeError(NAME, data, start, end, reason)
