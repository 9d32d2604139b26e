"""What cannot be compiled is said to be so, quickly, with file, line and column; what is merely deep compiles."""

from dataclasses import replace

import pytest

from utf8_abnf.automaton import compile_grammar, network
from utf8_abnf.automaton.explain import explain_failure
from utf8_abnf.automaton.regex import to_regex
from utf8_abnf.errors import GrammarError, NotRegularError, TooLargeError
from utf8_abnf.grammar import Grammar, nfa, subsets
from utf8_abnf.parsers.linear import TreeParser

# Each row: the grammar, a cycle of rules that has something before and after itself, and the place of a use in it.
# Other cycles, as that of d and that of list, are at one end only: they are not the reason.
NOT_REGULAR = [
    ('a = "(" a ")" / "x"', ("a",), (1, 9)),
    ('a = a "x" / "y" a / "z"', ("a",), (1, 5)),
    ('a = "x" b\nb = "y" c "z"\nc = a / "q"', ("b", "c", "a"), (2, 9)),
    ('top = a\na = "<" B ">"\nb = "[" A "]" / ""', ("a", "b"), (2, 9)),
    ('a = "x" d / "q"\nd = "d" d / "e" a "z"', ("d", "a"), (2, 17)),
    ('v = "x" / "[" list "]"\nlist = v "," list / v', ("v", "list"), (1, 15)),
    ('a = "x" a / b / "q"\nb = a "y"', ("b", "a"), (2, 5)),
    ('a = 2a / "x"', ("a",), (1, 6)),
    ('a = *( a "x" )', ("a",), (1, 8)),
]


@pytest.mark.parametrize(("text", "cycle", "place"), NOT_REGULAR, ids=[row[0] for row in NOT_REGULAR])
def test_what_is_not_shown_regular_names_the_cycle(text, cycle, place):
    with pytest.raises(NotRegularError) as caught:
        compile_grammar(Grammar.parse(text + "\n", file="some.abnf"))
    assert caught.value.cycle == cycle
    assert (caught.value.line, caught.value.column) == place
    assert str(caught.value).startswith(f"some.abnf:{place[0]}:{place[1]}: not shown to be regular: ")
    assert all(name in str(caught.value) for name in cycle)


def test_a_regular_part_of_what_is_not_shown_regular_is_named():
    with pytest.raises(NotRegularError) as caught:
        compile_grammar(Grammar.load("json"))
    part = str(caught.value).rpartition("start at ")[2]
    assert compile_grammar(Grammar.load("json"), part)


def test_a_rule_that_is_used_often_is_called_so_that_the_network_stays_small():
    pairs = [f'r{n} = 8( c "{n}" )' for n in range(60)]
    text = ["s = (s s) / " + " / ".join(f"r{n}" for n in range(60)), *pairs, 'c = 8( "abcdefgh" / "ijklmnop" )']
    grammar = Grammar.parse("\n".join(text) + "\n")
    calls = network.called_rules(grammar)
    assert len(network.network(grammar, None, calls).subsets.nfa.states) < network.MAX_NETWORK
    assert TreeParser(grammar).accepts((b"abcdefgh" * 8 + b"7") * 8)


def test_rules_that_use_themselves_have_no_regular_expression_though_they_are_regular():
    with pytest.raises(GrammarError, match=r"some\.abnf:2:5: b uses itself: ") as caught:
        to_regex(Grammar.parse('a = "x" b\nb = "x" b / ""\n', file="some.abnf"))
    assert not isinstance(caught.value, NotRegularError)


TOO_LARGE = [
    'a = 1000000"x"',
    "a = *1000000OCTET",  # a core rule, which has no place in the file
    'a = 1000000( 1000000"x" )',
    'a = 999999999999999999*"x"',
    "a = 9999b\nb = 9999c\nc = 9999d\nd = %x00-FF",
    'a = *("x" / "y") "x" 20("x" / "y")',
    'a = *("x" / "y") "x" 10000("x" / "y")',
    "\n".join([*(f"r{n} = r{n + 1} r{n + 1}" for n in range(40)), 'r40 = "x"']),
]


@pytest.fixture
def smaller(monkeypatch):
    """A twentieth of the limits: that they hold shows as well, in a twentieth of the time."""
    monkeypatch.setattr(nfa, "MAX_NFA_STATES", nfa.MAX_NFA_STATES // 20)
    monkeypatch.setattr(subsets, "MAX_STATES", subsets.MAX_STATES // 20)


@pytest.mark.thorough
def test_the_stated_limit_is_reached():
    with pytest.raises(TooLargeError, match=r"the automaton has more than 20,000 states[,;]"):
        compile_grammar(Grammar.parse(TOO_LARGE[5] + "\n"))


@pytest.mark.usefixtures("smaller")
@pytest.mark.parametrize("text", TOO_LARGE, ids=lambda text: text[:40])
def test_a_grammar_that_would_explode_is_stopped_by_a_stated_limit(text):
    with pytest.raises(TooLargeError, match=r"the automaton has more than \d+,000 states[,;]") as caught:
        compile_grammar(Grammar.parse(text + "\n"))
    assert caught.value.line <= len(text.splitlines())


@pytest.mark.usefixtures("smaller")
@pytest.mark.parametrize(("text", "depth", "message"), [
    ('a = b / c\nb = 400000"x"\nc = "y"', None, "2:11: .* states, most of them in rule b; lower the repeat counts$"),
    ("\n".join([*(f"a{i} = a{i + 1} a{i + 1}" for i in range(60)), "a60 = %x41"]), None, "rule, as with --start a51$"),
    ('a = "(" a ")" / *("x" / "y") "x" 12("x" / "y")', 1, "more than 1,000 states; use a smaller --depth, or none$"),
])  # fmt: skip
def test_the_rule_that_is_too_large_is_named_and_a_remedy_that_it_has(text, depth, message):
    with pytest.raises(TooLargeError, match=message):
        compile_grammar(replace(Grammar.parse(text + "\n"), depth=depth))
    if depth is None and "--start" in message:
        assert len(compile_grammar(Grammar.parse(text + "\n"), "a51").table) == 2**9 + 2


@pytest.mark.parametrize(
    "text", ['a = 1000000000""', 'a = 99999999*""', 'a = *9999999999( *"" )', 'a = *( *( *"x" ) )']
)
def test_repetitions_of_nothing_cost_nothing(text):
    assert compile_grammar(Grammar.parse(text + "\n")).accepts(b"")


def test_a_refusal_says_that_a_rule_derives_nothing():
    problem = explain_failure(Grammar.parse("a = b\nb = a\n"), b"x")
    assert str(problem) == "byte 78 at offset 0; expected nothing: the rule derives no sentence"


def test_a_refusal_names_a_missing_rule_where_it_is_used():
    with pytest.raises(GrammarError, match="1:7: unknown rule b"):
        explain_failure(Grammar.parse('a = [ b ] "(" [ a ] ")"\n'), b"x")


@pytest.mark.thorough
def test_a_chain_of_two_thousand_rules_compiles():
    count = 2000  # twice as many as Python's stack would take
    text = "".join(f"r{number} = r{number + 1}\n" for number in range(count)) + f'r{count} = "x"\n'
    assert compile_grammar(Grammar.parse(text)).accepts(b"X")
