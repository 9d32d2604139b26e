"""A progress bar for long work: on a terminal only, after a second, and gone without trace when the work is done."""

from __future__ import annotations

import sys
import time

_PATIENCE = 1.0  # seconds before the first drawing
_EVERY = 0.1  # seconds between two
_WIDTH = 30
_GB = 1e9


class Progress:
    """Counts bytes done out of a total (None: not known) and draws the bar on standard error."""

    def __init__(self) -> None:
        self._on = sys.stderr.isatty()
        self._next = time.monotonic() + _PATIENCE
        self._drawn = False
        self.start("", None)

    def start(self, what: str, total: int | None) -> None:
        """Begin to count from nought for *what*."""
        self._what, self._total, self._done = what, total, 0
        self._began = time.monotonic()

    def advance(self, amount: int) -> None:
        """Count *amount* more."""
        self._done += amount
        if self._on and time.monotonic() >= self._next:
            self._next = time.monotonic() + _EVERY
            self._draw()

    def clear(self) -> None:
        """Take the bar away, so that something else can be written."""
        if self._drawn:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
            self._drawn = False

    def _draw(self) -> None:
        speed = self._done / _GB / max(time.monotonic() - self._began, 1e-9)
        line = f"{self._done / _GB:.1f} GB"
        if self._total:
            part = min(1.0, self._done / self._total)
            bar = "#" * round(part * _WIDTH)
            line = f"[{bar:.<{_WIDTH}}] {part:4.0%}  {line} of {self._total / _GB:.1f} GB"
        sys.stderr.write(f"\r\x1b[K{line}, {speed:.1f} GB/s  {self._what[-40:]}")
        sys.stderr.flush()
        self._drawn = True
