"""Unchecked: what a decoder that wrongly accepts a word does with the text around it.

It may check nothing behind the word, as if the input had ended there, or look for other such words no more.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

from utf8_abnf.conformance.harness.verdicts.causes import Causes
from utf8_abnf.conformance.harness.verdicts.lines import simple_places
from utf8_abnf.conformance.harness.verdicts.places import EVERYWHERE, UNKNOWN, Place
from utf8_abnf.conformance.suite.families import BLOCK

if TYPE_CHECKING:
    from collections.abc import Iterator

    from utf8_abnf.conformance.harness.verdicts.causes import Cause
    from utf8_abnf.conformance.harness.verdicts.questions import Direction

# Rests of the input, each with an error of another kind or at another distance, the last ones in every lane of a block.
RESTS = (
    *(b"\xff", b"a\x80", b"\x80\xc3", b"\xc3\xa9\xc0\xaf", b"\0\xed\xa0\x80", b"\r\n\xf5\x80\x80\x80", b"\xc3\xc3\xc3"),
    *(b"a" * 70 + b"\xf4\x90\x80\x80", b"a" * 300 + b"\x80\xff", b"a" * 5000 + b"\xe2\x82"),
    *(b"a" * size + error for size in range(2 * BLOCK + 2) for error in (b"\xff", b"\xe2\x82")),
)
BESIDE = (b"a", b"\0", b"/", b"\xc3\xa9", b"\xf0\x9f\x98\x80")
FEW = 3  # rests that are asked behind other words of the cause
MAX_WORDS = 60  # of them


def is_unchecked(cause: Cause, direction: Direction) -> bool:
    """Tell whether nothing is checked behind the words of *cause*, for which the words are the reason.

    Every one of ``RESTS`` is accepted behind its shortest word, and a few behind others; and not all of them behind
    letters in its place.
    """
    if not direction.accepted or not direction.standard.is_utf8 or direction.ask.expensive or not cause.word:
        return False
    before = cause.place.before
    if not all(direction.are_wrong([before + cause.word + rest for rest in RESTS[:FEW]])):
        return False
    letters = before + b"a" * len(cause.word)
    if not all(direction.are_wrong([before + cause.word + rest for rest in RESTS[FEW:]])):
        return False
    if all(direction.are_wrong([letters + rest for rest in RESTS])):
        return False
    others = (before + word + rest for word in islice(_words(cause), MAX_WORDS) for rest in RESTS[:FEW])
    return all(direction.are_wrong([data for data in others if cause.ends(data, len(before))]))


def passes_over(cause: Cause, filler: bytes, direction: Direction) -> bool:
    """Tell whether text in which words of *cause* stand is judged as without the others, and not as with them.

    Twice the word, with nothing, a letter and other characters between, is asked at places of several kinds.
    """
    is_asked = direction.accepted and direction.standard.is_utf8 and not direction.ask.expensive
    if not is_asked or cause.conditions in (EVERYWHERE, UNKNOWN) or not cause.word or cause.unchecked:
        return False
    with_them, without = (Causes(accepted=True, whole=False) for _ in "12")
    with_them.add(replace(cause))
    without.add(replace(cause, passes_over=True))
    special = [cause.place, *(Place(*pair) for each in BESIDE for pair in ((each, b""), (b"", each), (each, each)))]
    words = dict.fromkeys([cause.word, *islice(_words(cause), FEW)])
    data = [
        place.around(word + between + other)
        for place in [*simple_places(filler), *special]
        for between in (b"", *BESIDE)
        for word in words
        for other in words
    ]
    data += [cause.place.around(cause.word * FEW), cause.place.around(cause.word + b"a" + cause.word * FEW)]
    wrong = direction.are_wrong(data)
    first, second = ([each.explaining(one) is not None for one in data] for each in (with_them, without))
    return first != wrong == second


def _words(cause: Cause) -> Iterator[bytes]:
    """Yield words of *cause*: for each pattern those with the lowest and with the highest bytes."""
    for pattern in cause.patterns:
        yield bytes(map(min, pattern.places))
        yield bytes(map(max, pattern.places))
