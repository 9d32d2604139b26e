"""Expected deviations: a TOML file with one entry for each class, and the reason why it is expected."""

from __future__ import annotations

import tomllib
from typing import TYPE_CHECKING

from utf8_abnf.conformance.harness.formats.phrases import hexed
from utf8_abnf.conformance.harness.report import KINDS
from utf8_abnf.errors import UsageError

if TYPE_CHECKING:
    from pathlib import Path

    from utf8_abnf.conformance.harness.report import Report

HEAD = """\
# Deviations that are expected of this decoder, one entry for each class, as `utf8-abnf test` names them.
# A deviation that is not in this file fails the test. So does an entry whose deviation does not occur any more.
# With `where` the deviation is expected at these places alone, without it at every place.
"""


def read(path: Path) -> dict[str, str]:
    """Return the full key of each deviation in the file *path*, with its reason; UsageError says what is wrong."""
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}") from None
    except ValueError as error:  # TOMLDecodeError and UnicodeDecodeError
        raise UsageError(f"{path}: {error}") from None
    except RecursionError:
        raise UsageError(f"{path}: values are nested too deeply") from None
    entries = content.get("deviation", [])
    if set(content) - {"deviation"} or not isinstance(entries, list):
        raise UsageError(f"{path}: a file of expected deviations holds [[deviation]] entries and nothing else")
    expected: dict[str, str] = {}
    for number, entry in enumerate(entries, 1):
        fields = {name: entry.get(name) for name in ("kind", "line", "reason")} if isinstance(entry, dict) else {}
        if not fields or not all(isinstance(value, str) and value for value in fields.values()):
            raise UsageError(f"{path}: entry {number} needs kind, line and reason, each a string that is not empty")
        if fields["kind"] not in KINDS:
            raise UsageError(
                f"{path}: entry {number} has kind {fields['kind']!r}; it must be one of {', '.join(KINDS)}"
            )
        where = entry.get("where", "")
        if not isinstance(where, str) or set(entry) - {*fields, "where"}:
            raise UsageError(f"{path}: entry {number} may have where, a string, and has nothing else")
        expected[f"{fields['kind']} {fields['line']}{f' ({where})' if where else ''}"] = str(fields["reason"])
    return expected


def write(report: Report) -> str:
    """Return the text of a file that expects every deviation of *report*; reasons that were given before are kept."""
    entries = [
        f"\n[[deviation]]  # shortest: {hexed(deviation.example)}\n"
        f"kind = {_quoted(deviation.kind)}\nline = {_quoted(deviation.line)}\n"
        f"{f'where = {_quoted(deviation.place)}{chr(10)}' if deviation.place else ''}"
        f"reason = {_quoted(deviation.excused or 'TODO: why?')}\n"
        for deviation in report.deviations
    ]
    return HEAD + "".join(entries)


def _quoted(text: str) -> str:
    safe = "".join(each if each.isprintable() else f"\\u{ord(each):04X}" for each in text.replace("\\", "\\\\"))
    return '"' + safe.replace('"', '\\"') + '"'
