"""Describe an ill-formed sequence: a window of at most four bytes in, an ``IllFormed`` with code and rule out.

Rule 1: nothing here imports the grammar pipeline. The numbers below are written by hand, each under the line of
RFC 3629 section 4 that it obeys, and a test derives every one of them again from ``grammar/utf8.abnf``.
Rule 2: a validator only finds where the first ill-formed sequence starts. Only this module says what is wrong with it.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing_extensions import Buffer

OVERLONG = "UTF8-OVERLONG"
SURROGATE = "UTF8-SURROGATE"
TOO_LARGE = "UTF8-TOO-LARGE"
LONE_TAIL = "UTF8-LONE-TAIL"
MISSING_TAIL = "UTF8-MISSING-TAIL"
TRUNCATED = "UTF8-TRUNCATED"

CODES = (OVERLONG, SURROGATE, TOO_LARGE, LONE_TAIL, MISSING_TAIL, TRUNCATED)


# Not a dataclass: importing dataclasses loads inspect, a third of the time that `import utf8_abnf` took.
class IllFormed(NamedTuple):
    """An ill-formed sequence: where it is and which rule of RFC 3629 section 4 it breaks.

    *start* and *length* count bytes, *start* from the beginning of the input (or stream): they are what CPython's
    ``UnicodeDecodeError`` and Unicode 3.9's "maximal subpart" say. *code* is one of ``CODES``. *rule* is the RFC's rule
    in which the input went wrong, *expected* the bytes that could have come there, *got* the byte that came (empty
    at the end of input). *truncated* tells that only the end of input cut the sequence: more bytes might complete it.
    """

    start: int
    length: int
    code: str
    rule: str
    expected: str
    got: str
    truncated: bool

    @property
    def end(self) -> int:
        """The first offset after the sequence, as ``UnicodeDecodeError.end``."""
        return self.start + self.length

    @property
    def offending(self) -> int:
        """The offset of the first byte that cannot be right; where the input ended, if *truncated*."""
        return self.start if self.rule == "UTF8-char" else self.end

    def __str__(self) -> str:
        if self.truncated:
            return f"{self.code}: input ends at offset {self.end}, within {self.rule}; expected {self.expected}"
        return f"{self.code}: byte {self.got} at offset {self.offending}; expected {self.expected} ({self.rule})"

    def _repr_html_(self) -> str:
        from html import escape

        facts = {
            "what": self.code,
            "where": f"offset {self.offending}, in the sequence at {self.start}..{self.end}",
            "got": self.got or "the end of the input",
            "expected": self.expected,
            "rule": f"{self.rule} (RFC 3629 section 4)",
        }
        rows = (f'<tr><th scope="row">{name}</th><td>{escape(value)}</td></tr>' for name, value in facts.items())
        return f"<table>\n<tbody>\n{chr(10).join(rows)}\n</tbody>\n</table>"


class InvalidUtf8(UnicodeDecodeError):  # noqa: N818  # a promised name
    """Raised by ``validate``: a ``UnicodeDecodeError`` whose ``error`` is the ``IllFormed`` that explains it.

    Data that are not ``bytes`` are kept as they are; ``object`` copies them into bytes when it is asked for.
    """

    def __init__(self, data: Buffer, error: IllFormed) -> None:
        super().__init__("utf-8", data if type(data) is bytes else b"", error.start, error.end, str(error))
        self.error = error
        self._data = data

    @property
    def object(self) -> bytes:  # type: ignore[override]
        """The data as bytes."""
        if type(self._data) is bytes:
            return self._data
        with memoryview(self._data) as view:  # what was judged: bytes() would copy a subclass without asking it
            return view.tobytes()

    def __str__(self) -> str:
        """Return CPython's sentence, which it would make of a copy of the data."""
        start, last = self.error.start, self.error.end - 1
        if start < last:
            return f"'utf-8' codec can't decode bytes in position {start}-{last}: {self.reason}"
        try:
            lead = memoryview(self._data).cast("B")[start]
        except (IndexError, TypeError, ValueError):  # an unusual format, or another thread has changed it
            return f"'utf-8' codec can't decode a byte in position {start}: {self.reason}"
        return f"'utf-8' codec can't decode byte 0x{lead:02x} in position {start}: {self.reason}"

    def __reduce__(self) -> tuple[type[InvalidUtf8], tuple[bytes, IllFormed], dict[str, Any]]:
        """Make the exception picklable: its arguments are not the five of a UnicodeDecodeError."""
        state = {name: value for name, value in vars(self).items() if name not in ("error", "_data")}
        return InvalidUtf8, (self.object, self.error), state


class _Lead(NamedTuple):
    rule: str
    length: int  # bytes in the whole sequence
    second: tuple[int, int]  # the second byte's range
    below: str  # the code when the second byte is a tail byte below that range
    above: str  # ... or above it


