"""Unchecked: whether a decoder that wrongly accepts a word checks nothing behind it, as if it had ended there."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from utf8_abnf.harness.verdicts.causes import Cause
    from utf8_abnf.harness.verdicts.questions import Direction

# Rests of the input, each with an error of another kind or at another distance.
RESTS = (
    *(b"\xff", b"a\x80", b"\x80\xc3", b"\xc3\xa9\xc0\xaf", b"\0\xed\xa0\x80", b"\r\n\xf5\x80\x80\x80", b"\xc3\xc3\xc3"),
    *(b"a" * 70 + b"\xf4\x90\x80\x80", b"a" * 300 + b"\x80\xff", b"a" * 5000 + b"\xe2\x82"),
)
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


def _words(cause: Cause) -> Iterator[bytes]:
    """Yield words of *cause*: for each pattern those with the lowest and with the highest bytes."""
    for pattern in cause.patterns:
        yield bytes(map(min, pattern.places))
        yield bytes(map(max, pattern.places))
