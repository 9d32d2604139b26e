"""``utf8-abnf matrix``: every known decoder of this machine tested, learned and re-checked, as a table and as pages."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from utf8_abnf.cli.files.rows import add_rows, seconds
from utf8_abnf.cli.progress import Progress
from utf8_abnf.cli.status import OK, TARGET
from utf8_abnf.errors import UsageError

if TYPE_CHECKING:
    import argparse

    from utf8_abnf.conformance.matrix import Matrix, Row

# Seconds that a decoder takes, with learning and without (--no-learn). Measured on two cores in November 2026: 6,968 s
# for 275 decoders, and 266 s for the 83 of tools/demo.py.
SECONDS = (25.0, 3.2)
EPILOG = """\
A deviation is a fact only if a second, direct command shows it as well; the pages have such a command for each.
The table goes to standard output, each row as soon as it is done. If a FILE is -, that page goes there instead.
`utf8-abnf matrix merge FILE ...` tests nothing: it puts the JSON of all parts of a run together.
Ctrl-C ends the run and prints the rows so far; with --results the same command continues from there.

exit status:
  0  at least one decoder was tested; a deviating decoder does not change the status
  2  usage or I/O error
  3  no decoder could be tested

examples:
  utf8-abnf matrix 'python*' 'perl*'
  utf8-abnf matrix --results rows.jsonl --markdown matrix.md --html matrix.html --json matrix.json
  utf8-abnf matrix --part 2/8 --json part2.json
  utf8-abnf matrix merge part*.json --json matrix.json --compare before.json
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
    what(
        "--timeout",
        type=seconds,
        metavar="S",
        help="a decoder silent for S seconds hangs (default 5, and 30 until its hello)",
    )
    what("--part", metavar="I/N", help="every Nth decoder, beginning with the Ith: a part of a run on several machines")
    what("--jobs", type=int, default=0, metavar="N", help="decoders at once (default: one for each core)")
    out = parser.add_argument_group("output").add_argument
    out("-q", "--quiet", action="store_true", help="show no progress")
    out("--pruned", action="store_true", help="print one row for each different behaviour")
    out("--compare", metavar="OLD", help="say what changed since the run whose JSON is OLD")
    out("--results", metavar="FILE",
        help="write each row to FILE when it is done, and take rows of earlier runs from there")  # fmt: skip
    out("--json", metavar="FILE", help="write everything to FILE as JSON")
    out("--markdown", metavar="FILE", help="write a page for a site: behaviours, all decoders, details")
    out("--html", metavar="FILE", help="write a page that needs no other file, with pictures")


def run(args: argparse.Namespace) -> int:
    """Make the rows, write the pages, and return 0 if at least one decoder was tested."""
    from utf8_abnf.conformance.matrix.formats.json import read
    from utf8_abnf.conformance.matrix.parts import merged

    if args.max_time <= 0 or args.jobs < 0:
        raise UsageError("--max-time is more than 0, and --jobs is not negative")
    old = read(Path(args.compare)) if args.compare else None
    if args.names[:1] == ["merge"]:
        matrix, interrupted = merged([read(Path(name)) for name in args.names[1:]]), False
        sys.stdout.write("" if _instead(args) else _table(matrix, args))
    else:
        matrix, interrupted = _made(args)
    _write(matrix, args)
    if old is not None:
        _say_changes(old, matrix, args)
    if interrupted:
        raise KeyboardInterrupt
    return OK if matrix.tested else TARGET


def _made(args: argparse.Namespace) -> tuple[Matrix, bool]:
    """Return the matrix of a run, and whether the run was interrupted; print each row when it is done."""
    from utf8_abnf.conformance.harness.known import chosen as named
    from utf8_abnf.conformance.matrix import ExaminationOptions, Results, matrix_of, rows
    from utf8_abnf.conformance.matrix.formats import printable
    from utf8_abnf.conformance.matrix.formats.text import Table, ending
    from utf8_abnf.conformance.suite.parts import part_of

    timeouts = {"silence": args.timeout, "hello": args.timeout} if args.timeout else {}
    options = ExaminationOptions(args.level, None if args.no_learn else args.k, args.max_time, **timeouts)
    chosen = list(part_of(named(args.names, args.rows), args.part or ""))
    results = Results(args.results)
    found: list[Row] = []
    working: list[str] = []
    progress = Progress("decoders", quiet=args.quiet)
    jobs = args.jobs or os.cpu_count() or 1
    here = sum(shutil.which(each.program) is not None or each.program == "python" for each in chosen)
    minutes = here * SECONDS[args.no_learn] / jobs / 60
    if minutes > 1:
        progress.say(f"{here} decoders, {jobs} at a time: this takes about {minutes:.0f} minutes")
    table = None if _instead(args) or args.pruned else Table(each.name for each in chosen)
    interrupted = False

    def done(row: Row) -> None:
        line = "" if table is None else table.row(printable(row))
        progress.clear()
        found.append(row)  # just before it is printed: a Ctrl-C between the two would lose it, one before does not
        print(line, end="", flush=True)

    print(table.head() if table else "", end="", flush=True)
    try:
        with progress.ticking():
            for row in rows(chosen, options, results=results, jobs=args.jobs, begun=working.append):
                done(row)
                working.remove(row.name)
                progress.at(len(found), len(chosen), ", ".join(working))
    except KeyboardInterrupt:
        interrupted = True
        names = {row.name for row in found}
        for row in results.kept:  # done, but not yielded
            if row.name not in names:
                done(row)
    matrix = matrix_of(found, chosen, options, args.part or "")
    print(ending(matrix) if table else "" if _instead(args) else _table(matrix, args), end="")
    return matrix, interrupted


def _instead(args: argparse.Namespace) -> bool:
    """Whether a page takes the place of the table."""
    return "-" in (args.json, args.markdown, args.html)


def _table(matrix: Matrix, args: argparse.Namespace) -> str:
    from utf8_abnf.conformance.matrix.formats import render

    return render(matrix, "pruned" if args.pruned else "text")


def _write(matrix: Matrix, args: argparse.Namespace) -> None:
    from utf8_abnf.conformance.matrix.formats import render

    for name in ("json", "markdown", "html"):
        path = getattr(args, name)
        if path == "-":
            sys.stdout.write(render(matrix, name))
        elif path:
            Path(path).write_text(render(matrix, name), encoding="utf-8", newline="\n")


def _say_changes(old: Matrix, new: Matrix, args: argparse.Namespace) -> None:
    """Print what changed since *old*; to standard error if a page has standard output."""
    from utf8_abnf.conformance.matrix.changes import changes

    whole = not args.part and args.names[:1] in ([], ["merge"])
    lines = [*changes(old, new, whole=whole)]
    since = f"changed since {old.date} ({args.compare})"
    out = sys.stderr if _instead(args) else sys.stdout
    print("", f"{since}:" if lines else f"nothing {since}", *lines, sep="\n", file=out)
