"""Mode i: what is right passes, and each fault of an incremental decoder is named; the known ones take part."""

import struct

import pytest

from utf8_abnf.conformance import render, run
from utf8_abnf.conformance.harness.answers.incremental import wrong_in_steps
from utf8_abnf.conformance.harness.driving.protocol import (
    FINISH,
    NOT_TOLD,
    RESET,
    Answers,
    Garbage,
    Step,
    frame_of,
    steps_of,
    verdict_of,
)
from utf8_abnf.conformance.suite import Case
from utf8_abnf.validator.functions import first_error


def case(data, chunks):
    error = first_error(data)
    return Case("case", data, error is None, error=error, chunks=chunks)


EURO = case("€".encode(), (1, 2))
OVERLONG = case(b"a\xc0\xaf", (2, 1))


def step(state, text=None, offset=None):
    return Step(state.encode(), offset, text)


#   what a right decoder that tells everything answers to EURO and to OVERLONG
GOOD = (
    *(step("m", b""), step("1", "€".encode()), step("1", b""), step("1", b"A"), step("1")),
    *(step("1", "€".encode()), step("1"), step("m", b""), step("1", "€".encode()), step("1", b"")),
)
REFUSED = (
    *(step("0", b"a", 1), step("0"), step("0"), step("1", b"A"), step("1")),
    *(step("0", b"a", 1), step("1"), step("0", b"a", 1), step("0"), step("0")),
)


def test_a_right_answer_passes():
    assert len(GOOD) == len(steps_of(EURO.chunks))
    assert wrong_in_steps(EURO, GOOD) is None
    assert wrong_in_steps(OVERLONG, REFUSED) is None
    assert verdict_of("i", GOOD, EURO.data) == b"1"
    assert verdict_of("i", REFUSED, OVERLONG.data) == b"0"


def test_what_is_not_told_is_not_judged():
    silent = tuple(step("?") for _ in GOOD[:2])
    answer = (*silent, step("1"), step("u"), step("u"), silent[0], step("u"), *silent, step("1"))
    assert wrong_in_steps(EURO, answer) is None


#   place in the answer, what stands there, what is said
FAULTS = [
    (EURO, GOOD, 0, step("1"), "called the text complete"),
    (EURO, GOOD, 0, step("0"), "too early"),
    (EURO, GOOD, 1, step("m"), "asked for more"),
    (EURO, GOOD, 1, step("1", b"?"), "expected the text"),
    (EURO, GOOD, 2, step("0"), "the end said 0"),
    (EURO, GOOD, 2, step("1", b"x"), "expected the text"),
    (EURO, GOOD, 3, step("m"), "waits for more"),
    (EURO, GOOD, 3, step("1", "€A".encode()), "fed after the end"),
    (EURO, GOOD, 5, step("0"), "after a reset"),
    (EURO, GOOD, 7, step("1"), "after a second reset"),
    (EURO, GOOD, 8, step("1", "€€".encode()), "after a second reset"),
    (EURO, GOOD, 9, step("1", b"", 4), "there is none"),
    (OVERLONG, REFUSED, 1, step("1"), "chunk 1 was refused, and chunk 2 was not"),
    (OVERLONG, REFUSED, 0, step("0", b"a", 0), "offset 1, but it told 0"),
    (OVERLONG, REFUSED, 0, step("0", b"b", 1), "expected the text"),
    (OVERLONG, REFUSED, 2, step("1"), "the end said 1"),
]


@pytest.mark.parametrize(("judged", "good", "place", "fault", "words"), FAULTS, ids=range(len(FAULTS)))
def test_each_fault_is_named(judged, good, place, fault, words):
    assert words in wrong_in_steps(judged, (*good[:place], fault, *good[place + 1 :])).why


def packed(answer):
    return b"".join(
        struct.pack(
            "<cII",
            each.state,
            NOT_TOLD if each.offset is None else each.offset,
            NOT_TOLD if each.text is None else len(each.text),
        )
        + (each.text or b"")
        for each in answer
    )


def test_answers_are_read_in_any_pieces():
    answers = Answers("i", 2, [len(GOOD)] * 2)
    for byte in packed(GOOD) + packed(REFUSED) + b"more":
        answers.feed(bytes([byte]))
    assert answers.values == [GOOD, REFUSED]
    assert answers.excess == b"more"[: len(answers.excess)]


def test_a_state_that_is_none_is_garbage():
    with pytest.raises(Garbage):
        Answers("i", 1, [1]).feed(b"x" + bytes(8))


def test_a_text_far_longer_than_the_input_is_garbage():
    with pytest.raises(Garbage, match="answered with a text of 67,108,864 bytes"):
        Answers("r", 2, asked=9).feed((1 << 26).to_bytes(4, "little"))


def test_a_text_of_a_megabyte_is_read_in_small_pieces():
    text = b"a" * (1 << 20)
    framed = len(text).to_bytes(4, "little") + text
    answers = Answers("r", 1, asked=len(text))
    for at in range(0, len(framed), 64):
        answers.feed(framed[at : at + 64])
    assert answers.values == [text.decode()]


def test_a_frame_has_the_steps_and_the_bytes_of_three_passes():
    frame = frame_of(b"ab", (1, 1))
    count, *steps = struct.unpack_from("<11I", frame, 4)
    assert (count, steps) == (10, [1, 1, FINISH, 1, RESET, 2, RESET, 1, 1, FINISH])
    assert frame[48:] == b"abAabab"


@pytest.mark.thorough
@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "name", ["python-incremental", "node-textdecoder", "java-utf-8", "go-utf8-valid", "rust-from-utf8"]
)
def test_the_known_incremental_decoders_take_part(name):
    from utf8_abnf.conformance.harness.known import find

    if not find(name, ()).available():
        pytest.skip(f"needs {find(name, ()).install}")
    report = run(f"known:{name}", level="L1", ids=("stream/named/1*",), timeout=60, max_seconds=0)
    assert report.conforms, render(report, "text")
    assert any(family.mode == "i" and family.passed for family in report.families)
