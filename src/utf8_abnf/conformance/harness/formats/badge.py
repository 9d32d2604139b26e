"""A report as a badge: the JSON that the endpoint badge of shields.io reads."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from utf8_abnf.conformance.harness.report import Report

COLOURS = {"pass": "brightgreen", "expected": "green", "fail": "red", "stopped": "lightgrey"}


def render(report: Report) -> str:
    """Return *report* as a badge's label, message and colour."""
    unexpected = (
        sum(deviation.excused is None for deviation in report.deviations)
        + bool(report.troubles)
        + len(report.unexpected_passes)
    )
    words = {
        "pass": f"conforms ({report.level}{', not all judged' * bool(report.not_judged)})",
        "expected": f"as expected ({report.level})",
        "fail": f"{unexpected} deviation{'s' * (unexpected != 1)}",
        "stopped": "stopped",
    }
    badge = {
        "schemaVersion": 1,
        "label": "UTF-8 RFC 3629",
        "message": words[report.verdict],
        "color": COLOURS[report.verdict],
    }
    return json.dumps(badge) + "\n"
