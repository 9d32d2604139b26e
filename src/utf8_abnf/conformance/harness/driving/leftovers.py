"""Processes that a decoder leaves behind: each process that we start carries a mark, and what it starts inherits it.

A process that has left its group (``setsid``, a daemon) is found by this mark in its environment and killed. One
without the mark is found as long as the processes between it and ours live: these are stopped before they are killed,
so that they start no other one meanwhile. Linux shows both in ``/proc``; on other systems such a process stays.
"""

from __future__ import annotations

import atexit
import contextlib
import itertools
import os
import signal
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

MARK = "UTF8_ABNF_CHILD"
MAX_ENDED = 200  # processes that have ended before we look for what they left
MAX_SECONDS = 2.0  # in which we look for processes again, because others appear
SECONDS_TO_STOP = 0.001  # before we look again whether one has stopped
PROC = Path("/proc")
STILL = (b"T", b"t", b"Z", b"X", b"")  # the states of a process that is stopped or has ended: it starts no other one

_numbers = itertools.count(1)
_ended: set[bytes] = set()
_lock = threading.Lock()
running: dict[int, str] = {}  # the mark of each process that runs, by its number
starting = threading.Lock()  # held until a new process is in ``running``: before, it looks like one that is left


def new_mark() -> str:
    """Return a mark that no other process has, the value of ``MARK`` in the environment of the next one."""
    return f"{os.getpid()}-{next(_numbers)}"


def note_end(mark: str) -> None:
    """Note that the process with *mark* has ended; of many that have, kill what they left."""
    with _lock:
        _ended.add(f"{MARK}={mark}".encode())
        is_time = len(_ended) >= MAX_ENDED
    if is_time:
        kill_leftovers()


def kill_leftovers() -> None:
    """Kill the processes that were started by those that have ended, and what these have started in turn."""
    with _lock:
        marks = set(_ended)
        _ended.clear()
    if not marks or not PROC.is_dir():
        return
    killed: set[int] = set()
    ends = time.monotonic() + MAX_SECONDS
    is_new = True
    while is_new and time.monotonic() < ends:  # one may start another while we look
        is_new = False
        for pid in _with_a_mark(marks):
            if pid not in killed:
                is_new = True
                killed |= kill_with_descendants([pid])  # at once: it may start another and end


atexit.register(kill_leftovers)


def kill_with_descendants(pids: Iterable[int]) -> set[int]:
    """Kill the processes *pids*, those that they have started, and what these have started; return all their numbers.

    Nothing happens to those that have ended. Each is stopped first, and then asked for its children: so none starts
    another one that is not seen. Where they do not stop, this ends after ``MAX_SECONDS``.
    """
    stopped: set[int] = set()
    new = set(pids)
    are_still = True
    ends = time.monotonic() + MAX_SECONDS
    while (new or not are_still) and time.monotonic() < ends:
        _send(new, signal.SIGSTOP)
        stopped |= new
        # Before we look: then the lists of children are whole.
        are_still = all(state_of(PROC / str(pid)) in STILL for pid in stopped)
        new = {child for pid in stopped for child in _children(pid)} - stopped
        time.sleep(0 if are_still or new else SECONDS_TO_STOP)
    stopped |= new
    _send(stopped, signal.SIGKILL)
    return stopped


def descendants(pid: int) -> set[int]:
    """Return the numbers of the processes that the process *pid* has started, and of those that these have started.

    They go on, and may start others, or end, while we look: then some may be missing.
    """
    found = {pid}
    while new := {child for each in found for child in _children(each)} - found:
        found |= new
    return found - {pid}


def _send(pids: Iterable[int], number: int) -> None:
    for pid in pids:
        with contextlib.suppress(OSError):
            os.kill(pid, number)


def _children(pid: int) -> Iterator[int]:
    """Yield the numbers of the processes that *pid* has started, as far as they run."""
    tasks = PROC / str(pid) / "task"
    with contextlib.suppress(OSError):
        for task in os.listdir(tasks):
            with contextlib.suppress(OSError):  # a thread that has ended by now
                yield from map(int, (tasks / task / "children").read_bytes().split())


def state_of(task: Path) -> bytes:
    """Return the letter that says what the process or thread of the folder *task* does, b"" once it is gone."""
    try:
        return (task / "stat").read_bytes().rpartition(b") ")[2][:1]
    except OSError:
        return b""


def _with_a_mark(marks: set[bytes]) -> Iterator[int]:
    """Yield the numbers of the processes whose environment has one of *marks*."""
    for entry in os.scandir(PROC):
        if entry.name.isdecimal():
            with contextlib.suppress(OSError):  # it has ended by now, or it is not ours
                if not marks.isdisjoint(Path(entry.path, "environ").read_bytes().split(b"\0")):
                    yield int(entry.name)
