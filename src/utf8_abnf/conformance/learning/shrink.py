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
# Group 1 is a piece: group 2, a lead byte with its tails, or any other byte. More of them follow, whole ones.
RUN = re.compile(
    rb"(([\xc0-\xdf][\x80-\xbf]?|[\xe0-\xef][\x80-\xbf]{0,2}|[\xf0-\xff][\x80-\xbf]{0,3})|[\x00-\xbf])"
    rb"(?:\1(?(2)(?![\x80-\xbf])))*+"
)
RUN_OF_BYTES = re.compile(rb"([\x00-\xff])\1*+")


def shrunk(word: bytes, shows: Shows) -> bytes:
    """Return a word that *shows* the same as *word*, as plain and as short as leaving out parts makes it."""
    word = _plain(word, shows, RUN, len)  # as long as before: a border shows at its length
    word = _plain(word, shows, RUN, lambda _: 0)
    word = _plain(word, shows, RUN, lambda part: len(part) // len(next(RUN.finditer(part))[1]))
    return _plain(word, shows, RUN_OF_BYTES, lambda _: 0)


def _plain(word: bytes, shows: Shows, run: re.Pattern[bytes], keep: Keep) -> bytes:
    """Return *word* with letters, *keep* of them or none, in place of each part of a *run* that need not be there."""
    size, before = max(1, 2 * len(_parts(word, run))), None  # all parts are tried at once, then halves of them
    while size > 1 or word != before:
        size = (size + 1) // 2
        before, word = word, _changed(_parts(word, run), shows, size, keep)
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
        piece, count = found[1], len(found[0]) // len(found[1])
        below = (1 << count.bit_length() - 1) - 1  # a part for each power of it, so that each length can be left
        for power in reversed(range(count.bit_length())):
            parts += [piece * (1 << power)] * ((below >> power & 1) + (count - below >> power & 1))
    return parts
