"""The matrix for the terminal: a table with a line for each decoder, and below it a line for each further deviation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from utf8_abnf.harness.formats.phrases import hexed
from utf8_abnf.matrix.row import CHECKS, CONFIRMED, CONFORMS, VERDICTS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from utf8_abnf.matrix.row import CheckedDeviation, Matrix, Row

HEAD = ("decoder", "version", "tests", "verdict", "wrongly accepted (extra) or rejected (missing); shortest example")
MAX_REASON = 100  # characters
MAX_CLASSES = 16  # of one decoder: the JSON has all

Line = tuple[str, str, str, str, str]


def render(matrix: Matrix) -> str:
    """Return *matrix* as a table."""
    return table(matrix, [line for row in matrix.rows for line in _cells(row)])


def table(matrix: Matrix, lines: list[Line]) -> str:
    """Return *lines* under the heads, then the meaning of each verdict that occurs, and the summary."""
    used = {line[3] for line in lines} & set(VERDICTS) - {CONFORMS}
    legend = [f"{name}: {VERDICTS[name]}." for name in VERDICTS if name in used]
    return "\n".join([_table(lines), *legend, f"{matrix.summary}."]) + "\n"


def _table(lines: list[Line]) -> str:
    widths = [max(len(line[column]) for line in [HEAD, *lines]) for column in range(4)]
    table = []
    for name, version, tests, verdict, what in [HEAD, *lines]:
        start = f"{name:{widths[0]}}  {version:{widths[1]}}  {tests:>{widths[2]}}  {verdict:{widths[3]}}"
        table.append(f"{start}  {what}".rstrip())
    table.insert(1, "  ".join("-" * width for width in [*widths, len(HEAD[4])]))
    return "\n".join([*table, ""])


def _cells(row: Row) -> Iterator[Line]:
    tests = f"{row.cases:,}" if row.tested else ""
    first, *more = [*about(row)] or [""]
    yield row.name, short(row.version), tests, row.verdict, first
    yield from (("", "", "", "", each) for each in more)


def about(row: Row) -> Iterator[str]:
    """Yield a line for each fact about the decoder of *row*."""
    if row.claim != "UTF-8" and row.tested:
        yield f"claims: {row.claim}"
    yield from (_shown(each) for each in row.facts[:MAX_CLASSES])
    if len(row.facts) > MAX_CLASSES:
        yield f"and {len(row.facts) - MAX_CLASSES} more classes"
    for each in row.disputed:
        yield f"disputed: {hexed(each.example)}: {each.check.said}"
    yield from (f"disputed: {each}" for each in row.controls)
    yield from (f"{each.kind}: {each.case or 'unknown case'} ({each.shown})" for each in row.troubles[:3])
    if row.learned and row.learned.dialect and row.facts:
        yield f"= {row.learned.dialect}"
    if row.reason:
        yield row.reason[:MAX_REASON]


def _shown(each: CheckedDeviation) -> str:
    doubt = "" if each.check.state == CONFIRMED else f" ({CHECKS[each.check.state]})"
    return f"{each.kind:7} {each.line}; {hexed(each.example)}{doubt}"


def short(version: str) -> str:
    """Return the number in *version* or, if it has none, its first 16 characters.

    >>> short("iconv (Debian GLIBC 2.36-9+deb12u14) 2.36")
    '2.36'
    >>> short("Mono JIT compiler version 6.8.0.105 (Debian)")
    '6.8.0.105'
    """
    words = [word.strip("(),\"'") for word in version.split()]
    numbers = [word for word in words if word[:1].isdigit() and word.replace(".", "").isdigit()]
    return numbers[0] if numbers else version[:16]
