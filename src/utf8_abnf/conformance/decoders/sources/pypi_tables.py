"""Packages of PyPI that read tables: their decoders by name, each with its distribution and how to make it."""

from __future__ import annotations

import struct
from importlib import import_module
from io import BytesIO

from pypi_ways import SWALLOWED, Decoder, json_text, unless


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


def pyarrow_json():
    """Return the reader of lines of JSON, asked for a column of strings."""
    json, module = import_module("pyarrow.json"), import_module("pyarrow")
    options = json.ParseOptions(explicit_schema=module.schema([("a", module.string())]))
    read = json.ReadOptions(use_threads=False)
    call = lambda data: json.read_json(BytesIO(b'{"a":%b}\n' % json_text(data)), read, options)  # noqa: E731
    return unless(SWALLOWED, Decoder(call, module.ArrowInvalid))


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
    "pyarrow-json": ("pyarrow", pyarrow_json),
}
