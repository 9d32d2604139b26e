"""Reads an input that may have errors, calls the reporter for each error, and adds to the totals of ``check``.

Rule 1: an input is never in memory as a whole. Rule 2: an input that cannot be read does not stop the others.
"""

from __future__ import annotations

import os
import sys
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING

from utf8_abnf.cli.files.doubts import doubt_of
from utf8_abnf.cli.files.reports import reporter_of
from utf8_abnf.cli.files.sources import Opened, opened
from utf8_abnf.cli.files.verdicts import (
    BINARY,
    ILL_FORMED,
    REFUSED,
    WELL_FORMED,
    WRONG_MARK,
    Totals,
    wrong_mark,
)
from utf8_abnf.cli.names import reason_of, shown
from utf8_abnf.errors import UnreadableError
from utf8_abnf.explain.diagnostic import advice_for_file, in_other_encoding
from utf8_abnf.explain.located import NO_ADVICE, Advice
from utf8_abnf.explain.locating import BLOCK, NOTHING, Rest, Scanner
from utf8_abnf.explain.nature import nature_of

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

    from utf8_abnf.cli.progress import Progress
    from utf8_abnf.files.profiles import Profile
    from utf8_abnf.files.reading.columns import ColumnScanner


class Inspection:
    """The reporter of a run, whose *totals* it adds to."""

    def __init__(self, args: argparse.Namespace, totals: Totals, progress: Progress, profile: Profile | None) -> None:
        self._args, self._totals, self._progress, self._profile = args, totals, progress, profile
        self._limit = 1 if args.first else min(args.max_errors, sys.maxsize) or None
        self._buffer = bytearray(BLOCK)
        self._reported = [0, 0]  # of the present input's errors: ill-formed, refused
        self._wants_errors = not (args.quiet or args.list or args.null)
        self.reporter = reporter_of(args)
        totals.complete = not args.first

    def each(self, path: str, *, named: bool) -> None:
        """Check one input, or what is packed in it."""
        open_ = partial(opened, path)
        if not (self._args.unpack or self._args.column):
            self._one(path, open_, named=named)
            return
        from utf8_abnf.cli.files import unpacking  # here, as few runs unpack

        for part in unpacking.inputs(path, open_, tuple(self._args.column), named=named):
            if part.open is None:
                self._totals.passed_over += 1
            else:
                self._one(part.path, part.open, named=part.named)

    def _one(self, path: str, open_: Callable[[], Opened], *, named: bool) -> None:
        """Check one input and report its errors, or that it cannot be read; *named*: by the user, so whatever it is."""
        self._reported = [0, 0]
        try:
            source = open_()
        except OSError as error:
            self.problem(path, error)
            return
        try:
            with source:
                if named or self._args.text or not source.is_binary():
                    self._scanned(path, source)
                else:
                    self.report(path, None)
        except UnreadableError as error:
            if any(self._reported):
                self._totals.complete = False
                self._totals.broken_off += 1
                self._count(Rest(*self._reported))
            self.problem(path, error)

    def _scanned(self, path: str, source: Opened) -> None:
        self._progress.start(shown(path), source.size)
        if source.column:
            source.column.profile = self._profile
        scanner = source.column or Scanner(self._reader(source), buffer=self._buffer, profile=self._profile)
        if self._wants_errors:
            errors, unshown, advice = self._errors(path, scanner)
        else:
            errors, unshown, advice = Rest(int(scanner.first_offset() is not None)), NOTHING, NO_ADVICE
        # The size is asked again, because files in Linux's /sys state a larger size than they have.
        if source.size and scanner.ended and scanner.size < source.size > os.fstat(source.file.fileno()).st_size:
            raise UnreadableError(f"was truncated while being read, from {source.size:,} to {scanner.size:,} bytes")
        if self._wants_errors and not any(errors):
            advice = doubt_of(scanner.beginning) or advice
        if wrong := wrong_mark(self._args.bom, scanner.head):
            self._totals.marks += 1
            advice = advice._replace(text=f"{wrong}\n\n{advice.text}".rstrip())
        self.report(path, errors, unshown, advice, is_marked_wrong=bool(wrong))

    def _errors(self, path: str, scanner: Scanner | ColumnScanner) -> tuple[Rest, Rest, Advice]:
        """Report the errors of one input; return how many it has, how many of them were not shown, and what to do.

        One error is enough, and the others are not counted, where the first bytes show that the input is not UTF-8; nor
        are they in data that are not text.
        """
        for located in islice(scanner.errors(), self._limit):
            self._progress.clear()
            self.reporter.error(path, located, scanner.head)
            self._reported[located.profile is not None] += 1
            if located.profile is None and nature_of(scanner.head).is_known:
                self._totals.complete = False
                encoding = nature_of(scanner.head).encoding
                advice = in_other_encoding(encoding)._replace(text="") if encoding else NO_ADVICE  # each error has it
                return Rest(*self._reported), NOTHING, advice
        if self._args.first or not any(self._reported):
            return Rest(*self._reported), NOTHING, NO_ADVICE
        ill_formed, refused = self._reported
        unshown = NOTHING
        if ill_formed and nature_of(scanner.head).is_data:
            self._totals.complete = False
        else:
            unshown = scanner.count_rest()
        total = Rest(ill_formed + unshown.ill_formed, refused + unshown.refused)
        if scanner.content is None or not total.ill_formed:
            return total, unshown, NO_ADVICE
        return total, unshown, advice_for_file(scanner.head, scanner.content)

    def _reader(self, source: Opened) -> Callable[[memoryview], int]:
        def readinto(room: memoryview) -> int:
            count = source.readinto(room)
            self._progress.advance(count)
            return count

        return readinto

    def report(
        self,
        path: str,
        errors: Rest | None = NOTHING,
        unshown: Rest = NOTHING,
        advice: Advice = NO_ADVICE,
        *,
        is_marked_wrong: bool = False,
    ) -> None:
        """Report the end of one input; *errors* is None for one that was left out as binary."""
        self._progress.clear()
        verdict = _verdict(errors, is_marked_wrong=is_marked_wrong)
        if errors is None:
            self._totals.binary += 1
        else:
            self._count(errors)
        self.reporter.outcome(path, verdict, sum(errors or NOTHING), unshown, advice)

    def _count(self, errors: Rest) -> None:
        """Add one input with *errors* to the totals."""
        self._totals.checked += 1
        self._totals.ill_formed += errors.ill_formed > 0
        self._totals.errors += errors.ill_formed
        if errors.refused:
            self._totals.refused += errors.refused
            self._totals.refused_inputs += 1

    def problem(self, path: str, error: OSError) -> None:
        self._progress.clear()
        self._totals.unreadable += 1
        self.reporter.problem(path, reason_of(error))


def _verdict(errors: Rest | None, *, is_marked_wrong: bool) -> str:
    if errors is None:
        return BINARY
    if errors.ill_formed:
        return ILL_FORMED
    if errors.refused:
        return REFUSED
    return WRONG_MARK if is_marked_wrong else WELL_FORMED
