"""Power: L2 finds the wrong decoders of the zoo, and accepts the right ones. tools/measure/power.py measures all."""

from __future__ import annotations

import ctypes
import os
import random

import pytest

from utf8_abnf.conformance.suite import Case, families, judge
from utf8_abnf.conformance.suite import fast as fast_module
from utf8_abnf.conformance.suite.huge import HALF, HUGE_CASES, SOME, SURROUNDINGS, TILE, Mapping, judge_huge, patch
from utf8_abnf.conformance.suite.plan import plan

from ...zoo import zoo as wrong_decoders

MOST = 1  # decoder of each kind; tools/measure/power.py --all takes all of them
KINDS = 1 if os.environ.get("CI") else 6  # one kind in so many
EVERY = 46  # one wrong move in so many
RIGHT = 11  # one block in so many for decoders that are right: they are asked all of it

pytestmark = pytest.mark.thorough  # a C compiler makes the decoders


@pytest.fixture(scope="session")
def zoo_module():
    if fast_module.fast is None:
        pytest.skip("needs the C half of the suites: a C compiler at install time")
    if wrong_decoders.compiler() is None:
        pytest.skip("needs a C compiler: apt-get install gcc")
    return wrong_decoders


@pytest.fixture(scope="session")
def zoo(zoo_module, once):
    return zoo_module.Zoo(once("zoo", zoo_module.build) / zoo_module.LIBRARY)


@pytest.fixture(scope="session")
def finders(zoo_module):
    return [zoo_module.Finder(family) for family in families("L2")]


@pytest.fixture(scope="session")
def survivors(zoo, zoo_module):
    def left(finders, decoders):
        return [
            each
            for each in decoders
            if not any(zoo.finds(family, each) for family in zoo_module.in_order(finders, each.group))
        ]

    return left


@pytest.mark.sampled(0)
def test_l2_finds_a_decoder_of_every_kind_in_the_zoo(zoo, finders, survivors):
    decoders = [each for each in zoo.decoders(most=MOST) if not each.is_right and each.name != "automaton"]
    assert len({each.index for each in decoders}) > 500
    assert [f"{each.name}: {each.note}" for each in survivors(finders, decoders[::KINDS])] == []


def test_text_within_a_character_shows_what_a_decoder_leaves_out(zoo, finders):
    chosen = [family for family in finders if family.name.startswith("within")]
    kinds = [each for each in zoo.decoders() if each.name.startswith("leaves-out[")]
    found = {each.name: [family.name for family in chosen if zoo.finds(family, each)] for each in kinds}
    assert len(found) == 14
    assert all(found.values())
    assert found["leaves-out[7]"] == ["within-any"]  # a character that is in no list


# The families, how the names of the decoders begin that they find, and how many these are.
FOUND = [
    pytest.param("contexts openings", ("context-run", "long-opening"), 100, marks=pytest.mark.sampled(0)),
    ("long-runs", ("after-marks", "no-row-of-marks"), 24),
    ("sessions", ("state-kept-of", "off-after"), 18),
    ("contexts", ("cut-before-two",), 20),
    ("stream/faults", ("s-one-ascii-forgives",), 15),
    ("behind", ("behind",), 70),
]


@pytest.mark.parametrize(("names", "beginnings", "count"), FOUND)
def test_a_family_finds_each_decoder_of_its_kinds(names, beginnings, count, zoo, finders, survivors):
    decoders = [each for each in zoo.decoders() if each.name.startswith(beginnings)]
    assert len(decoders) == count
    assert survivors([family for family in finders if family.name in names.split()], decoders) == []


def test_l2_finds_no_fault_with_right_decoders(zoo, zoo_module, survivors):
    finders = [zoo_module.Finder(family, every=RIGHT) for family in families("L2")]
    right = [each for each in zoo.decoders() if each.is_right]
    assert [each.mode for each in right] == ["v", "v", "p", "r", "s"]
    assert survivors(finders, right) == right


