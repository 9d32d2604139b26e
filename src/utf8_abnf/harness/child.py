"""The child process of a ``py:`` target: speaks the stream protocol for a Python function, so that its crash is its own.

Started as ``python -m utf8_abnf.harness.child py MODULE:NAME``.
"""

from __future__ import annotations

import os
import sys
from importlib import import_module
from typing import Any

from utf8_abnf.errors import TargetError
from utf8_abnf.harness.answering import Answering
from utf8_abnf.harness.protocol import unframe

READ = 1 << 20


def load(path: str) -> Any:
    """Return what *path*, ``module:name`` or ``module:name.attribute``, names; TargetError when there is no such thing."""
    module, _, names = path.partition(":")
    if not module or not names:
        raise TargetError(f"a Python target is written py:MODULE:NAME, not py:{path}")
    try:
        found = import_module(module)
        for name in names.split("."):
            found = getattr(found, name)
    except Exception as error:  # noqa: BLE001 - importing somebody's module can raise anything
        raise TargetError(f"cannot load {path}: {type(error).__name__}: {error}") from None
    return found


def serve(answering: Answering, name: str, version: str, reads: int, writes: int) -> None:
    """Say hello on descriptor *writes*, then answer the frames that come on *reads* until they end."""
    os.write(writes, f"utf8-abnf 1 modes={','.join(answering.modes)} name={name} version={version}\n".encode())
    pending = b""
    while b"\n" not in pending:
        data = os.read(reads, READ)
        if not data:
            return
        pending += data
    line, _, pending = pending.partition(b"\n")
    mode = line.decode().strip()
    while True:
        complete = whole_frames(pending)
        if complete:
            answers = b"".join(answering.answer(mode, data) for data in unframe(pending[:complete]))
            pending = pending[complete:]
            while answers:
                answers = answers[os.write(writes, answers) :]
        data = os.read(reads, READ)
        if not data:
            return
        pending += data


def whole_frames(pending: bytes) -> int:
    """Return how many bytes of *pending* are complete frames."""
    at, end = 0, len(pending)
    while at + 4 <= end:
        next_at = at + 4 + int.from_bytes(pending[at : at + 4], "little")
        if next_at > end:
            break
        at = next_at
    return at


def main() -> int:
    """Serve the target named on the command line; 2 with a message on stderr when there is no such target."""
    kind, path = sys.argv[1:3]
    # Whatever the decoder prints goes to stderr: stdout belongs to the protocol.
    writes = os.dup(1)
    os.dup2(2, 1)
    try:
        assert kind == "py"
        answering = Answering(load(path))
    except TargetError as error:
        print(error, file=sys.stderr)
        return 2
    serve(answering, path, sys.version.split()[0], 0, writes)
    return 0


if __name__ == "__main__":
    sys.exit(main())
