"""What becomes of rules that use themselves in the middle derives the same words as before."""

from itertools import product

import pytest

from utf8_abnf.automaton import compile_grammar
from utf8_abnf.errors import NotRegularError
from utf8_abnf.grammar import Grammar
from utf8_abnf.teaching.grading.solving import compile_solved, solved

LONGEST = 5


def derived(alternatives):
    """The words of up to ``LONGEST`` letters of a rule ``t``: apply the alternatives until nothing new comes out."""
    words = set()
    while True:
        more = {
            word
            for each in alternatives
            for choice in product(*(words if letter == "t" else {letter} for letter in each.split()))
            if len(word := "".join(choice)) <= LONGEST
        }
        if more <= words:
            return words
        words |= more


@pytest.mark.parametrize(
    "alternatives",
    [
        ["a", "t t"],
        ["", "a", "t t"],
        ["a", "t t t"],
        ["a t", "b", "t t t", "t t t t"],
        ["a t", "t b", "c"],
        ["a t", "t b", "c", "t t"],
        ["a b t", "t b", "c c", "t", ""],
        ["a t", "b t", "t c", "t t", ""],
        ["a", "", "t b t"],
        ["a t", "t a", "b", "t c t"],
        ["a", "t b t", "t c c t", "t t"],
    ],
)
def test_the_words_are_those_that_the_rule_derives(alternatives):
    rule = " / ".join(
        " ".join(letter if letter == "t" else f'%s"{letter}"' for letter in each.split()) or '""'
        for each in alternatives
    )
    grammar = Grammar.parse(f"t = {rule}")
    with pytest.raises(NotRegularError):
        compile_grammar(grammar)
    machine = compile_grammar(solved(grammar))
    words = {"".join(each) for size in range(LONGEST + 1) for each in product("abc", repeat=size)}
    assert {word for word in words if machine.accepts(word.encode())} == derived(alternatives)


@pytest.mark.parametrize(
    "rule",
    ['"(" t ")" / "x"', '"a" t "b" / "c"', '"a" [ t ] t / "b"', "t t", 't "a" t / t t t / "b"', 't "a" t "a" t / "b"'],
)
def test_a_rule_of_another_form_is_left_as_it_is(rule):
    grammar = Grammar.parse(f"t = {rule}")
    assert solved(grammar)["t"] == grammar["t"]


@pytest.mark.parametrize(
    ("rules", "equal"),
    [
        ('t = *( "a" / t )', '*"a"'),
        ('t = "a" *t', '1*"a"'),
        ('t = [ *u "a" ]\nu = t / "b" t', '[ *( "a" / "b" ) "a" ]'),
        ('t = *t 2"a" *t / *1t', '*( 2"a" )'),
    ],
)
def test_a_rule_that_derives_no_more_when_it_is_deeper_has_an_automaton(rules, equal):
    grammar, automaton = compile_solved(Grammar.parse(rules), "t")
    assert grammar.depth is not None
    assert automaton.equivalent(compile_grammar(Grammar.parse(f"x = {equal}"))) is None


@pytest.mark.parametrize("rule", ['"a" t "a" / "a" / ""', '*( "a" / "(" t ")" )', 'x = [ y ]\ny = "(" x ")" x\nt = *x'])
def test_a_rule_that_derives_more_at_each_depth_is_refused(rule):
    with pytest.raises(NotRegularError):
        compile_solved(Grammar.parse(rule if "=" in rule else f"t = {rule}"), "t")
