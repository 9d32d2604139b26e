"""``utf8-abnf grade --codes``: result codes of the play page in; a row for each with the right answers out."""

from __future__ import annotations

import csv
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from utf8_abnf.cli.status import ILL_FORMED, OK
from utf8_abnf.errors import UsageError
from utf8_abnf.teaching.grading.results import EXERCISES, read_code

if TYPE_CHECKING:
    from typing import TextIO


def grade_codes(paths: list[str], out: TextIO) -> int:
    """Write CSV with student, a column for each exercise, problem; return 1 if a line is not a code, else 0."""
    table = csv.writer(out, lineterminator="\n")
    table.writerow(["student", *EXERCISES, "problem"])
    status = OK
    for line in (line for path in paths for line in _text(path).splitlines() if line.strip()):
        result = read_code(line)
        if result:
            table.writerow([_cell(result.student), *result.right.values(), ""])
        else:
            table.writerow([""] * (1 + len(EXERCISES)) + [f"not a code: {line.strip()[:80]!r}"])
            status = ILL_FORMED
    return status


def _text(path: str) -> str:
    if path == "-":
        return sys.stdin.read()
    try:
        return Path(path).read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as problem:
        raise UsageError(f"{path}: {problem}") from None


def _cell(name: str) -> str:
    """Return *name* so that no spreadsheet takes it for a formula."""
    return f"'{name}" if name.startswith(("=", "+", "-", "@")) else name
