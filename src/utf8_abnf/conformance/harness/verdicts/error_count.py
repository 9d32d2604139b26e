"""Error counts: the condition that an input has a certain number of errors."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from utf8_abnf.conformance.harness.replacing import Policy, count_units
from utf8_abnf.conformance.harness.verdicts.cutting import ill_formed_pieces
from utf8_abnf.conformance.suite.plan import plan

if TYPE_CHECKING:
    from utf8_abnf.conformance.harness.verdicts.places import Place

ERROR_UNITS = {  # what is counted as one error, by the name that it has in ``replacing``: in words
    "maximal subpart (Unicode 3.9, WHATWG)": "ill-formed sequences",
    "byte": "ill-formed bytes",
    "sequence that its first byte promises": "ill-formed sequences, each as long as its first byte promises,",
    "byte and all tail bytes behind it": "ill-formed sequences, each with all tail bytes behind it,",
    "whole run of ill-formed bytes": "stretches of ill-formed bytes",
}


@dataclass(frozen=True, slots=True)
class ErrorCount:
    """A condition on the number of errors, counted in *unit*: it is *low* or more, and less than *high* (0: no bound).

    With a *period* that is said of the number modulo *period*, where *period* itself stands for 0. Each error begins
    at least and at most so many bytes behind the one before as *apart* says, None for any distance; all are of *code*,
    "" for any. With a *mark* it is said of the number of marks in a row, anywhere in what becomes of the input.
    """

    unit: str
    low: int
    high: int
    period: int = 0
    apart: tuple[int, int] | None = None
    code: str = ""
    mark: bytes = b""

    def holds(self, place: Place, word: bytes) -> bool:
        """Tell whether the input that has *word* at *place* fulfils the condition."""
        data = place.around(word)
        if self.mark:
            return any(map(self.holds_for, Policy("", self.unit, lambda _: self.mark, self.mark).rows(data)))
        return self.holds_for(count_units(self.unit, data)) and self._is_like(data)

    def _is_like(self, data: bytes) -> bool:
        if self.apart is None and not self.code:
            return True
        pieces = list(ill_formed_pieces(data))
        distances = [two - one for (one, _), (two, _) in pairwise(pieces)]
        errors = (plan().oracle.ill_formed(data[start : end + 1]) for start, end in pieces) if self.code else ()
        is_apart = self.apart is None or all(self.apart[0] <= each <= self.apart[1] for each in distances)
        return is_apart and all(error and error.code == self.code for error in errors)

    def holds_for(self, count: int) -> bool:
        """Tell whether *count* errors fulfil the condition."""
        number = (count - 1) % self.period + 1 if self.period and count else count
        return number >= self.low and (not self.high or number < self.high)

    @property
    def phrase(self) -> str:
        """The condition in words, to be read after "only"."""
        last = self.high - 1
        if self.period and self.low == last == self.period:
            numbers = f"{self.low:,} or a multiple of it"
        elif not self.high:
            numbers = f"{self.low:,} or more"
        else:
            numbers = f"{self.low:,}" if self.low == last else f"{self.low:,} to {last:,}"
            numbers += f" modulo {self.period:,}" if self.period else ""
        if self.mark:
            return f"in a row whose number of marks is {numbers}" if self.period else f"in a row of {numbers} marks"
        said = f"in input whose number of {ERROR_UNITS[self.unit]} is {numbers}"
        if self.apart:
            low, high = self.apart
            said += f", each {low:,} bytes" if low == high else f", each {low:,} to {high:,} bytes"
            said += " behind the start of the one before"
        return said + f", all of them {self.code}" * bool(self.code)
