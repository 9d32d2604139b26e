"""Phrases that all formats share: who was tested, the verdict with its numbers, and bytes in hex."""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace
from typing import TYPE_CHECKING, Any

from utf8_abnf.language.notation import hex_bytes, printable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from utf8_abnf.conformance.harness.report import Deviation, Report


def example_of(deviation: Deviation) -> str:
    """Return the example of *deviation*, and as text where a grammar other than UTF-8's can be read so."""
    data = deviation.example
    is_text = data and not deviation.section and data.isascii() and data.decode().isprintable()
    return f'{hexed(data)} = "{data.decode()}"' if is_text else hexed(data)


def cut_into(chunks: Sequence[int], most: int = 8) -> str:
    """Return in words how a stream was cut; of more than *most* chunks the first ones are shown.

    >>> cut_into((1, 2)), cut_into((1, 2, 3), 2)
    ('cut into (1, 2)', 'cut into (1, 2, ...), 3 chunks in all')
    """
    if len(chunks) <= most:
        return f"cut into {tuple(chunks)}"
    return f"cut into ({', '.join(map(str, chunks[:most]))}, ...), {len(chunks):,} chunks in all"


def hexed(data: bytes, most: int = 16) -> str:
    """Return *data* as two-digit hex numbers; of more than *most* bytes the middle is left out.

    >>> hexed(b"ab"), hexed(b""), hexed(bytes(20), 4)
    ('61 62', 'the empty input', '00 00 ... 00 00 (20 bytes)')
    """
    if len(data) <= most:
        return hex_bytes(data) or "the empty input"
    half = most // 2
    return f"{hex_bytes(data[:half])} ... {hex_bytes(data[-half:])} ({len(data)} bytes)"


HEADLINES = {
    "pass": "PASS: conforms",
    "expected": "PASS: conforms, with expected deviations",
    "fail": "FAIL",
    "stopped": "STOPPED",
}


def headline(report: Report) -> str:
    """Return the verdict, what was not judged, and the numbers, in one line."""
    parts = [f"{report.cases:,} cases", f"{report.failed:,} wrong"]
    troubled = sum(family.troubled for family in report.families)
    if troubled:
        parts.append(f"{troubled:,} without an answer")
    unsteady = ", unsteady" if report.unsteady else ""
    early = ", stopped early" if report.stopped and report.verdict != "stopped" else ""
    strict = ", with --strict" if report.strict and report.not_judged else ""
    if report.verdict == "fail" and not (report.passed or report.failed or report.troubles):
        strict = ": no case could be judged"
    numbers = f"{', '.join(parts)}, {report.seconds:.1f} s"
    return "; ".join([f"{HEADLINES[report.verdict]}{unsteady}{early}{strict}", *report.not_judged, numbers])


def not_run(report: Report) -> str:
    """Return which levels were not run, in words, "" if all were."""
    return f"{' and '.join(report.not_run)} not run, because a lower level failed" if report.not_run else ""


def title(report: Report) -> str:
    """Return in one line who was tested, and how."""
    version = f" {report.version}" if report.version else ""
    via = f" ({report.target})" if report.target != report.name else ""
    filtered = f", only {report.filtered}" if report.filtered else ""
    unsteady = ", UNSTEADY: it answers the same input in two ways" if report.unsteady else ""
    understood = f"; {report.understood}" if report.understood else ""
    return f"{report.name}{version}{via}, level {report.level}{filtered}{unsteady}{understood}"


def printed(value: Any, name: str = "") -> Any:
    """Return *value* with all its text printable: what a decoder says must not control a terminal or break a format."""
    if isinstance(value, str):
        return value if name == "theorem" else printable(value)
    if isinstance(value, tuple):
        return tuple(printed(each) for each in value)
    if is_dataclass(value) and not isinstance(value, type):
        return replace(value, **{each.name: printed(getattr(value, each.name), each.name) for each in fields(value)})
    return value


def summary(deviation: Deviation) -> str:
    """Return *deviation* in one line."""
    count = deviation.count
    many = f"{count:,} case{'s' * (count > 1)}" if count else "in no case, but seen when asked"
    excuse = f"; expected: {deviation.excused}" if deviation.excused is not None else ""
    return f"{deviation.kind}: {deviation.line}, shortest {example_of(deviation)}, {many}{excuse}"


def details(deviation: Deviation) -> str:
    """Return what is known about *deviation*, one line for each fact."""
    facts = (
        ("why", f"{deviation.why} ({deviation.reference})" if deviation.why else deviation.reference),
        ("where", deviation.detail),
        ("risk", deviation.security),
        ("usual mistake", deviation.mistake),
        ("case", deviation.case),
        ("try", deviation.reproduce),
    )
    return "\n".join(f"{name}: {value}" for name, value in facts if value)
