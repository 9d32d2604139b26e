"""Blocks: the C half and its plain twin give the same bytes; every word can be had by number and found by name."""

from __future__ import annotations

import ctypes
import random
import struct
import sys
from functools import partial
from itertools import islice

import pytest

from utf8_abnf.conformance.framing import pack_chunks, unframe, unpack_chunks
from utf8_abnf.conformance.suite import blocks, case_of, families
from utf8_abnf.conformance.suite import fast as fast_module
from utf8_abnf.conformance.suite.blocks import Block
from utf8_abnf.conformance.suite.plan import plan

ORACLE = plan().oracle
NAMES = [family.name for family in families("L2")]
SIGMA = tuple(bytes([byte]) for byte in range(256))
RUNS = tuple(each.encode() * count for each in "aé€😀" for count in (5, 11, 12, 13, 24, 25, 50))  # C skips repetition

BLOCKS = {
    "one empty word": Block(((b"",),)),
    "no word": Block(((), SIGMA)),
    "words of many sizes": Block(((b"", b"\xe2", b"a" * 70_000), (b"\x82", b"", b"\xff"), SIGMA)),
    "long runs of one character": Block((RUNS, (b"", b"\x80", b"\xe2"), RUNS)),
    "sixteen parts": Block(((b"a", b"\xc3"),) * 16),
    "a stream": Block(((pack_chunks((1, 2)), pack_chunks((0, 3)), pack_chunks((3,))), (b"abc", "€".encode())), skip=1),
}


def needs_c():
    if fast_module.fast is None:
        pytest.skip("needs the C half of the suites: a C compiler at install time")


@pytest.mark.thorough
@pytest.mark.parametrize("name", BLOCKS)
def test_frames_are_the_plain_twins(name):
    assert blocks.frames(ORACLE, BLOCKS[name]) == blocks.frames_plain(ORACLE, BLOCKS[name])


@pytest.mark.thorough
@pytest.mark.parametrize("name", NAMES)
def test_frames_and_answers_of_every_family_are_the_plain_twins(name):
    family = next(family for family in families("L2") if family.name == name)
    chance = random.Random(name)
    for block in islice((block for block in family.blocks() if len(block) < 3000), 0, 60, 12):
        made = blocks.frames(ORACLE, block)
        assert made == blocks.frames_plain(ORACLE, block)
        for mode in family.modes.replace("v", ""):
            assert ORACLE.answers(mode, made[0]) == ORACLE.answers_plain(mode, made[0])
        number = chance.randrange(len(block))
        payload = list(unframe(made[0]))[number]
        assert payload == block.word(number)
        assert (made[1][number] == ord("1")) == ORACLE.accepts(block.data(number))


@pytest.mark.parametrize("name", NAMES)
def test_a_case_is_found_again_by_its_id(name):
    family = next(family for family in families("L2") if family.name == name)
    chance = random.Random(name)
    for batch in islice(family.batches(), 0, 40, 13):
        number = chance.randrange(len(batch))
        found = case_of(batch.id(number))
        assert (found.id, found.data, found.chunks) == (batch.id(number), batch.data(number), batch.chunks(number))


