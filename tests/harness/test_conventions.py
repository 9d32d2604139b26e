"""Conventions, found out from answers alone: no decoder is started here."""

import pytest

from utf8_abnf.harness.conventions import POLICIES, UNICODE_PRACTICE, convention_of
from utf8_abnf.suite import cases

NAMED = list(cases("L0", "named"))
STREAMED = list(cases("L1", "stream/named"))


def sample(answer):
    return [(case, answer(case)) for case in NAMED]


@pytest.mark.parametrize("name", POLICIES)
def test_each_policy_of_replacement_is_named_and_passes(name):
    answers = sample(POLICIES[name])
    convention = convention_of("r", answers)
    assert convention.note == f"replacement: {name}"
    assert convention.is_of_suite is (name == UNICODE_PRACTICE)
    assert not [case.id for case, answer in answers if convention.wrong(case, answer)]


@pytest.mark.parametrize("name", POLICIES)
def test_a_byte_order_mark_may_be_left_out_but_only_the_first_character_and_only_one(name):
    def without(case):
        text = POLICIES[name](case)
        return text if text is None else text.removeprefix("\ufeff")

    convention = convention_of("r", sample(without))
    assert convention.note == f"replacement: {name}; a byte order mark is left out"
    assert not [case.id for case in NAMED if convention.wrong(case, without(case))]
    twice = next(case for case in NAMED if case.data == 2 * b"\xef\xbb\xbf")
    assert convention.wrong(twice, "")


def test_a_policy_that_nobody_knows_leaves_only_well_formed_text_to_be_judged():
    convention = convention_of("r", sample(lambda case: "garbage"))
    assert "no policy that we know" in convention.note
    assert {case.accept for case in NAMED if convention.wrong(case, "garbage")} == {True}


#   offset, length of an error                                      what the note says
OFFSETS = {
    "start, subpart": (lambda error: (error.start, error.length), "start of the ill-formed sequence, and the length"),
    "start, 1": (lambda error: (error.start, 1), "start of the ill-formed sequence; length: always one byte"),
    "offending, 0": (lambda error: (error.offending, 0), "the byte that cannot be right; length: not told"),
    "start, 7": (lambda error: (error.start, 7), "start of the ill-formed sequence; length: not judged"),
}


@pytest.mark.parametrize("name", OFFSETS)
def test_each_convention_of_offsets_is_named_and_passes(name):
    place, note = OFFSETS[name]
    answers = sample(lambda case: None if case.error is None else place(case.error))
    convention = convention_of("p", answers)
    assert note in convention.note
    assert not [case.id for case, answer in answers if convention.wrong(case, answer)]


def streamed(early):
    """Return an answer to each stream: an error is told in the first chunk that can show it, or at the end only."""

    def answer(case):
        end, said = 0, b""
        for size in case.chunks:
            end += size
            certain = case.error and not case.error.truncated and case.error.offending < end
            said += b"0" if certain and early else b"?"
        return said + (b"1" if case.accept else b"0")

    return [(case, answer(case)) for case in STREAMED]


@pytest.mark.parametrize(("early", "words"), [(True, "in the chunk that holds"), (False, "later than possible")])
def test_a_stream_may_tell_an_error_late(early, words):
    convention = convention_of("s", streamed(early))
    assert words in convention.note
    assert not [case.id for case, answer in streamed(early) if convention.wrong(case, answer)]


def test_a_stream_must_not_tell_an_error_before_it_is_certain():
    case = next(case for case in STREAMED if case.accept and len(case.chunks) == 2)
    assert "chunk 1 was refused too early" in convention_of("s", []).wrong(case, b"0?1")
    assert "the end said 0" in convention_of("s", []).wrong(case, b"??0")
