"""A run in N parts, on several machines perhaps: choose the decoders of one part, and put the rows of all together."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from utf8_abnf.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from utf8_abnf.matrix.row import Matrix

T = TypeVar("T")
SAME = ("system", "machine", "cores", "made_by", "python", "level", "k")


def numbers(part: str) -> tuple[int, int]:
    """Return I and N of ``I/N``; UsageError unless 1 <= I <= N.

    >>> numbers("2/8")
    (2, 8)
    """
    found = re.fullmatch(r"([1-9]\d{0,3})/([1-9]\d{0,3})", part, re.ASCII)
    if not found or int(found[1]) > int(found[2]):
        raise UsageError(f"a part is I/N with I from 1 to N, such as 2/8, not {part!r}")
    return int(found[1]), int(found[2])


def part_of(whole: Sequence[T], part: str) -> list[T]:
    """Return every Nth of *whole*, beginning with the Ith: what belongs together is spread over the parts.

    >>> part_of("abcdefg", "2/3")
    ['b', 'e']
    """
    first, count = numbers(part)
    return list(whole[first - 1 :: count])


def merged(parts: Sequence[Matrix]) -> Matrix:
    """Return the whole that *parts* are, in any order; a single matrix that is no part is returned as it is.

    UsageError if a part is missing or there twice, or if they were not made in the same way. The date is the last one.
    """
    if len(parts) == 1 and not parts[0].part:
        return parts[0]
    if not parts or not all(each.part for each in parts):
        raise UsageError("only parts of one run can be merged, which --part I/N makes")
    numbered = {numbers(each.part): each for each in parts}
    counts = {count for _, count in numbered}
    if len(counts) != 1 or len(numbered) != len(parts):
        raise UsageError(f"parts {', '.join(each.part for each in parts)} are not those of one run")
    count = counts.pop()
    missing = [f"{number}/{count}" for number in range(1, count + 1) if (number, count) not in numbered]
    if missing:
        raise UsageError(f"missing: part {', '.join(missing)}")
    ordered = [numbered[number, count] for number in range(1, count + 1)]
    for name in SAME:
        values = {getattr(each, name) for each in ordered}
        if len(values) > 1:
            raise UsageError(f"the parts differ in {name}: {', '.join(map(str, sorted(values, key=str)))}")
    total = sum(len(each.rows) for each in ordered)
    if [len(each.rows) for each in ordered] != [len(part_of(range(total), each.part)) for each in ordered]:
        raise UsageError("the parts do not have the rows of one run; each must be complete")
    rows = tuple(ordered[at % count].rows[at // count] for at in range(total))
    return replace(ordered[0], rows=rows, date=max(each.date for each in ordered), part="")
