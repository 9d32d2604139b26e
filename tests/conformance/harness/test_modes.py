"""Modes p and r: wrong offsets and texts are deviations under every convention, right ones never are."""

from __future__ import annotations

import sys
import xml.etree.ElementTree as ET
from itertools import product

import pytest

from utf8_abnf.conformance import render, run
from utf8_abnf.conformance.harness.answers.conventions import NO_OFFSET, NO_TEXT
from utf8_abnf.conformance.harness.formats import FORMATS
from utf8_abnf.conformance.suite import families, theorem

from ...zoo import answering as zoo


class Raw(str):
    """A text that is written as it stands, ill-formed bytes too."""

    def __new__(cls, raw):
        made = super().__new__(cls)
        made.raw = raw
        return made

    def encode(self, *_):
        return self.raw


class Decoder:
    """A decoder with right verdicts, whose texts are those of *answer*; None refuses."""

    def __init__(self, answer):
        self.answer = answer

    def accepts(self, data):
        return zoo.ORACLE.accepts(data)

    def decode(self, data):
        text = self.answer(data)
        if text is None:
            raise ValueError("refused")
        return text if isinstance(text, str) else Raw(text)


class Offsets:
    """A decoder with right verdicts, whose offsets are those of *answer*."""

    def __init__(self, answer):
        self.first_error = answer

    def accepts(self, data):
        return zoo.ORACLE.accepts(data)


class Texts:
    """A decoder that replaces by *answer*, and whose verdicts follow from that."""

    def __init__(self, answer):
        self.replace = answer


def answering(made, answers):
    """Return a row for each of *answers*: its name, and the decoder *made* of it."""
    return [pytest.param(name, made(answer), id=f"{made.__name__}-{name}") for name, answer in answers.items()]


RIGHT = answering(Decoder, zoo.RIGHT_TEXTS) + answering(Offsets, zoo.RIGHT_OFFSETS)
WRONG = answering(Decoder, zoo.WRONG_TEXTS) + answering(Offsets, zoo.WRONG_OFFSETS)


@pytest.mark.parametrize(("name", "decoder"), RIGHT)
def test_a_right_text_or_offset_is_no_deviation(name, decoder):
    report = run(decoder, level="L0")
    assert [(each.key, each.why) for each in report.deviations] == []
    assert (report.troubles, report.conforms) == ((), True)
    assert bool(report.not_judged) is (name in zoo.NOT_JUDGED)


@pytest.mark.sampled(2)
@pytest.mark.parametrize(("name", "decoder"), WRONG)
def test_a_wrong_text_or_offset_is_a_deviation(name, decoder):
    report = run(decoder, level="L0")
    assert (report.troubles, report.conforms) == ((), False)
    assert {each.kind for each in report.deviations} == {"position" if name in zoo.WRONG_OFFSETS else "replacement"}


NO_OFFSETS = [(-1, 1), (None, 1), (0.0, 1), (1 << 40, 1), "0", (0, -1), (0, 1.0), (0, 1, 2), object()]
NO_TEXTS = [7, 1.5, [], (), object()]


@pytest.mark.parametrize(("kind", "told"), [*product(["position"], NO_OFFSETS), *product(["replacement"], NO_TEXTS)])
def test_what_cannot_be_an_offset_or_a_text_is_a_deviation_and_ends_nothing(kind, told):
    offsets = Offsets(lambda data: zoo.error(data) and told)
    texts = Texts(lambda data: zoo.fffd(data) if zoo.ORACLE.accepts(data) else told)
    decoder, why = (offsets, NO_OFFSET) if kind == "position" else (texts, NO_TEXT)
    report = run(decoder, level="L0", ids=["named/*-*"])
    assert {(each.kind, each.why) for each in report.deviations} == {(kind, why)}
    assert (report.exit_status, report.troubles) == (1, ())


UNKNOWN = Decoder(zoo.RIGHT_TEXTS["mark tells the length of the input"])
WORDS = "replacement not judged"


def test_every_format_says_what_was_not_judged():
    report = run(UNKNOWN, level="L0")
    assert [name for name in FORMATS if WORDS not in render(report, name)] == []


def test_what_was_not_judged_stands_in_the_verdict_and_in_the_theorem_and_fails_if_asked():
    report = run(UNKNOWN, level="L0")
    assert render(report, "text").splitlines()[1].startswith(f"PASS: conforms; {WORDS}: no one policy fits; ")
    assert WORDS in report.theorem
    assert report.exit_status == 0
    strict = run(UNKNOWN, level="L0", strict=True)
    assert not strict.conforms
    assert strict.exit_status == 1
    assert strict.theorem == ""
    suite = ET.fromstring(render(strict, "junit")).find("testsuite")
    assert [case.get("name") for case in suite if case.find("failure") is not None] == [WORDS]


def test_strict_changes_nothing_where_everything_was_judged():
    report = run(Decoder(zoo.RIGHT_TEXTS["U+FFFD for each maximal subpart"]), level="L0", strict=True)
    assert (report.conforms, report.not_judged) == (True, ())


def test_a_decoder_that_can_judge_nothing_does_not_pass(tmp_path):
    program = tmp_path / "unsupported.py"
    program.write_text(
        "import os\nos.write(1, b'utf8-abnf 1 modes=v\\n')\nos.read(0, 2)\n"
        "while frame := os.read(0, 1 << 16):\n"
        "    at = count = 0\n"
        "    while at < len(frame): at += 4 + int.from_bytes(frame[at : at + 4], 'little'); count += 1\n"
        "    os.write(1, b'u' * count)\n"
    )
    report = run(f"stream:{sys.executable} {program}", level="L0", ids=["named/surrogate/*"])
    assert report.unsupported > 0
    assert not report.conforms
    assert "the decoder says that it cannot judge them" in render(report, "text")


def test_the_theorem_of_l3_claims_nothing_that_is_asked_in_process_only():
    asked = [family.name for family in families("L2") if "v" in family.modes]
    assert theorem("L3", judged=asked) == theorem("L2")
    assert "four bytes" in theorem("L3")
    assert "V·Σ^≤2·W" not in theorem("L2", judged=["named", "W/k0"])
    assert "proves nothing" in theorem("L2", judged=["named"])
