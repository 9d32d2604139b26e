"""Reports with nothing in them that could control a terminal."""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace
from typing import Any

from utf8_abnf.conformance.harness.driving.process import printable


def printed(value: Any, name: str = "") -> Any:
    """Return *value* with all its text printable: what a decoder says must not control a terminal or break a format."""
    if isinstance(value, str):
        return value if name == "theorem" else printable(value)
    if isinstance(value, tuple):
        return tuple(printed(each) for each in value)
    if is_dataclass(value) and not isinstance(value, type):
        return replace(value, **{each.name: printed(getattr(value, each.name), each.name) for each in fields(value)})
    return value
