"""Adapters of programs that read a format with text in it: Markdown, JSON, commits.

These rows need code because the input becomes a part of the format. cmark and jq write U+FFFD for what is not
a character: they accept when no U+FFFD comes out that was not in the input.
"""

from __future__ import annotations

import html
import json
import os
import re
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING

from utf8_abnf.conformance.decoders.batch import Tool, accepted, lasting_folder, run, without_nul
from utf8_abnf.conformance.harness.driving.protocol import ACCEPT, REJECT, UNSUPPORTED

if TYPE_CHECKING:
    from collections.abc import Sequence

FENCE = b"~" * 40  # longer than any in an input


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


class Git:
    """git warns of a commit message that is not UTF-8: one process for each input."""

    version = ""

    def __init__(self) -> None:
        self._folder = lasting_folder()
        run(("sh", "-c", GIT_STARTS), folder=self._folder)

    def judge(self, cases: Sequence[bytes]) -> bytes:
        """Reject what it warns of; a commit message cannot have a NUL."""
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            return b"".join(pool.map(self._one, cases))

    def _one(self, data: bytes) -> bytes:
        if without_nul(data) is None:
            return UNSUPPORTED
        said = run(GIT_COMMITS.split(), data, folder=self._folder)
        if not re.search(rb"^[0-9a-f]{40}$", said, re.MULTILINE):
            raise RuntimeError(f"git makes no commit: {said[-200:]!r}")
        return REJECT if b"did not conform to UTF-8" in said else ACCEPT


EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
GIT_STARTS = "git init -q --bare . && git hash-object -t tree -w --stdin"
GIT_COMMITS = f"git --git-dir=. -c core.fsync=none -c user.name=a -c user.email=a commit-tree {EMPTY_TREE}"


def plain_text(data: bytes) -> bytes | None:
    """Return a line of ASCII and *data*; None where it has controls, which are no text to ``file``."""
    return None if re.search(rb"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]", data) else b"text:\n" + data


# ``file`` guesses an encoding; a line of ASCII before each input makes it text.
GUESSED = rb"^(\d+): +(?:utf-8|us-ascii)$"
File = partial(Tool, ("file", "--mime-encoding"), GUESSED, ACCEPT, wrap=plain_text)
