"""Measure the validator beside its peers: ``python tools/bench --simdutf libsimdutf.so``.

Prints the table of speed goals with ratio, bar and whether it was reached, and writes every median into a record
(CSV). ``--plot`` draws the plots of the docs from a record instead.
"""

from __future__ import annotations

import argparse
import csv
import datetime
import os
import sys
from pathlib import Path

import mixed
import plots
from inputs import MEASURED, text
from peers import HERE, Peer, build_stopwatch, node_time, plain_functions, python_peers, simdutf, versions
from table import HEADING, KIB, MIB, Goal, Key, Times, c_against_c, own_goals, show, simdutf_goals

import files
from measure import Probe, check_verdicts, interleaved, time_c, time_python

SIZES = [8, 16, 32, 64, 256, KIB, 16 * KIB, 64 * KIB, MIB, 64 * MIB]
RECORDS = HERE / "records"
COLUMNS = ("who", "how", "kind", "size", "ns", "GB/s")


def main() -> int:
    """Parse the command line, measure, print, record; 0 when every bar was reached, 1 when one was missed."""
    parser = argparse.ArgumentParser(prog="tools/bench", description=__doc__.split("\n\n")[0])
    several = "a libsimdutf.so to measure against; given more than once, the fastest counts"
    default = "default: $UTF8_ABNF_SIMDUTF, separated by colons"
    parser.add_argument("--simdutf", action="append", default=[], metavar="PATH", help=f"{several} ({default})")
    parser.add_argument(
        "--function",
        action="append",
        default=[],
        metavar="PATH:SYMBOL",
        help="a C function bool (const char *, size_t) to measure mixed texts against, such as one that wraps a kernel "
        "of simdutf8: with avx512, avx2 or sse42 in its name, else it is measured beside our best kernel only",
    )
    parser.add_argument("--mixed", action="store_true", help="only texts that are mostly ASCII; needs --simdutf")
    parser.add_argument("--rounds", type=int, default=9, help="interleaved rounds, of which the median counts")
    parser.add_argument("--quick", action="store_true", help="three rounds, nothing above 1 MiB, no files: a minute")
    parser.add_argument("--no-files", action="store_true", help="leave out the 1 GiB file and the two threads")
    parser.add_argument("--record", type=Path, help="where to write the CSV (default: tools/bench/records/DATE.csv)")
    parser.add_argument(
        "--plot", type=Path, metavar="CSV", help="draw docs/plots/*.svg from this record and measure nothing"
    )
    args = parser.parse_args()
    if args.plot:
        return plots.draw(args.plot, HERE.parents[1] / "docs" / "plots")
    paths = args.simdutf or [each for each in os.environ.get("UTF8_ABNF_SIMDUTF", "").split(":") if each]
    sizes = [each for each in SIZES if each <= MIB] if args.quick else SIZES
    if args.mixed:
        return run_mixed(paths, args.function, 12 if args.quick else 30, MIB if args.quick else 64 * MIB)
    return run(
        paths, sizes, 3 if args.quick else args.rounds, with_files=not (args.quick or args.no_files), record=args.record
    )


def run(paths: list[str], sizes: list[int], rounds: int, *, with_files: bool, record: Path | None) -> int:
    """Measure everything and return the exit status."""
    stopwatch = build_stopwatch()
    others = simdutf(paths, stopwatch)
    about = versions(paths)
    print(*about, sep="\n")
    ours = own_peers()
    check_verdicts(
        ours + others + python_peers(), (text(kind, size) for kind in MEASURED for size in sizes if size <= 64 * KIB)
    )
    rows: dict[Key, float] = {}
    for kind in MEASURED:
        for size in sizes:
            if sys.stderr.isatty():
                print(f"\r{kind:10} {show(size):>8}", end="", file=sys.stderr, flush=True)
            rows |= measure_cell(ours, others, stopwatch, kind, size, rounds)
    times = Times(rows)
    goals = simdutf_goals(times, [each.name for each in others], sizes) if others else []
    goals += own_goals(times, sizes)
    goals += special_goals(with_files)
    beside = c_against_c(times, [each.name for each in others], sizes) if others else []
    print(f"\n{HEADING}", *(goal.line() for goal in goals), *beside, sep="\n")
    if not others:
        print("no simdutf given (--simdutf PATH): the goals against it are left out")
    write(
        record or RECORDS / f"{datetime.date.today():%Y-%m}.csv",
        about,
        rows,
        [*(goal.line() for goal in goals), *beside],
    )
    return 0 if all(goal.reached for goal in goals) else 1


