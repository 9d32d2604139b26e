"""Evidence: what was seen in process is reported, whatever a second pass shows, and unsteady decoders are called so."""

from __future__ import annotations

import itertools
import json
import os
import random
import subprocess

import jsonschema
import pytest

from utf8_abnf import first_error, is_valid
from utf8_abnf.conformance import render, run
from utf8_abnf.conformance.harness.driving.worker import Failure
from utf8_abnf.conformance.harness.evidence import Evidence
from utf8_abnf.conformance.harness.formats import FORMATS
from utf8_abnf.conformance.harness.opening import open_target
from utf8_abnf.errors import TargetError, UsageError

NOT_AGAIN = "not seen again when asked in a process of its own"


@pytest.fixture(scope="module")
def library(root, tmp_path_factory):
    path = tmp_path_factory.mktemp("in-process") / "decoders.so"
    source = root / "tests" / "zoo" / "in_process.c"
    try:
        subprocess.run(["cc", "-O1", "-shared", "-fPIC", "-o", path, source], check=True)
    except FileNotFoundError:
        pytest.skip("needs cc: apt-get install gcc")
    return path


#   function               families to ask      what is reported
WRONG = {
    "odd_accepts": (["loops"], "extra"),
    "odd_rejects": (["W/k0"], "missing"),
    "aligned_accepts": (["named"], "extra"),
    "late_rejects": (["W/k0"], "missing"),
    "looks_before": (["W/k0"], "extra"),
    "every_thousandth": (["W/k0"], "unsteady"),
    "after_ten_thousand": (["W/k0"], "extra"),
    "after_error": (["named"], "unsteady"),
}


@pytest.mark.thorough
@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_verdict_in_process_is_a_deviation_whatever_a_second_pass_says(library, name):
    families, kind = WRONG[name]
    report = run(f"lib:{library}:{name}", level="L2", families=families)
    assert report.failed > 0
    assert report.exit_status == 1
    assert report.unsteady
    assert any(each.kind == kind for each in report.deviations)
    text = render(report, "text")
    assert "UNSTEADY" in text.splitlines()[0]
    if kind != "unsteady":
        deviation = next(each for each in report.deviations if each.memory)
        assert deviation.kind == kind
        assert 0 <= deviation.memory.address < 64
        assert deviation.memory.behind.startswith("eight bytes ")
        assert deviation.detail.endswith(NOT_AGAIN)


@pytest.mark.parametrize("name", ["keeps_what_is_owed", "long_after_a_long_error"])
def test_state_of_a_c_function_that_survives_an_input_is_one_class_with_the_pair(library, name):
    """It was several classes, of which one was said to depend on where the input lies in memory."""
    report = run(f"lib:{library}:{name}", level="L1", families=["named", "behind", "long-inputs"])
    assert [(each.kind, each.line) for each in report.deviations] == [("unsteady", "state survives an input")]
    assert report.deviations[0].why.startswith("asked behind ")


def test_a_c_function_that_is_wrong_everywhere_is_steady_and_one_class(library):
    report = run(f"lib:{library}:right_but_for_FF", level="L1")
    assert [(each.kind, each.line, each.place) for each in report.deviations] == [
        ("extra", "%xFF", "only as the whole input")
    ]
    assert (report.deviations[0].count, report.unsteady) == (report.failed, False)


def test_a_c_function_that_crashes_on_one_input_takes_only_its_child_down(library):
    report = run(f"lib:{library}:aborts_at_a_surrogate", level="L1")
    assert {(each.kind, each.data) for each in report.troubles} == {("crash", b"\xed\xa0\x80")}
    assert report.passed == report.cases - len(report.troubles) - report.more_troubles > 29_000


def test_a_symbol_that_is_not_there_is_a_target_error(library):
    with pytest.raises(TargetError, match="has no symbol"):
        run(f"lib:{library}:nothing", level="L0")


def test_the_command_for_a_c_function_is_right_for_bytes_that_a_shell_reads(library):
    reproduce = open_target(f"lib:{library}:right_but_for_quotes").reproduce
    for data in (b'"\x80$', b'"\x80`', b'"\x80"', b"\"\x80'", b'"\x80\\', b'"\x80!'):
        done = subprocess.run(["sh", "-c", reproduce(data)], capture_output=True, text=True, check=True)
        assert done.stdout == "1\n", data


