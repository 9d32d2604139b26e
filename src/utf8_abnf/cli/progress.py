"""The progress of long work on standard error: a line that is drawn again on a terminal, elsewhere one in 30 seconds.

On a terminal it appears after a second and disappears when the work is done. It is ours and not tqdm's or rich's: the
command line needs no library for what it prints, and neither library writes plain lines where no terminal is.
"""

from __future__ import annotations

import os
import sys
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TextIO

BYTES = "GB"  # the unit of work that is counted in bytes
_PATIENCE = 1.0  # seconds before the first line on a terminal
_REDRAW = 0.1  # seconds between two drawings
_HALF_MINUTE = 30.0  # seconds between two lines, where there is no terminal
_MIN_SHARE = 0.05  # of the work done before the time left is told: the first of 420 decoders may take 150 s, or one


class Progress:
    """Counts work done, out of a total where that is known, and shows it on standard error; *quiet*: shows nothing."""

    def __init__(
        self,
        unit: str = BYTES,
        *,
        quiet: bool = False,
        stream: TextIO | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._unit = unit
        self._clock = clock
        self._stream = stream or sys.stderr
        self._terminal = self._stream.isatty()
        self._next = float("inf") if quiet else clock() + (_PATIENCE if self._terminal else _HALF_MINUTE)
        self._drawn = False
        self.start("")

    def start(self, what: str, total: int | None = None) -> None:
        """Start counting at 0 for *what*, whose size is *total* (None: unknown)."""
        self._what, self._total, self._done = what, total, 0
        self._began = self._clock()

    def advance(self, amount: int = 1) -> None:
        """Count *amount* more."""
        self._done += amount
        if self._clock() >= self._next:  # asked here, as it is for each of many small inputs
            self._show()

    def at(self, done: int, total: int | None = None, what: str = "") -> None:
        """Set the count to *done* of *total*; *what* is at work now."""
        self._done, self._total, self._what = done, total, what
        self._show()

    def clear(self) -> None:
        """Take the line away, so that something else can be printed."""
        if self._drawn:
            self._write("\r\x1b[K")
            self._drawn = False

    def _show(self) -> None:
        now = self._clock()
        if now < self._next:
            return
        self._next = now + (_REDRAW if self._terminal else _HALF_MINUTE)
        facts = self._facts(now - self._began)
        if self._terminal:
            room = _columns(self._stream) - len(facts) - 3
            what = self._what if self._what.isascii() else self._what[: room // 2]  # a letter may take two columns
            self._write(f"\r\x1b[K{facts}  {what[: max(0, room)]}")
            self._drawn = True
        else:
            self._write(f"utf8-abnf: {facts}  {self._what}".rstrip() + "\n")

    def _facts(self, elapsed: float) -> str:
        """Return the count and, where they are known, the share and the time left."""
        if not self._total:
            return f"{self._number(self._done)} {self._unit}"
        share = min(1.0, self._done / self._total)
        facts = f"{share:4.0%}  {self._number(self._done)} of {self._number(self._total)} {self._unit}"
        return f"{facts}, {elapsed / share - elapsed:,.0f} s left" if _MIN_SHARE <= share < 1 else facts

    def _number(self, amount: float) -> str:
        return f"{amount / 1e9:.1f}" if self._unit == BYTES else f"{amount:,.0f}"

    def _write(self, text: str) -> None:
        self._stream.write(text)
        self._stream.flush()


def _columns(stream: TextIO) -> int:
    try:
        return os.get_terminal_size(stream.fileno()).columns or 80
    except (ValueError, OSError):
        return 80
