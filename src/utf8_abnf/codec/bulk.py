"""UTF-8 by the megabyte: text or character numbers in, bytes out, and back, at the speed of CPython's own codec.

CPython's codec is right, so it does the work; what is added here are the other inputs and the errors that explain.
The twin to read is ``by_the_book``.
"""

from __future__ import annotations

import sys
from array import array
from typing import TYPE_CHECKING, Literal

from utf8_abnf.codec.errors import EncodeError, contiguous, is_scalar_value
from utf8_abnf.codec.utf16 import decode_utf16
from utf8_abnf.validator.ill_formed import InvalidUtf8, describe

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from typing_extensions import Buffer

    from utf8_abnf.codec.utf16 import ByteOrder

_encode = str.encode
_decode = bytes.decode

UNIT32: Literal["I"] = "I"  # C's unsigned int: 32 bits wherever CPython runs
UTF32 = f"utf-32-{sys.byteorder[0]}e"  # "le" or "be"

MAX_SEQUENCE = 4  # bytes: UTF8-char = UTF8-1 / UTF8-2 / UTF8-3 / UTF8-4


def encode(text: str | Iterable[int], /) -> bytes:
    r"""Return *text*, a ``str`` or character numbers, in UTF-8 (RFC 3629 section 3).

    ``EncodeError`` for a surrogate, even if its partner follows (they are joined by ``encode_utf16``), and for numbers
    outside 0..10FFFF; it has the ``position``, in characters from 0. ``TypeError`` for bytes: they are encoded already.

    >>> encode("€") == encode([0x20AC]) == b"\xe2\x82\xac"
    True
    >>> encode("a\ud800")
    Traceback (most recent call last):
    utf8_abnf.codec.errors.EncodeError: position 1: U+D800 is a surrogate, reserved for UTF-16: no character to encode
    """
    try:
        return _encode(text)  # type: ignore[arg-type]  # to ask first whether it is a str would cost 10 ns a call
    except TypeError:
        if isinstance(text, (bytes, bytearray, memoryview)):
            raise TypeError(f"not {type(text).__name__}, but a str or numbers: bytes are encoded already") from None
    except UnicodeEncodeError as error:
        raise EncodeError(error.object, error.start, ord(error.object[error.start])) from None
    return _encode_numbers(text if isinstance(text, (list, tuple)) else list(text))


def _encode_numbers(numbers: Sequence[Any]) -> bytes:
    """Encode by way of UTF-32, in which a number is a 32-bit unit: five times as fast as ``map(chr, ...)``."""
    try:
        return array(UNIT32, numbers).tobytes().decode(UTF32).encode()
    except (UnicodeDecodeError, OverflowError):  # UTF-32 holds scalar values only; 32 bits hold no number beyond them
        position = next(i for i, number in enumerate(numbers) if not is_scalar_value(number))
        raise EncodeError.after(numbers[:position], numbers[position]) from None


def decode(data: Buffer, /) -> str:
    r"""Return the text in *data*, which is UTF-8. ``InvalidUtf8`` where it is ill-formed; its ``error`` explains it.

    A byte order mark is a character like any other (RFC 3629 section 6 leaves it to the protocol).
    ``TypeError`` for anything that is not bytes-like, ``BufferError`` for a view with gaps.

    >>> decode(b"\xe2\x82\xac")
    '€'
    >>> decode(b"ab\xed\xa1\x8c\xed\xbe\xb4")
    Traceback (most recent call last):
    utf8_abnf.validator.ill_formed.InvalidUtf8: ...UTF8-SURROGATE: byte A1 at offset 3; expected 80..9F (UTF8-3)
    """
    try:
        return _decode(data)  # type: ignore[arg-type]
    except TypeError:  # not bytes, but perhaps bytes-like
        return decode(contiguous(data))
    except UnicodeDecodeError as error:
        raise explained(error.object, error.start) from None


def explained(data: bytes, start: int) -> InvalidUtf8:
    """Return the error for *data*, in which CPython has found an ill-formed sequence at *start*."""
    error = describe(data[start : start + MAX_SEQUENCE], start)
    assert error is not None, "CPython refused what RFC 3629 allows"
    return InvalidUtf8(data, error)


def code_points(data: Buffer, /) -> list[int]:
    """Return the numbers of the characters in *data*, which is UTF-8. Errors as for ``decode``.

    >>> [f"U+{number:04X}" for number in code_points("aé€".encode())]
    ['U+0061', 'U+00E9', 'U+20AC']
    """
    return memoryview(decode(data).encode(UTF32)).cast(UNIT32).tolist()


def encode_utf16(data: Buffer, /, *, byte_order: ByteOrder | None = None) -> bytes:
    """Return in UTF-8 the text of *data*, which is UTF-16: pairs of surrogates are joined first, as section 3 demands.

    *byte_order* is "big" or "little"; None goes by the byte order mark, which is not part of the text (RFC 2781
    section 4.3: big where there is none). ``Utf16Error`` for a lone surrogate, with its offset in bytes.

    >>> encode_utf16(bytes.fromhex("D8 4C DF B4")).hex(" ").upper()
    'F0 A3 8E B4'
    """
    return decode_utf16(data, byte_order=byte_order).encode()
