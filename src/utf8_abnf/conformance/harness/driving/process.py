"""A child process that cannot block us: bytes go in from a thread and come out through a bounded queue."""

from __future__ import annotations

import contextlib
import os
import queue
import select
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from utf8_abnf.conformance.harness.driving.last_words import what_happened
from utf8_abnf.conformance.harness.driving.leftovers import (
    MARK,
    PROC,
    descendants,
    kill_leftovers,
    kill_with_descendants,
    new_mark,
    note_end,
    running,
    starting,
)
from utf8_abnf.errors import TargetError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

CHUNK = 1 << 16
MAX_CHUNKS = 64  # that are read ahead: a child that floods its stdout fills 4 MiB and then waits
STDERR_TAIL = 1 << 16  # bytes of stderr that are kept: a thousand frames of a stack may follow what happened
MAX_FAST_STDERR = 1 << 20  # bytes of stderr behind which a flood is read slowly: it would take a processor
PAUSE = 1e-3  # seconds between two reads of a flood
TICK = 0.05  # seconds after which we look again whether the child is alive, and how much memory it has
# Where a process waits for a processor, it gets at most as many seconds again as it has, or these: what is asked again
# may have a tenth of a second to answer.
MIN_PATIENCE = 5.0
PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096


def spawn(command: Sequence[str], *, env: Mapping[str, str] | None = None, **pipes: Any) -> subprocess.Popen[bytes]:
    """Start *command* without a shell as leader of a new process group; TargetError if it cannot be started."""
    marked = {**(os.environ if env is None else env), MARK: new_mark()}
    try:
        with starting:
            process = subprocess.Popen(command, env=marked, bufsize=0, start_new_session=True, **pipes)  # noqa: S603
            running[process.pid] = marked[MARK]
    except (OSError, ValueError, subprocess.SubprocessError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise TargetError(f"cannot start {command[0] if command else 'an empty command'!r}: {reason}") from None
    return process


def import_path() -> dict[str, str]:
    """Return our environment with our import path, so that a child Python finds the modules that we would find."""
    path = [str(Path.cwd()), *(folder for folder in sys.path if folder)]
    return os.environ | {"PYTHONPATH": os.pathsep.join(dict.fromkeys(path))}


def kill_group(process: subprocess.Popen[bytes]) -> None:
    """Kill *process*, all processes of its group and all its descendants, and reap it, unless it has been reaped."""
    if process.returncode is not None:
        return
    if PROC.is_dir() and not has_ended(process):
        kill_with_descendants([process.pid])
    with contextlib.suppress(OSError):
        # Before the wait: until the leader is reaped, its number cannot belong to another process.
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
    process.wait()
    if mark := running.pop(process.pid, ""):
        note_end(mark)


def has_ended(process: subprocess.Popen[bytes]) -> bool:
    """Tell whether *process* has ended; it is not reaped, where the system allows that."""
    if process.returncode is not None:
        return True
    if not hasattr(os, "waitid"):
        return process.poll() is not None
    return os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None


def describe_exit(status: int | None) -> str:
    """Return *status*, a ``Popen.returncode``, in words.

    >>> describe_exit(3), describe_exit(-11)
    ('exited with status 3', 'was killed by signal 11 (SIGSEGV)')
    """
    if status is None:
        return "is still running"
    if status >= 0:
        return f"exited with status {status}"
    try:
        return f"was killed by signal {-status} ({signal.Signals(-status).name})"
    except ValueError:
        return f"was killed by signal {-status}"


def resident(pid: int) -> int:
    """Return how many bytes of memory the process *pid* holds; 0 on systems other than Linux."""
    try:
        return int(Path(f"/proc/{pid}/statm").read_bytes().split()[1]) * PAGE
    except (OSError, IndexError, ValueError):
        return 0


def _ran_and_queued(task: Path) -> tuple[float, float]:
    try:
        ran, waited, _ = (task / "schedstat").read_bytes().split()
    except (OSError, ValueError):
        return 0.0, 0.0
    return int(ran) / 1e9, int(waited) / 1e9


class Patience:
    """The time until *seconds* have passed for the process *pid*: where others run in its place, time stands still."""

    def __init__(self, pid: int, seconds: float) -> None:
        self._pid = pid
        self._left = seconds
        self._most = max(seconds, MIN_PATIENCE)
        self._ran: float | None = None
        self._queued: float | None = None  # it is not looked up for each of many quick answers

    def after(self, seconds: float) -> float:
        """Return what is left after *seconds* more, 0 or less at the end.

        They are those that we meant to wait: while we get no processor ourselves, nobody answers too late.
        """
        self._left -= seconds
        all_tasks = PROC / str(self._pid) / "task"
        tasks = list(all_tasks.iterdir()) if all_tasks.is_dir() else []
        times = [_ran_and_queued(task) for task in tasks]
        ran, waited = sum(each for each, _ in times), sum(each for _, each in times)
        self._queued = waited if self._queued is None else self._queued
        left = self._left + min(max(0.0, waited - self._queued), self._most)
        has_not_run, self._ran = self._ran in {None, ran}, ran
        if left <= 0 < self._left + self._most and has_not_run and any(map(_could_run, tasks)):
            return TICK  # it waits at this moment, which the system counts when it runs again
        return left


def _could_run(task: Path) -> bool:
    with contextlib.suppress(OSError):
        return (task / "stat").read_bytes().rpartition(b")")[2].split()[:1] == [b"R"]
    return False


class Child:
    """A started command with three threads: one writes, one reads, one keeps the end of stderr."""

    def __init__(self, command: Sequence[str], *, env: Mapping[str, str] | None = None, memory: int = 0) -> None:
        pipe = subprocess.PIPE
        self.process = spawn(command, env=env, stdin=pipe, stdout=pipe, stderr=pipe)
        self.memory = memory
        self.stdin_closed = False
        self.too_big = False
        self._stderr = b""
        self._in: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._out: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self._stop = False
        self._ended = False
        self._started: set[int] = set()  # by the decoder, seen when its input had ended
        self._threads = [
            threading.Thread(target=each, daemon=True) for each in (self._write, self._read, self._read_stderr)
        ]
        for thread in self._threads:
            thread.start()

    def _write(self) -> None:
        assert self.process.stdin is not None
        stdin = self.process.stdin
        while (data := self._in.get()) is not None:
            view = memoryview(data)
            try:
                while view:
                    view = view[stdin.write(view) :]  # unbuffered: returns how much was written
            except (OSError, ValueError):
                self.stdin_closed = True
                break
        with contextlib.suppress(OSError):
            stdin.close()

    def _read(self) -> None:
        assert self.process.stdout is not None
        chunk = b"-"
        while chunk and not self._stop:
            try:
                chunk = os.read(self.process.stdout.fileno(), CHUNK)
            except (OSError, ValueError):
                chunk = b""
            self._out.put(chunk)
            while self._out.qsize() >= MAX_CHUNKS and not self._stop:
                time.sleep(PAUSE)

    def _read_stderr(self) -> None:
        assert self.process.stderr is not None
        read = 0
        with contextlib.suppress(OSError, ValueError):
            while chunk := os.read(self.process.stderr.fileno(), CHUNK):
                self._stderr = (self._stderr + chunk)[-STDERR_TAIL:]
                read += len(chunk)
                if read > MAX_FAST_STDERR:
                    time.sleep(PAUSE)

    def send(self, data: bytes) -> None:
        """Hand *data* to the writing thread; returns at once."""
        self._in.put(data)

    def end_input(self) -> None:
        """Close the child's standard input once all that was sent is written."""
        self._started = descendants(self.process.pid)  # now: when it has ended, nothing tells whose they were
        self._in.put(None)

    def receive(self, seconds: float, is_overdue: Callable[[], bool] = lambda: False) -> bytes | None:
        """Return the next bytes from the child; b"" when no more will come, None after *seconds* of silence.

        None also once *is_overdue* says that nothing more is waited for: it is asked as long as nothing comes.
        """
        if self._ended:
            return b""
        patience, left = Patience(self.process.pid, seconds), seconds
        gone = False
        while True:
            tick = max(0.0, min(TICK, left))
            try:
                data = self._out.get(timeout=tick) if tick else self._out.get_nowait()
            except queue.Empty:
                if gone:  # it ended a tick ago, yet the pipe is open: a process that it forked holds it
                    data = b""
                elif left <= 0 or is_overdue():
                    return None
                else:
                    gone = has_ended(self.process)
                    self._watch()
                    left = TICK if self._has_written() else patience.after(tick)
                    continue
            if not data:
                self._ended = True
            return data

    def _has_written(self) -> bool:
        """Tell whether there is something to read: then it is our own thread that has not come to read it."""
        assert self.process.stdout is not None
        return bool(select.select([self.process.stdout], [], [], 0)[0])

    def _watch(self) -> None:
        if self.memory and resident(self.process.pid) > self.memory:
            self.too_big = True
            kill_group(self.process)

    def exit_reason(self) -> str:
        """End the child and return how it ended, in words, with what it wrote about that to stderr."""
        deadline = time.monotonic() + 0.5
        while not (ended := has_ended(self.process)) and time.monotonic() < deadline:
            time.sleep(TICK / 10)
        kill_group(self.process)
        if self.too_big:
            return f"was killed: it used more than {self.memory >> 20} MiB of memory"
        if not ended:
            closed = "input" if self.stdin_closed else "output"
            return f"closed its standard {closed} and kept running{self.last_words()}"
        return describe_exit(self.process.returncode) + self.last_words()

    def last_words(self) -> str:
        """Return what the child wrote to stderr about its end, in brackets and safe for a terminal, or ""."""
        self._threads[2].join(TICK)
        said = what_happened(self._stderr.decode("utf-8", "replace"))
        return f" ({printable(said)})" if said else ""

    def close(self) -> None:
        """Kill the child's whole group, and close the pipes."""
        self._stop = True
        kill_group(self.process)  # before its input ends: it may end with that, and nothing tells what it has started
        self._in.put(None)
        kill_with_descendants(self._started)
        kill_leftovers()  # before we wait for the threads: one of these processes may hold the pipes
        for thread in self._threads:
            thread.join(1)
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            with contextlib.suppress(OSError):
                pipe.close()  # type: ignore[union-attr]


def printable(text: str) -> str:
    r"""Return *text* with its control characters escaped: what a decoder says must not control our terminal.

    >>> printable("a\x1b[2J")
    'a\\x1b[2J'
    """
    return "".join(each if each.isprintable() else each.encode("unicode_escape").decode() for each in text)
