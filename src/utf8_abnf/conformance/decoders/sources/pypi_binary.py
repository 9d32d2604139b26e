"""Packages of PyPI that read binary formats: their decoders by name, each with its distribution and how to make it."""

from __future__ import annotations

import re
from importlib import import_module

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


BINARY = {
    "ormsgpack": ("ormsgpack", packed("ormsgpack", "unpackb", b"\x92\xdb")),
    "cbor2": ("cbor2", cbor2),
    "protobuf": ("protobuf", protobuf),
    "wasmtime": ("wasmtime", wasmtime),
    "amazon-ion": ("amazon.ion", amazon_ion),
}
