"""Skipped: the condition that blocks of bytes are skipped as ASCII though a decoder did not look at all of them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from utf8_abnf.conformance.harness.verdicts.cutting import character_expression
from utf8_abnf.conformance.harness.verdicts.patterns import TAIL, ranges_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from utf8_abnf.conformance.harness.verdicts.places import Place


TAILS = frozenset(bytes([byte]) for byte in TAIL)


@dataclass(frozen=True, slots=True)
class Skipped:
    """A condition on a word: it begins in a block of *period* bytes that is skipped.

    A block is skipped if it has ASCII at the offsets *looked* at, and if *need* bytes of the input are left where it
    begins. It may begin wherever a character does or, if blocks are *aligned*, at multiples of their size only.
    If a character *is_cut*, the condition is that such a block ends within one, anywhere in the input.
    """

    period: int
    looked: frozenset[int]
    need: int
    aligned: bool = False
    is_cut: bool = False

    def holds(self, place: Place, word: bytes) -> bool:
        """Tell whether *word* at *place* fulfils the condition."""
        data, start = place.around(word), len(place.before)
        if self.is_cut:
            return any(data[end : end + 1] in TAILS for _, end in self._skipped(data, 0, len(data)))
        return any(begin <= start < end for begin, end in self._skipped(data, start, start + 1))

    def _skipped(self, data: bytes, first: int, last: int) -> Iterator[tuple[int, int]]:
        """Yield start and end of each stretch of *data* that is skipped and begins before *last*, from *first* on."""
        block, blocks, others = _expressions(self.period, self.looked, self.need)
        if self.aligned:
            begins = range(first - first % self.period, last, self.period)
            found = (block.match(data, begin) for begin in begins if data[begin : begin + 1] not in TAILS)
            yield from (each.span() for each in found if each)
            return
        at = 0
        while at < last:
            if skipped := blocks.match(data, at):
                yield skipped.span()
            stays = skipped or others.match(data, at)
            at = stays.end() if stays else at + 1

    @property
    def phrase(self) -> str:
        """The condition in words, to be read after "only"."""
        ranges = ranges_of(self.looked)
        offsets = ", ".join(str(low) if low == high else f"{low} to {high}" for low, high in ranges)
        block = f"a block of {self.period} bytes with ASCII at its offset{'s' * (len(self.looked) > 1)} {offsets}"
        begins = f"at multiples of {self.period}" if self.aligned else "where ASCII begins or another block ends"
        where = f"where {block} ends within a character" if self.is_cut else f"in {block}"
        more = f", and {self.need:,} bytes are left" * (self.need > self.period)
        return f"{where} (a block begins {begins}{more})"


@cache
def _expressions(period: int, looked: frozenset[int], need: int) -> tuple[re.Pattern[bytes], ...]:
    """Return the expressions for a block that is skipped, for several, and for characters before one."""
    block = b"(?=.{%d})" % need + b"".join(b"[\\0-\\x7f]" if at in looked else b"." for at in range(period))
    others = b"(?:(?!%s)%s){1,4096}+" % (block, character_expression())
    return tuple(re.compile(each, re.DOTALL) for each in (block, b"(?:%s){1,4096}+" % block, others))
