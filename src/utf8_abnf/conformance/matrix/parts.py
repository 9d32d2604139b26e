"""A matrix that was made in parts, on several machines perhaps: the rows of all parts together."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from utf8_abnf.conformance.suite.parts import in_order, part_of, the_same
from utf8_abnf.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from utf8_abnf.conformance.matrix.row import Matrix

SAME = ("system", "machine", "cores", "made_by", "python", "level", "k")


def merged(parts: Sequence[Matrix]) -> Matrix:
    """Return the whole that *parts* are, in any order; a single matrix that is no part is returned as it is.

    UsageError if a part is missing or there twice, or if they were not made in the same way. The date is the last one.
    """
    if len(parts) == 1 and not parts[0].part:
        return parts[0]
    ordered = [parts[at] for at in in_order([each.part for each in parts])]
    the_same([{name: getattr(each, name) for name in SAME} for each in ordered])
    total = sum(len(each.rows) for each in ordered)
    if [len(each.rows) for each in ordered] != [len([*part_of(range(total), each.part)]) for each in ordered]:
        raise UsageError("the parts do not have the rows of one run; each must be complete")
    rows = tuple(ordered[at % len(ordered)].rows[at // len(ordered)] for at in range(total))
    return replace(ordered[0], rows=rows, date=max(each.date for each in ordered), part="")
