"""The premises of the theorem in docs/suites.md, held against the automaton itself."""

from __future__ import annotations

import sys
from itertools import combinations, product

import pytest

from utf8_abnf.conformance.suite import families, theorem, words
from utf8_abnf.conformance.suite.plan import plan
from utf8_abnf.grammar import Grammar

SIGMA = [bytes([byte]) for byte in range(256)]
UTF8 = plan()
COVERS = {
    "V": UTF8.cover,
    "A1": words.first_prefixes(UTF8.automaton, UTF8.tracks),
    "A2": words.second_prefixes(UTF8.automaton, UTF8.tracks),
    "A3": words.lead_prefixes(UTF8.tracks),
}


def listed(cover, separating, k):
    return [block.word(i) for block in words.w_blocks(cover, separating, k) for i in range(len(block))]


def test_v_and_w_are_those_that_the_documents_name():
    shown = [[word.hex(" ").upper() for word in some] for some in (UTF8.cover, UTF8.separating)]
    assert shown[0] == ["", "80", "C2", "E0", "E1", "ED", "F0", "F1", "F4"]
    assert shown[1] == ["", "80", "80 80", "A0 80", "80 80 80", "90 80 80"]


@pytest.mark.parametrize("name", ["V", "A1", "A2"])
def test_a_cover_reaches_every_state(name):
    assert {UTF8.automaton.run(word) for word in COVERS[name]} == set(range(9))


@pytest.mark.parametrize("name", COVERS)
def test_a_cover_has_the_empty_word_and_is_closed_under_prefixes(name):
    cover = set(COVERS[name])
    assert b"" in cover
    assert all(word[:-1] in cover for word in cover if word)


def test_a2_is_every_prefix_of_an_alternative_alone_and_after_each_alternative():
    once, twice = COVERS["A1"], COVERS["A2"]
    assert len(UTF8.tracks) == 9
    assert len(once) == 29
    assert len(twice) == 281 == 29 + 9 * 28
    assert set(twice) == set(once) | {words.lowest(track) + word for track in UTF8.tracks for word in once}


def test_a3_has_every_first_byte_of_more_than_one():
    firsts = {word for word in COVERS["A3"] if len(word) == 1}
    assert firsts == {bytes([byte]) for byte in range(0xC2, 0xF5)}  # RFC 3629 section 4: UTF8-2, UTF8-3, UTF8-4


@pytest.mark.thorough
@pytest.mark.parametrize(("name", "k"), [("V", 0), ("A1", 0), ("A2", 0)])
def test_the_w_method_asks_every_word_once_and_leaves_none_out(name, k):
    found = listed(COVERS[name], UTF8.separating, k)
    assert len(found) == len(set(found))
    middle = [b"".join(u) for n in range(k + 2) for u in product(SIGMA, repeat=n)]
    assert set(found) == {a + u + w for a in COVERS[name] for u in middle for w in UTF8.separating}


@pytest.mark.thorough
def test_any_two_states_share_a_word_of_h_that_tells_them_apart():
    urn = plan(Grammar.load("urn"))
    h = words.identifying(urn.automaton, urn.separating)
    for a, b in combinations(range(len(urn.automaton.table)), 2):
        shared = set(h[a]) & set(h[b])
        assert any(
            (urn.automaton.run(w, a) in urn.automaton.accepting) != (urn.automaton.run(w, b) in urn.automaton.accepting)
            for w in shared
        )
    assert all(b"" in each for each in h)
    assert sum(map(len, h)) < len(h) * len(urn.separating) / 2


def test_a_large_automaton_is_asked_for_h_in_place_of_w(monkeypatch):
    monkeypatch.setattr("utf8_abnf.conformance.suite.plan.MAX_SMALL", 0)
    grammar = Grammar.parse('a = "<" *( "x" / "y" ) ">" / "[" 2"x" "]"\n')
    asked = plan(grammar)
    found = {each.name: each for each in families("L2", grammar=grammar)}
    assert "V·Σ^≤1·H" in theorem("L2", grammar=grammar)
    case_words = {case.data for case in found["W/k0"].cases()}
    assert case_words == {b"", *asked.identifiers[0]} | {
        v + x + w for v in asked.cover for x in SIGMA for w in asked.identifiers[asked.automaton.run(v + x)]
    }
    assert {case.data for case in found["V"].cases()} < case_words
    assert "W/k1" not in {each.name for each in families("L3", grammar=grammar)}


@pytest.mark.thorough
@pytest.mark.sampled(0)  # the published hash of W/k1 pins what this says of UTF-8
def test_the_same_holds_for_longer_middles_over_any_w():
    # Not UTF-8's W: words of which one is the end of another in several ways; k=1.
    separating = words.suffix_closed([b"ab", b"bb"])
    cover = words.prefix_closed([b"a"])
    found = listed(cover, separating, 1)
    assert len(found) == len(set(found))
    middle = [b"".join(u) for n in range(3) for u in product(SIGMA, repeat=n)]
    assert set(found) == {a + u + w for a in cover for u in middle for w in separating}


@pytest.mark.parametrize(
    ("name", "k", "count"), [("V", 0, 13_785), ("V", 1, 3_528_961), ("V", 2, 903_414_017), ("A2", 0, 430_217)]
)
def test_the_sizes_are_those_that_the_documents_name(name, k, count):
    assert sum(map(len, words.w_blocks(COVERS[name], UTF8.separating, k))) == count


@pytest.mark.parametrize("level", ["L1", "L2", "L3"])
def test_the_theorem_names_its_assumption_l1_what_it_did_not_ask_and_l0_proves_nothing(level):
    text = theorem(level)
    assert "proves nothing" in theorem("L0")
    assert text.startswith("If every state of the decoder's own automaton is reached by a word of V")
    assert "Assumed, not tested" in text
    assert "UTF8-octets" in text
    assert ("Not asked at L1" in text, text.endswith("L2 asks for these.")) == (level == "L1", level == "L1")


@pytest.mark.parametrize("left_out", ["W/k2", "four-bytes", "positions", "aligned", "guarded"])
def test_l3_claims_nothing_of_a_family_that_was_not_judged(left_out):
    judged = {family.name for family in families("L3")} - {left_out}
    assert "four bytes" not in theorem("L3", judged=judged)
    assert ("0..130" in theorem("L3", judged=judged)) is (left_out != "positions")


def test_without_the_c_half_nothing_is_said_of_memory(monkeypatch):
    monkeypatch.setattr(sys.modules["utf8_abnf.conformance.suite.theorem"], "fast", None)
    assert "memory" not in theorem("L3")
    assert "0..130" in theorem("L3")


def test_another_grammar_has_a_theorem_of_its_own():
    grammar = Grammar.parse('greeting = 1*( "a" / "bc" )', file="greeting.abnf")
    text = theorem("L1", grammar=grammar)
    assert "accepts exactly greeting" in text
    assert "A₂" not in text
