"""Modified UTF-8 (Java's DataInput, class files, JNI), which is NOT UTF-8: CESU-8 with U+0000 written as C0 80.

C0 80 is the overlong sequence that RFC 3629 section 3 warns of: "a naive implementation may decode the overlong UTF-8
sequence C0 80 into the character U+0000". Here that is the format. ``utf8_abnf.codec`` never reads or writes it unless
it is called by name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from utf8_abnf.codec import cesu8
from utf8_abnf.codec.by_the_book import TABLE
from utf8_abnf.codec.errors import contiguous

if TYPE_CHECKING:
    from typing_extensions import Buffer

NAME = "mutf-8"
NUL = TABLE[1].high_bits  # C0 80: section 3's row of two bytes with 0 in every place marked x


def encode(text: str, /) -> bytes:
    r"""Return *text* in modified UTF-8. ``EncodeError`` for a lone surrogate, as in UTF-8 (Java would write it).

    >>> encode("a\0").hex(" ").upper()
    '61 C0 80'
    """
    return cesu8.encode(text).replace(b"\0", NUL)


def decode(data: Buffer, /) -> str:
    r"""Return the text in *data*, which is modified UTF-8; whatever this accepts, ``encode`` gives back byte for byte.

    ``UnicodeDecodeError`` (its encoding is "mutf-8") for anything else: a zero byte, lone surrogates, sequences of
    four bytes, and what is ill-formed in UTF-8 too, except C0 80.

    >>> decode(b"a\xc0\x80")
    'a\x00'
    """
    whole = contiguous(data)
    zero = whole.find(b"\0")
    # What comes first is the error: a zero byte is looked at only when all before it has been found right.
    checked = whole if zero < 0 else whole[:zero]
    shortened = checked.replace(NUL, b"\0")
    try:
        text = cesu8.decode(shortened)
    except UnicodeDecodeError as error:
        shift = shortened.count(b"\0", 0, error.start)  # each U+0000 before it was a byte longer
        reason = error.reason.replace("CESU-8", "modified UTF-8")
        raise UnicodeDecodeError(NAME, whole, error.start + shift, error.end + shift, reason) from None
    if zero >= 0:
        raise UnicodeDecodeError(NAME, whole, zero, zero + 1, "modified UTF-8 writes U+0000 as C0 80")
    return text
