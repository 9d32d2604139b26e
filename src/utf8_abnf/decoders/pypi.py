"""Packages of PyPI, with decoders of their own; where CPython's is underneath, ``about`` says so.

They live in a virtual environment of their own, ``packages.python_program()``, and versions are pinned: a matrix of
next year shows what changed. ``tools/decoders.py`` installs them.
"""

from __future__ import annotations

import shlex

from utf8_abnf.decoders.decoder import Decoder
from utf8_abnf.decoders.packages import in_shell, python_program

PYTHON = python_program()
ESCAPED = "what JSON forbids in a string (00..1F, quote, backslash) behind a byte from 80 on; elsewhere it is escaped"
NO_XML = "what XML 1.0 forbids (00..1F but for tab and line ends; U+FFFE, U+FFFF)"
NO_YAML = "what YAML forbids (U+0080..U+009F but for U+0085; U+FFFE, U+FFFF, and U+FEFF inside); 00..1F is escaped"


def _row(
    name: str, package: str, module: str, ask: str, about: str, *, claim: str = "UTF-8", refuses: str = ""
) -> Decoder:
    """Return a row. *ask* is Python that decodes the bytes ``d`` with *module*; it rejects by leaving with status 1."""
    code = f"import sys, {module}; d = sys.stdin.buffer.read(); {ask}"
    return Decoder(
        f"pypi-{name}",
        about,
        str(PYTHON),
        ("{program}", "{source}", name),
        source="pypi.py",
        claim=claim,
        refuses=refuses,
        install=f"pip:{package}",
        probe=("{program}", "-c", f"from importlib.metadata import version; version({package.partition('==')[0]!r})"),
        direct=f"{in_shell(PYTHON)} -c {shlex.quote(code)}",
    )


def _json(package: str, call: str, about: str, *, module: str = "", claim: str = "UTF-8") -> Decoder:
    name = package.partition("==")[0]
    ask = rf'{call}(b"\"%b\"" % d)'
    return _row(name, package, module or name, ask, about, claim=claim, refuses=ESCAPED)


