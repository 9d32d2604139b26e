"""Evidence: what was seen in process is reported, whatever a second pass shows, and unsteady decoders are called so."""

from __future__ import annotations

import codecs
import itertools
import json
import random
import subprocess

import jsonschema
import pytest

from utf8_abnf.conformance import render, run
from utf8_abnf.harness.formats import FORMATS

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
    "odd_accepts": (["loops"], "extra <only in process> ill-formed text"),
    "odd_rejects": (["W/k0"], "missing <only in process> well-formed text"),
    "aligned_accepts": (["named"], "extra <only in process> ill-formed text"),
    "late_rejects": (["W/k0"], "missing <only in process> well-formed text"),
    "looks_before": (["W/k0"], "extra <only in process> ill-formed text"),
    "every_thousandth": (["W/k0"], "unsteady"),
    "after_ten_thousand": (["W/k0"], "unsteady"),
    "after_error": (["named"], "unsteady"),
}


@pytest.mark.thorough
@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_verdict_in_process_is_a_deviation_whatever_a_second_pass_says(library, name):
    families, key = WRONG[name]
    seconds = 6 if key == "unsteady" else 600  # most of it is for explaining what has no explanation
    report = run(f"lib:{library}:{name}", level="L2", families=families, max_seconds=seconds)
    assert report.failed > 0
    assert report.exit_status == 1
    assert report.unsteady
    assert any(each.key.startswith(key) for each in report.deviations)
    text = render(report, "text")
    assert "UNSTEADY" in text.splitlines()[0]
    if key != "unsteady":
        deviation = next(each for each in report.deviations if each.key == key)
        assert 0 <= deviation.memory.address < 64
        assert deviation.memory.behind.startswith("eight bytes ")
        assert deviation.detail.endswith(NOT_AGAIN)


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
    return run(f"lib:{library}:aligned_accepts", level="L1"), run(f"lib:{library}:reads_before", level="L0")


@pytest.mark.thorough
@pytest.mark.parametrize("name", [name for name in FORMATS if name != "badge"])
def test_every_format_says_where_in_memory_it_was_seen_and_that_it_was_not_seen_again(seen, name):
    for report in seen:
        text = " ".join(render(report, name).split())
        assert "modulo 64" in text
        assert NOT_AGAIN in text
        assert "nsteady" in text or "UNSTEADY" in text


@pytest.mark.thorough
def test_a_report_of_what_was_seen_in_process_obeys_the_schema(seen):
    from importlib.resources import files

    schema = json.loads((files("utf8_abnf.harness.formats") / "report.schema.json").read_text())
    for report in seen:
        jsonschema.validate(json.loads(render(report, "json")), schema)


@pytest.mark.thorough
def test_the_command_that_is_printed_calls_the_decoder_in_process_again(seen):
    for report, status in zip(seen, (0, -11), strict=True):
        (found,) = (each for each in (*report.deviations, *report.troubles) if each.memory)
        command = found.reproduce.replace("echo ", "", 1)
        family, _, command = command.partition(" | ")
        done = subprocess.run(command.split(), input=f"{family}\n", capture_output=True, text=True)
        assert done.returncode == status
        failures = [block["failures"] for line in done.stdout.splitlines() if (block := json.loads(line))]
        assert sum(failures) > 0 or status


@pytest.mark.thorough
def test_a_right_function_in_process_is_steady(library):
    report = run(f"lib:{library}:right", level="L1")
    assert report.conforms
    assert not report.unsteady
    assert "unsteady" not in render(report, "text").lower()


# -- unsteady decoders ------------------------------------------------------------------------------------------------


def right(data):
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def counting(wrong):
    calls = itertools.count(1)
    return lambda data: wrong(next(calls), data)


def after(wrong):
    """Return a decoder that looks at the inputs before."""
    before = [b""]

    def decoder(data):
        before.append(data)
        return right(data) ^ wrong(before[-2], data)

    return decoder


class Position:
    """Another offset at each call."""

    def __init__(self):
        self.calls = itertools.count()

    def first_error(self, data):
        try:
            data.decode()
        except UnicodeDecodeError as error:
            return error.start + next(self.calls) % 2, error.end - error.start


class Text:
    """Another text at each third call."""

    def __init__(self):
        self.calls = itertools.count()

    def replace(self, data):
        return data.decode("utf-8", "replace") + "x" * (next(self.calls) % 3 == 0)


CHANCE = random.Random(13)
UNSTEADY = {
    "alternates": counting(lambda call, data: right(data) ^ (call % 2 == 0)),
    "every hundredth is wrong": counting(lambda call, data: right(data) ^ (call % 97 == 0)),
    "accepts every hundredth": counting(lambda call, data: right(data) or call % 101 == 0),
    "rejects every hundredth": counting(lambda call, data: right(data) and call % 101 != 0),
    "right at first": counting(lambda call, data: right(data) or 50 < call < 400),
    "surrogates, mostly": counting(lambda call, data: right(data) or (call % 7 > 0 and data == b"\xed\xa0\x80")),
    "random": lambda data: right(data) ^ (CHANCE.random() < 0.02),
    "wrong after an error": after(lambda before, _: not right(before)),
    "wrong after a longer input": after(lambda before, data: len(before) > len(data) > 0),
    "right the second time": (lambda known: lambda data: right(data) or (data not in known and not known.add(data)))(
        set()
    ),
    "offsets": Position(),
    "texts": Text(),
}


@pytest.mark.parametrize("name", UNSTEADY)
def test_a_decoder_that_answers_the_same_input_in_two_ways_is_called_unsteady_in_the_first_line(name):
    report = run(UNSTEADY[name], level="L0", max_seconds=2)  # all but a tenth is for explaining what has no explanation
    assert not report.conforms
    assert "UNSTEADY" in render(report, "text").splitlines()[0]
    assert "unsteady" in render(report, "text").splitlines()[1]


def test_a_class_that_was_seen_once_and_not_again_is_not_shown():
    """Its example got two answers, so its conditions are those of a moment."""
    report = run(counting(lambda call, data: right(data) ^ (call % 997 == 0)), level="L1", max_seconds=20)
    assert report.unsteady
    unsteady = {each.example for each in report.deviations if each.kind == "unsteady"}
    shown = [each for each in report.deviations if each.kind != "unsteady"]
    assert all(each.count for each in shown)
    assert {each.line for each in shown if each.example in unsteady} <= {"<not explained>"}


class StripsEveryMark:
    """Leaves out a BOM at the start of each chunk: what it tells depends on the chunks."""

    def __init__(self):
        self.reset()

    def reset(self):
        self.decoder = codecs.getincrementaldecoder("utf-8")()

    def feed(self, chunk):
        return self.decoder.decode(chunk.removeprefix(b"\xef\xbb\xbf"))

    def finish(self):
        return self.decoder.decode(b"", True)


STEADY = {
    "right": right,
    "surrogates": lambda data: right(data.replace(b"\xed\xa0\x80", b"")),
    "nothing": lambda data: False,
    "everything": lambda data: True,
    "no NUL": lambda data: right(data) and 0 not in data,
    "short": lambda data: right(data) and len(data) < 64,
    "every mark": StripsEveryMark(),
}


@pytest.mark.parametrize("name", STEADY)
def test_a_decoder_that_is_wrong_in_one_way_is_not_unsteady(name):
    report = run(STEADY[name], level="L1" if name == "every mark" else "L0", ids=["*named/*"])
    assert not report.unsteady
    assert report.conforms is (name == "right")
