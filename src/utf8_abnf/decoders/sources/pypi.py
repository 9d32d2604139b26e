"""Packages of PyPI over the stream protocol: ``python pypi.py NAME``, run by the Python of their own environment.

It stands alone: utf8-abnf itself is not installed there. A decoder has some of ``accepts(data)``, which answers True,
False or None (it cannot be given that), ``first_error(data)``, ``replace(data)`` and ``stream()``; any of ``errors``
that it raises rejects, everything else is a crash.
"""

from __future__ import annotations

import os
import re
import struct
import sys
from importlib import import_module
from importlib.metadata import version
from io import BytesIO
from tempfile import NamedTemporaryFile

NO_ERROR = 0xFFFFFFFF
SHARED_MEMORY = "/dev/shm"  # noqa: S108  files there cost a tenth of what they cost on a disk
FAST = SHARED_MEMORY if os.path.isdir(SHARED_MEMORY) else None


class Decoder:
    """A function that takes well-formed data and raises one of *errors* for other."""

    def __init__(self, call, *errors):
        self.call, self.errors = call, errors or (ValueError,)

    def accepts(self, data):
        """Tell whether the call returns; None where it says so."""
        try:
            return self.call(data) is not None
        except self.errors:
            return False


# -- JSON: data stands in a string ------------------------------------------------------------------------------------

ESCAPES = {byte: b"\\u%04x" % byte for byte in (*range(0x20), ord('"'), ord("\\"))}
FORBIDDEN = re.compile(b'[\0-\x1f"\\\\]')
# A decoder that takes anything for a tail would swallow the backslash, and not see the byte that was asked.
SWALLOWED = re.compile(b'[\x80-\xff][\0-\x1f"\\\\]')


def json_text(data):
    """Return *data* as a JSON string; what JSON forbids in one is escaped, and nothing from 80 on is."""
    return b'"%b"' % FORBIDDEN.sub(lambda match: ESCAPES[match[0][0]], data)


def json_decoder(module, name, errors=lambda module: ()):
    """Return a maker of the decoder *name* of *module*, a function of JSON text, and its *errors* if no ValueError."""

    def make():
        loads = getattr(import_module(module), name)
        return unless(SWALLOWED, Decoder(lambda data: loads(json_text(data)), *errors(import_module(module))))

    return make


def pyjson5():
    """Return the decoder; it has CPython make strings of what is no character, too, which CPython refuses."""
    refused = (SystemError, OverflowError)
    return json_decoder("pyjson5", "decode_utf8", lambda module: (module.Json5DecoderException, *refused))()


def simdjson():
    """Return a decoder that asks one parser for the string in an array."""
    parser = import_module("simdjson").Parser()
    return unless(SWALLOWED, Decoder(lambda data: parser.parse(b"[%b]" % json_text(data))[0]))


def pydantic_string(method, write):
    """Return a maker of the decoder that *method* of a validator for strings is, given what *write* makes of data."""

    def make():
        ask = getattr(import_module("pydantic_core").SchemaValidator({"type": "str"}), method)
        return Decoder(lambda data: ask(write(data)))

    return make


def pydantic_json():
    """Return the same of JSON text."""
    return unless(SWALLOWED, pydantic_string("validate_json", json_text)())


def ijson():
    """Return the backend with YAJL in C, which gives strings to CPython."""
    module = import_module("ijson")
    items = module.get_backend("yajl2_c").items
    return unless(
        SWALLOWED, Decoder(lambda data: list(items(BytesIO(json_text(data)), "")), module.JSONError, ValueError)
    )


def tomli():
    """Return a decoder of a TOML string; DEL is escaped as well."""
    load = import_module("tomli").load
    return Decoder(lambda data: load(BytesIO(b"a=" + json_text(data).replace(b"\x7f", b"\\u007f"))))


# -- binary formats: the byte after data is 80 ------------------------------------------------------------------------


def varint(number):
    """Return *number* as protobuf writes it."""
    digits = bytearray()
    while number > 0x7F:
        digits.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*digits, number])


def packed(module, name, before):
    """Return a maker for MessagePack or CBOR: an array of a string and of 80, an empty map or array in them."""

    def make():
        unpack = getattr(import_module(module), name)
        return Decoder(lambda data: unpack(before + len(data).to_bytes(4, "big") + data + b"\x80"))

    return make


def cbor2():
    """Return a decoder of CBOR text strings."""
    decoder = packed("cbor2", "loads", b"\x82\x7a")()
    decoder.errors = (import_module("cbor2").CBORDecodeError,)
    return decoder


