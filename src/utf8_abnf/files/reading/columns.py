"""The text in columnar files, by pyarrow: Parquet, Arrow's IPC file and stream. A row counts from 0, as in Python.

Text is what has the type of strings, in lists and structs also; a binary column is text if the user names it.
"""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

import pyarrow as pa
from pyarrow import compute as pc
from pyarrow.parquet import ParquetFile

from utf8_abnf.explain.located import Cell
from utf8_abnf.explain.locating import BLOCK, Rest, Scanner, rest_of
from utf8_abnf.files.reading.streams import Meter, Part, Stream, guarded, with_seeking
from utf8_abnf.language.notation import printable
from utf8_abnf.validator.functions import is_valid

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from utf8_abnf.explain.located import Located
    from utf8_abnf.files.profiles import Profile

try:
    from utf8_abnf.files import arrow as in_c
except ImportError:  # installed without a compiler
    in_c = None  # type: ignore[assignment]


_BATCH = 1 << 22  # bytes of values in a batch, about
_MAX_ROWS = 1 << 16  # of a batch


class ColumnScanner:
    """The errors of a column: what ``explain.locating.Scanner`` is for a stream, with the row in each error."""

    ended = True
    head = beginning = b""
    content = None  # a conversion of the file as a whole is never what helps
    profile: Profile | None = None

    def __init__(self, name: str, type_: pa.DataType, arrays: Iterable[pa.Array], meter: Meter) -> None:
        self.name = name
        self.is_text = _holds(type_, _is_text)
        self._arrays, self._meter = iter(arrays), meter
        self._found = self._located()
        self.size = 0

    def first_offset(self) -> int | None:
        """Return the offset of the first ill-formed sequence in its value, or None."""
        return next((located.error.start for located in self._found), None)

    def errors(self) -> Iterator[Located]:
        """Yield every ill-formed sequence, in order; ``UnreadableError`` where rows cannot be read."""
        return self._found

    def count_rest(self) -> Rest:
        """Return how many errors follow those that ``errors`` has yielded."""
        return rest_of(self._found)

    def _located(self) -> Iterator[Located]:
        buffer, first = bytearray(BLOCK), 0
        while True:
            with guarded():
                values = next(self._arrays, None)
                if values is None:
                    return
                self._meter.add(values.nbytes)
                wrong = list(wrong_values(values, self.profile.is_valid if self.profile else is_valid))
            for place, value in wrong:
                scanner = Scanner(io.BytesIO(value).readinto, buffer=buffer, profile=self.profile)
                for located in scanner.errors():
                    yield located._replace(cell=Cell(printable(self.name), first + place))
            first += len(values)


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
        yield from ((row, wrong[index]) for row, index in enumerate(values.indices.to_pylist()) if index in wrong)
    elif pa.types.is_struct(kind):
        for child in values.flatten():
            yield from wrong_values(child, is_right)
    elif pa.types.is_map(kind):
        _check_offsets(values)
        entries = values.cast(pa.list_(pa.struct([("key", kind.key_type), ("value", kind.item_type)])))
        yield from wrong_values(entries, is_right)
    elif pa.types.is_list(kind) or pa.types.is_large_list(kind) or pa.types.is_fixed_size_list(kind):
        _check_offsets(values)
        parents = pc.list_parent_indices(values)
        yield from ((parents[row].as_py(), value) for row, value in wrong_values(values.flatten(), is_right))
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
    if is_right is is_valid and in_c is not None:
        right = pa.array(in_c.is_valid(values))  # which looks at the offsets
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


def parquet(packed: Stream, meter: Meter) -> Iterator[Part]:
    """Yield the columns of a Parquet file; dictionaries stay such, since to change them pyarrow would decode text."""
    with with_seeking(packed) as raw:
        about = ParquetFile(raw, pre_buffer=False)
        coded = [field.name for field in about.schema_arrow if pa.types.is_dictionary(field.type)]
        size = sum(about.metadata.row_group(number).total_byte_size for number in range(about.num_row_groups))
        rows = max(1, min(_MAX_ROWS, _BATCH * about.metadata.num_rows // max(1, size)))
        with ParquetFile(raw, metadata=about.metadata, read_dictionary=coded, pre_buffer=False) as file:

            def read(place: int) -> Iterator[pa.Array]:
                name = about.schema_arrow.names[place]
                earlier = about.schema_arrow.names[:place].count(name)  # columns may share a name
                for batch in file.iter_batches(rows, columns=[name], use_threads=False):
                    yield batch.column(batch.schema.get_all_field_indices(name)[earlier])

            yield from _columns(about.schema_arrow, read, meter)


def arrow(packed: Stream, meter: Meter) -> Iterator[Part]:
    """Yield the columns of an IPC file."""
    return _ipc(packed, meter, pa.ipc.open_file)


def stream(packed: Stream, meter: Meter) -> Iterator[Part]:
    """Yield the columns of an IPC stream."""
    return _ipc(packed, meter, pa.ipc.open_stream)


def _ipc(packed: Stream, meter: Meter, opened: Callable[..., Any]) -> Iterator[Part]:
    """Yield the columns, for each of which the file is read from its beginning."""
    with with_seeking(packed) as raw:

        def read(place: int) -> Iterator[pa.Array]:
            raw.seek(0)
            with opened(raw, options=pa.ipc.IpcReadOptions(included_fields=[place], use_threads=False)) as one:
                is_stream = opened is pa.ipc.open_stream
                for batch in one if is_stream else map(one.get_batch, range(one.num_record_batches)):
                    batch.validate()  # its lists and dictionaries
                    yield batch.column(0)

        raw.seek(0)
        with opened(raw) as one:
            schema = one.schema
        yield from _columns(schema, read, meter)


def _columns(schema: pa.Schema, read: Callable[[int], Iterable[pa.Array]], meter: Meter) -> Iterator[Part]:
    """Yield the columns that may be text; *read* gives the arrays of the one at a place in *schema*."""
    for place, field in enumerate(schema):
        if _holds(field.type, _is_text) or _holds(field.type, _is_binary):
            scanner = ColumnScanner(field.name, field.type, read(place), meter)
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
