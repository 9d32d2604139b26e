"""The time of a run: how far it is, how fast it goes, and why it has to end if it takes too long."""

from __future__ import annotations

import time
from collections.abc import Callable

SECONDS_TO_JUDGE = 10.0  # after these the pace so far tells whether the run can end in time

Progress = Callable[[str, int, int], None]  # called with a family's name, the cases done and the cases of the run


class Clock:
    """Starts when it is made. *total* and *done* count cases; *family* is the name of the family that is being sent."""

    def __init__(self, max_seconds: float, progress: Progress | None) -> None:
        self.family = ""
        self.done = 0
        self.total = 0
        self._max_seconds = max_seconds  # 0: no limit
        self._progress = progress
        self._began = time.monotonic()

    @property
    def elapsed(self) -> float:
        """Seconds since the start."""
        return time.monotonic() - self._began

    def overdue(self, more: int = 0) -> str:
        """Show the progress; return why the run has to end now, or "" if it may go on.

        *more* is how many cases have been answered and are not yet counted in *done*.
        """
        done = self.done + more
        if self._progress:
            self._progress(self.family, done, self.total)
        elapsed = self.elapsed
        if not self._max_seconds or elapsed < min(self._max_seconds, SECONDS_TO_JUDGE):
            return ""
        pace = elapsed / max(done, 1)
        if elapsed < self._max_seconds and pace * self.total < 2 * self._max_seconds:
            return ""
        return (
            f"too slow: {done:,} of {self.total:,} cases in {elapsed:.0f} s, {pace:.2g} s a case; all would take "
            f"{pace * self.total / 60:,.0f} min. Allow more with --max-time, or choose a smaller --level"
        )
