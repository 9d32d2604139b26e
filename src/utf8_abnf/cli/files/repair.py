"""``utf8-abnf repair``: files, folders and standard input in; well-formed UTF-8 out, and a log that undoes it.

Rule 1: an input is never in memory as a whole. Rule 2: an input that cannot be read or written stops no
other. Rule 3: a file is replaced only by a whole new one, and only while the old one or a log of the changes is kept.
"""

from __future__ import annotations

import os
import sys
from codecs import lookup
from contextlib import ExitStack
from itertools import chain
from typing import TYPE_CHECKING

from utf8_abnf.cli.files import change_log, repair_options
from utf8_abnf.cli.files.change_diff import Diff
from utf8_abnf.cli.files.rewriting import BACKUP, TEMPORARY, Rewriting
from utf8_abnf.cli.files.sources import BINARY_HEAD, Walk, opened
from utf8_abnf.cli.names import STDIN, reason_of, shown
from utf8_abnf.cli.progress import Progress
from utf8_abnf.cli.status import ILL_FORMED, OK, USAGE
from utf8_abnf.errors import UnreadableError, UsageError
from utf8_abnf.explain.locating import BLOCK, HEAD, Scanner
from utf8_abnf.explain.nature import nature_of
from utf8_abnf.files.repairing import Change, Repaired, Repairer, Undoer, UndoError
from utf8_abnf.files.repairing.stream import LINE
from utf8_abnf.files.repairing.wide import NAMES
from utf8_abnf.language.notation import counted

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterator

    from utf8_abnf.cli.files.sources import Opened

configure = repair_options.configure


class LeftAlone(Exception):  # noqa: N818  # no error
    """The input is not text in UTF-8, or would not be changed; the message says so, "" if there is nothing to say."""


def run(args: argparse.Namespace) -> int:
    """Repair what *args* name, or undo it, and return the exit status."""
    repair_options.check(args)
    undone = change_log.Log(args.undo) if args.undo else None
    paths = args.paths or (undone.outputs if undone and args.in_place else [STDIN])
    if not args.paths and paths == [STDIN] and sys.stdin is not None and sys.stdin.isatty():
        raise UsageError("nothing to repair: give files or folders, or - to type the input here")
    if args.in_place and (path := next((each for each in paths if each == STDIN or "://" in each), "")):
        raise UsageError(f"--in-place needs files: {'standard input' if path == STDIN else path} has no place")
    several = len(paths) != 1 or os.path.isdir(paths[0])
    if several and not (args.in_place or args.dry_run):
        raise UsageError("for several inputs, say --in-place, or --dry-run to look at it first")
    for option, log in (("--log", args.log), ("--undo", args.undo)):
        if args.output and log and _is_same(args.output, log):
            raise UsageError(f"-o and {option} name the same file: {shown(args.output)}")
    with ExitStack() as stack:
        log = stack.enter_context(change_log.ChangeLog(args.log)) if args.log else None
        return _Repair(args, log, undone, several=several).all(paths)


def _is_same(path: str, other: str) -> bool:
    """Return whether two paths lead to the same file; neither has to exist yet."""
    try:
        about = os.fstat(sys.stdin.fileno()) if path == STDIN else os.stat(path)
        return os.path.samestat(about, os.stat(other))
    except OSError:
        return os.path.realpath(path) == os.path.realpath(other)


