"""Processes that a decoder leaves behind: each process that we start carries a mark, and what it starts inherits it.

A process that has left its group (``setsid``, a daemon) is found by this mark in its environment and killed. One
without the mark is found as long as the processes between it and ours live. Linux shows both in ``/proc``; on other
systems such a process stays.
"""

from __future__ import annotations

import atexit
import contextlib
import itertools
import os
import signal
import threading
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

MARK = "UTF8_ABNF_CHILD"
MAX_ENDED = 200  # processes that have ended before we look for what they left
PROC = Path("/proc")

_numbers = itertools.count(1)
_ended: set[bytes] = set()
_lock = threading.Lock()


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
    while new := {pid for pid in _with_a_mark(marks) if pid not in killed}:  # one may fork while we look
        kill_each(new)
        killed |= new


atexit.register(kill_leftovers)


def kill_each(pids: Iterable[int]) -> None:
    """Kill the processes with these numbers; nothing happens to those that have ended."""
    for pid in pids:
        with contextlib.suppress(OSError):
            os.kill(pid, signal.SIGKILL)


def descendants(pid: int) -> list[int]:
    """Return the numbers of the processes that the process *pid* has started, and of those that these have started."""
    found = [pid]
    for each in found:  # the list grows in this loop
        with contextlib.suppress(OSError):
            tasks = PROC / str(each) / "task"
            for task in os.listdir(tasks):
                found += map(int, (tasks / task / "children").read_bytes().split())
    return found[1:]


def _with_a_mark(marks: set[bytes]) -> list[int]:
    """Return the numbers of the processes whose environment has one of *marks*."""
    found = []
    for entry in os.scandir(PROC):
        if entry.name.isdecimal():
            with contextlib.suppress(OSError):  # it has ended by now, or it is not ours
                if not marks.isdisjoint(Path(entry.path, "environ").read_bytes().split(b"\0")):
                    found.append(int(entry.name))
    return found
