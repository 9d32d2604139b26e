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

WIDTH, HEIGHT, LEFT, TOP, RIGHT, BOTTOM = 640, 376, 64, 40, 178, 56
OURS = {"avx512", "avx2", "neon", "scalar"}
COLOURS = ("#0b62a4", "#c2410c", "#15803d", "#7e22ce", "#525252", "#a16207", "#be185d")
DARK = ("#6cb6ff", "#ff9e64", "#5fd38d", "#c9a0ff", "#b8b8b8", "#e0c060", "#ff8fb8")
# In dark mode each colour has a lighter twin: class c0 is the first of both.
STYLE = "\n".join(
    [
        "<style>svg { color: #222; --paper: #fff; --grid: #ddd }",
        *(f".c{number} {{ stroke: {colour} }}" for number, colour in enumerate(COLOURS)),
        "@media (prefers-color-scheme: dark) { svg { color: #ddd; --paper: #131416; --grid: #3a3a3a }",
        *(f".c{number} {{ stroke: {colour} }}" for number, colour in enumerate(DARK)),
        "} text { fill: currentcolor } polyline { fill: none; stroke-width: 1.5; stroke-dasharray: 5 3 }",
        ".ours { stroke-width: 3.5; stroke-dasharray: none } text.ours { font-weight: bold }</style>",
    ]
)


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
    """Return an SVG with logarithmic axes; our lines are wide and whole, those of others are narrow and dashed."""
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
        f"<desc>{escape(_words(lines))}</desc>",
        STYLE,
        f'<rect width="{WIDTH}" height="{HEIGHT}" style="fill: var(--paper)"/>',
        f'<text x="{LEFT}" y="22" font-size="14">{escape(title)}</text>',
    ]
    for power in range(low, high + 1):
        at = y(10.0**power)
        parts.append(f'<path d="M{LEFT} {at:.1f}H{WIDTH - RIGHT}" style="stroke: var(--grid)"/>')
        parts.append(f'<text x="{LEFT - 6}" y="{at + 4:.1f}" text-anchor="end">{10.0**power:g}</text>')
    for size in sorted(set(sizes)):
        label = show(size).replace(" ", "")
        parts.append(
            f'<text x="{x(size):.1f}" y="{HEIGHT - BOTTOM + 16}" text-anchor="middle" font-size="9">{label}</text>'
        )
    middle = TOP + (HEIGHT - TOP - BOTTOM) / 2
    parts.append(f'<text x="16" y="{middle}" text-anchor="middle" transform="rotate(-90 16 {middle})">GB/s</text>')
    middle = LEFT + (WIDTH - LEFT - RIGHT) / 2
    parts.append(f'<text x="{middle}" y="{HEIGHT - 12}" text-anchor="middle">size of the text in one call</text>')
    for number, (name, points) in enumerate(lines.items()):
        colour = f"c{number % len(COLOURS)}{' ours' if name in OURS else ''}"
        path = " ".join(f"{x(size):.1f},{y(speed):.1f}" for size, speed in points)
        parts.append(f'<polyline points="{path}" class="{colour}"/>')
        at = TOP + 16 * number + 8
        parts.append(f'<polyline points="{WIDTH - RIGHT + 8},{at} {WIDTH - RIGHT + 28},{at}" class="{colour}"/>')
        mark = f' class="ours">{escape(name)} (ours)' if name in OURS else f">{escape(name)}"
        parts.append(f'<text x="{WIDTH - RIGHT + 34}" y="{at + 4}"{mark}</text>')
    return "\n".join([*parts, "</svg>", ""])


def _words(lines: dict[str, list[tuple[int, float]]]) -> str:
    """Return what a reader without the picture needs: each line's speed at its largest size."""
    speeds = sorted(((points[-1][1], points[-1][0], name) for name, points in lines.items()), reverse=True)
    return "; ".join(
        f"{name}{' (ours)' if name in OURS else ''} {speed:.3g} GB/s at {show(size)}" for speed, size, name in speeds
    )
