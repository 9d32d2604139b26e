"""One run of ``check``: inputs in, the calls of a reporter and the exit status out.

Rule 1: an input is never in memory as a whole. Rule 2: an input that cannot be read does not stop the others.
"""

from __future__ import annotations

import os
import stat
import sys
from codecs import BOM_UTF8
from collections import Counter
from functools import cache, partial
from itertools import islice
from typing import TYPE_CHECKING

from utf8_abnf.cli import sources
from utf8_abnf.cli.files import reports
from utf8_abnf.cli.files.spreading import in_order, looked_at, usable_cpus
from utf8_abnf.cli.progress import Progress
from utf8_abnf.cli.sources import BINARY_HEAD, STDIN, Opened, Walk, opened, shown
from utf8_abnf.cli.status import ILL_FORMED, OK, USAGE
from utf8_abnf.errors import UnreadableError, UsageError
from utf8_abnf.explain.locating import BEGINNING, BLOCK, HEAD, Rest, Scanner, rest_of
from utf8_abnf.language.catalogue import say
from utf8_abnf.language.notation import printable
from utf8_abnf.validator.functions import is_valid

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterable

    from utf8_abnf.explain.located import Located
    from utf8_abnf.explain.twice import Twice
    from utf8_abnf.files.profiles import Profile
    from utf8_abnf.files.reading.columns import ColumnScanner

WORTH_MAPPING = 32 << 20  # bytes; below, starting the children costs more than the mapping saves
_MAX_JOBS = 8  # unless --jobs says more: beyond that memory is the limit, not the processor
_MAX_SHOWN = 12  # characters of text that was encoded twice
NONE = Rest()


