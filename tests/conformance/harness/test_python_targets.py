"""Python targets as people write them: right ones pass, wrong ones do not, and the report says how it read them."""

import re
import shlex
import sys
import threading
from pathlib import Path

import pytest

from utf8_abnf import cli
from utf8_abnf.conformance import render, run
from utf8_abnf.conformance.harness.driving.answering import Answering
from utf8_abnf.conformance.harness.driving.child import load
from utf8_abnf.conformance.harness.driving.habit import observe, seen_apart
from utf8_abnf.errors import TargetError, UsageError
from utf8_abnf.grammar import Grammar

from .python_targets import right, unclear, wrong

FOLDER = Path(__file__).resolve().parent / "python_targets"


FEW = ("named/*", "stream/named/1+*", "stream/named/1x1/*")


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", right.RIGHT)
def test_a_right_target_conforms(name):
    decoder = load(f"{right.__name__}:{name}")
    report = run(decoder, level="L1", ids=FEW)
    assert report.conforms, render(report, "text")
    assert report.understood in render(report, "text").splitlines()[0]
    assert report.understood


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", wrong.WRONG)
def test_a_wrong_target_deviates(name):
    assert not run(getattr(wrong, name), level="L1", ids=FEW).conforms


#   decoder                                    what the first line says
UNDERSTOOD = [
    (right.returns_none, "accepts when it returns, refuses when it raises"),
    (right.returns_a_verdict, "accepts when its result is true"),
    (right.returns_none_to_refuse, "refuses when it returns None"),
    (right.returns_false_or_falls_off_the_end, "refuses when it returns False"),
    (right.Accepts, "accepts() accepts when it returns, refuses when it raises"),
    (right.FeedAndFinish, "judged as a stream: feed() and finish()"),
    (wrong.never_looks, "was not seen to refuse anything"),
    (wrong.never_refuses, "a class with `replace = staticmethod(FUNCTION)` is judged as a decoder that replaces"),
]


@pytest.mark.parametrize(
    ("decoder", "words"),
    UNDERSTOOD,
    ids=[f"{getattr(each, '__name__', 'a partial')} {words}" for each, words in UNDERSTOOD],
)
def test_the_first_line_says_how_results_were_read(decoder, words):
    assert words in render(run(decoder, level="L0", families=("named",)), "text").splitlines()[0]


def test_a_class_with_the_function_as_its_replace_is_judged_as_one_that_replaces():
    class Decoder:
        replace = staticmethod(wrong.never_refuses)

    report = run(Decoder, level="L0", families=("named",))
    assert report.conforms
    assert report.modes == ("v", "r")


@pytest.mark.parametrize("name", ["looks_up_what_is_not_there", "misses_a_name", "exits"])
def test_an_accident_is_a_crash_and_no_refusal(name):
    report = run(getattr(wrong, name), level="L0", families=("named",))
    assert {trouble.kind for trouble in report.troubles} == {"crash"}
    assert "utf8_abnf" not in report.troubles[0].detail


@pytest.mark.thorough
def test_a_mode_that_breaks_does_not_stop_the_others(monkeypatch):
    monkeypatch.syspath_prepend(FOLDER)
    report = run("py:wrong:BreaksInOneMode", level="L1", ids=FEW)
    asked = {mode: sum(each.passed for each in report.families if each.mode == mode) for mode in "vp"}
    assert asked["v"] == asked["p"] > 400
    assert "in mode r" in report.stopped
    assert not report.conforms


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["returns_none", "Methods.method", "Incremental", "is_a_generator", "Everything"])
def test_a_target_by_name_is_read_in_the_same_way(name, monkeypatch):
    monkeypatch.syspath_prepend(FOLDER)
    report = run(f"py:right:{name}", level="L0", families=("named",))
    assert report.conforms
    assert report.understood == Answering(load(f"right:{name}"), lambda function: list(observe(function, 9))).understood


def test_questions_before_the_first_case_cannot_harm_the_decoder():
    """They are asked in a copy of the process: one that counts, hangs or dies is found by a case, and named."""
    calls = []

    def counts(data):
        calls.append(data)
        if data == b"\xc0\xaf":
            sys.exit(4)
        data.decode()

    assert {each.shown for each in seen_apart(counts, 5)} == {"None", "UnicodeDecodeError"}
    assert not calls


def test_a_slow_decoder_is_asked_what_the_time_allows():
    answered = threading.Event()

    def slow(data):
        if len(data) > 1:
            answered.wait()  # which never ends
        data.decode()

    assert {each.shown for each in seen_apart(slow, 2)} == {"None", "UnicodeDecodeError"}


def test_a_stream_without_an_end_is_named():
    class Endless:
        def feed(self, chunk):
            return chunk.decode()

    with pytest.raises(TargetError, match="neither finish"):
        run(Endless, level="L0")


@pytest.mark.parametrize("name", unclear.UNCLEAR)
def test_what_cannot_be_understood_is_refused_and_not_judged(name):
    with pytest.raises(UsageError, match=r"cannot tell yes from no: it returned .* for 41, .* Wrap it"):
        run(getattr(unclear, name), level="L0")


def test_the_command_line_refuses_it_as_a_wrong_use(monkeypatch, capsys):
    monkeypatch.syspath_prepend(FOLDER)
    assert cli.main(["smoke", "py:unclear:returns_true_for_an_error"]) == 2
    assert "it returned False for 41, True for FF" in capsys.readouterr().err


def test_the_try_of_a_class_is_a_command_that_runs(monkeypatch, capsys):
    monkeypatch.syspath_prepend(FOLDER)
    report = run("py:wrong:Lax", level="L0", families=("named",))
    command = shlex.split(report.deviations[0].reproduce)
    assert command[0] == "utf8-abnf"
    assert cli.main(command[1:]) == 1
    assert "(UTF-8 rejects it)" in capsys.readouterr().out


# ---- other grammars --------------------------------------------------------------------------------------------------

DATE = re.compile(rb"\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])").fullmatch


def truth_or_raise(data):
    data.decode()
    return bool(DATE(data))


@pytest.mark.parametrize(("decoder", "understood"), [
    (DATE, "refuses when it returns None"),
    (lambda data: DATE(data) and DATE(data)[0], "refuses when it returns None"),
    (truth_or_raise, "accepts when its result is true"),
])  # fmt: skip
def test_words_of_a_grammar_tell_how_its_parser_says_yes_and_no(decoder, understood):
    chosen = {"grammar": Grammar.load("date-time"), "start": "full-date", "corpus": [b"2024-02-29", b"1999-12-31"]}
    report = run(decoder, level="L0", **chosen)
    assert (report.understood, report.conforms) == (understood, True)


def test_a_parser_that_refused_each_word_that_it_was_asked_is_not_taken_to_accept_all():
    with pytest.raises(UsageError, match=r"cannot tell yes from no: it returned None for .* --corpus FILE"):
        run(DATE, level="L0", grammar=Grammar.load("date-time"), start="full-date")


def test_a_child_asks_the_words_of_the_grammar(tmp_path, monkeypatch):
    (tmp_path / "parsers.py").write_text(
        "import re\naccepts = re.compile(rb'[0-9]{1,3}([.][0-9]{1,3}){3}').fullmatch\n"
    )
    monkeypatch.chdir(tmp_path)
    report = run("py:parsers:accepts", level="L0", grammar=Grammar.load("uri"), start="IPv4address")
    assert report.understood == "refuses when it returns None"
