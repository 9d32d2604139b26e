"""Levels are budgets: the lower level first in every mode, and what the next will take is said before it is taken."""

from __future__ import annotations

import re
import time

from utf8_abnf import first_error, is_valid
from utf8_abnf.conformance.harness.answers.judging import PORTION, judge_verdicts
from utf8_abnf.conformance.harness.clock import Clock
from utf8_abnf.conformance.harness.driving.worker import Limits
from utf8_abnf.conformance.harness.options import RunOptions
from utf8_abnf.conformance.harness.run import execute
from utf8_abnf.conformance.harness.sending import Answered
from utf8_abnf.conformance.suite import batches, family_of


class Right:
    """A right decoder that tells offsets."""

    def first_error(self, data):
        error = first_error(data)
        return error and (error.start, error.length)


def slow(data):
    """A right decoder that needs half a second for a mebibyte, so 8 seconds for 16."""
    time.sleep(len(data) / (1 << 21) if len(data) > 100_000 else 0)
    return is_valid(data)


def test_every_mode_is_asked_at_one_level_before_the_next():
    report = execute(Right(), RunOptions(level="L2", families=("named", "W/k0", "rests")))
    assert [(row.name, row.mode) for row in report.families] == [
        ("named", "v"), ("named", "p"), ("W/k0", "v"), ("W/k0", "p"), ("rests", "v"), ("rests", "p"),
    ]  # fmt: skip
    assert sum(note.startswith("offsets") for note in report.notes) == 1


def test_what_a_slow_decoder_was_not_sent_is_named_as_not_judged():
    report = execute(slow, RunOptions(level="L2", families=("vast", "named"), limits=Limits(silence=1.0)))
    assert [row.name for row in report.families] == ["named"]
    assert [re.sub(r"\d+ s$", "8 s", text) for text in report.not_judged] == [
        "family vast not judged in mode v: 16 MiB would take it 8 s"
    ]
    assert family_of("vast", "L2").longest > 1 << 24


def test_a_decoder_that_has_answered_every_case_is_not_called_too_slow():
    clock = Clock(60, None)
    clock.total, clock.failed = 498, True  # then a tenth of the time is kept for explaining
    clock._began -= 57
    clock.done = 498
    assert not clock.overdue()
    assert not clock.reason
    clock.total = 9_000_000
    assert clock.overdue().startswith("too slow: 498 of 9,000,000 cases in 57 s, 0.11 s a case. Allow more with")


def test_answers_are_judged_in_portions_so_that_the_run_can_look_at_the_clock():
    batch = next(each for each in batches("L1", "W/k0") if len(each) > 2 * PORTION)
    answered = Answered(batch, "v", range(len(batch)), [b"1"] * len(batch))
    portions = list(judge_verdicts(answered))
    assert max(count for count, _ in portions) == PORTION
    assert sum(count for count, _ in portions) == len(batch)
    assert sum(len(judgements) for _, judgements in portions) == batch.verdicts.count(b"0")


def test_cases_that_are_answered_count_while_they_are_judged(monkeypatch):
    """Those of a window that took long counted as not done, and the decoder as too slow for its level."""
    done = []

    def overdue(clock, more=0):
        if clock.family != "explaining":
            done.append(clock.done + more)
        return ""

    monkeypatch.setattr(Clock, "overdue", overdue)
    execute(lambda data: data.decode("utf-8", "surrogatepass"), RunOptions(level="L1", families=("W/k0",)))
    assert done[-1] > 2 * PORTION
    assert done == sorted(done)