def protobuf():
    """Return a decoder of a string field of proto3; after it comes an unknown field whose tag begins with 80."""
    implementation = import_module("google.protobuf.internal.api_implementation").Type()
    assert implementation == "upb", implementation
    parse = import_module("google.protobuf.wrappers_pb2").StringValue.FromString
    error = import_module("google.protobuf.message").DecodeError
    return Decoder(lambda data: parse(b"\x0a" + varint(len(data)) + data + b"\x80\x01\x00").value, error)


def bson():
    """Return a decoder of BSON strings, the C extension of pymongo."""
    module = import_module("bson")
    assert module.has_c()

    def call(data):
        body = b"\x02k\0" + (len(data) + 1).to_bytes(4, "little") + data + b"\0"
        return module.decode((len(body) + 5).to_bytes(4, "little") + body + b"\0")["k"]

    return Decoder(call, module.errors.InvalidBSON)


def msgpack_fallback():
    """Return the unpacker in Python, which gives strings to CPython."""
    unpacker = import_module("msgpack.fallback").Unpacker

    def call(data):
        stream = unpacker()
        stream.feed(b"\x92\xdb" + len(data).to_bytes(4, "big") + data + b"\x80")
        return stream.unpack()

    return Decoder(call)


def fastavro():
    """Return a decoder of an Avro string; the byte after data is 80."""
    read = import_module("fastavro").schemaless_reader
    return Decoder(lambda data: read(BytesIO(varint(len(data) << 1) + data + b"\x80"), "string"))


def asn1crypto():
    """Return a decoder of UTF8String in DER."""
    string = import_module("asn1crypto.core").UTF8String
    return Decoder(lambda data: string.load(b"\x0c\x84" + len(data).to_bytes(4, "big") + data).native)


def wsproto():
    """Return the decoder of a text message, in one frame with a mask of zeros."""
    module = import_module("wsproto.frame_protocol")

    def call(data):
        protocol = module.FrameProtocol(client=False, extensions=[])
        size = len(data)
        long = b"\xff" + size.to_bytes(8, "big") if size >> 16 else b"\xfe" + size.to_bytes(2, "big")
        length = bytes([0x80 | size]) if size < 126 else long
        protocol.receive_bytes(b"\x81" + length + bytes(4) + data)
        return list(protocol.received_frames())

    return Decoder(call, module.ParseFailed)


def wasmtime():
    """Return a validator of a module that imports a function; data are the name of the module that it is in."""
    module = import_module("wasmtime")
    engine = module.Engine()
    function = b"\x01\x04\x01\x60\x00\x00"

    def call(data):
        body = b"\x01" + varint(len(data)) + data + b"\x00\x00\x00"
        module.Module.validate(engine, b"\0asm\1\0\0\0" + function + b"\x02" + varint(len(body)) + body)
        return True

    return unless(re.compile(rb"(?s).{100001}"), Decoder(call, module.WasmtimeError))  # its longest name


def lupa():
    """Return utf8.len of the Lua that is in the package."""
    return Decoder(import_module("lupa").LuaRuntime(encoding=None).eval(b"function(s) return (utf8.len(s)) end"))


def apsw():
    """Return the text that SQLite has of bytes, which CPython decodes."""
    connection = import_module("apsw").Connection(":memory:")
    return Decoder(lambda data: connection.execute("SELECT CAST(? AS TEXT)", (data,)).fetchall())


# -- tables -----------------------------------------------------------------------------------------------------------


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


# -- text formats that forbid characters ------------------------------------------------------------------------------

NOT_XML = re.compile(rb"[\0-\x08\x0b\x0c\x0e-\x1f]|\xef\xbf[\xbe\xbf]")
NOT_YAML = re.compile(rb"\xc2[\x80-\x84\x86-\x9f]|\xef\xbf[\xbe\xbf]|\xef\xbb\xbf")


def lxml():
    """Return a decoder of an element's text; None where XML 1.0 forbids a character."""
    etree = import_module("lxml.etree")
    parser = etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=True)
    head = b'<?xml version="1.0" encoding="UTF-8"?><a>'

    def call(data):
        text = data.replace(b"&", b"&amp;").replace(b"<", b"&lt;").replace(b">", b"&gt;")
        return etree.fromstring(b"%b%b</a>" % (head, text), parser)

    decoder = Decoder(call, etree.XMLSyntaxError)
    return unless(NOT_XML, decoder)


def libyaml():
    """Return a decoder of a double-quoted scalar, in C."""
    return yaml("CSafeLoader")


def pyyaml():
    """Return the one in Python, which has CPython decode."""
    return yaml("SafeLoader")


def yaml(name):
    """Return a decoder of a double-quoted scalar; None where YAML forbids what cannot be escaped."""
    module = import_module("yaml")
    loader = getattr(module, name)
    escapes = {byte: b"\\x%02x" % byte for byte in (*range(0x20), ord('"'), ord("\\"), 0x7F)}
    forbidden = re.compile(b'[\0-\x1f\x7f"\\\\]')

    def call(data):
        return module.load(b'"%b"' % forbidden.sub(lambda match: escapes[match[0][0]], data), Loader=loader)

    return unless(NOT_YAML, Decoder(call, module.YAMLError))


