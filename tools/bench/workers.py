"""``utf8_abnf.files.dask.check`` on one worker and on two, beside reading alone: ``python tools/bench/workers.py``.

A file is checked in pieces on a local cluster of Dask, one thread a worker; before that it is read once by one process
that looks at nothing, and the workers check a small file, so that all is imported. Printed are the time by the clock,
GB/s, two shares in all CPU time, and the memory of the worker that held most. *scheduler*: what the client's process,
in which the scheduler runs, takes more than *at rest*: in as long a time without a task, which it spends on Dask's own
clocks. *MiB more*: the most resident memory of a worker during the check, less what it had just before; *MiB in all*:
with Python, Dask and all else that it has loaded. Two workers need two quiet processors to be twice as fast. Linux
only.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

from inputs import text

MIB = 1 << 20


def make(path: Path, mebibytes: int) -> None:
    """Write *mebibytes* of HTML in several languages into *path*."""
    block = text("html", 8 * MIB)
    with path.open("wb") as file:
        for _ in range(mebibytes // 8):
            file.write(block)


def read_alone(path: Path) -> float:
    """Return how many seconds it takes to read the file into one buffer."""
    room, begun = bytearray(MIB), time.perf_counter()
    with path.open("rb", buffering=0) as file:
        while file.readinto(room):
            pass
    return time.perf_counter() - begun


def spent() -> tuple[float, int, int]:
    """Return this process's CPU time in seconds, and its resident memory in KiB: now, and at most since ``forget``."""
    held = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
    return time.process_time(), int(held["VmRSS"].split()[0]), int(held["VmHWM"].split()[0])


def forget() -> None:
    """Let the peak of this process's resident memory begin again: that of its start would hide what comes later."""
    Path("/proc/self/clear_refs").write_text("5")


def at_rest(seconds: float = 2.0) -> float:
    """Return the CPU time that this process takes in a second in which it is asked nothing."""
    own = time.process_time()
    time.sleep(seconds)
    return (time.process_time() - own) / seconds


def check(path: Path, workers: int, blocksize: str) -> tuple[float, float, float, float, float]:
    """Return the seconds, the client's shares of the CPU time, and a worker's memory in MiB: more than before, and all.

    The shares are of what it takes for the check, and of what it takes in any case.
    """
    from distributed import Client, LocalCluster

    from utf8_abnf.files import dask

    with (
        LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
        dask.check([__file__], blocksize=100).compute()  # what is imported and started only once
        resting = at_rest()
        client.run(forget)
        before = client.run(spent)
        own, begun = time.process_time(), time.perf_counter()
        [record] = dask.check([os.fspath(path)], blocksize=blocksize).compute()
        seconds, own = time.perf_counter() - begun, time.process_time() - own
        after = client.run(spent)
    if record.verdict != "well-formed":
        sys.exit(f"the verdict is {record.verdict}")
    total = own + sum(after[worker][0] - before[worker][0] for worker in after)
    more = max(after[worker][2] - before[worker][1] for worker in after) / 1024
    memory = max(peak for _, _, peak in after.values()) / 1024
    resting *= seconds
    return seconds, (own - resting) / total, resting / total, more, memory


def main() -> None:
    """Print a line for reading alone and one for each number of workers."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", type=int, default=4096, metavar="MIB", help="MiB of text (default: 4096)")
    parser.add_argument("--blocksize", default="512 MiB", metavar="SIZE", help="bytes of a piece (default: 512 MiB)")
    parser.add_argument("--rounds", type=int, default=5, help="of one worker and two; medians are printed (default: 5)")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "text"
        make(path, args.size)
        size = path.stat().st_size
        alone = read_alone(path)
        print(f"{'':14}{'seconds':>9}{'GB/s':>8}{'scheduler':>11}{'at rest':>9}{'MiB more':>10}{'MiB in all':>12}")
        print(f"{'reading alone':14}{alone:9.2f}{size / alone / 1e9:8.2f}")
        rounds = [[check(path, workers, args.blocksize) for workers in (1, 2)] for _ in range(args.rounds)]
    for workers, measured in enumerate(zip(*rounds, strict=True), 1):
        seconds, share, resting, more, memory = map(median, zip(*measured, strict=True))
        name = f"{workers} worker{'s' * (workers > 1)}"
        print(
            f"{name:14}{seconds:9.2f}{size / seconds / 1e9:8.2f}{share:11.1%}{resting:9.1%}{more:10.1f}{memory:12.0f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