def run_mixed(paths: list[str], functions: list[str], rounds: int, largest: int) -> int:
    """Measure the mixed texts alone, print the goals and the table; the exit status."""
    import utf8_abnf

    stopwatch = build_stopwatch()
    others = simdutf(paths, stopwatch) + plain_functions(functions, stopwatch)
    own = {
        name: Peer(name, utf8_abnf.is_valid, address, "plain")
        for name, (address, *_) in utf8_abnf.validator._kernel.entry_points().items()
        if name in utf8_abnf.kernel.available and name != "scalar"
    }
    best = utf8_abnf.kernel.available[0]
    kernels = {
        name: [peer, *peers]
        for name, peer in own.items()
        if (peers := [each for each in others if name == best or runs_where(each.name, name)])
    }
    print(*versions(paths), sep="\n")
    rows = mixed.measure(kernels, stopwatch, [each for each in mixed.SIZES if each <= largest], rounds)
    goals, lines = mixed.goals(kernels, rows)
    print(f"\n{HEADING}", *(goal.line() for goal in goals), *lines, sep="\n")
    return 0 if all(goal.reached for goal in goals) else 1


def runs_where(peer: str, kernel: str) -> bool:
    """Return whether the peer, by its name, would run on a processor whose best kernel of ours is *kernel*."""
    sse4 = ("westmere", "sse42")
    return any(each in peer for each in {"avx2": (*sse4, "haswell", "avx2"), "sse4": sse4}[kernel])


def own_peers() -> list[Peer]:
    """Return the validator under each kernel that runs here, and its two other faces under the best."""
    import utf8_abnf

    incremental = utf8_abnf.IncrementalValidator()

    def feed(data: bytes) -> bool:
        incremental.reset()
        return incremental.feed(data) is None and incremental.finish() is None

    names = [each for each in utf8_abnf.kernel.available if each != "python"]
    return [Peer(name, utf8_abnf.is_valid) for name in names] + [
        Peer("best", utf8_abnf.is_valid),
        Peer("first_error", lambda data: utf8_abnf.first_error(data) is None),
        Peer("feed", feed),
    ]


def measure_cell(
    ours: list[Peer], others: list[Peer], stopwatch, kind: str, size: int, rounds: int
) -> dict[Key, float]:  # type: ignore[no-untyped-def]
    """Return the medians of all peers for one text."""
    import utf8_abnf

    data = text(kind, size)
    best = utf8_abnf.kernel.available[0]
    incremental = utf8_abnf.IncrementalValidator()
    timed = {"first_error": utf8_abnf.first_error, "feed": incremental.feed}
    probes: dict[tuple[str, str], Probe] = {("empty", "python"): lambda n: time_python(stopwatch.empty, data, n)}

    def own(peer: Peer) -> Probe:
        function = timed.get(peer.name, utf8_abnf.is_valid)

        def probe(repeats: int) -> float:
            utf8_abnf.kernel.use(peer.name if peer.name in utf8_abnf.kernel.available else best)
            try:
                return time_python(function, data, repeats)
            finally:
                utf8_abnf.kernel.use(best)

        return probe

    for peer in ours:
        probes[(peer.name, "python")] = own(peer)
    for name, (address, *_) in utf8_abnf.validator._kernel.entry_points().items():
        if name in utf8_abnf.kernel.available:
            inner = Peer(name, utf8_abnf.is_valid, address, "plain")
            probes[(name, "c")] = lambda n, peer=inner: time_c(stopwatch, peer, data, n)  # type: ignore[misc]
    for peer in others:
        probes[(peer.name, "c")] = lambda n, peer=peer: time_c(stopwatch, peer, data, n)  # type: ignore[misc]
        if size < 64 * KIB:
            probes[(peer.name, "bound")] = lambda n, peer=peer: time_python(peer.python, data, n)  # type: ignore[misc]
    for peer in python_peers():
        probes[(peer.name, "python")] = lambda n, peer=peer: time_python(peer.python, data, n)  # type: ignore[misc]
    probes[("load", "c")] = lambda n: stopwatch.read_speed(data, n) / n
    medians = interleaved({f"{who} {how}": probe for (who, how), probe in probes.items()}, rounds)
    rows: dict[Key, float] = {}
    for name, value in medians.items():
        who, how = name.rsplit(" ", 1)
        rows[(who, how, kind, size)] = value
    if KIB <= size <= MIB and (spent := node_time(data, max(20, 20_000_000 // size))) is not None:
        rows[("node-isUtf8", "node", kind, size)] = spent
    return rows


def special_goals(with_files: bool) -> list[Goal]:
    """Return the goals that are not a median of calls: early exit, files, threads."""
    goals = [files.early_exit()]
    if with_files:
        goals += files.file_goals()
        goals.append(files.two_threads())
    return goals


def write(path: Path, about: list[str], rows: dict[Key, float], lines: list[str]) -> None:
    """Write the record: what was measured where as comments, then one row a median, then the goals as comments."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", newline="") as file:
        file.writelines(f"# {line}\n" for line in about)
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        for (who, how, kind, size), spent in sorted(rows.items()):
            writer.writerow((who, how, kind, size, f"{spent:.2f}", f"{size / spent:.3f}"))
        file.writelines(f"# {line.rstrip()}\n" for line in lines)
    print(f"record: {path}", file=sys.stderr)


if __name__ == "__main__":
    raise SystemExit(main())