def unless(forbidden, decoder):
    """Return *decoder* made to answer None for data in which *forbidden* is found."""
    accepts = decoder.accepts
    decoder.accepts = lambda data: None if forbidden.search(data) else accepts(data)
    return decoder


# -- decoders that show more than a verdict ---------------------------------------------------------------------------


class Validator:
    """A validator with autobahn's interface: ``validate(chunk)`` gives (valid, ends on a character, index, index)."""

    def __init__(self, make):
        self.make = make

    def accepts(self, data):
        """Tell whether it is valid and ends on a character."""
        return all(self.make().validate(data)[:2])

    def first_error(self, data):
        """Return the index at which it gave up; it tells no length."""
        valid, whole, _, index = self.make().validate(data)
        return None if valid and whole else (index, 1)

    def stream(self):
        """Return a stream."""
        return ValidatorStream(self.make())


class ValidatorStream:
    """One stream."""

    def __init__(self, validator):
        self.validator, self.whole = validator, True

    def feed(self, chunk):
        """Tell whether all is valid so far."""
        valid, self.whole, *_ = self.validator.validate(chunk)
        return valid

    def finish(self):
        """Tell whether the end is that of a character."""
        return self.whole


def autobahn(native):
    """Return a maker of the validator in C (NVX), or of the one in Python."""

    def make():
        os.environ["AUTOBAHN_USE_NVX"] = str(native)
        validator = import_module("autobahn.websocket.utf8validator").Utf8Validator
        assert ("nvx" in validator.__module__) is bool(native), validator.__module__
        return Validator(validator)

    return make


class Codec:
    """A codec of Python's registry."""

    def __init__(self, name):
        self.info = import_module("codecs").lookup(name)

    def accepts(self, data):
        """Tell whether it decodes *data*."""
        return self.first_error(data) is None

    def first_error(self, data):
        """Return where its UnicodeDecodeError lies."""
        try:
            self.info.decode(data)
        except UnicodeDecodeError as error:
            return error.start, error.end - error.start
        return None

    def replace(self, data):
        """Return what it makes of *data* with the handler replace."""
        return self.info.decode(data, "replace")[0]

    def stream(self):
        """Return a stream."""
        return CodecStream(self.info.incrementaldecoder())


class CodecStream:
    """One stream."""

    def __init__(self, decoder):
        self.decoder = decoder

    def feed(self, chunk, final=False):
        """Tell whether *chunk* decodes."""
        try:
            self.decoder.decode(chunk, final)
        except UnicodeDecodeError:
            return False
        return True

    def finish(self):
        """Tell whether the end decodes."""
        return self.feed(b"", final=True)


def ftfy():
    """Return the codec that importing ftfy.bad_codecs adds."""
    import_module("ftfy.bad_codecs")
    return Codec("utf-8-variants")


class HarfBuzz:
    """A buffer's characters; it replaces. The byte after data is 80."""

    def __init__(self):
        self.make = import_module("uharfbuzz").Buffer

    def replace(self, data):
        """Return the characters."""
        if not data:
            return ""
        buffer = self.make()
        buffer.add_utf8(data + b"\x80", 0, len(data))
        return "".join(chr(info.codepoint) for info in buffer.glyph_infos)

    def accepts(self, data):
        """Tell whether it replaces nothing: those that are in *data* are characters."""
        return self.replace(data).count("\ufffd") <= data.count("\ufffd".encode())


def re2():
    """Whether any number of characters, line ends included, is all of data."""
    pattern = import_module("re2").compile(rb"(?s).*")
    return Decoder(lambda data: pattern.fullmatch(data))


class Control:
    """No decoder: the sum of the bytes decides, which shows that the adapter carries bytes and answers."""

    def accepts(self, data):
        """Tell whether the sum modulo 256 is below 128."""
        return sum(data) % 256 < 128


