"""Formats of a report: ``render`` returns it in one of ``FORMATS``, each a module with ``render(report)``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from utf8_abnf.conformance.harness.formats import json, junit, markdown, sarif, text
from utf8_abnf.conformance.harness.phrases import printed
from utf8_abnf.errors import UsageError

if TYPE_CHECKING:
    from utf8_abnf.conformance.harness.report import Report

FORMATS = {"text": text, "json": json, "junit": junit, "markdown": markdown, "sarif": sarif}


def render(report: Report, name: str, *, verbose: bool = False) -> str:
    """Return *report* as text in the format *name*, one of ``FORMATS``; UsageError for any other name.

    The format text shows the families of cases with wrong answers alone, unless it is *verbose*.
    """
    if name not in FORMATS:
        raise UsageError(f"there is no report format {name!r}; choose one of {', '.join(FORMATS)}")
    if name == "text":
        return text.render(printed(report), verbose=verbose)
    return str(FORMATS[name].render(printed(report)))
