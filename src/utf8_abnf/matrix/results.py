"""Rows on disk, one JSON line each: a run that was broken off goes on where it was, and pages are written again.

A row counts as done only while the decoder, its version, the adapter, our own version, the level and k are the same.
"""

from __future__ import annotations

import hashlib
import json
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

import utf8_abnf
from utf8_abnf.errors import UsageError
from utf8_abnf.matrix.row import SCHEMA, Row

if TYPE_CHECKING:
    from utf8_abnf.harness.known import Decoder
    from utf8_abnf.matrix.examining import Options

Key = tuple[Any, ...]


class Results:
    """The rows of the file *path*, which need not be there yet; without a path nothing is written and nothing found.

    UsageError names the line that is no row. A last line that was cut off is dropped: its decoder is tested again.
    """

    def __init__(self, path: str | None = None) -> None:
        self._path = Path(path) if path else None
        self._rows: dict[Key, Row] = {}
        self._lock = threading.Lock()
        self.kept: list[Row] = []  # what this run has tested
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

    def take(self, decoder: Decoder, version: str, options: Options) -> Row | None:
        """Return the row of *decoder* if it has been tested as *options* ask."""
        return self._rows.get(_key(decoder, version, options))

    def keep(self, decoder: Decoder, row: Row, options: Options) -> None:
        """Write *row* to the end of the file, at once, and add it to ``kept``."""
        self.kept.append(row)
        if self._path is None:
            return
        line = json.dumps({"key": _key(decoder, row.version, options), "row": row.to_json()})
        with self._lock, self._path.open("a", encoding="utf-8") as file:
            file.write(line + "\n")


def _key(decoder: Decoder, version: str, options: Options) -> Key:
    adapter = hashlib.sha256(repr(decoder).encode() + decoder.adapter())
    made_by = utf8_abnf.__version__
    return SCHEMA, made_by, decoder.name, version, adapter.hexdigest()[:16], options.level, options.k, options.seconds
