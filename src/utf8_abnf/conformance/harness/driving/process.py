"""A child process that cannot block us: one loop writes what it takes, reads what it says, and looks at the clock."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from utf8_abnf.conformance.harness.driving import leftovers
from utf8_abnf.conformance.harness.driving.last_words import what_happened
from utf8_abnf.errors import TargetError
from utf8_abnf.language.notation import printable

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

CHUNK = 1 << 16
STDERR_TAIL = 1 << 16  # bytes of stderr that are kept: a thousand frames of a stack may follow what happened
MAX_FAST_STDERR = 1 << 20  # bytes of stderr behind which a flood is read slowly: it would take a processor
PAUSE = 1e-3  # seconds between two reads of a flood, or two looks where the system does not tell that a child ended
MAX_CLOSED = 1.0  # seconds
TICK = 0.05  # seconds after which we look again whether the child is alive, and how much memory it has
# Where a process waits for a processor, it gets at most as many seconds again as it has, or these: what is asked again
# may have a tenth of a second to answer.
MIN_PATIENCE = 5.0
PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096


def spawn(command: Sequence[str], *, env: Mapping[str, str] | None = None, **pipes: Any) -> subprocess.Popen[bytes]:
    """Start *command* without a shell as leader of a new process group; TargetError if it cannot be started."""
    marked = {**(os.environ if env is None else env), leftovers.MARK: leftovers.new_mark()}
    try:
        with leftovers.starting:
            process = subprocess.Popen(command, env=marked, bufsize=0, start_new_session=True, **pipes)  # noqa: S603
            leftovers.running[process.pid] = marked[leftovers.MARK]
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
    if leftovers.PROC.is_dir() and not has_ended(process):
        leftovers.kill_with_descendants([process.pid])
    with contextlib.suppress(OSError):
        # Before the wait: until the leader is reaped, its number cannot belong to another process.
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
    process.wait()
    if mark := leftovers.running.pop(process.pid, ""):
        leftovers.note_end(mark)


def has_ended(process: subprocess.Popen[bytes]) -> bool:
    """Tell whether *process* has ended; it is not reaped, where the system allows that."""
    if process.returncode is not None:
        return True
    if not hasattr(os, "waitid"):
        return process.poll() is not None
    return os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None


def describe_exit(status: int) -> str:
    """Return *status*, a ``Popen.returncode``, in words.

    >>> describe_exit(3), describe_exit(-11)
    ('exited with status 3', 'was killed by signal 11 (SIGSEGV)')
    """
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
        all_tasks = leftovers.PROC / str(self._pid) / "task"
        tasks = list(all_tasks.iterdir()) if all_tasks.is_dir() else []
        times = [_ran_and_queued(task) for task in tasks]
        ran, waited = sum(each for each, _ in times), sum(each for _, each in times)
        self._queued = waited if self._queued is None else self._queued
        left = self._left + min(max(0.0, waited - self._queued), self._most)
        has_not_run, self._ran = self._ran in {None, ran}, ran
        could_run = (leftovers.state_of(task) == b"R" for task in tasks)
        if left <= 0 < self._left + self._most and has_not_run and any(could_run):
            return TICK  # it waits at this moment, which the system counts when it runs again
        return left


class Child:
    """A started command. While we wait for its output it gets what was sent, and the end of its stderr is kept.

    It is killed when it holds more than *memory* bytes. The output of one that is *asked_once* is not read: it has
    nothing more to say when it has ended.
    """

    def __init__(
        self, command: Sequence[str], *, env: Mapping[str, str] | None = None, memory: int = 0, asked_once: bool = False
    ) -> None:
        output = subprocess.DEVNULL if asked_once else subprocess.PIPE
        self.process = spawn(command, env=env, stdin=subprocess.PIPE, stdout=output, stderr=output)
        self.memory = memory
        self.stdin_closed = False
        self.too_big = False
        self._asked_once = asked_once
        self._unsent = bytearray()
        self._is_last = False  # nothing more will be sent
        self._stderr = b""
        self._errors = 0  # bytes that came from stderr
        self._ended = False
        self._started: set[int] = set()  # by the decoder, seen when its input had ended
        self._pipes = [each for each in (self.process.stdin, self.process.stdout, self.process.stderr) if each]
        self._in, *outputs = (each.fileno() for each in self._pipes)
        self._out, self._err = outputs or (_end_of(self.process), -1)
        os.set_blocking(self._in, False)

    def _write(self) -> None:
        try:
            del self._unsent[: os.write(self._in, self._unsent) if self._unsent else 0]
        except BlockingIOError:
            return
        except OSError:
            self.stdin_closed = not self._asked_once  # which may go on without its input
            self._unsent.clear()
        if self._is_last and not self._unsent:
            self._pipes[0].close()

    def _read_stderr(self) -> None:
        chunk = os.read(self._err, CHUNK)
        self._stderr = (self._stderr + chunk)[-STDERR_TAIL:]
        self._errors += len(chunk)
        if self._errors > MAX_FAST_STDERR:
            time.sleep(PAUSE)
        if not chunk:
            self._err = -1

    def _next(self, seconds: float) -> bytes | None:
        """Return what comes within *seconds*, b"" at the end, None if nothing does; write and read stderr meanwhile."""
        ends, left = time.monotonic() + seconds, seconds
        while True:
            reads = [each for each in (self._out, self._err) if each >= 0]
            ready, writable, _ = select.select(reads, [self._in] if self._unsent else [], [], max(0.0, left))
            if writable:
                self._write()
            if self._err in ready:
                self._read_stderr()
            if self._out in ready:
                return b"" if self._asked_once else os.read(self._out, CHUNK)
            left = ends - time.monotonic()
            if left <= 0 or not (ready or writable):
                return None

    def send(self, data: bytes) -> None:
        """Send *data*, as much as fits into the pipe; the rest while we wait in ``receive``."""
        self._unsent += data
        self._write()

    def end_input(self) -> None:
        """Close the child's standard input once all that was sent is written."""
        if not self._asked_once:
            # Now: when it has ended, nothing tells whose they were.
            self._started = leftovers.descendants(self.process.pid)
        self._is_last = True
        self._write()

    def receive(self, seconds: float, is_overdue: Callable[[], bool] = lambda: False) -> bytes | None:
        """Return the next bytes from the child; b"" when no more will come, None after *seconds* of silence.

        None also once *is_overdue* says that nothing more is waited for: it is asked as long as nothing comes. A child
        that has closed its input will not answer any more: it is waited for no longer than ``MAX_CLOSED``.
        """
        if self._ended:
            return b""
        left = min(seconds, MAX_CLOSED) if self.stdin_closed else seconds
        patience, gone = Patience(self.process.pid, left), False
        while True:
            tick = max(0.0, min(TICK if self._out >= 0 else PAUSE, left))
            data = self._next(tick)
            if data is None and gone:  # it ended a tick ago, yet the pipe is open: a process that it forked holds it
                data = b""
            elif data is None and is_overdue():
                return None
            elif data is None and left <= 0:
                return b"" if self.stdin_closed and seconds else None
            elif data is None:
                gone = has_ended(self.process)
                self._watch()
                left = patience.after(tick)
                continue
            self._ended = not data
            return data

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
        ends = time.monotonic() + TICK
        while self._err >= 0 and (left := ends - time.monotonic()) > 0 and select.select([self._err], [], [], left)[0]:
            self._read_stderr()
        said = what_happened(self._stderr.decode("utf-8", "replace"))
        return f" ({printable(said)})" if said else ""

    def end(self) -> None:
        """Kill the child's whole group, and close the pipes."""
        kill_group(self.process)  # before its input ends: it may end with that, and nothing tells what it has started
        for pipe in self._pipes:
            with contextlib.suppress(OSError):
                pipe.close()
        if self._asked_once and self._out >= 0:
            os.close(self._out)
            self._out = -1

    def close(self) -> None:
        """End the child, and all that it has started."""
        self.end()
        leftovers.kill_with_descendants(self._started)
        leftovers.kill_leftovers()


def _end_of(process: subprocess.Popen[bytes]) -> int:
    """Return a descriptor that can be read when *process* has ended, -1 where the system has none."""
    return os.pidfd_open(process.pid) if hasattr(os, "pidfd_open") else -1
