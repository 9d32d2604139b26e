"""Modified UTF-8 (Java's DataInput, class files, JNI), which is NOT UTF-8: CESU-8 with U+0000 written as C0 80.

C0 80 is the overlong sequence that RFC 3629 section 3 warns of: "a naive implementation may decode the overlong UTF-8
sequence C0 80 into the character U+0000". Modified UTF-8 demands it. No function of ``utf8_abnf.codec`` reads or
writes this format, except those here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from utf8_abnf.codec import cesu8
from utf8_abnf.codec.by_the_book import TABLE
from utf8_abnf.codec.errors import contiguous

if TYPE_CHECKING:
    from typing_extensions import Buffer

NAME = "mutf-8"
NUL = TABLE[1].high_bits  # C0 80: the row of two bytes in section 3's table, with 0 for every x


def encode(text: str, /) -> bytes:
    r"""Return *text* in modified UTF-8. ``EncodeError`` for a lone surrogate, as in UTF-8 (Java would write it).

    >>> encode("a\0").hex(" ").upper()
    '61 C0 80'
    """
    return cesu8.encode(text).replace(b"\0", NUL)


def decode(data: Buffer, /) -> str:
    r"""Return the text in *data*, which is modified UTF-8; ``encode`` of that text gives the same bytes again.

    ``UnicodeDecodeError`` (its encoding is "mutf-8") for anything else: a zero byte, lone surrogates, sequences of
    four bytes, and bytes that are also ill-formed in UTF-8, except C0 80.

    >>> decode(b"a\xc0\x80")
    'a\x00'
    """
    whole = contiguous(data)
    zero = whole.find(b"\0")
    # The first error is reported: a zero byte counts only if everything before it is well-formed.
    checked = whole if zero < 0 else whole[:zero]
    shortened = checked.replace(NUL, b"\0")
    try:
        text = cesu8.decode(shortened)
    except UnicodeDecodeError as error:
        shift = shortened.count(b"\0", 0, error.start)  # each U+0000 before it had one byte more
        reason = error.reason.replace("CESU-8", "modified UTF-8")
        raise UnicodeDecodeError(NAME, whole, error.start + shift, error.end + shift, reason) from None
    if zero >= 0:
        raise UnicodeDecodeError(NAME, whole, zero, zero + 1, "modified UTF-8 writes U+0000 as C0 80")
    return text
