"""UTF-16 and UTF-32 among UTF-8: the lines of a part that begins with a byte order mark, or of a whole input.

Rule 1: this is the one treatment that reads ASCII bytes as something else, the NULs and letters of UTF-16. So it wants
evidence: a line that ends with a line end of this encoding or has a third of NULs, and that is not text in UTF-8.
"""

from __future__ import annotations

import codecs

from utf8_abnf.explain.locating import has_controls
from utf8_abnf.explain.nature import count_kana, is_text
from utf8_abnf.validator.functions import is_valid
from utf8_abnf.validator.ill_formed import unfinished

MARKS = {codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}
MAX_LINE = 1 << 16  # bytes: a longer line is not taken for one
_TELLING = 16  # bytes of ASCII that are hardly East Asian text in UTF-16 where not a quarter of it would be kana
MORE = -1  # more bytes are needed


def line_length(data: bytes, at: int, encoding: str, *, final: bool) -> int:
    r"""Return how many bytes from *at* on are a line in *encoding*, 0 for none, ``MORE`` where more have to be seen.

    *final*: nothing follows *data*.

    >>> line_length("né\n".encode("utf-16-le") + b"abc\n", 0, "utf-16-le", final=True)
    6
    """
    length = part_length(data, at, encoding, final=final)
    if length <= 0:
        return length
    line = data[at : at + length]
    ended = line.endswith("\n".encode(encoding))
    if _is_utf8_line(line) or (not ended and line.count(0) * 3 < length):
        return 0
    try:
        text = line.decode(encoding)
    except UnicodeDecodeError:
        return 0
    return length if is_text(text) else 0


def part_length(data: bytes, at: int, encoding: str, *, final: bool) -> int:
    """Return the length of the line at *at*, with its end, or of ``MAX_LINE`` bytes of it; 0 or ``MORE`` as above."""
    line_end = "\n".encode(encoding)
    unit = len(line_end)
    found = data.find(line_end, at, at + MAX_LINE)
    while found >= 0 and (found - at) % unit:
        found = data.find(line_end, found + 1, at + MAX_LINE)
    if found >= 0:
        return found + unit - at
    left = len(data) - at
    if left > MAX_LINE:
        last = data[at + MAX_LINE - unit : at + MAX_LINE]
        return MAX_LINE - (unit if unit == 2 and _is_surrogate(last, encoding) else 0)  # a pair stays together
    return left if final else MORE


def until_utf8(part: bytes, encoding: str) -> int:
    r"""Return how many bytes of *part*, a line in *encoding*, come before text in UTF-8 that ends it.

    0 where it begins with lines in UTF-8, which are long enough to tell.

    >>> until_utf8("né".encode("utf-16-le") + "né\n".encode(), "utf-16-le")
    4
    """
    unit = len("\n".encode(encoding))
    lines = part.partition(b"\0")[0]
    lines = lines[: lines.rfind(b"\n") + 1]
    if _is_long(lines, encoding, unit) and is_valid(lines) and not has_controls(lines):
        return 0
    start = -(-(part.rfind(0) + 1) // unit) * unit  # text in UTF-8 has no NUL
    rest = part[start:]
    text = rest[: len(rest) - unfinished(rest)] if len(part) >= MAX_LINE - unit else rest
    is_telling = _is_long(rest, encoding, unit) or len(rest) % unit or (rest.endswith(b"\n") and not rest.isascii())
    return start if is_telling and is_valid(text) and not has_controls(text) else len(part)


def _is_long(text: bytes, encoding: str, unit: int) -> bool:
    """Return whether *text* has bytes enough to tell UTF-8 from *encoding*, and is not Japanese or Gurmukhi in that."""
    return (
        len(text) >= _TELLING
        and text.count(b"\n") * 4 < len(text)
        and count_kana(text.decode(encoding, "replace")) * unit * 4 < len(text)
    )


def _is_surrogate(unit: bytes, encoding: str) -> bool:
    return "\ud800" <= unit.decode(encoding, "surrogatepass") <= "\udfff"


def _is_utf8_line(line: bytes) -> bool:
    """Return whether the bytes up to a line end, or all of them, are text in UTF-8."""
    line = line[: line.find(b"\n") + 1] or line
    return is_valid(line) and not has_controls(line)