DECODERS = (
    _json("orjson==3.13.0", "orjson.loads", "orjson.loads: Rust"),
    _json(
        "ujson==6.1.0",
        "ujson.loads",
        "ujson.loads: a decoder of its own in C",
        claim="UTF-8, and surrogates, which stay what they are (ultrajson, pull request 550)",
    ),
    _json("pysimdjson==7.0.2", "simdjson.Parser().parse", "simdjson.Parser().parse: simdjson, C++", module="simdjson"),
    _json("yyjson==4.0.6", "yyjson.Document", "yyjson.Document: the C library yyjson"),
    _json("jiter==0.19.0", "jiter.from_json", "jiter.from_json, the parser of pydantic: Rust"),
    _json("msgspec==0.22.0", "msgspec.json.decode", "msgspec.json.decode; CPython's decoder underneath"),
    _json("pyjson5==2.0.1", "pyjson5.decode_utf8", "pyjson5.decode_utf8: a decoder of its own in C++"),
    _row(
        "msgpack",
        "msgpack==1.2.4",
        "msgpack",
        r'msgpack.unpackb(b"\xdb" + len(d).to_bytes(4, "big") + d)',
        "msgpack.unpackb, a string; CPython's decoder underneath",
    ),
    _row(
        "ormsgpack",
        "ormsgpack==1.13.1",
        "ormsgpack",
        r'ormsgpack.unpackb(b"\xdb" + len(d).to_bytes(4, "big") + d)',
        "ormsgpack.unpackb, a string: Rust",
    ),
    _row(
        "cbor2",
        "cbor2==6.2.1",
        "cbor2",
        r'cbor2.loads(b"\x7a" + len(d).to_bytes(4, "big") + d)',
        "cbor2.loads, a text string: Rust",
    ),
    _row(
        "protobuf",
        "protobuf==7.36.2",
        "google.protobuf.wrappers_pb2 as w",
        r'w.StringValue.FromString(b"\x0a" + bytes([len(d)]) + d)',  # of up to 127 bytes
        "a string field of proto3, parsed by upb, C",
    ),
    _row(
        "bson",
        "pymongo==4.20.0",
        "bson",
        r'n = lambda i: (len(d) + i).to_bytes(4, "little"); bson.decode(n(13) + b"\2k\0" + n(1) + d + b"\0\0")',
        "bson.decode of pymongo, a string, by its C extension; CPython's decoder underneath",
    ),
    _row(
        "polars",
        "polars==2.1.0",
        "polars as p",
        "p.Series([d], dtype=p.Binary).cast(p.String)",
        "polars, a cast from Binary to String: Rust",
    ),
    _row(
        "pyarrow",
        "pyarrow==26.0.1",
        "pyarrow as a",
        "a.array([d], a.binary()).cast(a.string())",
        "pyarrow, a cast from binary to string: Arrow C++",
    ),
    _row(
        "duckdb",
        "duckdb==2.0.0",
        "duckdb",
        'duckdb.execute("select decode($1::blob)", [d])',
        "DuckDB's function decode, from BLOB to VARCHAR: C++",
    ),
    _row(
        "lxml",
        "lxml==6.1.3",
        "lxml.etree as e",
        r'e.fromstring(b"<?xml version=\"1.0\" encoding=\"UTF-8\"?><a>%b</a>" % d)',
        "lxml.etree.fromstring, an element's text: the libxml2 that lxml brings",
        refuses=NO_XML,
    ),
    _row(
        "pyyaml",
        "PyYAML==6.0.3",
        "yaml",
        r'yaml.load(b"\"%b\"" % d, yaml.CSafeLoader)',
        "yaml.load with CSafeLoader, a double-quoted scalar: libyaml, C",
        refuses=NO_YAML,
    ),
    _row(
        "autobahn",
        "autobahn==26.10.2",
        "os",
        'os.environ["AUTOBAHN_USE_NVX"] = "0"; from autobahn.websocket.utf8validator import Utf8Validator as V; '
        "sys.exit(not all(V().validate(d)[:2]))",
        "autobahn.websocket.utf8validator.Utf8Validator: an automaton in Python",
    ),
    _row(
        "autobahn-nvx",
        "autobahn==26.10.2",
        "autobahn.nvx._utf8validator as v",
        "sys.exit(not all(v.Utf8Validator().validate(d)[:2]))",
        "autobahn.nvx.Utf8Validator: SSE2 and an automaton in C",
    ),
    _row(
        "wsaccel",
        "wsaccel==0.6.7",
        "wsaccel.utf8validator as v",
        "sys.exit(not all(v.Utf8Validator().validate(d)[:2]))",
        "wsaccel.utf8validator.Utf8Validator: an automaton in C",
    ),
    _row(
        "ftfy",
        "ftfy==6.3.1",
        "ftfy.bad_codecs",
        'd.decode("utf-8-variants")',
        "the codec utf-8-variants of ftfy.bad_codecs",
        claim="UTF-8, CESU-8 and C0 80 for NUL, mixed (its module's docstring)",
    ),
    _row(
        "uharfbuzz",
        "uharfbuzz==0.57.0",
        "uharfbuzz as h",
        'b = h.Buffer(); b.add_utf8(d); sys.exit(b"".join(chr(i.codepoint).encode() for i in b.glyph_infos) != d)',
        "uharfbuzz.Buffer.add_utf8, judged by whether its characters are the data: HarfBuzz, C++",
    ),
    _row(
        "google-re2",
        "google-re2==1.1.20251105",
        "re2",
        'sys.exit(not re2.fullmatch(b"(?s).*", d))',
        "re2.fullmatch(b'(?s).*', data): RE2, C++",
        claim="UTF-8, and where it keeps the automaton small, overlong E0 and F0, and F4 above 10FFFF (re2/compile.cc)",
    ),
)
