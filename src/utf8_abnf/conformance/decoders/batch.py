"""The adapter of tools that judge many inputs in one run: it reads frames, starts one run for all of them, and answers.

``python -m utf8_abnf.conformance.decoders.batch MODULE:NAME`` starts it. NAME is a class like ``BatchDecoder``. With
``control`` instead it calls no decoder, and accepts when the sum of the bytes modulo 256 is below 128.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Protocol

from utf8_abnf.conformance.framing import frame, unframe
from utf8_abnf.conformance.harness.driving.child import READ, load, whole_frames
from utf8_abnf.conformance.harness.driving.protocol import ACCEPT, REJECT, UNJUDGED, UNSUPPORTED

MAX_CASES = 512  # in one run: an answer must come within seconds
MAX_BYTES = 1 << 18  # of all cases in one run
SECONDS = 60  # for one run
SHARED_MEMORY = "/dev/shm"  # noqa: S108  files there cost a tenth of what they cost on a disk
REPLACEMENT = "\ufffd".encode()
GUARDS: list[subprocess.Popen[bytes]] = []

Wrap = Callable[[bytes], bytes | None]


class BatchDecoder(Protocol):
    """A decoder as this adapter calls it. A method ``replace(cases) -> list[bytes | None]`` is used for mode r."""

    version: str

    def judge(self, cases: Sequence[bytes]) -> bytes:
        """Return ``1``, ``0`` or ``u`` for each of *cases*."""


class Control:
    """A stand-in for a decoder: it shows that bytes and answers arrive unchanged."""

    version = ""

    def judge(self, cases: Sequence[bytes]) -> bytes:
        """Accept where the sum of the bytes modulo 256 is below 128."""
        return b"".join(ACCEPT if sum(case) % 256 < 128 else REJECT for case in cases)


class Tool:
    """A command-line tool that is run once for many inputs: each is a file or, with *in_lines*, a line of that file.

    The names of the files come after *command*. The pattern *finds* matches what the tool prints about one input; its
    first group is the number of the file, from 0, or of the line, from 2. Inputs that it finds have the *verdict*, the
    others the opposite one. *wrap* makes the content of a file or line from the bytes of an input; None means that the
    tool cannot be given this input, which is then not judged. *first* is line 1.

    Of a tool that reads lines, each message that begins with the name of the file must match: RuntimeError otherwise,
    because an input whose message is not understood would count as one without a message.
    """

    version = ""

    def __init__(
        self,
        command: Sequence[str],
        finds: bytes,
        verdict: bytes = REJECT,
        *,
        wrap: Wrap = bytes,
        in_lines: str = "",
        first: bytes = b"",
    ) -> None:
        self._command = command
        self._finds = re.compile(finds, re.MULTILINE)
        self._found, self._rest = (ACCEPT, REJECT) if verdict == ACCEPT else (REJECT, ACCEPT)
        self._wrap = wrap
        self._in_lines = in_lines
        self._first = first

    def judge(self, cases: Sequence[bytes]) -> bytes:
        """Run the tool on *cases*."""
        texts = [self._wrap(case) for case in cases]
        with short_folder() as folder:
            if self._in_lines:
                names = [self._in_lines]
                lines = [self._first, *(text or b"" for text in texts), b""]
                Path(folder, self._in_lines).write_bytes(b"\n".join(lines))
            else:
                names = [str(number) for number, text in enumerate(texts) if text is not None]
                for name in names:
                    Path(folder, name).write_bytes(texts[int(name)] or b"")
            output = run([*self._command, *names], folder=folder) if names else b""
        if self._in_lines:
            self._understand_all(output)
        found = {int(match[1]) - (2 if self._in_lines else 0) for match in self._finds.finditer(output)}
        return b"".join(
            UNSUPPORTED if text is None else self._found if number in found else self._rest
            for number, text in enumerate(texts)
        )

    def _understand_all(self, output: bytes) -> None:
        for line in output.splitlines():
            if line.startswith(f"{self._in_lines}:".encode()) and not self._finds.match(line):
                raise RuntimeError(f"cannot tell which input is meant by {line[:200]!r}")


def without_nul(data: bytes) -> bytes | None:
    """Return *data*, or None where a NUL is in it."""
    return None if b"\0" in data else data


def accepted(data: bytes, text: bytes | None) -> bytes:
    """Return the verdict on *data* of a decoder that makes *text* of it: it rejects by adding a U+FFFD."""
    return UNSUPPORTED if text is None else ACCEPT if text.count(REPLACEMENT) <= data.count(REPLACEMENT) else REJECT


def short_folder() -> tempfile.TemporaryDirectory[str]:
    """Return a temporary folder for the files of one run."""
    return tempfile.TemporaryDirectory(dir=fast_folder())


@cache
def fast_folder() -> str:
    """Return a folder in memory, where the machine has one, which is removed when this process ends."""
    return lasting_folder(SHARED_MEMORY if os.access(SHARED_MEMORY, os.W_OK) else None)


def lasting_folder(where: str | None = None) -> str:
    """Return a temporary folder, in *where* or the usual place, that is removed when this process ends or is killed.

    The harness kills an adapter with its process group: the process that removes the folder has a session of its own.
    """
    folder = tempfile.mkdtemp(prefix="utf8-abnf-", dir=where)
    waits = subprocess.Popen(  # noqa: S603
        ("/bin/sh", "-c", 'cat; sleep 1; rm -rf "$1"', "sh", folder),
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    GUARDS.append(waits)  # its input ends with us
    return folder


def run(command: Sequence[str], data: bytes = b"", *, folder: str | None = None) -> bytes:
    """Run *command* in a UTF-8 locale with *data* on its standard input; return its output and its error output."""
    return subprocess.run(  # noqa: S603
        command,
        input=data,
        cwd=folder,
        env=os.environ | {"LC_ALL": "C.UTF-8"},
        timeout=SECONDS,
        check=False,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    ).stdout


def batches(cases: Iterator[bytes]) -> Iterator[list[bytes]]:
    """Yield *cases* in lists that one run can take."""
    batch: list[bytes] = []
    size = 0
    for case in cases:
        if batch and (len(batch) == MAX_CASES or size + len(case) > MAX_BYTES):
            yield batch
            batch, size = [], 0
        batch.append(case)
        size += len(case)
    if batch:
        yield batch


def answer(decoder: BatchDecoder, mode: str, cases: list[bytes]) -> bytes:
    """Return the answers to *cases*, as the protocol wants them in *mode*."""
    if mode == "v":
        verdicts = decoder.judge(cases)
        assert len(verdicts) == len(cases)
        return verdicts
    texts: list[bytes | None] = decoder.replace(cases)  # type: ignore[attr-defined]
    assert len(texts) == len(cases)
    return b"".join(UNJUDGED.to_bytes(4, "little") if text is None else frame(text) for text in texts)


def serve(decoder: BatchDecoder, name: str, reads: int, writes: int) -> None:
    """Say hello on descriptor *writes*, then answer the frames that come on *reads* until they end."""
    modes = "v,r" if hasattr(decoder, "replace") else "v"
    os.write(writes, f"utf8-abnf 1 modes={modes} name={name} version='{decoder.version}'\n".encode())
    pending, mode = b"", ""
    while data := os.read(reads, READ):
        pending += data
        if not mode:
            line, newline, rest = pending.partition(b"\n")
            if not newline:
                continue
            mode, pending = line.decode().strip(), rest
        complete = whole_frames(pending)
        for batch in batches(unframe(pending[:complete])):
            answers = answer(decoder, mode, batch)
            while answers:
                answers = answers[os.write(writes, answers) :]
        pending = pending[complete:]


def main() -> int:
    """Serve the decoder named on the command line."""
    name = sys.argv[1]
    # Whatever the decoder prints goes to stderr: stdout belongs to the protocol.
    writes = os.dup(1)
    os.dup2(2, 1)
    decoder = Control() if name == "control" else load(name)()
    serve(decoder, name.rpartition(":")[2], 0, writes)
    return 0


if __name__ == "__main__":
    sys.exit(main())
