"""The matrix as JSON, as ``matrix.schema.json`` in this folder describes it."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING

from utf8_abnf.matrix.behaviour import behaviours
from utf8_abnf.matrix.row import SCHEMA

if TYPE_CHECKING:
    from utf8_abnf.matrix.row import Matrix


def render(matrix: Matrix) -> str:
    """Return *matrix* as indented JSON; bytes are hex."""
    about = {name: value for name, value in asdict(matrix).items() if name != "rows"}
    alike = [
        {"decoders": [row.name for row in each.rows], "deviations": sorted(one.key for one in each.deviations)}
        for each in behaviours(matrix.rows)
    ]
    whole = {"schema": SCHEMA, **about, "behaviours": alike, "rows": [row.to_json() for row in matrix.rows]}
    return json.dumps(whole, indent=1) + "\n"
