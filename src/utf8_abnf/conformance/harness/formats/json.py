"""A report as JSON, as ``report.schema.json`` in this folder describes it."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from utf8_abnf.language.notation import hex_bytes

if TYPE_CHECKING:
    from utf8_abnf.conformance.harness.report import Deviation, Report, Trouble

SCHEMA_VERSION = 1


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
