"""Packages of PyPI that read tables: their decoders by name, each with its distribution and how to make it."""

from __future__ import annotations

import re
import struct
from importlib import import_module
from io import BytesIO
from tempfile import NamedTemporaryFile

from pypi_ways import FAST, SWALLOWED, Decoder, json_text, unless


def polars():
    """Return a cast from Binary to String."""
    module = import_module("polars")
    cast = lambda data: module.Series([data], dtype=module.Binary).cast(module.String)  # noqa: E731
    return Decoder(cast, module.exceptions.PolarsError)


def pyarrow():
    """Return a cast from binary to string; the byte after data in the buffer is 80."""
    module = import_module("pyarrow")

    def call(data):
        buffers = [None, module.py_buffer(struct.pack("<2i", 0, len(data))), module.py_buffer(data + b"\x80")]
        return module.Array.from_buffers(module.binary(), 1, buffers).cast(module.string())

    return Decoder(call, module.ArrowInvalid)


def duckdb():
    """Return the function decode, from BLOB to VARCHAR."""
    module = import_module("duckdb")
    connection = module.connect(":memory:", config={"threads": "1"})
    execute = connection.execute
    return Decoder(lambda data: execute("select decode($1::blob)", [data]).fetchone()[0], module.ConversionException)


# What ends or doubles a quoted field, and NUL, which some readers of CSV refuse.
NOT_CSV = re.compile(rb'[\0\r\n"]')


def pyarrow_validate():
    """Return a full validation of an array of strings; the byte after data in the buffer is 80."""
    module = import_module("pyarrow")

    def call(data):
        buffers = [None, module.py_buffer(struct.pack("<2i", 0, len(data))), module.py_buffer(data + b"\x80")]
        module.Array.from_buffers(module.string(), 1, buffers).validate(full=True)
        return True

    return Decoder(call, module.ArrowInvalid)


def pyarrow_csv():
    """Return the reader of CSV, asked for a column of strings."""
    csv, module = import_module("pyarrow.csv"), import_module("pyarrow")
    options = csv.ConvertOptions(column_types={"a": module.string()})
    read = csv.ReadOptions(use_threads=False)
    call = lambda data: csv.read_csv(BytesIO(b'a\n"%b"\n' % data), read, convert_options=options)  # noqa: E731
    return unless(NOT_CSV, Decoder(call, module.ArrowInvalid))


def pyarrow_json():
    """Return the reader of lines of JSON, asked for a column of strings."""
    json, module = import_module("pyarrow.json"), import_module("pyarrow")
    options = json.ParseOptions(explicit_schema=module.schema([("a", module.string())]))
    read = json.ReadOptions(use_threads=False)
    call = lambda data: json.read_json(BytesIO(b'{"a":%b}\n' % json_text(data)), read, options)  # noqa: E731
    return unless(SWALLOWED, Decoder(call, module.ArrowInvalid))


def polars_csv():
    """Return the reader of CSV, told that there is a column of strings."""
    module = import_module("polars")
    call = lambda data: module.read_csv(b'a\n"%b"\n' % data, schema={"a": module.String})  # noqa: E731
    return unless(NOT_CSV, Decoder(call, module.exceptions.PolarsError))


def polars_ndjson():
    """Return the reader of lines of JSON, told that there is a column of strings."""
    module = import_module("polars")
    read = module.read_ndjson
    call = lambda data: read(b'{"a":%b}\n' % json_text(data), schema={"a": module.String})  # noqa: E731
    return unless(SWALLOWED, Decoder(call, module.exceptions.PolarsError))


def duckdb_csv():
    """Return the reader of CSV, told that there is a column of VARCHAR."""
    module = import_module("duckdb")
    execute = module.connect(":memory:", config={"threads": "1"}).execute
    query = (
        """SELECT a FROM read_csv(?, auto_detect=false, header=true, delim=',', quote='"', columns={'a': 'VARCHAR'})"""
    )

    def call(data):
        with NamedTemporaryFile(dir=FAST) as file:
            file.write(b'a\n"%b"\n' % data)
            file.flush()
            return execute(query, [file.name]).fetchall()

    return unless(NOT_CSV, Decoder(call, module.InvalidInputException))


def polars_json():
    """Return the reader of a JSON array, told that there is a column of strings."""
    module = import_module("polars")
    read = module.read_json
    call = lambda data: read(b'[{"a":%b}]' % json_text(data), schema={"a": module.String})  # noqa: E731
    return unless(SWALLOWED, Decoder(call, module.exceptions.PolarsError))


def duckdb_json():
    """Return the reader of lines of JSON, told that there is a column of VARCHAR."""
    module = import_module("duckdb")
    execute = module.connect(":memory:", config={"threads": "1"}).execute
    query = "SELECT a FROM read_json(?, format='newline_delimited', columns={'a': 'VARCHAR'})"

    def call(data):
        with NamedTemporaryFile(dir=FAST) as file:
            file.write(b'{"a":%b}\n' % json_text(data))
            file.flush()
            return execute(query, [file.name]).fetchall()

    return unless(SWALLOWED, Decoder(call, module.InvalidInputException))


class ClickHouse:
    """ClickHouse in process: isValidUTF8, and toValidUTF8 for mode r."""

    def __init__(self):
        self.query = import_module("chdb").connect(":memory:").query
        self.query("SET max_query_size = 1000000000")

    def answer(self, call, data):
        """Return what a function of SQL says of data."""
        return bytes.fromhex(str(self.query(f"SELECT hex({call}(unhex('{data.hex()}')))", "TSV")).strip())

    def accepts(self, data):
        """Tell what isValidUTF8 says."""
        return self.answer("isValidUTF8", data) == b"\x01"

    def replace(self, data):
        """Return what toValidUTF8 makes of data."""
        return self.answer("toValidUTF8", data).decode("utf-8", "surrogatepass")


TABLES = {
    "chdb": ("chdb-core", ClickHouse),
    "polars": ("polars", polars),
    "pyarrow": ("pyarrow", pyarrow),
    "duckdb": ("duckdb", duckdb),
    "pyarrow-validate": ("pyarrow", pyarrow_validate),
    "pyarrow-csv": ("pyarrow", pyarrow_csv),
    "pyarrow-json": ("pyarrow", pyarrow_json),
    "polars-csv": ("polars", polars_csv),
    "polars-ndjson": ("polars", polars_ndjson),
    "duckdb-csv": ("duckdb", duckdb_csv),
    "duckdb-json": ("duckdb", duckdb_json),
    "polars-json": ("polars", polars_json),
}
