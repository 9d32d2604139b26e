"""Coverage: what a corpus exercises is counted right, for loops and for whole inputs, and in linear time."""

from __future__ import annotations

import json
import mmap

from hypothesis import given, settings
from hypothesis import strategies as st

from utf8_abnf.automaton.show import show_ranges
from utf8_abnf.grammar import Grammar
from utf8_abnf.parsers import parse_tree
from utf8_abnf.parsers.coverage import coverage

UTF8 = Grammar.load("utf8")


def counts(found):
    return {(each.rule, each.number): each.count for each in found.alternatives if each.count}


def test_alternatives_are_counted():
    assert counts(coverage(UTF8, ["aé漢🦊a".encode()])) == {
        ("UTF8-octets", 0): 1,
        ("UTF8-char", 1): 2,
        ("UTF8-char", 2): 1,
        ("UTF8-char", 3): 1,
        ("UTF8-char", 4): 1,
        ("UTF8-1", 0): 2,
        ("UTF8-2", 0): 1,
        ("UTF8-3", 2): 1,
        ("UTF8-4", 1): 1,
        ("UTF8-tail", 0): 5,
    }


@settings(max_examples=settings().max_examples // 4)
@given(st.text(max_size=30))
def test_the_counts_are_those_of_the_trees(text):
    data = text.encode()
    truth = {}
    for _, node in parse_tree(UTF8, data).walk():
        truth[node.rule, node.alternative] = truth.get((node.rule, node.alternative), 0) + 1
    assert counts(coverage(UTF8, [data])) == truth


def test_bytes_are_told_apart_by_literal():
    found = coverage(UTF8, [bytes.fromhex("ED 80 80 ED 9F BF E0 A0 80")])
    literals = {
        (each.rule, each.number): {one.text: show_ranges(one.seen) for one in each.literals}
        for each in found.alternatives
        if each.count
    }
    assert literals["UTF8-3", 3] == {"%xED": "ED", "%x80-9F": "80, 9F"}
    assert literals["UTF8-3", 1] == {"%xE0": "E0", "%xA0-BF": "A0"}
    assert literals["UTF8-tail", 0] == {"%x80-BF": "80, BF"}


def test_every_byte_of_every_literal_can_be_covered():
    values = [*range(0x800), *range(0x800, 0xD800, 64), *range(0xE000, 0x10000, 64), *range(0x10000, 0x110000, 4096)]
    found = coverage(UTF8, ["".join(map(chr, values)).encode()])
    assert found.unused == ()
    assert [one.text for each in found.alternatives for one in each.literals if one.missing] == []


def test_many_different_words_are_counted_in_portions(monkeypatch):
    data = "".join(map(chr, range(0x100, 0x200))).encode() * 2
    once = coverage(UTF8, [data])
    monkeypatch.setattr("utf8_abnf.parsers.coverage.MAX_WORDS", 10)
    assert coverage(UTF8, [data]) == once


def test_a_refused_input_counts_up_to_its_first_ill_formed_word():
    found = coverage(UTF8, [b"ab\xffcd", b"ok", b"\xe4\xbd"])
    assert (found.inputs, found.refused) == (3, 2)
    assert counts(found)["UTF8-1", 0] == 4


def test_grammars_without_a_loop_count_whole_inputs():
    found = coverage(Grammar.load("urn"), [b"urn:ab:x", b"urn:a:x", b"urn:cd:%4a"])
    assert (found.inputs, found.refused) == (3, 1)
    assert counts(found)["NID", 0] == 2
    assert counts(found)["pct-encoded", 0] == 1


def test_another_start_rule_can_be_asked_for():
    found = coverage(UTF8, [b"\xc3\xa9"], "UTF8-char")
    assert counts(found) == {("UTF8-char", 2): 1, ("UTF8-2", 0): 1, ("UTF8-tail", 0): 1}


def test_the_outputs_say_the_same():
    found = coverage(UTF8, ["é".encode()])
    assert "4 of 7 rules, 4 of 15 alternatives" in found.to_text()
    assert "%xC2-DF: missing C2, C4..DF" in found.to_text()
    shown = json.loads(json.dumps(found.to_json()))
    assert {
        (each["rule"], each["alternative"]): each["count"] for each in shown["alternatives"] if each["count"]
    } == counts(found)


def test_a_mapped_file_is_taken(tmp_path):
    path = tmp_path / "corpus"
    path.write_bytes("é".encode() * 1000)
    with path.open("rb") as stream, mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
        assert counts(coverage(UTF8, [mapped]))["UTF8-2", 0] == 1000


def test_a_recursive_grammar_is_covered_in_code_points():
    found = coverage(Grammar.load("json"), ['["é", {"a": [1]}]'.encode(), b"[1,]"])
    assert (found.inputs, found.refused, found.code_points) == (2, 1, True)
    unescaped = {each.number: each for each in found.alternatives if each.rule == "unescaped"}
    assert unescaped[3].literals[0].seen == ((0x61, 0x61), (0xE9, 0xE9))
    assert unescaped[3].literals[0].missing[-1] == (0xE000, 0x10FFFF)
    assert "%x20-21: missing" not in found.to_text()
    assert "%x5D-10FFFF: missing U+005D..U+0060, U+0062..U+00E8, U+00EA..U+D7FF, U+E000..U+10FFFF" in found.to_text()
    assert {each.rule: each.count for each in found.alternatives}["member"] == 1
