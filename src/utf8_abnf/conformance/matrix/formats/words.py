"""What all pages say, as plain sentences: each page adds its own markup."""

from __future__ import annotations

from typing import TYPE_CHECKING

from utf8_abnf.conformance.harness.phrases import hexed
from utf8_abnf.conformance.matrix.long_inputs import writes
from utf8_abnf.conformance.matrix.recheck import command_line
from utf8_abnf.conformance.matrix.row import CONFIRMED, UNCONFIRMED, VERDICTS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from utf8_abnf.conformance.matrix.row import Matrix, Row

MAX_SHOWN = 20  # classes of one decoder: the JSON has all
NO_PROMISE = "promises nothing about ill-formed data"


def introduction(matrix: Matrix) -> Iterator[str]:
    """Yield sentences: what was done, where and when, and what a deviation is."""
    yield (
        f"{len(matrix.tested)} of {len(matrix.rows)} known decoders, tested with level {matrix.level} of the suites on "
        f"{matrix.system}, {matrix.machine}, {matrix.cores} cores, {matrix.date}."
    )
    count = sum(row.learned is not None for row in matrix.tested)
    learned = "" if matrix.k is None else f", {count} of them learned to k = {matrix.k}"
    yield f"Made by utf8-abnf matrix ({matrix.made_by}, Python {matrix.python}){learned}."
    yield (
        "A deviation is a line of ABNF that the decoder accepts and RFC 3629 does not derive (extra), or the other way "
        "round (missing). It is a deviation from RFC 3629, not from what the decoder promises."
    )
    yield "A shell command without our adapter asks each of these examples again, and the row shows it."


def legend(matrix: Matrix) -> Iterator[tuple[str, str]]:
    """Yield each verdict that occurs, with its meaning."""
    used = {row.verdict for row in matrix.rows}
    yield from ((name, meaning) for name, meaning in VERDICTS.items() if name in used)


def promise(row: Row) -> str:
    """Return what the decoder promises, and the words of its documentation on ill-formed data if it has some."""
    return f'{row.claim}: "{row.quote}"' if row.quote else f"{row.claim}; its documentation {NO_PROMISE}"


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
    direct = [each.example for each in found if each.in_verdicts and row.second_way]
    lines = [
        f"utf8-abnf smoke known:{row.name} '{hexed(each.example)}'" for each in found if each.example not in direct
    ]
    sent = [writes(example) for example in direct]
    if len(direct) == 1:
        lines.insert(0, command_line(direct[0], row.second_way))
    elif direct:
        body = f"\n{row.second_way}\n" if "\n" in row.second_way else f" {row.second_way} "
        lines[:0] = [f"ask() ({body})", *(f"{each} | ask; echo $?" for each in sent if each)]
    return "\n".join(filter(None, lines))
