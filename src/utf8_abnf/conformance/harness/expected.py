"""Expected deviations: a TOML file with one entry for each class, and the reason why it is expected."""

from __future__ import annotations

import tomllib
from typing import TYPE_CHECKING, NamedTuple

from utf8_abnf.conformance.harness.phrases import hexed
from utf8_abnf.conformance.harness.report import KINDS
from utf8_abnf.conformance.suite import LEVELS
from utf8_abnf.errors import UsageError

if TYPE_CHECKING:
    from pathlib import Path

    from utf8_abnf.conformance.harness.report import Report

HEAD = """\
# Deviations that are expected of this decoder, one entry for each class, as `utf8-abnf test` names them.
# A deviation that is not in this file fails the test. So does an entry whose deviation does not occur any more, where
# `level` or a higher one is asked in full. With `where` the deviation is expected at these places alone.
"""


class Expected(NamedTuple):
    """The *reasons* for expected deviations, by their full keys, and the *level* at which they were seen, or ""."""

    reasons: dict[str, str]
    level: str


def read(path: Path) -> Expected:
    """Return what the file *path* expects; UsageError says what is wrong with it."""
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}") from None
    except ValueError as error:  # TOMLDecodeError and UnicodeDecodeError
        raise UsageError(f"{path}: {error}") from None
    except RecursionError:
        raise UsageError(f"{path}: values are nested too deeply") from None
    entries, level = content.get("deviation", []), content.get("level", "")
    if set(content) - {"deviation", "level"} or not isinstance(entries, list) or level not in ("", *LEVELS):
        holds = f"level, one of {', '.join(LEVELS)}, [[deviation]] entries, and nothing else"
        raise UsageError(f"{path}: a file of expected deviations holds {holds}")
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
    return Expected(expected, level)


def write(report: Report) -> str:
    """Return the text of a file that expects every deviation of *report*; reasons that were given before are kept."""
    entries = [
        f"\n[[deviation]]  # shortest: {hexed(deviation.example)}\n"
        f"kind = {_quoted(deviation.kind)}\nline = {_quoted(deviation.line)}\n"
        f"{f'where = {_quoted(deviation.where)}{chr(10)}' if deviation.where else ''}"
        f"reason = {_quoted(deviation.excused or 'TODO: why?')}\n"
        for deviation in report.deviations
    ]
    return f'{HEAD}level = "{report.level}"\n' + "".join(entries)


def _quoted(text: str) -> str:
    safe = "".join(each if each.isprintable() else f"\\u{ord(each):04X}" for each in text.replace("\\", "\\\\"))
    return '"' + safe.replace('"', '\\"') + '"'
