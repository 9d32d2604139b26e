"""Sentences: each is in the language, together they use what they promise, and wrong ones are wrong by one edit."""

import random
from typing import get_args

import pytest
from hypothesis import find, given, settings

from utf8_abnf.errors import GrammarError
from utf8_abnf.grammar import Grammar
from utf8_abnf.grammar.deriving import Cover, Deriver
from utf8_abnf.parsers import ReferenceParser
from utf8_abnf.parsers.linear import TreeParser
from utf8_abnf.parsers.sentences import sentences, wrong_sentences
from utf8_abnf.strategies import from_grammar, near_misses

JSON = Grammar.load("json")
PARSER = TreeParser(JSON)
NAMES = ["utf8", "json", "date-time", "urn"]


@pytest.mark.parametrize("cover", get_args(Cover))
@pytest.mark.parametrize("name", NAMES)
def test_every_goal_is_met_and_every_sentence_is_accepted(name, cover):
    grammar = Grammar.load(name)
    found = sentences(grammar, cover=cover, seed=7)
    assert found.met == found.goals > 0
    parser = TreeParser(grammar)
    assert [word for word in found.words if not parser.accepts(word)] == []
    if cover == "alternatives":
        used = {(node.rule, node.alternative) for word in found.words for _, node in parser.parse(word).walk()}
        rules = ((rule.name, range(1, len(rule.alternatives) + 1)) for rule in grammar.reachable())
        assert all((name, number if len(numbers) > 1 else 0) in used for name, numbers in rules for number in numbers)


def test_a_goal_is_met_by_the_sentence_that_is_made_for_it():
    deriver, chance = Deriver(JSON), random.Random(1)
    goals = deriver.goals("edges")
    assert [goal for goal in goals if goal not in deriver.derive(chance.randrange, goal).met] == []


def test_edges_are_both_ends_of_ranges_and_every_use_of_an_alternative():
    words = sentences(Grammar.parse("a = b / %x30 b\nb = %x41-5A / %x61\n"), cover="edges").words
    assert {b"A", b"Z", b"a", b"0a"} <= set(words)
    assert {b"0A", b"0Z"} | set(words) & {b"0"} or any(word[:1] == b"0" and word[1:] != b"a" for word in words)


def test_options_and_repetitions_are_used_both_ways():
    words = sentences(Grammar.parse('a = %s"x" [ %s"y" ] 1*3%s"z"\n'), cover="alternatives").words
    assert {word.count(b"y") for word in words} == {0, 1}
    assert {word.count(b"z") > 1 for word in words} == {False, True}


def test_the_same_seed_gives_the_same_words_and_a_count_is_kept():
    first, again, other = (sentences(JSON, count=30, seed=seed).words for seed in (1, 1, 2))
    assert first == again != other
    assert len(set(first)) == 30
    assert len(sentences(JSON, cover="edges", count=3).words) == 3
    assert sentences(Grammar.parse('a = "1" / "2"\n'), count=9).words in {(b"1", b"2"), (b"2", b"1")}


def test_what_never_ends_is_avoided_or_refused():
    grammar = Grammar.parse('a = "x" / "y" b\nb = "z" b\n')
    assert {word.lower() for word in sentences(grammar, cover="edges").words} == {b"x"}
    with pytest.raises(GrammarError, match="rule b derives no sentence"):
        sentences(grammar, "b")


@pytest.mark.parametrize(
    "text", ["a = 99999999%x41\n", "".join(f"a{i} = 2a{i + 1}\n" for i in range(40)) + "a40 = %x41\n"]
)
def test_a_sentence_that_is_too_long_is_an_error(text, monkeypatch):
    monkeypatch.setattr("utf8_abnf.grammar.deriving.MAX_BYTES", 1000)
    with pytest.raises(GrammarError, match="more than"):
        sentences(Grammar.parse(text))


def test_deep_grammars_need_no_stack():
    text = "".join(f"r{i} = r{i + 1} / %x42\n" for i in range(1200)) + "r1200 = %x41\n"
    assert b"A" in sentences(Grammar.parse(text), cover="rules").words


def test_code_points_have_no_surrogates_and_bytes_are_not_characters():
    points = sentences(Grammar.parse("a = %xD700-E0FF\n"), cover="edges", count=200).words
    assert {"\ud700".encode(), "\ue0ff".encode()} < set(points)
    assert all(len(word.decode()) == 1 for word in points)
    assert b"\xff" in sentences(Grammar.parse("a = %x80-FF\n"), cover="edges").words


@pytest.mark.parametrize("name", NAMES)
def test_wrong_sentences_are_refused_and_one_edit_away(name):
    grammar = Grammar.load(name)
    words = sentences(grammar, count=12, seed=3).words
    wrong = wrong_sentences(grammar, words, seed=3)
    assert len(wrong) >= 8
    reference = ReferenceParser(grammar)
    assert not any(reference.accepts(word) for word in wrong if len(word) < 40)
    assert all(any(one_edit(word, other, grammar) for other in words) for word in wrong)


def one_edit(left, right, grammar):
    """Tell whether one unit inserted, deleted or replaced makes *right* of *left*."""
    if grammar.values == "utf-8":
        left, right = left.decode(), right.decode()
    begin = 0
    while begin < min(len(left), len(right)) and left[begin] == right[begin]:
        begin += 1
    pairs = [
        (left[begin + 1 :], right[begin:]),
        (left[begin:], right[begin + 1 :]),
        (left[begin + 1 :], right[begin + 1 :]),
    ]
    return any(one == other for one, other in pairs)


def test_a_grammar_of_everything_has_no_wrong_sentences():
    assert wrong_sentences(Grammar.parse("a = *%x00-FF\n"), (b"", b"ab")) == []


@pytest.mark.thorough
@settings(max_examples=10)
@given(from_grammar(JSON))
def test_the_strategy_of_a_recursive_grammar_gives_its_sentences(data):
    assert PARSER.accepts(data)


@pytest.mark.thorough
@settings(max_examples=10)
@given(near_misses(JSON))
def test_near_misses_of_a_recursive_grammar_are_refused(data):
    assert not PARSER.accepts(data)


@pytest.mark.thorough
def test_the_strategy_shrinks():
    assert len(find(from_grammar(JSON), lambda data: b"[" in data, random=random.Random(3629))) <= 4
