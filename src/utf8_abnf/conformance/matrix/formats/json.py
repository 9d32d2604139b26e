"""The matrix as JSON, as ``matrix.schema.json`` in this folder describes it, and back."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from utf8_abnf.conformance.matrix.behaviour import behaviours
from utf8_abnf.conformance.matrix.row import SCHEMA, Matrix, Row
from utf8_abnf.errors import UsageError

if TYPE_CHECKING:
    from pathlib import Path


def render(matrix: Matrix) -> str:
    """Return *matrix* as JSON with each row on a line, so that ``diff`` compares rows; bytes are hex."""
    about = {name: value for name, value in asdict(matrix).items() if name != "rows"}
    alike = [
        {"decoders": [row.name for row in each.rows], "deviations": sorted(one.key for one in each.deviations)}
        for each in behaviours(matrix.rows)
    ]
    lines = [f"{json.dumps(name)}: {json.dumps(value)}" for name, value in ({"schema": SCHEMA} | about).items()]
    lines += [f'"behaviours": {_on_lines(alike)}', f'"rows": {_on_lines([row.to_json() for row in matrix.rows])}']
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _on_lines(several: list[Any]) -> str:
    return "[\n" + ",\n".join(map(json.dumps, several)) + "\n]" if several else "[]"


def read(path: Path) -> Matrix:
    """Return the matrix that ``render`` wrote to *path*; UsageError if the file is not such a matrix."""
    try:
        facts = json.loads(path.read_text(encoding="utf-8"))
        rows = tuple(map(Row.from_json, facts.pop("rows")))
        del facts["schema"], facts["behaviours"]
        return Matrix(rows, **facts)
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}") from None
    except (AttributeError, KeyError, TypeError, ValueError, RecursionError) as error:
        raise UsageError(f"{path}: not a matrix as JSON ({type(error).__name__}: {error})") from None
