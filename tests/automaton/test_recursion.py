"""Recursion at one side is regular: the automaton accepts the words that the rules derive, counted out naively."""

import itertools
import random

import pytest

from utf8_abnf.automaton import compile_grammar
from utf8_abnf.errors import NotRegularError
from utf8_abnf.grammar import Grammar
from utf8_abnf.grammar.analysis import components
from utf8_abnf.grammar.lint import lint
from utf8_abnf.grammar.syntax import Alternation, Concatenation, Group, Option, Ref, Repetition, Text
from utf8_abnf.parsers import LarkParser, ReferenceParser
from utf8_abnf.parsers.linear import TreeParser

MOST = 4  # letters of a word that is compared
WORDS = [bytes(word) for length in range(MOST + 1) for word in itertools.product(b"abc", repeat=length)]


def joined(lefts, rights):
    return {left + right for left in lefts for right in rights if len(left + right) <= MOST}


def derived(node, known):
    """Return the words of *node*, if the rules derive the words *known*."""
    match node:
        case Text(text=text):
            return {text.encode()}
        case Ref(name=name):
            return known[name.lower()]
        case Group(item=item):
            return derived(item, known)
        case Option(item=item):
            return derived(item, known) | {b""}
        case Alternation(items=items):
            return set().union(*(derived(item, known) for item in items))
        case Concatenation(items=items):
            words = {b""}
            for item in items:
                words = joined(words, derived(item, known))
            return words
        case Repetition(low=low, high=high, item=item):
            each, words, found = derived(item, known), {b""}, set()
            for count in range(low + MOST + 1 if high is None else high + 1):
                found |= words if count >= low else set()
                words = joined(words, each)
            return found
    raise TypeError(node)


def language(grammar):
    known = {name: set() for name in grammar.rules}
    while True:
        longer = {name: derived(rule.definition, known) for name, rule in grammar.rules.items()}
        if longer == known:
            return known[grammar.start.lower()]
        known = longer


REGULAR = [
    's = "a" s / "b"',
    's = s "a" / "b"',
    's = [ s ] ("a" / "b")',
    's = [ "c" ] [ s ]',
    's = "a" t / "c"\nt = "b" s / "a" t / ""',
    's = t "a" / "c"\nt = s "b" / t "a" / ""',
    's = "a" t s / ""\nt = t "b" / "c"',  # left-linear within right-linear
    's = s t / ""\nt = "b" t / "c"',
    's = t u\nt = "a" t / ""\nu = u "b" / ""',
    's = "a" s nothing / "b"\nnothing = "" 0"c"',
    's = nothing s "a" / "b"\nnothing = *0s *"" [ 3"" ]',
    's = "a" *1s',
    's = 1*1( s ) "b" / "c"',
    's = s / "a"',
    's = t / "a"\nt = s / "b" t',
    's = t / "a"\nt = s / t "b"',
    's = "a" s',
    's = s "a"',
    's = 2t\nt = "a" t / "b"',
    's = *( t "c" )\nt = t "a" / "b"',
    's = "a" (t / u)\nt = "b" (s / u / "")\nu = "c" [ s / t ]',
    's = (t / u) "a"\nt = (s / u / "") "b"\nu = [ s / t ] "c"',
]

NOT_SHOWN = [
    's = "a" s "b" / ""',
    's = "a" s / s "b" / "c"',
    's = s s / "a"',
    's = *s "a"',
    's = 1*2s "a"',
    's = "a" t / "b"\nt = s "c"',
    's = "a" s nothing\nnothing = nothing',  # it derives no word at all, so it is not known to be blank
    's = "a" / "b" t\nt = "(" s ")"',
]


@pytest.mark.parametrize("text", REGULAR)
def test_recursion_at_one_side_accepts_what_the_rules_derive(text):
    grammar = Grammar.parse(text + "\n")
    automaton = compile_grammar(grammar)
    assert {word for word in WORDS if automaton.accepts(word)} == language(grammar)


@pytest.mark.parametrize("text", NOT_SHOWN)
def test_recursion_at_both_sides_or_within_is_refused(text):
    with pytest.raises(NotRegularError):
        compile_grammar(Grammar.parse(text + "\n"))


def linear(chance, names, right):
    """Return rules *names* that use each other at random, all at one side."""
    lines = []
    for name in names:
        parts = []
        for _ in range(chance.randint(1, 3)):
            letters = " ".join(chance.choice(['"a"', '"b"', '[ "c" ]', '*"a"', '( "b" / "ca" )']) for _ in range(2))
            other = chance.choice([*names, f"[ {chance.choice(names)} ]", f"( {chance.choice(names)} / {names[0]} )"])
            parts.append(chance.choice([letters, f"{letters} {other}" if right else f"{other} {letters}"]))
        lines.append(f"{name} = {' / '.join(parts)}\n")
    return "".join(lines)


@pytest.mark.parametrize("seed", range(24))
def test_random_components_accept_what_the_rules_derive(seed):
    chance = random.Random(seed)
    text = "start = [ t0 ] u0 / u1 *t1\n"
    text += linear(chance, ["t0", "t1", "t2"], seed % 2 == 0) + linear(chance, ["u0", "u1"], seed % 3 == 0)
    grammar = Grammar.parse(text)
    automaton = compile_grammar(grammar)
    assert {word for word in WORDS if automaton.accepts(word)} == language(grammar), text


@pytest.mark.parametrize("form", ['"{0}" r{1}', 'r{1} "{0}"'])
def test_forty_rules_that_all_use_each_other_need_few_states(form):
    count = 40
    uses = " / ".join(form.format(chr(97 + j % 26), j) for j in range(count))
    lines = [f'r{i} = {uses} / "."\n' for i in range(count)]
    grammar = Grammar.parse("".join(lines))
    assert len(components(grammar)["r0"].rules) == count
    assert compile_grammar(grammar).accepts(b"abc." if form.endswith("r{1}") else b".abc")


NEVER_USED = [
    ('a = "(" b ")" / "x"\nb = 0a "y"', 'a = "(y)" / "x"'),
    ('a = 0a "x"', 'a = "x"'),
    ('a = b "x"\nb = *0( "y" a "z" )', 'a = "x"'),
    ('a = 0( a "z" ) "x" / b\nb = *0( "q" a ) "x" [ a ]', 'a = 1*"x"'),
]


@pytest.mark.parametrize(("text", "plain"), NEVER_USED, ids=[text for text, _ in NEVER_USED])
def test_a_rule_that_is_repeated_no_times_is_not_used(text, plain):
    grammar, other = Grammar.parse(text + "\n"), Grammar.parse(plain + "\n")
    assert compile_grammar(grammar) == compile_grammar(other)
    parsers = [TreeParser(other), *(make(grammar) for make in (TreeParser, ReferenceParser, LarkParser))]
    for word in (b"", b"x", b"xx", b"(y)", b"yxz", b"xz"):
        assert len({parser.accepts(word) for parser in parsers}) == 1
    assert "left-recursion" not in {each.code for each in lint(grammar)}


def test_where_another_use_nests_the_cycle_that_is_named_has_that_use():
    with pytest.raises(NotRegularError) as caught:
        compile_grammar(Grammar.parse('a = "(" b ")" / "x"\nb = 0a "y" / c\nc = a / 0b\n'))
    assert caught.value.cycle == ("a", "b", "c")
