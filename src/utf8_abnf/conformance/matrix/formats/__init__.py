"""The formats of the matrix: a module for each, with ``render(matrix) -> str``, and ``words`` for what they share."""

from __future__ import annotations

import re
from dataclasses import fields, is_dataclass, replace
from typing import TYPE_CHECKING, Any

from utf8_abnf.conformance.harness.driving.process import printable as printable_line
from utf8_abnf.conformance.matrix.formats import html, json, text

if TYPE_CHECKING:
    from utf8_abnf.conformance.matrix.row import Matrix

FORMATS = {"text": text, "json": json, "html": html}
# Fields whose line breaks and tabs stay: Go with \t for a tab does not compile.
OF_SEVERAL_LINES = frozenset({"abnf", "anywhere", "second_way"})


def render(matrix: Matrix, name: str) -> str:
    """Return *matrix* in the format *name*, one of ``FORMATS``."""
    return str(FORMATS[name].render(printable(matrix)))


def printable(value: Any, name: str = "") -> Any:
    """Return *value* with printable text only: what a decoder writes must not control a terminal or break a format."""
    if isinstance(value, str):
        parts = re.split(r"([\n\t])", value) if name in OF_SEVERAL_LINES else [value]
        return "".join(part if part in {"\n", "\t"} and len(parts) > 1 else printable_line(part) for part in parts)
    if isinstance(value, tuple):
        return tuple(printable(each, name) for each in value)
    if is_dataclass(value) and not isinstance(value, type):
        return replace(value, **{each.name: printable(getattr(value, each.name), each.name) for each in fields(value)})
    return value
