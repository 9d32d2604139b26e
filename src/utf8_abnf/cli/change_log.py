"""The log of ``repair`` as JSON Lines: changes in, lines out, and back. A line is one change; its bytes are in hex."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

from utf8_abnf.errors import UsageError
from utf8_abnf.language import messages
from utf8_abnf.language.catalogue import say
from utf8_abnf.language.notation import hex_bytes
from utf8_abnf.repairing import Change

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


class ChangeLog:
    """A new log at *path*. ``UsageError`` where there is a file already: it may be the only way back to an input."""

    def __init__(self, path: str) -> None:
        try:
            self._file = open(path, "x", encoding="utf-8")  # noqa: SIM115  # closed on leaving the context
        except FileExistsError:
            raise UsageError(say(messages.LOG_EXISTS, name=path)) from None

    def __enter__(self) -> ChangeLog:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def add(self, file: str, output: str, changes: Iterable[Change]) -> None:
        """Add the *changes* of the input *file*; *output* is where the repaired bytes are, "" for standard output."""
        for change in changes:
            record = {
                "file": file,
                **({"output": output} if output else {}),
                "offset": change.offset,
                "old": hex_bytes(change.old),
                "new": hex_bytes(change.new),
                "why": change.why,
            }
            self._file.write(json.dumps(record) + "\n")

    def save(self) -> None:
        """Return when what was added is on the disk."""
        self._file.flush()
        os.fsync(self._file.fileno())


def read(path: str) -> Iterator[tuple[str, str, Change]]:
    """Yield file, output and change of each line of the log at *path*; ``UsageError`` for a line that is not one.

    A last line without an end is left out: the process was killed while it wrote the log, so the file of this change
    was not replaced.
    """
    with open(path, encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            if not line.endswith("\n"):
                return
            try:
                record = json.loads(line)
                old, new = bytes.fromhex(record["old"]), bytes.fromhex(record["new"])
                change = Change(int(record["offset"]), old, new, str(record["why"]))
                yield str(record["file"]), str(record.get("output", "")), change
            except (ValueError, KeyError, TypeError):
                raise UsageError(say(messages.NOT_A_LOG, name=path, line=number)) from None


def outputs(path: str) -> list[str]:
    """Return the files that the log at *path* says were written, each once, in its order."""
    return list(dict.fromkeys(output or file for file, output, _ in read(path)))


def changes_of(path: str, name: str) -> Iterator[Change]:
    """Yield the changes in the log at *path* that made the file *name*.

    Those of the input or output of that name; where the log has only one input, those, whatever *name* is.
    """
    names = set(outputs(path))
    if len(names) <= 1:
        yield from (change for _, _, change in read(path))
        return
    inputs = {file for file, _, _ in read(path)}
    if name not in names | inputs:
        raise UsageError(say(messages.NOT_IN_LOG, name=name, log=path))
    yield from (change for file, output, change in read(path) if name == (output if name in names and output else file))
