"""The matrix for the terminal: a table with a line for each decoder, and below it a line for each further deviation."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from utf8_abnf.conformance.harness.phrases import hexed
from utf8_abnf.conformance.matrix.row import CHECKS, CONFIRMED, CONFORMS, VERDICTS
from utf8_abnf.conformance.matrix.telling import in_short

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from utf8_abnf.conformance.matrix.row import Matrix, Row

HEAD = ("decoder", "version", "tests", "verdict", "wrongly accepted (extra) or rejected (missing); shortest example")
MAX_REASON = 100  # characters
MAX_CLASSES = 16  # of one decoder: the JSON has all

Line = tuple[str, str, str, str, str]
WIDTHS = (12, 9, 15)  # of version, tests and verdict, for rows that are not known yet


class Table:
    """The table of the decoders *names*, line by line, so that a row can be printed when it is done."""

    def __init__(self, names: Iterable[str]) -> None:
        self._widths = [max(map(len, [HEAD[0], *names])), *WIDTHS]

    def head(self) -> str:
        """Return the two lines above the rows."""
        return self.line(HEAD) + "  ".join("-" * width for width in [*self._widths, len(HEAD[4])]) + "\n"

    def row(self, row: Row) -> str:
        """Return the lines of *row*."""
        lines = [*about(row)] or [""]
        tests = f"{row.cases:,}" if row.tested else ""
        known = (row.name, short(row.version), tests, row.verdict, lines[0])
        return self.line(known) + "".join(self.line(("", "", "", "", line)) for line in lines[1:])

    def line(self, cells: Line) -> str:
        """Return *cells* in their columns."""
        name, version, tests, verdict, what = cells
        widths = self._widths
        start = f"{name:{widths[0]}}  {version:{widths[1]}}  {tests:>{widths[2]}}  {verdict:{widths[3]}}"
        return f"{start}  {what}".rstrip() + "\n"


def ending(matrix: Matrix) -> str:
    """Return the meaning of each verdict that occurs but *conforms*, and the summary."""
    used = {row.verdict for row in matrix.rows} - {CONFORMS}
    legend = [f"{name}: {VERDICTS[name]}." for name in VERDICTS if name in used]
    return "\n".join(["", *legend, f"{matrix.summary}."]) + "\n"


def about(row: Row) -> Iterator[str]:
    """Yield a line for each fact about the decoder of *row*."""
    if row.claim != "UTF-8" and row.tested:
        yield f"claims: {row.claim}"
    if row.grid and row.grid.wrong:
        yield in_short(row)
    for each in row.facts[:MAX_CLASSES]:
        doubt = "" if each.check == CONFIRMED else f" ({CHECKS[each.check]})"
        yield f"{each.kind:7} {each.line}; {hexed(each.example)}{doubt}"
    if len(row.facts) > MAX_CLASSES:
        yield f"and {len(row.facts) - MAX_CLASSES} more classes"
    yield from (f"disputed: {hexed(each.example)}: {each.said}" for each in row.disputed)
    yield from (f"disputed: {each}" for each in row.controls)
    yield from (f"{each.kind}: {each.case or 'unknown case'} ({hexed(each.data)})" for each in row.troubles[:3])
    if row.learned and row.learned.dialect and row.facts:
        yield f"= {row.learned.dialect}"
    if row.reason:
        yield row.reason[:MAX_REASON]


def short(version: str) -> str:
    """Return the first number with a dot in *version*, else one of four digits, else the first 16 characters.

    >>> short("iconv (Debian GLIBC 2.36-9+deb12u14) 2.36")
    '2.36'
    >>> short("expat_2.5.0, CPython 3.11.7")
    '2.5.0'
    >>> short("v4.9.3 20180930122740 x86_64-pc-linux-gnu")
    '4.9.3'
    >>> short("0.0~git20220705.4e4d828-1")
    '0.0~git20220705.4e4d828'
    """
    number = re.search(r"\d+(?:\.\d+)+(?:~git[\w.]+)?", version) or re.search(r"\d{4,}", version)
    return number[0] if number else version[:16]
