"""The log of ``repair`` as JSON Lines: changes in, lines out, and back. A line is one change; its bytes are in hex.

The last line of a file has "repaired" as well, the size and the CRC-32 of the repaired bytes and the CRC-32 of all its
changes: by it ``--undo`` knows a log that was cut off or changed, and bytes that this repair did not write.
"""

from __future__ import annotations

import json
import os
import zlib
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, NamedTuple

from utf8_abnf.cli.sources import reason_of, shown
from utf8_abnf.errors import UnreadableError, UsageError
from utf8_abnf.files.repairing import Change
from utf8_abnf.language import messages
from utf8_abnf.language.catalogue import say
from utf8_abnf.language.notation import hex_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from utf8_abnf.files.repairing import Repaired


class Seal(NamedTuple):
    """What is known of the whole of some bytes: their *size* and their *crc*, CRC-32 as in gzip."""

    size: int = 0
    crc: int = 0

    def after(self, data: bytes) -> Seal:
        """Return the seal of these bytes with *data* after them."""
        return Seal(self.size + len(data), zlib.crc32(data, self.crc))


class ChangeLog:
    """A new log at *path*. ``UsageError`` where there is a file already: it may be the only way back to an input."""

    def __init__(self, path: str) -> None:
        try:
            self._file = open(path, "x", encoding="utf-8")  # noqa: SIM115  # closed on leaving the context
        except FileExistsError:
            raise UsageError(say(messages.LOG_EXISTS, name=path)) from None
        self._path = path
        self._failed = False
        self._begun: dict[str, object] = {}
        self._last: dict[str, object] = {}  # the last change of the input, which is not written yet
        self._seal = Seal()
        self._changes = 0  # CRC-32 of those of the input so far

    def __enter__(self) -> ChangeLog:
        return self

    def __exit__(self, *_: object) -> None:
        told = (UnreadableError,) if self._failed else ()
        with suppress(*told), self._writing():
            self._file.close()

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """Raise ``UnreadableError`` with the name of the log where the system does not let it be written."""
        try:
            yield
        except OSError as error:
            self._failed = True
            raise UnreadableError(f"{shown(self._path)}: {reason_of(error)}") from None

    def begin(self, file: str, output: str) -> None:
        """Begin the input *file*; *output* is where the repaired bytes are, "" for standard output."""
        self._begun = {"file": file, **({"output": output} if output else {})}
        self._last, self._seal, self._changes = {}, Seal(), 0  # what is left of an input that could not be written

    def add(self, part: Repaired) -> None:
        """Add the changes of a *part* of the input."""
        for change in part.log:
            self._write_last()
            old, new = hex_bytes(change.old), hex_bytes(change.new)
            self._last = {**self._begun, "offset": change.offset, "old": old, "new": new, "why": change.why}
            self._changes = _crc_with(self._changes, change)
        self._seal = self._seal.after(part.data)

    def end(self) -> None:
        """End the input."""
        if self._last:
            found = {"size": self._seal.size, "crc32": f"{self._seal.crc:08X}", "changes": f"{self._changes:08X}"}
            self._last["repaired"] = found
        self._write_last()

    def _write_last(self) -> None:
        if self._last:
            with self._writing():
                self._file.write(json.dumps(self._last) + "\n")
            self._last = {}

    def save(self) -> None:
        """Return when what was added is on the disk."""
        with self._writing():
            self._file.flush()
            os.fsync(self._file.fileno())


class _Line(NamedTuple):
    """A line of a log, which begins at byte *start*: one change of the input *file*."""

    start: int
    file: str
    output: str
    change: Change
    end: _End | None


class _End(NamedTuple):
    """What the last line of a file says of it: the *seal* of the repaired bytes, and the CRC-32 of all its *changes*.

    A log of an earlier version does not have the latter: None.
    """

    seal: Seal
    changes: int | None


def _crc_with(crc: int, change: Change) -> int:
    """Return the CRC-32 of some changes, *crc*, with *change* after them."""
    return zlib.crc32(f"{change.offset} {change.old.hex()} {change.new.hex()}\n".encode(), crc)


