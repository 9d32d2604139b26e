"""``utf8-abnf repair``: files, folders and standard input in; well-formed UTF-8 out, and a log that undoes it.

Rule 1: an input is never in memory as a whole. Rule 2: an input that cannot be read or written stops no
other. Rule 3: a file is replaced only by a whole new one, and only while the old one or a log of the changes is kept.
"""

from __future__ import annotations

import io
import os
import sys
from contextlib import ExitStack, contextmanager
from itertools import chain
from typing import TYPE_CHECKING

from utf8_abnf.cli import sources
from utf8_abnf.cli.failures import finished
from utf8_abnf.cli.files import change_log, repair_options
from utf8_abnf.cli.files.change_diff import Diff
from utf8_abnf.cli.files.rewriting import BACKUP, TEMPORARY, Rewriting
from utf8_abnf.cli.progress import Progress
from utf8_abnf.cli.sources import BINARY_HEAD, STDIN, Walk, opened, shown
from utf8_abnf.cli.status import ILL_FORMED, OK, USAGE
from utf8_abnf.errors import UnreadableError, UsageError
from utf8_abnf.explain.locating import BLOCK, HEAD, Scanner
from utf8_abnf.explain.nature import COMPRESSED, EBCDIC, nature_of
from utf8_abnf.files.remote import is_url
from utf8_abnf.files.repairing import Change, NoGuessError, Repaired, Repairer, Undoer, UndoError
from utf8_abnf.files.repairing.treatments import AUTO, MOJIBAKE, OVERLONG, UTF16
from utf8_abnf.language import messages
from utf8_abnf.language.catalogue import count, say

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterator

    from typing_extensions import Buffer

    from utf8_abnf.cli.sources import Opened

configure = repair_options.configure


class LeftAlone(Exception):  # noqa: N818  # no error
    """The input is not text in UTF-8, or would not be changed; the message says so, "" if there is nothing to say."""


def run(args: argparse.Namespace) -> int:
    """Repair what *args* name, or undo it, and return the exit status."""
    repair_options.check(args)
    undone = change_log.Log(args.undo) if args.undo else None
    paths = args.paths
    if undone and args.in_place and not paths:
        paths = undone.outputs
    elif not paths:
        if sys.stdin is not None and sys.stdin.isatty():
            raise UsageError(say(messages.NOTHING_TO_REPAIR))
        paths = [STDIN]
    if args.in_place and (url := next(filter(is_url, paths), "")):
        raise UsageError(say(messages.NO_PLACE_URL, url=url))
    if args.in_place and STDIN in paths:
        raise UsageError(say(messages.NO_PLACE))
    _refuse_clashes(args, paths)
    with ExitStack() as stack:
        log = stack.enter_context(change_log.ChangeLog(args.log)) if args.log else None
        return _Repair(args, log, undone).all(paths)


def _refuse_clashes(args: argparse.Namespace, paths: list[str]) -> None:
    """Raise ``UsageError`` where the output would take the place of a log, or become an input."""
    output = args.output
    if not output:
        return
    for option, log in (("--log", args.log), ("--undo", args.undo)):
        if log and _is_same(output, log):
            raise UsageError(say(messages.SAME_PLACE, option=option, name=shown(output)))
    place = os.path.join(os.path.realpath(output), "")
    for folder in filter(os.path.isdir, paths):
        if place.startswith(os.path.join(os.path.realpath(folder), "")):
            raise UsageError(say(messages.OUTPUT_WITHIN, output=shown(output), folder=shown(folder)))


def _is_same(path: str, other: str) -> bool:
    """Return whether two paths, of which there may be nothing yet, lead to the same file."""
    try:
        about = os.fstat(sys.stdin.fileno()) if path == STDIN else os.stat(path)
        return os.path.samestat(about, os.stat(other))
    except OSError:
        return os.path.realpath(path) == os.path.realpath(other)


