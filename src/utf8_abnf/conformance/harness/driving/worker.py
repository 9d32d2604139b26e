"""Workers: running decoders of three kinds, each of which takes a window of cases and returns answers or a Failure."""

from __future__ import annotations

import contextlib
import os
import select
import subprocess
import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Protocol

from utf8_abnf.conformance.harness.driving import protocol
from utf8_abnf.conformance.harness.driving.process import (
    Child,
    Patience,
    describe_exit,
    kill_group,
    printable,
    resident,
    spawn,
)
from utf8_abnf.conformance.suite.framing import frame, unframe
from utf8_abnf.errors import TargetError
from utf8_abnf.language.notation import hex_bytes

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from utf8_abnf.conformance.harness.driving.answering import Answering

PROBE, PROBE_SECONDS = b"a", 1.0  # what a decoder is asked to see whether it hangs, and the time for an answer
SECONDS_TO_LOOK = 0.25  # at a process that runs: whether it is still waited for, and how much memory it has
LOOK_AFTER = 16  # answers of a Python object, at the clock: that takes as long as an answer
AHEAD = 16  # cases that are started, or wait for a free process, before the first of them is answered

# The kinds of failures: what a decoder may do instead of answering.
CRASH, HANG, MISSING, GARBAGE, EXCESS_OUTPUT = "crash", "hang", "missing", "garbage", "excess_output"


Overdue = Callable[[int], bool]


def never(_done: int) -> bool:
    """Let a decoder answer for as long as it takes."""
    return False


