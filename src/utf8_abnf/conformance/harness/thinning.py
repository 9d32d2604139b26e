"""Thinning: of many wrong verdicts of one family, as they come, those that are worth judging, and how many are not.

To judge a million wrong verdicts one by one took eight times as long as to ask for them. What is left out is counted.
Which ones are kept depends on the cases alone, so that two runs keep the same.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple, cast

from utf8_abnf.conformance.harness.driving.protocol import ACCEPT, REJECT

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from utf8_abnf.conformance.harness.sending import Answered

ALL = 400  # wrong verdicts of a family, of those that accept and of those that reject, that are all kept
ONE_IN = 512  # of the others is kept: by a hash of its number, so that no pattern of the cases decides
FACTOR, MASK = 2654435761, 0xFFFFFFFF  # Knuth, The Art of Computer Programming, section 6.4
LIMIT = (MASK + 1) // ONE_IN
_DIFFERS = re.compile(rb"[^\0]")


class Thinned(NamedTuple):
    """What is left of some answers: *kept* has those to judge; *right* and *wrong* count those that are left out."""

    kept: Answered
    right: int
    wrong: int


class Thinning:
    """The wrong verdicts of one family, which are sent in mode v."""

    def __init__(self) -> None:
        self._seen = Counter[bytes]()  # wrong verdicts, by the verdict

    def thinned(self, answered: Answered) -> Thinned:
        """Return what is left of *answered*. Where a case has no verdict, all of them are kept."""
        values, batch = answered.values, answered.batch
        if not all(value in (ACCEPT, REJECT) for value in set(values)):
            return Thinned(answered, 0, 0)
        given = b"".join(cast("Sequence[bytes]", values))
        right = batch.verdicts[: len(given)]
        different = int.from_bytes(given, "big") ^ int.from_bytes(right, "big")
        wrong = [found.start() for found in _DIFFERS.finditer(different.to_bytes(len(given), "big"))]
        kept: list[int] = []
        for verdict in (ACCEPT, REJECT):
            several = [batch.first + index for index in wrong if given[index] == verdict[0]]
            kept += sample_of(several, self._seen[verdict])
            self._seen[verdict] += len(several)
        indices = sorted(number - batch.first for number in kept)
        left = answered._replace(indices=indices, values=[values[index] for index in indices])
        return Thinned(left, len(given) - len(wrong), len(wrong) - len(kept))


def sample_of(numbers: Iterable[int], before: int = 0) -> list[int]:
    """Return those of *numbers*, places of cases in a family, worth judging, in order; *before* others came before."""
    every, first = sorted(numbers), max(0, ALL - before)
    return [*every[:first], *(number for number in every[first:] if number * FACTOR & MASK < LIMIT)]