class Check:
    """One run: its options, reporter and totals, and the one buffer through which all inputs are read.

    With a *profile*, the characters that it refuses are errors as well.
    """

    def __init__(self, args: argparse.Namespace, reporter: reports.Reporter, profile: Profile | None = None) -> None:
        self._args = args
        self._reporter = reporter
        self._profile = profile
        self._is_valid = profile.is_valid if profile else is_valid
        refuses_nul = profile is not None and not profile.is_valid(b"\0")
        self._text = refuses_nul if args.text is None else args.text  # NUL makes a file binary
        self._limit = 1 if args.first else min(args.max_errors, sys.maxsize) or None
        self._jobs = args.jobs or min(usable_cpus(), _MAX_JOBS)
        self._buffer = bytearray(BLOCK)
        self._progress = Progress(quiet=args.quiet)
        self._totals = reports.Totals(complete=not args.first)
        self._kinds: Counter[bool] = Counter()  # of the present input's reported errors: whether ill-formed
        self._baseline = None
        if args.baseline:
            from utf8_abnf.cli.files.baseline import Baseline

            self._baseline = Baseline(args.baseline, update=args.update_baseline)

    def all(self, paths: list[str]) -> int:
        if self._args.staged:
            self._staged(paths)
        else:
            self._walked(paths)
        self._progress.clear()
        if self._baseline:
            self._totals.known = self._baseline.known
            if self._args.update_baseline:
                self._baseline.write()
                self._totals.taken_out = self._baseline.gone
            else:
                self._totals.gone = self._baseline.gone
        self._reporter.finish(self._totals)
        if self._totals.unreadable:
            return USAGE
        return ILL_FORMED if self._totals.ill_formed or self._totals.marks or self._totals.refused else OK

    def _walked(self, paths: list[str]) -> None:
        excluded = tuple(self._args.exclude)
        problems: list[tuple[str, OSError]] = []
        note = lambda path, error: problems.append((path, error))  # noqa: E731
        walk = Walk(paths, follow=self._args.follow, vcs=self._args.vcs, exclude=excluded, problem=note)
        jobs = 1 if self._args.unpack or self._args.column else self._jobs  # what is packed, only the parent sees
        for (path, named), is_well_formed in looked_at(in_order(walk, problems), self._is_well_formed, jobs=jobs):
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
                if not (named or self._text) and source.is_binary():
                    return False
                scanner = Scanner(source.readinto, buffer=self._buffer, profile=self._profile)
                is_well_formed = scanner.first_offset() is None and scanner.size == source.size
                return is_well_formed and not self._wrong_mark(scanner.head) and not _twice(scanner.beginning)
        except OSError:
            return False

    def _known_well_formed(self, path: str) -> None:
        if self._baseline:
            list(self._baseline.unknown(path, ()))
        self._done(path, Rest())

    def _staged(self, paths: list[str]) -> None:
        from utf8_abnf.cli import git

        try:
            found = git.staged(paths, self._problem)
        except OSError as error:
            raise UsageError(sources.reason_of(error)) from None
        for path, content in found.items():
            self._each(path, partial(git.StagedContent, content), named=False)

    def _each(self, path: str, open_: Callable[[], Opened], *, named: bool) -> None:
        """Check one input, or what is packed in it."""
        if not (self._args.unpack or self._args.column):
            self._one(path, open_, named=named)
            return
        from utf8_abnf.cli.files import unpacking

        for part in unpacking.inputs(path, open_, self._args, named=named, passes=self._passes):
            if part.open is None:
                self._totals.passed_over += 1
            else:
                self._one(part.path, part.open, named=part.named)

    def _passes(self, content: bytes) -> bool:
        """Return whether there is nothing to say of a text in a packed file, which is then counted."""
        if self._reporter.names_all or self._baseline or not self._is_valid(content):
            return False
        if content.find(0, 0, BINARY_HEAD) >= 0:
            return False
        if self._args.bom and self._wrong_mark(content[:HEAD]):
            return False
        if self._reporter.wants_errors and _twice(content[:BEGINNING]):
            return False
        self._progress.advance(len(content))
        self._totals.checked += 1
        return True

    def _one(self, path: str, open_: Callable[[], Opened], *, named: bool) -> None:
        """Check one input and report its errors, or that it cannot be read; *named*: by the user, so whatever it is."""
        self._kinds.clear()
        try:
            source = open_()
        except OSError as error:
            self._problem(path, error)
            return
        try:
            with source:
                if named or self._text or not source.is_binary():
                    self._opened(path, source)
                else:
                    self._done(path, None)
        except UnreadableError as error:
            if any(seen := self._seen()):
                self._totals.complete = False
                self._totals.broken_off += 1
                self._count(seen)
            self._problem(path, error)

    def _seen(self) -> Rest:
        """Return how many errors of the present input were reported."""
        return Rest(self._kinds[True], self._kinds[False])

    def _opened(self, path: str, source: Opened) -> None:
        known = self._known_from_mapping(path, source)
        wants_errors = self._reporter.wants_errors or self._baseline is not None
        if known is not None and (not any(known) or not wants_errors):
            if self._baseline and not any(known):
                list(self._baseline.unknown(path, ()))
            beginning = os.pread(source.file.fileno(), BEGINNING, 0)
            advice = "" if any(known) else _twice(beginning)
            self._done(path, known, mark=self._wrong_mark(beginning), advice=advice)
            return
        self._progress.start(shown(path), source.size)
        scanner = source.scanner(self._reader(source), self._buffer, self._profile)
        if wants_errors:
            errors, unshown, advice = self._errors(path, scanner)
        else:
            errors, unshown, advice = Rest(int(scanner.first_offset() is not None)), Rest(), ""
        # The size is asked again, because files in Linux's /sys state a larger size than they have.
        if source.size and scanner.ended and scanner.size < source.size > os.fstat(source.file.fileno()).st_size:
            from utf8_abnf.language import messages

            sizes = {"before": f"{source.size:,}", "after": f"{scanner.size:,}"}
            raise UnreadableError(say(messages.BECAME_SHORTER, **sizes))
        if wants_errors and not any(errors) and not self._knows(path):
            advice = _twice(scanner.beginning)
        self._done(path, errors, unshown, self._wrong_mark(scanner.head), advice)

    def _known_from_mapping(self, path: str, source: Opened) -> Rest | None:
        """Return the errors of a large file, one at most; None if it is not large, or if only reading it can tell."""
        if source.size is None or source.size < WORTH_MAPPING or self._profile:
            return None
        from utf8_abnf.cli.files import pieces

        if not pieces.AVAILABLE:
            return None
        self._progress.start(shown(path), source.size)
        file = source.file.fileno()
        try:
            found = pieces.first_offset(file, source.size, jobs=self._jobs, progress=self._progress.advance)
        except pieces.CannotMapError:
            return None
        if found is None:
            return Rest()
        # The file may have grown meanwhile: then what looked like a cut character may be complete.
        return Rest(1) if os.fstat(file).st_size == source.size else None

    def _errors(self, path: str, scanner: Scanner | ColumnScanner) -> tuple[Rest, Rest, str]:
        """Report the errors of one input; return how many it has, how many of them were not shown, and what to do.

        One error is enough, and the others are not counted, where the first bytes show that the input is not UTF-8; nor
        are they in data that are not text.
        """
        errors = self._baseline.unknown(path, scanner.errors()) if self._baseline else scanner.errors()
        for located in islice(errors, self._limit):
            from utf8_abnf.explain.nature import nature_of

            self._progress.clear()
            self._reporter.error(path, located, scanner.head)
            self._kinds[located.profile is None] += 1
            if located.profile is None and nature_of(scanner.head).is_known:
                self._totals.complete = False
                return self._seen(), Rest(), ""
        shown_errors = self._seen()
        if self._args.first or not any(shown_errors):
            return shown_errors, Rest(), ""
        return self._with_the_rest(path, scanner, errors, shown_errors)

    def _with_the_rest(
        self, path: str, scanner: Scanner | ColumnScanner, errors: Iterable[Located], seen: Rest
    ) -> tuple[Rest, Rest, str]:
        """Return what ``_errors`` returns where *seen* were shown."""
        from utf8_abnf.explain import diagnostic
        from utf8_abnf.explain.nature import nature_of

        if seen.ill_formed and nature_of(scanner.head).is_data:
            self._totals.complete = False
            unshown = Rest()
        else:
            unshown = rest_of(errors) if self._baseline else scanner.count_rest()
        total = Rest(seen.ill_formed + unshown.ill_formed, seen.refused + unshown.refused)
        if scanner.content is None or not total.ill_formed:
            return total, unshown, ""
        number = 0 if self._knows(path) else total.ill_formed
        return total, unshown, diagnostic.advice_for_file(scanner.head, scanner.content, number)

    def _knows(self, path: str) -> bool:
        """Return whether an input that was read to its end has errors that the baseline has, and nobody reports."""
        return self._baseline is not None and self._baseline.knows(path)

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

    def _done(self, path: str, errors: Rest | None, unshown: Rest = NONE, mark: str = "", advice: str = "") -> None:
        """Report the end of one input; *errors* is None for one that was left out as binary."""
        self._progress.clear()
        verdict = _verdict(errors, is_marked_wrong=bool(mark), is_known=self._knows(path))
        if mark:
            self._totals.marks += 1
            advice = f"{mark}\n\n{advice}" if advice else mark
        if errors is None:
            self._totals.binary += 1
        else:
            self._count(errors)
        self._reporter.outcome(path, verdict, sum(errors or Rest()), unshown, advice)

    def _count(self, errors: Rest) -> None:
        """Add one input with *errors* to the totals."""
        self._totals.checked += 1
        self._totals.ill_formed += errors.ill_formed > 0
        self._totals.errors += errors.ill_formed
        if errors.refused:
            self._totals.refused += errors.refused
            self._totals.refused_inputs += 1

    def _problem(self, path: str, error: OSError) -> None:
        self._progress.clear()
        self._totals.unreadable += 1
        self._reporter.problem(path, sources.reason_of(error))

    def _notice(self, path: str, text: str) -> None:
        self._progress.clear()
        print(f"utf8-abnf: {shown(path)}: {text}", file=sys.stderr)


def _twice(beginning: bytes) -> str:
    """Return what to say of well-formed text that begins so, if it was encoded twice; else ""."""
    if beginning.isascii():
        return ""
    found = _encoded_twice()(beginning)
    if found is None:
        return ""
    from utf8_abnf.language import messages

    old, new = printable(found.old[:_MAX_SHOWN]), printable(found.new[:_MAX_SHOWN])
    return say(messages.WAS_TWICE, number=f"{found.number:,}", runs=f"{found.runs:,}", old=old, new=new)


@cache
def _encoded_twice() -> Callable[[bytes], Twice | None]:
    from utf8_abnf.explain.twice import encoded_twice  # text in ASCII, the most of all, is checked without

    return encoded_twice


def _verdict(errors: Rest | None, *, is_marked_wrong: bool, is_known: bool) -> str:
    if errors is None:
        return reports.BINARY
    if errors.ill_formed:
        return reports.ILL_FORMED
    if errors.refused:
        return reports.REFUSED
    if is_marked_wrong:
        return reports.WRONG_MARK
    return reports.KNOWN if is_known else reports.WELL_FORMED
