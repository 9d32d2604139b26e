"""What lies around an input in memory: functions that look at it are found in process, whatever they look for."""

from __future__ import annotations

import ctypes
import shutil
import subprocess

import pytest

from utf8_abnf.conformance.suite import blocks, family_of, judge
from utf8_abnf.conformance.suite.fast import fast
from utf8_abnf.conformance.suite.judging import located

#   function            families of L2 that find it, one is enough
LOOKING = {
    "looks_back": ["starts", "positions"],
    "looks_back_two": ["starts"],
    "looks_back_three": ["starts", "A2"],
    "begins_late": ["sizes", "starts"],
    "ends_at_nul": ["rests", "A2"],
    "ends_at_lead": ["rests"],
    "ends_at_ff": ["texts"],
    "ends_late": ["named"],
}


@pytest.fixture(scope="module")
def library(root, tmp_path_factory):
    if fast is None or shutil.which("cc") is None:
        pytest.skip("needs cc, and the C half of the suites")
    path = tmp_path_factory.mktemp("around") / "decoders.so"
    source = root / "tests" / "zoo" / "in_process.c"
    subprocess.run(["cc", "-O1", "-shared", "-fPIC", "-o", path, source], check=True)
    return ctypes.CDLL(str(path))


def wrong(library, name, families):
    address = ctypes.cast(getattr(library, name), ctypes.c_void_p).value
    return [number for each in families for judged in judge(address, "L2", family=each) for number in judged.numbers]


@pytest.mark.thorough
@pytest.mark.parametrize("name", LOOKING)
def test_a_function_that_looks_around_its_input_is_found(library, name):
    assert wrong(library, name, LOOKING[name])


@pytest.mark.thorough
def test_a_function_that_does_not_look_is_right_everywhere(library):
    assert wrong(library, "right", ["named", "starts", "rests", "sizes"]) == []


@pytest.mark.thorough
def test_what_lay_around_a_wrong_case_is_said_as_it_was(library):
    numbers = wrong(library, "looks_back_two", ["starts"])
    for batch, number, spot in located(family_of("starts", "L2"), numbers):
        memory = spot.memory(len(batch.data(number)))
        assert " E1 80, and farther off" in memory.before
        assert memory.behind.startswith("eight bytes ")


def test_each_surrounding_comes_with_each_other():
    drawn = {blocks.HOSTILE.of(number) for number in range(5000)}
    before, behind = ({each[i] for each in drawn} for i in (0, 1))
    assert {each[-1:].hex() for each in before} == {"00", "80", "bf", "c3", "e1", "f1", "ff"}
    assert behind == {0x00, 0x80, 0xBF, 0xE1, 0xF1, 0xFF}
    assert len(drawn) == len(before) * len(behind)


def test_the_twin_in_python_lays_the_same_bytes_around_each_word():
    if fast is None:
        pytest.skip("needs the C half of the suites")
    oracle = family_of("named", "L0").plan.oracle
    block = blocks.Block((tuple(bytes([each]) for each in range(256)),))
    kind = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_size_t)
    seen = []
    function = kind(lambda at, size: seen.append(ctypes.string_at(at - 8, size + 16)) or 0)
    address = ctypes.cast(function, ctypes.c_void_p).value
    blocks.judge(oracle, block, address, around=blocks.HOSTILE, first=77, place=9, keep=0, stop=0)
    in_c, seen[:] = list(seen), []
    blocks.judge_plain(oracle, block, address, around=blocks.HOSTILE, first=77, keep=0, stop=0)
    assert in_c == seen
    assert len(set(seen)) > 256 // 2
