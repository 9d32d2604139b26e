"""``utf8-abnf check``: files, folders and standard input in, a diagnostic for each ill-formed sequence out.

Rule 1: no input is ever whole in memory. Rule 2: whatever is wrong with one input, the others are still checked.
"""

from __future__ import annotations

import os
import sys
from itertools import islice
from typing import TYPE_CHECKING

from utf8_abnf.cli import pieces, reports, sources
from utf8_abnf.cli.progress import Progress
from utf8_abnf.cli.sources import STDIN, Opened, UnreadableError, Walk, opened, shown
from utf8_abnf.cli.status import ILL_FORMED, OK, USAGE
from utf8_abnf.errors import UsageError
from utf8_abnf.explain.locating import BLOCK, Scanner
from utf8_abnf.language.catalogue import LANGUAGES, choose, say

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

FORMATS = {
    "text": reports.Text,
    "json": reports.Json,
    "jsonl": reports.JsonLines,
    "github": reports.GitHub,
    "sarif": reports.Sarif,
}
_BINARY_HEAD = 8000  # bytes in which a NUL makes a file binary: git's rule
_MOST_JOBS = 8  # by default; memory, not the processor, is what more of them wait for

DESCRIPTION = """\
Check that files, folders (with all that is in them) or standard input are well-formed UTF-8 as RFC 3629 section 4
defines it. Prints nothing where all is well; otherwise shows the bytes, what was expected, the rule, and why."""

EPILOG = """\
Lines end at LF; lines and columns count from 1, offsets from 0. A column is a character; an ill-formed sequence
(Unicode's maximal subpart) counts as one. Hidden files are checked; the stores of .git, .hg, .svn and .bzr are not.
Symbolic links met in a folder are followed only with --follow. Named pipes, sockets and devices met in a folder are
passed over; a pipe that is named is read, a device that is named is refused, since it may never end.

exit status: 0 all well-formed; 1 something is ill-formed; 2 something could not be read (even if something else
is ill-formed), or the command line is wrong. -q, -l and -i work as in isutf8, except that isutf8 has 1 for 2,
too, and that its -i passes over empty files.

examples:
  utf8-abnf check src README.md
  printf 'ab\\355\\240\\200c' | utf8-abnf check
  find . -name '*.csv' -print0 | xargs -0 utf8-abnf check -0 | xargs -0 -r file
  utf8-abnf check --format github ."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``check``."""
    parser.description, parser.epilog = DESCRIPTION, EPILOG
    add = parser.add_argument
    add("paths", metavar="PATH", nargs="*", help="files and folders; - is standard input, the default")
    output = parser.add_argument_group("what is printed")
    add = output.add_argument
    add("-q", "--quiet", action="store_true", help="print nothing, only set the exit status")
    add("-l", "--list", action="store_true", help="print only the names of the ill-formed inputs")
    add("-i", "--invert", action="store_true", help="print only the names of the well-formed inputs")
    add("-0", "--null", action="store_true", help="as -l, or -i, with NUL in place of a newline after each name")
    add("--format", choices=FORMATS, default="text", help="the form of the report (default: text)")
    add("--language", choices=LANGUAGES, help="of the report (default: what LANG says; English for programs)")
    add("--first", action="store_true", help="stop at the first error in each input")
    add("--max-errors", type=_count, default=10, metavar="N",
        help="show N errors of each input and count the rest (default: 10; 0 shows all)")  # fmt: skip
    selection = parser.add_argument_group("what is checked")
    add = selection.add_argument
    add("-R", "--follow", action="store_true", help="follow symbolic links met in folders")
    add("--exclude", action="append", default=[], metavar="GLOB",
        help="leave out files and folders of this name met in folders, as in '*.png'; may be repeated")  # fmt: skip
    add("-I", "--skip-binary", action="store_true",
        help=f"leave out files with a NUL in their first {_BINARY_HEAD} bytes")  # fmt: skip
    add("-j", "--jobs", type=_positive, default=None, metavar="N",
        help="check a large file in N processes (default: one for each CPU)")  # fmt: skip


def run(args: argparse.Namespace) -> int:
    """Check what *args* name and return the exit status."""
    choose(args.language, for_programs=args.format != "text")
    paths = args.paths
    if not paths:
        if sys.stdin is not None and sys.stdin.isatty():
            from utf8_abnf.language import messages

            raise UsageError(say(messages.NOTHING_TO_CHECK))
        paths = [STDIN]
    return _Check(args, _report(args)).all(paths)


def _report(args: argparse.Namespace) -> reports.Report:
    if args.quiet:
        return reports.Report()
    if args.list or args.invert or args.null:
        verdict = reports.WELL_FORMED if args.invert else reports.ILL_FORMED
        return reports.Names(verdict, b"\0" if args.null else b"\n")
    report: reports.Report = FORMATS[args.format]()
    return report