def _lines(path: str, start: int = 0) -> Iterator[_Line]:
    """Yield the lines of the log at *path* from byte *start* on; ``UsageError`` for one that is not a change.

    A last line without an end is left out: the process was killed while it wrote the log, so the file of this change
    was not replaced.
    """
    with open(path, "rb") as lines:
        lines.seek(start)
        for number, line in enumerate(lines, 1):
            if not line.endswith(b"\n"):
                return
            try:
                yield _Line(start, *_record(json.loads(line)))
            except (ValueError, KeyError, TypeError, OverflowError, RecursionError):
                raise UsageError(say(messages.NOT_A_LOG, name=path, line=number)) from None
            start += len(line)


def _record(found: dict[str, str]) -> tuple[str, str, Change, _End | None]:
    """Return one line of the log; ``ValueError``, ``KeyError``, ``TypeError`` or ``OverflowError`` if it is not one."""
    old, new = bytes.fromhex(found["old"]), bytes.fromhex(found["new"])
    offset: object = found["offset"]
    if not isinstance(offset, int) or isinstance(offset, bool) or offset < 0:
        raise ValueError(offset)
    said: object = found.get("repaired")
    end = None
    if isinstance(said, dict):
        changes = int(said["changes"], 16) if "changes" in said else None
        end = _End(Seal(int(said["size"]), int(said["crc32"], 16)), changes)
    return _path(found["file"]), _path(found.get("output", "")), Change(offset, old, new, str(found["why"])), end


def _path(found: object) -> str:
    """Return *found* as a path; ``ValueError`` for what no file can be called."""
    path = str(found)
    if b"\0" in os.fsencode(path):
        raise ValueError(path)
    return path


class Log:
    """The log at *path*, which is read once, and what it says of a file once more. ``UsageError`` where it is not one.

    *outputs* are the files that it says were written, in its order.
    """

    def __init__(self, path: str) -> None:
        if os.path.exists(path) and not os.path.isfile(path):
            raise UsageError(say(messages.LOG_NOT_FILE, name=path))  # a pipe cannot be read more than once
        self._path = path
        self._starts: dict[str, int] = {}
        self._starts_of_inputs: dict[str, int] = {}
        for line in _lines(path):
            self._starts.setdefault(line.output or line.file, line.start)
            self._starts_of_inputs.setdefault(line.file, line.start)

    @property
    def outputs(self) -> list[str]:
        return list(self._starts)

    def names(self, file: str) -> bool:
        """Return whether it has changes that made the output *file*, or were made in the input of that name."""
        return file in self._starts or file in self._starts_of_inputs

    def changes_of(self, file: str) -> Changes:
        """Return those changes; where the log does not name *file*, those of the only input that it has, if any."""
        start = self._starts.get(file, self._starts_of_inputs.get(file))
        if start is None and len(self._starts) > 1:
            raise UnreadableError(say(messages.NOT_IN_LOG, name=file, log=self._path))
        return Changes(self._path, start or 0)


class Changes:
    """The changes of one file, from byte *start* of the log at *path* on: to be iterated over once, then checked."""

    def __init__(self, path: str, start: int) -> None:
        self._path, self._start = path, start
        self._count = self._crc = 0
        self._end: _End | None = None

    def __iter__(self) -> Iterator[Change]:
        first = None
        for line in _lines(self._path, self._start):
            first = first or line
            if (line.file, line.output) != (first.file, first.output):
                return
            self._count, self._end = self._count + 1, line.end
            self._crc = _crc_with(self._crc, line.change)
            yield line.change

    def check(self, found: Seal) -> None:
        """Raise ``UnreadableError`` unless *found* is the seal of what this repair wrote; call it after the last."""
        if not self._count:
            return
        if self._end is None:
            raise UnreadableError(say(messages.LOG_CUT, name=self._path))
        if self._end.seal != found:
            raise UnreadableError(say(messages.NOT_REPAIRED_SO, name=self._path))
        if self._end.changes not in (None, self._crc):
            raise UnreadableError(say(messages.LOG_CHANGED, name=self._path))
