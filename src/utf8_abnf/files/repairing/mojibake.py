"""Double encoding undone: UTF-8 that was read as Latin-1 or Windows-1252 and written again. By ``ftfy``, an extra.

ftfy 6.3.1 (Apache-2.0, a wheel of 45 kB that needs only ``wcwidth``) knows which strings of such letters are hardly
ever meant: a table of our own would be a worse copy. It is imported when the first text is read.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from utf8_abnf.errors import UsageError
from utf8_abnf.language import messages
from utf8_abnf.language.catalogue import say

if TYPE_CHECKING:
    from collections.abc import Callable


def undone(text: bytes) -> tuple[int, int, bytes, str] | None:
    r"""Return which part of *text* is encoded twice, what it means, and the evidence: ftfy's steps; None for no part.

    The part is given by its start and end in bytes. ``UsageError`` where ftfy is not installed.
    """
    if text.isascii():
        return None
    explain, config = _ftfy()
    before = text.decode()
    fixed, steps = explain(before, config)
    if fixed == before:
        return None
    new = fixed.encode(errors="replace")
    same = _common(before, fixed)
    start = len(before[:same].encode())
    end = len(before[len(before) - _common(before[same:][::-1], fixed[same:][::-1]) :].encode())
    evidence = ", ".join(" ".join(step) for step in steps or ())
    return start, len(text) - end, new[start : len(new) - end], f"mojibake: {evidence}"


def _common(one: str, other: str) -> int:
    """Return with how many equal characters *one* and *other* begin."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((place for place, (a, b) in pairs if a != b), min(len(one), len(other)))


@cache
def _ftfy() -> tuple[Callable[..., Any], Any]:
    try:
        from ftfy import TextFixerConfig, fix_encoding_and_explain
    except ImportError:
        raise UsageError(say(messages.NEEDS_EXTRA, name="ftfy", extra="mojibake")) from None
    # Only what is encoded twice: C1 controls and text with U+FFFD have lost something, or mean something else.
    return fix_encoding_and_explain, TextFixerConfig(fix_c1_controls=False, replace_lossy_sequences=False)
