"""Decoders at work: each kind of worker takes a window of cases and gives back answers, and what went wrong."""

from __future__ import annotations

import contextlib
import os
import select
import subprocess
import time
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Protocol

from utf8_abnf.errors import TargetError
from utf8_abnf.harness import protocol
from utf8_abnf.harness.process import Child, describe_exit, kill_group, printable, resident, spawn

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from utf8_abnf.harness.answering import Answering

AHEAD = 16  # cases that wait for a free process

# Four things that are not an answer.
CRASH, HANG, GARBAGE, EXCESS_OUTPUT = "crash", "hang", "garbage", "excess_output"


@dataclass(frozen=True, slots=True)
class Failure:
    """A decoder that did not answer: *kind* is crash, hang, garbage or excess_output, *detail* says how.

    *early* marks output that came before anything was asked: its cause is a case that has been answered already.
    """

    kind: str
    detail: str
    early: bool = False


@dataclass(frozen=True, slots=True)
class Limits:
    """How long and how big a decoder may be. Seconds without an answer, seconds to say hello, bytes of memory."""

    silence: float = 5.0
    start: float = 30.0
    memory: int = 2 << 30
    jobs: int = 0  # processes at once where each case has its own; 0 means one for each core


@dataclass(frozen=True, slots=True)
class Window:
    """Cases asked at one go: their frames, how many they are and, in mode s, how many chunks each has."""

    frames: bytes
    count: int
    chunks: tuple[int, ...] = ()
    expected: bytes = b""  # the answers, if all of them are right

    def answers(self, mode: str) -> protocol.Answers:
        """Return the empty form that a decoder's answers fill in."""
        return protocol.Answers(mode, self.count, self.chunks, self.expected)


@dataclass(slots=True)
class Reply:
    """What ``Worker.ask`` gives: the answers that came, and the failure that ended them, if one did."""

    answers: protocol.Answers
    failure: Failure | None = None


class Worker(Protocol):
    """A running decoder. *hello* is what it declares.

    *exact* tells that the first case without an answer is the one that failed, and that the worker lives on. Otherwise
    answers may have been lost in the decoder's own buffers, and after a failure another one has to be started.
    """

    hello: protocol.Hello
    exact: bool

    def ask(self, window: Window, mode: str, *, grace: float = 0.0) -> Reply:
        """Return the answers to *window*; *grace* is how many seconds to wait for output that nobody asked for."""

    def finish(self) -> Failure | None:
        """Tell the decoder that no more cases come, and return what it still did wrong."""

    def close(self) -> None:
        """End it, now."""


class StreamWorker:
    """A child that speaks the stream protocol. Each process has one mode: for another mode there is another process."""

    exact = False

    def __init__(self, command: Sequence[str], limits: Limits, env: Mapping[str, str] | None = None) -> None:
        self._command = command
        self._limits = limits
        self._env = env
        self._mode = ""
        self._rest = b""
        self._child = Child(command, env=env, memory=limits.memory)
        try:
            self.hello = self._read_hello()
        except TargetError:
            self._child.close()
            raise

    def _read_hello(self) -> protocol.Hello:
        line = b""
        deadline = time.monotonic() + self._limits.start
        while b"\n" not in line and len(line) <= protocol.MAX_HELLO:
            data = self._child.receive(max(0.0, deadline - time.monotonic()))
            if data is None:
                raise TargetError(
                    f"{self._command[0]} said nothing for {self._limits.start:g} s; its first line must be like "
                    f"{protocol.HELLO!r}, flushed before it reads{self._child.last_words()}"
                )
            if not data:
                raise TargetError(f"{self._command[0]} {self._child.exit_reason()} before it said hello")
            line += data
        line, _, self._rest = line.partition(b"\n")
        return protocol.parse_hello(line[: protocol.MAX_HELLO])

    def ask(self, window: Window, mode: str, *, grace: float = 0.0) -> Reply:
        """Return the answers to *window*; the failure is that of the first case that has no answer."""
        if self._mode != mode:
            self._choose(mode)
        answers = window.answers(mode)
        reply = Reply(answers)
        if early := self._rest or self._receive(0.0):
            return Reply(answers, Failure(EXCESS_OUTPUT, f"wrote {len(early)} bytes before it was asked", early=True))
        self._child.send(window.frames)
        received = 0
        try:
            while not answers.complete:
                data = self._receive(self._limits.silence)
                if data is None:
                    reply.failure = Failure(
                        HANG, f"gave no answer for {self._limits.silence:g} s{self._child.last_words()}"
                    )
                    return reply
                if not data:
                    reply.failure = Failure(CRASH, self._child.exit_reason())
                    return reply
                received += len(data)
                answers.feed(data)
        except protocol.Garbage as garbage:
            too_much = mode == "v" and received > window.count
            more = f" ({received} bytes for {window.count} case{'s' * (window.count > 1)})" if too_much else ""
            reply.failure = Failure(EXCESS_OUTPUT if too_much else GARBAGE, f"{garbage}{more}")
            return reply
        if excess := answers.excess or (self._receive(grace) if grace else b""):
            more = f"{excess[:8].hex(' ').upper()}{' ...' if len(excess) > 8 else ''}"
            reply.failure = Failure(EXCESS_OUTPUT, f"wrote {len(excess)} bytes more than it was asked for: {more}")
        return reply

    def _receive(self, seconds: float) -> bytes | None:
        if not self._child.stdin_closed:
            return self._child.receive(seconds)
        data = self._child.receive(min(seconds, 1.0))
        return b"" if data is None and seconds else data  # it closed its input: nothing more to wait for

    def _choose(self, mode: str) -> None:
        if self._mode:
            self._child.close()
            self._child = Child(self._command, env=self._env, memory=self._limits.memory)
            self._read_hello()
        self._mode = mode
        self._child.send(mode.encode() + b"\n")

    def finish(self) -> Failure | None:
        """Close the child's input and say whether it then wrote more."""
        self._child.end_input()
        data = self._child.receive(min(1.0, self._limits.silence))
        return Failure(EXCESS_OUTPUT, f"wrote {len(data)} bytes after its last answer") if data else None

    def close(self) -> None:
        """Kill the child and all it forked."""
        self._child.close()


