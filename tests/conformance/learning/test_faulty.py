"""No wrong decoder of ``tests/zoo/faulty.py`` is called exact: it is learned, has a border, or is called unsteady.

tools/measure/learning.py --faulty learns all of them; here one run shows that the questions find them.
"""

from __future__ import annotations

import importlib.util
import shutil
import sys
from pathlib import Path

import pytest

from utf8_abnf.conformance.learning import Model, UnsteadyError, dialects, learn
from utf8_abnf.conformance.suite.plan import plan

_SPEC = importlib.util.spec_from_file_location("faulty", Path(__file__).parents[2] / "zoo" / "faulty.py")
faulty = sys.modules["faulty"] = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(faulty)

pytestmark = pytest.mark.thorough
FAULTS = {fault.name: fault for fault in faulty.faults()}
# One word of four bytes, or one pair of characters, among millions: the bounded number of questions leaves these out.
NOT_ASKED = {
    "accepts F1 95 A3 41",
    "rejects F3 95 A7 93 whole",
    "rejects E0 A4 95 CC 81",
}


@pytest.fixture(scope="module")
def decoders(tmp_path_factory):
    if shutil.which("cc") is None:
        pytest.skip("needs a C compiler: apt-get install gcc")
    return faulty.Decoders(tmp_path_factory.mktemp("faulty"), ["cc"])


class Watched:
    """The right decoder, asked by the learner: *sent* has the questions and the answers, in parts."""

    def __init__(self):
        self.sent = []

    def __call__(self, words):
        return [plan().automaton.accepts(word) for word in words]

    def send(self, frames, expected):
        self.sent.append((frames, expected))
        return expected

    def show(self, decoder):
        """Tell whether *decoder* answers one of the questions wrongly; the part that shows it goes to the front."""
        for number, (frames, expected) in enumerate(self.sent):
            if decoder.send(frames, expected) != expected:
                self.sent.insert(number // 2, self.sent.pop(number))
                return True
        return False


def test_the_questions_show_every_fault(decoders):
    steady = [fault for fault in FAULTS.values() if fault.where not in faulty.UNSTEADY]
    assert len(steady) > 200
    box = Watched()
    assert learn(box, plan().automaton, near=dialects().values()).borders == ()
    assert {fault.name for fault in steady if not box.show(decoders.choose(fault))} == NOT_ASKED


def learned(decoders, fault):
    found = learn(decoders.choose(fault), plan().automaton, near=dialects().values())
    return Model("it", "utf8", plan().automaton, found)


#   a wrong decoder        what is said about lengths
LENGTHS = {
    "rejects from-length 8192": ["rejects text of 8,192 bytes or more"],
    "stops from-character 255": ["accepts 80 after 255 characters or more of text"],
    "accepts C0 AF lane 37 64 512": None,
}


@pytest.mark.parametrize("name", LENGTHS)
def test_the_border_is_named_and_the_rest_is_learned(decoders, name):
    model = learned(decoders, FAULTS[name])
    assert LENGTHS[name] in (None, [border.what for border in model.learned.borders])
    assert not model.conforms
    assert model.counterexample is None
    words = faulty.near(FAULTS[name], below=model.learned.limit)
    assert decoders(words) == [model.automaton.accepts(word) for word in words]
    assert decoders([model.learned.borders[0].example]) == [model.learned.borders[0].accepted]


@pytest.mark.parametrize("name", [name for name, fault in FAULTS.items() if fault.where in faulty.UNSTEADY])
def test_an_unsteady_decoder_is_called_unsteady(decoders, name):
    with pytest.raises(UnsteadyError, match="two answers"):
        learned(decoders, FAULTS[name])


def test_text_whose_length_is_counted_in_code_units_is_measured_so():
    def accepts(word):
        try:
            return len(word.decode().encode("utf-16-le")) < 600
        except ValueError:
            return False

    found = learn(lambda words: [*map(accepts, words)], plan().automaton, expensive=True)
    assert [border.what for border in found.borders] == ["rejects text of 300 UTF-16 code units or more"]


def test_the_word_of_the_issue_is_learned(decoders):
    model = learned(decoders, faulty.Fault("", 0, ((0xC7, 0xC7), (0x41, 0x41))))
    assert [str(form) for form in model.difference.extra] == ["%xC7 %x41"]


def test_a_pair_of_characters_is_learned_from_a_text_of_three_thousand_bytes(decoders):
    fault = FAULTS["rejects C3 A9 after-word F3 BF BF BF"]
    words = faulty.near(fault, below=1 << 20)
    model = learned(decoders, fault)
    assert decoders(words) == [model.automaton.accepts(word) for word in words]
