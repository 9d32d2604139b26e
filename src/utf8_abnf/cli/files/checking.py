"""One run of ``check``: inputs in, the calls of a reporter and the exit status out.

Most files have nothing to say of them, and this is all that they cost: a regular file is read and judged as a whole.
``inspecting`` is imported for the first input of which there is more to say. Rule: an input that cannot be read does
not stop the others.
"""

from __future__ import annotations

import os
import stat
import sys
from typing import TYPE_CHECKING

from utf8_abnf.cli.files.sources import BINARY_HEAD, OPENING, Walk
from utf8_abnf.cli.files.verdicts import Totals, wrong_mark
from utf8_abnf.cli.names import STDIN
from utf8_abnf.cli.status import ILL_FORMED, OK, USAGE
from utf8_abnf.validator.functions import is_valid

if TYPE_CHECKING:
    import argparse

    from utf8_abnf.cli.files.inspecting import Inspection
    from utf8_abnf.cli.progress import Progress
    from utf8_abnf.files.profiles import Profile

_WHOLE = 1 << 20  # bytes of a file that is judged at once
BEGINNING = 1 << 16  # bytes in which text that was encoded twice is looked for
_OFTEN = 64  # files between two looks at the clock


class Check:
    """One run: its options and its totals.

    With a *profile*, the characters that it refuses are errors as well.
    """

    def __init__(self, args: argparse.Namespace, profile: Profile | None = None) -> None:
        self._args = args
        self._profile = profile
        self._is_valid = profile.is_valid if profile else is_valid
        if args.text is None:  # NUL makes a file binary
            args.text = profile is not None and not profile.is_valid(b"\0")
        self._looks_ahead = not (args.unpack or args.column)
        self._names_all = args.format in ("json", "jsonl") and not (args.quiet or args.list or args.null)
        self._totals = Totals()
        self._untold = 0  # bytes that were checked, and that the progress does not have
        self._made: Inspection | None = None
        self._shown: Progress | None = None

    @property
    def _progress(self) -> Progress:
        if self._shown is None:
            from utf8_abnf.cli.progress import Progress  # here, as most runs are short

            self._shown = Progress(quiet=self._args.quiet)
        return self._shown

    @property
    def _inspection(self) -> Inspection:
        if self._made is None:
            from utf8_abnf.cli.files.inspecting import Inspection  # here, as most runs have nothing to report

            self._made = Inspection(self._args, self._totals, self._progress, self._profile)
        return self._made

    def all(self, paths: list[str]) -> int:
        """Check all inputs and return the exit status."""
        args, totals = self._args, self._totals
        if args.format != "text":  # a report may begin with something, and end so
            _ = self._inspection
        walk = Walk(
            paths,
            follow=args.follow,
            exclude=args.exclude,
            force_exclude=args.force_exclude,
            problem=lambda path, error: self._inspection.problem(path, error),
        )
        for path, named in walk:
            if not (self._looks_ahead and self._passes(path, named)):
                self._inspection.each(path, named=named)
        totals.passed_over += walk.passed_over
        if self._shown:
            self._shown.clear()
        if self._made or sys.stderr.isatty():
            self._inspection.reporter.finish(totals)
        if totals.unreadable:
            return USAGE
        return ILL_FORMED if totals.ill_formed or totals.marks or totals.refused else OK

    def _passes(self, path: str, named: bool) -> bool:
        """Return whether there is nothing to say of a regular file, which is then counted; raise nothing."""
        if path == STDIN:
            return False
        file = -1
        try:
            if named and not stat.S_ISREG(os.stat(path).st_mode):
                return False
            file = os.open(path, OPENING)
            size = os.fstat(file).st_size
            data = os.read(file, min(size, _WHOLE) + 1)  # one more, since files of /proc have more than their size
            if len(data) != min(size, _WHOLE + 1) or (not (named or self._args.text) and b"\0" in data[:BINARY_HEAD]):
                return False
            if not (self._is_valid(data) if size <= _WHOLE else self._blocks_pass(file, size)):
                return False
        except OSError:
            return False
        finally:
            if file >= 0:
                os.close(file)
        if self._args.bom and wrong_mark(self._args.bom, data):
            return False
        if self._is_doubtful(data[:BEGINNING]):
            return False
        if self._names_all:
            self._inspection.report(path)
        else:
            self._totals.checked += 1
        self._untold += len(data)
        if self._totals.checked % _OFTEN == 0:
            self._progress.advance(self._untold)
            self._untold = 0
        return True

    def _is_doubtful(self, beginning: bytes) -> bool:
        if beginning.isascii() and 0 not in beginning:
            return False
        from utf8_abnf.cli.files.doubts import doubt_of  # here, as most files are ASCII without NUL

        return doubt_of(beginning) is not None

    def _blocks_pass(self, file: int, size: int) -> bool:
        from utf8_abnf.cli.files.blocks import are_valid  # here, as few files are large

        self._progress.start("", size)
        return are_valid(file, size, self._is_valid, self._progress.advance)
