"""The formats of the matrix: a module for each, with ``render(matrix) -> str``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from utf8_abnf.conformance.matrix.formats import html, json, text

if TYPE_CHECKING:
    from utf8_abnf.conformance.matrix.row import Matrix

FORMATS = {"text": text, "json": json, "html": html}


def render(matrix: Matrix, name: str) -> str:
    """Return *matrix* in the format *name*, one of ``FORMATS``."""
    return str(FORMATS[name].render(matrix))
