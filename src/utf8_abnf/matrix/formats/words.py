"""What the pages say, as sentences without marks: each page puts them into its own form."""

from __future__ import annotations

from typing import TYPE_CHECKING

from utf8_abnf.harness.formats import hexed
from utf8_abnf.matrix.row import CONFIRMED, UNCONFIRMED, VERDICTS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from utf8_abnf.matrix.row import Matrix, Row

PLAIN = "no departure was found"
MOST_SHOWN = 40  # classes of one decoder: the JSON has all
NOT_OFFERED = "-"
BESIDE = ("offsets", "replacement", "streaming")


def introduction(matrix: Matrix) -> Iterator[str]:
    """Yield sentences: what was done, where, when, and what a departure is."""
    yield (
        f"What {len(matrix.tested)} of {len(matrix.rows)} known decoders make of level {matrix.level} of the suites, "
        f"on {matrix.system}, {matrix.machine}, {matrix.cores} cores, {matrix.date}."
    )
    learned = "" if matrix.k is None else f", each learned to k = {matrix.k}"
    yield (
        f"Made by utf8-abnf matrix ({matrix.made_by}, Python {matrix.python}){learned}; it does the same for the "
        "decoders that you have."
    )
    yield (
        "A departure is a line of ABNF that the decoder accepts and RFC 3629 does not derive (extra), or the other way "
        "round (missing), with its shortest example."
    )
    yield "It is a departure from RFC 3629, not from what the decoder promises: some promise something else."
    yield (
        "Every departure in what is accepted has been put to the decoder a second time, without our adapter. "
        "The command is shown; its exit status is 0 where the decoder accepts and 1 where it rejects."
    )
    yield (
        "Offsets, replacement and streaming are seen through the adapter only; "
        f"{NOT_OFFERED} means that there is no such interface."
    )


def legend(matrix: Matrix) -> Iterator[tuple[str, str]]:
    """Yield the verdicts that occur, each with its meaning."""
    used = {row.verdict for row in matrix.rows}
    yield from ((name, meaning) for name, meaning in VERDICTS.items() if name in used)


def verdict_of(row: Row) -> str:
    """Return the verdict, and the reason where there is one."""
    return f"{row.verdict}: {row.reason}" if row.reason else row.verdict


def beside(row: Row) -> tuple[str, str, str]:
    """Return the conventions for offsets, replacement and streaming."""
    if not row.tested:
        return "", "", ""
    return row.offsets or NOT_OFFERED, row.replacement or NOT_OFFERED, row.streaming or NOT_OFFERED


def dialect_of(row: Row) -> str:
    """Return the name of the grammar that describes the decoder, "" where none does."""
    return row.learned.dialect if row.learned else ""


def unjudged(row: Row) -> str:
    """Return how much the decoder's interface could not be given."""
    if not row.unjudged and row.unjudged_example is None:
        return ""
    example = f", such as {hexed(row.unjudged_example)}" if row.unjudged_example is not None else ""
    declared = "" if row.refuses else "; nothing of that kind is declared"
    return f"{row.unjudged:,} of {row.cases:,} tests{example}{declared}"


def second_way(row: Row) -> str:
    """Return what came of the second way, in a sentence."""
    states = [each.check.state for each in row.departures if each.about_acceptance]
    if not row.second_way:
        return "There is no second way to ask it." if states else "It was not asked a second way."
    confirmed = states.count(CONFIRMED)
    if not states:
        return "The direct way agrees on the controls." if not row.controls else "The direct way disagrees on controls."
    more = "" if row.verdict != UNCONFIRMED else ", so nothing here is a fact yet"
    return f"Asked directly, it confirms {confirmed} of {len(states)} departures in what is accepted{more}."


def commands_of(row: Row) -> list[str]:
    """Return commands that show the departures: the direct ones or, where there is none, through the adapter."""
    found = (each.check.command or each.reproduce for each in row.departures[:MOST_SHOWN])
    return [command for command in dict.fromkeys(found) if command]
