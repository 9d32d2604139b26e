"""The plots of the docs, drawn from a record: throughput over size, one SVG for each kind of text."""

from __future__ import annotations

import csv
import math
from html import escape
from typing import TYPE_CHECKING

from inputs import MEASURED
from table import show

if TYPE_CHECKING:
    from pathlib import Path

WIDTH, HEIGHT, LEFT, TOP, RIGHT, BOTTOM = 640, 360, 56, 40, 170, 40
COLOURS = ("#0b62a4", "#c2410c", "#15803d", "#7e22ce", "#525252", "#a16207", "#be185d")


def draw(record: Path, folder: Path) -> int:
    """Draw one plot for each kind found in *record* into *folder*; return an exit status."""
    with record.open() as file:
        rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
    folder.mkdir(parents=True, exist_ok=True)
    for kind in MEASURED:
        lines = _lines([row for row in rows if row["kind"] == kind])
        target = folder / f"bench-{kind}.svg"
        target.write_text(plot(f"{kind} text: GB/s over size ({record.name})", lines))
        print(target)
    return 0


def _lines(rows: list[dict[str, str]]) -> dict[str, list[tuple[int, float]]]:
    """Return points by peer: ours as Python calls, simdutf's kernels in C (the fastest build), others as they are."""
    speeds: dict[str, dict[int, float]] = {}
    for row in rows:
        who, how = row["who"], row["how"]
        if who.startswith("simdutf") and how == "c":
            name = f"{'-'.join(who.split('-')[:2])} in C"
        elif how == "python" and who in {"avx512", "avx2", "sse4", "neon", "scalar", "bytes.decode", "polars-cast"}:
            name = who
        else:
            continue
        speed, size = float(row["GB/s"]), int(row["size"])
        speeds.setdefault(name, {})[size] = max(speed, speeds.get(name, {}).get(size, 0))
    return {name: sorted(points.items()) for name, points in sorted(speeds.items())}


def plot(title: str, lines: dict[str, list[tuple[int, float]]]) -> str:
    """Return an SVG with logarithmic axes."""
    sizes = [size for points in lines.values() for size, _ in points]
    speeds = [speed for points in lines.values() for _, speed in points]
    low, high = math.floor(math.log10(min(speeds))), math.ceil(math.log10(max(speeds)))

    def x(size: int) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * math.log(size / min(sizes)) / math.log(max(sizes) / min(sizes))

    def y(speed: float) -> float:
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (math.log10(speed) - low) / (high - low)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        'font-family="sans-serif" font-size="12">',
        f"<title>{escape(title)}</title>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
        f'<text x="{LEFT}" y="22" font-size="14">{escape(title)}</text>',
    ]
    for power in range(low, high + 1):
        at = y(10.0**power)
        parts.append(f'<path d="M{LEFT} {at:.1f}H{WIDTH - RIGHT}" stroke="#ddd"/>')
        parts.append(f'<text x="{LEFT - 6}" y="{at + 4:.1f}" text-anchor="end">{10.0**power:g}</text>')
    for size in sorted(set(sizes)):
        label = show(size).replace(" ", "")
        parts.append(
            f'<text x="{x(size):.1f}" y="{HEIGHT - BOTTOM + 16}" text-anchor="middle" font-size="9">{label}</text>'
        )
    for number, (name, points) in enumerate(lines.items()):
        colour = COLOURS[number % len(COLOURS)]
        path = " ".join(f"{x(size):.1f},{y(speed):.1f}" for size, speed in points)
        parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        at = TOP + 16 * number + 8
        parts.append(f'<path d="M{WIDTH - RIGHT + 8} {at}h16" stroke="{colour}" stroke-width="3"/>')
        parts.append(f'<text x="{WIDTH - RIGHT + 28}" y="{at + 4}">{escape(name)}</text>')
    return "\n".join([*parts, "</svg>", ""])