@dataclass(frozen=True, slots=True)
class Failure:
    """A decoder that did not answer: *kind* is crash, hang, missing, garbage or excess_output, *detail* says how.

    *early* marks output that came before anything was asked: its cause is a case that has been answered already.
    *question* is the number of the question, from 1, at which its process failed, 0 where that is not known.
    """

    kind: str
    detail: str
    early: bool = False
    question: int = 0


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits for a decoder: seconds without an answer, seconds until its hello, bytes of memory, processes at once."""

    silence: float = 5.0
    start: float = 30.0
    memory: int = 2 << 30
    jobs: int = 0  # for ``exec:`` only; 0 means one process for each core


@dataclass(frozen=True, slots=True)
class Window:
    """Cases that are sent together: their frames, their number and, in modes s and i, the steps of each."""

    frames: bytes
    count: int
    chunks: tuple[int, ...] = ()
    expected: bytes = b""  # the bytes of the answers if all of them are right

    def answers(self, mode: str) -> protocol.Answers:
        """Return an empty ``Answers``, to be fed with what the decoder writes."""
        return protocol.Answers(mode, self.count, self.chunks, self.expected, len(self.frames))


@dataclass(slots=True)
class Reply:
    """What ``Worker.ask`` returns: the answers that came, and the failure after which no more came.

    Without a failure answers are missing only if it was time to stop.
    """

    answers: protocol.Answers
    failure: Failure | None = None


class Worker(Protocol):
    """A running decoder. *hello* is what it declares.

    *exact*: the first case without an answer is the one that failed, and the worker can be asked again. Otherwise
    answers may have been lost in the decoder's own buffers, and after a failure another worker has to be started.
    *lasts*: one process answers several questions.
    """

    hello: protocol.Hello
    exact: bool
    lasts: bool

    def ask(self, window: Window, mode: str, *, grace: float = 0.0, overdue: Overdue = never) -> Reply:
        """Return the answers to *window*; afterwards wait *grace* seconds for excess output.

        *overdue* is told now and then how many answers have come; when it returns True, no more are waited for. Then
        a decoder that is silent is not said to hang.
        """

    def finish(self) -> Failure | None:
        """Tell the decoder that no more cases come; return the failure that it still causes."""

    def close(self) -> None:
        """End it at once."""


class StreamWorker:
    """A child that speaks the stream protocol. A process answers in one mode: for another mode a new one is started."""

    exact, lasts = False, True

    def __init__(self, command: Sequence[str], limits: Limits, env: Mapping[str, str] | None = None) -> None:
        self._command = command
        self._limits = limits
        self._env = env
        self._mode = ""
        self._rest = b""
        self._listened = False  # whether it writes without being asked
        self._child = Child(command, env=env, memory=limits.memory)
        try:
            self.hello = self._read_hello()
        except BaseException:  # Ctrl-C too: nobody else knows of the child yet
            self._child.close()
            raise

    def _read_hello(self) -> protocol.Hello:
        line = b""
        deadline = time.monotonic() + self._limits.start
        while b"\n" not in line and len(line) <= protocol.MAX_HELLO:
            data = self._child.receive(max(0.0, deadline - time.monotonic()))
            if data is None:
                said = f"wrote {line[:40]!a} and no line end in" if line else "said nothing for"
                raise TargetError(
                    f"{self._command[0]} {said} {self._limits.start:g} s; its first line must be like "
                    f"{protocol.HELLO!r}, flushed before it reads{self._child.last_words()}"
                )
            if not data:
                raise TargetError(f"{self._command[0]} {self._child.exit_reason()} before it said hello")
            line += data
        line, _, self._rest = line.partition(b"\n")
        return protocol.parse_hello(line[: protocol.MAX_HELLO])

    def ask(self, window: Window, mode: str, *, grace: float = 0.0, overdue: Overdue = never) -> Reply:
        """Return the answers to *window*, and the failure of the first case that has none."""
        if self._mode != mode:
            self._choose(mode)
        answers = window.answers(mode)
        reply = Reply(answers)
        if early := self._rest or self._receive(0.0 if self._listened else grace):
            return Reply(answers, Failure(EXCESS_OUTPUT, f"wrote {len(early)} bytes before it was asked", early=True))
        self._child.send(window.frames)
        began = time.monotonic()
        received = 0
        try:
            while not answers.complete:
                data = self._receive(self._limits.silence, lambda: overdue(answers.done))
                if data is None:
                    if not overdue(answers.done):
                        reply.failure = self._silence(window, mode, answers)
                    return reply
                if not data:
                    reply.failure = Failure(CRASH, self._child.exit_reason())
                    return reply
                received += len(data)
                answers.feed(data)
                if overdue(answers.done):
                    return reply
        except protocol.Garbage as garbage:
            too_much = mode == "v" and received > window.count
            more = f" ({received} bytes for {window.count} case{'s' * (window.count > 1)})" if too_much else ""
            reply.failure = Failure(EXCESS_OUTPUT if too_much else GARBAGE, f"{garbage}{more}")
            return reply
        if not self._listened:  # what one writes that never stops may come when it is asked, and pass for slow answers
            self._listened = True
            grace = max(grace, min(4 * (time.monotonic() - began) / window.count, self._limits.silence))
        if excess := answers.excess or (self._receive(grace) if grace else b""):
            more = f"{hex_bytes(excess[:8])}{' ...' if len(excess) > 8 else ''}"
            reply.failure = Failure(EXCESS_OUTPUT, f"wrote {len(excess)} bytes more than it was asked for: {more}")
        return reply

    def _silence(self, window: Window, mode: str, answers: protocol.Answers) -> Failure:
        """Return the failure of a child that was silent for too long.

        In mode v one more is asked: a child that answers once then has lost an answer, and does not hang.
        """
        silence = f"gave no answer for {self._limits.silence:g} s"
        last_words = self._child.last_words()
        if mode == "v":
            self._child.send(frame(PROBE))
            found = self._receive(PROBE_SECONDS) or b""
            found += (self._receive(PROBE_SECONDS) or b"") if found else b""
            if len(found) == 1:
                few = f" ({answers.done:,} answers for {window.count:,} cases)" if window.count > 1 else ""
                return Failure(MISSING, f"{silence}{few}, and answered what it was asked next{last_words}")
        begun = answers.begun
        after = f", after {hex_bytes(begun[:8])}{' ...' * (len(begun) > 8)} of one" if begun else ""
        return Failure(HANG, f"{silence}{after}{last_words}")

    def _receive(self, seconds: float, is_overdue: Callable[[], bool] = lambda: False) -> bytes | None:
        if not self._child.stdin_closed:
            return self._child.receive(seconds, is_overdue)
        data = self._child.receive(min(seconds, 1.0))
        return b"" if data is None and seconds else data  # it has closed its input: it will not answer any more

    def _choose(self, mode: str) -> None:
        if self._mode:
            self._child.close()
            self._child = Child(self._command, env=self._env, memory=self._limits.memory)
            self._read_hello()
        self._mode = mode
        self._child.send(mode.encode() + b"\n")

    def finish(self) -> Failure | None:
        """Close the child's input; return a Failure if it then writes more."""
        self._child.end_input()
        data = self._child.receive(min(1.0, self._limits.silence))
        return Failure(EXCESS_OUTPUT, f"wrote {len(data)} bytes after its last answer") if data else None

    def close(self) -> None:
        """Kill the child and the processes that it forked."""
        self._child.close()


