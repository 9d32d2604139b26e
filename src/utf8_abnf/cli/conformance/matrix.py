"""``utf8-abnf matrix``: every known decoder of this machine tested, learned and re-checked, as a table and as pages."""

from __future__ import annotations

import argparse
from pathlib import Path

from utf8_abnf.cli.arguments import seconds
from utf8_abnf.cli.conformance.targets import add_rows
from utf8_abnf.cli.progress import Progress
from utf8_abnf.cli.status import OK, TARGET
from utf8_abnf.conformance.harness.known import chosen as named
from utf8_abnf.conformance.harness.known import find
from utf8_abnf.conformance.matrix import ExaminationOptions, Matrix, Results, Row, matrix_of, rows
from utf8_abnf.conformance.matrix.formats import html, json
from utf8_abnf.conformance.matrix.formats.text import Table, ending
from utf8_abnf.conformance.matrix.merging import merged
from utf8_abnf.conformance.matrix.options import GRID
from utf8_abnf.conformance.matrix.report import report
from utf8_abnf.errors import UsageError

REPORT = "report"
PAGES = {".json": json.render, ".html": html.render}
EPILOG = """\
A deviation is a fact only if a second, direct command shows it as well; the pages have such a command for each.
The table goes to standard output, each row as soon as it is done.
Ctrl-C ends the run and prints the rows so far; with --results the same command continues from there.

exit status:
  0  at least one decoder was tested; a deviating decoder does not change the status
  2  usage or I/O error
  3  no decoder could be tested

examples:
  utf8-abnf matrix 'python*' 'perl*'
  utf8-abnf matrix --results rows.jsonl -o matrix.json -o matrix.html
  utf8-abnf matrix 'python-s*' --level grid --merge before.json -o matrix.json
  utf8-abnf matrix report npm-fflate --merge before.json
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``matrix``."""
    parser.description = (
        "Test each known decoder that is on this machine, learn what it accepts, and confirm each deviation by calling "
        "the decoder without our adapter. Print a row for each decoder, also if it is absent or cannot be started."
    )
    parser.epilog = EPILOG
    add_rows(parser)
    parser.add_argument(
        "names",
        nargs="*",
        metavar="GLOB",
        help="which decoders, like 'perl*' (default all); `report NAME` prints a text for the authors of one",
    )
    what = parser.add_argument_group("what is asked").add_argument
    what(
        "--level",
        choices=(GRID, "L0", "L1", "L2"),
        default="L1",
        help="grid: some 100 fixed inputs alone; else the suites too (default L1)",
    )
    what("--no-learn", action="store_true", help="test only; learn no grammars")
    what("--max-time", type=float, default=600.0, metavar="S", help="seconds for testing, and for learning (600 each)")
    what("--timeout", type=seconds, metavar="S", help="a decoder silent for S seconds hangs (default 5)")
    what("--jobs", type=int, default=0, metavar="N", help="decoders at once (default: one for each core)")
    out = parser.add_argument_group("output").add_argument
    out("-q", "--quiet", action="store_true", help="show no progress")
    out("--results", metavar="FILE", help="keep each finished row in FILE, and take it from there if nothing changed")
    out("--all", action="store_true", help="test every decoder again, also those that --results has unchanged")
    out("--merge", metavar="FILE", action="append", default=[],
        help="add the rows of FILE, the JSON of an earlier run or of another machine")  # fmt: skip
    out("-o", "--output", metavar="FILE", type=_page, action="append", default=[],
        help="write all to FILE.json or FILE.html")  # fmt: skip


def _page(name: str) -> Path:
    """Return the file *name*; ValueError if its ending names no format."""
    path = Path(name)
    if path.suffix not in PAGES:
        raise argparse.ArgumentTypeError(f"{name!r} does not end in {', '.join(PAGES)}")
    return path


def run(args: argparse.Namespace) -> int:
    """Make the rows, write the pages, and return 0 if at least one decoder was tested."""
    if args.max_time <= 0 or args.jobs < 0:
        raise UsageError("--max-time is more than 0, and --jobs is not negative")
    others = [json.read(Path(name)) for name in args.merge]
    if args.names[:1] == [REPORT]:
        return _print_report(args, others)
    matrix, interrupted = _made(args)
    for other in others:
        matrix = merged(matrix, other)
    for path in args.output:
        path.write_text(PAGES[path.suffix](matrix), encoding="utf-8", newline="\n")
    if interrupted:
        raise KeyboardInterrupt
    return OK if matrix.tested else TARGET


def _print_report(args: argparse.Namespace, others: list[Matrix]) -> int:
    """Print the text for the authors of the one decoder that is named: from a row of *others*, or asked now."""
    if len(args.names) != 2:
        raise UsageError("write `utf8-abnf matrix report NAME`, with the name of one decoder")
    chosen = [find(args.names[1], args.rows)]
    there = [row for other in others for row in other.rows if row.name == chosen[0].name]
    options = ExaminationOptions(args.level, not args.no_learn, args.max_time)
    print(report(next(iter(there or rows(chosen, options, results=Results(args.results))))), end="")
    return OK


def _made(args: argparse.Namespace) -> tuple[Matrix, bool]:
    """Return the matrix of a run, and whether the run was interrupted; print each row when it is done."""
    timeouts = {"silence": args.timeout, "hello": args.timeout} if args.timeout else {}
    options = ExaminationOptions(args.level, not args.no_learn, args.max_time, **timeouts)
    chosen = named(args.names, args.rows)
    results = Results(args.results, again=args.all)
    made: list[Row] = []
    working: list[str] = []
    progress = Progress("decoders", quiet=args.quiet)
    table = Table(each.name for each in chosen)
    interrupted = False

    def done(row: Row) -> None:
        line = table.row(row)
        progress.clear()
        made.append(row)  # just before it is printed: a Ctrl-C between the two would lose it, one before does not
        print(line, end="", flush=True)

    def begun(name: str) -> None:
        working.append(name)
        progress.at(len(made), len(chosen), ", ".join(working))

    print(table.head(), end="", flush=True)
    try:
        for row in rows(chosen, options, results=results, jobs=args.jobs, begun=begun):
            working.remove(row.name)
            done(row)
    except KeyboardInterrupt:
        interrupted = True
        names = {row.name for row in made}
        for row in results.kept:  # done, but not yielded
            if row.name not in names:
                done(row)
    matrix = matrix_of(made, chosen, options)
    print(ending(matrix), end="")
    return matrix, interrupted
