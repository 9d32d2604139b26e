"""The families: what they promise to hold, they hold; the oracle agrees with CPython; the page of hashes is true."""

from __future__ import annotations

import subprocess
import sys
from itertools import islice, pairwise, product

import pytest

from utf8_abnf.conformance.framing import unframe
from utf8_abnf.conformance.suite import LEVELS, batches, cases, families, family_of
from utf8_abnf.conformance.suite.families import FILLERS, fault_words, session_words
from utf8_abnf.conformance.suite.plan import plan
from utf8_abnf.errors import UsageError
from utf8_abnf.grammar import Grammar

UTF8 = plan()


def words_of(name):
    return [word for batch in family_of(name, "L2").batches() for word in unframe(batch.frames)]


def verdicts_of(name):
    return b"".join(batch.verdicts for batch in family_of(name, "L2").batches())


def test_levels_contain_the_lower_ones():
    names = [[family.name for family in families(level)] for level in LEVELS]
    assert all(set(lower) < set(higher) for lower, higher in pairwise(names))
    assert names[0] == ["named", "stream/first"]


@pytest.mark.thorough
def test_counts_are_those_of_the_batches():
    for family in families("L2"):
        assert family.count == sum(len(batch) for batch in family.batches()), family.name


# What is in these two is pinned by the published hashes: outside CI those are enough.
@pytest.mark.thorough
@pytest.mark.sampled(0)
def test_the_scalars_are_all_there_once_and_in_order():
    assert words_of("scalars") == [chr(value).encode() for value in [*range(0xD800), *range(0xE000, 0x110000)]]
    assert verdicts_of("scalars") == b"1" * 1_112_064


@pytest.mark.thorough
def test_the_texts_are_the_scalars_but_for_ascii_in_runs_then_by_letters_then_beside_each_other():
    texts = [word.decode() for word in words_of("texts")]
    made = [text for text in texts if len(text) > 3]
    are_in_order = "".join(made) == "".join(map(chr, [*range(0x80, 0xD800), *range(0xE000, 0x110000)]))
    assert are_in_order  # not compared here: pytest would search a million characters for the difference
    by_letter = [text for text in texts if len(text) == 2 and text.endswith("a") and text > "\x80"]
    assert {*by_letter} >= {chr(value) + "a" for value in [*range(0x80, 0xD800), *range(0xE000, 0x10000)]}
    ends = "\0\x7f\x80\u07ff\u0800\u0fff\u1000\ucfff\ud000\ud7ff\ue000\uffff"
    ends += "\U00010000\U0003ffff\U00040000\U000fffff\U00100000\U0010ffff"
    assert {*texts} >= {"".join(each) for count in (2, 3) for each in product(ends, repeat=count)}


@pytest.mark.thorough
@pytest.mark.sampled(0)
def test_the_ill_formed_are_all_that_section_3_could_say_and_section_4_forbids():
    def coded(value, size):  # the bit patterns of RFC 3629 section 3, without its ranges
        tails = [0x80 | value >> shift & 0x3F for shift in range(6 * (size - 2), -1, -6)]
        return bytes([{2: 0xC0, 3: 0xE0, 4: 0xF0}[size] | value >> 6 * (size - 1), *tails])

    overlong = [coded(value, size) for size, end in ((2, 0x80), (3, 0x800), (4, 0x10000)) for value in range(end)]
    surrogates = [coded(value, 3) for value in range(0xD800, 0xE000)]
    large = [coded(value, 4) for value in range(0x110000, 0x200000)]
    assert (len(overlong), len(surrogates), len(large)) == (67_712, 2_048, 983_040)
    found = words_of("ill-formed")
    assert len(found) == 1_052_800
    assert set(found) == {*overlong, *surrogates, *large}
    assert verdicts_of("ill-formed") == b"0" * 1_052_800


def test_a_fault_word_has_one_fault_at_most():
    chosen = fault_words(UTF8)
    assert len(chosen) == len(set(chosen)) > 560  # 28 prefixes and 20 edges or more
    for word in chosen:
        errors = list(UTF8.oracle.errors(word))
        assert len({start for start, _ in errors}) == len(errors)
        assert len(errors) <= 2, word.hex(" ")  # a character broken off by a byte that is wrong itself


def test_every_prefix_and_every_edge_is_a_fault_word():
    chosen = set(fault_words(UTF8))
    for word in ("", "C2", "E0 A0", "F0 90 80", "C2 80", "C0", "FF", "E0 9F", "ED A0", "F4 90", "F0 8F", "E1 80 7F"):
        assert bytes.fromhex(word) in chosen


