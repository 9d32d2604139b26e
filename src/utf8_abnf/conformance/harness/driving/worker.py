"""Workers: running decoders of three kinds, each of which takes a window of cases and returns answers or a Failure."""

from __future__ import annotations

import os
import subprocess
import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from utf8_abnf.conformance.framing import frame, unframe
from utf8_abnf.conformance.harness.driving import protocol
from utf8_abnf.conformance.harness.driving.process import Child, describe_exit, kill_group, spawn
from utf8_abnf.errors import TargetError
from utf8_abnf.language.notation import hex_bytes, printable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from utf8_abnf.conformance.harness.driving.answering import Answering

PROBE, PROBE_SECONDS = b"a", 1.0  # what a decoder is asked to see whether it hangs, and the time for an answer
SECONDS_TO_LOOK = 0.25  # at the clock, whether a process is still waited for
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
    start: float = 15.0
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


class Reply(NamedTuple):
    """What ``Worker.ask`` returns: the answers that came, and the failure after which no more came.

    Without a failure answers are missing only if it was time to stop.
    """

    answers: protocol.Answers
    failure: Failure | None = None


class Worker:
    """A running decoder. *hello* is what it declares.

    *exact*: the first case without an answer is the one that failed, and the worker can be asked again. Otherwise
    answers may have been lost in the decoder's own buffers, and after a failure another worker has to be started.
    *lasts*: one process answers several questions.
    """

    hello: protocol.Hello
    exact, lasts = True, True

    def ask(self, window: Window, mode: str, *, grace: float = 0.0, overdue: Overdue = never) -> Reply:
        """Return the answers to *window*; afterwards wait *grace* seconds for excess output.

        *overdue* is told now and then how many answers have come; when it returns True, no more are waited for. Then
        a decoder that is silent is not said to hang.
        """
        raise NotImplementedError

    def finish(self) -> Failure | None:
        """Tell the decoder that no more cases come; return the failure that it still causes."""
        return None

    def close(self) -> None:
        """End it at once."""


class StreamWorker(Worker):
    """A child that speaks the stream protocol. A process answers in one mode: for another mode a new one is started."""

    exact = False

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
        if early := self._rest or self._child.receive(0.0 if self._listened else grace):
            return Reply(answers, Failure(EXCESS_OUTPUT, f"wrote {len(early)} bytes before it was asked", early=True))
        self._child.send(window.frames)
        began = time.monotonic()
        received = 0
        try:
            while not answers.complete:
                data = self._child.receive(self._limits.silence, lambda: overdue(answers.done))
                if data is None:
                    return Reply(answers, None if overdue(answers.done) else self._silence(window, mode, answers))
                if not data:
                    return Reply(answers, Failure(CRASH, self._child.exit_reason()))
                received += len(data)
                answers.feed(data)
                if overdue(answers.done):
                    return Reply(answers)
        except protocol.Garbage as garbage:
            too_much = mode == "v" and received > window.count
            more = f" ({received} bytes for {window.count} case{'s' * (window.count > 1)})" if too_much else ""
            return Reply(answers, Failure(EXCESS_OUTPUT if too_much else GARBAGE, f"{garbage}{more}"))
        if not self._listened:  # what one writes that never stops may come when it is asked, and pass for slow answers
            self._listened = True
            grace = max(grace, min(4 * (time.monotonic() - began) / window.count, self._limits.silence))
        if excess := answers.excess or (self._child.receive(grace) if grace else b""):
            more = f"{hex_bytes(excess[:8])}{' ...' if len(excess) > 8 else ''}"
            more = f"wrote {len(excess)} bytes more than it was asked for: {more}"
            return Reply(answers, Failure(EXCESS_OUTPUT, more))
        return Reply(answers)

    def _silence(self, window: Window, mode: str, answers: protocol.Answers) -> Failure:
        """Return the failure of a child that was silent for too long.

        In mode v one more is asked: a child that answers once then has lost an answer, and does not hang.
        """
        silence = f"gave no answer for {self._limits.silence:g} s"
        last_words = self._child.last_words()
        if mode == "v":
            self._child.send(frame(PROBE))
            found = self._child.receive(PROBE_SECONDS) or b""
            found += (self._child.receive(PROBE_SECONDS) or b"") if found else b""
            if len(found) == 1:
                few = f" ({answers.done:,} answers for {window.count:,} cases)" if window.count > 1 else ""
                return Failure(MISSING, f"{silence}{few}, and answered what it was asked next{last_words}")
        begun = answers.begun
        after = f", after {hex_bytes(begun[:8])}{' ...' * (len(begun) > 8)} of one" if begun else ""
        return Failure(HANG, f"{silence}{after}{last_words}")

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


