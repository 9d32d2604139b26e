"""Conventions, found out from answers alone: no decoder is started here."""

import re
from functools import cache
from itertools import islice, product

import pytest

from utf8_abnf.conformance import run
from utf8_abnf.conformance.harness.answers.conventions import convention_of, wrong_stream
from utf8_abnf.conformance.harness.replacing import (
    CHANGED,
    FFFD,
    NO_MARK,
    OTHER_MARK,
    UNICODE_PRACTICE,
    broken,
    policies,
)
from utf8_abnf.conformance.suite import cases


@cache
def sampled():
    return [*cases("L0", "named"), *islice(cases("L1", "W/k0"), 1500)]


@cache
def streams():
    return list(cases("L1", "stream/named"))


def sample(answer):
    return [(case, answer(case)) for case in sampled()]


def place(case):
    return None if case.error is None else (case.error.start, case.error.length)


def wrong(convention, case, answer):
    right = case.replacement if convention.kind == "replacement" else place(case)
    found = convention.wrong(case.data, right, answer, lambda: case)
    return found.why if found else ""


def written(text):
    return None if text is None else text.decode("utf-8", "surrogateescape")


EVERY_POLICY = {
    f"{policy.note} with {mark!r}": policy
    for mark, strips_bom in ((FFFD, False), (FFFD, True), (b"?", False), (b"<?>", True))
    for policy in policies(mark, strips_bom=strips_bom)
    if policy.mark or mark == FFFD  # the others are the same whatever the mark
}


@pytest.mark.parametrize("name", EVERY_POLICY)
def test_each_policy_of_replacement_is_named_and_passes(name):
    policy = EVERY_POLICY[name]
    answers = sample(lambda case: written(policy.text(case.data)))
    convention = convention_of("r", answers)
    assert convention.note == f"replacement: {policy.note}"
    assert convention.is_of_suite is (policy.note == f"U+FFFD for each {UNICODE_PRACTICE}")
    assert convention.not_judged == ""
    assert not [case.id for case, answer in answers if wrong(convention, case, answer)]


def test_a_policy_that_is_not_followed_at_the_end_is_judged():
    policy = policies()[0]

    def twice_at_the_end(data):
        text = policy.text(data)
        return written(text + policy.mark if text.endswith(policy.mark) and not data.endswith(policy.mark) else text)

    answers = sample(lambda case: twice_at_the_end(case.data))
    convention = convention_of("r", answers)
    assert convention.note.startswith(f"replacement: {policy.note}, in ")
    found = {case.data for case, answer in answers if wrong(convention, case, answer)}
    assert b"\xff" in found
    assert all(data[-1] > 0x7F for data in found)


def test_the_first_policy_is_that_of_the_suites():
    policy = policies()[0]
    assert policy.is_of_suite
    assert [case.id for case in sampled() if written(policy.text(case.data)) != case.replacement] == []


def test_a_longer_form_that_becomes_its_character_is_told_of_a_decoder_that_marks_the_others():
    """ethers takes C0 AF for a slash where it replaces: that was told like another number of U+FFFD."""
    convention = convention_of("r", sample(lambda case: written(policies()[0].text(case.data))))
    case = next(case for case in sampled() if case.data == b"\xc0\xaf")
    assert wrong(convention, case, "/").startswith(OTHER_MARK)
    assert not wrong(convention, case, "\ufffd").startswith(OTHER_MARK)


def test_a_policy_that_nobody_knows_is_judged_by_what_holds_under_every_policy():
    def own(case):  # the mark tells the length of the input
        return written(policies(b"[%d]" % len(case.data))[0].text(case.data))

    convention = convention_of("r", sample(own))
    assert convention.not_judged == "replacement not judged: no one policy fits"
    assert not [case.id for case in sampled() if wrong(convention, case, own(case))]
    case = next(case for case in sampled() if case.data == b"\xc2\x3c")
    assert wrong(convention, case, "[2]") == CHANGED
    assert wrong(convention, case, "<") == NO_MARK
    assert wrong(convention, case, None) == ""


#   data       text              what is broken
RULES = [
    ("61 C3 3C 62", b"a?<b", ""),
    ("61 C3 3C 62", b"a??????<b", ""),
    ("61 C3 3C 62", None, ""),
    ("61 C3 3C 62", b"a?b", CHANGED),
    ("61 C3 3C 62", b"a?<", CHANGED),
    ("61 C3 3C 62", b"?<b", CHANGED),
    ("61 C3 3C 62", b"a<b", NO_MARK),
    ("61 C3 3C 62", b"", CHANGED),
    ("61 E2 82", b"a", NO_MARK),
    ("61 E2 82", b"a?", ""),
    ("FF", b"", NO_MARK),
    ("FF 61 FF", b"?a?", ""),
    ("FF 61 FF", b"?a", CHANGED),
    ("61 61 FF 61 61", b"aa?a", CHANGED),
    ("61 61 FF 61 61", b"aaaa", NO_MARK),
    ("ED A0 80", b"\xed\xa0\x80", "the output is not well-formed"),
    ("61", b"a", ""),
    ("61", b"b", "well-formed text does not come out unchanged"),
    ("61", None, "well-formed text does not come out unchanged"),
    ("EF BB BF 61", b"a", "well-formed text does not come out unchanged"),
    ("C3 C3 A9", "?é".encode(), ""),
    ("C3 C3 A9", b"?", CHANGED),
    ("F0 9F 98 41 80", b"?A?", ""),
    ("F0 9F 98 41 80", b"?A", CHANGED),
]