class ExecWorker:
    """One process for each case: bytes on standard input, exit status 0 accepts, 1 rejects, all else is a crash."""

    exact = True

    def __init__(
        self,
        command: Sequence[str],
        limits: Limits,
        statuses: Mapping[int, bytes] | None = None,
        env: Mapping[str, str] | None = None,
    ) -> None:
        self.hello = protocol.Hello(("v",))
        self._command = command
        self._env = env
        self._limits = limits
        self._statuses = statuses or {0: protocol.ACCEPT, 1: protocol.REJECT}
        self._pool = ThreadPoolExecutor(limits.jobs or os.cpu_count() or 1)
        kill_group(spawn(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))

    def ask(self, window: Window, mode: str, *, grace: float = 0.0) -> Reply:
        """Return the answers to *window*, up to the first case whose process crashed or hung."""
        answers = window.answers(mode)
        data = protocol.unframe(window.frames)
        ahead = deque(self._pool.submit(self._one, each) for each in islice(data, AHEAD))
        del grace
        while ahead:
            outcome = ahead.popleft().result()
            if isinstance(outcome, Failure):
                for future in ahead:
                    future.cancel()
                return Reply(answers, outcome)
            answers.feed(outcome)
            ahead.extend(self._pool.submit(self._one, each) for each in islice(data, 1))
        return Reply(answers)

    def _one(self, data: bytes) -> bytes | Failure:
        null = subprocess.DEVNULL
        process = spawn(self._command, env=self._env, stdin=subprocess.PIPE, stdout=null, stderr=null)
        assert process.stdin is not None
        try:
            # It may decide, or die, before it has read everything.
            with contextlib.suppress(OSError), process.stdin:
                write_all(process.stdin.fileno(), data, self._limits.silence)
            reason = _wait(process, self._limits)
        finally:
            kill_group(process)
        if reason:
            return reason
        verdict = self._statuses.get(process.returncode)
        return verdict or Failure(CRASH, describe_exit(process.returncode))

    def finish(self) -> None:
        """Nothing is left to do: every process has ended."""

    def close(self) -> None:
        """Give the threads back."""
        self._pool.shutdown(cancel_futures=True)


def write_all(descriptor: int, data: bytes, seconds: float) -> None:
    if len(data) <= 4096:  # PIPE_BUF and more: an empty pipe takes it without waiting
        os.write(descriptor, data)
        return
    os.set_blocking(descriptor, False)
    view = memoryview(data)
    while view and select.select([], [descriptor], [], seconds)[1]:
        view = view[os.write(descriptor, view) :]


def _wait(process: subprocess.Popen[bytes], limits: Limits) -> Failure | None:
    """Wait for *process*; a Failure when it takes too long or grows too big."""
    deadline = time.monotonic() + limits.silence
    while (left := deadline - time.monotonic()) > 0:
        if _ended_within(process, min(left, 0.25)):
            return None
        if limits.memory and resident(process.pid) > limits.memory:
            return Failure(CRASH, f"was killed: it used more than {limits.memory >> 20} MiB of memory")
    return Failure(HANG, f"did not end within {limits.silence:g} s")


def _ended_within(process: subprocess.Popen[bytes], seconds: float) -> bool:
    if hasattr(os, "pidfd_open"):  # exact: Popen.wait looks again and again, up to 50 ms late
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
    """A Python object in this very process: as fast as a call, and with nothing between it and us."""

    exact = True

    def __init__(self, answering: Answering, name: str) -> None:
        self.hello = protocol.Hello(answering.modes, name)
        self._answer: Callable[[str, bytes], bytes] = answering.answer

    def ask(self, window: Window, mode: str, *, grace: float = 0.0) -> Reply:
        """Return the answers to *window*; an exception that is not a ValueError is a crash."""
        answers = window.answers(mode)
        del grace
        for data in protocol.unframe(window.frames):
            try:
                answers.feed(self._answer(mode, data))
            except Exception as error:
                return Reply(answers, Failure(CRASH, printable(f"raised {type(error).__name__}: {error}"[:300])))
        return Reply(answers)

    def finish(self) -> None:
        """Nothing is left to do."""

    def close(self) -> None:
        """Nothing to end."""
