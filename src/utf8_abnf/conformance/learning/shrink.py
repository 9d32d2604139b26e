"""Makes words shorter: a word with some property goes in, and a short one with it comes out (Zeller 1999).

Large parts are left out first: of a decoder that fails from 65,536 bytes on, a word of twice that is cut in half and
then by ever smaller parts, so that some twenty rounds find the length. At last letters take the place of characters.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Shows = Callable[[Sequence[bytes]], Sequence[bool]]  # for each word whether it shows the same

PARTS, FEW_PARTS = 64, 8  # that are tried in turn, of one size: where there are more, only those at both ends
LETTER = b"a"
PIECE = re.compile(rb"[\xc0-\xff][\x80-\xbf]{0,3}|[\x00-\xbf]")


def shrunk(word: bytes, shows: Shows, *, few: bool = False) -> bytes:
    """Return a word that *shows* the same as *word*, as plain and as short as leaving out parts makes it.

    *few*: each question is expensive.
    """
    return _Shrinking(shows, FEW_PARTS if few else PARTS).shrunk(word)


class _Shrinking:
    def __init__(self, shows: Shows, parts: int) -> None:
        self._shows = shows
        self._parts = parts

    def shrunk(self, word: bytes) -> bytes:
        pieces = self._plain(PIECE.findall(word), keep=len)  # as long as before: a border shows at its length
        pieces = PIECE.findall(b"".join(self._fewest(pieces)))
        pieces = self._plain(pieces, keep=lambda _: 1)
        return b"".join(self._fewest([bytes([byte]) for byte in b"".join(pieces)]))

    def _fewest(self, pieces: list[bytes]) -> list[bytes]:
        size = len(pieces)
        while size > 1:
            size = (size + 1) // 2
            while (shorter := self._without_a_part(pieces, size)) is not None:
                pieces = shorter
        return pieces if not pieces or not self._shows([b""])[0] else []

    def _without_a_part(self, pieces: list[bytes], size: int) -> list[bytes] | None:
        tried = [[*pieces[:at], *pieces[at + size :]] for at in self._starts(len(pieces), size)]
        answers = zip(tried, self._shows([b"".join(each) for each in tried]), strict=True)
        return next((each for each, answer in answers if answer and len(each) < len(pieces)), None)

    def _plain(self, pieces: list[bytes], *, keep: Callable[[bytes], int]) -> list[bytes]:
        """Return *pieces* with letters, *keep* of them, in place of each that need not be there."""
        size = len(pieces)
        while size:
            for at in self._starts(len(pieces), size):
                part = pieces[at : at + size]
                letters = [LETTER * keep(each) for each in part]
                tried = [*pieces[:at], *letters, *pieces[at + size :]]
                if part != letters and self._shows([b"".join(tried)])[0]:
                    pieces = tried
            size //= 2
        return pieces

    def _starts(self, number: int, size: int) -> list[int]:
        """Return where parts of *size* begin among so many pieces."""
        starts = list(range(0, number, size))
        some = self._parts // 2
        return starts if len(starts) <= self._parts else [*starts[:some], *starts[-some:]]
