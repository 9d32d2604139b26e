"""A report for the terminal: the verdict first, then each deviation, then what passing proves."""

from __future__ import annotations

import re
import textwrap
from collections import Counter
from typing import TYPE_CHECKING

from utf8_abnf.conformance.harness.phrases import example_of, headline, hexed, not_run, title
from utf8_abnf.conformance.harness.report import KINDS, Deviation, FamilyResult, Report, Trouble

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

WIDTH = 116
MAX_ALIKE = 10  # troubles of one kind that are shown; JSON has all that were kept
LONGEST = 160  # columns of a line that is not broken, so that it can be searched for
MANY_RANGES = re.compile(r"%x[0-9A-F.-]+(?: / %x[0-9A-F.-]+){12,}(?! [%(U0-9])")
FEW_RANGES = 3  # that are shown of so many


def render(report: Report, *, verbose: bool = False) -> str:
    """Return *report* as lines of plain text: with the families of cases where some were wrong, or *verbose* all."""
    return "\n".join(_lines(report, verbose=verbose)) + "\n"


def _lines(report: Report, *, verbose: bool) -> Iterator[str]:
    yield title(report)
    yield headline(report)
    if report.stopped:
        yield from _short_enough(f"stopped: {report.stopped}", 2)
    if report.not_run:
        yield f"{not_run(report)}; --keep-going runs {'it' if len(report.not_run) == 1 else 'them'}"
    for kind, about in KINDS.items():
        several = [deviation for deviation in report.deviations if deviation.kind == kind]
        if several:
            yield f"\n{kind}: {about}"
            reasons = [deviation.why for deviation in several]
            for number, deviation in enumerate(several):
                yield from _deviation(deviation, is_told=deviation.why in reasons[:number])
    if report.troubles:
        yield "\nno answer:"
        kinds = Counter[str]()
        for trouble in report.troubles:
            kinds[trouble.kind] += 1
            if kinds[trouble.kind] <= MAX_ALIKE:
                yield from _trouble(trouble)
        if more := report.more_troubles + sum(max(0, count - MAX_ALIKE) for count in kinds.values()):
            yield f"  ... and {more:,} more"
    for key in report.unexpected_passes:
        yield f"\nunexpected pass: {key} was expected and did not occur; remove it from the file of expected deviations"
    notes = list(report.notes)
    if any(MANY_RANGES.search(f"{deviation.line}, {deviation.detail}") for deviation in report.deviations):
        notes.append(f"of long lists of bytes the first {FEW_RANGES} are shown; --format json shows all")
    if notes:
        yield ""
        yield from (f"note: {note}" for note in notes)
    rows = [row for row in report.families if verbose or row.passed < row.total]
    if rows:
        yield ""
        yield from _families(rows)
    if report.theorem:
        yield ""
        yield from textwrap.wrap(report.theorem, WIDTH) if "\n" not in report.theorem else report.theorem.splitlines()


def _deviation(deviation: Deviation, *, is_told: bool) -> Iterator[str]:
    """Yield the lines about *deviation*. *is_told*: those before it had the same reason, and so the same risk."""
    facts = (
        deviation.why.partition(":")[0] if is_told else "",
        "" if deviation.memory else deviation.detail,
        "" if deviation.count else "in no case, but seen when asked",
    )
    more = ", ".join(filter(None, facts))
    line = f"  {deviation.line:34}; shortest {example_of(deviation)}" + f"   ({more})" * bool(more)
    yield from _short_enough(MANY_RANGES.sub(_first_ranges, line), 6)
    if (deviation.why or deviation.reference) and not is_told:
        reference = f" ({deviation.reference})" if deviation.reference else ""
        yield from _short_enough(f"      why   {deviation.why}{reference}", 12)
    if deviation.memory:
        yield from _fact("where", deviation.detail)
    if deviation.security and not is_told:
        yield from _fact("risk", deviation.security)
    if deviation.mistake:
        yield from _fact("code", deviation.mistake)
    yield f"      try   {deviation.reproduce}"
    if deviation.excused is not None:
        yield f"      expected: {deviation.excused}"


def _first_ranges(found: re.Match[str]) -> str:
    ranges = found[0].split(" / ")
    return f"{' / '.join(ranges[:FEW_RANGES])} and {len(ranges) - FEW_RANGES} more"


def _short_enough(line: str, indent: int) -> list[str]:
    return [line] if len(line) <= LONGEST else textwrap.wrap(line, WIDTH, subsequent_indent=" " * indent)


def _fact(name: str, text: str) -> Iterator[str]:
    yield from textwrap.wrap(text, WIDTH, initial_indent=f"      {name:5} ", subsequent_indent=" " * 12)


def _trouble(trouble: Trouble) -> Iterator[str]:
    where = f"{trouble.case}: {hexed(trouble.data)}" if trouble.case else "no single case is to blame"
    if trouble.memory:
        yield f"  {trouble.kind}: {where}"
        yield from _fact("where", trouble.detail)
    else:
        yield from _short_enough(f"  {trouble.kind}: {where}: {trouble.detail}", 6)
    if trouble.reproduce:
        yield f"      try   {trouble.reproduce}"


def _families(rows: Sequence[FamilyResult]) -> Iterator[str]:
    width = max(len(family.name) for family in rows)
    for family in rows:
        left = family.total - family.asked
        row = f"  {family.name:{width}}  {family.mode}  {family.passed:>11,} right"
        numbers = (
            (family.failed, "wrong"),
            (family.troubled, "without an answer"),
            (family.unsupported, "unsupported"),
        )
        row += "".join(f", {number:,} {word}" for number, word in numbers if number)
        yield row + (f", {left:,} not asked" if left > 0 else "")