def test_w_k0_finds_every_wrong_move_and_every_wrong_verdict(zoo_module, finders, survivors):
    automaton = plan().automaton
    moves = list(zoo_module.wrong_moves(automaton))
    assert len(moves) == 9 * 256 * 8 == 18_432
    chosen = random.Random(4).sample(moves, len(moves) // EVERY) + list(zoo_module.wrong_verdicts(automaton))
    only = [family for family in finders if family.name == "W/k0"]
    assert survivors(only, chosen) == []


def test_w_k1_finds_automata_with_one_state_more(zoo_module, finders, survivors):
    only = [family for family in finders if family.name == "W/k1"]
    chosen = list(zoo_module.extra_states(plan().automaton, 80, seed=1))
    assert len(chosen) > 60
    assert survivors(only, chosen) == []


def test_l1_finds_every_range_that_is_one_off(zoo, finders, survivors):
    decoders = [each for each in zoo.decoders() if each.group == "range edges"]
    assert len(decoders) > 200
    only = [family for family in finders if family.level <= "L1" and "v" in family.modes]
    assert survivors(only, decoders) == []


def test_reading_past_the_end_shows_in_process(zoo):
    decoder = next(each for each in zoo.decoders() if each.name == "reads-past")
    zoo.select(decoder)
    found = list(judge(zoo.address, "L1"))
    assert sum(each.failures for each in found) > 0
    case = next(case for each in found for case in each.cases)
    assert isinstance(case, Case)
    assert case.error.truncated


@pytest.mark.parametrize("family", ["W/k1", "positions", "guarded"])
def test_judging_a_right_decoder_in_process_finds_nothing(zoo, family):
    zoo.select(next(each for each in zoo.decoders() if each.is_right))
    found = list(judge(zoo.address, "L3", family=family))
    assert sum(each.failures for each in found) == 0
    assert sum(each.count for each in found) == next(f.count for f in families("L3") if f.name == family)


@pytest.mark.parametrize(("name", "wrong"), [("everything", 5), ("nothing", 1)])
def test_text_of_4_gib_is_judged_in_process(zoo, name, wrong):
    zoo.select(next(each for each in zoo.decoders() if each.name == name))
    found = list(judge(zoo.address, "L3", family="huge"))
    if not found:
        pytest.skip("needs 4 GiB of address space: raise the limit on memory")
    assert [each.count for each in found] == [0, *[1] * 6]
    assert sum(each.failures for each in found) == wrong
    assert all(case.id.startswith("huge/") and case.story for each in found for case in each.cases)


def test_huge_texts_lie_at_addresses_of_their_own_between_hostile_bytes():
    seen = []

    def function(address, size):
        seen.append((address % 64, size, ctypes.string_at(address - 8, 8), ctypes.string_at(address + size, 8)))
        return ctypes.string_at(address, 3) in ("€".encode(), b"aaa")

    called = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_size_t)(function)
    judged = list(judge_huge(ctypes.cast(called, ctypes.c_void_p).value))
    if not judged:
        pytest.skip("needs 4 GiB of address space: raise the limit on memory")
    assert (judged.pop(0), seen.pop(0)[1]) == (None, SOME)
    assert [wrong for _, wrong in judged] == [False, True, True, True, True, True]  # all texts begin as they should
    assert [size for _, size, *_ in seen] == [case[0] for case in HUGE_CASES]
    assert len({place for place, *_ in seen}) == len(HUGE_CASES)
    for (case, _), (place, _, before, behind) in zip(judged, seen, strict=True):
        assert f"at an address {place} modulo 64" in case.story
        assert not before.isascii()
        assert not behind.isascii()


@pytest.mark.parametrize(("size", "offset", "fault", "place"), [
    (*case[:3], place) for case, (place, *_) in zip(HUGE_CASES, SURROUNDINGS, strict=True)
])  # fmt: skip
def test_a_huge_text_is_well_formed_but_for_its_fault(size, offset, fault, place):
    size, offset = place + size, place + offset
    start, data = patch(size, offset, fault)
    begin = start - 3_000_000
    text = bytearray((TILE * 3)[begin % len(TILE) :][: min(size, start + 3_000_000) - begin])
    text[start - begin : start - begin + len(data)] = data
    skipped = -begin % len(TILE) % 3 if begin % len(TILE) < HALF else 0
    error = plan().oracle.first_error(bytes(text[skipped : size - begin]))
    assert (error and error[0] + skipped + begin) == (offset if fault else None)


def test_one_file_is_seen_side_by_side_and_as_it_was_after_a_fault():
    held = Mapping(2 * len(TILE) + 5)
    try:
        assert ctypes.string_at(held.address, 3 * len(TILE)) == 3 * TILE
        at = 2 * len(TILE) - 1
        held.write(at, b"a\xed\xa0\x80")
        seen = ctypes.string_at(held.address, 3 * len(TILE))
        assert seen == (3 * TILE)[:at] + b"a\xed\xa0\x80" + (3 * TILE)[at + 4 :]
        held.restore()
        assert ctypes.string_at(held.address, 3 * len(TILE)) == 3 * TILE
    finally:
        held.close()


def test_failing_cases_are_kept_up_to_a_number_for_each_family(zoo):
    zoo.select(next(each for each in zoo.decoders() if each.name == "nothing"))
    found = list(judge(zoo.address, "L2", family="texts", keep=7))
    assert sum(each.failures for each in found) == next(each.count for each in families("L2") if each.name == "texts")
    assert sum(len(each.cases) for each in found) == 7


def test_judging_places_cases_at_every_alignment(zoo):
    zoo.select(next(each for each in zoo.decoders() if each.name == "nothing"))
    found = next(iter(judge(zoo.address, "L3", family="aligned", keep=1)))
    assert found.cases[0].id.startswith("aligned/")
    assert found.cases[0].id.endswith("@0")
