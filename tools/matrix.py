"""Write docs/matrix.md: every known decoder of this machine, and what it departs in: ``python tools/matrix.py``.

The full table, and before it one row for each different behaviour. ``--output FILE`` writes elsewhere, names choose.
"""

from __future__ import annotations

import argparse
import datetime
import platform
from collections import defaultdict
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING

from utf8_abnf.decoders import decoders
from utf8_abnf.harness.survey import Row, survey

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

ROOT = Path(__file__).resolve().parents[1]

INTRODUCTION = """\
# Decoders on one machine

What {count} decoders make of level {level} of [the suites](suites.md), on {system}, {date}.
Made by `python tools/matrix.py`; on your machine `python3 tools/demo.py` prints the same for the decoders that you have.

A departure is one line of ABNF that the decoder accepts and RFC 3629 does not derive (*extra*), or the other way round (*missing*), with its shortest example.
It is a departure from RFC 3629, not from what the decoder promises: some promise something else, and the table says what.
The suite finds what it looks for; what passing level {level} proves, and what not, stands on the page about the suites.
"""  # noqa: E501


def main() -> int:
    """Return 0 when at least one decoder could be tested."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", default=["*"], metavar="GLOB", help="which decoders (default all)")
    parser.add_argument("--level", default="L1", choices=["L0", "L1", "L2"])
    parser.add_argument("--output", type=Path, default=ROOT / "docs" / "matrix.md", metavar="FILE")
    args = parser.parse_args()
    chosen = [each for each in decoders() if any(fnmatchcase(each.name, name) for name in args.names)]
    order = {decoder.name: number for number, decoder in enumerate(chosen)}
    rows = sorted(survey(chosen, level=args.level), key=lambda row: order[row.decoder.name])
    args.output.write_text("\n".join(page(rows, args.level)) + "\n", encoding="utf-8")
    return 0 if any(row.report for row in rows) else 1


def page(rows: list[Row], level: str) -> Iterator[str]:
    """Yield the page's lines."""
    tested = [row for row in rows if row.report]
    system = f"{platform.freedesktop_os_release()['PRETTY_NAME']}, {platform.machine()}"
    yield INTRODUCTION.format(count=len(tested), level=level, system=system, date=datetime.date.today())
    yield from behaviours(tested)
    yield "## Every decoder\n"
    yield "| decoder | version | how it is driven | promises | cases | verdict |"
    yield "|---|---|---|---|--:|---|"
    for row in rows:
        about = cell(row.decoder.about)
        if row.report is None:
            yield f"| {row.decoder.name} | | {about} | {row.decoder.claim} | | {row.verdict}: {cell(row.reason)} |"
        else:
            report = row.report
            verdict = "conforms" if report.conforms else "departs" if report.differences else report.verdict
            version = cell(report.version)
            cases = f"{report.cases:,}"
            yield f"| {row.decoder.name} | {version} | {about} | {row.decoder.claim} | {cases} | {verdict} |"


def behaviours(rows: Iterable[Row]) -> Iterator[str]:
    """Yield one section for each set of departures, the most common first, with a command that shows each of them."""
    groups: dict[tuple[str, ...], list[Row]] = defaultdict(list)
    for row in rows:
        assert row.report is not None
        groups[tuple(each.key for each in row.report.differences)].append(row)
    yield "## One row for each behaviour\n"
    for departures, members in sorted(groups.items(), key=lambda each: (bool(each[0]), -len(each[1]))):
        names = ", ".join(f"`{row.decoder.name}`" for row in members)
        if not departures:
            yield f"**No departure found:** {names}.\n"
            continue
        yield f"**{names}:**\n"
        yield "| | accepted too much, or missed | shortest | to see it |"
        yield "|---|---|---|---|"
        assert members[0].report is not None
        for each in members[0].report.differences:
            example = each.example.hex(" ").upper()
            yield f"| {each.kind} | `{cell(each.line)}` | {example} | `{cell(each.reproduce)}` |"
        yield ""


def cell(text: str) -> str:
    """Return *text* as it may stand in a cell of a Markdown table: on one line, its bars escaped."""
    return " ".join(text.split()).replace("|", "\\|")


if __name__ == "__main__":
    raise SystemExit(main())
