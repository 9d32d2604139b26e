"""What was not asked is neither passed nor failed: a run without a case is an error, and what is left out is named."""

from __future__ import annotations

import pytest

from utf8_abnf import cli
from utf8_abnf.conformance.harness.driving.worker import Limits
from utf8_abnf.conformance.harness.options import RunOptions
from utf8_abnf.conformance.harness.phrases import headline
from utf8_abnf.conformance.harness.report import FamilyResult, Report
from utf8_abnf.conformance.harness.run import execute
from utf8_abnf.conformance.suite import why_empty
from utf8_abnf.errors import UsageError
from utf8_abnf.grammar import Grammar

URI = ["--grammar", "uri", "--start", "IPv6address"]
FIRST = "L0 has no case for IPv6address; L1 is the first level that has (4,777)"


def right(data):
    data.decode()


def surrogates(data):
    data.decode("utf-8", "surrogatepass")


def test_a_level_without_a_case_is_an_error(capsys):
    assert cli.main(["test", f"py:{__name__}:right", "--level", "L0", *URI, "--format", "json"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert FIRST in err


@pytest.mark.parametrize("words", [
    ["suite", "export"], ["suite", "list", "--family", "W/k0"], ["suite", "show", "W/k0/empty"],
], ids=" ".join)  # fmt: skip
def test_every_command_says_which_level_has_cases(words, capsys):
    assert cli.main([*words, "--level", "L0", *URI]) == 2
    assert FIRST in capsys.readouterr().err


def test_a_grammar_that_is_too_large_for_every_level_is_said_to_be(monkeypatch):
    monkeypatch.setattr("utf8_abnf.conformance.suite.levels.MAX_SENT", 100)
    monkeypatch.setattr("utf8_abnf.conformance.suite.levels.MAX_JUDGED", 1000)
    why = why_empty("L3", grammar=Grammar.load("uri"), start="IPv6address")
    assert why == "no level has cases for IPv6address: V·Σ^≤1·W has 1,589,353, and at most 1,000 are offered"


@pytest.mark.parametrize(("options", "why"), [
    ({"families": ("nosuch",)}, "no family of L1 matches 'nosuch'; it has named, stream/first, W/k0,"),
    ({"families": ("named", "nosuch")}, "no family of L1 matches 'nosuch'"),
    ({"ids": ("nosuch",)}, "no case was asked: no case of L1 matches case nosuch"),
    ({"ids": ("V/?",), "grammar": Grammar.load("urn"), "function": bool}, "no case of L1 matches case V/?"),
    ({"families": ("stream/*",)}, "stream/first and stream/named need mode s, and the decoder has v"),
    ({"level": "L3", "families": ("guarded",)}, "guarded needs a C function that is called in process"),
])  # fmt: skip
def test_a_run_that_asks_nothing_is_an_error_that_says_why(options, why):
    target = options.pop("function", right)
    with pytest.raises(UsageError) as error:
        execute(target, RunOptions(**{"level": "L1", "limits": Limits(silence=1.0), **options}))
    assert why in str(error.value)


def test_suite_list_shows_the_one_family_that_is_named(capsys):
    assert cli.main(["suite", "list", "--family", "scalars"]) == 0
    assert capsys.readouterr().out.split()[:3] == ["L2", "scalars", "1,112,064"]
    assert cli.main(["suite", "list", "--family", "nosuch"]) == 2


def test_a_run_that_ended_at_an_expected_failure_has_not_passed():
    expected = {"extra %xED %xA0-BF UTF8-tail": "known"}
    whole = execute(surrogates, RunOptions(level="L1", expected=expected))
    assert (whole.verdict, whole.exit_status) == ("expected", 0)
    ended = execute(surrogates, RunOptions(level="L1", expected=expected, fail_fast=True))
    assert (ended.verdict, ended.stopped, ended.exit_status) == ("stopped", ended.notes[-1], 3)
    assert any(text.endswith(f"cases not judged: {ended.notes[-1]}") for text in ended.not_judged)


def test_a_decoder_that_judges_no_case_is_said_to_have_judged_none():
    row = FamilyResult("named", "v", 498, 498, 0, 0, unsupported=498)
    report = Report("known:x", "x", "", "L0", ("v",), (row,), (), ())
    assert (report.exit_status, headline(report)) == (1, "FAIL: no case could be judged; 498 cases, 0 wrong, 0.0 s")
