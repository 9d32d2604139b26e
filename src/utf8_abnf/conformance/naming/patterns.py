"""Writes words of one length, a set of bytes for each place, as one line of ABNF, and joins such patterns."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

from utf8_abnf.grammar.values import ranges_of
from utf8_abnf.language.notation import abnf_range

if TYPE_CHECKING:
    from collections.abc import Iterable

Bytes = frozenset[int]
TAIL = frozenset(range(0x80, 0xC0))  # UTF8-tail = %x80-BF
FEW = 9  # characters in a row that are written one by one, in a grammar of text
MAX_JOINED = 256  # bytes of a word in a pattern that is joined with others: the time grows with the square of it


@dataclass(frozen=True, slots=True)
class Pattern:
    """All words that have at each place a byte of that place's set."""

    places: tuple[Bytes, ...]

    @classmethod
    def of(cls, word: bytes) -> Pattern:
        """Return the pattern of *word* alone."""
        return cls(tuple(frozenset({byte}) for byte in word))

    @classmethod
    def of_ranges(cls, ranges: Iterable[tuple[int, int]]) -> Pattern:
        """Return the pattern of a range of bytes, both ends included, for each place."""
        return cls(tuple(frozenset(range(low, high + 1)) for low, high in ranges))

    def __contains__(self, word: bytes) -> bool:
        return len(word) == len(self.places) and all(
            byte in place for byte, place in zip(word, self.places, strict=True)
        )

    @property
    def line(self) -> str:
        """The pattern as ABNF.

        >>> Pattern((frozenset({0xF4}), frozenset(range(0x90, 0xC0)), TAIL, TAIL)).line
        '%xF4 %x90-BF 2( UTF8-tail )'
        """
        parts = ((text, len(list(same))) for text, same in groupby(map(_place, self.places)))
        return " ".join(text if times == 1 else f"{times}( {text} )" for text, times in parts) or '""'

    @property
    def text(self) -> str:
        """The pattern as ABNF for a grammar of text: what can be read stands in quotation marks (RFC 7405).

        >>> Pattern((frozenset(b"Tt"), frozenset(b"0"), frozenset(b":"), frozenset(b"a"), frozenset({0}))).text
        '"t0:" %s"a" %x00'
        """
        parts: list[str] = []
        run, mark = "", None
        for place in self.places:
            character, its_mark = _character(place)
            if not character or (mark != its_mark and None not in (mark, its_mark)):
                parts += _quoted(run, mark)
                run, mark = "", None
            if character:
                run, mark = run + character, its_mark if mark is None else mark
            else:
                parts.append(_choice(place))
        counted = ((part, len(list(same))) for part, same in groupby([*parts, *_quoted(run, mark)]))
        return " ".join(part if times == 1 else f"{times}{part}" for part, times in counted) or '""'  # as 2DIGIT


DIGITS, LETTERS = frozenset(b"0123456789"), frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")


def _is_quotable(character: str) -> bool:
    return " " <= character <= "~" and character != '"'


def _character(place: Bytes) -> tuple[str, str | None]:
    """Return the only character of *place*, or "" if it has several, and the prefix of a string with it.

    The prefix is ``%s`` for a letter, "" for a letter in both cases, None for another character.
    """
    character = chr(max(place, default=0))
    if not _is_quotable(character):
        return "", None
    if not character.isalpha():
        return (character, None) if len(place) == 1 else ("", None)
    if len(place) == 1:
        return character, "%s"
    return (character, "") if place == {ord(character), ord(character.upper())} else ("", None)


def _quoted(text: str, mark: str | None) -> list[str]:
    return [f'{mark or ""}"{text}"'] if text else []


def _choice(place: Bytes) -> str:
    """Return the bytes *place* as ABNF: names of core rules, letters and signs where they are few, ranges else."""
    parts: list[str] = []
    for name, core in (("DIGIT", DIGITS), ("ALPHA", LETTERS)):
        if core <= place:
            parts.append(name)
            place -= core
    for low, high in ranges_of(place):
        if high - low < FEW and all(_is_quotable(chr(byte)) for byte in range(low, high + 1)):
            parts += filter(None, (_letter(chr(byte), place) for byte in range(low, high + 1)))
        else:
            parts.append(abnf_range(low, high))
    return parts[0] if len(parts) == 1 else f"( {' / '.join(parts)} )"


def _letter(character: str, place: Bytes) -> str:
    """Return *character* as ABNF, in which "a" stands for "A" as well; "" for the capital if both are in *place*."""
    has_both = not character.isalpha() or ord(character.swapcase()) in place
    if has_both and character.isupper():
        return ""
    return f'"{character}"' if has_both else f'%s"{character}"'


def _place(place: Bytes) -> str:
    if place == TAIL:
        return "UTF8-tail"
    ranges = [abnf_range(low, high) for low, high in ranges_of(place)]
    return ranges[0] if len(ranges) == 1 else f"( {' / '.join(ranges)} )"


def merge(patterns: Iterable[Pattern]) -> list[Pattern]:
    """Return fewer patterns with the same words: those that differ in one place only are joined, first bytes first.

    The first bytes of each pattern are one range, as in the RFC's lines.

    >>> one, two = Pattern((frozenset({0xC0}), TAIL)), Pattern((frozenset({0xC1}), TAIL))
    >>> [pattern.line for pattern in merge([one, two])]
    ['%xC0-C1 UTF8-tail']
    """
    lines = [
        Pattern((frozenset(range(low, high + 1)), *pattern.places[1:])) if pattern.places else pattern
        for pattern in joined(patterns)
        for low, high in (ranges_of(pattern.places[0]) if pattern.places else [(0, 0)])
    ]
    return sorted(lines, key=_order)


def joined(patterns: Iterable[Pattern]) -> list[Pattern]:
    """Return the same as ``merge``, but with any first bytes."""
    groups = groupby(sorted(set(patterns), key=_order), lambda pattern: len(pattern.places))
    return [pattern for _, group in groups for pattern in _joined_in_one_place(list(group))]


def _joined_in_one_place(patterns: list[Pattern]) -> list[Pattern]:
    """Return *patterns*, which have one length, those joined that differ in one place only: the first places first."""
    if len(patterns) == 1 or len(patterns[0].places) > MAX_JOINED:
        return patterns
    for place in range(len(patterns[0].places)):
        groups: dict[object, list[Pattern]] = {}
        for pattern in patterns:
            groups.setdefault((pattern.places[:place], pattern.places[place + 1 :]), []).append(pattern)
        patterns = [_union(group, place) if len(group) > 1 else group[0] for group in groups.values()]
    return patterns


def _union(group: list[Pattern], place: int) -> Pattern:
    values = frozenset[int]().union(*(pattern.places[place] for pattern in group))
    first = group[0]
    return Pattern((*first.places[:place], values, *first.places[place + 1 :]))


def _order(pattern: Pattern) -> tuple[object, ...]:
    return (len(pattern.places), [sorted(place) for place in pattern.places])
