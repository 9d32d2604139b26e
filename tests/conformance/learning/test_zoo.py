"""The wrong decoders of the zoo are learned exactly, or the learner says that they cannot be learned.

tools/measure/learning.py does this with all of them; here a sample is checked on some families of the suites.
"""

from __future__ import annotations

import importlib.util
import random

import pytest

from utf8_abnf.conformance.suite import fast as fast_module
from utf8_abnf.conformance.suite.plan import plan

ASKED = ("named", "A2", "leads", "texts", "sessions", "far-positions", "loops", "mixed")
KINDS = 4  # of the rows of the zoo


@pytest.fixture(scope="module")
def tool(root):
    if fast_module.fast is None:
        pytest.skip("needs the C half of the suites: a C compiler at install time")
    spec = importlib.util.spec_from_file_location("tools_learning", root / "tools" / "measure" / "learning.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    if module.z.compiler() is None:
        pytest.skip("needs a C compiler: apt-get install gcc")
    return module


@pytest.fixture(scope="module")
def zoo(tool, once):
    return tool.z.Zoo(once("zoo", tool.z.build) / tool.z.LIBRARY)


def became(tool, zoo, decoders):
    return {decoder.name: tool.outcome(zoo, decoder, ASKED) for decoder in decoders}


def wrong(tool, found):
    return {name: why for name, (outcome, why) in found.items() if outcome == tool.SILENT}


def test_no_decoder_is_given_a_wrong_grammar_in_silence(tool, zoo):
    listed = [each for each in zoo.decoders(most=1) if each.mode == "v" and each.name != "automaton"]
    found = became(tool, zoo, random.Random(7).sample(listed, KINDS))
    assert wrong(tool, found) == {}
    assert {outcome for outcome, _ in found.values()} <= {tool.RIGHT, tool.BORDER, tool.UNSTEADY, tool.REFUSED}


@pytest.mark.thorough
def test_every_wrong_move_and_verdict_is_learned(tool, zoo):
    automaton = plan().automaton
    kinds = tool.z.wrong_moves(automaton), tool.z.wrong_verdicts(automaton)
    found = became(tool, zoo, [random.Random(8).choice(list(all_)) for all_ in kinds])
    assert {outcome for outcome, _ in found.values()} == {tool.RIGHT}


#   a decoder of the zoo     what is said of it
FOUND = {
    "lane-blind-64[4000]": ("border", "only after text of 0 bytes, modulo 64"),
    "length-in-16-bits": ("border", "65,53"),
    "same-twice": ("unsteady", "two answers"),
    "after-long-4096": ("unsteady", "two answers"),
    "errors-counted[64]": ("unsteady", "two answers"),
}


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", FOUND)
def test_of_what_counts_or_remembers_the_reason_is_given(tool, zoo, name):
    decoder = next(each for each in zoo.decoders() if each.name == name)
    outcome, why = tool.outcome(zoo, decoder, ASKED)
    assert outcome == FOUND[name][0]
    assert FOUND[name][1] in why


#   a decoder of the zoo    its own automaton's states, the rejecting one included
LEARNED = {"thirteen-bytes": 18, "c-string": 10, "cut-at-end": 9}
LEARNED |= {"fourth-after[F3]": 12}  # one first byte has its own table


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", LEARNED)
def test_wrong_automata_are_learned_whole(tool, zoo, name):
    decoder = next(each for each in zoo.decoders() if each.name == name)
    assert tool.outcome(zoo, decoder, ASKED) == (tool.RIGHT, f"{LEARNED[name]} states")
