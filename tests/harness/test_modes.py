"""Modes p and r: wrong offsets and texts are deviations under every convention, right ones never are."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import pytest

from utf8_abnf.conformance import run

PATH = Path(__file__).resolve().parents[1] / "zoo" / "answering.py"
SPEC = importlib.util.spec_from_file_location("zoo_answering", PATH)
zoo = importlib.util.module_from_spec(SPEC)
sys.modules["zoo_answering"] = zoo
SPEC.loader.exec_module(zoo)


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


@pytest.mark.parametrize("name", zoo.RIGHT_TEXTS)
def test_a_right_text_is_no_deviation(name):
    report = run(Decoder(zoo.RIGHT_TEXTS[name]), level="L0")
    assert [(each.key, each.why) for each in report.deviations] == []
    assert report.troubles == ()
    assert report.conforms
    assert bool(report.not_judged) is (name in zoo.NOT_JUDGED)


@pytest.mark.parametrize("name", zoo.WRONG_TEXTS)
def test_a_wrong_text_is_a_deviation(name):
    report = run(Decoder(zoo.WRONG_TEXTS[name]), level="L1" if name == "'<' swallowed" else "L0")
    assert not report.conforms
    assert {each.kind for each in report.deviations} == {"replacement"}
    assert report.troubles == ()


@pytest.mark.parametrize("name", zoo.RIGHT_OFFSETS)
def test_a_right_offset_is_no_deviation(name):
    report = run(Offsets(zoo.RIGHT_OFFSETS[name]), level="L0")
    assert [(each.key, each.why) for each in report.deviations] == []
    assert report.conforms
    assert bool(report.not_judged) is (name in zoo.NOT_JUDGED)


@pytest.mark.parametrize("name", zoo.WRONG_OFFSETS)
def test_a_wrong_offset_is_a_deviation(name):
    report = run(Offsets(zoo.WRONG_OFFSETS[name]), level="L0")
    assert not report.conforms
    assert {each.kind for each in report.deviations} == {"position"}
