"""``utf8-abnf check``: files, folders and standard input in, a diagnostic for each ill-formed sequence out.

Rule 1: an input is never in memory as a whole. Rule 2: an input that cannot be read does not stop the others.
"""

from __future__ import annotations

import os
import stat
import sys
from codecs import BOM_UTF8
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING

from utf8_abnf.cli import reports, sources, unpack_options
from utf8_abnf.cli.progress import Progress
from utf8_abnf.cli.sources import STDIN, Opened, Walk, opened, shown
from utf8_abnf.cli.spreading import looked_at
from utf8_abnf.cli.status import ILL_FORMED, OK, USAGE
from utf8_abnf.errors import UnreadableError, UsageError
from utf8_abnf.explain.locating import BLOCK, Scanner
from utf8_abnf.language.catalogue import LANGUAGES, choose, say

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterable, Iterator

    from utf8_abnf.reading.columns import ColumnScanner

FORMATS = {
    "text": reports.TextReporter,
    "json": reports.JsonReporter,
    "jsonl": reports.JsonLinesReporter,
    "github": reports.GitHubReporter,
    "sarif": reports.SarifReporter,
    "junit": reports.JUnitReporter,
}
BOM = ("require", "forbid")
WORTH_MAPPING = 32 << 20  # bytes; below, starting the children costs more than the mapping saves
_MAX_JOBS = 8  # unless --jobs says more: beyond that memory is the limit, not the processor

DESCRIPTION = """\
Check that files, folders (with all files in them) or standard input are well-formed UTF-8 as RFC 3629 section 4
defines it. Well-formed input prints nothing. For an error the report shows the bytes, the bytes that were expected, the
rule, and the reason."""

EPILOG = """\
Lines end at LF; lines and columns count from 1, offsets from 0. A column is a character, or an ill-formed sequence
(Unicode's maximal subpart). Hidden files are checked; the folders .git, .hg, .svn and .bzr are left out. Symbolic links
in a folder are followed only with --follow. Files in folders that are binary, as git tells it, are left out and
counted; a file that the command line names is always judged. Named pipes, sockets and devices in a folder are left
out; a pipe that the command line names is read; a device that it names is refused, since it may never end.

A project sets defaults of --baseline, --bom, --exclude, --follow, --format, --language, --max-errors, --text and --vcs
in utf8-abnf.toml, or in the table [tool.utf8-abnf] of pyproject.toml: exclude = ["*.png"], bom = "forbid".

The options -q, -l and -i work as in isutf8, with two differences: where isutf8 cannot read a file, its status is 1, and
its -i leaves out empty files.

exit status:
  0  all inputs are well-formed
  1  an input is ill-formed, or does not follow --bom
  2  an input could not be read (even if another one is ill-formed), or the command line is wrong

examples:
  utf8-abnf check src README.md
  printf 'ab\\355\\240\\200c' | utf8-abnf check
  find . -name '*.csv' -print0 | xargs -0 utf8-abnf check -0 | xargs -0 -r file
  utf8-abnf check --format github --vcs .
  utf8-abnf check --staged
  utf8-abnf check --baseline old.json --update-baseline src"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``check``."""
    parser.description, parser.epilog = DESCRIPTION, EPILOG
    add = parser.add_argument
    add("paths", metavar="PATH", nargs="*", help="files and folders; - is standard input, the default")
    output = parser.add_argument_group("what is printed")
    add = output.add_argument
    add("-q", "--quiet", action="store_true", help="print no report and no progress, only set the exit status")
    add("-l", "--list", action="store_true", help="print only the names of the ill-formed inputs")
    add("-i", "--invert", action="store_true", help="print only the names of the well-formed inputs")
    add("-0", "--null", action="store_true", help="as -l or -i, with NUL instead of a newline after each name")
    add("--format", choices=FORMATS, default="text", help="the format of the report (default: text)")
    add(
        "--language", choices=LANGUAGES, help="the language of the text (default: what LANG says; English for programs)"
    )
    add("--first", action="store_true", help="stop at the first error in each input")
    add("--max-errors", type=_count, default=10, metavar="N",
        help="show the first N errors of each input and count the others (default: 10; 0 shows all)")  # fmt: skip
    selection = parser.add_argument_group("what is checked")
    add = selection.add_argument
    add("-R", "--follow", action="store_true", help="follow symbolic links in folders")
    add("--exclude", action="append", default=[], metavar="GLOB",
        help="leave out files and folders with such a name, as in '*.png'; may be repeated")  # fmt: skip
    add("--vcs", action="store_true", help="in folders, leave out what git ignores")
    add("--staged", action="store_true", help="check what the next commit would change, as git holds it (in PATHs)")
    add("--files-from", metavar="FILE", help="check also the files named in FILE (-: standard input), one on each line")
    binary = selection.add_mutually_exclusive_group()
    head = f"a NUL in their first {sources.BINARY_HEAD:,} bytes"
    binary.add_argument("-I", "--skip-binary", action="store_false", dest="text", default=False,
        help=f"leave out files in folders with {head}, as git does: the default")  # fmt: skip
    binary.add_argument("-a", "--text", action="store_true", help="check these files as well")
    add("--bom", choices=BOM, metavar="RULE",
        help="require: each input begins with the byte order mark EF BB BF; forbid: no input does")  # fmt: skip
    add("--baseline", metavar="FILE", help="report only errors that are not in FILE, the known ones")
    add("--update-baseline", action="store_true",
        help="write all errors to FILE if it does not exist; otherwise take out those that are gone")  # fmt: skip
    add("-j", "--jobs", type=_positive, default=None, metavar="N",
        help="check a large file, or many files, in N processes (default: one for each CPU)")  # fmt: skip
    unpack_options.add(parser)


