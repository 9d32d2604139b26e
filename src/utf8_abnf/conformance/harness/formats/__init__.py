"""Formats of a report: ``render`` returns it in one of ``FORMATS``, each a module with ``render(report)``."""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace
from typing import TYPE_CHECKING, Any

from utf8_abnf.conformance.harness.driving.process import printable
from utf8_abnf.conformance.harness.formats import github, html, json, junit, markdown, sarif, text
from utf8_abnf.errors import UsageError

if TYPE_CHECKING:
    from utf8_abnf.conformance.harness.report import Report

FORMATS = {
    "text": text,
    "json": json,
    "junit": junit,
    "markdown": markdown,
    "sarif": sarif,
    "html": html,
    "github": github,
}


def render(report: Report, name: str) -> str:
    """Return *report* as text in the format *name*, one of ``FORMATS``; UsageError for any other name."""
    if name not in FORMATS:
        raise UsageError(f"there is no report format {name!r}; choose one of {', '.join(FORMATS)}")
    return str(FORMATS[name].render(_printable(report)))


def notebook_html(report: Report) -> str:
    """Return *report* as HTML without head and style, for a notebook."""
    return html.part(_printable(report))


def _printable(value: Any, name: str = "") -> Any:
    """Return *value* with all its text printable: what a decoder says must not control a terminal or break a format."""
    if isinstance(value, str):
        return value if name == "theorem" else printable(value)
    if isinstance(value, tuple):
        return tuple(_printable(each) for each in value)
    if is_dataclass(value) and not isinstance(value, type):
        return replace(value, **{each.name: _printable(getattr(value, each.name), each.name) for each in fields(value)})
    return value
