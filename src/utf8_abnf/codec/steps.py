"""Return the steps by which section 3 encodes or decodes one character, with every bit, as a ``Trace``.

The steps are those of ``by_the_book``, in the order of the RFC's two lists. Values that are not allowed raise no error:
their trace ends at the step that rejects them, with the reason.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from utf8_abnf.codec.by_the_book import (
    SURROGATES,
    TABLE,
    TableRow,
    distribute,
    encode_character,
    fits,
    row_begun_by,
    row_for,
)
from utf8_abnf.codec.errors import contiguous, why_not
from utf8_abnf.codec.replacement import ANNOUNCED, announced_sequence
from utf8_abnf.language.notation import code_point, hex_bytes
from utf8_abnf.validator.ill_formed import describe

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sized

    from typing_extensions import Buffer

BITS = 21  # "Up to 21 bits may be needed."
ORDINALS = ("first", "second", "third", "fourth")


class Move(NamedTuple):
    """The move of one bit: bit *number_bit* of the character number is bit *byte_bit* of byte *byte* of the sequence.

    Bits count from 0, the lowest-order one; bytes from 0, the first. *value* is 0 or 1.
    """

    number_bit: int
    byte: int
    byte_bit: int
    value: int


@dataclass(frozen=True, slots=True)
class Trace:
    """How a character was encoded or, where it *decodes*, decoded; ``str()`` gives the steps as text for people.

    *moves* are those of all bits of the character number, from the lowest-order one, as a drawing of them needs. Where
    bytes were rejected, *code_point* is None; where a character number was, *data* is empty. *refusal* says why, and
    is empty otherwise.
    """

    source: str
    result: str
    code_point: int | None
    data: bytes
    lines: tuple[str, ...]
    moves: tuple[Move, ...] = ()
    refusal: str = ""
    decodes: bool = False

    def __str__(self) -> str:
        end = f"refused: {self.refusal}" if self.refusal else f"= {self.result}"
        return "\n".join([self.source, *self.lines, end])


def encode_steps(number: int, /) -> Trace:
    """Return the trace of encoding the character *number*. Never raises for a number: see ``Trace.refusal``."""
    source = _name(number)
    row = row_for(number)
    lines = ["1. Determine the number of bytes"]
    if row is None or number in SURROGATES:
        return Trace(source, "", number, b"", (*lines, f"   {why_not(number)}"), refusal=why_not(number))
    data, moves = encode_character(number), _moves(row, number)
    lines += [
        f"   {_row_found(number, row)}",
        "2. Prepare the high bits",
        f"   {' '.join(row.pictures)}",
        f"3. Fill in the bits marked x, lowest first: {number:0{len(row.places)}b}",
    ]
    for byte in reversed(range(len(data))):  # a byte that is still to come shows its picture
        so_far = (*row.pictures[:byte], _binary(data[byte:]))
        lines.append(f"   {' '.join(so_far)}   byte {byte + 1} takes {_carried(moves, byte)}")
    return Trace(source, hex_bytes(data), number, data, tuple(lines), moves)


def decode_steps(sequence: Buffer, /, *, start: int = 0) -> Trace:
    """Return the trace of decoding one *sequence*. Never raises for ill-formed bytes: see ``Trace.refusal``.

    *start* is the offset of the sequence in its input, for the reason. ``ValueError`` where *sequence* is empty or has
    more bytes than its first byte announces.
    """
    data = contiguous(sequence)
    row = row_begun_by(data[0]) if data else None
    if not 1 <= len(data) <= (len(row.pictures) if row else 1):
        raise ValueError(f"decode_steps shows one sequence, and this is none or several: {_count(data)}")
    error = describe(data, start)
    lines = [
        "1. Start with a number whose bits are all 0",
        f"   {0:0{BITS}b}",
        "2. Determine the bits that encode the number",
    ]
    misfit = _misfit(data, row)
    if row is None or misfit:
        return Trace(hex_bytes(data), "", None, data, (*lines, f"   {misfit}"), refusal=str(error), decodes=True)
    number = distribute(data)
    moves = _moves(row, number)
    marked = f"{_count(row.pictures)}, in which {len(row.places)} bits are marked x"
    lines += [f"   {' '.join(row.pictures)}   {marked}", f"3. Distribute the bits, lowest first: {_binary(data)}"]
    for byte in reversed(range(len(data))):  # a bit of the number that is still to come shows x
        known = sum(move.byte >= byte for move in moves)
        bits = f"{number:0{BITS}b}"[-known:].rjust(BITS, "x")
        lines.append(f"   {bits}   byte {byte + 1} gives {_carried(moves, byte)}")
    lines += ["4. Protect against invalid sequences", f"   {_protection(row, number)}"]
    if error is not None:
        return Trace(hex_bytes(data), "", None, data, tuple(lines), moves, str(error), decodes=True)
    return Trace(hex_bytes(data), _name(number), number, data, tuple(lines), moves, decodes=True)


def decode_each(data: Buffer, /) -> Iterator[Trace]:
    r"""Yield the trace of every sequence in *data*, ill-formed ones too; offsets count from the start of *data*.

    >>> [trace.result or trace.refusal for trace in decode_each(b"\xc3\xa9\xff")]
    ['U+00E9', 'UTF8-TOO-LARGE: byte FF at offset 2; expected 00..7F, C2..F4 (UTF8-char)']
    """
    whole = contiguous(data)
    start = 0
    while start < len(whole):
        sequence = whole[start : start + ANNOUNCED[whole[start]]]
        yield decode_steps(sequence, start=start)
        start += announced_sequence(sequence)  # a byte that does not belong to it begins the next sequence


def _misfit(data: bytes, row: TableRow | None) -> str:
    """Return why step 2 cannot be carried out on *data*, or an empty string."""
    if row is None:
        return f"{data[0]:02X} is {data[0]:08b}: no row of the table begins like this"
    for byte, picture in zip(data, row.pictures, strict=False):
        if not fits(byte, picture):
            return f"{byte:02X} is {byte:08b}: it does not fit {picture}"
    if len(data) < len(row.pictures):
        return f"{data[0]:02X} is {data[0]:08b} and announces {_count(row.pictures)}, but there are {len(data)}"
    return ""


def _protection(row: TableRow, number: int) -> str:
    """Return the result, for *number*, of the check that section 3 demands after the steps."""
    if number in SURROGATES:
        return f"{_name(number)} is a surrogate, which UTF-8 does not encode"
    home = row_for(number)
    if home is None:
        return f"{number:X} is in no row of the table, which ends at U+10FFFF"
    if home != row:
        shorter = f"{_name(number)} lies in {_span(home)}, the row of {_count(home.pictures)}"
        return f"{shorter}: {_count(row.pictures)} are overlong"
    return f"{_name(number)} lies in {_span(row)}, the row of {_count(row.pictures)}, and is not a surrogate"


def _moves(row: TableRow, number: int) -> tuple[Move, ...]:
    return tuple(Move(at, place.byte, place.bit, number >> at & 1) for at, place in enumerate(row.places))


def _carried(moves: tuple[Move, ...], byte: int) -> str:
    return "".join(str(move.value) for move in reversed(moves) if move.byte == byte)


def _row_found(number: int, row: TableRow) -> str:
    ordinal = ORDINALS[TABLE.index(row)]
    return f"{_name(number)} lies in {_span(row)}, the {ordinal} row of the table: {_count(row.pictures)} ({row.rule})"


def _name(number: int) -> str:
    return code_point(number) if 0 <= number <= 0x10FFFF else f"{number:X}"


def _span(row: TableRow) -> str:
    digits = 2 if row.last <= 0xFF else 4  # 00..7F but 0080..07FF
    return f"{row.first:0{digits}X}..{row.last:0{digits}X}"


def _count(sequence: Sized) -> str:
    return "1 byte" if len(sequence) == 1 else f"{len(sequence)} bytes"


def _binary(data: Iterable[int]) -> str:
    return " ".join(f"{byte:08b}" for byte in data)
