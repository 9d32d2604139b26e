"""utf8_abnf.files.arrow beside the casts of pyarrow and polars and a loop in Python: ``python tools/bench/columns.py``.

Columns of 100,000 rows of about 70 bytes and of 12 bytes: all well-formed, and with one bad row in a hundred, which the
casts refuse. "whole" is the kernel on all the bytes in one piece: no column is faster. Rounds are interleaved and the
best CPU time of each counts; figures are ns for a row. Exit status 1 where a goal is missed on well-formed rows of 70
bytes: ten times pyarrow's cast, twice polars', three times the loop. Needs pyarrow and polars.
"""

from __future__ import annotations

import argparse
import platform
import random
import sys
import time
from typing import TYPE_CHECKING

import polars
import pyarrow
from inputs import text

import utf8_abnf
from utf8_abnf import kernel
from utf8_abnf.files import arrow

if TYPE_CHECKING:
    from collections.abc import Callable

ROWS = 100_000  # 7 MB: peers and we read from the cache
GOALS = {"pyarrow cast": 10.0, "polars cast": 2.0, "loop": 3.0}


def rows_of(kind: str, size: int, *, bad: int) -> list[bytes]:
    """Return rows of about *size* bytes of text, cut between characters; *bad* of 100 are ill-formed."""
    characters = text(kind, 1 << 20).decode(errors="ignore")
    each = round(size * len(characters) / len(characters.encode()))
    chance = random.Random(1)  # noqa: S311  # no secret
    rows = []
    for number in range(ROWS):
        start = chance.randrange(len(characters) - 2 * each)
        row = characters[start : start + chance.randint(each // 2, each + each // 2)].encode()
        rows.append(row + b"\xe9" if number % 100 < bad else row)
    return rows


def best_times(functions: dict[str, Callable[[], object]], rounds: int) -> dict[str, float]:
    """Return the best CPU time of each function, in ns for a row."""
    best = dict.fromkeys(functions, float("inf"))
    for _ in range(rounds):
        for name, function in functions.items():
            start = time.process_time()
            try:
                function()
            except (pyarrow.ArrowInvalid, polars.exceptions.ComputeError):
                best[name] = float("nan")
                continue
            best[name] = min(best[name], (time.process_time() - start) / ROWS * 1e9)
    return best


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=7)
    options = parser.parse_args()
    print(f"CPython {platform.python_version()}, {platform.machine()}, {kernel.name}, "
          f"pyarrow {pyarrow.__version__}, polars {polars.__version__}; ns for a row")  # fmt: skip
    missed = 0
    for kind in ("english", "prose", "cjk"):
        for size, bad in ((70, 0), (70, 1), (12, 0)):
            rows = rows_of(kind, size, bad=bad)
            column, series = pyarrow.array(rows, pyarrow.binary()), polars.Series(rows, dtype=polars.Binary)
            whole = b"".join(rows)
            times = best_times(
                {
                    "whole": lambda whole=whole: utf8_abnf.is_valid(whole),
                    "is_valid": lambda column=column: arrow.is_valid(column),
                    "is_valid, polars": lambda series=series: arrow.is_valid(series),
                    "first_error": lambda column=column: arrow.first_error(column),
                    "replace": lambda column=column: arrow.replace(column),
                    "are_valid": lambda rows=rows: utf8_abnf.are_valid(rows),
                    "loop": lambda rows=rows: [utf8_abnf.is_valid(row) for row in rows],
                    "pyarrow cast": lambda column=column: column.cast(pyarrow.string()),
                    "polars cast": lambda series=series: series.cast(polars.String),
                },
                options.rounds,
            )
            if bad:
                del times["whole"]  # it ends at the first bad row
            print(f"{kind}, {size} bytes, {bad} % bad: " + ", ".join(f"{name} {ns:.1f}" for name, ns in times.items()))
            if (size, bad) == (70, 0):
                ours = {"pyarrow cast": "is_valid", "polars cast": "is_valid, polars", "loop": "is_valid"}
                for name, goal in GOALS.items():
                    if times[name] / times[ours[name]] < goal:
                        missed += 1
                        print(f"  missed: {times[name] / times[ours[name]]:.1f} times {name}, goal {goal:g}")
    print(f"{missed} goals missed" if missed else "all goals met")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