DECODERS = {
    # name            distribution     how to make it
    "control": ("", Control),
    "orjson": ("orjson", json_decoder("orjson", "loads")),
    "ujson": ("ujson", json_decoder("ujson", "loads")),
    "pysimdjson": ("pysimdjson", simdjson),
    "yyjson": ("yyjson", json_decoder("yyjson", "Document")),
    "jiter": ("jiter", json_decoder("jiter", "from_json")),
    "msgspec": ("msgspec", json_decoder("msgspec.json", "decode")),
    "pyjson5": ("pyjson5", pyjson5),
    "msgpack": ("msgpack", packed("msgpack", "unpackb", b"\x92\xdb")),
    "ormsgpack": ("ormsgpack", packed("ormsgpack", "unpackb", b"\x92\xdb")),
    "cbor2": ("cbor2", cbor2),
    "protobuf": ("protobuf", protobuf),
    "bson": ("pymongo", bson),
    "polars": ("polars", polars),
    "pyarrow": ("pyarrow", pyarrow),
    "duckdb": ("duckdb", duckdb),
    "lxml": ("lxml", lxml),
    "pyyaml": ("PyYAML", libyaml),
    "autobahn": ("autobahn", autobahn(0)),
    "autobahn-nvx": ("autobahn", autobahn(1)),
    "wsaccel": ("wsaccel", lambda: Validator(import_module("wsaccel.utf8validator").Utf8Validator)),
    "ftfy": ("ftfy", ftfy),
    "uharfbuzz": ("uharfbuzz", HarfBuzz),
    "google-re2": ("google-re2", re2),
    "pydantic": ("pydantic-core", pydantic_string("validate_python", bytes)),
    "pydantic-json": ("pydantic-core", pydantic_json),
    "python-rapidjson": ("python-rapidjson", json_decoder("rapidjson", "loads")),
    "simplejson": ("simplejson", json_decoder("simplejson", "loads")),
    "ijson": ("ijson", ijson),
    "tomli": ("tomli", tomli),
    "pyyaml-pure": ("PyYAML", pyyaml),
    "msgpack-fallback": ("msgpack", msgpack_fallback),
    "fastavro": ("fastavro", fastavro),
    "asn1crypto": ("asn1crypto", asn1crypto),
    "wsproto": ("wsproto", wsproto),
    "wasmtime": ("wasmtime", wasmtime),
    "lupa": ("lupa", lupa),
    "apsw": ("apsw", apsw),
    "pyarrow-validate": ("pyarrow", pyarrow_validate),
    "pyarrow-csv": ("pyarrow", pyarrow_csv),
    "pyarrow-json": ("pyarrow", pyarrow_json),
    "polars-csv": ("polars", polars_csv),
    "polars-ndjson": ("polars", polars_ndjson),
    "duckdb-csv": ("duckdb", duckdb_csv),
}


# -- the protocol -----------------------------------------------------------------------------------------------------


def verdict(decoder, data):
    """Return the answer to a frame of mode v."""
    accepted = decoder.accepts(data)
    return b"u" if accepted is None else b"1" if accepted else b"0"


def position(decoder, data):
    """Return the answer to a frame of mode p."""
    start, length = decoder.first_error(data) or (NO_ERROR, 0)
    return struct.pack("<IB", start, min(length, 255))


def replacement(decoder, data):
    """Return the answer to a frame of mode r."""
    text = decoder.replace(data).encode("utf-8", "surrogatepass")
    return len(text).to_bytes(4, "little") + text


def streaming(decoder, frame):
    """Return the answer to a frame of mode s."""
    count = int.from_bytes(frame[:4], "little")
    at = 4 + 4 * count
    stream, good, answers = decoder.stream(), True, b""
    for size in struct.unpack_from(f"<{count}I", frame, 4):
        good = good and stream.feed(frame[at : at + size])
        at += size
        answers += b"?" if good else b"0"
    return answers + (b"1" if good and stream.finish() else b"0")


MODES = {"accepts": ("v", verdict), "first_error": ("p", position), "replace": ("r", replacement)}
MODES["stream"] = ("s", streaming)


def main():
    """Say hello, then answer until the input ends; answers leave when all that has come is judged."""
    distribution, make = DECODERS[sys.argv[1]]
    writes = os.dup(1)
    os.dup2(2, 1)  # whatever a package prints goes to stderr: stdout belongs to the protocol
    decoder = make()
    answers = {mode: answer for method, (mode, answer) in MODES.items() if hasattr(decoder, method)}
    told = version(distribution) if distribution else "1"
    os.write(writes, f"utf8-abnf 1 modes={','.join(answers)} name={sys.argv[1]} version={told}\n".encode())
    pending = b""
    while b"\n" not in pending:
        more = os.read(0, 1 << 20)
        if not more:
            return
        pending += more
    mode, _, pending = pending.partition(b"\n")
    answer = answers[mode.decode().strip()]
    while True:
        out, at = bytearray(), 0
        while at + 4 <= len(pending) and (end := at + 4 + int.from_bytes(pending[at : at + 4], "little")) <= len(
            pending
        ):
            out += answer(decoder, pending[at + 4 : end])
            at = end
        pending = pending[at:]
        while out:
            del out[: os.write(writes, out)]
        more = os.read(0, 1 << 20)
        if not more:
            return
        pending += more


if __name__ == "__main__":
    main()
