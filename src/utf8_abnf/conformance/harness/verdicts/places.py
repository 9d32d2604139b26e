"""Places: what stands before and after a word in an input, and the conditions under which a decoder judges it wrongly.

A word is judged wrongly *everywhere*, or only at places that fulfil ``Conditions``, such as "at the end of the input".
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import permutations
from typing import TYPE_CHECKING, NamedTuple

from utf8_abnf.conformance.harness.standard import promised
from utf8_abnf.conformance.harness.verdicts.cutting import characters as cut_characters
from utf8_abnf.conformance.harness.verdicts.cutting import first_ill_formed
from utf8_abnf.conformance.harness.verdicts.patterns import Pattern, merge, ranges_of
from utf8_abnf.conformance.harness.verdicts.units import BYTES, LENGTH
from utf8_abnf.language.notation import abnf_range

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

OFFSET, REST, SIZE = "offset", "rest", "size"
AFTER, BEFORE = "after", "before"
DIRECTLY, ANYWHERE, OUTERMOST = "directly", "anywhere", "outermost"

ASCII = tuple(bytes([byte]) for byte in range(0x80))
# The first and the last character of each length, characters on both sides of what is left out, and common ones.
OTHERS = tuple(
    chr(number).encode()
    for number in (0x80, 0xE9, 0x7FF, 0x800, 0x20AC, 0xD7FF, 0xE000, 0xFEFF, 0xFFFF, 0x10000, 0x1F600, 0x10FFFF)
)
LENGTHS = frozenset(map(len, OTHERS))
MAX_CHARACTER = max(LENGTHS)  # bytes


class Place(NamedTuple):
    """A place in an input: what stands *before* it and *after* it."""

    before: bytes
    after: bytes

    @property
    def size(self) -> int:
        """How many bytes stand before and after it."""
        return len(self.before) + len(self.after)

    def around(self, word: bytes) -> bytes:
        """Return the input that has *word* at this place."""
        return self.before + word + self.after


@dataclass(frozen=True, slots=True)
class Measure:
    """A condition on a number of bytes or characters: it is *bound* at least or, if not *at_least*, smaller.

    The number is the word's offset, what follows the word (rest), or the size of the whole input.
    """

    of: str
    at_least: bool
    bound: int
    unit: str = BYTES

    def holds(self, place: Place, word: bytes) -> bool:
        """Tell whether *word* at *place* fulfils the condition."""
        return (self.number(place, word) >= self.bound) is self.at_least

    def number(self, place: Place, word: bytes) -> int:
        """Return the number that the condition is about."""
        length = LENGTH[self.unit]
        if self.of == OFFSET:
            return length(place.before)
        return length(place.after) + (length(place.before) + length(word) if self.of == SIZE else 0)

    @property
    def phrase(self) -> str:
        """The condition in words, to be read after "only"."""
        number = f"{self.bound:,}"
        if self.of == SIZE:
            which = f"{number} {self.unit} or more" if self.at_least else f"fewer than {number} {self.unit}"
            return f"in input of {which}"
        if self.bound == 1:
            ends = {(OFFSET, False): "at the start of the input", (REST, False): "at the end of the input"}
            more = {OFFSET: "where input comes before", REST: "where more input follows"}
            return ends.get((self.of, self.at_least), more[self.of])
        if self.of == OFFSET and self.unit == BYTES:
            return f"from offset {number} on" if self.at_least else f"before offset {number}"
        which = f"{number} {self.unit} or more" if self.at_least else f"fewer than {number} {self.unit}"
        return f"behind {which}" if self.of == OFFSET else f"where {which} follow"


@dataclass(frozen=True, slots=True)
class Lane:
    """A condition on the word's offset, or the input's size: modulo *period* it is in *low* .. *high* - 1.

    It is a number of bytes, or of characters in another *unit*.
    """

    period: int
    low: int
    high: int
    of: str = OFFSET
    unit: str = BYTES

    def holds(self, place: Place, word: bytes) -> bool:
        """Tell whether *word* at *place* fulfils the condition."""
        length = LENGTH[self.unit]
        more = length(word) + length(place.after) if self.of == SIZE else 0
        return (length(place.before) + more - self.low) % self.period < self.high - self.low

    @property
    def phrase(self) -> str:
        """The condition in words, to be read after "only"."""
        is_one = self.high - self.low == 1
        numbers = f"{self.low}" if is_one else f"{self.low} to {(self.high - 1) % self.period}"
        if self.unit != BYTES:
            where = "in input whose" if self.of == SIZE else "behind text whose"
            return f"{where} number of {self.unit} is {numbers} modulo {self.period}"
        where = "in input whose size is" if self.of == SIZE else "at offset" if is_one else "at the offsets"
        return f"{where} {numbers} modulo {self.period}"


@cache
def _begin(characters: frozenset[bytes], others: frozenset[int]) -> tuple[bytes, tuple[bytes, ...]]:
    """Return the bytes each of which begins one of some characters, and characters that have to be looked for.

    The characters are those with a number of bytes in *others*, and *characters*.
    """
    ascii_ = [each[0] for each in characters if len(each) == 1]
    leads = [byte for byte in range(0x80, 0x100) if promised(byte) in others]
    return bytes([*ascii_, *leads]), tuple(each for each in characters if len(each) > 1)


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A condition on what stands on one *side*: one of *characters* does or, if *negated*, does not.

    On side AFTER the word stands after the character. *how*: it stands there ANYWHERE, DIRECTLY beside the word, or
    OUTERMOST, where the input begins or ends. Every character with a number of bytes in *others* is one of them.
    They have to stand there so many *times* at least: one behind the other, unless it is ANYWHERE. The words of
    *patterns* are among the characters.
    """

    side: str
    characters: frozenset[bytes]
    how: str
    negated: bool = False
    others: frozenset[int] = frozenset()
    times: int = 1
    patterns: tuple[Pattern, ...] = ()

    @classmethod
    def of(
        cls,
        side: str,
        chosen: frozenset[bytes],
        known: Iterable[bytes],
        how: str,
        *,
        negated: bool = False,
        times: int = 1,
    ) -> Neighbour:
        """Return the condition for the characters *chosen*: all *known* ones of one length stand for each of it."""
        others = LENGTHS & set(map(len, chosen)) - {len(each) for each in known if each not in chosen}
        return cls(side, frozenset(each for each in chosen if len(each) not in others), how, negated, others, times)

    @property
    def has_representatives(self) -> bool:
        """Whether some of the characters stand for others that were not asked."""
        return bool(self.others or self.patterns) or any(each >= b"\x80" for each in self.characters)

    def __contains__(self, text: bytes) -> bool:
        """Tell whether *text* is one of the characters, or a byte of them if every one above 7F is."""
        if len(text) == 1 and text >= b"\x80":
            return self.others == LENGTHS
        is_other = len(text) in self.others and promised(text[0]) == len(text)
        return is_other or text in self.characters or any(text in pattern for pattern in self.patterns)

    def has(self, byte: int) -> bool:
        """Tell whether text with *byte* has one of ``others``."""
        return promised(byte) in self.others or (byte >= 0x80 and self.others == LENGTHS)

    def holds(self, place: Place, word: bytes) -> bool:
        """Tell whether *word* at *place* fulfils the condition."""
        text = place.before if self.side == AFTER else place.after
        if self.times > 1:
            is_text = self.how == OUTERMOST and first_ill_formed(word) == len(word)
            found = self._holds_often(place.around(word) if is_text else text)
        elif self.how == ANYWHERE:
            begins, longer = _begin(self.characters, self.others)
            found = len(text.translate(None, begins)) < len(text) or any(map(text.__contains__, longer))
            found = found or any(pattern.is_found_in(text) for pattern in self.patterns)
        else:
            ends = (self.side == AFTER) is (self.how == DIRECTLY)
            found = any((text[-size:] if ends else text[:size]) in self for size in range(1, MAX_CHARACTER + 1))
            found = found or (text.endswith if ends else text.startswith)(tuple(self.characters))
        return found is not self.negated

    def _holds_often(self, text: bytes) -> bool:
        """Tell whether so many characters of *text* are among these."""
        begins, longer = _begin(self.characters, self.others)
        if self.how == ANYWHERE:
            return len(text) - len(text.translate(None, begins)) + sum(map(text.count, longer)) >= self.times
        size = MAX_CHARACTER * self.times  # has so many characters, at least
        if (self.side == AFTER) is (self.how == DIRECTLY):
            parts = cut_characters(text[-size:])[-self.times :]
        else:
            parts = cut_characters(text[:size])[: self.times]
        return len(parts) == self.times and all(map(self.__contains__, parts))

    @property
    def phrase(self) -> str:
        """The condition in words, to be read after "only"."""
        shown = [abnf_range(*pair) for pair in ranges_of(each[0] for each in self.characters if len(each) == 1)]
        shown += ["%x" + each.hex(".").upper() for each in sorted(self.characters) if len(each) > 1]
        shown += [pattern.line for pattern in merge(self.patterns)]
        if self.others == LENGTHS:
            shown.append("a character above %x7F")
        else:
            shown += [f"a character of {length} bytes" for length in sorted(self.others)]
        characters, negation = " / ".join(shown), "not " * self.negated
        if self.times > 1:
            characters = f"{self.times} or more of {characters}".replace("of a character", "characters")
        if self.how == OUTERMOST:
            return f"{negation}in input that {'begins' if self.side == AFTER else 'ends'} with {characters}"
        return f"{negation}{'directly ' * (self.how == DIRECTLY)}{self.side} {characters}"


