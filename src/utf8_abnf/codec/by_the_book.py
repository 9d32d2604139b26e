"""Encode and decode characters as RFC 3629 section 3 says, sentence by sentence.

This module is written to be read. ``utf8_abnf.codec.encode`` and ``decode`` do the same at CPython's speed, and tests
compare the two on every scalar value and on ill-formed sequences of every class.

Rule 1: what is allowed follows from section 3 alone, from its table and its two prohibitions, and not from section 4's
grammar or CPython's codec. So a test that compares them shows that both sections of the RFC say the same.
Rule 2: no constant hides bit arithmetic. The bytes of the table are written as the RFC draws them: eight digits, where
``x`` marks the place of a bit of the character number. Everything else is computed from these pictures.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from utf8_abnf.codec.errors import EncodeError, contiguous
from utf8_abnf.validator.ill_formed import InvalidUtf8, describe

if TYPE_CHECKING:
    from collections.abc import Iterable

    from typing_extensions import Buffer


class BitPosition(NamedTuple):
    """The place of one bit of the character number: a byte of the sequence, from 0, and a bit of it, 0 the lowest."""

    byte: int
    bit: int


class TableRow(NamedTuple):
    """A row of section 3's table: the characters *first* to *last* take as many bytes as there are *pictures*."""

    first: int
    last: int
    pictures: tuple[str, ...]  # the second column: 1110xxxx and so on
    high_bits: bytes  # the pictures with 0 for every x
    places: tuple[BitPosition, ...]  # of the x's, in the order in which section 3 fills them in

    @property
    def rule(self) -> str:
        """The name of the rule of section 4 that generates these sequences."""
        return f"UTF8-{len(self.pictures)}"


def _row(first: int, last: int, *pictures: str) -> TableRow:
    high_bits = bytes(int(picture.replace("x", "0"), 2) for picture in pictures)
    places = (
        BitPosition(byte, bit)
        for byte in reversed(range(len(pictures)))  # from the last byte to the preceding ones,
        for bit in range(8)  #                        in each from the lowest-order position up
        if pictures[byte][7 - bit] == "x"
    )
    return TableRow(first, last, pictures, high_bits, tuple(places))


# Char. number range          |        UTF-8 octet sequence
#       (hexadecimal)         |              (binary)                            RFC 3629 section 3
TABLE = (
    _row(0x0000_0000, 0x0000_007F, "0xxxxxxx"),
    _row(0x0000_0080, 0x0000_07FF, "110xxxxx", "10xxxxxx"),
    _row(0x0000_0800, 0x0000_FFFF, "1110xxxx", "10xxxxxx", "10xxxxxx"),
    _row(0x0001_0000, 0x0010_FFFF, "11110xxx", "10xxxxxx", "10xxxxxx", "10xxxxxx"),
)
TAIL_PICTURE = TABLE[1].pictures[1]

# "The definition of UTF-8 prohibits encoding character numbers between U+D800 and U+DFFF"
SURROGATES = range(0xD800, 0xDFFF + 1)


# ---- Encoding ----------------------------------------------------------------------------------------------------


def encode_character(number: int, /) -> bytes:
    """Return the UTF-8 sequence of one to four bytes for the character *number*, by the three steps of section 3.

    ``EncodeError`` for a surrogate and for anything outside 0..10FFFF.

    >>> encode_character(0x20AC).hex(" ").upper()
    'E2 82 AC'
    >>> encode_character(0xD800)
    Traceback (most recent call last):
    utf8_abnf.codec.errors.EncodeError: position 0: U+D800 is a surrogate, reserved for UTF-16, and not a character
    """
    row = row_for(number)  #                    1. determine the number of bytes
    if row is None or number in SURROGATES:
        raise EncodeError.after([], number)
    sequence = bytearray(row.high_bits)  #      2. prepare the high-order bits
    for place in row.places:  #                 3. fill in the bits marked x, from the lowest-order bit
        number, bit = divmod(number, 2)
        sequence[place.byte] += bit * 2**place.bit
    return bytes(sequence)


def row_for(number: int) -> TableRow | None:
    """Return the row of the table whose first column contains *number*, or None; the rows do not overlap."""
    return next((row for row in TABLE if row.first <= number <= row.last), None)


