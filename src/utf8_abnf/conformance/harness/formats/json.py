"""Writes a ``Report`` as JSON, as ``report.schema.json`` here describes it; and a run as JSON Lines.

A run has an object for each thing that is found, when it is found, and at last one with the whole report.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from utf8_abnf.conformance.harness.findings import Finding, LevelEnd
from utf8_abnf.conformance.harness.phrases import printed
from utf8_abnf.conformance.harness.report import Report
from utf8_abnf.language.notation import hex_bytes

if TYPE_CHECKING:
    from utf8_abnf.conformance.harness.report import Deviation, Trouble

SCHEMA_VERSION = 1
JSONL = "jsonl"  # the format's name on the command line
EVENTS = {Finding: "wrong", LevelEnd: "level", Report: "report"}


def render(report: Report) -> str:
    """Return *report* as indented JSON."""
    return json.dumps(plain(report), indent=2) + "\n"


def plain(report: Report) -> dict[str, Any]:
    """Return *report* as dicts, lists, strings and numbers; bytes are hex."""
    return {
        "schema": SCHEMA_VERSION,
        "target": report.target,
        "name": report.name,
        "version": report.version,
        "understood": report.understood,
        "level": report.level,
        "filtered": report.filtered,
        "modes": list(report.modes),
        "verdict": report.verdict,
        "conforms": report.conforms,
        "unsteady": report.unsteady,
        "cases": report.cases,
        "passed": report.passed,
        "failed": report.failed,
        "unsupported": report.unsupported,
        "not_judged": list(report.not_judged),
        "strict": report.strict,
        "stopped": report.stopped or None,
        "not_run": list(report.not_run),
        "seconds": round(report.seconds, 3),
        "families": [asdict(family) for family in report.families],
        "deviations": [_deviation(deviation) for deviation in report.deviations],
        "troubles": [_trouble(trouble) for trouble in report.troubles],
        "more_troubles": report.more_troubles,
        "unexpected_passes": list(report.unexpected_passes),
        "notes": list(report.notes),
        "theorem": report.theorem or None,
    }


def _deviation(deviation: Deviation) -> dict[str, Any]:
    return asdict(deviation) | {"example": hex_bytes(deviation.example), "key": deviation.key}


def _trouble(trouble: Trouble) -> dict[str, Any]:
    return asdict(trouble) | {"data": hex_bytes(trouble.data)}


def json_line(found: Finding | LevelEnd | Report) -> str:
    """Return *found* as an object whose ``event`` says what it is: wrong, level or report."""
    fields: dict[str, Any] = plain(printed(found)) if isinstance(found, Report) else found._asdict()
    shown = {name: hex_bytes(value) if isinstance(value, bytes) else value for name, value in fields.items()}
    return json.dumps({"event": EVENTS[type(found)], **shown})