Condition = Measure | Lane | Neighbour
Conjunction = tuple[Condition, ...]
AT_START, AT_END = Measure(OFFSET, at_least=False, bound=1), Measure(REST, at_least=False, bound=1)
NOT_AT_START, NOT_AT_END = Measure(OFFSET, at_least=True, bound=1), Measure(REST, at_least=True, bound=1)


@dataclass(frozen=True, slots=True)
class Conditions:
    """Where a word is judged wrongly: all conditions of one of the *choices* hold there.

    ``EVERYWHERE`` has one choice without a condition. No choice at all, ``UNKNOWN``, means that no conditions were
    found that agree with every answer.
    """

    choices: tuple[Conjunction, ...]

    def hold(self, place: Place, word: bytes) -> bool:
        """Tell whether *word* is judged wrongly at *place*, as far as these conditions say."""
        return any(all(each.holds(place, word) for each in choice) for choice in self.choices)

    def by_size(self, length: int) -> Conditions:
        """Return the same conditions of a word of *length* bytes, those at the end said of the size of the input.

        A word stands at the end as well where the input may not be larger than the least that its offset needs.

        >>> at_offset = Conditions(((AT_END, Lane(24, 22, 23)),))
        >>> at_offset.by_size(2).phrase
        'only at the end of the input and in input whose size is 0 modulo 24'
        """
        several = [_at_the_end(choice, length) for choice in self.choices]
        choices = (
            tuple(_by_size(each, length) for each in choice) if AT_END in choice else choice for choice in several
        )
        return Conditions(tuple(choices))

    @property
    def count_bytes_only(self) -> bool:
        """Whether the conditions are about numbers of bytes only: then the length of a place's text is enough."""
        every = (each for choice in self.choices for each in choice)
        return all(isinstance(each, Measure | Lane) and each.unit == BYTES for each in every)

    @property
    def phrase(self) -> str:
        r"""The conditions in words, "" for everywhere.

        >>> Conditions(((AT_START, AT_END),)).phrase
        'only as the whole input'
        >>> Conditions(((Measure(SIZE, at_least=True, bound=4096), Measure(SIZE, at_least=False, bound=4097)),)).phrase
        'only in input of 4,096 bytes'
        >>> Conditions(((AT_END,), (Neighbour(AFTER, frozenset([b"\0"]), ANYWHERE),))).phrase
        'only at the end of the input, or after %x00'
        """
        if self in (EVERYWHERE, UNKNOWN):
            return ""
        return ("only " + ", or ".join(map(_phrase, self.choices))).replace("only not ", "not ")


