"""Adapters of programs that read a format with text in it: Markdown, roff, JSON, message catalogues, Protocol Buffers.

These rows need code because the input becomes a part of the format. cmark, preconv and jq write U+FFFD for what is not
a character: they accept when no U+FFFD comes out that was not in the input.
"""

from __future__ import annotations

import html
import json
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from utf8_abnf.conformance.decoders.batch import Each, Tool, accepted, lasting_folder, run
from utf8_abnf.conformance.harness.driving.protocol import ACCEPT

if TYPE_CHECKING:
    from collections.abc import Sequence

FENCE = b"~" * 40  # longer than any in an input
MARK = b".utf8-abnf"  # a line before each input
SOFT_HYPHEN = 0xAD  # in roff a percent sign that is escaped


class Replacing:
    """A program that reads many inputs in one document, and writes U+FFFD."""

    version = ""

    def judge(self, cases: Sequence[bytes]) -> bytes:
        """Accept what comes out without a new U+FFFD."""
        return b"".join(map(accepted, cases, self.replace(cases)))

    def replace(self, cases: Sequence[bytes]) -> list[bytes | None]:
        """Return what the program makes of the inputs that it can be given."""
        texts = iter(self._run([case for case in cases if self._takes(case)]))
        return [next(texts) if self._takes(case) else None for case in cases]

    def _takes(self, data: bytes) -> bool:
        raise NotImplementedError

    def _run(self, cases: Sequence[bytes]) -> list[bytes]:
        raise NotImplementedError


class Cmark(Replacing):
    """CommonMark's reference implementation: every input is a fenced block of code."""

    def _takes(self, data: bytes) -> bool:
        return not re.search(rb"[\0\r]|~{40}", data)

    def _run(self, cases: Sequence[bytes]) -> list[bytes]:
        page = b"".join(b"%b\n%b\n%b\n" % (FENCE, case, FENCE) for case in cases)
        written = run(("cmark", "--validate-utf8"), page)
        blocks = re.findall(rb"<pre><code>(.*?)\n</code></pre>", written, re.DOTALL)
        return [html.unescape(block.decode()).encode() for block in blocks]


class Preconv(Replacing):
    """The preprocessor of groff, which writes characters beyond ASCII as escapes."""

    def _takes(self, data: bytes) -> bool:
        return not re.search(rb"\\\[u|\\%|\.utf8-abnf", data)

    def _run(self, cases: Sequence[bytes]) -> list[bytes]:
        page = b"".join(b"%b\n%b\n" % (MARK, case) for case in cases)
        _, *texts = run(("preconv", "-e", "utf-8"), page).split(MARK + b"\n")
        return [re.sub(rb"\\\[u([0-9A-F]+)\]|\\%", character, text.removesuffix(b"\n")) for text in texts]


def character(escape: re.Match[bytes]) -> bytes:
    """Return the character that *escape* names; the escape itself when there is none, as of a surrogate."""
    value = int(escape[1], 16) if escape[1] else SOFT_HYPHEN
    return escape[0] if value > sys.maxunicode or 0xD800 <= value < 0xE000 else chr(value).encode()


class Jq(Replacing):
    """jq's JSON parser: every input is a string on a line."""

    command = ("jq", "-c", ".")

    def _takes(self, data: bytes) -> bool:
        return True

    def _run(self, cases: Sequence[bytes]) -> list[bytes]:
        written = run(self.command, b"".join(self._line(case) for case in cases))
        return [json.loads(line).encode() for line in written.splitlines()]

    def _line(self, data: bytes) -> bytes:
        return json_string(data) + b"\n"


class JqRaw(Jq):
    """jq's raw input: every input is a line. jq 1.6 cuts a character in two that lies across byte 4,095 of its line."""

    command = ("jq", "-cR", ".")

    def _takes(self, data: bytes) -> bool:
        return b"\n" not in data

    def _line(self, data: bytes) -> bytes:
        return data + b"\n"


def json_string(data: bytes) -> bytes:
    r"""Return *data* as a JSON string, its ASCII controls, quotes and backslashes as escapes.

    >>> json_string(b'a"\n')
    b'"a\\u0022\\u000a"'
    """
    return b'"' + re.sub(rb'[\x00-\x1f"\\]', lambda byte: b"\\u%04x" % ord(byte[0]), data) + b'"'


class Msgfmt(Each):
    """gettext's reader of PO files."""

    def __init__(self) -> None:
        super().__init__(("msgfmt", "-o", "-", "-"), wrap=catalogue)


def catalogue(data: bytes) -> bytes | None:
    """Return a PO file with *data* as the translation of a message; None where it has controls that gettext refuses."""
    if re.search(rb"[\0\4]", data):
        return None
    text = re.sub(rb'[\x01-\x1f"\\\x7f]', lambda byte: b"\\%03o" % ord(byte[0]), data)
    return b'%bx%bx"\n' % (PO_HEADER, text)  # both texts begin and end alike: with LF or without


PO_HEADER = b"""msgid ""
msgstr "Content-Type: text/plain; charset=UTF-8\\n"

msgid "a"
msgstr \""""


class Git(Each):
    """git warns of a commit message that is not UTF-8."""

    def __init__(self) -> None:
        folder = lasting_folder()
        run(("sh", "-c", GIT_STARTS), folder=folder)
        super().__init__(GIT_COMMITS.split(), complaint=b"did not conform to UTF-8", wrap=without_nul, folder=folder)


EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
GIT_STARTS = "git init -q --bare . && git hash-object -t tree -w --stdin"
GIT_COMMITS = f"git --git-dir=. -c core.fsync=none -c user.name=a -c user.email=a commit-tree {EMPTY_TREE}"


def without_nul(data: bytes) -> bytes | None:
    """Return *data*, or None where it has a NUL."""
    return None if 0 in data else data


class File(Tool):
    """``file`` guesses an encoding; a line of ASCII before each input makes it text."""

    def __init__(self) -> None:
        command = ("file", "--mime-encoding")
        super().__init__(command, rb"^(\d+): +(?:utf-8|us-ascii)$", ACCEPT, wrap=plain_text)


def plain_text(data: bytes) -> bytes | None:
    """Return a line of ASCII and *data*; None where it has controls, which are no text to ``file``."""
    return None if re.search(rb"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]", data) else b"text:\n" + data


class Protoc(Each):
    """The C++ implementation of Protocol Buffers reads a string field of proto3."""

    def __init__(self) -> None:
        folder = lasting_folder()
        Path(folder, "m.proto").write_text('syntax = "proto3"; message M { string s = 1; }')
        super().__init__(("protoc", "--decode=M", "m.proto"), wrap=string_field, folder=folder)


def string_field(data: bytes) -> bytes:
    """Return the message that has *data* as its field 1."""
    size = len(data)
    varint = bytearray()
    while size > 0x7F:
        varint.append(size & 0x7F | 0x80)
        size >>= 7
    return b"\x0a" + bytes([*varint, size]) + data


class Flatc(Each):
    """FlatBuffers' compiler reads a string of JSON."""

    def __init__(self) -> None:
        folder = lasting_folder()
        Path(folder, "s.fbs").write_text("table T { s: string; } root_type T;")
        super().__init__(("sh", "-c", FLATC), wrap=lambda data: b"{s:" + json_string(data) + b"}", folder=folder)


FLATC = "cat >$$.json; flatc -b s.fbs $$.json; s=$?; rm -f $$.*; exit $s"
