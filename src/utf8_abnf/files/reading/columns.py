"""The text in columnar files, by pyarrow: Parquet, Arrow's IPC file, Feather. A row counts from 0, as in Python.

Text is what has the type of strings, in lists and structs also; a binary column is text if the user names it.
"""

from __future__ import annotations

import io
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pyarrow as pa

from utf8_abnf.errors import UnreadableError
from utf8_abnf.explain.located import Cell
from utf8_abnf.explain.locating import BLOCK, Rest, Scanner, rest_of
from utf8_abnf.files.reading.limits import guarded
from utf8_abnf.files.reading.part import Part, broken
from utf8_abnf.files.reading.streams import with_seeking
from utf8_abnf.language import messages
from utf8_abnf.language.catalogue import say
from utf8_abnf.language.notation import printable
from utf8_abnf.validator.functions import is_valid

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from pyarrow.parquet import ParquetFile

    from utf8_abnf.explain.located import Located
    from utf8_abnf.files.profiles import Profile
    from utf8_abnf.files.reading.limits import Meter
    from utf8_abnf.files.reading.part import Packed

try:
    from utf8_abnf.files.arrow import is_valid as are_valid
except ImportError:  # installed without a compiler

    def are_valid(column: pa.Array) -> pa.Array:  # type: ignore[misc]
        column = _as_bytes(column)
        column.validate(full=True)
        return pa.array([row is None or is_valid(row) for row in column.to_pylist()], pa.bool_())


_BATCH = 1 << 22  # bytes of values in a batch, about
_MAX_ROWS = 1 << 16  # of a batch
_MAX_SHOWN = 8  # ranges of rows that cannot be read
MAX_MEMORY = 3 << 30  # bytes of addresses for a batch, of which pyarrow reserves 1 to 2 GiB unused: a bomb has no end


class Group(NamedTuple):
    """Rows of a column that can be read where others cannot.

    *read* yields them in arrays; *length* returns how many they are, None where that is not known.
    """

    read: Callable[[], Iterator[pa.Array]]
    length: Callable[[], int | None] = lambda: None


class ColumnScanner:
    """The errors of a column: what ``explain.locating.Scanner`` is for a stream, with the row in each error."""

    ended = True
    head = beginning = b""
    content = None  # a conversion of the file as a whole is never what helps
    profile: Profile | None = None

    def __init__(self, name: str, groups: Iterable[Group], meter: Meter) -> None:
        self._name, self._groups, self._meter = name, iter(groups), meter
        self._found = self._located()
        self._most = _address_limit()
        self.size = 0

    def first_offset(self) -> int | None:
        """Return the offset of the first ill-formed sequence in its value, or None."""
        return next((located.error.start for located in self._found), None)

    def errors(self) -> Iterator[Located]:
        """Yield every ill-formed sequence, in order; at the end ``UnreadableError`` where rows could not be read."""
        return self._found

    def count_rest(self) -> Rest:
        """Return how many errors follow those that ``errors`` has yielded."""
        return rest_of(self._found)

    def _located(self) -> Iterator[Located]:
        buffer = bytearray(BLOCK)
        first = 0
        unread: list[tuple[int, int, UnreadableError]] = []
        while (group := self._next()) is not None:
            row = first
            try:
                for length, wrong in self._batches(group):
                    for place, value in wrong:
                        scanner = Scanner(io.BytesIO(value).readinto, buffer=buffer, profile=self.profile)
                        for located in scanner.errors():
                            yield located._replace(cell=Cell(printable(self._name), row + place))
                    row += length
            except UnreadableError as error:
                first += self._length(group, error)
                unread.append((row, first, error))
            else:
                first = row
        if unread:
            why = unread[0][2]
            if first == sum(end - start for start, end, _ in unread):
                raise why
            rows = ", ".join(f"{start:,}..{end - 1:,}" for start, end, _ in unread[:_MAX_SHOWN])
            more = " …" if len(unread) > _MAX_SHOWN else ""
            raise UnreadableError(say(messages.ROWS_UNREAD, rows=rows + more, reason=why.strerror))

    def _next(self) -> Group | None:
        with guarded(), _bounded_memory(self._most):
            return next(self._groups, None)

    def _batches(self, group: Group) -> Iterator[tuple[int, list[tuple[int, bytes]]]]:
        """Yield the length of each batch, and the row in it and the bytes of each value that is wrong."""
        is_right = self.profile.is_valid if self.profile else is_valid
        arrays: Iterator[pa.Array] | None = None
        while True:
            with guarded(), _bounded_memory(self._most):
                arrays = arrays or group.read()
                values = next(arrays, None)
                if values is None:
                    return
                self._meter.add(values.nbytes)
                length, wrong = len(values), list(wrong_values(values, is_right))
                del values  # so that the next ones need no more memory
            yield length, wrong

    def _length(self, group: Group, error: UnreadableError) -> int:
        """Return how many rows a group has that cannot be read; raise *error* where reading must not go on."""
        if error.__cause__ is None:  # it is a limit of ours, or the file ends
            raise error
        with guarded(), _bounded_memory(self._most):
            length = group.length()
        if length is None:
            raise error
        return length