def _at_the_end(choice: Conjunction, length: int) -> Conjunction:
    """Return *choice* for a word of *length* bytes, in other words if it can hold only where the word is at the end."""
    for low, size in permutations(choice, 2):
        if isinstance(size, Measure) and size == Measure(SIZE, at_least=False, bound=size.bound):
            least = Measure(SIZE, at_least=True, bound=size.bound - 1)
            if low == Measure(OFFSET, at_least=True, bound=least.bound - length):
                return (AT_END, least, size, *(each for each in choice if each not in (low, size)))
    return choice


def _by_size(condition: Condition, length: int) -> Condition:
    """Return the condition on the size that is the same at the end of the input, or *condition* if there is none."""
    if isinstance(condition, Lane) and (condition.of, condition.unit) == (OFFSET, BYTES):
        low = (condition.low + length) % condition.period
        return Lane(condition.period, low, low + condition.high - condition.low, SIZE)
    if isinstance(condition, Measure) and (condition.of, condition.unit) == (OFFSET, BYTES) and condition != AT_START:
        return Measure(SIZE, condition.at_least, condition.bound + length)
    return condition


EVERYWHERE = Conditions(((),))
UNKNOWN = Conditions(())


def _phrase(choice: Conjunction) -> str:
    if AT_START in choice and AT_END in choice:
        rest = tuple(each for each in choice if each not in (AT_START, AT_END))
        return " and ".join(["as the whole input", *_phrases(rest)])
    return " and ".join(_phrases(choice))


def _phrases(choice: Conjunction) -> Iterator[str]:
    """Yield each condition in words; two on one number that it lies between are one."""
    above = {(each.of, each.unit): each for each in choice if isinstance(each, Measure) and each.at_least}
    below = {(each.of, each.unit): each for each in choice if isinstance(each, Measure) and not each.at_least}
    for each in choice:
        key = (each.of, each.unit) if isinstance(each, Measure) else ("", "")
        if key not in above or key not in below:
            yield each.phrase
        elif each is above[key]:
            yield _between(each, below[key].bound - 1)


def _between(measure: Measure, last: int) -> str:
    """Return in words that the number of *measure* is its bound or more, and at most *last*."""
    numbers = f"{measure.bound:,}" if measure.bound == last else f"{measure.bound:,} to {last:,}"
    if measure.of == OFFSET and measure.unit == BYTES:
        return f"at offset {numbers}" if measure.bound == last else f"at the offsets {numbers}"
    one = last == 1
    which = f"1 {measure.unit.replace('s', '', 1)}" if one else f"{numbers} {measure.unit}"
    phrases = {
        OFFSET: f"behind {which}",
        REST: f"where {which} follow{'s' * one}",
        SIZE: f"in input of {which}",
    }
    return phrases[measure.of]