def encode(numbers: Iterable[int], /) -> bytes:
    r"""Return the characters *numbers* in UTF-8, one after the other. Errors as for ``encode_character``.

    >>> encode([0x41, 0x2262, 0x391, 0x2E])  # RFC 3629 section 7: A, not identical to, Alpha, full stop
    b'A\xe2\x89\xa2\xce\x91.'
    """
    done: list[int] = []
    sequences = []
    for number in numbers:
        try:
            sequences.append(encode_character(number))
        except EncodeError:
            raise EncodeError.after(done, number) from None  # with the position among all numbers
        done.append(number)
    return b"".join(sequences)


# ---- Decoding ----------------------------------------------------------------------------------------------------


def decode_character(sequence: Buffer, /) -> int:
    r"""Return the number of the one character that *sequence* encodes: section 3's steps, then the check it demands.

    ``InvalidUtf8`` for bytes that section 3's encoding does not produce; ``ValueError`` where *sequence* is empty or
    has several characters.

    >>> hex(decode_character(b"\xe2\x82\xac"))
    '0x20ac'
    >>> decode_character(b"\xc0\x80")
    Traceback (most recent call last):
    utf8_abnf.validator.ill_formed.InvalidUtf8: ...UTF8-OVERLONG: byte C0 at offset 0; expected 00..7F, C2..F4...
    """
    data = contiguous(sequence)
    if not is_character(data):
        raise _error(data)
    return distribute(data)


def distribute(sequence: bytes, /) -> int:
    r"""Return the number that the three steps alone make of one to four bytes. UNSAFE: RFC 3629's naive decoder.

    The RFC demands a check after it, ``is_character``; use ``decode_character``, which does both.

    >>> distribute(b"\xc0\x80")  # "a naive implementation may decode the overlong UTF-8 sequence C0 80 ..."
    0
    """
    number = 0  #                                            1. a binary number with all bits 0
    places = TABLE[len(sequence) - 1].places  #              2. which bits: from the number of bytes, those marked x
    for position, place in enumerate(places):  #             3. distribute them, the lowest-order bits first
        bit = sequence[place.byte] // 2**place.bit % 2
        number += bit * 2**position
    return number


def is_character(sequence: bytes, /) -> bool:
    r"""Return whether *sequence* is what section 3's encoding gives for some character.

    "Implementations of the decoding algorithm above MUST protect against decoding invalid sequences": every byte has
    to fit its picture, the number has to lie in the row for this number of bytes (so it is neither overlong nor above
    10FFFF), and it must not be a surrogate.

    >>> is_character(b"\xc0\x80"), is_character(b"\xed\xa1\x8c"), is_character(b"\xe2\x82\xac")
    (False, False, True)
    """
    if not 1 <= len(sequence) <= len(TABLE):
        return False
    row = TABLE[len(sequence) - 1]
    if not all(map(fits, sequence, row.pictures)):
        return False
    number = distribute(sequence)
    return row.first <= number <= row.last and number not in SURROGATES


def fits(byte: int, picture: str) -> bool:
    """Return whether *byte* has the 0s and 1s of *picture*; a place marked x may hold either.

    >>> fits(0x82, "10xxxxxx"), fits(0x41, "10xxxxxx")
    (True, False)
    """
    return all(wanted in {bit, "x"} for bit, wanted in zip(f"{byte:08b}", picture, strict=True))


def row_begun_by(byte: int) -> TableRow | None:
    """Return the row whose sequences begin with *byte*: "the initial octet has the n higher-order bits set to 1".

    >>> row_begun_by(0xE2).rule, row_begun_by(0x82)
    ('UTF8-3', None)
    """
    return next((row for row in TABLE if fits(byte, row.pictures[0])), None)


def decode(data: Buffer, /) -> list[int]:
    """Return the numbers of the characters in *data*. ``InvalidUtf8`` for the first ill-formed sequence.

    >>> [f"U+{number:04X}" for number in decode("日本語".encode())]
    ['U+65E5', 'U+672C', 'U+8A9E']
    """
    whole = contiguous(data)
    numbers = []
    start = 0
    while start < len(whole):
        row = row_begun_by(whole[start])
        end = start + (len(row.pictures) if row else 1)
        sequence = whole[start:end]
        if not is_character(sequence):
            raise _error(whole, start)
        numbers.append(distribute(sequence))
        start = end
    return numbers


def _error(data: bytes, start: int = 0) -> ValueError:
    """Return the error for the sequence at *start*, which section 3 rejects; section 4 gives the reason."""
    error = describe(data[start : start + len(TABLE)], start)
    if error is not None:
        return InvalidUtf8(data, error)
    return ValueError(f"{len(data)} bytes are not one character; decode() takes any number of characters")
