"""Packages of PyPI that read JSON and TOML: their decoders by name, each with its distribution and how to make it."""

from __future__ import annotations

from importlib import import_module
from io import BytesIO

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


def ijson(backend):
    """Return a maker of a backend: yajl2_c gives strings to CPython, python has CPython decode the file."""

    def make():
        module = import_module("ijson")
        items = module.get_backend(backend).items
        call = lambda data: list(items(BytesIO(json_text(data)), ""))  # noqa: E731
        return unless(SWALLOWED, Decoder(call, module.JSONError, ValueError))

    return make


def cysimdjson():
    """Return the string of an object; simdjson, C++."""
    parse = import_module("cysimdjson").JSONParser().parse
    return unless(SWALLOWED, Decoder(lambda data: parse(b'{"a":%b}' % json_text(data)).export()))


def safetensors():
    """Return a decoder of the metadata, JSON in the header of a file; Rust."""
    module = import_module("safetensors")

    def call(data):
        header = b'{"__metadata__":{"a":%b}}' % json_text(data)
        return module.deserialize(len(header).to_bytes(8, "little") + header)

    return unless(SWALLOWED, Decoder(call, module.SafetensorError))


def pytomlpp():
    """Return a decoder of a TOML string, toml++; DEL is escaped as well."""
    module = import_module("pytomlpp")
    text = lambda data: b"a=" + json_text(data).replace(b"\x7f", b"\\u007f")  # noqa: E731
    return unless(SWALLOWED, Decoder(lambda data: module.loads(text(data)), module.DecodeError, ValueError))


def tomli():
    """Return a decoder of a TOML string; DEL is escaped as well."""
    load = import_module("tomli").load
    return Decoder(lambda data: load(BytesIO(b"a=" + json_text(data).replace(b"\x7f", b"\\u007f"))))


JSON = {
    "orjson": ("orjson", json_decoder("orjson", "loads")),
    "ujson": ("ujson", json_decoder("ujson", "loads")),
    "pysimdjson": ("pysimdjson", simdjson),
    "yyjson": ("yyjson", json_decoder("yyjson", "Document")),
    "jiter": ("jiter", json_decoder("jiter", "from_json")),
    "msgspec": ("msgspec", json_decoder("msgspec.json", "decode")),
    "pyjson5": ("pyjson5", pyjson5),
    "pydantic": ("pydantic-core", pydantic_string("validate_python", bytes)),
    "pydantic-json": ("pydantic-core", pydantic_json),
    "python-rapidjson": ("python-rapidjson", json_decoder("rapidjson", "loads")),
    "simplejson": ("simplejson", json_decoder("simplejson", "loads")),
    "ijson": ("ijson", ijson("yajl2_c")),
    "tomli": ("tomli", tomli),
    "cysimdjson": ("cysimdjson", cysimdjson),
    "ijson-python": ("ijson", ijson("python")),
    "pydantic-from-json": ("pydantic-core", json_decoder("pydantic_core", "from_json")),
    "pytomlpp": ("pytomlpp", pytomlpp),
    "safetensors": ("safetensors", safetensors),
}