def run(args: argparse.Namespace) -> int:
    """Check what *args* name and return the exit status."""
    choose(args.language, for_programs=args.format != "text")
    if args.update_baseline and not args.baseline:
        from utf8_abnf.language import messages

        raise UsageError(say(messages.BASELINE_WANTED))
    paths = args.paths
    if args.files_from is not None:
        paths = [*paths, *_named_in(args.files_from)]
    elif not paths and not args.staged:
        if sys.stdin is not None and sys.stdin.isatty():
            from utf8_abnf.language import messages

            raise UsageError(say(messages.NOTHING_TO_CHECK))
        paths = [STDIN]
    return _Check(args, _reporter(args)).all(paths)


def _named_in(path: str) -> list[str]:
    with opened(path, notice=lambda text: print(f"utf8-abnf: {text}", file=sys.stderr)) as source:
        return sources.names_in(source.first + source.file.readall())


def _reporter(args: argparse.Namespace) -> reports.Reporter:
    if args.quiet:
        return reports.Reporter()
    if args.list or args.invert or args.null:
        verdict = reports.WELL_FORMED if args.invert else reports.ILL_FORMED
        return reports.NameReporter(verdict, b"\0" if args.null else b"\n")
    reporter: reports.Reporter = FORMATS[args.format]()
    return reporter


