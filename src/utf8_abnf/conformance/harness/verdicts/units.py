"""Units: what a condition counts, such as bytes, characters, or some characters only."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from utf8_abnf.conformance.harness.standard import promised
from utf8_abnf.conformance.harness.verdicts.patterns import TAIL

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

BYTES, CHARACTERS, UTF16, NON_ASCII = "bytes", "characters", "code units of UTF-16", "non-ASCII characters"
NON_ASCII_BYTES, ASCII_CHARACTERS = "non-ASCII bytes", "ASCII characters"
IN_A_ROW = "bytes in a row without"  # and some ASCII characters, as in "characters %x0A"
OF_LENGTH = {length: f"characters of {length} bytes" for length in (2, 3, 4)}


def _counting(chosen: Iterable[int]) -> Callable[[bytes], int]:
    """Return a function that returns how many bytes of a text are *chosen* ones."""
    others = bytes(frozenset(range(0x100)) - frozenset(chosen))
    return lambda text: len(text.translate(None, others))


class _Lengths(dict[str, "Callable[[bytes], int]"]):
    r"""What counts the units; that of a named unit is made when it is asked for.

    >>> LENGTH[f"{IN_A_ROW} %x0A / %x0D"](b"a\nbc\r"), LENGTH[f"{CHARACTERS} %x61-63"](b"abcd")
    (2, 3)
    """

    def __missing__(self, unit: str) -> Callable[[bytes], int]:
        return _named(unit)


@cache
def _named(unit: str) -> Callable[[bytes], int]:
    """Return what counts some ASCII characters, or the bytes of the longest row without these."""
    pairs = [(int(low, 16), int(high or low, 16)) for low, high in re.findall(r"%x(..)(?:-(..))?", unit)]
    if not unit.startswith(IN_A_ROW):
        return _counting(byte for low, high in pairs for byte in range(low, high + 1))
    between = re.compile(b"[%s]" % b"".join(b"\\x%02x-\\x%02x" % pair for pair in pairs))
    return lambda text: max(map(len, between.split(text)))


HIGH = range(0x80, 0x100)
LENGTH: _Lengths = _Lengths(
    {  # the simple first; a character is counted by its first byte
        BYTES: len,
        CHARACTERS: _counting(frozenset(range(0x100)) - TAIL),
        UTF16: lambda text: LENGTH[CHARACTERS](text) + LENGTH[OF_LENGTH[4]](text),
        NON_ASCII: _counting(frozenset(HIGH) - TAIL),
        NON_ASCII_BYTES: _counting(HIGH),
        ASCII_CHARACTERS: _counting(range(0x80)),
        **{unit: _counting(each for each in HIGH if promised(each) == length) for length, unit in OF_LENGTH.items()},
    }
)
NAMED_UNITS = frozenset(LENGTH) - {BYTES, CHARACTERS, UTF16}  # those of some characters only


def preposition(unit: str) -> str:
    """Return what stands before a number of *unit*: input with 3 characters %x0A, of 3 bytes."""
    return "with" if "%x" in unit else "of"


def or_more(bound: int, unit: str) -> str:
    """Return in words that a number of *unit* is *bound* or more."""
    return f"{bound:,} or more {unit}" if "%x" in unit else f"{bound:,} {unit} or more"
