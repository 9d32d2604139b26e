"""What all pages say, as plain sentences: each page adds its own markup."""

from __future__ import annotations

from typing import TYPE_CHECKING

from utf8_abnf.conformance.harness.formats.phrases import hexed
from utf8_abnf.conformance.matrix.long_inputs import writes
from utf8_abnf.conformance.matrix.recheck import command_line
from utf8_abnf.conformance.matrix.row import CONFIRMED, UNCONFIRMED, VERDICTS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from utf8_abnf.conformance.matrix.row import Matrix, Row

MAX_SHOWN = 20  # classes of one decoder: the JSON has all
NOT_OFFERED = "-"
HEAD = (
    *("decoder", "version", "what is called", "promises", "verdict", "second way", "tests", "not judged", "learned"),
    *("offsets", "replacement", "streaming"),
)


def introduction(matrix: Matrix) -> Iterator[str]:
    """Yield sentences: what was done, where and when, and what a deviation is."""
    yield (
        f"{len(matrix.tested)} of {len(matrix.rows)} known decoders, tested with level {matrix.level} of the suites on "
        f"{matrix.system}, {matrix.machine}, {matrix.cores} cores, {matrix.date}."
    )
    count = sum(row.learned is not None for row in matrix.tested)
    learned = "" if matrix.k is None else f", {count} of them learned to k = {matrix.k}"
    yield (
        f"Made by utf8-abnf matrix ({matrix.made_by}, Python {matrix.python}){learned}; the command does the same with "
        "the decoders on your machine."
    )
    yield (
        "A deviation is a line of ABNF that the decoder accepts and RFC 3629 does not derive (extra), or the other way "
        "round (missing), with its shortest example."
    )
    yield "It is a deviation from RFC 3629, not from what the decoder promises: some decoders promise something else."
    yield (
        "The decoder was asked about each of these examples a second time, by a shell command without our adapter; if "
        "that did not confirm the deviation, the row says so. The command is shown; its exit status is 0 for accepted "
        "and 1 for rejected."
    )
    yield "Offsets, replacement and streaming were seen through our adapter only."


def legend(matrix: Matrix) -> Iterator[tuple[str, str]]:
    """Yield each verdict that occurs, with its meaning."""
    used = {row.verdict for row in matrix.rows}
    yield from ((name, meaning) for name, meaning in VERDICTS.items() if name in used)


def verdict_of(row: Row) -> str:
    """Return the verdict and, if there is one, the reason."""
    return f"{row.verdict}: {row.reason}" if row.reason else row.verdict


def cells(row: Row) -> tuple[str, ...]:
    """Return the row of the table of all decoders, a cell for each of ``HEAD``."""
    known = (row.name, row.version, row.about, row.claim, verdict_of(row))
    if not row.tested:
        return *known, *([""] * (len(HEAD) - len(known)))
    tests = f"{row.cases:,} of {row.level}"
    not_judged = ": ".join(part for part in (f"{row.unjudged:,}" if row.unjudged else "", row.refuses) if part)
    conventions = (each or NOT_OFFERED for each in (row.offsets, row.replacement, row.streaming))
    return *known, _in_short(row), tests, not_judged, learned_of(row), *conventions


def first_rows(rows: Iterable[Row]) -> dict[str, Row]:
    """Return for each name of *rows* the first row that has the same classes, several of them; else the row itself."""
    firsts: dict[tuple[str, ...], Row] = {}
    found = {}
    for row in rows:
        first = firsts.setdefault(tuple(sorted(each.key for each in row.facts)), row)
        found[row.name] = first if len(row.facts) > 1 else row
    return found


def learned_of(row: Row) -> str:
    """Return the name of the grammar that the decoder follows, or "a grammar of its own", or why nothing is known."""
    if row.learned is None:
        return f"no: {row.not_learned}" if row.not_learned else ""
    return row.learned.dialect or "a grammar of its own"


def _in_short(row: Row) -> str:
    states = [each.check.state for each in row.deviations if each.in_verdicts]
    if not row.second_way:
        return NOT_OFFERED
    if row.controls:
        return "does not agree on the control inputs"
    return f"confirms {states.count(CONFIRMED)} of {len(states)}" if states else "agrees on the control inputs"


def promise(row: Row) -> str:
    """Return what the decoder promises, and the words of its documentation on it if they are known."""
    return f'{row.claim}: "{row.quote}"' if row.quote else row.claim


def dialect_of(row: Row) -> str:
    """Return the name of the shipped grammar that describes the decoder, "" if there is none."""
    return row.learned.dialect if row.learned else ""


def unjudged(row: Row) -> str:
    """Return how many inputs the decoder's interface cannot take, "" for none."""
    if not row.unjudged and row.unjudged_example is None:
        return ""
    example = f", inputs such as {hexed(row.unjudged_example)}" if row.unjudged_example is not None else ""
    declared = "" if row.refuses else "; the decoder's row does not declare such inputs"
    return f"{row.unjudged or 'none'} of {row.cases:,} tests{', in learning' * (not row.unjudged)}{example}{declared}"


def second_way(row: Row) -> str:
    """Return the result of the second way in a sentence."""
    states = [each.check.state for each in row.deviations if each.in_verdicts]
    if not row.second_way:
        return "There is no second way to ask it." if states else "It was not asked a second way."
    confirmed = states.count(CONFIRMED)
    if not states:
        return f"The direct command {'does not agree' if row.controls else 'agrees'} on the control inputs."
    more = "" if row.verdict != UNCONFIRMED else ", so they are not facts yet"
    return f"The direct command confirms {confirmed} of {len(states)} deviations in verdicts{more}."


def anywhere(row: Row) -> str:
    """Return the command that fetches the package of *row* and shows its first deviation, if it has one."""
    confirmed = [each for each in row.deviations if each.check.state == CONFIRMED]
    return command_line(confirmed[0].example, row.anywhere) if confirmed else row.anywhere


def commands_of(row: Row) -> str:
    """Return shell commands that show the deviations: direct commands and, where there are none, our adapter."""
    found = row.deviations[:MAX_SHOWN]
    direct = [each for each in found if each.check.command]
    lines = [each.reproduce for each in found if each.reproduce and not each.check.command]
    if len(direct) == 1:
        lines.insert(0, direct[0].check.command)
    elif direct:
        body = f"\n{row.second_way}\n" if "\n" in row.second_way else f" {row.second_way} "
        lines[:0] = [f"ask() ({body})", *(f"{writes(each.example)} | ask; echo $?" for each in direct)]
    return "\n".join(lines)
