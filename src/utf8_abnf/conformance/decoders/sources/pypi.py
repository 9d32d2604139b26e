"""Packages of PyPI over the stream protocol: ``python pypi.py NAME``, run by the Python of their own environment.

It stands alone: utf8-abnf itself is not installed there. A decoder has some of ``accepts(data)``, which answers True,
False or None (it cannot be given that), ``first_error(data)``, ``replace(data)`` and ``stream()``; any of ``errors``
that it raises rejects, everything else is a crash.
"""

from __future__ import annotations

import os
import struct
import sys
from importlib.metadata import version

from pypi_binary import BINARY
from pypi_json import JSON
from pypi_tables import TABLES
from pypi_text import TEXT

NO_ERROR = 0xFFFFFFFF


class Control:
    """No decoder: the sum of the bytes decides, which shows that the adapter carries bytes and answers."""

    def accepts(self, data):
        """Tell whether the sum modulo 256 is below 128."""
        return sum(data) % 256 < 128


DECODERS = {"control": ("", Control), **BINARY, **JSON, **TABLES, **TEXT}


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
