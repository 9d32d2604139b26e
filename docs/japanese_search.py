"""The words of a Japanese page for the site's search: those of Sphinx, and compounds such as 後続バイト as a whole.

Sphinx splits 後続バイト into 後続 and バイト, but does not split what a reader types into the search field. So no
compound of kanji and katakana was found. Here each sequence of neighbouring parts of a compound is a word of its own.
"""

from __future__ import annotations

import re
from itertools import combinations

from sphinx.search.ja import DefaultSplitter

COMPOUND = re.compile(r"(?:[一-龠々〆ヵヶ]+|[ァ-ヴー]+)+")
PART = re.compile(r"[一-龠々〆ヵヶ]+|[ァ-ヴー]+")
MAX_PARTS = 8  # of one compound


class CompoundSplitter(DefaultSplitter):
    """Splits text into words and compounds."""

    def split(self, input: str) -> list[str]:
        """Return the words of Sphinx's splitter, and the compounds with their parts."""
        words: list[str] = super().split(input)
        for compound in COMPOUND.finditer(input):
            parts = PART.findall(compound[0])[:MAX_PARTS]
            words += ["".join(parts[start:end]) for start, end in combinations(range(len(parts) + 1), 2)]
        return words
