"""Opening a target: what a user writes (``stream:./decoder``, a Python function) in, a ``Target`` out."""

from __future__ import annotations

import json
import shlex
import shutil
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from utf8_abnf.conformance.harness.driving.answering import Answering
from utf8_abnf.conformance.harness.driving.child import SECONDS_TO_ASK
from utf8_abnf.conformance.harness.driving.habit import PROBES, Probes, observe
from utf8_abnf.conformance.harness.driving.process import import_path
from utf8_abnf.conformance.harness.driving.protocol import UNCLEAR
from utf8_abnf.conformance.harness.driving.statuses import Statuses, found, given
from utf8_abnf.conformance.harness.driving.target import Target, expression, octal
from utf8_abnf.conformance.harness.driving.worker import ExecWorker, LocalWorker, StreamWorker
from utf8_abnf.conformance.harness.known import find
from utf8_abnf.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from utf8_abnf.conformance.harness.driving.worker import Limits

KINDS = "py:MODULE:NAME, lib:PATH:SYMBOL, stream:COMMAND, exec:COMMAND, known:NAME"


def open_target(
    target: str | Target | Any,
    *,
    rows: Iterable[str] = (),
    accept: Sequence[int] = (),
    reject: Sequence[int] = (),
    probes: Probes = PROBES,
) -> Target:
    """Return the Target for *target*: a string like one of ``KINDS``, or a Python object; UsageError for anything else.

    *rows* are paths of rows files, in which ``known:NAME`` is looked up as well. *accept* and *reject* are exit
    statuses of an ``exec:`` target; without them the target is asked what it does, see ``statuses``. *probes* are what
    a function is asked to find out how it says yes and no; without any, UTF-8's.

    >>> open_target("exec:isutf8 -q").kind
    'exec'
    """
    if isinstance(target, Target):
        return target
    if not isinstance(target, str):
        return _python_object(target, probes)
    kind, colon, rest = target.partition(":")
    statuses = given(accept, reject)
    if statuses and kind != "exec":
        raise UsageError(f"{target!r} has no exit statuses to accept or reject with: they are for exec:COMMAND")
    makers: dict[str, Callable[[], Target]] = {
        "py": lambda: _python(target, rest, probes),
        "lib": lambda: _library(target, rest, probes),
        "stream": lambda: Target(target, "stream", partial(StreamWorker, _words_of(rest))),
        "exec": lambda: _exec(target, rest, statuses),
        "known": lambda: find(rest, rows).target(),
    }
    if not colon or kind not in makers:
        raise UsageError(f"{target!r} is not a valid target; use one of {KINDS}")
    if not rest.strip():
        raise UsageError(f"{target!r} does not name a decoder; use one of {KINDS}")
    return makers[kind]()


def _words_of(text: str) -> list[str]:
    """Return the words of the command *text*; UsageError when it is empty or a quote is not closed."""
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise UsageError(f"cannot split the command {text!r} into words: {error}") from None
    if not words:
        raise UsageError("the command is empty")
    return [shutil.which(words[0]) or words[0], *words[1:]]


def _exec(spec: str, rest: str, statuses: Statuses | None) -> Target:
    command = _words_of(rest)

    def start(limits: Limits) -> ExecWorker:
        says = statuses or found(command, limits.silence)
        return ExecWorker(command, limits, says.verdicts, understood=says.words)

    return Target(spec, "exec", start, lambda data: f"printf {octal(data)} | {rest}; echo $?", expensive=True)


def _python(spec: str, rest: str, probes: Probes) -> Target:
    module, _, name = rest.partition(":")
    if not module or not name:
        raise UsageError(f"{spec!r}: a Python target is written py:MODULE:NAME")
    start = partial(_start_child, spec, "py", rest, probes)
    return Target(spec, "py", start, name=rest, version=sys.version.split()[0])


def _start_child(spec: str, kind: str, path: str, probes: Probes, limits: Limits) -> StreamWorker:
    module = "utf8_abnf.conformance.harness.driving.child"
    seconds = min(SECONDS_TO_ASK, limits.start / 3)
    command = [sys.executable, "-m", module, kind, path, str(seconds)]
    if probes != PROBES:
        command += [f"{'+' if good else '-'}{data.hex()}" for data, good in probes]
    worker = StreamWorker(command, limits, import_path())
    if reason := worker.hello.more.get(UNCLEAR):
        worker.close()
        raise UsageError(f"{spec}: {reason}")
    return worker


def _library(spec: str, rest: str, probes: Probes) -> Target:
    path, colon, symbol = rest.rpartition(":")
    if not colon or not path or not symbol:
        raise UsageError(f"{spec!r}: a C function is written lib:PATH:SYMBOL")
    if not Path(path).is_file():
        raise UsageError(f"{spec!r}: there is no file {path}")
    path = str(Path(path).resolve())

    def reproduce(data: bytes) -> str:
        call = f"print(ctypes.CDLL({json.dumps(path)}).{symbol}(d, ctypes.c_size_t(len(d))))"
        return f"{Path(sys.executable).name} -c {shlex.quote(f'import ctypes; d = {expression(data)}; {call}')}"

    return Target(
        spec,
        "lib",
        partial(_start_child, spec, "lib", f"{path}:{symbol}", probes),
        reproduce,
        name=f"{symbol} in {Path(path).name}",
        library=(path, symbol),
    )


def _python_object(decoder: Any, probes: Probes) -> Target:
    answering = Answering(decoder, lambda function: list(observe(function, SECONDS_TO_ASK, probes or PROBES)))
    name = getattr(decoder, "__qualname__", type(decoder).__qualname__)
    module = getattr(decoder, "__module__", "")
    owner = name + "()" * isinstance(decoder, type)
    call = f"{owner}.{answering.method}" if answering.method else name

    feeding = "s.feed({!r}); s.finish()"
    by_hand = {"feed": f"s = {owner}; {feeding}", "stream": f"s = {owner}.stream(); {feeding}"}

    return Target(
        f"{module}.{name}" if module else name,
        "object",
        lambda _: LocalWorker(answering, name),
        lambda data: by_hand.get(answering.method, f"{call}({{!r}})").format(data),
        name,
        sys.version.split()[0],
    )
