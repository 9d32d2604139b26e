"""Measures whole runs: a bad byte near the start, a file of 1 GiB on the command line, two threads."""

from __future__ import annotations

import os
import shutil
import statistics
import sys
import tempfile
import threading
import time
from pathlib import Path

from inputs import text
from table import MIB, Goal

GIB = 1 << 30
ROUNDS = 7


def early_exit() -> Goal:
    """Measure a bad byte within the first kilobyte of 64 MiB."""
    import utf8_abnf

    data = bytearray(text("cjk", 64 * MIB))
    data[1000] = 0xFF
    spoilt = bytes(data)
    times = []
    for _ in range(101):
        start = time.perf_counter_ns()
        verdict = utf8_abnf.is_valid(spoilt)
        times.append((time.perf_counter_ns() - start) / 1000)
        assert not verdict
    return Goal("bad byte at offset 1000 of 64 MiB", statistics.median(times), 10, None, " us", at_most=True)


def file_goals() -> list[Goal]:
    """Measure `utf8-abnf check --quiet` beside isutf8 on a cached file of 1 GiB: CPU time of the whole process."""
    if not shutil.which("isutf8"):
        print("isutf8 is not installed (Debian: moreutils): the file goal is left out")
        return []
    with tempfile.TemporaryDirectory() as scratch:
        file = Path(scratch) / "big.html"
        block = text("html", 64 * MIB)
        with file.open("wb", buffering=0) as out:
            for _ in range(GIB // len(block)):
                out.write(block)
        commands = {
            "utf8-abnf": [sys.executable, "-m", "utf8_abnf", "check", "--quiet", str(file)],
            "isutf8": ["isutf8", str(file)],
        }
        times: dict[str, list[float]] = {name: [] for name in commands}
        for turn in range(ROUNDS + 1):  # the first turn fills the page cache
            for name, command in commands.items():
                spent = _process_time(command)
                if turn:
                    times[name].append(spent)
    ours, theirs = statistics.median(times["utf8-abnf"]), statistics.median(times["isutf8"])
    remark = f"{ours:.3f} s against {theirs:.3f} s of CPU, HTML"
    return [Goal("check --quiet, cached 1 GiB file, against isutf8", theirs / ours, 5, 12, remark=remark)]


def _process_time(command: list[str]) -> float:
    """Return the seconds of CPU (user and system) of one run of *command*, which must succeed."""
    child = os.posix_spawnp(command[0], command, os.environ)
    _, status, usage = os.wait4(child, 0)
    if os.waitstatus_to_exitcode(status):
        raise SystemExit(f"{' '.join(command)} ended with {os.waitstatus_to_exitcode(status)}")
    return usage.ru_utime + usage.ru_stime


def two_threads() -> Goal:
    """Measure 2 x 8 MiB with two threads beside one: wall time, the best of many rounds, for neighbours slow both.

    Each thread reads its 8 MiB 64 times, some 9 ms: to start two threads takes a tenth of a millisecond.
    """
    import utf8_abnf

    halves = [text("cjk", 8 * MIB), text("cjk", 8 * MIB)[:]]

    def work(data: bytes, turns: int = 64) -> None:
        for _ in range(turns):
            utf8_abnf.is_valid(data)

    def one() -> None:
        for half in halves:
            work(half)

    def two() -> None:
        threads = [threading.Thread(target=work, args=(half,)) for half in halves]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    best = {one: float("inf"), two: float("inf")}
    for _ in range(20):
        for run in best:
            start = time.perf_counter()
            run()
            best[run] = min(best[run], time.perf_counter() - start)
    return Goal("two threads, 2 x 8 MiB in cache, against one (wall, best of 20)", best[one] / best[two], 1.7)