def test_a_c_function_with_errors_for_verdicts_is_refused_with_what_it_returned(library):
    with pytest.raises(UsageError, match=r"it returned 0 for 41, -1 for FF, .* Wrap it"):
        run(f"lib:{library}:returns_an_error", level="L0")


def test_each_crash_is_a_trouble_the_first_with_the_case_that_showed_it():
    def decoder(data):
        if bytes.fromhex("ED A0 80") in data:
            raise TypeError("no such character")
        return is_valid(data)

    report = run(decoder, level="L0")
    number = sum(family.troubled for family in report.families)
    assert number > 2
    assert report.troubles[0].case == "named/surrogate/first"
    assert len(report.troubles) + report.more_troubles == number


@pytest.mark.thorough
def test_a_crash_of_one_kind_in_several_families_is_one_trouble(library):
    report = run(f"lib:{library}:reads_before", level="L1", families=["named", "edges", "behind"])
    (trouble,) = report.troubles
    assert "so in 2 families, in input of 64 to 66 bytes" in trouble.detail
    assert sum(family.troubled for family in report.families) == 2


@pytest.mark.thorough
def test_a_function_that_reads_behind_its_input_crashes_at_l2(library):
    report = run(f"lib:{library}:reads_behind", level="L2", families=["sizes"])
    assert "SIGSEGV" in report.troubles[0].detail
    assert report.troubles[0].memory.behind == "a page that cannot be read"


#   function               families to ask      what is reported
CRASHES = {
    "reads_before": (["named"], "SIGSEGV"),
    "reads_far_before": (["named"], "SIGSEGV"),
    "writes_before": (["named"], "SIGSEGV"),
    "aborts": (["W/k0"], "SIGABRT"),
    "divides": (["W/k0"], "SIG"),
    "exits": (["W/k0"], "exited with status 0"),
    "hangs": (["W/k0"], "gave no answer"),
    "dies_once": (["W/k0"], "SIGABRT"),
}


@pytest.mark.thorough
@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", CRASHES)
def test_a_crash_in_process_is_a_trouble_with_its_case_and_its_place_in_memory(library, name):
    families, words = CRASHES[name]
    report = run(f"lib:{library}:{name}", level="L1", families=families, timeout=1)
    assert report.exit_status != 0
    assert not report.conforms
    assert words in report.troubles[0].detail
    if trouble := next((each for each in report.troubles if each.memory), None):
        assert trouble.case.startswith(families[0])
        assert 0 <= trouble.memory.address < 64
        assert trouble.detail.endswith(NOT_AGAIN)


@pytest.fixture(scope="module")
def seen(library):
    return run(f"lib:{library}:late_rejects", level="L1", families=["W/k0"]), run(
        f"lib:{library}:reads_before", level="L0"
    )


@pytest.mark.thorough
@pytest.mark.parametrize("name", FORMATS)
def test_every_format_says_where_in_memory_it_was_seen_and_that_it_was_not_seen_again(seen, name):
    for report in seen:
        text = " ".join(render(report, name).split())
        assert "modulo 64" in text
        assert NOT_AGAIN in text
        assert "nsteady" in text or "UNSTEADY" in text


@pytest.mark.thorough
def test_a_report_of_what_was_seen_in_process_obeys_the_schema(seen):
    from importlib.resources import files

    schema = json.loads((files("utf8_abnf.conformance.harness.formats") / "report.schema.json").read_text())
    for report in seen:
        jsonschema.validate(json.loads(render(report, "json")), schema)


@pytest.mark.thorough
def test_the_command_that_is_printed_crashes_the_decoder_in_process_again(seen):
    family, _, command = seen[1].troubles[0].reproduce.removeprefix("echo ").partition(" | ")
    done = subprocess.run(command.split(), input=f"{family}\n", capture_output=True, text=True)
    assert done.returncode == -11


@pytest.mark.thorough
def test_a_right_function_in_process_is_steady(library):
    report = run(f"lib:{library}:right", level="L1")
    assert report.conforms
    assert not report.unsteady
    assert "unsteady" not in render(report, "text").lower()


# -- unsteady decoders ------------------------------------------------------------------------------------------------


