"""Reports as text: one module for each format, each with ``render(report) -> str``, all of them in one table."""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace
from importlib import import_module
from typing import TYPE_CHECKING, Any

from utf8_abnf.errors import UsageError
from utf8_abnf.harness.process import printable

if TYPE_CHECKING:
    from utf8_abnf.harness.report import Report

FORMATS = {
    "text": "utf8_abnf.harness.formats.text",
    "json": "utf8_abnf.harness.formats.json",
    "junit": "utf8_abnf.harness.formats.junit",
    "tap": "utf8_abnf.harness.formats.tap",
    "markdown": "utf8_abnf.harness.formats.markdown",
    "sarif": "utf8_abnf.harness.formats.sarif",
    "html": "utf8_abnf.harness.formats.html",
    "badge": "utf8_abnf.harness.formats.badge",
    "github": "utf8_abnf.harness.formats.github",
}


def render(report: Report, name: str) -> str:
    """Return *report* in the format *name*, one of ``FORMATS``; UsageError for any other name."""
    if name == "html-part":  # not a file, so not in the table: the page without its head, which a notebook has
        return str(import_module(FORMATS["html"]).part(_printable(report)))
    if name not in FORMATS:
        raise UsageError(f"there is no report format {name!r}; choose one of {', '.join(FORMATS)}")
    return str(import_module(FORMATS[name]).render(_printable(report)))


def _printable(value: Any, name: str = "") -> Any:
    """Return *value* with all text in it printable: a decoder's words must not drive a terminal or break a format."""
    if isinstance(value, str):
        return value if name == "theorem" else printable(value)
    if isinstance(value, tuple):
        return tuple(_printable(each) for each in value)
    if is_dataclass(value) and not isinstance(value, type):
        return replace(value, **{each.name: _printable(getattr(value, each.name), each.name) for each in fields(value)})
    return value


def hexed(data: bytes, most: int = 16) -> str:
    """Return *data* as two-digit hex numbers; the middle of a long one is left out.

    >>> hexed(b"ab"), hexed(b""), hexed(bytes(20), 4)
    ('61 62', 'the empty input', '00 00 ... 00 00 (20 bytes)')
    """
    if len(data) <= most:
        return data.hex(" ").upper() or "the empty input"
    half = most // 2
    return f"{data[:half].hex(' ').upper()} ... {data[-half:].hex(' ').upper()} ({len(data)} bytes)"


HEADLINES = {
    "pass": "PASS",
    "expected": "PASS, with expected deviations",
    "fail": "FAIL",
    "stopped": "STOPPED",
}


def headline(report: Report) -> str:
    """Return the verdict and the numbers in one line."""
    parts = [f"{report.cases:,} cases", f"{report.failed:,} wrong"]
    troubled = sum(family.troubled for family in report.families)
    if troubled:
        parts.append(f"{troubled:,} without an answer")
    if report.unsupported:
        parts.append(f"{report.unsupported:,} that the decoder cannot judge")
    return f"{HEADLINES[report.verdict]}: {', '.join(parts)}, {report.seconds:.1f} s"


def title(report: Report) -> str:
    """Return who was tested, and how."""
    version = f" {report.version}" if report.version else ""
    via = f" ({report.target})" if report.target != report.name else ""
    filtered = f", only {report.filtered}" if report.filtered else ""
    return f"{report.name}{version}{via}, level {report.level}{filtered}"
