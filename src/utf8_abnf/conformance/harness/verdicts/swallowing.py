"""Swallowing: a decoder that takes the bytes behind a first byte for its tails, whatever they are.

Then an error says little, and what stands behind it much: one cause for all such words is found before each of them is
looked at for itself.
"""

from __future__ import annotations

import random
from collections import Counter
from itertools import islice, product
from typing import TYPE_CHECKING

from utf8_abnf.conformance.harness.verdicts.causes import Cause
from utf8_abnf.conformance.harness.verdicts.cutting import ill_formed_pieces
from utf8_abnf.conformance.harness.verdicts.patterns import TAIL, Pattern, ranges_of
from utf8_abnf.conformance.harness.verdicts.places import EVERYWHERE, Place
from utf8_abnf.conformance.harness.verdicts.probing import FEW_OTHERS, MAX_SIZE

if TYPE_CHECKING:
    from utf8_abnf.conformance.harness.verdicts.causes import Causes
    from utf8_abnf.conformance.harness.verdicts.questions import Direction

MAX_BYTE = 0xFF
MAX_TRIES = 4  # for each first byte: the bytes behind it may not all be taken
MAX_STUCK = 3  # errors of one input that are looked at
SAMPLE = 1_024  # words of all first bytes together
SAMPLE_OF_ONE = 24  # words of each first byte
TAKEN = (b"\xc3", b"\xbf")  # what may be taken for a tail: a first byte is not one, by any definition


class Swallowing:
    """Finds the words of a first byte and of as many others as it promises, which the decoder does not look at."""

    def __init__(self, direction: Direction, filler: bytes) -> None:
        self._direction = direction
        self._fillers = (filler, *TAKEN)
        rest = 2 * MAX_SIZE * filler
        taken = [each for each in FEW_OTHERS if all(direction.ask([each, filler + each]))]
        after = (b"", filler, rest, *(each + more for each in taken for more in (b"", rest)))
        before = (b"", filler, *taken[:1])
        self._places = [Place(*pair) for pair in product(before, after)]
        self._tried: Counter[int] = Counter()

    def cause(self, data: bytes, case: str, causes: Causes) -> Cause | None:
        """Return the cause that has all words like one of the first errors of *data*, or None; *causes* are known.

        Nothing is asked where each question needs a process.
        """
        direction = self._direction
        if not direction.accepted or not direction.standard.is_utf8 or direction.ask.expensive:
            return None
        pieces = (start for start, _ in islice(ill_formed_pieces(data), MAX_STUCK))  # a cause may explain a part of one
        for start in dict.fromkeys([*pieces, *causes.read(data)[1][-1 : -1 - MAX_STUCK : -1]]):
            first = data[start]
            if self._tried[first] < MAX_TRIES and not any(first in cause.firsts for cause in causes.found):
                self._tried[first] += 1
                if (word := self._word(data[start : start + MAX_SIZE])) is not None:
                    known = frozenset[int]().union(*(cause.firsts for cause in causes.found))
                    if (found := self._cause(word, case, known)) is not None:
                        return found
        return None

    def _word(self, data: bytes) -> bytes | None:
        """Return the shortest word that begins as *data* and is accepted everywhere with a first byte as its last.

        None if there is none, and if its first byte alone is accepted everywhere: then nothing is swallowed.
        """
        if self._is_everywhere(data[:1]):
            return None
        words = (
            (data[:kept] + filler * size)[: size - 1] + last
            for size in range(2, MAX_SIZE + 1)
            for kept in sorted({1, min(len(data), size - 1)}, reverse=True)
            for filler in self._fillers
            for last in TAKEN[:1]
        )
        return next(filter(self._is_everywhere, dict.fromkeys(words)), None)

    def _is_everywhere(self, word: bytes) -> bool:
        """Tell whether the decoder accepts *word* wrongly at every place, whatever stands behind it."""
        return self._direction.are_wrong([word])[0] and all(self._are_everywhere([word]))

    def _are_everywhere(self, words: list[bytes]) -> list[bool]:
        """Tell for each of *words* whether it is accepted at every place, or cannot be wrongly."""
        left = {word for word in words if self._direction.can_be_wrong(word)}
        for place in self._places:
            asked = sorted(left)
            wrong = self._direction.are_wrong([place.around(word) for word in asked])
            left = {word for word, is_wrong in zip(asked, wrong, strict=True) if is_wrong}
        return [word in left or not self._direction.can_be_wrong(word) for word in words]

    def _cause(self, word: bytes, case: str, known: frozenset[int]) -> Cause | None:
        """Return the cause of all words that are swallowed as *word* is; None if they have no common form.

        None of them begins with one of the *known* bytes.
        """
        tails = [self._taken(word, number) for number in range(1, len(word))]
        if not all(taken & TAIL and taken - TAIL for taken in tails):
            return None  # it is several words, or only some bytes are taken for a tail
        chance = random.Random(3629)  # noqa: S311
        choices = [sorted(taken) for taken in tails]
        ends = [bytes(each) for each in product(*({taken[0], taken[-1]} for taken in choices))]
        inside = [*ends, *(bytes(map(chance.choice, choices)) for _ in range(SAMPLE_OF_ONE))]
        outside = [
            word[1 : number + 1] + bytes([byte]) + word[number + 2 :]
            for number, taken in enumerate(tails)
            for byte in sorted({low - 1 for low, _ in ranges_of(taken)} | {high + 1 for _, high in ranges_of(taken)})
            if 0 <= byte <= MAX_BYTE
        ]
        alike = [True] * len(inside) + [False] * len(outside)
        firsts = [
            first for first in self._firsts(word[1:], known) if self._swallows(first, [*inside, *outside]) == alike
        ]
        if word[0] not in firsts:
            return None
        pattern = Pattern((frozenset(firsts), *tails))
        more = {bytes(map(chance.choice, [firsts, *choices])) for _ in range(SAMPLE)}
        words = [each for each in sorted(more) if self._direction.can_be_wrong(each)]
        if not all(self._direction.are_wrong(words)) or self._direction.ask.used_up:
            return None
        asked = (len(words) + len(firsts) * len(inside)) / pattern.size
        return Cause([pattern], EVERYWHERE, Place(b"", b""), word, case, min(1.0, asked), firsts=pattern.places[0])

    def _firsts(self, tails: bytes, known: frozenset[int]) -> list[int]:
        """Return the bytes above 7F that swallow *tails*, but for the *known* ones."""
        firsts = sorted({*range(0x80, MAX_BYTE + 1)} - known)
        return [
            first
            for first, fits in zip(
                firsts, self._are_everywhere([bytes([first]) + tails for first in firsts]), strict=True
            )
            if fits
        ]

    def _swallows(self, first: int, tails: list[bytes]) -> list[bool]:
        """Tell for each of *tails* whether the byte *first* swallows it."""
        return self._are_everywhere([bytes([first]) + each for each in tails])

    def _taken(self, word: bytes, number: int) -> frozenset[int]:
        """Return the bytes that are swallowed as well in this place of *word*."""
        words = [word[:number] + bytes([byte]) + word[number + 1 :] for byte in range(MAX_BYTE + 1)]
        return frozenset(byte for byte, fits in enumerate(self._are_everywhere(words)) if fits)
