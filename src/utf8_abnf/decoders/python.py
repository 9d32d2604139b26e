"""The Python that runs this: bytes.decode, the incremental decoder, and the laxer error handler ``surrogatepass``."""

from __future__ import annotations

import codecs

from utf8_abnf.decoders.decoder import Decoder


class Strict:
    """``bytes.decode`` with the handlers strict and replace."""

    def decode(self, data: bytes) -> str:
        """Return the text; UnicodeDecodeError for ill-formed data."""
        return data.decode("utf-8")

    def replace(self, data: bytes) -> str:
        """Return the text with U+FFFD."""
        return data.decode("utf-8", "replace")

    def first_error(self, data: bytes) -> tuple[int, int] | None:
        """Return where ``UnicodeDecodeError`` begins and how long it is."""
        try:
            data.decode("utf-8")
        except UnicodeDecodeError as error:
            return error.start, error.end - error.start
        return None


class Incremental:
    """``codecs.getincrementaldecoder``."""

    def stream(self) -> IncrementalStream:
        """Return a fresh decoder."""
        return IncrementalStream()


class IncrementalStream:
    """One stream."""

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("strict")

    def feed(self, chunk: bytes) -> None:
        """Decode *chunk*; UnicodeDecodeError as soon as it is certainly wrong."""
        self._decoder.decode(chunk)

    def finish(self) -> bool:
        """Decode the end; UnicodeDecodeError when a character is cut."""
        self._decoder.decode(b"", final=True)
        return True


def surrogatepass(data: bytes) -> bool:
    """Tell whether ``bytes.decode`` takes *data* with the error handler surrogatepass."""
    data.decode("utf-8", "surrogatepass")
    return True


def control(data: bytes) -> bool:
    """Tell whether the sum of the bytes, modulo 256, is below 128: no decoder, a test of what carries *data* here."""
    return sum(data) % 256 < 128


def _child(name: str, about: str, decode: str, claim: str = "UTF-8") -> Decoder:
    command = ("{program}", "-m", "utf8_abnf.harness.child", "py", f"utf8_abnf.decoders.python:{name}")
    suffix = "" if name == "Strict" else f"-{name.lower()}"
    direct = f"python3 -c '{READ};{decode}'"
    return Decoder(f"python{suffix}", about, "python", command, claim=claim, install=INSTALL, direct=direct)


def _library(name: str, about: str, code: str, claim: str = "UTF-8", refuses: str = "") -> Decoder:
    return Decoder(
        f"python-{name}",
        about,
        "python",
        ("{program}", "{source}", name),
        claim=claim,
        refuses=refuses,
        source="cpython.py",
        install=INSTALL,
        direct=f"python3 -c '{READ};{code}'",
    )


def _other(name: str, program: str, install: str = "", version: str = "") -> Decoder:
    """Return the row of another Python; those from elsewhere than Debian are tested where they are."""
    # pyenv, where it is what answers to the name, needs to be told the version.
    environment = {"PYENV_VERSION": version} if version else {}
    setting = [f"{key}={value}" for key, value in environment.items()]
    return Decoder(
        f"{name}-decode",
        f"bytes.decode('utf-8') of {program}, and its incremental decoder for mode s",
        program,
        ("{program}", "{source}", "decode"),
        source="cpython.py",
        environment=environment,
        install=install,
        probe=("env", *setting, "{program}", "-c", ""),
        direct=" ".join([*setting, program, f"-c '{READ};d.decode(\"utf-8\")'"]),
    )


INSTALL = "apt:python3"
# Python 2 has bytes on sys.stdin itself. An exception ends it with 1, as it should.
READ = 'import sys;d=getattr(sys.stdin,"buffer",sys.stdin).read()'
ESCAPE = r"""import json,re;q=re.sub(b"[\0-\x1f\x22\x5c\x5c]",lambda m:b"\\u%04x"%m[0][0],d)"""

DECODERS = (
    _child("Strict", "bytes.decode('utf-8')", 'd.decode("utf-8")'),
    _child("Incremental", "codecs.getincrementaldecoder('utf-8')", 'd.decode("utf-8")'),
    _child(
        "surrogatepass",
        "bytes.decode('utf-8', 'surrogatepass')",
        'd.decode("utf-8","surrogatepass")',
        "UTF-8 and surrogates",
    ),
    _library("utf-8-sig", "bytes.decode('utf-8-sig')", 'd.decode("utf-8-sig")'),
    _library(
        "textiowrapper",
        "io.TextIOWrapper(stream, 'utf-8').read()",
        'import io;io.TextIOWrapper(io.BytesIO(d),"utf-8").read()',
    ),
    _library(
        "json-loads", "json.loads of bytes, the data in a JSON string", ESCAPE + ';json.loads(b"\\x22"+q+b"\\x22")'
    ),
    _library(
        "etree",
        "xml.etree.ElementTree.fromstring (expat), the data as the text of an element",
        'from xml.etree.ElementTree import*;fromstring(b"<a>"+d+b"</a>")',
        refuses="markup, controls, U+FFFE and U+FFFF: no XML 1.0 Char, or not as text",
    ),
    _library(
        "compile-string",
        "compile(bytes, ...), the data in a string literal",
        r"""q=b"\x27"*3;compile(q+d.replace(b"\x5c",b"\x5c"*2).replace(b"\x27",b"\x5c\x27")+q,"-","exec")""",
        refuses="NUL: not in a source",
    ),
    _library(
        "compile-comment",
        "compile(bytes, ...), the data in a comment",
        'compile(b"#"+d,"-","exec")',
        refuses="NUL and line ends, and `coding`: not in a comment",
    ),
    _other("pypy3", "pypy3", "apt:pypy3"),
    *(
        _other(f"python{version}", f"python{version}", version=version)
        for version in ("2.7", "3.6", "3.8", "3.13", "3.14")
    ),
)
