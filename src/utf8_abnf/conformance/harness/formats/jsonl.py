"""A run as JSON Lines: an object for each thing that is found when it is found, at last one with the whole report."""

from __future__ import annotations

import json
from typing import Any

from utf8_abnf.conformance.harness.findings import Finding, LevelEnd
from utf8_abnf.conformance.harness.formats.json import plain
from utf8_abnf.conformance.harness.formats.printable import printed
from utf8_abnf.conformance.harness.report import Report
from utf8_abnf.language.notation import hex_bytes

JSONL = "jsonl"  # the format's name on the command line
EVENTS = {Finding: "wrong", LevelEnd: "level", Report: "report"}


def json_line(found: Finding | LevelEnd | Report) -> str:
    """Return *found* as an object whose ``event`` says what it is: wrong, level or report."""
    fields: dict[str, Any] = plain(printed(found)) if isinstance(found, Report) else found._asdict()
    shown = {name: hex_bytes(value) if isinstance(value, bytes) else value for name, value in fields.items()}
    return json.dumps({"event": EVENTS[type(found)], **shown})
