"""Levels are budgets: the lower level first in every mode, and what the next will take is said before it is taken."""

from __future__ import annotations

import re
import time
from functools import partial

import pytest

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
        try:
            data.decode()
        except UnicodeDecodeError as error:
            return error.start, error.end - error.start
        return None


def slow(data):
    """A right decoder that needs half a second for a mebibyte, so 8 seconds for 16."""
    time.sleep(len(data) / (1 << 21) if len(data) > 100_000 else 0)
    return Right().first_error(data) is None


@pytest.mark.parametrize(("allowed", "explains"), [(0, 30), (10, 8), (120, 30), (600, 30), (6_000, 300)])
def test_explaining_takes_longer_where_more_than_ten_minutes_are_allowed(allowed, explains):
    assert Clock(allowed, None).begin_explaining(1) == pytest.approx(explains, rel=0.1)


@pytest.mark.parametrize(("allowed", "ends"), [(0, 60), (100, 60), (40, 32)])
def test_explaining_goes_on_for_as_long_as_other_programs_had_the_processor(allowed, ends, monkeypatch):
    now, queued = [1000.0], [7.0]
    monkeypatch.setattr("utf8_abnf.conformance.harness.clock.time.monotonic", lambda: now[0])
    monkeypatch.setattr("utf8_abnf.conformance.harness.clock.queued", lambda pid: queued[0])
    clock = Clock(allowed, None)
    clock.begin_explaining(1)
    queued[0] += 15
    now[0] += 30
    assert clock.overdue() == ""
    queued[0] += 15
    now[0] = 1000 + ends - 0.1
    assert clock.overdue() == ""
    now[0] += 0.2
    assert clock.overdue() == "the time for explaining is over"


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


def test_what_the_next_level_will_take_is_said_only_where_it_is_long():
    said = []
    clock = Clock(0, None, said.append)
    clock._began -= 40  # forty seconds ago
    clock.done, clock.total = 100, 110
    clock.begin_level("L1", 3)
    assert said == []  # what is left is soon done
    clock._began -= 40
    clock.done, clock.total = 200, 1100
    clock.begin_level("L2", 3)
    assert said == [
        "200 cases, 3 answered wrongly or not at all, in 80 s; "
        "next is L2: at this pace the 900 cases that are left take 6.0 min"
    ]


def test_a_decoder_that_starts_late_is_not_called_too_slow():
    clock = Clock(600, None)
    clock.total = 9_000_000
    clock._began -= 40  # forty seconds ago
    assert not clock.overdue()
    clock.done = 498
    assert not clock.overdue()  # the first answers tell no pace
    clock._began -= 20
    clock.done = 1_000_000
    assert not clock.overdue()
    clock._began -= 60
    assert not clock.overdue()
    clock.done, clock.total = 1_000_100, 900_000_000
    assert clock.overdue().startswith("too slow: 1,000,100 of 900,000,000 cases in 120 s")


def test_a_decoder_that_slows_down_is_told_from_which_case_on():
    clock = Clock(600, None)
    clock.total = 9_000_000
    for seconds, clock.done in ((0.1, 1), (1, 3_000), (5, 3_080), (10, 3_180), (20, 3_380), (31, 3_600)):
        clock._began = time.monotonic() - seconds
        said = clock.overdue()
    assert "; it slows down: 0.0003 s a case up to case 3,000, 0.05 s from there on" in said


def test_a_decoder_that_has_answered_every_case_is_not_called_too_slow():
    clock = Clock(60, None)
    clock.total, clock.failed = 498, True  # then a tenth of the time is kept for explaining
    clock._began -= 57
    clock.done = 498
    assert not clock.overdue()
    assert not clock.reason


def test_what_may_hang_is_not_called_too_slow_alone():
    """A hang in the last seconds of --max-time was: seconds in which no answer came counted as the decoder's pace."""
    clock = Clock(600, None)
    clock.total = 9_000_000
    for seconds, clock.done, in_vain in ((1, 1_000, 0), (5, 400_000, 0), (60, 400_000, 55), (599, 8_000_000, 500)):
        clock.in_vain = partial(float, in_vain)
        clock._began = time.monotonic() - seconds
        assert not clock.overdue()
    clock._began -= 2
    assert clock.overdue() == (
        "it gives no answer, or is too slow: 8,000,000 of 9,000,000 cases in 601 s, 500 s of which we waited in vain, "
        "1.3e-05 s a case. Allow more with --max-time, or choose a smaller --level"
    )


def test_the_start_of_a_decoder_is_not_taken_for_its_pace():
    said = []
    clock = Clock(0, None, said.append)
    clock._began -= 3
    clock.done, clock.total = 498, 9_000_000
    clock.begin_level("L1", 0)
    assert said == []
    clock = Clock(0, None, said.append)
    clock._began -= 60  # until the first case, which was not sent yet
    clock.total = 9_000_000
    clock.begin_level("L0", 0)
    assert said == []


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
