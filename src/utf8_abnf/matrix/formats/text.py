"""The matrix for the terminal: a table with a line for each decoder, and below it one for each departure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from utf8_abnf.harness.formats.phrases import hexed
from utf8_abnf.matrix.row import CHECKS, CONFIRMED, CONFORMS, VERDICTS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from utf8_abnf.matrix.row import Departure, Matrix, Row

HEAD = ("decoder", "version", "tests", "verdict", "what it accepts too much, or misses; the shortest example")
LONGEST_REASON = 100
MOST = 16  # classes shown of one decoder: the JSON has all

Line = tuple[str, str, str, str, str]


def render(matrix: Matrix) -> str:
    """Return *matrix* as a table."""
    return table(matrix, [line for row in matrix.rows for line in _cells(row)])


def table(matrix: Matrix, lines: list[Line]) -> str:
    """Return *lines* under the heads, the meaning of the verdicts in them, and the sum."""
    used = {line[3] for line in lines} & set(VERDICTS) - {CONFORMS}
    legend = [f"{name}: {VERDICTS[name]}." for name in VERDICTS if name in used]
    return "\n".join([_table(lines), *legend, f"{matrix.summary}."]) + "\n"


def _table(lines: list[Line]) -> str:
    widths = [max(len(line[column]) for line in [HEAD, *lines]) for column in range(4)]
    drawn = []
    for name, version, tests, verdict, what in [HEAD, *lines]:
        start = f"{name:{widths[0]}}  {version:{widths[1]}}  {tests:>{widths[2]}}  {verdict:{widths[3]}}"
        drawn.append(f"{start}  {what}".rstrip())
    drawn.insert(1, "  ".join("-" * width for width in [*widths, len(HEAD[4])]))
    return "\n".join([*drawn, ""])


def _cells(row: Row) -> Iterator[Line]:
    tests = f"{row.cases:,}" if row.tested else ""
    first, *more = [*about(row)] or [""]
    yield row.name, short(row.version), tests, row.verdict, first
    yield from (("", "", "", "", each) for each in more)


def about(row: Row) -> Iterator[str]:
    """Yield what there is to say of a decoder, a line each."""
    if row.claim != "UTF-8" and row.tested:
        yield f"claims: {row.claim}"
    yield from (_shown(each) for each in row.facts[:MOST])
    if len(row.facts) > MOST:
        yield f"and {len(row.facts) - MOST} classes more"
    for each in row.disputed:
        yield f"disputed: {hexed(each.example)}: {each.check.said}"
    yield from (f"disputed: {each}" for each in row.controls)
    yield from (f"{each.kind}: {each.case or 'some case'} ({hexed(each.data)})" for each in row.troubles[:3])
    if row.learned and row.learned.dialect and row.facts:
        yield f"= {row.learned.dialect}"
    if row.reason:
        yield row.reason[:LONGEST_REASON]


def _shown(each: Departure) -> str:
    doubt = "" if each.check.state == CONFIRMED else f" ({CHECKS[each.check.state]})"
    return f"{each.kind:7} {each.line}; {hexed(each.example)}{doubt}"


def short(version: str) -> str:
    """Return the number in *version*, or what of it fits.

    >>> short("iconv (Debian GLIBC 2.36-9+deb12u14) 2.36")
    '2.36'
    >>> short("Mono JIT compiler version 6.8.0.105 (Debian)")
    '6.8.0.105'
    """
    words = [word.strip("(),\"'") for word in version.split()]
    numbers = [word for word in words if word[:1].isdigit() and word.replace(".", "").isdigit()]
    return numbers[0] if numbers else version[:16]