class _Check:
    """One run: its options, reporter and totals, and the one buffer through which all inputs are read."""

    def __init__(self, args: argparse.Namespace, reporter: reports.Reporter) -> None:
        self._args = args
        self._reporter = reporter
        self._limit = 1 if args.first else args.max_errors or None
        self._jobs = args.jobs or min(_usable_cpus(), _MAX_JOBS)
        self._buffer = bytearray(BLOCK)
        self._progress = Progress(quiet=args.quiet)
        self._totals = reports.Totals(complete=not args.first)
        self._baseline = None
        if args.baseline:
            from utf8_abnf.cli.baseline import Baseline

            self._baseline = Baseline(args.baseline, update=args.update_baseline)

    def all(self, paths: list[str]) -> int:
        if self._args.staged:
            self._staged(paths)
        else:
            self._walked(paths)
        self._progress.clear()
        if self._baseline:
            self._totals.known, self._totals.gone = self._baseline.known, self._baseline.gone
            if self._args.update_baseline:
                self._baseline.write()
        self._reporter.finish(self._totals)
        if self._totals.unreadable:
            return USAGE
        return ILL_FORMED if self._totals.ill_formed or self._totals.marks else OK

    def _walked(self, paths: list[str]) -> None:
        excluded = tuple(self._args.exclude)
        problems: list[tuple[str, OSError]] = []
        note = lambda path, error: problems.append((path, error))  # noqa: E731
        walk = Walk(paths, follow=self._args.follow, vcs=self._args.vcs, exclude=excluded, problem=note)
        jobs = 1 if self._args.unpack or self._args.column else self._jobs  # what is packed, only the parent sees
        for (path, named), is_well_formed in looked_at(_in_order(walk, problems), self._is_well_formed, jobs=jobs):
            if isinstance(named, OSError):
                self._problem(path, named)
            elif is_well_formed:
                self._known_well_formed(path)
            else:
                self._each(path, partial(opened, path, notice=partial(self._notice, path)), named=named)
        self._totals.passed_over += walk.passed_over

    def _is_well_formed(self, path: str, named: bool) -> bool:
        """Return whether nothing but well-formed can be said of a file, which a child then says; raise nothing."""
        try:
            if path == STDIN or not stat.S_ISREG(os.stat(path).st_mode):
                return False
            with opened(path, notice=lambda _: None) as source:
                if source.size is None or source.size >= WORTH_MAPPING:
                    return False
                if not (named or self._args.text) and source.is_binary():
                    return False
                scanner = Scanner(source.readinto, buffer=self._buffer)
                is_well_formed = scanner.first_offset() is None and scanner.size == source.size
                return is_well_formed and not self._wrong_mark(scanner.head)
        except OSError:
            return False

    def _known_well_formed(self, path: str) -> None:
        if self._baseline:
            list(self._baseline.unknown(path, ()))
        self._done(path, reports.WELL_FORMED, 0, 0)

    def _staged(self, paths: list[str]) -> None:
        from utf8_abnf.cli import git

        try:
            found = git.staged(paths)
        except OSError as error:
            raise UsageError(sources.reason_of(error)) from None
        for path, content in found.items():
            self._each(path, partial(git.StagedContent, content), named=False)

    def _each(self, path: str, open_: Callable[[], Opened], *, named: bool) -> None:
        """Check one input, or what is packed in it."""
        if not (self._args.unpack or self._args.column):
            self._one(path, open_, named=named)
            return
        from utf8_abnf.cli import unpacking

        for part in unpacking.inputs(path, open_, self._args, named=named):
            if part.open is None:
                self._totals.passed_over += 1
            else:
                self._one(part.path, part.open, named=part.named)

    def _one(self, path: str, open_: Callable[[], Opened], *, named: bool) -> None:
        """Check one input and report its errors, or that it cannot be read; *named*: by the user, so whatever it is."""
        try:
            source = open_()
        except OSError as error:
            self._problem(path, error)
            return
        try:
            with source:
                if named or self._args.text or not source.is_binary():
                    self._opened(path, source)
                else:
                    self._totals.binary += 1
                    self._done(path, reports.BINARY, 0, 0, advice=source.about_binary)
        except UnreadableError as error:
            self._problem(path, error)

    def _opened(self, path: str, source: Opened) -> None:
        known = self._known_from_mapping(path, source)
        wants_errors = self._reporter.wants_errors or self._baseline is not None
        if known == reports.WELL_FORMED or (known and not wants_errors):
            if self._baseline and known == reports.WELL_FORMED:
                list(self._baseline.unknown(path, ()))
            head = os.pread(source.file.fileno(), len(BOM_UTF8), 0)
            self._done(path, known, int(known != reports.WELL_FORMED), 0, self._wrong_mark(head))
            return
        self._progress.start(shown(path), source.size)
        scanner = source.scanner(self._reader(source), self._buffer)
        if wants_errors:
            shown_errors, unshown, advice = self._errors(path, scanner)
        else:
            shown_errors, unshown, advice = int(scanner.first_offset() is not None), 0, ""
        # The size is asked again, because files in Linux's /sys state a larger size than they have.
        if source.size and scanner.ended and scanner.size < source.size > os.fstat(source.file.fileno()).st_size:
            from utf8_abnf.language import messages

            sizes = {"before": f"{source.size:,}", "after": f"{scanner.size:,}"}
            raise UnreadableError(say(messages.BECAME_SHORTER, **sizes))
        total = shown_errors + unshown
        verdict = reports.ILL_FORMED if total else reports.WELL_FORMED
        self._done(path, verdict, total, unshown, self._wrong_mark(scanner.head), advice)

    def _known_from_mapping(self, path: str, source: Opened) -> str | None:
        """Return the verdict on a large file; None if it is not large, or if only reading it can tell."""
        if source.size is None or source.size < WORTH_MAPPING:
            return None
        from utf8_abnf.cli import pieces

        if not pieces.AVAILABLE:
            return None
        self._progress.start(shown(path), source.size)
        file = source.file.fileno()
        try:
            found = pieces.first_offset(file, source.size, jobs=self._jobs, progress=self._progress.advance)
        except pieces.CannotMapError:
            return None
        if found is None:
            return reports.WELL_FORMED
        # The file may have grown meanwhile: then what looked like a cut character may be complete.
        return reports.ILL_FORMED if os.fstat(file).st_size == source.size else None

    def _errors(self, path: str, scanner: Scanner | ColumnScanner) -> tuple[int, int, str]:
        """Report the errors of one input; return how many were shown, how many more there are, and what to do.

        One error is enough, and the others are not counted, where the first bytes show that the input is not UTF-8; nor
        are they in data that are not text.
        """
        number = 0
        errors = self._baseline.unknown(path, scanner.errors()) if self._baseline else scanner.errors()
        for located in islice(errors, self._limit):
            from utf8_abnf.explain import diagnostic, nature

            self._progress.clear()
            self._reporter.error(path, located, scanner.head)
            number += 1
            if nature.nature_of(scanner.head).is_known:
                self._totals.complete = False
                return number, 0, ""
        if self._args.first or not number:
            return number, 0, ""
        if nature.nature_of(scanner.head).is_data:
            self._totals.complete = False
            unshown = 0
        else:
            unshown = sum(1 for _ in errors) if self._baseline else scanner.count_rest()
        if scanner.content is None:
            return number, unshown, ""
        return number, unshown, diagnostic.advice_for_file(scanner.head, scanner.content, number + unshown)

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

    def _wrong_mark(self, head: bytes) -> str:
        """Return what is wrong with the byte order mark of an input that begins with *head*, "" for nothing."""
        rule = self._args.bom
        if not rule or not head or head.startswith(BOM_UTF8) == (rule == "require"):
            return ""
        from utf8_abnf.language import messages

        return say(messages.MARK[rule])

    def _done(self, path: str, verdict: str, errors: int, unshown: int, mark: str = "", advice: str = "") -> None:
        self._progress.clear()
        if mark:
            self._totals.marks += 1
            verdict = reports.WRONG_MARK if verdict == reports.WELL_FORMED else verdict
            advice = f"{mark}\n\n{advice}" if advice else mark
        self._totals.checked += verdict != reports.BINARY
        self._totals.ill_formed += verdict == reports.ILL_FORMED
        self._totals.errors += errors
        self._reporter.outcome(path, verdict, errors, unshown, advice)

    def _problem(self, path: str, error: OSError) -> None:
        self._progress.clear()
        self._totals.unreadable += 1
        self._reporter.problem(path, sources.reason_of(error))

    def _notice(self, path: str, text: str) -> None:
        self._progress.clear()
        print(f"utf8-abnf: {shown(path)}: {text}", file=sys.stderr)


def _in_order(
    walk: Iterable[tuple[str, bool]], problems: list[tuple[str, OSError]]
) -> Iterator[tuple[str, bool | OSError]]:
    """Yield what *walk* finds, and the *problems* that it met, each before the file that it found next."""
    for found in walk:
        yield from problems
        problems.clear()
        yield found
    yield from problems


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
