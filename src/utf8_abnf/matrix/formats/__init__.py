"""The formats of the matrix: a module for each, with ``render(matrix) -> str``, and ``words`` for what they share."""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace
from importlib import import_module
from typing import TYPE_CHECKING, Any

from utf8_abnf.harness.process import printable as printable_line

if TYPE_CHECKING:
    from utf8_abnf.matrix.row import Matrix

FORMATS = {
    "text": "utf8_abnf.matrix.formats.text",
    "pruned": "utf8_abnf.matrix.formats.pruned",
    "json": "utf8_abnf.matrix.formats.json",
    "markdown": "utf8_abnf.matrix.formats.markdown",
    "html": "utf8_abnf.matrix.formats.html",
}
WITH_LINE_BREAKS = frozenset({"abnf", "anywhere", "checked", "command", "reproduce", "second_way"})


def render(matrix: Matrix, name: str) -> str:
    """Return *matrix* in the format *name*, one of ``FORMATS``."""
    return str(import_module(FORMATS[name]).render(printable(matrix)))


def printable(value: Any, name: str = "") -> Any:
    """Return *value* with printable text only: what a decoder writes must not control a terminal or break a format."""
    if isinstance(value, str):
        return "\n".join(map(printable_line, value.split("\n") if name in WITH_LINE_BREAKS else [value]))
    if isinstance(value, tuple):
        return tuple(printable(each, name) for each in value)
    if is_dataclass(value) and not isinstance(value, type):
        return replace(value, **{each.name: printable(getattr(value, each.name), each.name) for each in fields(value)})
    return value
