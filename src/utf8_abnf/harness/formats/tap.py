"""A report in the Test Anything Protocol, version 14: expected deviations are TODO, what was not asked is SKIP."""

from __future__ import annotations

from typing import TYPE_CHECKING

from utf8_abnf.harness.outcomes import Outcome, outcomes

if TYPE_CHECKING:
    from utf8_abnf.harness.report import Report

DIRECTIVES = {"skip": " # SKIP", "expected": " # TODO"}


def render(report: Report) -> str:
    """Return *report* as TAP."""
    found = list(outcomes(report))
    lines = ["TAP version 14", f"1..{len(found)}"]
    for number, each in enumerate(found, 1):
        lines += _lines(number, each)
    return "\n".join(lines) + "\n"


def _lines(number: int, outcome: Outcome) -> list[str]:
    good = outcome.state in {"pass", "skip"}
    name = outcome.name.replace("\\", "\\\\").replace("#", "\\#").replace("\n", " ")
    lines = [f"{'ok' if good else 'not ok'} {number} - {name}{DIRECTIVES.get(outcome.state, '')}"]
    return lines + [
        f"# {line}" for line in [outcome.summary, *outcome.text.splitlines()] if line and outcome.state != "pass"
    ]