def test_positions_have_every_offset_in_every_text():
    seen = {tuple(batch.id(0).split("/")[1:3]) for batch in family_of("positions", "L2").batches()}
    for name, filler in FILLERS.items():
        offsets = {int(offset) for text, offset in seen if text == name}
        assert offsets == set(range(0 if name == "ascii" else len(filler), 131))


def test_sessions_have_every_ordered_pair():
    chosen = session_words(UTF8)
    asked = words_of("sessions")
    assert set(pairwise(asked)) >= {(a, b) for a in chosen for b in chosen}
    family = family_of("sessions", "L2")
    assert family.ordered
    assert next(islice(family.cases(), 3, None)).before == (asked[2],)


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["named", "W/k0", "A2", "leads", "long-forms", "surrogate-pairs"])
def test_the_oracle_agrees_with_cpython(name):
    for word in islice(words_of(name), 0, None, 7 if name != "named" else 1):
        try:
            word.decode()
            expected = None
        except UnicodeDecodeError as error:
            expected = (error.start, error.end - error.start)
        assert UTF8.oracle.first_error(word) == expected, word.hex(" ")
        assert UTF8.oracle.replaced(word) == word.decode(errors="replace").encode()


def test_the_oracle_answers_alike_about_short_and_long_data():
    for word in (b"", b"\x80", b"\xc0\xaf", b"\xe2\x82", b"\xf0\x9f\x98a", b"\xed\xa0\x80\xff"):
        for head in (b"a" * 128, "€".encode() * 50):
            error = UTF8.oracle.first_error(word)
            assert UTF8.oracle.first_error(head + word) == (error and (len(head) + error[0], error[1]))
            assert UTF8.oracle.replaced(head + word) == head + UTF8.oracle.replaced(word)


@pytest.mark.parametrize("name", ["stream/named", "stream/ends"])
def test_stream_answers_are_early_and_end_with_the_verdict(name):
    for batch in family_of(name, "L2").batches():
        for number in range(0, len(batch), 11):
            data, chunks = batch.data(number), batch.chunks(number)
            assert sum(chunks) == len(data)
            said = UTF8.oracle.stream_answers(data, chunks)
            ends = [sum(chunks[: i + 1]) for i in range(len(chunks))]
            for end, answer in zip(ends, said, strict=False):
                error = UTF8.oracle.ill_formed(data[:end])
                assert chr(answer) == ("1" if error is None else "?" if error.truncated else "0")
            assert chr(said[-1]) == "01"[UTF8.oracle.accepts(data)]


@pytest.mark.thorough
def test_every_case_of_l1_has_all_its_answers():
    for case in cases("L1"):
        assert case.accept == (case.error is None) == (case.replacements == 0)
        assert case.rule
        assert case.story


@pytest.mark.thorough
def test_the_published_hashes_are_true(root):
    found = subprocess.run(
        [sys.executable, "tools/docs/suites.py", "--check"], cwd=root, capture_output=True, text=True
    )
    assert (found.returncode, found.stderr) == (0, "")


@pytest.mark.thorough
@pytest.mark.parametrize(("name", "start", "short"), [("urn", "namestring", ["V"]), ("date-time", None, ["V", "W/k0"])])
def test_another_grammar_has_the_families_of_the_w_method(name, start, short):
    grammar = Grammar.load(name)
    found = families("L1", grammar=grammar, start=start)
    assert [family.name for family in found] == short
    assert "W/k0" in [family.name for family in families("L2", grammar=grammar, start=start)]
    batch = next(iter(batches("L1", grammar=grammar, start=start)))
    case = batch.case(len(batch) - 1)
    assert (case.error, case.replacement) == (None, None)
    assert case.accept == plan(grammar, start).automaton.accepts(case.data)
    assert case.rule == (start or grammar.start)


def test_another_spelling_of_utf8_has_all_families():
    text = UTF8.grammar.text.replace("UTF8-octets", "text").replace("UTF8-tail", "more")
    found = families("L2", grammar=Grammar.parse(text))
    assert [family.name for family in found] == [family.name for family in families("L2")]


@pytest.mark.parametrize(("level", "family"), [("L9", None), ("L1", "nonsense"), ("L1", "A2"), ("L3", "W/k2")])
def test_what_is_not_there_is_a_usage_error(level, family):
    with pytest.raises(UsageError):
        next(cases(level, family))