class _Check:
    """One run: its options, its report, its sums, and the one buffer through which everything is read."""

    def __init__(self, args: argparse.Namespace, report: reports.Report) -> None:
        self._args = args
        self._report = report
        self._limit = 1 if args.first else args.max_errors or None
        self._jobs = args.jobs or min(_usable_cpus(), _MOST_JOBS)
        self._buffer = bytearray(BLOCK)
        self._progress = Progress(quiet=args.quiet)
        self._totals = reports.Totals(complete=not args.first)

    def all(self, paths: list[str]) -> int:
        walk = Walk(paths, follow=self._args.follow, exclude=tuple(self._args.exclude), problem=self._problem)
        for path in walk:
            self._one(path)
        self._progress.clear()
        self._totals.passed_over = walk.passed_over
        self._report.finish(self._totals)
        if self._totals.unreadable:
            return USAGE
        return ILL_FORMED if self._totals.ill_formed else OK

    def _one(self, path: str) -> None:
        """Check one input and report it; an input that cannot be read is reported as a problem."""
        try:
            source = opened(path, notice=lambda text: self._say(f"{shown(path)}: {text}"))
        except OSError as error:
            self._problem(path, error)
            return
        try:
            with source:
                self._opened(path, source)
        except UnreadableError as error:
            self._problem(path, error)

    def _opened(self, path: str, source: Opened) -> None:
        if self._args.skip_binary and source.size and _is_binary(source):
            self._totals.binary += 1
            self._done(path, reports.BINARY, 0, 0)
            return
        known = self._known_from_mapping(path, source)
        if known == reports.WELL_FORMED or (known and not self._report.wants_errors):
            self._done(path, known, int(known != reports.WELL_FORMED), 0)
            return
        self._progress.start(shown(path), source.size)
        scanner = Scanner(self._reader(source), buffer=self._buffer)
        if self._report.wants_errors:
            shown_errors, unshown = self._errors(path, scanner)
        else:
            shown_errors, unshown = int(scanner.first_offset() is not None), 0
        # Not by what was read alone: Linux's /sys has files that claim more than they give.
        if source.size and scanner.ended and scanner.size < source.size > os.fstat(source.file.fileno()).st_size:
            from utf8_abnf.language import messages

            sizes = {"before": f"{source.size:,}", "after": f"{scanner.size:,}"}
            raise UnreadableError(say(messages.BECAME_SHORTER, **sizes))
        total = shown_errors + unshown
        self._done(path, reports.ILL_FORMED if total else reports.WELL_FORMED, total, unshown)

    def _known_from_mapping(self, path: str, source: Opened) -> str | None:
        """Return the verdict on a large file, None where it is not large or has to be read to know."""
        if source.size is None or source.size < pieces.WORTH_IT or not pieces.AVAILABLE:
            return None
        self._progress.start(shown(path), source.size)
        file = source.file.fileno()
        try:
            found = pieces.first_offset(file, source.size, jobs=self._jobs, progress=self._progress.advance)
        except pieces.CannotMapError:
            return None
        if found is None:
            return reports.WELL_FORMED
        # An error at the end of a file that has grown meanwhile may be none.
        return reports.ILL_FORMED if os.fstat(file).st_size == source.size else None

    def _errors(self, path: str, scanner: Scanner) -> tuple[int, int]:
        """Report the errors of one input; return how many were shown and how many more there are."""
        number = 0
        for located in islice(scanner.errors(), self._limit):
            self._progress.clear()
            self._report.error(path, located, scanner.head)
            number += 1
        return number, 0 if self._args.first else scanner.count_rest()

    def _reader(self, source: Opened) -> Callable[[memoryview], int]:
        first = source.first

        def readinto(room: memoryview) -> int:
            nonlocal first
            if first:
                room[: len(first)] = first
                count, first = len(first), b""
                return count
            count = source.readinto(room)
            self._progress.advance(count)
            return count

        return readinto

    def _done(self, path: str, verdict: str, errors: int, unshown: int) -> None:
        self._progress.clear()
        self._totals.checked += verdict != reports.BINARY
        self._totals.ill_formed += verdict == reports.ILL_FORMED
        self._totals.errors += errors
        self._report.outcome(path, verdict, errors, unshown)

    def _problem(self, path: str, error: OSError) -> None:
        self._progress.clear()
        self._totals.unreadable += 1
        self._report.problem(path, sources.reason_of(error))

    def _say(self, text: str) -> None:
        self._progress.clear()
        print(f"utf8-abnf: {text}", file=sys.stderr)


def _is_binary(source: Opened) -> bool:
    head = source.file.read(_BINARY_HEAD)
    source.file.seek(0)
    return b"\0" in head


def _usable_cpus() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _count(text: str) -> int:
    number = int(text)
    if number < 0:
        raise ValueError(text)
    return number


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise ValueError(text)
    return number
