"""Questions to the decoder after the cases: none is asked twice, and what is not a verdict is not taken for one."""

from types import SimpleNamespace

import pytest

from utf8_abnf.conformance.harness.driving.worker import CRASH, Failure
from utf8_abnf.conformance.harness.sending import Answered
from utf8_abnf.conformance.harness.verdicts.questions import MAX_EXPENSIVE_QUESTIONS, Questions

SAID = {b"a": b"1", b"b": b"0", b"c": b"u", b"d": Failure(CRASH, "died")}


@pytest.fixture
def session():
    asked = []

    def verdicts(words):
        asked.extend(words)
        return [SAID[word] for word in words]

    return SimpleNamespace(verdicts=verdicts, asked=asked, stopped="")


def test_no_word_is_asked_twice(session):
    ask = Questions(session, expensive=False)
    assert ask([*SAID, *SAID]) == [True, False, None, None] * 2
    assert ask(list(SAID)) == [True, False, None, None]
    assert session.asked == list(SAID)


def test_what_a_process_said_of_a_case_is_remembered_as_it_was_said(session):
    ask = Questions(session, expensive=True)
    batch = SimpleNamespace(data=list(SAID).__getitem__)
    ask.remember(Answered(batch, "v", range(4), list(SAID.values())))
    assert ask(list(SAID)) == [True, False, None, None]
    assert not session.asked


def test_beyond_the_budget_nothing_is_said_and_that_is_told():
    asked = []
    session = SimpleNamespace(verdicts=lambda words: asked.extend(words) or [b"1"] * len(words), stopped="")
    ask = Questions(session, expensive=True)
    answers = ask([b"%d" % number for number in range(MAX_EXPENSIVE_QUESTIONS + 1)])
    assert len(asked) == MAX_EXPENSIVE_QUESTIONS
    assert answers == [True] * MAX_EXPENSIVE_QUESTIONS + [None]
    assert f"{MAX_EXPENSIVE_QUESTIONS:,}" in ask.used_up


def test_when_the_time_is_over_nothing_more_is_asked(session):
    ask = Questions(session, expensive=False, overdue=lambda: "time is over")
    assert ask([b"a"]) == [None]
    assert not session.asked
    assert ask.used_up == "time is over"
