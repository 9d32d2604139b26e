"""The matrix as JSON, as ``matrix.schema.json`` in this folder describes it, and back."""

from __future__ import annotations

import json
from dataclasses import fields
from typing import TYPE_CHECKING

from utf8_abnf.conformance.harness.known import decoders
from utf8_abnf.conformance.matrix.examining import described
from utf8_abnf.conformance.matrix.row import SCHEMA, Matrix, Row, cleaned
from utf8_abnf.errors import UsageError

if TYPE_CHECKING:
    from pathlib import Path


def render(matrix: Matrix) -> str:
    """Return *matrix* as JSON with each row on a line, so that ``diff`` compares rows; bytes are hex."""
    about = {each.name: getattr(matrix, each.name) for each in fields(matrix) if each.name != "rows"}
    lines = [f"{json.dumps(name)}: {json.dumps(value)}" for name, value in ({"schema": SCHEMA} | about).items()]
    rows = ",\n".join(json.dumps(row.to_json()) for row in matrix.rows)
    return "{\n" + ",\n".join([*lines, f'"rows": [\n{rows}\n]']) + "\n}\n"


def read(path: Path) -> Matrix:
    """Return the matrix that ``render`` wrote to *path*; UsageError if the file is not such a matrix.

    What a row says of its decoder in words is that of today.
    """
    try:
        facts = json.loads(path.read_text(encoding="utf-8"))
        if facts.pop("schema") != SCHEMA:
            raise UsageError(f"{path}: not schema {SCHEMA} of the matrix: make it again")
        known = {each.name: each for each in decoders()}
        rows = [cleaned(Row.from_json(row)) for row in facts.pop("rows")]
        return Matrix(tuple(described(row, known[row.name]) if row.name in known else row for row in rows), **facts)
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}") from None
    except (AttributeError, KeyError, TypeError, ValueError, RecursionError) as error:
        raise UsageError(f"{path}: not a matrix as JSON ({type(error).__name__}: {error})") from None
