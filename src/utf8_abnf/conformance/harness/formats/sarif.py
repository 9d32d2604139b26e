"""A report as SARIF 2.1.0: a rule for each kind of deviation and of trouble, a result for each of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from utf8_abnf.conformance.harness.phrases import details, hexed, summary
from utf8_abnf.conformance.harness.report import KINDS
from utf8_abnf.errors import UsageError

if TYPE_CHECKING:
    from utf8_abnf.conformance.harness.report import Deviation, Report, Trouble

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
NOT_JUDGED = "not_judged"
TROUBLES = {
    "crash": "the decoder crashed",
    "hang": "the decoder gave no answer in time",
    "missing": "the decoder left an answer out, and answered what it was asked next",
    "garbage": "the decoder wrote something that is not an answer",
    "excess_output": "the decoder wrote more than its answers",
}


def render(report: Report) -> str:
    """Return *report* as SARIF."""
    about = {
        **KINDS,
        **{_rule(kind): text for kind, text in TROUBLES.items()},
        NOT_JUDGED: "what the decoder does here was not judged",
    }
    rules = [{"id": name, "shortDescription": {"text": text}} for name, text in about.items()]
    results = [_deviation(report, deviation) for deviation in report.deviations]
    results += [_trouble(report, trouble) for trouble in report.troubles]
    level = "error" if report.strict else "warning"
    results += [_result(report, NOT_JUDGED, text, text, level) for text in report.not_judged]
    run: dict[str, Any] = {
        "tool": {
            "driver": {"name": "utf8-abnf", "informationUri": "https://www.rfc-editor.org/rfc/rfc3629", "rules": rules}
        },
        "invocations": [
            {
                "executionSuccessful": not report.stopped,
                "exitCode": report.exit_status,
                "exitCodeDescription": report.verdict,
            }
        ],
        "results": results,
        "properties": {"target": report.target, "level": report.level, "cases": report.cases, "failed": report.failed},
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2) + "\n"


def source_of(name: str) -> str:
    """Return the path of the source file *name* as SARIF wants it, relative to here; UsageError if it is elsewhere."""
    path = Path(name)
    if not path.is_file():
        raise UsageError(f"--source {name}: there is no such file")
    try:
        return path.resolve().relative_to(Path.cwd()).as_posix()
    except ValueError:
        raise UsageError(f"--source {name}: the file must be in the folder {Path.cwd()} or below") from None


def _rule(kind: str) -> str:
    """Return the name of the rule for a trouble: ``missing`` alone is what a decoder rejects."""
    return f"no_answer/{kind}"


def _result(report: Report, kind: str, text: str, name: str, level: str) -> dict[str, Any]:
    # Hosts refuse a location that is not a relative path, and want a line.
    file = {"artifactLocation": {"uri": quote(report.source)}, "region": {"startLine": 1}}
    location = {"logicalLocations": [{"fullyQualifiedName": name}]}
    return {
        "ruleId": kind,
        "message": {"text": text},
        "locations": [{"physicalLocation": file} | location if report.source else location],
        "partialFingerprints": {"deviation/v1": name},
        "level": level,
    }


def _deviation(report: Report, deviation: Deviation) -> dict[str, Any]:
    level = "error" if deviation.excused is None else "note"
    result = _result(report, deviation.kind, f"{summary(deviation)}\n{details(deviation)}", deviation.key, level)
    if deviation.excused is not None:
        result["suppressions"] = [{"kind": "external", "justification": deviation.excused}]
    return result


def _trouble(report: Report, trouble: Trouble) -> dict[str, Any]:
    text = f"{TROUBLES[trouble.kind]}: it {trouble.detail}\n{hexed(trouble.data)}"
    return _result(report, _rule(trouble.kind), text, trouble.case or trouble.kind, "error")
