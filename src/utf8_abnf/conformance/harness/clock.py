"""The time of a run: how far it is, how fast it goes, and why it has to end if it takes too long."""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable

from utf8_abnf.conformance.harness.driving.process import queued

SECONDS_TO_SAY = 1.0  # a level that took less shows no pace,
CASES_TO_SAY = 5_000  # nor one with fewer cases, unless these were slow: starting the decoder takes time
SECONDS_TO_WAIT = 30.0  # for what takes less nobody needs to be told
SECONDS_TO_JUDGE = 10.0  # after the first answers, at least: then their pace tells whether the run can end in time
SECONDS_OF_PACE = 0.5  # between two looks at the pace
SLOWER = 4  # times: then a decoder is said to slow down
SHARE_TO_JUDGE = 0.05  # of the run's time, at least, for the same: the cases that come first are the slow ones
SHARE_TO_EXPLAIN = 0.1  # of the run's time is kept for explaining, if there is anything to explain
SECONDS_TO_EXPLAIN = 30.0  # that explaining takes at most,
SHARE_FOR_EXPLAINING = 0.05  # of the run's time where that is longer: who allows hours wants the causes,
SHARE_TO_ASK_AGAIN = 0.2  # of the time that is left when explaining begins is kept for asking again in fresh processes
SECONDS_IF_UNSTEADY = 2.0  # and the seconds if the decoder is unsteady

Progress = Callable[[str, int, int], None]  # called with a family's name, the cases done and the cases of the run


