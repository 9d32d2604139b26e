"""A report as workflow commands of GitHub Actions: an annotation for each thing that fails."""

from __future__ import annotations

from typing import TYPE_CHECKING

from utf8_abnf.conformance.harness.formats.result_lines import result_lines
from utf8_abnf.conformance.harness.phrases import headline, title

if TYPE_CHECKING:
    from utf8_abnf.conformance.harness.report import Report

LEVELS = {"fail": "error", "trouble": "error", "expected": "notice", "skip": "warning"}


def render(report: Report) -> str:
    """Return *report* as ``::error``, ``::warning`` and ``::notice`` lines."""
    lines = [
        f"::{LEVELS[result.state]} title={_escaped(result.name, ':,')}::"
        + _escaped(f"{result.summary}\n{result.text}".strip())
        for result in result_lines(report)
        if result.state in LEVELS and not result.name.startswith("family ")
    ]
    return "\n".join([*lines, f"{title(report)}: {headline(report)}"]) + "\n"


def _escaped(text: str, more: str = "") -> str:
    for mark in "%\r\n" + more:
        text = text.replace(mark, f"%{ord(mark):02X}")
    return text
