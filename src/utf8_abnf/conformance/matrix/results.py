"""Rows on disk, one line of JSON each: a later run takes the rows from there instead of testing the decoders again.

A row is taken only if the decoder's version, its adapter, the suite, the engine and the options are the same.
What a row says about its decoder in words is that of today.
"""

from __future__ import annotations

import hashlib
import json
import threading
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from utf8_abnf.conformance.matrix.row import SCHEMA, Row
from utf8_abnf.errors import UsageError

if TYPE_CHECKING:
    from utf8_abnf.conformance.harness.known import Decoder
    from utf8_abnf.conformance.matrix.options import ExaminationOptions

Key = tuple[Any, ...]
# What decides the answers of a decoder; the other keys of its row are words about it.
ENGINE = ("suite", "harness", "learning", "naming", "matrix")
ASKED = ("program", "command", "how", "expensive", "build", "version", "environment", "statuses", "direct")


class Results:
    """The rows of the file *path*, which need not exist yet; without a path no row is written or found.

    With *again* the rows that the file has are left, and none is taken; new ones count for more than these.
    Raises ``UsageError`` with the number of a line that is not a row. An incomplete last line is removed from the file.
    """

    def __init__(self, path: str | None = None, *, again: bool = False) -> None:
        self._path = Path(path) if path else None
        self._rows: dict[Key, Row] = {}
        self._again = again
        self._lock = threading.Lock()
        self.kept: list[Row] = []  # the rows of this run
        if self._path is not None:
            self._read(self._path)

    def _read(self, path: Path) -> None:
        text = path.read_bytes() if path.exists() else b""
        whole = text.rfind(b"\n") + 1
        for number, line in enumerate(text[:whole].splitlines(), 1):
            try:
                plain = json.loads(line)
                self._rows[tuple(plain["key"])] = Row.from_json(plain["row"])
            except (KeyError, TypeError, ValueError, RecursionError) as error:
                reason = f"{type(error).__name__}: {error}"
                raise UsageError(f"{path}:{number}: not a row of the matrix ({reason}); delete the line") from None
        if whole < len(text):
            with path.open("r+b") as file:
                file.truncate(whole)

    def take(self, decoder: Decoder, version: str, options: ExaminationOptions) -> Row | None:
        """Return the row of *decoder* if it was tested with the same *options*, or None."""
        return None if self._again else self._rows.get(_key(decoder, version, options))

    def keep(self, decoder: Decoder, row: Row, options: ExaminationOptions) -> None:
        """Append *row* to the file at once, and to ``kept``."""
        self.kept.append(row)
        if self._path is None:
            return
        line = json.dumps({"key": _key(decoder, row.version, options), "row": row.to_json()})
        with self._lock, self._path.open("a", encoding="utf-8") as file:
            file.write(line + "\n")


def _key(decoder: Decoder, version: str, options: ExaminationOptions) -> Key:
    asked = [getattr(decoder, name) for name in ASKED]
    adapter = hashlib.sha256(repr(asked).encode() + decoder.adapter())
    how = (options.level, options.learns, options.seconds)
    return (SCHEMA, _engine(), decoder.name, version, adapter.hexdigest()[:16], *how)


@cache
def _engine() -> str:
    """Return a digest of the sources that decide what is asked and what is said about the answers."""
    digest = hashlib.sha256()
    todo = [files("utf8_abnf.conformance") / room for room in ENGINE]
    for each in todo:
        if each.is_dir():
            rooms = (entry for entry in each.iterdir() if entry.name != "formats")  # they print what was decided
            todo += sorted(rooms, key=lambda entry: entry.name)
        elif each.name.endswith(".py"):
            digest.update(each.read_bytes())
    return digest.hexdigest()[:16]
