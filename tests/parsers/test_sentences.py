"""Sentences: each is in the language, and wrong ones are wrong by one edit."""

import random

import pytest
from hypothesis import find, given, settings

from utf8_abnf.errors import GrammarError
from utf8_abnf.grammar import Grammar
from utf8_abnf.parsers import ReferenceParser
from utf8_abnf.parsers.linear import TreeParser
from utf8_abnf.parsers.sentences import sentences, wrong_sentences
from utf8_abnf.strategies import from_grammar, near_misses

JSON = Grammar.load("json")
PARSER = TreeParser(JSON)
NAMES = ["utf8", "json", "date-time", "urn"]


@pytest.mark.parametrize("name", NAMES)
def test_sentences_are_accepted_and_the_same_for_the_same_seed(name):
    grammar = Grammar.load(name)
    first, again, other = (sentences(grammar, count=30, seed=seed) for seed in (1, 1, 2))
    assert first == again != other
    assert len(set(first)) == 30
    assert all(map(TreeParser(grammar).accepts, first))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('a = "1" / "2"', {b"1", b"2"}),
        ('a = %s"x" [ %s"y" ] 1*2%s"z"', {b"xz", b"xzz", b"xyz", b"xyzz"}),
        ('a = %s"x" / %s"y" b\nb = %s"z" b', {b"x"}),  # b never ends
        ("a = %xD7FF-E000", {"\ud7ff".encode(), "\ue000".encode()}),  # surrogates between them
        ("a = %xFE-FF", {b"\xfe", b"\xff"}),
    ],
    ids=["alternatives", "options", "endless", "code points", "bytes"],
)
def test_small_languages_are_written_in_full(text, words):
    assert set(sentences(Grammar.parse(text + "\n"))) == words


def test_a_rule_that_never_ends_is_refused():
    with pytest.raises(GrammarError, match="rule b derives no sentence"):
        sentences(Grammar.parse('a = "x" / "y" b\nb = "z" b\n'), "b")


@pytest.mark.parametrize(
    "text", ["a = 99999999%x41\n", "".join(f"a{i} = 2a{i + 1}\n" for i in range(40)) + "a40 = %x41\n"]
)
def test_a_sentence_that_is_too_long_is_an_error(text, monkeypatch):
    monkeypatch.setattr("utf8_abnf.parsers.sentences.MAX_BYTES", 1000)
    with pytest.raises(GrammarError, match="more than"):
        sentences(Grammar.parse(text))


def test_deep_grammars_need_no_stack():
    text = "".join(f"r{i} = r{i + 1}\n" for i in range(1200)) + "r1200 = %x41\n"
    assert sentences(Grammar.parse(text)) == (b"A",)


@pytest.mark.parametrize("name", NAMES)
def test_wrong_sentences_are_refused_and_one_edit_away(name):
    grammar = Grammar.load(name)
    words = sentences(grammar, count=12, seed=3)
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
    left, right = left[begin:], right[begin:]
    return left[1:] == right or left == right[1:] or left[1:] == right[1:]


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
