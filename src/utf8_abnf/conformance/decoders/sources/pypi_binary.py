"""Packages of PyPI that read binary formats: their decoders by name, each with its distribution and how to make it."""

from __future__ import annotations

import re
from importlib import import_module
from io import BytesIO

from pypi_ways import Decoder, unless, varint


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


def amazon_ion():
    """Return a decoder of a string of binary Ion; ion-c, in C."""
    module = import_module("amazon.ion.simpleion")
    assert module.c_ext

    def call(data):
        size, digits = len(data) >> 7, [len(data) & 127 | 128]
        while size:
            digits.insert(0, size & 127)
            size >>= 7
        return module.loads(b"\xe0\x01\x00\xea\x8e" + bytes(digits) + data)

    return Decoder(call, import_module("amazon.ion.exceptions").IonException, ValueError)


def u_msgpack():
    """Return the unpacker of u-msgpack-python, which has CPython decode."""
    decoder = packed("umsgpack", "unpackb", b"\x92\xdb")()
    decoder.errors = (import_module("umsgpack").InvalidStringException,)
    return decoder


BINARY = {
    "msgpack": ("msgpack", packed("msgpack", "unpackb", b"\x92\xdb")),
    "ormsgpack": ("ormsgpack", packed("ormsgpack", "unpackb", b"\x92\xdb")),
    "cbor2": ("cbor2", cbor2),
    "protobuf": ("protobuf", protobuf),
    "bson": ("pymongo", bson),
    "msgpack-fallback": ("msgpack", msgpack_fallback),
    "fastavro": ("fastavro", fastavro),
    "asn1crypto": ("asn1crypto", asn1crypto),
    "wsproto": ("wsproto", wsproto),
    "wasmtime": ("wasmtime", wasmtime),
    "lupa": ("lupa", lupa),
    "apsw": ("apsw", apsw),
    "amazon-ion": ("amazon.ion", amazon_ion),
    "u-msgpack": ("u-msgpack-python", u_msgpack),
    "msgspec-msgpack": ("msgspec", packed("msgspec.msgpack", "decode", b"\x92\xdb")),
}
