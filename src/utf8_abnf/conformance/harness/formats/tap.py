"""A report in the Test Anything Protocol, version 14: what is expected is TODO, what was not asked is SKIP."""

from __future__ import annotations

from typing import TYPE_CHECKING

from utf8_abnf.conformance.harness.formats.phrases import headline, title
from utf8_abnf.conformance.harness.formats.result_lines import ResultLine, result_lines

if TYPE_CHECKING:
    from utf8_abnf.conformance.harness.report import Report

DIRECTIVES = {"skip": " # SKIP", "expected": " # TODO"}


def render(report: Report) -> str:
    """Return *report* as TAP."""
    found = list(result_lines(report))
    lines = ["TAP version 14", f"1..{len(found)}", f"# {title(report)}", f"# {headline(report)}"]
    for number, result in enumerate(found, 1):
        lines += _lines(number, result)
    return "\n".join(lines) + "\n"


def _lines(number: int, result: ResultLine) -> list[str]:
    good = result.state in {"pass", "skip"}
    name = result.name.replace("\\", "\\\\").replace("#", "\\#").replace("\n", " ")
    first = f"{'ok' if good else 'not ok'} {number} - {name}{DIRECTIVES.get(result.state, '')}"
    if result.state == "pass":
        return [first]
    return [first, *(f"# {line}" for line in [result.summary, *result.text.splitlines()] if line)]
