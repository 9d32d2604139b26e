"""Split bytes into characters and errors (``Piece``), with the state of UTF-8's automaton before each byte.

Each byte is one step, with the automaton's state before it and the bytes that may follow in that state. An ill-formed
sequence also has the number that a decoder without RFC 3629's limits reads. The automaton is compiled from
``grammar/utf8.abnf``.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from utf8_abnf.automaton import compile_grammar
from utf8_abnf.automaton.show import show_ranges
from utf8_abnf.grammar import Grammar
from utf8_abnf.grammar.values import ranges_of
from utf8_abnf.validator.ill_formed import describe

if TYPE_CHECKING:
    from collections.abc import Iterator

    from utf8_abnf.automaton import Automaton
    from utf8_abnf.validator.ill_formed import IllFormed

HIGH_SURROGATES = range(0xD800, 0xDC00)
LOW_SURROGATES = range(0xDC00, 0xE000)
LAST = 0x10FFFF


class ByteStep(NamedTuple):
    """The byte at *offset*: the *state* before it, the bytes *expected* there, and whether it is one of them."""

    offset: int
    byte: int
    state: str
    expected: str
    fits: bool


class Reading(NamedTuple):
    """The *number* that a naive decoder reads from the bytes *data*; it may be no character's."""

    data: bytes
    number: int

    @property
    def is_surrogate(self) -> bool:
        """Whether the number is a surrogate, D800..DFFF."""
        return self.number in HIGH_SURROGATES or self.number in LOW_SURROGATES


@dataclass(frozen=True, slots=True)
class Piece:
    """A character or an ill-formed sequence.

    *steps* are its bytes; the last step of an ill-formed piece may be the first byte of the next piece, the one that
    cannot be right. *error* is None for a character. *follows*: the piece directly before this one is ill-formed and
    so is this one. *naive* and *joined* are readings that begin here: the bits moved without limits, and two surrogates
    that were read in this way and joined.
    """

    start: int
    end: int
    steps: tuple[ByteStep, ...]
    error: IllFormed | None
    follows: bool
    naive: Reading | None = None
    joined: Reading | None = None


def explain_bytes(data: bytes, *, origin: int = 0) -> Iterator[Piece]:
    """Yield the pieces of *data*, in order; together they cover all bytes.

    Offsets count bytes from the start of the input, of which *origin* bytes come before *data*.
    """
    at = 0
    after_error = False
    while at < len(data):
        rest = data[at : at + 12]  # RFC 2279's longest sequence has six bytes, and two may be joined
        error = describe(rest[:4], origin + at)
        steps = tuple(_steps(rest, origin + at))
        if error is None:
            piece = Piece(origin + at, steps[-1].offset + 1, steps, None, follows=False)
        else:
            naive = naive_reading(rest)
            piece = Piece(origin + at, error.end, steps, error, after_error, naive, _joined(rest, naive))
        yield piece
        at = piece.end - origin
        after_error = error is not None


def _steps(rest: bytes, start: int) -> Iterator[ByteStep]:
    """Yield the steps of *rest*, to the end of its first character or to the first byte that cannot be right."""
    automaton = utf8_automaton()
    state = automaton.start
    for offset, byte in enumerate(rest, start):
        after = automaton.step(state, byte)
        fits = after != automaton.sink
        yield ByteStep(offset, byte, automaton.names[state], _expected(state), fits)
        if not fits or after in automaton.accepting:
            return
        state = after


@cache
def utf8_automaton() -> Automaton:
    """Return the automaton of ``grammar/utf8.abnf``, compiled once."""
    return compile_grammar(Grammar.load("utf8"))


@cache
def _expected(state: int) -> str:
    automaton = utf8_automaton()
    return show_ranges(ranges_of(byte for byte in range(256) if automaton.step(state, byte) != automaton.sink))


def naive_reading(rest: bytes) -> Reading | None:
    """Return the reading of the bytes at the start of *rest*, without RFC 3629's limits.

    The leading one bits of the first byte give the length, up to the six bytes of RFC 2279. None where they give no
    length or a tail is missing.
    """
    first = rest[0]
    length = 8 - (first ^ 0xFF).bit_length()  # leading one bits
    tails = rest[1:length]
    if not 2 <= length <= 6 or len(tails) < length - 1 or any(byte & 0xC0 != 0x80 for byte in tails):
        return None
    number = first & (0x7F >> length)
    for byte in tails:
        number = number << 6 | byte & 0x3F
    return Reading(rest[:length], number)


def _joined(rest: bytes, high: Reading | None) -> Reading | None:
    """Return the reading of *high* and the surrogate after it as one character, as in CESU-8; None for no pair."""
    if high is None or high.number not in HIGH_SURROGATES or len(high.data) >= len(rest):
        return None
    low = naive_reading(rest[len(high.data) :])
    if low is None or low.number not in LOW_SURROGATES:
        return None
    number = 0x10000 + (high.number - HIGH_SURROGATES.start << 10) + low.number - LOW_SURROGATES.start
    return Reading(high.data + low.data, number)
