"""The ledger: records in, Parquet files in a folder out, and the records of earlier runs back.

Each part is written under a temporary name, synced and renamed, so a part is there as a whole or not at all. Any number
of writers may add parts at the same time; a record that is there twice counts once. DuckDB reads them all:
``from 'FOLDER/*.parquet'``.
"""

from __future__ import annotations

import os
import time
from dataclasses import asdict, fields
from typing import TYPE_CHECKING
from uuid import uuid4

from utf8_abnf.errors import UnreadableError
from utf8_abnf.files.remote.records import UNREADABLE, Record
from utf8_abnf.language.notation import printable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from utf8_abnf.files.remote.records import Known

SECONDS = 1.0  # of work that a killed run may lose


class Ledger:
    """The records in *folder*, which is made if it is not there; ``UnreadableError`` where pyarrow is not installed."""

    def __init__(self, folder: str) -> None:
        try:
            import pyarrow  # noqa: F401  # asked for now, not after an hour of work
        except ImportError:
            raise UnreadableError("this needs pyarrow: python -m pip install 'utf8-abnf[arrow]'") from None
        self._folder = folder
        os.makedirs(folder, exist_ok=True)

    def known(self) -> Known:
        """Return the records of all parts, by their keys; ``UnreadableError`` for a file that is not such a part."""
        from pyarrow.parquet import ParquetFile  # a sixth of the time that read_table needs

        records_by_key: Known = {}
        for name in sorted(os.listdir(self._folder)):
            if name.endswith(".parquet"):
                path = os.path.join(self._folder, name)
                try:
                    with ParquetFile(path) as part:
                        rows = part.read().to_pylist()
                    records = [Record(**row | {"codes": tuple(row["codes"])}) for row in rows]
                except (OSError, ValueError, KeyError, TypeError, NotImplementedError) as error:
                    if getattr(error, "errno", None):
                        raise  # else it is not Parquet, damaged, or has other columns
                    raise UnreadableError(
                        f"{printable(path)} is not a part of a ledger that this version can read; "
                        "move it elsewhere, or take another folder"
                    ) from None
                records_by_key |= {record.key: record for record in records}
        return records_by_key

    def add(self, records: Iterable[Record]) -> None:
        """Write *records* as one part; those of objects that could not be read are left out, to be tried again."""
        rows = [asdict(each) for each in records if each.verdict != UNREADABLE]
        if not rows:
            return
        import pyarrow
        from pyarrow.parquet import write_table

        types = {"str": pyarrow.string(), "int": pyarrow.int64(), "bytes": pyarrow.binary()}
        types["tuple[int, ...]"] = pyarrow.list_(pyarrow.int64())
        schema = pyarrow.schema([(each.name, types[str(each.type)]) for each in fields(Record)])
        part = os.path.join(self._folder, f"{uuid4().hex}.parquet")
        with open(part + ".new", "wb") as file:
            write_table(pyarrow.Table.from_pylist(rows, schema=schema), file)
            file.flush()
            os.fsync(file.fileno())
        os.rename(part + ".new", part)
        folder = os.open(self._folder, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)

    def keep(self, records: Iterable[Record]) -> Iterator[Record]:
        """Yield *records*, and write those that are new, every ``SECONDS`` and at the end, before they are yielded."""
        known, waiting, since = self.known(), [], time.monotonic()
        try:
            for record in records:
                if known.get(record.key) != record:
                    waiting.append(record)
                if time.monotonic() - since > SECONDS:
                    self.add(waiting)
                    waiting, since = [], time.monotonic()
                yield record
        finally:
            self.add(waiting)
