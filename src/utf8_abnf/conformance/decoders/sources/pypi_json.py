"""Packages of PyPI that read JSON: their decoders by name, each with its distribution and how to make it."""

from __future__ import annotations

from importlib import import_module

from pypi_ways import SWALLOWED, SWALLOWED_BY_FOUR, Decoder, json_text, unless


def json_decoder(module, name, errors=lambda module: ()):
    """Return a maker of the decoder *name* of *module*, a function of JSON text, and its *errors* if no ValueError."""

    def make():
        loads = getattr(import_module(module), name)
        return unless(SWALLOWED, Decoder(lambda data: loads(json_text(data)), *errors(import_module(module))))

    return make


def pyjson5():
    """Return the decoder; for what is no character it asks CPython for a string, which CPython refuses."""
    refused = (SystemError, OverflowError)
    make = json_decoder("pyjson5", "decode_utf8", lambda module: (module.Json5DecoderException, *refused))
    return unless(SWALLOWED_BY_FOUR, make())


JSON = {
    "orjson": ("orjson", json_decoder("orjson", "loads")),
    "ujson": ("ujson", json_decoder("ujson", "loads")),
    "yyjson": ("yyjson", json_decoder("yyjson", "Document")),
    "pyjson5": ("pyjson5", pyjson5),
}
