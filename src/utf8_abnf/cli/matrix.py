"""``utf8-abnf matrix``: every known decoder of this machine tested, learned and re-checked, as a table and as pages."""

from __future__ import annotations

import sys
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING

from utf8_abnf.cli.progress import Progress
from utf8_abnf.cli.rows import add_rows
from utf8_abnf.cli.status import OK, TARGET
from utf8_abnf.errors import UsageError

if TYPE_CHECKING:
    import argparse

    from utf8_abnf.harness.known import Decoder
    from utf8_abnf.matrix import Matrix, Row

EPILOG = """\
A deviation is a fact only if a second, direct command shows it as well; the pages have such a command for each.
The table goes to standard output. If a FILE is -, that page goes to standard output instead of the table.
Ctrl-C ends the run and prints the rows so far; with --results the same command continues from there.

exit status:
  0  at least one decoder was tested; a deviating decoder does not change the status
  2  usage or I/O error
  3  no decoder could be tested

examples:
  utf8-abnf matrix 'python*' 'perl*'
  utf8-abnf matrix --results rows.jsonl --markdown matrix.md --html matrix.html --json matrix.json
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``matrix``."""
    parser.description = (
        "Test each known decoder that is on this machine, learn what it accepts, and confirm each deviation by calling "
        "the decoder without our adapter. Print a row for each decoder, also if it is absent or cannot be started."
    )
    parser.epilog = EPILOG
    add_rows(parser)
    parser.add_argument("names", nargs="*", metavar="GLOB", help="which decoders, like 'perl*' (default all)")
    what = parser.add_argument_group("what is asked").add_argument
    what("--level", choices=("L0", "L1", "L2"), default="L1",
        help="the level of the suites (default L1); slow decoders get a lower one")  # fmt: skip
    what("--k", type=int, choices=(0, 1), default=0, help="1 rules out one extra state: 256 times the questions")
    what("--no-learn", action="store_true", help="test only: print no grammars and no names of dialects")
    what("--max-time", type=float, default=120.0, metavar="S",
        help="seconds for testing a decoder, and as many for learning it (default 120)")  # fmt: skip
    what("--timeout", type=float, default=5.0, metavar="S", help="a decoder silent for S seconds hangs (default 5)")
    what("--jobs", type=int, default=0, metavar="N", help="decoders at once (default: one for each core)")
    out = parser.add_argument_group("output").add_argument
    out("-q", "--quiet", action="store_true", help="show no progress")
    out("--pruned", action="store_true", help="print one row for each different behaviour")
    out("--results", metavar="FILE",
        help="write each row to FILE when it is done, and take rows of earlier runs from there")  # fmt: skip
    out("--json", metavar="FILE", help="write everything to FILE as JSON")
    out("--markdown", metavar="FILE", help="write a page for a site: behaviours, all decoders, details")
    out("--html", metavar="FILE", help="write a page that needs no other file, with pictures")


def run(args: argparse.Namespace) -> int:
    """Make the rows, write the pages, and return 0 if at least one decoder was tested."""
    from utf8_abnf.matrix import ExaminationOptions, Results, matrix_of, rows

    if args.max_time <= 0 or args.timeout <= 0 or args.jobs < 0:
        raise UsageError("--max-time and --timeout are more than 0, and --jobs is not negative")
    options = ExaminationOptions(args.level, None if args.no_learn else args.k, args.max_time, args.timeout)
    chosen = _chosen(args.names, args.rows)
    results = Results(args.results)
    found: list[Row] = []
    working: list[str] = []
    progress = Progress("decoders", quiet=args.quiet)
    interrupted = False
    try:
        with progress.ticking():
            for row in rows(chosen, options, results=results, jobs=args.jobs, begun=working.append):
                found.append(row)
                working.remove(row.name)
                progress.at(len(found), len(chosen), ", ".join(working))
    except KeyboardInterrupt:
        interrupted = True
        names = {row.name for row in found}
        found += [row for row in results.kept if row.name not in names]  # done, but not yielded
    matrix = matrix_of(found, chosen, options)
    _write(matrix, args)
    if interrupted:
        raise KeyboardInterrupt
    return OK if matrix.tested else TARGET


def _chosen(names: list[str], rows: list[str]) -> list[Decoder]:
    from utf8_abnf.harness.known import decoders, find

    known = decoders(rows)
    for name in names:
        if not any(fnmatchcase(each.name, name) for each in known):
            find(name, rows)  # raises, and names what is near
    return [each for each in known if not names or any(fnmatchcase(each.name, name) for name in names)]


def _write(matrix: Matrix, args: argparse.Namespace) -> None:
    from utf8_abnf.matrix.formats import render

    pages = [(name, getattr(args, name)) for name in ("json", "markdown", "html") if getattr(args, name)]
    for name, path in pages:
        page = render(matrix, name)
        if path == "-":
            sys.stdout.write(page)
        else:
            Path(path).write_text(page, encoding="utf-8", newline="\n")
    if all(path != "-" for _, path in pages):
        sys.stdout.write(render(matrix, "pruned" if args.pruned else "text"))
