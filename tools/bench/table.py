"""Makes the table of the speed goals from measured times: ratio, bar, reached."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import geometric_mean
from typing import TYPE_CHECKING

from inputs import KINDS, NON_ASCII

if TYPE_CHECKING:
    from collections.abc import Iterable

Key = tuple[str, str, str, int]  # who, how ("c", "python" or "bound"), kind, size


@dataclass(frozen=True)
class Goal:
    """A line of the table. *value* is what was measured, *bar* what must be reached, *aim* what we would like."""

    what: str
    value: float
    bar: float
    aim: float | None = None
    unit: str = "x"
    at_most: bool = False
    remark: str = ""

    @property
    def reached(self) -> bool:
        """Whether the bar is met."""
        return self.value <= self.bar if self.at_most else self.value >= self.bar

    def line(self) -> str:
        """Return the row as it is printed."""
        aim = "" if self.aim is None else f"{self.aim:g}{self.unit}"
        verdict = "yes" if self.reached else "NO"
        numbers = f"{self.value:8.2f}{self.unit:3} {self.bar:6g}{self.unit:3} {aim:>7}"
        return f"{self.what:66} {numbers}  {verdict:3}  {self.remark}"


HEADING = f"{'':66} {'measured':>11} {'bar':>9} {'aim':>7}  reached"


class Times:
    """The medians of a run, in nanoseconds a call."""

    def __init__(self, rows: dict[Key, float]) -> None:
        self.rows = rows

    def best(self, peers: Iterable[str], how: str, kind: str, size: int) -> float:
        """Return the time of the fastest of *peers* in this cell: "the best build" is chosen anew for every cell."""
        return min(self.rows[(each, how, kind, size)] for each in peers)

    def ratios(
        self, ours: tuple[str, str], peers: list[str], how: str, kinds: Iterable[str], sizes: Iterable[int]
    ) -> dict[tuple[str, int], float]:
        """Return how many times faster than the best of *peers* we are, cell by cell."""
        return {
            (kind, size): self.best(peers, how, kind, size) / self.rows[(*ours, kind, size)]
            for kind in kinds
            for size in sizes
        }


def _spread(ratios: dict[tuple[str, int], float]) -> str:
    low, high = min(ratios, key=ratios.__getitem__), max(ratios, key=ratios.__getitem__)
    return f"{ratios[low]:.2f} ({low[0]}, {show(low[1])}) .. {ratios[high]:.2f} ({high[0]}, {show(high[1])})"


def show(size: int) -> str:
    """Return a size as people write it."""
    for unit, factor in (("MiB", 1 << 20), ("KiB", 1 << 10)):
        if size >= factor and size % factor == 0:
            return f"{size // factor} {unit}"
    return f"{size} B"


KIB, MIB = 1 << 10, 1 << 20


def c_against_c(times: Times, peers: list[str], sizes: list[int]) -> list[str]:
    """Return lines that tell, beside the goals, how the bare C functions compare: no call cost on either side."""
    lines = ["", "for comparison, C function against C function (ASCII / prose / geometric mean of all others):"]
    for kernel, name in (("avx512", ""), ("avx2", "haswell"), ("sse4", "westmere")):  # simdutf's names; "": any
        group = [each for each in peers if name in each]
        if not group or (kernel, "c", "english", sizes[0]) not in times.rows:
            continue
        cells = []
        for size in sizes:
            groups = (("english",), ("prose",), NON_ASCII)
            ratios = [times.ratios((kernel, "c"), group, "c", kinds, [size]).values() for kinds in groups]
            cells.append(f"{show(size)} {' / '.join(f'{geometric_mean(each):.2f}' for each in ratios)}")
        lines.append(f"  {kernel:8}" + " · ".join(cells))
    return lines


def simdutf_goals(times: Times, peers: list[str], sizes: list[int]) -> list[Goal]:
    """Return the goals against simdutf.

    From 64 KiB up: our call from Python, its cost included, against simdutf's bare C function. Below, a Python call
    costs more than the work, so simdutf gets the tightest binding that CPython allows ("bound"): a METH_O function.
    """
    haswell = [each for each in peers if "haswell" in each]
    goals = []

    def add(what: str, ratios: dict[tuple[str, int], float], bar: float, aim: float) -> None:
        goals.append(Goal(what, geometric_mean(ratios.values()), bar, aim, remark=_spread(ratios)))

    wide = [each for each in (64 * KIB, MIB) if each in sizes]
    best = ("avx512", "python")
    if ("avx512", "python", "cjk", wide[0]) in times.rows:
        add(
            "non-ASCII, 64 KiB and 1 MiB, AVX-512, against simdutf in C",
            times.ratios(best, peers, "c", NON_ASCII, wide),
            1.6,
            2,
        )
    else:
        best = ("best", "python")
    if haswell and ("avx2", "python", "cjk", wide[0]) in times.rows:
        ratios = times.ratios(("avx2", "python"), haswell, "c", NON_ASCII, wide)
        add("the same, AVX2 forced, against simdutf's AVX2", ratios, 1.2, 1.4)
    for how, label, chosen in (
        ("bound", "64 B up to 16 KiB, simdutf bound", [s for s in sizes if 64 <= s < 64 * KIB]),
        ("c", "64 KiB up, simdutf in C", [s for s in sizes if s >= 64 * KIB]),
    ):
        ratios = times.ratios(best, peers, how, ["english"], chosen)
        goals.append(Goal(f"ASCII, the worst size of {label}", min(ratios.values()), 1.0, 1.2, remark=_spread(ratios)))
    add("1 KiB, all kinds, against simdutf bound", times.ratios(best, peers, "bound", KINDS, [KIB]), 1.4, 1.8)
    if 64 * MIB in sizes:
        add("64 MiB, all kinds, against simdutf in C", times.ratios(best, peers, "c", KINDS, [64 * MIB]), 1.2, 1.45)
    return goals


def own_goals(times: Times, sizes: list[int]) -> list[Goal]:
    """Return the goals that need no peer but this Python."""
    ratios = times.ratios(("best", "python"), ["bytes.decode"], "python", NON_ASCII, [MIB])
    goals = [
        Goal("1 MiB non-ASCII against bytes.decode", geometric_mean(ratios.values()), 25, 42, remark=_spread(ratios))
    ]
    short = [each for each in sizes if each <= 64]
    above = {
        (kind, size): times.rows[("best", "python", kind, size)] - times.rows[("empty", "python", kind, size)]
        for kind in KINDS
        for size in short
    }
    goals.append(
        Goal("8 to 64 B: above an empty METH_O call, the worst", max(above.values()), 6, 3, " ns", True, _spread(above))
    )
    ratios = times.ratios(("first_error", "python"), ["best"], "python", KINDS, [s for s in sizes if s >= 64])
    goals.append(
        Goal(
            "first_error / is_valid, all sizes from 64 B",
            geometric_mean(ratios.values()),
            0.9,
            0.97,
            remark=_spread(ratios),
        )
    )
    ratios = times.ratios(("feed", "python"), ["best"], "python", KINDS, [64 * KIB])
    goals.append(
        Goal(
            "IncrementalValidator.feed / is_valid, 64 KiB chunks",
            geometric_mean(ratios.values()),
            0.9,
            remark=_spread(ratios),
        )
    )
    return goals
