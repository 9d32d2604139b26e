"""A session with one decoder: windows of cases go in, and for each case an answer or a Failure comes out.

There is one way to ask again. Where a window fails, its cases are asked in smaller windows, down to one at a time. A
case that fails alone, but not as the first question of its process, is asked once more in a new one: what fails there
too is the fault of the case, and what is answered there is a failure that belongs to no case.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from utf8_abnf.conformance.framing import frame
from utf8_abnf.conformance.harness.driving.leftovers import kill_leftovers
from utf8_abnf.conformance.harness.driving.protocol import find_ends, verdict_of
from utf8_abnf.conformance.harness.driving.worker import (
    CRASH,
    EXCESS_OUTPUT,
    GARBAGE,
    HANG,
    MISSING,
    Failure,
    Limits,
    Reply,
    Window,
    Worker,
)
from utf8_abnf.errors import TargetError

if TYPE_CHECKING:
    from collections.abc import Callable

FIRST_WINDOW = 64  # cases: few, so that a decoder that needs seconds for each is noticed early
BEST_SECONDS = 0.25  # that a window should take
SMALLER = 8  # times: a window that is asked again because it is unknown which of its answers are right
GRACE = 0.05  # seconds to wait for excess output, while we look for the case that causes it

# After so many failures a decoder is not asked any more in a mode: what is known by then is reported. Each hang costs
# up to three times the seconds for an answer, each crash up to three processes.
MAX_FAILURES = {CRASH: 100, HANG: 4, MISSING: 4, GARBAGE: 10, EXCESS_OUTPUT: 5}  # cases
# Crashes that were seen again: from then on one is believed that is seen once; and so many that were not.
MAX_AGAIN = 25
MAX_STARTS = 400
MAX_BEFORE_ANSWER = {CRASH: 12, HANG: 2, MISSING: 2, GARBAGE: 5, EXCESS_OUTPUT: 5}  # if it has never answered
INTERRUPTED = "interrupted"
NOT_AGAIN = "not again when the same cases were asked in smaller groups"
NOT_ALONE = "not again when the same case was asked alone"


@dataclass(slots=True)
class Received:
    """What came back for a window: *values* has an answer or a Failure for each case, in order.

    It has fewer if the session stopped. *as_expected* tells that every answer came and is the expected one; then
    *values* is empty.
    """

    values: list[object] = field(default_factory=list)
    as_expected: bool = False


@dataclass(slots=True)
class _Search:
    """For the cause of *failure*, up to case *until*: *limit* cases at a time; *again*: the next in a new process."""

    limit: int = 0
    until: int = 0
    failure: Failure | None = None
    again: bool = False


class Session:
    """Sends cases to the decoder that *start* starts; starts it again after a failure, and stops after too many.

    *hello* is what the decoder declares. *stopped* says why no more cases are sent, "" while they are. *unattributed*
    are failures whose case could not be found: when its cases were asked again, each was answered.
    *overdue* is told how many cases of a window have been answered; it returns why to stop, "" to go on.
    """

    def __init__(
        self, start: Callable[[Limits], Worker], limits: Limits, overdue: Callable[[int], str] = lambda _: ""
    ) -> None:
        self._start = start
        self._overdue = overdue
        self.limits = limits
        self._worker: Worker | None = start(limits)
        self.hello = self._worker.hello
        self._lasts, self._is_exact = self._worker.lasts, self._worker.exact
        self.stopped = ""
        self.unattributed: list[Failure] = []
        self._gave_up = False  # ``stopped`` is about the decoder's failures
        self._asked_in = ""  # the mode of
        self._asked = 0  # questions to the running process; for another mode it is started again
        self._begin_mode()

    def _begin_mode(self) -> None:
        self._failures = dict.fromkeys(MAX_FAILURES, 0)
        self._answered = self._starts = 0
        self._size = FIRST_WINDOW
        self._careful = False  # excess output has been seen: wait for more of it after each window

    @property
    def verdict_mode(self) -> str:
        """The mode in which verdicts are asked for: v, or the cheapest other mode that the decoder declares."""
        return next(mode for mode in "vpsr" if mode in self.hello.modes)

    def verdicts(self, data: list[bytes]) -> list[bytes | Failure]:
        """Return 1, 0, u or a Failure for each of *data*; fewer when the session is stopped."""
        mode = self.verdict_mode
        frames = b"".join(frame(each, (len(each),)) if mode == "s" else frame(each) for each in data)
        received = self.send(Window(frames, len(data), (1,) * len(data) if mode == "s" else ()), mode)
        pairs = zip(received.values, data, strict=False)
        return [value if isinstance(value, Failure) else verdict_of(mode, value, each) for value, each in pairs]

    def send(self, window: Window, mode: str) -> Received:
        """Return the decoder's answers to the cases of *window* in *mode*."""
        ends, received, search = [0], Received(), _Search()
        try:
            while not self.stopped and (at := len(received.values)) < window.count:
                size = min(self._size, window.count - at)
                if at < search.until:
                    size = min(search.limit, search.until - at, size)
                whole = size == window.count
                reply = self._ask(window if whole else _piece(window, ends, at, at + size), mode, at)
                if reply is None:
                    break
                if whole and reply.answers.all_as_expected and reply.failure is None:
                    return Received(as_expected=True)
                self._take(received, search, reply, size)
        except KeyboardInterrupt:
            self.stopped = INTERRUPTED
        verdicts = b"".join(value for value in received.values if isinstance(value, bytes)) if mode == "v" else b""
        if window.expected and verdicts == window.expected:
            return Received(as_expected=True)
        return received

    def _take(self, received: Received, search: _Search, reply: Reply, size: int) -> None:
        """Keep what can be believed of *reply* to *size* cases, and plan to ask for the others in smaller windows."""
        at, failure, exact = len(received.values), reply.failure, self._worker is not None
        if failure is None:
            received.values += reply.answers.values
            is_through = search.again or len(received.values) >= search.until
            if search.failure and is_through:  # asked alone, or in smaller windows, each was answered
                self._note_unattributed(search)
            return
        if failure.early:  # it belongs to a case that has been answered already
            self.unattributed.append(failure)
            self._count(failure)
            return
        if exact or failure.kind == CRASH:
            received.values += reply.answers.values
        if exact or size == 1:
            if self._may_be_of_another(failure) and not search.again:
                asked = replace(failure, question=self._asked if self._lasts else 0)
                until = max(search.until, len(received.values) + 1)
                search.limit, search.until, search.failure, search.again = 1, until, asked, True
                self._close()
            else:
                received.values.append(failure)
                self._count(failure)
                search.limit, search.until, search.failure, search.again = 0, 0, None, False
                if not exact:
                    self._size = 1  # the next case may fail as well; with each window that does not, it grows
            return
        is_lost = failure.kind in {CRASH, HANG, MISSING}  # else it is not even known which answers are right
        limit = 1 if is_lost else max(1, size // SMALLER)
        search.limit, search.until, search.failure = limit, max(search.until, at + size), failure

    def _note_unattributed(self, search: _Search) -> None:
        assert search.failure
        again = NOT_ALONE if search.again else NOT_AGAIN
        self.unattributed.append(replace(search.failure, detail=f"{search.failure.detail}; {again}"))
        kind = search.failure.kind
        times = sum(each.kind == kind and each.detail.endswith(NOT_ALONE) for each in self.unattributed)
        if search.again and times >= min(MAX_FAILURES[kind], MAX_AGAIN):
            self._give_up(f"it {search.failure.detail}: {times} times by now; {NOT_ALONE}")
        search.failure, search.again = None, False

    def _may_be_of_another(self, failure: Failure) -> bool:
        """Tell whether *failure* may come from what was asked before: then its case is asked again, first of all."""
        if failure.kind == CRASH and self._failures[CRASH] >= MAX_AGAIN:
            return False
        return self._asked > 1 and (self._lasts or failure.kind == CRASH)

    def _ask(self, window: Window, mode: str, at: int) -> Reply | None:
        """Ask once, after *at* other answers; None when the session is stopped.

        A worker that failed, or still owes answers, is closed, unless it is exact.
        """
        try:
            if self._worker is None:
                self._worker, self._asked = self._start(self.limits), 0
            if mode != self._asked_in:
                self._asked, self._asked_in = 0, mode
            began = time.monotonic()
            grace = GRACE if self._careful else 0.0
            reply = self._worker.ask(window, mode, grace=grace, overdue=lambda done: self._is_overdue(at + done))
        except TargetError as error:
            self._give_up(f"the decoder could not be started again: {error}")
            return None
        failure, done = reply.failure, reply.answers.done
        self._asked += done + (failure is not None and not reply.answers.complete)
        self._answered += done
        if failure is None and reply.answers.complete:
            faster = BEST_SECONDS / max(time.monotonic() - began - grace, 1e-4)
            if window.count >= self._size or faster < 1:
                self._size = max(1, min(1 << 20, int(window.count * min(4.0, faster))))
            return reply
        if not self._worker.exact:
            self._close()
        if failure is not None:
            self._note(failure)
        return reply

    def _is_overdue(self, done: int) -> bool:
        self.stopped = self.stopped or self._overdue(done)
        return bool(self.stopped)

    def _close(self) -> None:
        if self._worker is not None and not self._worker.exact:
            self._worker.close()
            self._worker = None

    def _note(self, failure: Failure) -> None:
        self._careful = self._careful or failure.kind in {EXCESS_OUTPUT, GARBAGE}
        if not self._answered:
            self._size = 1  # there may be no case that it answers: do not look for those that it does not
        self._starts += self._worker is None
        if self._starts >= MAX_STARTS:
            self._give_up(f"the decoder had to be started {self._starts} times; the last time it {failure.detail}")
        elif not self._answered and self._starts >= MAX_BEFORE_ANSWER[failure.kind]:
            hint = "; does it flush its output when its input runs dry?" if failure.kind == HANG else ""
            self._give_up(f"the decoder never gave an answer: it {failure.detail}{hint}")

    def _count(self, failure: Failure) -> None:
        """Count a case without an answer."""
        self._failures[failure.kind] += 1
        times = self._failures[failure.kind]
        if not self._answered and sum(self._failures.values()) >= MAX_BEFORE_ANSWER[failure.kind]:
            self._give_up(f"the decoder never gave an answer: it {failure.detail}")
        elif times >= MAX_FAILURES[failure.kind] and not (failure.kind == CRASH and self._is_exact):
            self._give_up(f"it {failure.detail}: {times} cases by now; the others are not asked")

    def _give_up(self, why: str) -> None:
        if not self.stopped:
            self.stopped, self._gave_up = why, True

    def leave_mode(self) -> str:
        """Return why the decoder is not asked any more in this mode, and be ready for another; "" if the run has ended.

        After too many failures only the mode is left; what else stops a session stops it for good.
        """
        if not self._gave_up:
            return ""
        reason, self.stopped, self._gave_up = self.stopped, "", False
        self._begin_mode()
        return reason

    def finish(self) -> None:
        """Tell the decoder that no more cases come, keep the failure that it still causes, and end it."""
        if self._worker is not None:
            self.unattributed += filter(None, [self._worker.finish()])
        self.close()

    def close(self) -> None:
        """End the decoder at once."""
        if self._worker is not None:
            self._worker.close()
            self._worker = None
        kill_leftovers()


def _piece(window: Window, ends: list[int], start: int, end: int) -> Window:
    """Return the cases from *start* to *end* of *window*; *ends* is where its frames end, as far as that was needed."""
    is_rest = end == window.count
    find_ends(ends, window.frames, start if is_rest else end)
    frames = window.frames[ends[start] : None if is_rest else ends[end]]
    return Window(frames, end - start, window.chunks[start:end])
