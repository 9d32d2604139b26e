"""The text in columnar files, by pyarrow: Parquet, Arrow's IPC file, Feather. A row counts from 0, as in Python.

Text is what has the type of strings, in lists and structs also; a binary column is text if the user names it.
"""

from __future__ import annotations

import io
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa

from utf8_abnf.errors import UnreadableError
from utf8_abnf.explain.locating import BLOCK, Cell, Rest, Scanner, rest_of
from utf8_abnf.language import messages
from utf8_abnf.language.catalogue import say
from utf8_abnf.language.notation import printable
from utf8_abnf.reading.limits import guarded
from utf8_abnf.reading.part import Part
from utf8_abnf.reading.streams import with_seeking
from utf8_abnf.validator.functions import is_valid

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pyarrow.parquet import ParquetFile

    from utf8_abnf.explain.locating import Located
    from utf8_abnf.profiles import Profile
    from utf8_abnf.reading.limits import Meter
    from utf8_abnf.reading.part import Packed

try:
    from utf8_abnf.arrow import is_valid as are_valid
except ImportError:  # installed without a compiler

    def are_valid(column: pa.Array) -> pa.Array:  # type: ignore[misc]
        column = _as_bytes(column)
        column.validate(full=True)
        return pa.array([row is None or is_valid(row) for row in column.to_pylist()], pa.bool_())


_BATCH = 1 << 22  # bytes of values in a batch, about
_MAX_ROWS = 1 << 16  # of a batch
MAX_MEMORY = 3 << 30  # bytes of addresses for a batch, of which pyarrow reserves 1 to 2 GiB unused: a bomb has no end


class ColumnScanner:
    """The errors of a column: what ``explain.locating.Scanner`` is for a stream, with the row in each error."""

    ended = True
    head = beginning = b""
    content = None  # a conversion of the file as a whole is never what helps
    profile: Profile | None = None

    def __init__(self, name: str, batches: Iterator[tuple[int, pa.Array]], meter: Meter) -> None:
        self._name, self._batches, self._meter = name, batches, meter
        self._found = self._located()
        self._most = _address_limit()
        self.size = 0

    def first_offset(self) -> int | None:
        """Return the offset of the first ill-formed sequence in its value, or None."""
        return next((located.error.start for located in self._found), None)

    def errors(self) -> Iterator[Located]:
        """Yield every ill-formed sequence, in order."""
        return self._found

    def count_rest(self) -> Rest:
        """Return how many errors follow those that ``errors`` has yielded."""
        return rest_of(self._found)

    def _located(self) -> Iterator[Located]:
        buffer = bytearray(BLOCK)
        while (batch := self._next()) is not None:
            first, wrong = batch
            for row, value in wrong:
                for located in Scanner(io.BytesIO(value).readinto, buffer=buffer, profile=self.profile).errors():
                    yield located._replace(cell=Cell(printable(self._name), first + row))

    def _next(self) -> tuple[int, list[tuple[int, bytes]]] | None:
        with guarded(), _bounded_memory(self._most):
            batch = next(self._batches, None)
            if batch is None:
                return None
            first, values = batch
            self._meter.add(values.nbytes)
            return first, list(wrong_values(values, self.profile.is_valid if self.profile else is_valid))


def wrong_values(values: pa.Array, is_right: Callable[[memoryview], bool] = is_valid) -> Iterator[tuple[int, bytes]]:
    r"""Yield the row and the bytes of each value that is not well-formed UTF-8, or not right otherwise.

    >>> list(wrong_values(pa.array([b"a", b"\xff", None, b"b"])))
    [(1, b'\xff')]
    """
    kind = values.type
    if pa.types.is_dictionary(kind):
        wrong = dict(wrong_values(values.dictionary, is_right))
        if wrong:
            yield from ((row, wrong[index]) for row, index in enumerate(values.indices.to_pylist()) if index in wrong)
    elif pa.types.is_struct(kind):
        for child in values.flatten():
            yield from wrong_values(child, is_right)
    elif pa.types.is_map(kind):
        entries = values.cast(pa.list_(pa.struct([("key", kind.key_type), ("value", kind.item_type)])))
        yield from wrong_values(entries, is_right)
    elif pa.types.is_list(kind) or pa.types.is_large_list(kind) or pa.types.is_fixed_size_list(kind):
        import pyarrow.compute as pc  # 25 ms to load

        parents = None
        for row, value in wrong_values(values.flatten(), is_right):
            parents = parents or pc.list_parent_indices(values)
            yield parents[row].as_py(), value
    elif _is_text(kind) or _is_binary(kind):
        yield from _of_plain(values, is_right)


def _of_plain(values: pa.Array, is_right: Callable[[memoryview], bool]) -> Iterator[tuple[int, bytes]]:
    """Yield the wrong values of an array of strings or bytes."""
    if is_right is is_valid:
        right = pa.array(are_valid(values))  # which looks at the offsets
    else:
        values = _as_bytes(values)
        values.validate(full=True)  # of a hostile file the offsets may lead outside of the values
        verdicts = [not value.is_valid or is_right(memoryview(value.as_buffer())) for value in values]
        right = pa.array(verdicts, pa.bool_())
    if right.false_count:
        wrong = (row for row, verdict in enumerate(right.to_pylist()) if verdict is False)
        yield from ((row, values[row].as_buffer().to_pybytes()) for row in wrong)


