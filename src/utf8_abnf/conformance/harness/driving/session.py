"""A session with one decoder: windows of cases go in, and for each case an answer or a Failure comes out."""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING

from utf8_abnf.conformance.harness.driving.leftovers import kill_leftovers
from utf8_abnf.conformance.harness.driving.protocol import find_ends, singles, verdict_of
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
from utf8_abnf.conformance.suite.framing import frame
from utf8_abnf.errors import TargetError

if TYPE_CHECKING:
    from collections.abc import Callable

FIRST_WINDOW = 64  # cases: few, so that a decoder that needs seconds for each is noticed early
BEST_SECONDS = 0.25  # that a window should take
LONG_SECONDS = 1.0  # of a window: from then on *overdue* is asked after each of its answers
GRACE = 0.05  # seconds to wait for excess output, while we look for the case that causes it

# After so many failures a decoder is not asked any more: what is known by then is reported.
MAX_FAILURES = {CRASH: 25, HANG: 4, MISSING: 10, GARBAGE: 10, EXCESS_OUTPUT: 5}  # cases
MAX_STARTS = 200
MAX_WAITS = 2.5  # times the seconds that an answer may take: so long in all we wait in vain,
MIN_MAX_WAITED = 12.5  # or so many seconds, if that is more
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


class Session:
    """Sends cases to the decoder that *start* starts; starts it again after a failure, and stops after too many.

    *hello* is what the decoder declares. *stopped* says why no more cases are sent, "" while they are. *unattributed*
    are failures whose case could not be found: when its cases were sent again one at a time, each was answered.
    *limits* have less patience with a decoder that hung than at first. *overdue* is told how many cases of a window
    have been answered; it returns why to stop, "" to go on.
    """

    def __init__(
        self, start: Callable[[Limits], Worker], limits: Limits, overdue: Callable[[int], str] | None = None
    ) -> None:
        self._start = start
        self._overdue = overdue
        self.limits = limits
        self._since: float | None = None  # when we began to wait for the next answer, or got the last one,
        self._done = 0  # and how many had come by then
        self._waited = 0.0  # seconds in which no answer came: it may have twice as many in all as
        self._charged = 0.0  # those of them that made us suspicious
        self._lost = 0.0  # seconds for more than these: to be sure, and to start it again
        self._max_waited = max(MIN_MAX_WAITED, MAX_WAITS * limits.silence)
        self._slowest = 0.0  # seconds that cases sent together took, all of which it answered
        self._worker: Worker | None = start(limits)
        self.hello = self._worker.hello
        self._lasts = self._worker.lasts
        self.stopped = ""
        self.unattributed: list[Failure] = []
        self._failures = dict.fromkeys(MAX_FAILURES, 0)
        self._answered = 0
        self._starts = 0
        self._asked = 0  # questions of the running process, since it was started for this mode
        self._asked_in = ""
        self._size = FIRST_WINDOW
        self._gave_up = False  # ``stopped`` is about the decoder's failures
        self._careful = False  # excess output has been seen: wait for more of it after each window

    @property
    def verdict_mode(self) -> str:
        """The mode in which verdicts are asked for: v, or the cheapest other mode that the decoder declares."""
        return next(mode for mode in "vpsr" if mode in self.hello.modes)

    def verdicts(self, data: list[bytes]) -> list[bytes | Failure]:
        """Return 1, 0, u or a Failure for each of *data*; fewer when the session is stopped."""
        mode = self.verdict_mode
        frames = b"".join(_frame_for(mode, each) for each in data)
        received = self.send(Window(frames, len(data), (1,) * len(data) if mode == "s" else ()), mode)
        pairs = zip(received.values, data, strict=False)
        return [value if isinstance(value, Failure) else verdict_of(mode, value, each) for value, each in pairs]

    def send(self, window: Window, mode: str) -> Received:
        """Return the decoder's answers to the cases of *window* in *mode*."""
        if not window.count:
            return Received()
        if window.count <= self._size and not self._careful:
            reply = self._ask(window, mode)
            if reply is not None and reply.failure is None:
                return Received(as_expected=True) if reply.answers.all_as_expected else Received(reply.answers.values)
            return self._send_in_pieces(window, mode, reply)
        return self._send_in_pieces(window, mode, None)

    def _send_in_pieces(self, window: Window, mode: str, reply: Reply | None) -> Received:
        ends = [0]
        received = Received()
        plan = _Plan()
        size = window.count  # of the piece that *reply* is about
        try:
            while (reply is not None or not self.stopped) and (at := len(received.values)) < window.count:
                if reply is None:
                    size = min(plan.size(at, self._size), window.count - at)
                    reply = self._ask(_piece(window, ends, at, at + size), mode, at, alone=plan.alone)
                    if reply is None:
                        break
                exact = self._worker is not None  # a worker that is not exact has been closed
                self._take(received, plan, reply, size, exact=exact)
                reply = None
                if self._overdue and self._answered:
                    self.stopped = self.stopped or self._overdue(len(received.values))
        except KeyboardInterrupt:
            self.stopped = INTERRUPTED
        if mode == "v" and window.expected and received.values == singles(window.expected):
            return Received(as_expected=True)
        return received

    def _take(self, received: Received, plan: _Plan, reply: Reply, size: int, *, exact: bool) -> None:
        at, failure = len(received.values), reply.failure
        if failure is not None and failure.kind in {EXCESS_OUTPUT, GARBAGE} and not exact:
            if failure.early:  # it belongs to a case that has been answered already
                self.unattributed.append(failure)
            elif size == 1 and self._may_be_of_another(failure) and not plan.again:
                self._ask_alone(plan, at, failure)
            elif size == 1:
                received.values.append(failure)
                plan.reset()
                self._size = max(1, self._size // 8)  # the next case may fail as well: then there is less to halve
            else:  # it is unknown which case it was, and which answers are right: ask half of them again
                plan.halve(at, size, failure)
            return
        if failure is not None and failure.kind in {HANG, MISSING} and not exact and size > 1:
            plan.one_by_one(at + size, failure)  # one answer is missing, so the others may belong to other cases
            return
        if failure is not None and failure.kind == MISSING and not plan.again:
            plan.one_by_one(at + 1, failure, again=True)  # it may leave out every so many of its answers
            return
        received.values += reply.answers.values
        if failure is not None and self._may_be_of_another(failure) and not plan.again and (exact or size == 1):
            self._ask_alone(plan, len(received.values), failure)
            return
        if failure is None:
            if plan.failure and len(received.values) >= plan.until:  # in smaller groups each of them was answered
                if not plan.failure.brief:
                    again = NOT_ALONE if plan.again else NOT_AGAIN
                    self.unattributed.append(replace(plan.failure, detail=f"{plan.failure.detail}; {again}"))
                    if plan.again:
                        self._note_not_alone(plan.failure)
                plan.reset()
        elif exact or size == 1:
            received.values.append(failure)
            plan.reset()
        else:  # answers may have been lost in its buffers: ask one by one from the first that is missing
            plan.one_by_one(at + size, failure)

    def _ask(self, window: Window, mode: str, at: int = 0, *, alone: bool = False) -> Reply | None:
        """Ask once, after *at* other answers; None when the session is stopped.

        A worker that failed, or still owes answers, is closed, unless it is exact.
        """
        grace = GRACE if self._careful and not alone else 0.0
        try:
            self._since, self._done = time.monotonic(), 0
            if self._worker is None:
                self._worker, self._asked = self._start(self.limits), 0
                self._lost += time.monotonic() - self._since
            began = self._since = time.monotonic()
            self._asked, self._asked_in = self._asked if mode == self._asked_in else 0, mode
            # For another mode it is started again.
            reply = self._worker.ask(window, mode, grace=grace, overdue=partial(self._is_overdue, began, at))
        except TargetError as error:
            self.stopped = f"the decoder could not be started again: {error}"
            self._gave_up = True
            return None
        finally:
            since, self._since = self._since or 0.0, None
        took = time.monotonic() - began
        self._asked += reply.answers.done + (reply.failure is not None and not reply.answers.complete)
        if reply.failure is None and self.stopped and not reply.answers.complete:
            self._answered += reply.answers.done
            self._close_inexact()
        elif reply.failure is None:
            self._answered += window.count
            self._slowest = max(self._slowest, took)
            faster = BEST_SECONDS / max(took - grace, 1e-4)
            if window.count >= self._size or faster < 1:
                self._size = max(1, min(1 << 20, int(window.count * min(4.0, faster))))
        else:
            is_alone = window.count == 1 and not self._may_be_of_another(reply.failure)
            self._note(reply.failure, len(reply.answers.values), alone=is_alone or reply.failure.early)
            if reply.failure.kind in {HANG, MISSING}:
                waited = self.limits.silence + reply.more
                self._lost += max(0.0, time.monotonic() - since - waited)
                self.note_hang(waited, may_be_slow=not self._answered, what=reply.failure.kind)
            self._close_inexact()
        return reply

    def _may_be_of_another(self, failure: Failure) -> bool:
        """Tell whether *failure* may come from what was asked before: then its case is asked again, first of all."""
        return self._asked > 1 and failure.kind != MISSING and (self._lasts or failure.kind == CRASH)

    def _ask_alone(self, plan: _Plan, at: int, failure: Failure) -> None:
        """Plan to ask for case *at* once more, first of all in a new process."""
        plan.one_by_one(at + 1, replace(failure, question=self._asked if self._lasts else 0), again=True)

    def _is_overdue(self, began: float, at: int, done: int) -> bool:
        """Tell whether the window that *began* then has to end, with *done* answers after *at* others."""
        if done != self._done:
            self._since, self._done = time.monotonic(), done
        if self._overdue and time.monotonic() - began > LONG_SECONDS:
            self.stopped = self.stopped or self._overdue(at + done)
        return bool(self.stopped)

    def waited_in_vain(self) -> float:
        """Return for how many seconds we waited in vain: before each failure, and since the last answer."""
        return self._lost + self._waited + (time.monotonic() - self._since if self._since else 0.0)

    def _close_inexact(self) -> None:
        if self._worker is not None and not self._worker.exact:
            self._worker.close()
            self._worker = None

    def _note(self, failure: Failure, answered: int, *, alone: bool) -> None:
        self._answered += answered
        if not self._answered:
            self._size = 1  # there may be no case that it answers: do not look for those that it does not
        self._careful = self._careful or failure.kind in {EXCESS_OUTPUT, GARBAGE}
        goes_on = self._worker is not None and self._worker.exact
        if alone or goes_on:  # if other cases were asked with it, it will be asked again
            self._failures[failure.kind] += 1
        self._starts += not goes_on
        times = self._failures[failure.kind]
        if not self._answered and sum(self._failures.values()) >= MAX_BEFORE_ANSWER[failure.kind]:
            is_stream = not goes_on  # which answers on standard output
            hint = "; does it flush its output when its input runs dry?" if failure.kind == HANG and is_stream else ""
            self.stopped = f"the decoder never gave an answer: it {failure.detail}{hint}"
        elif times >= MAX_FAILURES[failure.kind] and not (goes_on and failure.kind == CRASH):
            self.stopped = f"it {failure.detail}: {times} cases by now; the others are not asked"
        elif self._starts >= MAX_STARTS:
            self.stopped = f"the decoder had to be started {self._starts} times; the last time it {failure.detail}"
        self._gave_up = bool(self.stopped)

    def _note_not_alone(self, failure: Failure) -> None:
        """Stop where the decoder failed often enough about cases that it answers when they are asked alone."""
        times = sum(each.kind == failure.kind and each.detail.endswith(NOT_ALONE) for each in self.unattributed)
        if times >= MAX_FAILURES[failure.kind]:
            self.stopped = self.stopped or f"it {failure.detail}: {times} times by now; {NOT_ALONE}"
            self._gave_up = True

    def note_hang(self, waited: float, *, may_be_slow: bool = False, what: str = HANG) -> None:
        """Count *waited* seconds in which no answer came, and stop when it was enough.

        From then on half as many make us suspicious, but no less than an eighth of those at first, and as many as
        before for a decoder that *may_be_slow*, because it has not answered yet.
        """
        self._waited += waited
        self._charged += self.limits.silence
        if not may_be_slow:
            least = max(self.limits.longest / 8, 4 * self._slowest)
            silence = max(self.limits.silence / 2, min(self.limits.silence, least))
            self.limits = replace(self.limits, silence=round(silence, 2), first=self.limits.longest)
        if self._worker is not None:
            self._worker.limits = self.limits
        if max(self._charged, self._waited / 2) >= self._max_waited:
            does = "leaves answers out" if what == MISSING else "hangs"
            self.stopped = self.stopped or f"it {does}: we waited {self._waited:.0f} s for answers that did not come"
            self._gave_up = False

    def leave_mode(self) -> str:
        """Return why the decoder is not asked any more in this mode, and be ready for another; "" if the run has ended.

        After too many failures only the mode is left; what else stops a session stops it for good.
        """
        if not self._gave_up:
            return ""
        reason, self.stopped, self._gave_up = self.stopped, "", False
        self._failures = dict.fromkeys(MAX_FAILURES, 0)
        self._answered = self._starts = 0
        self._size, self._careful = FIRST_WINDOW, False
        return reason

    def finish(self) -> None:
        """Tell the decoder that no more cases come, keep the failure that it still causes, and end it."""
        if self._worker is not None:
            failure = self._worker.finish()
            if failure is not None:
                self.unattributed.append(failure)
        self.close()

    def close(self) -> None:
        """End the decoder at once."""
        if self._worker is not None:
            self._worker.close()
            self._worker = None
        kill_leftovers()


@dataclass(slots=True)
class _Plan:
    """How many cases to ask at a time, up to case *until*, to find the cause of *failure*; *alone*: one by one.

    *again*: one that was asked alone is asked once more, in a new process.
    """

    limit: int = 0
    until: int = 0
    failure: Failure | None = None
    alone: bool = False
    again: bool = False

    def size(self, at: int, usual: int) -> int:
        return min(self.limit, self.until - at, usual) if at < self.until else usual

    def halve(self, at: int, size: int, failure: Failure) -> None:
        self.limit, self.until, self.failure, self.alone = size // 2, max(self.until, at + size), failure, False

    def one_by_one(self, until: int, failure: Failure, *, again: bool = False) -> None:
        self.limit, self.until, self.failure, self.alone, self.again = 1, until, failure, True, again

    def reset(self) -> None:
        self.limit, self.until, self.failure, self.alone, self.again = 0, 0, None, False, False


def _piece(window: Window, ends: list[int], start: int, end: int) -> Window:
    """Return the cases from *start* to *end* of *window*; *ends* is where its frames end, as far as that was needed."""
    is_rest = end == window.count
    find_ends(ends, window.frames, start if is_rest else end)
    frames = window.frames[ends[start] : None if is_rest else ends[end]]
    return Window(frames, end - start, window.chunks[start:end])


def _frame_for(mode: str, data: bytes) -> bytes:
    return frame(data, (len(data),)) if mode == "s" else frame(data)
