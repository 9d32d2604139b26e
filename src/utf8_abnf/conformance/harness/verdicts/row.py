"""Row: the condition that an input has so many of some characters in a row."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from utf8_abnf.conformance.harness.verdicts.places import Place


@dataclass(frozen=True, slots=True)
class Row:
    """A condition on the input: so many *times* in a row it has one of *characters* or, if *mixed*, any of them.

    *shown* names the characters.
    """

    characters: frozenset[bytes]
    times: int
    mixed: bool
    shown: str

    def holds(self, place: Place, word: bytes) -> bool:
        """Tell whether the input of *word* at *place* fulfils the condition."""
        one = b"|".join(map(re.escape, sorted(self.characters)))
        rows = _expression(b"((?:%s))(?:%s)*+" % (one, one) if self.mixed else b"(%s)\\1*+" % one)
        # No character is a part of another one, so each is counted once.
        return any(
            sum(map(row[0].count, self.characters if self.mixed else row.groups())) >= self.times
            for row in rows.finditer(place.around(word))
        )

    @property
    def row(self) -> str:
        """The row in words."""
        return f"{self.times:,} or more in a row of {self.shown}"

    @property
    def phrase(self) -> str:
        """The condition in words, to be read after "only"."""
        return f"in input with {self.row}"


@cache
def _expression(pattern: bytes) -> re.Pattern[bytes]:
    return re.compile(pattern, re.DOTALL)