class Clock:
    """Starts when it is made. *total* and *done* count cases; *family* is the name of the family that is being sent.

    *failed*: something wrong has been seen, so that some of the time has to be kept for explaining it. *reason* is why
    the time for the cases was over before all were sent, "" if it was not.

    *say* is told in words what the levels so far showed and what the next one will take. *in_vain* returns for
    how many seconds no answer came: they tell nothing about the decoder's pace, for it may hang.
    """

    def __init__(self, max_seconds: float, progress: Progress | None, say: Callable[[str], None] | None = None) -> None:
        self.family = ""
        self.done = 0
        self.total = 0
        self.failed = False
        self.reason = ""
        self.in_vain: Callable[[], float] = lambda: 0.0
        self._end_of_explaining: float | None = None
        self._last_end_of_explaining = math.inf
        self._queued: float | None = None  # seconds for which we had no processor when explaining began
        self._max_seconds = max_seconds  # 0: no limit
        self._progress = progress
        self._say = say
        self._level_began, self._level_done = 0.0, 0
        self._began = time.monotonic()
        self._first: tuple[float, int] | None = None  # when cases were first seen to be done, and how many,
        self._seen: list[tuple[float, int]] = []  # and the same now and then

    def begin_level(self, level: str, failures: int) -> None:
        """Say what was found so far, and what is left from *level* on will take, unless that is soon done."""
        left = self.total - self.done
        took, cases = self.elapsed - self._level_began, self.done - self._level_done
        self._level_began, self._level_done = self.elapsed, self.done
        shows_pace = took > SECONDS_TO_SAY and (cases > CASES_TO_SAY or (cases and took > SECONDS_TO_WAIT))
        seconds = took / max(cases, 1) * left
        if self._say and shows_pace and seconds > SECONDS_TO_WAIT:
            self._say(
                f"{self.done:,} cases, {failures:,} answered wrongly or not at all, in {self.elapsed:.0f} s; "
                f"next is {level}: at this pace the {left:,} cases that are left take {seconds / 60:,.1f} min"
            )

    @property
    def elapsed(self) -> float:
        """Seconds since the start."""
        return time.monotonic() - self._began

    @property
    def left(self) -> float:
        """Seconds until the run has to end."""
        return max(0.0, self._max_seconds - self.elapsed) if self._max_seconds else math.inf

    def begin_explaining(self, total: int) -> float:
        """Count *total* wrong cases from now on; return the seconds until explaining them has to end.

        It ends within the run's time, a little before its end, and 30 seconds from now, or later where the run was
        given more than ten minutes.
        Within the run's time, the seconds for which we had no processor are added: what a report says should not depend
        on what else the machine does.
        """
        self.family, self.done, self.total = "explaining", 0, total
        left = self.left * (1 - SHARE_TO_ASK_AGAIN)
        seconds = left
        self._end_of_explaining = self.elapsed + seconds
        self._last_end_of_explaining = self.elapsed + left
        self._queued = queued(os.getpid())
        return seconds

    def shorten_explaining(self) -> None:
        """Let explaining end soon, because the decoder gives two answers to one input: little can be learned of it."""
        if self._end_of_explaining is not None:
            self._end_of_explaining = min(self._end_of_explaining, self.elapsed + SECONDS_IF_UNSTEADY)
            self._queued = None

    def overdue(self, more: int = 0) -> str:
        """Show the progress; return why the run has to end now, or "" if it may go on.

        *more* is how many cases have been answered and are not yet counted in *done*.
        """
        explaining = self._end_of_explaining is not None  # then questions are answered, and no cases
        done = self.done if explaining else self.done + more
        if self._progress:
            self._progress(self.family, done, self.total)
        elapsed = self.elapsed
        if self._end_of_explaining is not None:
            if elapsed >= self._end_of_explaining and self._queued is not None:
                before, self._queued = self._queued, queued(os.getpid())
                later = self._end_of_explaining + self._queued - before
                self._end_of_explaining = min(later, self._last_end_of_explaining)
            return "the time for explaining is over" if elapsed >= self._end_of_explaining else ""
        max_seconds = self._max_seconds * (1 - SHARE_TO_EXPLAIN if self.failed else 1)
        in_vain = self.in_vain()
        answered = elapsed - in_vain  # the seconds for the answers that came
        if self._first is None and done:
            self._first = answered, done
        if done and answered - (self._seen[-1][0] if self._seen else 0) > SECONDS_OF_PACE:
            self._seen.append((answered, done))
        began, before = self._first or (answered, 0)
        seconds_to_judge = max(SECONDS_TO_JUDGE, SHARE_TO_JUDGE * max_seconds)
        if not max_seconds or (elapsed < max_seconds and answered - began < seconds_to_judge):
            return ""
        if 0 < self.total <= done:
            return ""
        pace = (answered - began) / (done - before) if done > before else answered / max(done, 1)
        if elapsed < max_seconds and pace * self.total < 2 * self._max_seconds:
            return ""
        may_hang = in_vain > max(1.0, SLOWER * pace)
        waited = f", {in_vain:.0f} s of which we waited in vain" if may_hang else ""
        minutes = pace * self.total / 60
        self.reason = (
            f"{'it gives no answer, or is too slow' if may_hang else 'too slow'}: {done:,} of {self.total:,} cases in "
            f"{elapsed:.0f} s{waited}, {pace:.2g} s a case"
            + f"; all would take {minutes:,.0f} min" * (60 * minutes > elapsed)
            + f"{self._slowing(began, before)}. Allow more with --max-time, or choose a smaller --level"
        )
        return self.reason

    def _slowing(self, began: float, before: int) -> str:
        """Return in words from which case on the decoder is slower than before, "" if it is not by far."""
        end, done = self._seen[-1] if self._seen else (began, before)
        paces = [
            ((seconds - began) / (cases - before), (end - seconds) / (done - cases), cases)
            for seconds, cases in self._seen
            if before < cases < done and seconds > began
        ]
        fast, slow, cases = max(paces, key=lambda each: each[1] / each[0], default=(1.0, 1.0, 0))
        slows = f"; it slows down: {fast:.2g} s a case up to case {cases:,}, {slow:.2g} s from there on"
        return slows if slow > SLOWER * fast else ""