def wrong_values(values: pa.Array, is_right: Callable[[memoryview], bool] = is_valid) -> Iterator[tuple[int, bytes]]:
    r"""Yield the row and the bytes of each value that is not well-formed UTF-8, or not right otherwise.

    >>> list(wrong_values(pa.array([b"a", b"\xff", None, b"b"])))
    [(1, b'\xff')]
    """
    kind = values.type
    if pa.types.is_dictionary(kind):
        nothing = pa.nulls(len(values.dictionary))
        pa.DictionaryArray.from_arrays(values.indices, nothing)  # which raises for an index that leads outside
        wrong = dict(wrong_values(values.dictionary, is_right))
        if wrong:
            yield from ((row, wrong[index]) for row, index in enumerate(values.indices.to_pylist()) if index in wrong)
    elif pa.types.is_struct(kind):
        for child in values.flatten():
            yield from wrong_values(child, is_right)
    elif pa.types.is_map(kind):
        _check_offsets(values)
        entries = values.cast(pa.list_(pa.struct([("key", kind.key_type), ("value", kind.item_type)])))
        yield from wrong_values(entries, is_right)
    elif pa.types.is_list(kind) or pa.types.is_large_list(kind) or pa.types.is_fixed_size_list(kind):
        import pyarrow.compute as pc  # 25 ms to load

        _check_offsets(values)
        parents = None
        for row, value in wrong_values(values.flatten(), is_right):
            parents = parents or pc.list_parent_indices(values)
            yield parents[row].as_py(), value
    elif _is_text(kind) or _is_binary(kind):
        yield from _of_plain(values, is_right)
    elif _holds(kind, _is_text):
        raise NotImplementedError(str(kind))


def _check_offsets(values: pa.Array) -> None:
    """Raise what pyarrow raises where an offset of lists leads outside; ``validate`` looks at the last one only.

    Its full form would refuse ill-formed text as well, so the values are left out.
    """
    kind = values.type
    if not pa.types.is_fixed_size_list(kind):
        size = len(values.keys) if pa.types.is_map(kind) else len(values.values)
        empty = pa.large_list(pa.null()) if pa.types.is_large_list(kind) else pa.list_(pa.null())
        options = {"offset": values.offset, "children": [pa.nulls(size)]}
        pa.Array.from_buffers(empty, len(values), values.buffers()[:2], **options).validate(full=True)


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
        names = file.schema_arrow.names
        lengths = [file.metadata.row_group(number).num_rows for number in range(file.num_row_groups)]

        def read(number: int, place: int) -> Iterator[pa.Array]:
            name, earlier = names[place], names[:place].count(names[place])  # columns may share a name
            batches = file.iter_batches(rows, row_groups=[number], columns=[name], use_threads=False)
            return (batch.column(batch.schema.get_all_field_indices(name)[earlier]) for batch in batches)

        def groups(place: int) -> Iterator[Group]:
            for number, length in enumerate(lengths):
                yield Group(partial(read, number, place), partial(int, length))

        yield from _columns(file.schema_arrow, packed, groups)


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

        def opened(place: int) -> pa.RecordBatchFileReader:
            raw.seek(0)
            return pa.ipc.open_file(raw, options=pa.ipc.IpcReadOptions(included_fields=[place], use_threads=False))

        def read(one: pa.RecordBatchFileReader, number: int) -> Iterator[pa.Array]:
            batch = one.get_batch(number)
            batch.validate()  # its lists and dictionaries
            yield batch.column(0)

        def length(number: int) -> int | None:
            """Return how many rows there are in a batch of which one column cannot be read: another one tells it."""
            for place in range(len(file.schema)):
                with suppress(pa.ArrowException, OSError):
                    return int(opened(place).get_batch(number).num_rows)
            return None

        def groups(place: int) -> Iterator[Group]:
            with opened(place) as one:
                for number in range(one.num_record_batches):
                    yield Group(partial(read, one, number), partial(length, number))

        yield from _columns(file.schema, packed, groups)


def stream(packed: Packed) -> Iterator[Part]:
    """Yield the columns of text of an IPC stream, which is read from its beginning for each."""
    end = 0
    with with_seeking(packed.stream) as raw:

        def read(place: int) -> Iterator[pa.Array]:
            nonlocal end
            raw.seek(0)
            options = pa.ipc.IpcReadOptions(included_fields=[place], use_threads=False)
            with pa.ipc.open_stream(raw, options=options) as one:
                for batch in one:
                    batch.validate()  # its lists and dictionaries
                    yield batch.column(0)
                end = raw.tell()

        raw.seek(0)
        with _bounded_memory(_address_limit()), pa.ipc.open_stream(raw) as one:
            schema = one.schema
        yield from _columns(schema, packed, lambda place: [Group(partial(read, place))])
        raw.seek(end)
        if end and raw.read(1):
            yield broken("", UnreadableError(say(messages.AFTER_TAR_END)))


def feather(packed: Packed) -> Iterator[Part]:
    """Yield the columns of text of a file of Feather's first version; the second is Arrow's."""
    from pyarrow.feather import read_table

    with with_seeking(packed.stream) as raw:
        table = read_table(raw, memory_map=False)
        yield from _columns(table.schema, packed, lambda place: [Group(lambda: iter(table.column(place).chunks))])


def _columns(schema: pa.Schema, packed: Packed, groups: Callable[[int], Iterable[Group]]) -> Iterator[Part]:
    """Yield the columns that are wanted; *groups* returns those of the column at a place in *schema*."""
    if missing := [name for name in packed.columns if name not in schema.names]:
        raise UnreadableError(say(messages.NO_COLUMN, name=missing[0], names=printable(", ".join(schema.names)[:500])))
    for place, field in enumerate(schema):
        if field.name in packed.columns or (not packed.columns and _holds(field.type, _is_text)):
            scanner = ColumnScanner(field.name, groups(place), packed.meter)
            yield Part(field.name, lambda scanner=scanner: scanner)  # type: ignore[misc]


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
