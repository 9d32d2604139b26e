"""Define the errors for numbers without UTF-8 and for UTF-16 that is not text, with position and reason."""

from __future__ import annotations

from typing import TYPE_CHECKING

from utf8_abnf.language.notation import code_point

if TYPE_CHECKING:
    from collections.abc import Sequence

    from typing_extensions import Buffer  # for the type checker alone; collections.abc has it from Python 3.12 on


def contiguous(data: Buffer) -> bytes:
    """Return *data* as bytes. ``TypeError`` for anything that is not bytes-like, ``BufferError`` for one with gaps."""
    if type(data) is bytes:  # a subclass may export other bytes (PEP 688)
        return data
    view = memoryview(data)
    if not view.c_contiguous:
        raise BufferError("the view is not contiguous: pass bytes(view)")
    return view.tobytes()


def is_scalar_value(number: int) -> bool:
    """Return whether UTF-8 encodes *number*: whether it is in 0..10FFFF and not a surrogate, D800..DFFF."""
    return 0 <= number <= 0x10FFFF and not 0xD800 <= number <= 0xDFFF


class EncodeError(UnicodeEncodeError):
    """A character number that UTF-8 does not encode: a surrogate, or one outside 0..10FFFF (RFC 3629 section 3).

    *position* counts characters from 0; *number* is the one that cannot be encoded. ``object[start:end]`` is its place
    in the text. Where numbers were given, ``object`` is the text up to it, with U+FFFD where a ``str`` cannot hold it.
    """

    def __init__(self, text: str, position: int, number: int) -> None:
        self.position = position
        self.number = number
        super().__init__("utf-8", text, position, position + 1, why_not(number))

    @classmethod
    def after(cls, numbers: Sequence[int], number: int) -> EncodeError:
        """Return the error for *number*, which comes after *numbers*; all of these can be encoded."""
        shown = chr(number) if 0 <= number <= 0x10FFFF else "\N{REPLACEMENT CHARACTER}"
        return cls("".join(map(chr, numbers)) + shown, len(numbers), number)

    def __str__(self) -> str:
        return f"position {self.position}: {self.reason}"

    def __reduce__(self) -> tuple[object, ...]:
        return EncodeError, (self.object, self.position, self.number), self.__dict__


def why_not(number: int) -> str:
    """Return why UTF-8 does not encode *number*."""
    if number < 0:
        return f"{number} is not a character number: they begin at U+0000"
    if number > 0x10FFFF:
        return f"{number:X} is not a character number: they end at U+10FFFF"
    return f"{code_point(number)} is a surrogate, reserved for UTF-16, and not a character"


class Utf16Error(UnicodeDecodeError):
    """UTF-16 that is not text: a surrogate without its partner, or half a 16-bit unit at the end.

    *offset* counts bytes from the start of the input, with its byte order mark; *unit* is the lone surrogate, or None
    for half a unit.
    """

    def __init__(self, encoding: str, data: bytes, start: int, unit: int | None) -> None:
        self.unit = unit
        self.offset = start
        super().__init__(encoding, data, start, start + (1 if unit is None else 2), _why_no_text(unit))

    def __str__(self) -> str:
        return f"offset {self.offset}: {self.reason}"

    def __reduce__(self) -> tuple[object, ...]:
        return Utf16Error, (self.encoding, self.object, self.start, self.unit), self.__dict__


def _why_no_text(unit: int | None) -> str:
    if unit is None:
        return "the data ends in the middle of a 16-bit unit"
    if unit < 0xDC00:  # RFC 2781 section 2.1: D800..DBFF come first, DC00..DFFF second
        return f"high surrogate {unit:04X} without a low surrogate (DC00..DFFF) after it"
    return f"low surrogate {unit:04X} without a high surrogate (D800..DBFF) before it"