def counting(wrong):
    calls = itertools.count(1)
    return lambda data: wrong(next(calls), data)


def after(wrong):
    """Return a decoder that looks at the inputs before."""
    before = [b""]

    def decoder(data):
        before.append(data)
        return is_valid(data) ^ wrong(before[-2], data)

    return decoder


class Position:
    """Another offset at each call."""

    def __init__(self):
        self.calls = itertools.count()

    def first_error(self, data):
        error = first_error(data)
        return error and (error.start + next(self.calls) % 2, error.length)


class Text:
    """Another text at each third call."""

    def __init__(self):
        self.calls = itertools.count()

    def replace(self, data):
        return data.decode("utf-8", "replace") + "x" * (next(self.calls) % 3 == 0)


CHANCE = random.Random(13)
PROCESS = os.getpid()
UNSTEADY = {
    "alternates": counting(lambda call, data: is_valid(data) ^ (call % 2 == 0)),
    "every hundredth is wrong": counting(lambda call, data: is_valid(data) ^ (call % 97 == 0)),
    "right at first": counting(lambda call, data: is_valid(data) or 50 < call < 400),
    "surrogates, mostly": counting(lambda call, data: is_valid(data) or (call % 7 > 0 and data == b"\xed\xa0\x80")),
    "random": lambda data: is_valid(data) ^ (CHANCE.random() < 0.02),
    "wrong after an error": after(lambda before, _: not is_valid(before)),
    "wrong after a longer input": after(lambda before, data: len(before) > len(data) > 0),
    "right the second time": (lambda known: lambda data: is_valid(data) or (data not in known and not known.add(data)))(
        set()
    ),
    "in every other process": lambda data: is_valid(data) or (data[:1] == b"\xc0" and os.getpid() != PROCESS),
    "in one process only": lambda data: is_valid(data) or (data[:1] == b"\xc0" and os.getpid() == PROCESS),
    "offsets": Position(),
    "texts": Text(),
}


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", UNSTEADY)
def test_a_decoder_that_answers_the_same_input_in_two_ways_is_called_unsteady_in_the_first_line(name):
    report = run(UNSTEADY[name], level="L0")
    assert not report.conforms
    assert "UNSTEADY" in render(report, "text").splitlines()[0]
    assert "unsteady" in render(report, "text").splitlines()[1]


def test_the_command_for_a_long_input_with_two_answers_is_short():
    report = run(
        counting(lambda call, data: is_valid(data) ^ (len(data) > 900 and call % 2)),
        level="L1",
        ids=["long-inputs/*"],
    )
    found = [each for each in report.deviations if each.kind == "unsteady" and len(each.example) > 900]
    assert found
    assert max(len(each.reproduce) for each in found) < 400


def test_a_class_that_was_seen_once_and_not_again_is_not_shown():
    """Its example got two answers, so its conditions are those of a moment."""
    report = run(counting(lambda call, data: is_valid(data) ^ (call % 997 == 0)), level="L1")
    assert report.unsteady
    unsteady = {each.example for each in report.deviations if each.kind == "unsteady"}
    shown = [each for each in report.deviations if each.kind != "unsteady"]
    assert all(each.count for each in shown)
    assert {each.line for each in shown if each.example in unsteady} <= {"<not explained>"}


STEADY = {
    "right": is_valid,
    "surrogates": lambda data: is_valid(data.replace(b"\xed\xa0\x80", b"")),
    "nothing": lambda data: False,
    "everything": lambda data: True,
    "no NUL": lambda data: is_valid(data) and 0 not in data,
    "short": lambda data: is_valid(data) and len(data) < 64,
}


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", STEADY)
def test_a_decoder_that_is_wrong_in_one_way_is_not_unsteady(name):
    report = run(STEADY[name], level="L0")
    assert not report.unsteady
    assert report.conforms is (name == "right")


def test_failures_that_belong_to_no_case_are_told_once_with_their_number():
    evidence = Evidence()
    floods = [Failure("excess_output", f"wrote {size} bytes more than it was asked for") for size in (61_411, 9, 7)]
    evidence.keep_unattributed([*floods, Failure("crash", "was killed")])
    assert [each.failure.detail for each in evidence.no_answers] == [
        "wrote 61411 bytes more than it was asked for; 3 times in this run", "was killed",
    ]  # fmt: skip
