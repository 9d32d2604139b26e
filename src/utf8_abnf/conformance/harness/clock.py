"""The time of a run: how far it is, and why it has to end once its time is over."""

from __future__ import annotations

import math
import time
from collections.abc import Callable

SHARE_TO_EXPLAIN = 0.1  # of the run's time is kept for the questions after the cases, if something wrong was seen

Progress = Callable[[str, int, int], None]  # called with a family's name, the cases done and the cases of the run


class Clock:
    """Starts when it is made. *total* and *done* count cases; *family* is the name of the family that is being sent.

    *failed*: something wrong has been seen, so that some of the time has to be kept for explaining it. *reason* is why
    the time for the cases was over before all were sent, "" if it was not.
    """

    def __init__(self, max_seconds: float, progress: Progress | None) -> None:
        self.family = ""
        self.done = 0
        self.total = 0
        self.failed = False
        self.reason = ""
        self._end: float | None = None  # of explaining, once it has begun
        self._max_seconds = max_seconds  # 0: no limit
        self._progress = progress
        self._began = time.monotonic()

    @property
    def elapsed(self) -> float:
        """Seconds since the start."""
        return time.monotonic() - self._began

    @property
    def left(self) -> float:
        """Seconds until the run has to end."""
        return max(0.0, self._max_seconds - self.elapsed) if self._max_seconds else math.inf

    def begin_explaining(self, total: int) -> None:
        """Count *total* wrong cases from now on; the questions about them may take the time that is left."""
        self.family, self.done, self.total = "explaining", 0, total
        self._end = self.elapsed + self.left

    def overdue(self, more: int = 0) -> str:
        """Show the progress; return why the run has to end now, or "" if it may go on.

        *more* is how many cases have been answered and are not yet counted in *done*.
        """
        done = self.done + more if self._end is None else self.done
        if self._progress:
            self._progress(self.family, done, self.total)
        if self._end is not None:
            return "" if self.elapsed < self._end else "the time for explaining is over"
        elapsed = self.elapsed
        max_seconds = self._max_seconds * (1 - SHARE_TO_EXPLAIN if self.failed else 1)
        if not max_seconds or elapsed < max_seconds or 0 < self.total <= done:
            return ""
        self.reason = (
            f"too slow: {done:,} of {self.total:,} cases in {elapsed:.0f} s, {elapsed / max(done, 1):.2g} s a "
            "case. Allow more with --max-time, or choose a smaller --level"
        )
        return self.reason