TAIL = (0x80, 0xBF)  # UTF8-tail = %x80-BF


def _lead(byte: int) -> _Lead | None:
    """Return what has to follow *byte*, the first of two or more; None where no sequence starts with it."""
    # ruler:            rule    length  2nd byte      below      above            RFC 3629 section 4
    if 0xC2 <= byte <= 0xDF:
        return _Lead("UTF8-2", 2, TAIL, "", "")  #                           %xC2-DF UTF8-tail
    if byte == 0xE0:
        return _Lead("UTF8-3", 3, (0xA0, 0xBF), OVERLONG, "")  #             %xE0 %xA0-BF UTF8-tail
    if byte == 0xED:
        return _Lead("UTF8-3", 3, (0x80, 0x9F), "", SURROGATE)  #            %xED %x80-9F UTF8-tail
    if 0xE1 <= byte <= 0xEF:
        return _Lead("UTF8-3", 3, TAIL, "", "")  #                           %xE1-EC, %xEE-EF 2( UTF8-tail )
    if byte == 0xF0:
        return _Lead("UTF8-4", 4, (0x90, 0xBF), OVERLONG, "")  #             %xF0 %x90-BF 2( UTF8-tail )
    if 0xF1 <= byte <= 0xF3:
        return _Lead("UTF8-4", 4, TAIL, "", "")  #                           %xF1-F3 3( UTF8-tail )
    if byte == 0xF4:
        return _Lead("UTF8-4", 4, (0x80, 0x8F), "", TOO_LARGE)  #            %xF4 %x80-8F 2( UTF8-tail )
    return None


FIRST = "00..7F, C2..F4"  # UTF8-char = UTF8-1 / UTF8-2 / UTF8-3 / UTF8-4: their first bytes


def describe(window: bytes, start: int = 0) -> IllFormed | None:
    r"""Return what is wrong with the sequence that begins *window*, or None when a well-formed character begins it.

    *window* holds the next four bytes of the input, fewer only where the input ends. *start* is its offset.

    >>> describe(bytes.fromhex("ED A0 80"), start=10)
    IllFormed(start=10, length=1, code='UTF8-SURROGATE', rule='UTF8-3', expected='80..9F', got='A0', truncated=False)
    >>> describe(b"\xe4\xbd").code
    'UTF8-TRUNCATED'
    >>> describe(b"a") is None
    True
    """
    facts = _facts(bytes(window[:2]))  # mostly enough, and so few windows that they are looked up
    if facts is not None and facts[-1] and len(window) > 2:
        facts = _facts(bytes(window[:4]))
    return facts and IllFormed._make((start, *facts))


_ANNOUNCED = (0xC0, 0xE0, 0xF0, 0xF8)  # section 3: from 110xxxxx on two bytes, 1110xxxx three, 11110xxx four


def unfinished(data: bytes | bytearray | memoryview, /) -> int:
    r"""Return how many bytes at the end of *data*, 0 to 3, belong with what comes next.

    They are a first byte and fewer tails than it announces: of a character, or of an ill-formed sequence that a decoder
    may take for one. What comes before them does not depend on what follows.

    >>> unfinished(b"a\xe2\x82"), unfinished(b"\xe2\x82\xac"), unfinished(b"\xed\xa0")
    (2, 0, 2)
    """
    for length in range(1, min(3, len(data)) + 1):
        byte = data[-length]
        if not TAIL[0] <= byte <= TAIL[1]:
            return length if _ANNOUNCED[length - 1] <= byte < _ANNOUNCED[-1] else 0
    return 0


@lru_cache(4096)
def _facts(window: bytes) -> tuple[int, str, str, str, str, bool] | None:
    """Return all that ``IllFormed`` says except the start."""
    if not window:
        return None
    first = window[0]
    if first <= 0x7F:  # UTF8-1 = %x00-7F
        return None
    lead = _lead(first)
    if lead is None:
        code = LONE_TAIL if first <= 0xBF else OVERLONG if first <= 0xC1 else TOO_LARGE
        return 1, code, "UTF8-char", FIRST, f"{first:02X}", False
    for position in range(1, lead.length):
        low, high = lead.second if position == 1 else TAIL
        expected = f"{low:02X}..{high:02X}"
        if position == len(window):
            return position, TRUNCATED, lead.rule, expected, "", True
        byte = window[position]
        if not low <= byte <= high:
            code = MISSING_TAIL
            if TAIL[0] <= byte <= TAIL[1]:  # a tail byte, but not one that this lead allows
                code = lead.below if byte < low else lead.above
            return position, code, lead.rule, expected, f"{byte:02X}", False
    return None
