"""Judge a C function in process: every family of a level, block by block, and texts of more than 4 GiB."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from utf8_abnf.suite import blocks as _blocks
from utf8_abnf.suite.huge import judge_huge
from utf8_abnf.suite.levels import ANY_PLACE, Batch, families, family_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from utf8_abnf.grammar import Grammar
    from utf8_abnf.suite.case import Case
    from utf8_abnf.suite.levels import Family

POISON = 0x80  # a tail byte follows every word: a decoder that reads it takes a cut character for a whole one


@dataclass(frozen=True, slots=True)
class Judged:
    """The verdicts on one block of *family*: *count* cases, *failures* wrong verdicts, *cases* the first of these."""

    family: str
    count: int
    failures: int
    cases: tuple[Case, ...]


def judge(
    function: int,
    level: str = "L3",
    *,
    family: str | None = None,
    grammar: Grammar | None = None,
    start: str | None = None,
    after: int = POISON,
    keep: int = 100,
    stop: int = 0,
) -> Iterator[Judged]:
    """Ask the C function at address *function*, ``int f(const uint8_t *, size_t)``, for all verdicts of *level*.

    Yield one ``Judged`` per block, so that the caller can show progress and stop between blocks. *after* is the byte
    after each case. At most *keep* failing cases of each family are kept. A block ends after *stop* wrong verdicts
    (0: never). Streams are not judged here. If the function crashes, this process crashes.
    """
    if family is None:
        chosen = families(level, grammar=grammar, start=start)
    else:
        chosen = (family_of(family, level, grammar=grammar, start=start),)
    for each in chosen:
        if each.huge:
            for case, wrong in judge_huge(function):
                yield Judged(each.name, 1, int(wrong), (case,) if wrong else ())
        elif "v" in each.modes:
            yield from _judge_family(each, function, after=after, keep=keep, stop=stop)


def _judge_family(family: Family, function: int, *, after: int, keep: int, stop: int) -> Iterator[Judged]:
    oracle = family.plan.oracle
    for place in family.places:
        for number, block in enumerate(family.blocks()):
            # A family with no place of its own takes the next alignment for each block; that costs nothing.
            at = number % 64 if family.places == ANY_PLACE else place
            found = _blocks.judge(oracle, block, function, after=after, place=at, keep=keep, stop=stop)
            keep -= len(found.failed)
            batch = Batch(family, 0, block)
            failed = tuple(_placed(batch.case(i), family, place) for i in found.failed)
            yield Judged(family.name, found.count, found.failures, failed)


def _placed(case: Case, family: Family, place: int) -> Case:
    """Return *case*; where its family has several places, its id ends with *place*."""
    return replace(case, id=f"{case.id}@{place}") if len(family.places) > 1 else case
