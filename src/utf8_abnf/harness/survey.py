"""A survey of the known decoders on this machine: each is tested, and a row says what came out.

``python -m utf8_abnf.harness.survey`` prints the table; ``tools/demo.py`` installs the package and calls it.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any

from utf8_abnf.decoders import decoders
from utf8_abnf.errors import TargetError
from utf8_abnf.harness.formats import hexed
from utf8_abnf.harness.process import printable
from utf8_abnf.harness.run import Options, execute
from utf8_abnf.harness.worker import Limits

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from utf8_abnf.decoders import Decoder
    from utf8_abnf.harness.report import Report

MISSING, BROKEN = "missing", "broken"


@dataclass(frozen=True, slots=True)
class Row:
    """A decoder and its report; without one, *reason* says why it could not be tested."""

    decoder: Decoder
    report: Report | None = None
    reason: str = ""

    @property
    def verdict(self) -> str:
        """The report's verdict, or missing (its program is not here) or broken (it is, and cannot be started)."""
        if self.report is not None:
            return self.report.verdict
        return BROKEN if self.decoder.available() else MISSING

    def to_json(self) -> dict[str, Any]:
        """Return the row as plain values."""
        decoder = self.decoder
        about = {"decoder": decoder.name, "about": decoder.about, "claim": decoder.claim, "how": decoder.how}
        report = self.report.to_json() if self.report else None
        return {**about, "verdict": self.verdict, "reason": self.reason, "report": report}


def survey(chosen: Iterable[Decoder], *, level: str = "L1", jobs: int = 0, seconds: float = 120.0) -> Iterator[Row]:
    """Test each of *chosen* at *level*, *jobs* at a time (0: one for each core), and yield rows as they are done."""
    jobs = jobs or os.cpu_count() or 1
    with ThreadPoolExecutor(jobs) as pool:
        # Those that need a process for each case take longest: they go first.
        ordered = sorted(chosen, key=lambda decoder: decoder.how != "exec")
        for done in as_completed([pool.submit(_row, decoder, level, seconds) for decoder in ordered]):
            yield done.result()


def _row(decoder: Decoder, level: str, seconds: float) -> Row:
    if not decoder.available():
        return Row(decoder, reason=f"needs {decoder.program}")
    try:
        # One process at a time: the survey itself keeps the cores busy.
        options = Options(level=level, limits=Limits(jobs=1), max_seconds=seconds)
        return Row(decoder, execute(decoder.target(), options))
    except TargetError as error:
        return Row(decoder, reason=printable(str(error)))


HEAD = ("decoder", "version", "tests", "verdict", "what it accepts too much, or misses; the shortest example")


def table(rows: Sequence[Row]) -> str:
    """Return *rows* as a table for the terminal."""
    cells = [line for row in rows for line in _cells(row)]
    widths = [max(len(line[column]) for line in [HEAD, *cells]) for column in range(4)]
    lines = []
    for line in [HEAD, tuple("-" * width for width in [*widths, len(HEAD[4])]), *cells]:
        name, version, tests, verdict, what = line
        lines.append(
            f"{name:{widths[0]}}  {version:{widths[1]}}  {tests:>{widths[2]}}  {verdict:{widths[3]}}  {what}".rstrip()
        )
    return "\n".join(lines) + "\n"


def _cells(row: Row) -> Iterator[tuple[str, str, str, str, str]]:
    report = row.report
    if report is None:
        yield row.decoder.name, "", "", row.verdict, row.reason[:100]
        return
    claim = "" if row.decoder.claim == "UTF-8" else f"claims: {row.decoder.claim}"
    what = [claim] if claim else []
    what += [f"{each.kind:7} {each.line}; {hexed(each.example)}" for each in report.differences]
    what += [f"{each.kind}: {each.case or 'some case'} ({hexed(each.data)})" for each in report.troubles[:3]]
    what += [f"stopped: {report.stopped}"] if report.stopped else []
    verdict = "pass" if report.conforms else report.verdict.upper()
    version = _short(report.version)
    yield row.decoder.name, version, f"{report.cases:,}", verdict, what[0] if what else ""
    yield from (("", "", "", "", each) for each in what[1:])


def _short(version: str) -> str:
    """Return the number in *version*, or what of it fits.

    >>> _short("iconv (Debian GLIBC 2.36-9+deb12u14) 2.36")
    '2.36'
    >>> _short("Mono JIT compiler version 6.8.0.105 (Debian)")
    '6.8.0.105'
    """
    words = [word.strip("(),\"'") for word in version.split()]
    numbers = [word for word in words if word[:1].isdigit() and word.replace(".", "").isdigit()]
    return numbers[0] if numbers else version[:16]


def main(argv: Sequence[str] | None = None) -> int:
    """Survey this machine; 0 unless no decoder at all could be tested."""
    parser = argparse.ArgumentParser(description="Test the known decoders that are on this machine.")
    parser.add_argument("names", nargs="*", default=["*"], metavar="GLOB", help="which decoders (default all)")
    parser.add_argument("--level", default="L1", choices=["L0", "L1", "L2"])
    parser.add_argument(
        "--jobs", type=int, default=0, metavar="N", help="how many at once (default: one for each core)"
    )
    parser.add_argument("--json", action="store_true", help="print the reports as JSON")
    args = parser.parse_args(argv)
    chosen = [each for each in decoders() if any(fnmatchcase(each.name, name) for name in args.names)]
    began = time.monotonic()
    rows = []
    for row in survey(chosen, level=args.level, jobs=args.jobs):
        rows.append(row)
        if sys.stderr.isatty():
            print(f"\r{len(rows)} of {len(chosen)}  {row.decoder.name:30}", end="", file=sys.stderr, flush=True)
    if sys.stderr.isatty():
        print(f"\r{'':50}\r", end="", file=sys.stderr)
    order = {decoder.name: number for number, decoder in enumerate(chosen)}
    rows.sort(key=lambda row: order[row.decoder.name])
    tested = sum(row.report is not None for row in rows)
    if args.json:
        print(json.dumps([row.to_json() for row in rows], indent=2))
    else:
        print(table(rows))
        passed = sum(row.report is not None and row.report.conforms for row in rows)
        print(f"{tested} decoders tested in {time.monotonic() - began:.0f} s, {passed} conform to RFC 3629.")
    return 0 if tested else 1


if __name__ == "__main__":
    sys.exit(main())
