"""Measures functions in interleaved rounds; returns medians of CPU time. Every verdict is checked before."""

from __future__ import annotations

import gc
import random
import statistics
import time
from collections.abc import Callable, Iterable, Iterator
from itertools import repeat
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from array import array
    from types import ModuleType

    from peers import Peer

RUN = 2e5  # nanoseconds that one run over slices takes
SLICE = 4e-3  # seconds that one slice of one peer takes: long beside the clock, short beside a neighbour's burst


def time_python(function: Callable[[bytes], object], data: bytes, repeats: int) -> float:
    """Return the nanoseconds of CPU for one call of *function* from a Python loop, the loop's own cost included."""
    turns = repeat(None, repeats)
    start = time.thread_time_ns()
    for _ in turns:
        function(data)
    return (time.thread_time_ns() - start) / repeats


def time_c(stopwatch: ModuleType, peer: Peer, data: bytes, repeats: int) -> float:
    """Return the nanoseconds of CPU for one call of *peer*'s C function from a C loop: no call cost of Python in it."""
    spent, _ = stopwatch.timed(peer.address, peer.shape, data, repeats)
    return spent / repeats


Probe = Callable[[int], float]  # repeats -> nanoseconds for one call


def interleaved(probes: dict[str, Probe], rounds: int) -> dict[str, float]:
    """Return the median nanoseconds of each probe. Each round measures all, in its own order (see ``shuffled``)."""
    repeats = {name: _repeats(probe) for name, probe in probes.items()}
    times: dict[str, list[float]] = {name: [] for name in probes}
    gc.disable()
    try:
        for turn in range(rounds):
            for name in shuffled(probes, turn):
                times[name].append(probes[name](repeats[name]))
    finally:
        gc.enable()
    return {name: statistics.median(each) for name, each in times.items()}


def least(
    probes: dict[str, Callable[[array[int], int, int], tuple[int, int]]], offsets: array[int], size: int, rounds: int
) -> dict[str, float]:
    """Return the least nanoseconds of a call that each probe was seen to take, on slices of *size* bytes at *offsets*.

    A round gives each probe three runs of other slices, a fifth of a millisecond each, which is short beside a
    neighbour's burst: on a shared machine the least of many rounds is what the call costs. Each round has slices of
    its own as long as there are any: a branch predictor learns two megabytes by heart in a few rounds.
    """
    guess = size / 8 + 20  # nanoseconds
    count = max(1, min(len(offsets) // 3, round(RUN / guess)))
    runs = [offsets[start : start + count] for start in range(0, len(offsets) - count + 1, count)]
    repeats = max(1, round(RUN / guess / count))
    best = dict.fromkeys(probes, float("inf"))
    for turn in range(3 * max(3, round(rounds * min(1, 8 * RUN / guess)))):  # one call of a long text is longer
        for name in shuffled(probes, turn):
            spent, accepted = probes[name](runs[turn % len(runs)], size, repeats)
            if accepted != count * repeats:
                raise SystemExit(f"{name} rejects a well-formed text of {size} bytes: not measured")
            best[name] = min(best[name], spent / accepted)
    return best


def shuffled(probes: Iterable[str], turn: int) -> list[str]:
    """Return the names in an order that looks random, the same for each run of the program.

    Who comes behind whom changes what a call of 8 to 64 bytes takes: in an order and its reverse by turns the first
    and the last seem a fifth faster than the same code in another place.
    """
    names = list(probes)
    random.Random(turn).shuffle(names)  # noqa: S311 - reproducible, not secret
    return names


def _repeats(probe: Probe) -> int:
    repeats = 1
    while (spent := probe(repeats) * repeats / 1e9) < SLICE / 4:
        repeats *= 4
    return max(1, round(repeats * SLICE / max(spent, 1e-9)))


def check_verdicts(peers: list[Peer], texts: Iterator[bytes]) -> None:
    """Stop with a message unless every peer accepts every text and rejects it with one byte spoilt."""
    for text in texts:
        spoilt = [text[:at] + b"\xff" + text[at + 1 :] for at in {0, len(text) // 2, len(text) - 1}]
        for peer in peers:
            if not peer.accepts(text):
                raise SystemExit(f"{peer.name} rejects a well-formed text of {len(text)} bytes: not measured")
            if any(peer.accepts(each) for each in spoilt):
                raise SystemExit(f"{peer.name} accepts a byte FF in a text of {len(text)} bytes: not measured")
