"""How section 3's algorithms encode or decode one character, step by step with every bit, ready to print.

The steps are those of ``by_the_book``, in the order of the RFC's two lists. Values that are not allowed raise no error:
their trace ends at the step that rejects them, with the reason.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

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
    from collections.abc import Iterator, Sized

    from typing_extensions import Buffer

BITS = 21  # "Up to 21 bits may be needed."
ORDINALS = ("first", "second", "third", "fourth")


@dataclass(frozen=True, slots=True)
class Move:
    """The move of one bit: bit *number_bit* of the character number is bit *byte_bit* of byte *byte* of the sequence.

    Bits count from 0, the lowest-order one; bytes from 0, the first. *value* is 0 or 1.
    """

    number_bit: int
    byte: int
    byte_bit: int
    value: int


@dataclass(frozen=True, slots=True)
class Step:
    """One step of the RFC's list: its *title*, its *finding* in words, and the bits after it.

    *number* is the number in the RFC's list; 4 is the check that the RFC demands after it. Step 3 comes once for each
    byte, the last byte first. *bytes* are eight digits each, with x for a bit that is not known yet; *bits* is the
    character number, in the same form; *moves* are the bits that this step has moved, the lowest-order first.
    """

    number: int
    title: str
    finding: str
    bytes: tuple[str, ...]
    bits: str
    moves: tuple[Move, ...] = ()


@dataclass(frozen=True, slots=True)
class Trace:
    """How a character was encoded or decoded, step by step; ``str()`` gives text for people.

    Where bytes were rejected, *code_point* is None; where a character number was, *data* is empty. *refusal* says why,
    and is empty otherwise.
    """

    source: str
    result: str
    code_point: int | None
    data: bytes
    steps: tuple[Step, ...]
    refusal: str = ""

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves of all bits of the character number, from the lowest-order one, as a drawing of them needs."""
        return tuple(move for step in self.steps for move in step.moves)

    def __str__(self) -> str:
        return "\n".join(_lines(self))


# ---- Encoding ----------------------------------------------------------------------------------------------------

ENCODING = ("Determine the number of bytes", "Prepare the high bits", "Fill in the bits marked x")


def encode_steps(number: int, /) -> Trace:
    """Return the trace of encoding the character *number*. Never raises for a number: see ``Trace.refusal``.

    >>> print(encode_steps(0x20AC))
    U+20AC
    1. Determine the number of bytes
       U+20AC lies in 0800..FFFF, the third row of the table: 3 bytes (UTF8-3)
    2. Prepare the high bits
       1110xxxx 10xxxxxx 10xxxxxx
    3. Fill in the bits marked x, lowest first: 0010000010101100
       1110xxxx 10xxxxxx 10101100   byte 3 takes 101100
       1110xxxx 10000010 10101100   byte 2 takes 000010
       11100010 10000010 10101100   byte 1 takes 0010
    = E2 82 AC
    """
    source = _name(number)
    row = row_for(number)
    if row is None or number in SURROGATES:
        bits = _binary(number, BITS) if row else ""
        refused = Step(1, ENCODING[0], why_not(number), (), bits)
        return Trace(source, "", number, b"", (refused,), why_not(number))
    data = encode_character(number)
    bits = _binary(number, len(row.places))
    steps = (
        Step(1, ENCODING[0], _row_found(number, row), (), bits),
        Step(2, ENCODING[1], " ".join(row.pictures), row.pictures, bits),
        *_filled_in(row, number, data),
    )
    return Trace(source, hex_bytes(data), number, data, steps)


def _filled_in(row: TableRow, number: int, data: bytes) -> Iterator[Step]:
    """Yield step 3 for each byte, from the last; a byte that is still to come shows its picture."""
    bits = _binary(number, len(row.places))
    for byte in reversed(range(len(data))):
        so_far = tuple(f"{each:08b}" if i >= byte else row.pictures[i] for i, each in enumerate(data))
        moves = _moves(row, number, byte)
        yield Step(3, ENCODING[2], f"byte {byte + 1} takes {_carried(moves)}", so_far, bits, moves)


# ---- Decoding ----------------------------------------------------------------------------------------------------

DECODING = (
    "Start with a number whose bits are all 0",
    "Determine the bits that encode the number",
    "Distribute the bits",
    "Protect against invalid sequences",
)


