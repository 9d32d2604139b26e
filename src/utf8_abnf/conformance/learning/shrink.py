"""Makes words shorter: a word with some property goes in, and a short one with it comes out (Zeller 1999).

A word is taken as runs of equal pieces, each cut at powers of two: whatever its length, some forty parts are left out
or kept, and show which length is needed, or which offset. At last letters take the place of characters.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Shows = Callable[[Sequence[bytes]], Sequence[bool]]  # for each word whether it shows the same
    Keep = Callable[[bytes], int]  # how many letters there are in place of a part

MAX_PARTS = 64  # that are tried in turn, of one size: where there are more, only those at both ends
LETTER = b"a"
PIECE = re.compile(rb"[\xc0-\xff][\x80-\xbf]{0,3}|[\x00-\xbf]")
RUN = re.compile(rb"(?P<piece>%s)(?P=piece)*+" % PIECE.pattern)
RUN_OF_BYTES = re.compile(rb"(?P<piece>[\x00-\xff])(?P=piece)*+")


def shrunk(word: bytes, shows: Shows) -> bytes:
    """Return a word that *shows* the same as *word*, as plain and as short as leaving out parts makes it."""
    word = _plain(word, shows, len)  # as long as before: a border shows at its length
    word = _plain(_fewest(word, shows, RUN), shows, lambda part: len(part) // len(PIECE.findall(part, 0, 4)[0]))
    return _fewest(word, shows, RUN_OF_BYTES)


def _fewest(word: bytes, shows: Shows, run: re.Pattern[bytes]) -> bytes:
    """Return *word* without the parts that need not be there."""
    size = len(_parts(word, run))
    while size > 1:
        size = (size + 1) // 2
        while (shorter := _changed(_parts(word, run), shows, size, lambda _: 0)) != word:
            word = shorter
    return word if not word or not shows([b""])[0] else b""


def _plain(word: bytes, shows: Shows, keep: Keep) -> bytes:
    """Return *word* with letters in place of the parts that need not be there."""
    size = len(_parts(word, RUN))
    while size:
        word = _changed(_parts(word, RUN), shows, size, keep)
        size //= 2
    return word


def _changed(parts: list[bytes], shows: Shows, size: int, keep: Keep) -> bytes:
    """Return the word of *parts* with letters in place of so many in a row, wherever it shows the same then."""
    starts, some = range(0, len(parts), size), MAX_PARTS // 2
    for at in starts if len(starts) <= MAX_PARTS else [*starts[:some], *starts[-some:]]:
        letters = [LETTER * keep(part) for part in parts[at : at + size]]
        tried = [*parts[:at], *letters, *parts[at + size :]]
        if tried != parts and shows([b"".join(tried)])[0]:
            parts = tried
    return b"".join(parts)


def _parts(word: bytes, run: re.Pattern[bytes]) -> list[bytes]:
    """Return *word* as runs of equal pieces, each cut at powers of two: twelve as 4, 4, 2, 1 and 1."""
    parts = []
    for found in run.finditer(word):
        piece, count = found["piece"], len(found[0]) // len(found["piece"])
        below = (1 << count.bit_length() - 1) - 1  # a part for each power of it, so that each length can be left
        for power in reversed(range(count.bit_length())):
            parts += [piece * (1 << power)] * ((below >> power & 1) + (count - below >> power & 1))
    return parts
