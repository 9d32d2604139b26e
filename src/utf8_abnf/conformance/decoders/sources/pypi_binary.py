"""Packages of PyPI that read binary formats: their decoders by name, each with its distribution and how to make it."""

from __future__ import annotations

from importlib import import_module

from pypi_ways import Decoder, varint


def cbor2():
    """Return a decoder of CBOR text strings: an array of a string and of 80, an empty array in it."""
    module = import_module("cbor2")
    before = b"\x82\x7a"
    call = lambda data: module.loads(before + len(data).to_bytes(4, "big") + data + b"\x80")  # noqa: E731
    return Decoder(call, module.CBORDecodeError)


def protobuf():
    """Return a decoder of a string field of proto3; after it comes an unknown field whose tag begins with 80."""
    implementation = import_module("google.protobuf.internal.api_implementation").Type()
    assert implementation == "upb", implementation
    parse = import_module("google.protobuf.wrappers_pb2").StringValue.FromString
    error = import_module("google.protobuf.message").DecodeError
    return Decoder(lambda data: parse(b"\x0a" + varint(len(data)) + data + b"\x80\x01\x00").value, error)


BINARY = {
    "cbor2": ("cbor2", cbor2),
    "protobuf": ("protobuf", protobuf),
}
