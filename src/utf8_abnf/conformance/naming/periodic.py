"""Names what comes again: usual words, and where each is judged wrongly, go in, and lines for kinds of them come out.

A decoder that works on blocks may look at where a fault shows in them: at one offset, in another block than that in
which it began, in all blocks but the last, or behind those that are full. If all words of a kind agree, that is said.
"""

from __future__ import annotations

from functools import partial, reduce
from typing import TYPE_CHECKING, NamedTuple

from utf8_abnf.automaton import union
from utf8_abnf.conformance.naming.naming import EXTRA, MISSING, Line
from utf8_abnf.conformance.naming.places import Place
from utf8_abnf.conformance.naming.words import words_of
from utf8_abnf.conformance.suite.plan import plan
from utf8_abnf.validator.ill_formed import CODES, TRUNCATED

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

ANY_FAULT = "ill-formed input"
ONCE = 1 << 62  # the period of what does not come again
TAILS = bytes(range(0x80, 0xC0))
AT, ACROSS, BEFORE_LAST, AFTER_FULL, NOT_FULL = "at", "across", "before the last", "after the last full", "not full"
BLOCKS = {
    BEFORE_LAST: "only before the last block of {:,} bytes",
    AFTER_FULL: "only after the last full block of {:,} bytes",
    NOT_FULL: "only in a last block of fewer than {:,} bytes",
}


class Tried(NamedTuple):
    """A *word* of a *kind*, a code or a rule, the *numbers* of bytes behind which it is judged wrongly, an *example*.

    The byte at *offending* is the first that cannot be right, or the first of a character. *side* is the part of
    ``BLOCKS`` in which the word is judged wrongly, "" if there is none.
    """

    word: bytes
    kind: str
    offending: int
    numbers: list[int]
    example: bytes
    side: str = ""


def lines_of_kinds(period: int, tried: Sequence[Tried]) -> list[Line]:
    """Return lines for the kinds of which all words that were *tried* are judged wrongly at the same place."""
    kinds = {each.kind: [other for other in tried if other.kind == each.kind] for each in tried}
    places: dict[tuple[str, str, int], set[str]] = {}
    for kind, some in kinds.items():
        for where in _places_of(period, some):
            places.setdefault((EXTRA if kind in CODES else MISSING, *where), set()).add(kind)
    found = []
    while any(places.values()):
        place, same = max(places.items(), key=lambda each: len(each[1]))
        found.append(_line(*place, period, [each for kind in sorted(same) for each in kinds[kind]]))
        places = {other: some - same for other, some in places.items()}
    return found


def _places_of(period: int, some: Sequence[Tried]) -> Iterator[tuple[str, int]]:
    """Yield each place of all of *some*: a side of blocks, at an offset, or across one; and the offset."""
    sides = {each.side for each in some}
    if len(sides) == 1 and sides <= {*BLOCKS}:
        yield sides.pop(), 0
        return
    for offset in sorted({(number + each.offending) % period for each in some for number in each.numbers}):
        if all(each.numbers == [(offset - each.offending) % period] for each in some):
            yield AT, offset
    for offset in sorted({(number + 1) % period for each in some for number in each.numbers}):
        lasts = [each.offending if each.kind in CODES else len(each.word) - 1 for each in some]
        across = [{(offset - more) % period for more in range(1, last + 1)} for last in lasts]
        if [set(each.numbers) for each in some] == across:
            yield ACROSS, offset


def _line(direction: str, place: str, offset: int, period: int, some: Sequence[Tried]) -> Line:
    kinds = list(dict.fromkeys(each.kind for each in some))
    words = " / ".join(kinds)
    if {*kinds, TRUNCATED} == {*CODES}:
        words, kinds = ANY_FAULT, [*CODES]
    byte = "offending" if direction == EXTRA else "first"
    where = ACROSS if place == ACROSS else f"where the {byte} byte is at"
    phrase = f"only {where} offset {offset:,}"
    if place in BLOCKS:
        phrase = BLOCKS[place].format(period)
    elif place == ACROSS and not offset:
        phrase = f"only across a multiple of {period:,} bytes"
    elif period != ONCE:
        phrase += f", modulo {period:,}"
    language = reduce(union, (words_of([[byte] for byte in each.word]) for each in some))
    example = min((each.example for each in some if each.example), key=len)
    return Line(direction, words, language, Place(phrase, ()), example, partial(_is_at, place, offset, period, kinds))


def _is_at(place: str, offset: int, period: int, kinds: Sequence[str], word: bytes) -> bool:
    """Whether the first fault of *word*, or a character if it has none, is of *kinds* and at such a place."""
    if error := plan().oracle.ill_formed(word):
        ends = error.start, error.offending, len(word) - 1, len(word)
        first, shown, last, rest = ((at - offset) // period for at in ends)
        holds = {AT: error.offending % period == offset, ACROSS: first < shown}
        holds |= {BEFORE_LAST: first < last, AFTER_FULL: shown == rest, NOT_FULL: shown == rest}
        return error.code in kinds and holds[place]
    firsts = word[offset::period]
    if place == ACROSS:
        cut = (word[max(0, at - 3) : at] for at in range(offset, len(word), period) if word[at] in TAILS)
        firsts = b"".join(each.rstrip(TAILS)[-1:] for each in cut)
    return any(rule_of_first(byte) in kinds for byte in firsts)


def rule_of_first(byte: int) -> str:
    """Return the rule of the characters that begin with *byte*."""
    return "UTF8-1" if byte < 0xC2 else f"UTF8-{2 + (byte >= 0xE0) + (byte >= 0xF0)}"
