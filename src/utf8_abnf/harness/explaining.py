"""Explaining: from wrong verdicts to the few ABNF lines of what a decoder wrongly accepts or wrongly rejects.

During the run only a count and a few words are kept of each kind of wrong verdict. Afterwards the decoder is asked
again: each word is shrunk to the sequence that is to blame, and widened to all sequences that are judged just as
wrongly in its place.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from utf8_abnf.harness.patterns import Pattern, merge
from utf8_abnf.harness.questions import Direction
from utf8_abnf.harness.shrinking import shrink
from utf8_abnf.harness.widening import widen, with_neighbours

if TYPE_CHECKING:
    from collections.abc import Iterable

    from utf8_abnf.harness.evidence import Bucket, WrongVerdicts
    from utf8_abnf.harness.questions import Questions
    from utf8_abnf.harness.standard import Standard

MAX_CAUSES = 400


class VerdictClass(NamedTuple):
    """A class of wrong verdicts: what *pattern* describes is accepted wrongly or, if not *accepted*, rejected wrongly.

    *cases* counts the cases that fell into it, *example* is its shortest word, *case* the id of a case that showed it.
    *where* says at which place of the input alone it was seen, "" where it is everywhere.
    """

    accepted: bool
    pattern: Pattern
    cases: int
    example: bytes
    case: str
    where: str


def explain(wrong: WrongVerdicts, ask: Questions, standard: Standard) -> list[VerdictClass]:
    """Return the classes of *wrong*, what is wrongly accepted first, short words before long ones."""
    found: list[VerdictClass] = []
    for accepted in (True, False):
        direction = Direction(accepted, ask, standard)
        causes = _causes(wrong.buckets(accepted=accepted), direction)
        found += _classes(causes, direction)
    return found


@dataclass(slots=True)
class _Cause:
    """A pattern that is to blame for *cases* cases; *word* is its shortest word, *case* names a case with it."""

    pattern: Pattern
    word: bytes
    case: str
    cases: int = 0


def _causes(buckets: Iterable[Bucket], direction: Direction) -> list[_Cause]:
    causes: list[_Cause] = []
    for bucket in sorted(buckets, key=lambda bucket: len(bucket.words[0][0])):
        to_blame = [_cause(data, case, causes, direction) for data, case in bucket.words]
        for cause in to_blame:  # a bucket's count is shared among the causes of its words
            cause.cases += bucket.count // len(to_blame)
        to_blame[0].cases += bucket.count % len(to_blame)
    return causes


def _cause(data: bytes, case: str, causes: list[_Cause], direction: Direction) -> _Cause:
    """Return what is to blame for the wrong verdict on *data*: one of *causes*, or a new one that is added to them."""
    pieces = direction.pieces_to_blame(data)
    for cause in causes:
        if not cause.pattern.context and any(cause.pattern.begins(piece) for piece in pieces):
            return cause
    if len(causes) >= MAX_CAUSES:
        return causes[-1]
    word = shrink(data, direction)
    pattern = widen(word, direction)
    for cause in causes:
        if cause.pattern == pattern:
            if (len(word), word) < (len(cause.word), cause.word):
                cause.word, cause.case = word, case
            return cause
    causes.append(_Cause(pattern, word, case))
    return causes[-1]


def _classes(causes: list[_Cause], direction: Direction) -> list[VerdictClass]:
    """Return *causes* as classes, joined where their patterns differ in one place only."""
    merged = merge(cause.pattern for cause in causes)
    found = []
    for pattern in merge(with_neighbours(pattern, direction) for pattern in merged):
        members = [cause for cause in causes if cause.pattern.is_within(pattern)]
        shortest = min(members, key=lambda cause: (len(cause.word), cause.word))
        # The lowest corner of a pattern has been asked: as short as any, and plainer than what a case happened to hold.
        word = shortest.word if pattern.context else bytes(map(min, pattern.places))
        cases = sum(cause.cases for cause in members)
        where = "" if pattern.context else _where(word, direction)
        found.append(VerdictClass(direction.accepted, pattern, cases, word, shortest.case, where))
    return found


def _where(word: bytes, direction: Direction) -> str:
    """Say so when *word* is judged wrongly only at the end, or only at the start, of the input."""
    match direction.are_wrong([word + b"a", b"a" + word]):
        case [True, True]:
            return ""
        case [True, False]:
            return "only at the start of the input"
        case [False, True]:
            return "only at the end of the input"
        case _:
            return "only as the whole input"
