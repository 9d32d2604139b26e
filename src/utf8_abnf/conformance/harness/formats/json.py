"""Writes a ``Report`` as JSON, as ``report.schema.json`` here describes it; and a run as JSON Lines.

A run has an object for each thing that is found, when it is found, and at last one with the whole report.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from utf8_abnf.conformance.harness.findings import Finding, LevelEnd
from utf8_abnf.conformance.harness.phrases import printed
from utf8_abnf.conformance.harness.report import Deviation, Report
from utf8_abnf.language.notation import hex_bytes

SCHEMA_VERSION = 1
FIELDS = (
    *("target", "name", "version", "understood", "level", "filtered", "modes", "verdict", "conforms", "unsteady"),
    *("cases", "passed", "failed", "unsupported", "not_judged", "strict", "stopped", "not_run", "seconds", "families"),
    *("deviations", "troubles", "more_troubles", "unexpected_passes", "notes", "theorem"),
)
JSONL = "jsonl"  # the format's name on the command line
EVENTS = {Finding: "wrong", LevelEnd: "level", Report: "report"}


def render(report: Report) -> str:
    """Return *report* as indented JSON."""
    return json.dumps(_fields(report), indent=2, default=_plain) + "\n"


def json_line(found: Finding | LevelEnd | Report) -> str:
    """Return *found* as an object whose ``event`` says what it is: wrong, level or report."""
    fields = _fields(printed(found)) if isinstance(found, Report) else found._asdict()
    return json.dumps({"event": EVENTS[type(found)], **fields}, default=_plain)


def _fields(report: Report) -> dict[str, Any]:
    fields = {"schema": SCHEMA_VERSION} | {name: getattr(report, name) for name in FIELDS}
    not_text = {name: fields[name] or None for name in ("stopped", "theorem")}
    return fields | not_text | {"seconds": round(report.seconds, 3)}


def _plain(value: Any) -> Any:
    """Return *value*, which JSON does not have: bytes as hex, a dataclass as an object."""
    if isinstance(value, bytes):
        return hex_bytes(value)
    return asdict(value) | ({"key": value.key} if isinstance(value, Deviation) else {})