def decode_steps(sequence: Buffer, /, *, start: int = 0) -> Trace:
    r"""Return the trace of decoding one *sequence*. Never raises for ill-formed bytes: see ``Trace.refusal``.

    *start* is the offset of the sequence in its input, for the reason. ``ValueError`` where *sequence* is empty or has
    more bytes than its first byte announces.

    >>> print(decode_steps(b"\xc0\x80"))
    C0 80
    1. Start with a number whose bits are all 0
       000000000000000000000
    2. Determine the bits that encode the number
       110xxxxx 10xxxxxx   2 bytes, in which 11 bits are marked x
    3. Distribute the bits, lowest first: 11000000 10000000
       xxxxxxxxxxxxxxx000000   byte 2 gives 000000
       xxxxxxxxxx00000000000   byte 1 gives 00000
    4. Protect against invalid sequences
       U+0000 lies in 00..7F, the row of 1 byte: 2 bytes are overlong
    refused: UTF8-OVERLONG: byte C0 at offset 0; expected 00..7F, C2..F4 (UTF8-char)
    """
    data = contiguous(sequence)
    row = row_begun_by(data[0]) if data else None
    if not 1 <= len(data) <= (len(row.pictures) if row else 1):
        raise ValueError(f"decode_steps shows one sequence, and this is none or several: {_count(data)}")
    error = describe(data, start)
    steps = [Step(1, DECODING[0], "0" * BITS, _binaries(data), "0" * BITS)]
    misfit = _misfit(data, row)
    if row is None or misfit:
        steps.append(Step(2, DECODING[1], misfit, _binaries(data), "0" * BITS))
        return Trace(hex_bytes(data), "", None, data, tuple(steps), str(error))
    number = distribute(data)
    marked = f"{_count(row.pictures)}, in which {len(row.places)} bits are marked x"
    steps.append(Step(2, DECODING[1], marked, row.pictures, "0" * BITS))
    steps.extend(_distributed(row, number, data))
    steps.append(Step(4, DECODING[3], _protection(row, number), _binaries(data), _binary(number, BITS)))
    if error is not None:
        return Trace(hex_bytes(data), "", None, data, tuple(steps), str(error))
    return Trace(hex_bytes(data), _name(number), number, data, tuple(steps))


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


def _distributed(row: TableRow, number: int, data: bytes) -> Iterator[Step]:
    """Yield step 3 for each byte, from the last; a bit of the number that is still to come shows x."""
    for byte in reversed(range(len(data))):
        moves = _moves(row, number, byte)
        known = moves[-1].number_bit + 1
        bits = _binary(number, BITS)[-known:].rjust(BITS, "x")
        yield Step(3, DECODING[2], f"byte {byte + 1} gives {_carried(moves)}", _binaries(data), bits, moves)


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


# ---- Words and digits ----------------------------------------------------------------------------------------------


def _row_found(number: int, row: TableRow) -> str:
    ordinal = ORDINALS[TABLE.index(row)]
    return f"{_name(number)} lies in {_span(row)}, the {ordinal} row of the table: {_count(row.pictures)} ({row.rule})"


def _moves(row: TableRow, number: int, byte: int) -> tuple[Move, ...]:
    return tuple(
        Move(position, place.byte, place.bit, number // 2**position % 2)
        for position, place in enumerate(row.places)
        if place.byte == byte
    )


def _carried(moves: tuple[Move, ...]) -> str:
    return "".join(str(move.value) for move in reversed(moves))


def _name(number: int) -> str:
    return code_point(number) if 0 <= number <= 0x10FFFF else f"{number:X}"


def _span(row: TableRow) -> str:
    digits = 2 if row.last <= 0xFF else 4  # 00..7F but 0080..07FF
    return f"{row.first:0{digits}X}..{row.last:0{digits}X}"


def _count(sequence: Sized) -> str:
    return "1 byte" if len(sequence) == 1 else f"{len(sequence)} bytes"


def _binary(number: int, digits: int) -> str:
    return f"{number:0{digits}b}"


def _binaries(data: bytes) -> tuple[str, ...]:
    return tuple(f"{byte:08b}" for byte in data)


def _lines(trace: Trace) -> Iterator[str]:
    yield trace.source
    encoding = trace.steps[0].title == ENCODING[0]
    shown = 0
    for step in trace.steps:
        if step.number != shown:  # step 3 has one heading for all its bytes
            shown = step.number
            given = step.bits if encoding else " ".join(step.bytes)
            yield f"{step.number}. {step.title}" + (f", lowest first: {given}" if step.number == 3 else "")
        if step.number == 3:
            yield f"   {' '.join(step.bytes) if encoding else step.bits}   {step.finding}"
        elif step.number == 2 and not encoding and step.bits and step.bytes != _binaries(trace.data):
            yield f"   {' '.join(step.bytes)}   {step.finding}"
        else:
            yield f"   {step.finding}"
    yield f"refused: {trace.refusal}" if trace.refusal else f"= {trace.result}"
