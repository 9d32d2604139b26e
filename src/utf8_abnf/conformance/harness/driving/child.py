"""The child process of a ``py:`` or ``lib:`` target: speaks the stream protocol for a function, and may crash with it.

Started as ``python -m`` and this module, then ``py MODULE:NAME [SECONDS PROBE...]`` or ``lib PATH:SYMBOL``; in so
many seconds it may ask the decoder, before the first case, how it says yes and no. A probe is an input in hex, behind
``+`` where it is right and ``-`` where it is wrong; without any, the probes are UTF-8's.
"""

from __future__ import annotations

import ctypes
import inspect
import os
import shlex
import sys
from functools import partial
from importlib import import_module
from types import FunctionType
from typing import TYPE_CHECKING, Any

from utf8_abnf.conformance.framing import size_at, unframe
from utf8_abnf.conformance.harness.driving.answering import Answering
from utf8_abnf.conformance.harness.driving.habit import PROBES, Seen, seen_apart
from utf8_abnf.conformance.harness.driving.protocol import HELLO, UNCLEAR, UNDERSTOOD
from utf8_abnf.errors import TargetError, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable

READ = 1 << 20
SECONDS_TO_ASK = 2.0


def load(path: str) -> Any:
    """Return what *path*, ``module:name`` or ``module:name.attribute``, names; TargetError if it cannot be imported."""
    module, _, names = path.partition(":")
    if not module or not names:
        raise TargetError(f"a Python target is written py:MODULE:NAME, not py:{path}")
    try:
        found = import_module(module)
        for name in names.split("."):
            found = _member(found, name)
    except Exception as error:
        raise TargetError(f"cannot load {path}: {type(error).__name__}: {error}") from None
    return found


def _member(owner: Any, name: str) -> Any:
    """Return the attribute *name* of *owner*; a method of a class is bound to an object of that class."""
    if isinstance(owner, type) and isinstance(inspect.getattr_static(owner, name, None), FunctionType):
        owner = owner()
    return getattr(owner, name)


def load_function(path: str, symbol: str) -> Any:
    """Return the C function *symbol* of the library *path*; TargetError when it cannot be loaded."""
    try:
        function = getattr(ctypes.CDLL(path), symbol)
    except OSError as error:
        raise TargetError(f"cannot load {path}: {error}") from None
    except AttributeError:
        raise TargetError(f"{path} has no symbol {symbol}") from None
    function.restype = ctypes.c_int
    function.argtypes = [ctypes.c_char_p, ctypes.c_size_t]
    return function


def _answering_of_library(path: str, ask: Callable[[Any], list[Seen]]) -> Answering:
    """Return how the C function PATH:SYMBOL answers: 0 refuses, all else accepts, and nothing else has to be found."""
    function = load_function(*path.rpartition(":")[::2])

    def called(data: bytes) -> int:
        # A tail byte follows the data: a decoder that reads past the end then accepts a cut character.
        return int(function(data + b"\x80", len(data)))

    def seen(_: object) -> list[Seen]:
        return [each._replace(told=each.returned and bool(each.told)) for each in ask(called)]

    answering = Answering(lambda data: bool(called(data)), seen)
    answering.understood = ""
    return answering


def serve(answering: Answering, name: str, version: str, reads: int, writes: int) -> None:
    """Say hello on descriptor *writes*, then answer the frames that come on descriptor *reads* until it ends."""
    about = {"name": name, "version": version, UNDERSTOOD: answering.understood}
    facts = " ".join(f"{key}={shlex.quote(value)}" for key, value in about.items() if value)
    os.write(writes, f"utf8-abnf 1 modes={','.join(answering.modes)} {facts}\n".encode())
    pending = bytearray()  # which grows in place, unlike bytes: a frame may need hundreds of reads
    while b"\n" not in pending:
        data = os.read(reads, READ)
        if not data:
            return
        pending += data
    line, _, pending = pending.partition(b"\n")
    answer = answering.in_mode(line.decode().strip())
    while True:
        complete = whole_frames(pending)
        if complete:
            answers = b"".join(map(answer, unframe(bytes(pending[:complete]))))
            del pending[:complete]
            while answers:
                answers = answers[os.write(writes, answers) :]
        data = os.read(reads, READ)
        if not data:
            return
        pending += data


def whole_frames(pending: bytes | bytearray) -> int:
    """Return how many bytes of *pending* are complete frames."""
    at, end = 0, len(pending)
    while at + 4 <= end:
        next_at = at + 4 + size_at(pending, at)[0]
        if next_at > end:
            break
        at = next_at
    return at


def main() -> int:
    """Serve the target named on the command line; 2 with a message on stderr when there is no such target."""
    kind, path, *more = sys.argv[1:]
    seconds = more[0] if more else SECONDS_TO_ASK
    probes = tuple((bytes.fromhex(word[1:]), word[0] == "+") for word in more[1:]) or PROBES
    version = sys.version.split()[0] if kind == "py" else ""
    # What the decoder prints goes to stderr: stdout belongs to the protocol.
    writes = os.dup(1)
    os.dup2(2, 1)
    try:
        ask = partial(seen_apart, seconds=float(seconds), probes=probes)
        if kind == "lib":
            answering = _answering_of_library(path, ask)
        else:
            decoder = load(path)
            version = str(getattr(decoder, "version", version))
            answering = Answering(decoder, ask)
    except UsageError as error:
        os.write(writes, f"{HELLO} {UNCLEAR}={shlex.quote(ascii(str(error))[1:-1])}\n".encode())
        return 0
    except TargetError as error:
        print(error, file=sys.stderr)
        return 2
    serve(answering, path, version, 0, writes)
    return 0


if __name__ == "__main__":
    sys.exit(main())