class ExecWorker(Worker):
    """One process for each case, with the bytes on standard input. The exit status is the verdict; others are crashes.

    *statuses* maps exit statuses to answers, in words *understood*; without it 0 accepts and 1 rejects. *cancelled* is
    called again and again while a process runs; what it raises ends the process and comes out of ``ask``.
    """

    lasts = False

    def __init__(
        self,
        command: Sequence[str],
        limits: Limits,
        statuses: Mapping[int, bytes] | None = None,
        env: Mapping[str, str] | None = None,
        cancelled: Callable[[], None] = lambda: None,
        understood: str = "",
    ) -> None:
        self.hello = protocol.Hello(("v",), more={protocol.UNDERSTOOD: understood} if understood else {})
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

        def is_cancelled() -> bool:
            self._cancelled()
            return is_over.is_set()

        ahead = deque(self._pool.submit(self._one, each, is_cancelled) for each in islice(data, AHEAD))
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
                ahead.extend(self._pool.submit(self._one, each, is_cancelled) for each in islice(data, 1))
        finally:
            is_over.set()
            for future in ahead:
                future.cancel()
        return Reply(answers)

    def _one(self, data: bytes, is_over: Callable[[], bool]) -> bytes | Failure:
        outcome = status_of(self._command, data, self._limits, self._env, is_over)
        if isinstance(outcome, Failure):
            return outcome
        return self._statuses.get(outcome) or Failure(CRASH, describe_exit(outcome))

    def close(self) -> None:
        """End the threads."""
        self._pool.shutdown(cancel_futures=True)


def status_of(
    command: Sequence[str],
    data: bytes,
    limits: Limits,
    env: Mapping[str, str] | None = None,
    is_over: Callable[[], bool] = lambda: False,
) -> int | Failure:
    """Return the status with which *command* ends for *data* on its standard input: below 0 is a signal's number.

    A Failure when it takes too long or too much memory, or *is_over*.
    """
    child = Child(command, env=env, memory=limits.memory, asked_once=True)
    try:
        child.send(data)  # it may answer, or crash, before it has read everything
        child.end_input()
        if child.receive(limits.silence, is_over) is None:
            return Failure(HANG, f"did not end within {limits.silence:g} s")
        if child.too_big:
            return Failure(CRASH, child.exit_reason())
    finally:
        child.end()
    return child.process.returncode


class LocalWorker(Worker):
    """A Python object that is called in our own process: fast, but its crash would be ours."""

    def __init__(self, answering: Answering, name: str) -> None:
        self.hello = protocol.Hello(answering.modes, name, more={protocol.UNDERSTOOD: answering.understood})
        self._in_mode: Callable[[str], Callable[[bytes], bytes]] = answering.in_mode

    def ask(self, window: Window, mode: str, *, grace: float = 0.0, overdue: Overdue = never) -> Reply:
        """Return the answers to *window*; every exception except ValueError is a crash."""
        answers, answer = window.answers(mode), self._in_mode(mode)
        for data in unframe(window.frames):
            try:
                answers.feed(answer(data))
            except Exception as error:
                return Reply(answers, Failure(CRASH, printable(f"raised {type(error).__name__}: {error}"[:300])))
            if answers.done % LOOK_AFTER == 0 and overdue(answers.done):
                break
        return Reply(answers)
