"""The log of ``repair`` as JSON Lines: changes in, lines out, and back. A line is one change; its bytes are in hex.

The last line of a file has "original" as well, the size and the CRC-32 of the bytes before the repair: with it
``--undo`` recognises a log that was cut off or changed, and bytes that this repair did not write.
"""

from __future__ import annotations

import json
import os
import zlib
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, NamedTuple

from utf8_abnf.cli.names import reason_of, shown
from utf8_abnf.errors import UnreadableError, UsageError
from utf8_abnf.files.repairing import Change
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
    """A new log at *path*. ``UsageError`` where there is a file already: it may be the only way back to an input.

    An empty file is none: a full disk may have left it.
    """

    def __init__(self, path: str) -> None:
        is_empty = os.path.isfile(path) and os.path.getsize(path) == 0
        try:
            mode = "w" if is_empty else "x"
            self._file = open(path, mode, encoding="utf-8")  # noqa: SIM115  # closed on leaving the context
        except FileExistsError:
            raise UsageError(
                f"the log {path} exists already; it may be the only way back to a file, so choose another name"
            ) from None
        self._path = path
        self._failed = False
        self.begin("", "")

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
        """Begin the input *file*; *output* is where the result goes, "" for its own place and standard output."""
        self._begun = {"file": file, **({"output": output} if output else {})}
        self._last: dict[str, object] = {}  # the last change of the input, which is not written yet

    def add(self, part: Repaired) -> None:
        """Add the changes of a *part* of the input."""
        for change in part.log:
            self._write_last()
            old, new = hex_bytes(change.old), hex_bytes(change.new)
            self._last = {**self._begun, "offset": change.offset, "old": old, "new": new, "why": change.why}

    def end(self, original: Seal) -> None:
        """End the input, whose bytes before the repair have the seal *original*."""
        if self._last:
            self._last["original"] = {"size": original.size, "crc32": f"{original.crc:08X}"}
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
    """A line of a log, which begins at byte *start*: one change, and the *path* of what it was written into.

    The last one of a file has the seal of its *original* bytes.
    """

    start: int
    path: str
    change: Change
    original: Seal | None


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
                yield _line(start, json.loads(line))
            except (ValueError, KeyError, TypeError, OverflowError, RecursionError):
                raise UsageError(f"{path}:{number}: this is not a line of a log of `utf8-abnf repair`") from None
            start += len(line)


def _line(start: int, entry: dict[str, str]) -> _Line:
    """Return one line of the log; ``ValueError``, ``KeyError``, ``TypeError`` or ``OverflowError`` if it is not one."""
    offset: object = entry["offset"]
    if not isinstance(offset, int) or isinstance(offset, bool) or offset < 0:
        raise ValueError(offset)
    path = str(entry.get("output") or entry["file"])
    if b"\0" in os.fsencode(path):
        raise ValueError(path)
    change = Change(offset, bytes.fromhex(entry["old"]), bytes.fromhex(entry["new"]), str(entry["why"]))
    seal: object = entry.get("original")
    original = Seal(int(seal["size"]), int(seal["crc32"], 16)) if isinstance(seal, dict) else None
    return _Line(start, path, change, original)


class Log:
    """The log at *path*, which is read once, and what it says of a file once more. ``UsageError`` where it is not one.

    *outputs* are the files that it says were written, in its order.
    """

    def __init__(self, path: str) -> None:
        if os.path.exists(path) and not os.path.isfile(path):  # a pipe cannot be read more than once
            raise UsageError(f"the log {path} is not a regular file; it has to be read more than once")
        self._path = path
        self._starts: dict[str, int] = {}
        for line in _lines(path):
            self._starts.setdefault(line.path, line.start)
        self.outputs = list(self._starts)

    def no_change_of(self, file: str) -> str:
        """Return the sentence that it says nothing of *file*."""
        return f"the log {self._path} does not say what was changed in {file}"

    def changes_of(self, file: str) -> Changes:
        """Return those changes; where the log does not name *file*, those of the only one that it has, if any."""
        start = self._starts.get(file)
        if start is None and len(self._starts) > 1:
            raise UnreadableError(self.no_change_of(file))
        return Changes(self._path, start or next(iter(self._starts.values()), 0))


class Changes:
    """The changes of one file, from byte *start* of the log at *path* on: to be iterated over once, then checked."""

    def __init__(self, path: str, start: int) -> None:
        self._path, self._start = path, start
        self._last: _Line | None = None

    def __iter__(self) -> Iterator[Change]:
        for line in _lines(self._path, self._start):
            if self._last and line.path != self._last.path:
                return
            self._last = line
            yield line.change

    def check(self, restored: Seal) -> None:
        """Raise ``UnreadableError`` unless *restored* is the seal of the original; call it after the last change."""
        if self._last is None:
            return
        if self._last.original is None:
            reason = "does not have the last change of this file: the log was cut, or the repair did not end"
            raise UnreadableError(f"the log {self._path} {reason}")
        if self._last.original != restored:
            reason = "does not belong to this data, or one of them was changed: they do not give the original back"
            raise UnreadableError(f"the log {self._path} {reason}")