#   data          text           what is broken if the mark is '?'
MARKS = [
    ("61 FF FF 3F", b"a??", ""),
    ("61 FF FF 3F", b"a???", ""),
    ("61 FF FF 3F", b"a????", OTHER_MARK),
    ("61 FF 62", b"a!b", OTHER_MARK),
    ("61 FF 62", b"a?!b", OTHER_MARK),
    ("FF 3F FF", b"???", ""),
    ("FF 3F FF", b"??", CHANGED),
]


@pytest.mark.parametrize(("mark", "row"), [*product([b""], RULES), *product([b"?"], MARKS)])
def test_what_holds_under_every_policy_and_of_a_known_mark(mark, row):
    data, text, rule = row
    assert broken(bytes.fromhex(data), text, mark=mark) == rule


def test_a_bom_that_is_always_removed_is_not_missed():
    assert broken(b"\xef\xbb\xbfa", b"a", strips_bom=True) == ""
    assert broken(b"\xef\xbb\xbf\xffa", b"?a", strips_bom=True) == ""
    assert broken(b"\xef\xbb\xbf\xef\xbb\xbf", b"", strips_bom=True)


#   offset, length of an error                                      what the note says
OFFSETS = {
    "start, subpart": (lambda error: (error.start, error.length), "start of the ill-formed sequence; length: the max"),
    "start, 1": (lambda error: (error.start, 1), "start of the ill-formed sequence; length: always one byte"),
    "offending, 0": (lambda error: (error.offending, 0), "the byte that cannot be right; length: not told"),
    "within": (lambda error: (min(error.start + 1, error.offending), 0), "length: not told"),
}


@pytest.mark.parametrize("name", OFFSETS)
def test_each_convention_of_offsets_is_named_and_passes(name):
    told, note = OFFSETS[name]
    answers = sample(lambda case: None if case.error is None else told(case.error))
    convention = convention_of("p", answers)
    assert note in convention.note
    assert bool(convention.not_judged) is ("not judged" in convention.note)
    if name != "within":
        assert not [case.id for case, answer in answers if wrong(convention, case, answer)]


def test_an_offset_lies_within_the_fault_whatever_the_convention():
    answers = sample(lambda case: case.error and (case.error.start + len(case.data) % 3, 0))
    convention = convention_of("p", [(case, (9999, 0)) for case, _ in answers if case.error])
    assert convention.not_judged == "offsets not judged: no one rule fits"
    for case, _ in answers:
        if case.error:
            assert not wrong(convention, case, (case.error.start, 0))
            assert not wrong(convention, case, (case.error.offending, 0))
            assert "within the fault" in wrong(convention, case, (case.error.start - 1, 0))
            assert "within the fault" in wrong(convention, case, (len(case.data) + 1, 0))
        assert wrong(convention, case, None if case.error else (0, 0)) == "the verdict itself is wrong"


def streamed(early):
    """Return an answer to each stream: an error is told in the first chunk that can show it, or at the end only."""

    def answer(case):
        end, said = 0, b""
        for size in case.chunks:
            end += size
            certain = case.error and not case.error.truncated and case.error.offending < end
            said += b"0" if certain and early else b"?"
        return said + (b"1" if case.accept else b"0")

    return [(case, answer(case)) for case in streams()]


@pytest.mark.parametrize(("early", "words"), [(True, "in the chunk that holds"), (False, "later than possible")])
def test_a_stream_may_tell_an_error_late(early, words):
    assert words in convention_of("s", streamed(early)).note
    assert not [case.id for case, answer in streamed(early) if wrong_stream(case, answer)]


def test_a_stream_must_not_tell_an_error_before_it_is_certain():
    case = next(case for case in streams() if case.accept and len(case.chunks) == 2)
    assert "chunk 1 was refused too early" in wrong_stream(case, b"0?1").why
    assert "the end said 0" in wrong_stream(case, b"??0").why


def test_of_a_stream_in_many_chunks_the_first_sizes_are_shown():
    case = next(case for case in cases("L2", "stream/long") if case.accept and len(case.chunks) > 1000)
    why = wrong_stream(case, b"?" * len(case.chunks) + b"0").why
    sizes = ", ".join(map(str, case.chunks[:8]))
    assert why == f"cut into ({sizes}, ...), {len(case.chunks):,} chunks in all: the end said 0, which is wrong"


def test_of_a_long_text_a_report_shows_where_it_differs():
    class ForgetsMarks:
        def replace(self, data):
            parts = data.decode("utf-8", "replace").split("\ufffd")
            return "\ufffd".join(parts[:301]) + "".join(parts[301:])

    report = run(ForgetsMarks(), level="L2", families=["named", "error-runs"], fail_fast=True)
    (deviation, *_) = report.deviations
    assert re.search(r"expected '(.ufffd)+' from byte \d+ of 90\d on, got ", deviation.why)
    assert len(deviation.why) < 400