class _Repair:
    """One run: its options, its log or the one that is *undone*, and its totals."""

    def __init__(
        self, args: argparse.Namespace, log: change_log.ChangeLog | None, undone: change_log.Log | None
    ) -> None:
        self._args, self._log, self._undone = args, log, undone
        self._policy = "" if args.undo else repair_options.policy_of(args)
        self._parts = self._policy.split("+")
        self._progress = Progress(quiet=args.quiet)
        self._files = self._changed = self._changes = self._left = self._problems = 0
        self._several = False

    def all(self, paths: list[str]) -> int:
        self._several = len(paths) != 1 or os.path.isdir(paths[0])
        if self._several and not (self._args.in_place or self._args.dry_run or self._args.output):
            raise UsageError(say(messages.WHERE_TO))
        if OVERLONG in self._parts:
            print(f"utf8-abnf: {say(messages.OVERLONG_DANGER)}", file=sys.stderr)
        self._folders = [os.path.join(path, "") for path in paths if os.path.isdir(path)]
        excluded = (*self._args.exclude, TEMPORARY + "*", *(["*" + BACKUP] if self._args.in_place else []))
        logs = [log for log in (self._args.log, self._args.undo) if log]
        walk = Walk(paths, follow=self._args.follow, exclude=excluded, apart=logs, problem=self._problem)
        for path, named in walk:
            self._one(path, named=named)
        self._progress.clear()
        if self._undone and self._undone.outputs and not (self._changed or self._problems):
            self._problem(paths[0], UnreadableError(say(messages.NOT_IN_LOG, name=paths[0], log=self._args.undo)))
        self._left += walk.passed_over
        if not self._args.dry_run:
            finished(OK)  # what cannot be written was not repaired
        if self._several or self._changed or self._left:
            self._say(self._sum())
        if self._problems:
            return USAGE
        return ILL_FORMED if self._args.dry_run and self._changed else OK

    def _one(self, path: str, *, named: bool) -> None:
        try:
            source = opened(path, notice=lambda text: self._say(f"{shown(path)}: {text}"))
        except OSError as error:
            self._problem(path, error)
            return
        self._progress.start(shown(path), source.size)
        try:
            with source, self._content(source) as content:
                changes = self._opened(path, content, named=named)
        except LeftAlone as why:
            self._left += not named
            if named:
                self._problem(path, UnreadableError(str(why)))
        except (UndoError, NoGuessError) as error:
            self._problem(path, UnreadableError(str(error)))
        except OSError as error:
            if not (isinstance(error, UnreadableError) or self._args.in_place or self._args.output):
                raise  # standard output cannot be written: that is not this input's fault
            self._problem(path, error)
        else:
            self._files += 1
            self._changed += changes > 0
            self._changes += changes

    def _content(self, source: Opened) -> Opened:
        """Return what is repaired: the input, or with ``--unpack`` what is in it, which is packed again afterwards."""
        self._format = ""
        if not self._args.unpack:
            return source
        from utf8_abnf.cli.files import unpacking

        content, self._format = unpacking.content_of(source)
        if content is None:
            raise LeftAlone(say(messages.ARCHIVE_LEFT, format=self._format))
        return content

    def _opened(self, path: str, source: Opened, *, named: bool) -> int:
        """Repair one input; return the number of changes."""
        chunks = self._chunks(source)
        head = b""
        for chunk in chunks:
            head += chunk
            if len(head) >= BINARY_HEAD:
                break
        if self._undone:
            if self._several and not self._undone.names(path):  # it was well-formed
                return self._write(path, (Repaired(chunk, []) for chunk in chain([head], chunks)))
            return self._write(path, _undone(self._undone.changes_of(path), head, chunks))
        self._refuse(head, named=named)
        if self._args.in_place and source.size and not {AUTO, MOJIBAKE}.intersection(self._parts):
            source.file.seek(0)
            if Scanner(source.readinto).first_offset() is None:
                return 0  # nothing is written for a file that will not change
            source.file.seek(len(head))
        repairer = Repairer(self._policy)
        return self._write(path, self._repaired(path, repairer, head, chunks))

    def _chunks(self, source: Opened) -> Iterator[bytes]:
        if source.first:
            yield source.first
        buffer = bytearray(BLOCK)
        with memoryview(buffer) as room:
            while size := source.readinto(room):
                self._progress.advance(size)
                yield bytes(room[:size])

    def _refuse(self, head: bytes, *, named: bool) -> None:
        """Raise ``LeftAlone`` for an input that is not UTF-8 with faults: to treat single bytes of it would ruin it."""
        nature = nature_of(head[:HEAD])
        if nature.format in COMPRESSED:
            raise LeftAlone(say(messages.COMPRESSED_LEFT, format=nature.format))
        if nature.format:
            raise LeftAlone(say(messages.NOT_TEXT_LEFT, format=nature.format))
        if nature.encoding == EBCDIC:
            raise LeftAlone(say(messages.EBCDIC))
        if nature.encoding and AUTO not in self._parts:
            raise LeftAlone(say(messages.WIDE_LEFT, encoding=nature.encoding))
        has_nul = b"\0" in head[:BINARY_HEAD] and not nature.encoding and UTF16 not in self._parts
        if not named and (has_nul or nature.is_data):
            raise LeftAlone

    def _repaired(self, path: str, repairer: Repairer, head: bytes, rest: Iterator[bytes]) -> Iterator[Repaired]:
        yield repairer.feed(head)
        for chunk in rest:
            yield repairer.feed(chunk)
        yield repairer.finish()
        if repairer.guess:
            self._say(f"{shown(path)}: {repairer.guess}")

    def _write(self, path: str, parts: Iterator[Repaired]) -> int:
        if self._args.dry_run:
            return self._show(path, parts)
        target = path if self._args.in_place else self._target(path)
        if not target:
            sys.stdout.flush()
            return self._pour(path, "", parts, sys.stdout.buffer.write)
        try:
            rewriting = Rewriting(target)
        except OSError as error:
            where = "" if target == path else f"{shown(target)}: "
            raise UnreadableError(where + sources.reason_of(error)) from None
        with rewriting as new:
            changes = self._pour(path, target, parts, new.write)
            if changes or not self._args.in_place:
                if self._log:
                    self._log.save()
                new.commit(backup=self._args.in_place and not (self._log or self._args.undo))
                self._warn(target, new)
        return changes

    def _warn(self, path: str, new: Rewriting) -> None:
        """Say what the new file at *path* does not have of the old one, also with ``--quiet``."""
        other = [count(messages.OTHER_NAMES, new.other_names)] if new.other_names else []
        for text in other if new.keeps_owner else [*other, say(messages.OTHER_OWNER)]:
            self._progress.clear()
            print(f"utf8-abnf: {shown(path)}: {text}", file=sys.stderr)

    def _target(self, path: str) -> str:
        """Return where the repaired *path* goes; "" for standard output."""
        output: str = self._args.output or ""
        if not output or not (self._several or os.path.isdir(output)):
            if output and _is_same(path, output):
                raise UnreadableError(say(messages.SAME_FILE))
            return output
        folder = next((each for each in self._folders if path.startswith(each)), "")
        top = os.path.basename(os.path.abspath(folder)) if folder else ""
        target = os.path.join(output, top, path[len(folder) :] if folder else os.path.basename(path))
        if self._args.log and _is_same(target, self._args.log):
            raise UnreadableError(say(messages.IS_LOG, name=shown(target)))
        if os.path.exists(target):
            raise UnreadableError(say(messages.OUTPUT_EXISTS, name=target))
        os.makedirs(os.path.dirname(target), exist_ok=True)
        return target

    def _pour(self, path: str, target: str, parts: Iterator[Repaired], write: Callable[[bytes], object]) -> int:
        changes = 0
        if self._log:
            self._log.begin(path, "" if self._args.in_place else target)
        with self._packer(write) as out:
            for part in parts:
                out(part.data)
                changes += len(part.log)
                if self._log:
                    self._log.add(part)
        if self._log:
            self._log.end()
        return changes

    @contextmanager
    def _packer(self, write: Callable[[bytes], object]) -> Iterator[Callable[[bytes], object]]:
        """Yield *write*, or what compresses first where the input was compressed."""
        if not self._format:
            yield write
            return
        from utf8_abnf.files.reading.compressed import packer

        with packer(self._format, _Sink(write)) as file:
            yield file.write

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
        facts = {
            "changed": f"{self._changed:,}",
            "files": count(messages.FILES, self._files),
            "changes": count(messages.CHANGES, self._changes),
        }
        form = (
            messages.WOULD_CHANGE if self._args.dry_run else messages.UNDONE if self._args.undo else messages.REPAIRED
        )
        left = f"; {count(messages.LEFT_ALONE, self._left)}" if self._left else ""
        return say(form, **facts) + left

    def _problem(self, path: str, error: OSError) -> None:
        self._problems += 1
        self._progress.clear()
        print(f"utf8-abnf: {shown(path)}: {sources.reason_of(error)}", file=sys.stderr)

    def _say(self, text: str) -> None:
        if not self._args.quiet:
            self._progress.clear()
            print(f"utf8-abnf: {text}", file=sys.stderr)


def _undone(made: change_log.Changes, head: bytes, rest: Iterator[bytes]) -> Iterator[Repaired]:
    """Yield the input's bytes, with one entry in the log if anything is undone: it counts as a change of the file."""
    undoer, seal = Undoer(made), change_log.Seal()
    for chunk in chain([head], rest):
        seal = seal.after(chunk)
        yield Repaired(undoer.feed(chunk), [])
    last = undoer.finish()
    made.check(seal)
    yield Repaired(last, [Change(0, b"", b"", "")] * undoer.undone)


class _Sink(io.RawIOBase):
    """A file that only writes."""

    def __init__(self, write: Callable[[bytes], object]) -> None:
        self._write = write

    def writable(self) -> bool:
        return True

    def write(self, data: Buffer, /) -> int:
        self._write(bytes(data))
        return memoryview(data).nbytes