class ExecWorker:
    """One process for each case, with the bytes on standard input. The exit status is the verdict; others are crashes.

    *statuses* maps exit statuses to answers; without it 0 accepts and 1 rejects. *cancelled* is called again and again
    while a process runs; what it raises ends the process and comes out of ``ask``.
    """

    exact, lasts = True, False

    def __init__(
        self,
        command: Sequence[str],
        limits: Limits,
        statuses: Mapping[int, bytes] | None = None,
        env: Mapping[str, str] | None = None,
        cancelled: Callable[[], None] = lambda: None,
    ) -> None:
        self.hello = protocol.Hello(("v",))
        self._cancelled = cancelled
        self._command = command
        self._env = env
        self._limits = limits
        self._statuses = statuses or {0: protocol.ACCEPT, 1: protocol.REJECT}
        self._pool = ThreadPoolExecutor(limits.jobs or os.cpu_count() or 1)
        kill_group(spawn(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))

    def ask(self, window: Window, mode: str, *, grace: float = 0.0, overdue: Overdue = never) -> Reply:
        """Return the answers to *window*, up to the first case whose process crashed or hung."""
        answers = window.answers(mode)
        data = unframe(window.frames)
        is_over = threading.Event()
        ahead = deque(self._pool.submit(self._one, each, is_over) for each in islice(data, AHEAD))
        del grace
        try:
            while ahead:
                future = ahead.popleft()
                while not wait([future], SECONDS_TO_LOOK).done:
                    if overdue(answers.done):
                        return Reply(answers)
                outcome = future.result()
                failure = outcome if isinstance(outcome, Failure) else None
                if isinstance(outcome, bytes):
                    answers.feed(outcome)
                if failure or overdue(answers.done):
                    return Reply(answers, failure)
                ahead.extend(self._pool.submit(self._one, each, is_over) for each in islice(data, 1))
        finally:
            is_over.set()
            for future in ahead:
                future.cancel()
        return Reply(answers)

    def _one(self, data: bytes, is_over: threading.Event) -> bytes | Failure:
        null = subprocess.DEVNULL
        process = spawn(self._command, env=self._env, stdin=subprocess.PIPE, stdout=null, stderr=null)
        assert process.stdin is not None
        try:
            # It may answer, or crash, before it has read everything.
            with contextlib.suppress(OSError), process.stdin:
                write_all(process.stdin.fileno(), data, self._limits.silence)
            reason = _wait(process, self._limits, self._cancelled, is_over)
        finally:
            kill_group(process)
        if reason:
            return reason
        verdict = self._statuses.get(process.returncode)
        return verdict or Failure(CRASH, describe_exit(process.returncode))

    def finish(self) -> None:
        """Return None: every process has ended."""

    def close(self) -> None:
        """End the threads."""
        self._pool.shutdown(cancel_futures=True)


def write_all(descriptor: int, data: bytes, seconds: float) -> None:
    """Write *data* to a pipe; give up when nothing can be written for so many *seconds*."""
    if len(data) <= 4096:  # PIPE_BUF: an empty pipe takes it without waiting
        os.write(descriptor, data)
        return
    os.set_blocking(descriptor, False)
    view = memoryview(data)
    while view and select.select([], [descriptor], [], seconds)[1]:
        view = view[os.write(descriptor, view) :]


def _wait(
    process: subprocess.Popen[bytes], limits: Limits, cancelled: Callable[[], None], is_over: threading.Event
) -> Failure | None:
    """Wait for *process*, or until it *is_over*; return a Failure when it takes too long or too much memory.

    *cancelled* may raise.
    """
    patience, left = Patience(process.pid, limits.silence), limits.silence
    while left > 0 and not is_over.is_set():
        cancelled()
        if _ended_within(process, tick := min(left, SECONDS_TO_LOOK)):
            return None
        if limits.memory and resident(process.pid) > limits.memory:
            return Failure(CRASH, f"was killed: it used more than {limits.memory >> 20} MiB of memory")
        left = patience.after(tick)
    return Failure(HANG, f"did not end within {limits.silence:g} s")


def _ended_within(process: subprocess.Popen[bytes], seconds: float) -> bool:
    if hasattr(os, "pidfd_open"):  # at once; Popen.wait polls, and may be 50 ms late
        descriptor = os.pidfd_open(process.pid)
        try:
            poll = select.poll()
            poll.register(descriptor, select.POLLIN)
            return bool(poll.poll(seconds * 1000))
        finally:
            os.close(descriptor)
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        return False
    return True


class LocalWorker:
    """A Python object that is called in our own process: fast, but its crash would be ours."""

    exact, lasts = True, True

    def __init__(self, answering: Answering, name: str) -> None:
        self.hello = protocol.Hello(answering.modes, name)
        self._in_mode: Callable[[str], Callable[[bytes], bytes]] = answering.in_mode

    def ask(self, window: Window, mode: str, *, grace: float = 0.0, overdue: Overdue = never) -> Reply:
        """Return the answers to *window*; every exception except ValueError is a crash."""
        answers, answer = window.answers(mode), self._in_mode(mode)
        del grace
        for data in unframe(window.frames):
            try:
                answers.feed(answer(data))
            except Exception as error:
                return Reply(answers, Failure(CRASH, printable(f"raised {type(error).__name__}: {error}"[:300])))
            if answers.done % LOOK_AFTER == 0 and overdue(answers.done):
                break
        return Reply(answers)

    def finish(self) -> None:
        """Return None: there is nothing to end."""

    def close(self) -> None:
        """Do nothing: there is no process to end."""
