"""Recursive grammars unrolled to a depth: their automata, suites and comparisons."""

import itertools
from dataclasses import replace

import pytest

from utf8_abnf.automaton import compile_grammar
from utf8_abnf.automaton.depth import beyond, only_in, unrolled
from utf8_abnf.automaton.earley import Recogniser
from utf8_abnf.conformance.suite import cases, theorem
from utf8_abnf.errors import UndecidedError
from utf8_abnf.grammar import Grammar, nfa

NESTED = Grammar.parse('s = "(" [ s ] ")" / "x" s "x" / "y"\n')
WORDS = [bytes(word) for length in range(8) for word in itertools.product(b"()xy", repeat=length)][:5000]


@pytest.mark.parametrize("depth", [0, 1, 2])
def test_the_automaton_has_what_stays_within_the_depth_and_knows_what_does_not(depth):
    grammar = unrolled(NESTED, depth=depth)
    automaton, deep, full = compile_grammar(grammar), beyond(grammar), Recogniser(NESTED)
    for word in WORDS:
        derived = full.read(word).refused is None
        if derived and len(word) <= 2 * depth + 1:
            assert automaton.accepts(word), word
        assert derived or not automaton.accepts(word), word
        assert automaton.accepts(word) is derived or deep.accepts(word), word


def test_a_regular_grammar_needs_no_depth():
    assert unrolled(Grammar.load("utf8")).depth is None
    assert beyond(Grammar.load("utf8")) is None


@pytest.mark.parametrize("depth", [0, 1])
def test_every_case_has_the_verdict_of_the_whole_grammar(depth):
    grammar, full = unrolled(NESTED, depth=depth), Recogniser(NESTED)
    automaton = compile_grammar(grammar)
    found = list(itertools.islice(cases("L1", grammar=grammar), 0, None, 7))
    assert len(found) > 300
    assert all(case.accept is (full.read(case.data).refused is None) for case in found)
    assert any(case.accept and not automaton.accepts(case.data) for case in found)
    assert f"on inputs of depth {depth} is reached" in theorem("L1", grammar=grammar)


def test_words_that_only_nest_deeper_in_the_other_grammar_are_no_difference():
    wrapped = unrolled(Grammar.parse('s = t\nt = "(" u ")" / "x" t "x" / "y" / "()"\nu = s\n'), depth=1)
    plain = unrolled(NESTED, depth=1)
    assert only_in(plain, wrapped, ("s", "s")) is None
    assert only_in(wrapped, plain, ("s", "s")) is None
    other = unrolled(Grammar.parse('s = "(" [ s ] ")" / "x" s "x" / "y" / "(y"\n'), depth=1)
    assert only_in(other, plain, ("s", "s")) == b"(Y"
    assert only_in(plain, other, ("s", "s")) is None


def test_words_that_nest_much_deeper_in_the_other_grammar_are_undecided():
    wide = unrolled(Grammar.parse('s = *( "(" ) "y" / "(" s ")"\n'), depth=0)
    deep = unrolled(Grammar.parse('s = "(" s / "y" / "(" s ")"\n'), depth=0)
    with pytest.raises(UndecidedError, match="levels deeper"):
        only_in(wide, deep, ("s", "s"))


def test_the_depth_of_a_grammar_does_not_limit_its_parser():
    assert Recogniser(replace(NESTED, depth=0)).read(b"((y))").refused is None


def test_a_rule_is_minimised_before_it_is_inlined(monkeypatch):
    """As they are written, these uses have 17,606 states; each has the words of its own depth."""
    monkeypatch.setattr(nfa, "MAX_NFA_STATES", 6_000)
    letters = " / ".join(f"%x{code:X}" for code in range(0x61, 0x7B))
    grammar = unrolled(Grammar.parse(f's = 9w [ "(" s s ")" ] 9w [ "<" s ">" ]\nw = 9letter\nletter = {letters}\n'))
    assert grammar.depth == 1
    word = 18 * 9 * b"a"
    automaton, deep = compile_grammar(grammar), beyond(grammar)
    assert automaton.accepts(word)
    once = word[:81] + b"(" + word + word + b")" + word[81:]
    assert automaton.accepts(once)
    assert automaton.accepts(word + b"<" + once + b">") is False
    assert deep.accepts(word + b"<" + once + b">")
    assert not deep.accepts(once + b"<" + word)


def test_the_depth_is_the_largest_of_1_and_0_that_fits(monkeypatch):
    monkeypatch.setattr(nfa, "MAX_NFA_STATES", 40)
    assert unrolled(Grammar.parse(NESTED.text)).depth == 1
    monkeypatch.setattr(nfa, "MAX_NFA_STATES", 20)
    assert unrolled(Grammar.parse(NESTED.text)).depth == 0