def _as_bytes(values: pa.Array) -> pa.Array:
    """Return strings as bytes, without a copy where that is possible; pyarrow loads its functions for it."""
    has_small_offsets = pa.types.is_string(values.type) or pa.types.is_binary(values.type)
    return values.cast(pa.binary() if has_small_offsets else pa.large_binary())


def parquet(packed: Packed) -> Iterator[Part]:
    """Yield the columns of text of a Parquet file."""
    with with_seeking(packed.stream) as raw, _open(raw) as file:
        rows = _batch_rows(file.metadata)

        def batches(name: str) -> Iterator[tuple[int, pa.Array]]:
            found = file.iter_batches(batch_size=rows, columns=[name], use_threads=False)
            return _numbered(batch.column(0) for batch in found)

        yield from _columns(file.schema_arrow, packed, batches)


def _open(raw: io.RawIOBase) -> ParquetFile:
    """Return the file, whose dictionaries are left as they are: to change them pyarrow would have to decode text."""
    from pyarrow.parquet import ParquetFile

    options = {"pre_buffer": False, "buffer_size": 1 << 20}
    with _bounded_memory(_address_limit()):
        first = ParquetFile(raw, **options)
    coded = [field.name for field in first.schema_arrow if pa.types.is_dictionary(field.type)]
    return ParquetFile(raw, metadata=first.metadata, read_dictionary=coded, **options) if coded else first


def _address_limit() -> int:
    """Return ``MAX_MEMORY`` bytes more than are taken now; 0 where the system, if not Linux, does not say how many."""
    try:
        import resource

        return int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize() + MAX_MEMORY
    except (ImportError, OSError):
        return 0


@contextmanager
def _bounded_memory(most: int) -> Iterator[None]:
    """Let this process have *most* bytes of addresses; 0 for no limit."""
    if not most:
        yield
        return
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (most if soft == resource.RLIM_INFINITY else min(most, soft), hard))
    try:
        yield
    except MemoryError:
        raise UnreadableError(say(messages.TOO_MUCH_MEMORY, most=f"{MAX_MEMORY:,}")) from None
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


def _batch_rows(about: pa.parquet.FileMetaData) -> int:
    size = sum(about.row_group(number).total_byte_size for number in range(about.num_row_groups))
    rows: int = _BATCH * about.num_rows // max(1, size)
    return max(1, min(_MAX_ROWS, rows))


def arrow(packed: Packed) -> Iterator[Part]:
    """Yield the columns of text of an IPC file."""
    with with_seeking(packed.stream) as raw, pa.ipc.open_file(raw) as file:

        def batches(name: str) -> Iterator[tuple[int, pa.Array]]:
            place = file.schema.get_field_index(name)
            options = pa.ipc.IpcReadOptions(included_fields=[place], use_threads=False)
            raw.seek(0)
            with pa.ipc.open_file(raw, options=options) as one:
                yield from _numbered(_checked(one.get_batch(number)) for number in range(one.num_record_batches))

        yield from _columns(file.schema, packed, batches)


def _checked(batch: pa.RecordBatch) -> pa.Array:
    """Return the one column of *batch*, whose lists and dictionaries pyarrow has looked at."""
    batch.validate()
    return batch.column(0)


def feather(packed: Packed) -> Iterator[Part]:
    """Yield the columns of text of a file of Feather's first version; the second is Arrow's."""
    from pyarrow.feather import read_table

    with with_seeking(packed.stream) as raw:
        table = read_table(raw, memory_map=False)
        yield from _columns(table.schema, packed, lambda name: _numbered(iter(table.column(name).chunks)))


def _columns(
    schema: pa.Schema, packed: Packed, batches: Callable[[str], Iterator[tuple[int, pa.Array]]]
) -> Iterator[Part]:
    if missing := [name for name in packed.columns if name not in schema.names]:
        raise UnreadableError(say(messages.NO_COLUMN, name=missing[0], names=printable(", ".join(schema.names)[:500])))
    for field in schema:
        if field.name in packed.columns or (not packed.columns and _holds(field.type, _is_text)):
            scanner = ColumnScanner(field.name, batches(field.name), packed.meter)
            yield Part(field.name, lambda scanner=scanner: scanner)  # type: ignore[misc]


def _numbered(arrays: Iterator[pa.Array]) -> Iterator[tuple[int, pa.Array]]:
    """Yield each array and the row of the column that it begins with; hold none while the next one is made."""
    row = 0
    while (array := next(arrays, None)) is not None:
        length = len(array)
        yield row, array
        del array
        row += length


def _holds(kind: pa.DataType, wanted: Callable[[pa.DataType], bool]) -> bool:
    if pa.types.is_dictionary(kind):
        return _holds(kind.value_type, wanted)
    inner = [kind.field(place).type for place in range(kind.num_fields)]
    return wanted(kind) or any(_holds(each, wanted) for each in inner)


def _is_text(kind: pa.DataType) -> bool:
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind))


def _is_binary(kind: pa.DataType) -> bool:
    is_fixed = pa.types.is_fixed_size_binary(kind)
    return bool(is_fixed or pa.types.is_binary(kind) or pa.types.is_large_binary(kind) or pa.types.is_binary_view(kind))