class _Repair:
    """One run: its options, its log or the one that is *undone*, and its totals. *several*: inputs there may be."""

    def __init__(
        self,
        args: argparse.Namespace,
        log: change_log.ChangeLog | None,
        undone: change_log.Log | None,
        *,
        several: bool,
    ) -> None:
        self._args, self._log, self._undone, self._several = args, log, undone, several
        self._policy, self._unit = repair_options.policy_of(args)
        self._is_wide = self._unit == LINE and lookup(args.codec).name in NAMES
        self._progress = Progress(quiet=args.quiet)
        self._files = self._changed = self._changes = self._left = self._problems = 0

    def all(self, paths: list[str]) -> int:
        if self._args.overlong:
            self._warn(
                "--overlong shortest is dangerous unless you know the program that wrote this: a check that the text "
                "passed before has not seen the characters that come out"
            )
        excluded = (*self._args.exclude, TEMPORARY + "*", *(["*" + BACKUP] if self._args.in_place else []))
        logs = [log for log in (self._args.log, self._args.undo) if log]
        walk = Walk(paths, exclude=excluded, apart=logs, problem=self._problem)
        for path, named in walk:
            self._one(path, named=named)
        self._progress.clear()
        if self._undone and self._undone.outputs and not (self._changed or self._problems):
            self._problem(paths[0], UnreadableError(self._undone.no_change_of(paths[0])))
        self._left += walk.passed_over
        if not self._args.dry_run:
            sys.stdout.flush()  # what cannot be written was not repaired
        if (self._several or self._changed or self._left) and not self._args.quiet:
            self._warn(self._sum())
        if self._problems:
            return USAGE
        return ILL_FORMED if self._args.dry_run and self._changed else OK

    def _one(self, path: str, *, named: bool) -> None:
        try:
            source = opened(path)
        except OSError as error:
            self._problem(path, error)
            return
        self._progress.start(shown(path), source.size)
        try:
            with source:
                changes = self._opened(path, source, named=named)
        except LeftAlone as why:
            self._left += not named
            if named:
                self._problem(path, UnreadableError(f"is left alone: {why}"))
        except UndoError as error:
            self._problem(path, UnreadableError(str(error)))
        except OSError as error:
            if not (isinstance(error, UnreadableError) or self._args.in_place or self._args.output):
                raise  # standard output cannot be written: that is not this input's fault
            self._problem(path, error)
        else:
            self._files += 1
            self._changed += changes > 0
            self._changes += changes

    def _opened(self, path: str, source: Opened, *, named: bool) -> int:
        """Repair one input; return the number of changes."""
        self._original = change_log.Seal()
        chunks = self._chunks(source)
        head = b""
        for chunk in chunks:
            head += chunk
            if len(head) >= BINARY_HEAD:
                break
        if self._undone:
            if self._several and path not in self._undone.outputs:
                return 0  # it was well-formed
            return self._write(path, _undone(self._undone.changes_of(path), head, chunks))
        self._refuse(head, named=named)
        if self._args.in_place and source.size and not self._is_wide:
            source.file.seek(0)
            if Scanner(source.readinto).first_offset() is None:
                return 0  # nothing is written for a file that will not change
            source.file.seek(len(head))
        return self._write(path, _repaired(Repairer(self._policy, unit=self._unit), head, chunks))

    def _chunks(self, source: Opened) -> Iterator[bytes]:
        buffer = bytearray(BLOCK)
        with memoryview(buffer) as room:
            while size := source.readinto(room):
                self._progress.advance(size)
                chunk = bytes(room[:size])
                if self._log:
                    self._original = self._original.after(chunk)
                yield chunk

    def _refuse(self, head: bytes, *, named: bool) -> None:
        """Raise ``LeftAlone`` for an input that is not UTF-8 with faults: to treat single bytes of it would ruin it."""
        nature = nature_of(head[:HEAD])
        if nature.format:
            raise LeftAlone(f"this is not text but a file of the format {nature.format}")
        if self._is_wide:
            return
        if nature.encoding:
            name = nature.encoding.lower()
            raise LeftAlone(f"this begins as text in {nature.encoding}; --from {name} converts it")
        if not named and (0 in head[:BINARY_HEAD] or nature.is_data):
            raise LeftAlone

    def _write(self, path: str, parts: Iterator[Repaired]) -> int:
        if self._args.dry_run:
            return self._show(path, parts)
        target = path if self._args.in_place else self._args.output
        if not target:
            sys.stdout.flush()
            return self._pour(path, "", parts, sys.stdout.buffer.write)
        if not self._args.in_place and _is_same(path, target):
            raise UnreadableError("is input and output at the same time; use --in-place")
        try:
            rewriting = Rewriting(target)
        except OSError as error:
            where = "" if target == path else f"{shown(target)}: "
            raise UnreadableError(where + reason_of(error)) from None
        with rewriting as new:
            changes = self._pour(path, target, parts, new.write)
            if changes or not self._args.in_place:
                if self._log:
                    self._log.save()
                new.commit(backup=self._args.in_place and not (self._log or self._args.undo))
                for lost in new.lost:
                    self._warn(f"{shown(target)}: {lost}")
        return changes

    def _pour(self, path: str, target: str, parts: Iterator[Repaired], write: Callable[[bytes], object]) -> int:
        changes = 0
        if self._log:
            self._log.begin(path, "" if self._args.in_place else target)
        for part in parts:
            write(part.data)
            changes += len(part.log)
            if self._log:
                self._log.add(part)
        if self._log:
            self._log.end(self._original)
        return changes

    def _show(self, path: str, parts: Iterator[Repaired]) -> int:
        diff, changes = Diff(shown(path)), 0
        for part in parts:
            changes += len(part.log)
            self._print(diff.add(part))
        self._print(diff.end())
        return changes

    def _print(self, lines: Iterator[str]) -> None:
        for line in lines:
            self._progress.clear()
            print(line)

    def _sum(self) -> str:
        done = "restored" if self._args.undo else "would be repaired" if self._args.dry_run else "repaired"
        changes = counted(self._changes, "change") + (" undone" if self._args.undo else "")
        left = f"; {self._left:,} left alone (not UTF-8 text)" if self._left else ""
        return f"{self._changed:,} of {counted(self._files, 'file')} {done}, {changes}{left}"

    def _problem(self, path: str, error: OSError) -> None:
        self._problems += 1
        self._warn(f"{shown(path)}: {reason_of(error)}")

    def _warn(self, text: str) -> None:
        self._progress.clear()
        print(f"utf8-abnf: {text}", file=sys.stderr)


def _repaired(repairer: Repairer, head: bytes, rest: Iterator[bytes]) -> Iterator[Repaired]:
    yield repairer.feed(head)
    for chunk in rest:
        yield repairer.feed(chunk)
    yield repairer.finish()


def _undone(made: change_log.Changes, head: bytes, rest: Iterator[bytes]) -> Iterator[Repaired]:
    """Yield the input's bytes, with one entry in the log if anything is undone: it counts as a change of the file."""
    undoer, restored = Undoer(made), change_log.Seal()
    for chunk in chain([head], rest):
        data = undoer.feed(chunk)
        restored = restored.after(data)
        yield Repaired(data, [])
    last = undoer.finish()
    made.check(restored.after(last))
    yield Repaired(last, [Change(0, b"", b"", "")] * undoer.undone)
