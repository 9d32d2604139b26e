"""The standard that a decoder is held against: what a grammar accepts, and how data is cut into pieces to blame."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from utf8_abnf.validator.ill_formed import describe

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from utf8_abnf.grammar import Grammar

# Bytes that older definitions of UTF-8, and Perl's, promise by their first byte (RFC 2279 section 2; perlunicode).
PROMISED = ((0xC0, 1), (0xE0, 2), (0xF0, 3), (0xF8, 4), (0xFC, 5), (0xFE, 6), (0xFF, 7), (0x100, 13))


class Standard(NamedTuple):
    """What is right. *accepts* is the grammar's verdict.

    *pieces* cuts data into the pieces that may be to blame, each with whether it is right: for UTF-8 characters and
    ill-formed sequences, for another grammar the whole input.
    """

    accepts: Callable[[bytes], bool]
    pieces: Callable[[bytes], Iterable[tuple[bytes, bool]]]
    is_utf8: bool


def standard_of(grammar: Grammar | None, start: str | None) -> Standard:
    """Return the standard for *grammar* from its rule *start* on; None is RFC 3629's UTF-8."""
    if grammar is None:
        return Standard(well_formed, cut_utf8, is_utf8=True)
    from utf8_abnf.automaton import compile_grammar

    accepts = compile_grammar(grammar, start).accepts
    return Standard(accepts, lambda data: [(data, accepts(data))], is_utf8=False)


def well_formed(data: bytes) -> bool:
    """Tell whether *data* is UTF-8, as CPython's decoder says."""
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def cut_utf8(data: bytes) -> Iterator[tuple[bytes, bool]]:
    """Yield the pieces of *data*, characters and what a lax decoder may take for one, each with whether it is right.

    >>> [(piece.hex(" "), good) for piece, good in cut_utf8(bytes.fromhex("61 ED A0 80 80"))]
    [('61', True), ('ed a0 80', False), ('80', False)]
    """
    at = 0
    while at < len(data):
        window = data[at : at + 4]
        good = describe(window) is None
        end = at + 1
        last = at + promised(window[0])
        while end < last and data[end : end + 1] and 0x80 <= data[end] <= 0xBF:
            end += 1
        yield data[at:end], good
        at = end


def promised(lead: int) -> int:
    """Return how many bytes a sequence has that begins with *lead*, by this or an older definition of UTF-8."""
    return next(length for first, length in PROMISED if lead < first)