@pytest.mark.parametrize("name", [name for name in NAMES if name not in {"W/k1", "scalars", "ill-formed", "positions"}])
def test_ids_are_unique(name):
    family = next(family for family in families("L2") if family.name == name)
    some = islice(family.batches(), 0, 400, 4)
    found = [batch.id(i) for batch in some for i in range(0, len(batch), 1 + len(batch) // 50)]
    assert len(found) == len(set(found))


def test_a_block_has_no_word_beyond_its_last():
    with pytest.raises(IndexError):
        BLOCKS["words of many sizes"].word(3 * 3 * 256)


def test_chunk_sizes_are_unpacked_as_they_were_packed():
    assert unpack_chunks(pack_chunks((0, 1, 70_000)) + b"rest") == ((0, 1, 70_000), b"rest")


# ---- judging in process ----

CALLBACK = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(ctypes.c_ubyte), ctypes.c_size_t)
WORDS = Block((SIGMA[0xC0:0xC8], SIGMA, (b"", b"\x80")))


def decoder(verdict):
    """A C function made of a Python function of the bytes and of the byte behind them."""
    return CALLBACK(lambda data, size: verdict(bytes(data[:size]), data[size]))


def address(function):
    return ctypes.cast(function, ctypes.c_void_p).value


def judged(verdict, *, twin, keep=9, stop=0):
    function = decoder(verdict)
    if twin:
        return blocks.judge_plain(ORACLE, WORDS, address(function), keep=keep, stop=stop)
    return blocks.judge(ORACLE, WORDS, address(function), place=0, keep=keep, stop=stop)


@pytest.mark.parametrize("twin", [False, True], ids=["C", "plain"])
def test_a_right_decoder_has_no_failures(twin):
    found = judged(lambda data, _: ORACLE.accepts(data), twin=twin)
    assert (found.count, found.failures, found.failed) == (len(WORDS), 0, ())


@pytest.mark.parametrize("twin", [False, True], ids=["C", "plain"])
def test_failures_are_counted_and_the_first_kept_until_it_is_told_to_stop(twin):
    found = judged(lambda data, _: ORACLE.accepts(data) or data == b"\xc0\x80\x80" or data[:1] == b"\xc1", twin=twin)
    assert found.failures == 1 + 512
    assert found.failed[:2] == (0x80 * 2 + 1, 512)
    assert len(found.failed) == 9
    found = judged(lambda _, __: True, twin=twin, stop=3)
    assert (found.count, found.failures, found.failed) == (3, 3, (0, 1, 2))


@pytest.mark.parametrize("twin", [False, True], ids=["C", "plain"])
def test_the_byte_behind_a_word_is_poison(twin):
    seen = set()
    judged(lambda data, behind: seen.add(behind) or ORACLE.accepts(data), twin=twin)
    assert seen == {0x80}


@pytest.mark.parametrize("twin", [False, True], ids=["C", "plain"])
def test_which_word_is_asked_can_be_read_from_outside_while_it_is(twin):
    number, seen = ctypes.c_uint64(99), []
    function = decoder(lambda data, _: seen.append(number.value) or ORACLE.accepts(data))
    judge = blocks.judge_plain if twin else partial(blocks.judge, place=0)
    judge(ORACLE, WORDS, address(function), keep=0, stop=0, asked=ctypes.addressof(number))
    assert seen == list(range(len(WORDS)))


@pytest.mark.parametrize("place", [0, 1, 17, 63, blocks.AT_GUARD])
def test_a_word_begins_where_it_was_told_to_or_ends_where_memory_ends(place):
    needs_c()
    begins, ends = set(), set()

    @ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_size_t)
    def function(at, size):
        begins.add(at % 64)
        ends.add((at + size) % 4096)
        return ORACLE.accepts(ctypes.string_at(at, size))

    assert blocks.judge(ORACLE, WORDS, address(function), place=place, keep=1, stop=0).failures == 0
    assert ends == {0} if place == blocks.AT_GUARD else begins == {place}


def test_the_c_half_refuses_what_is_no_machine_and_no_frame():
    needs_c()
    table, accepting, start = ORACLE.machine
    with pytest.raises(ValueError, match="does not fit"):
        fast_module.fast.frames(table[:-2], accepting, start, ((b"",),), 0)
    with pytest.raises(ValueError, match="not there"):
        fast_module.fast.frames(b"\xff" * len(table), accepting, start, ((b"",),), 0)
    with pytest.raises(ValueError, match="1 to 16 parts"):
        fast_module.fast.frames(table, accepting, start, (), 0)
    with pytest.raises(OverflowError):
        fast_module.fast.frames(table, accepting, start, (SIGMA,) * 9, 0)
    with pytest.raises(MemoryError):
        judged(lambda data, _: ORACLE.accepts(data), twin=False, keep=sys.maxsize)
    for frames in (b"\1", struct.pack("<I", 5) + b"abc"):
        with pytest.raises(ValueError, match="not whole"):
            fast_module.fast.answers(table, accepting, start, 8, "p", frames)
    with pytest.raises(ValueError, match="not whole"):  # a stream whose chunks are longer than its data
        fast_module.fast.answers(table, accepting, start, 8, "s", struct.pack("<IIIB", 9, 1, 2, 0x61))
