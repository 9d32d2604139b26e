"""Random regular grammars: the automaton, its twins, Python's re and the reference agree."""

import itertools
import re

import pytest
from hypothesis import HealthCheck, assume, given, reject, settings
from hypothesis import strategies as st

from utf8_abnf.automaton import Automaton, compile_grammar, intersection, separating_words
from utf8_abnf.automaton.compile import determinise
from utf8_abnf.automaton.explain import explain_failure
from utf8_abnf.automaton.regex import to_regex
from utf8_abnf.errors import TooLargeError
from utf8_abnf.grammar import Grammar
from utf8_abnf.grammar.nfa import compile_nfa

from ..random_grammars import elements

COUNTS = ["*", "1*", "2", "1*2", "*2", "2*", "*1", "3", ""]
LETTERS = ['"a"', '"b"', '%s"a"', "%x61-62", "%x61.62", '"ab"', '""', "%xE0-FF", "%x80"]
BYTES = b"aAb\x80\xe0\xff"
WORDS = [bytes(word) for length in range(5) for word in itertools.product(BYTES, repeat=length)]
SHORT = [word for word in WORDS if len(word) < 4]


@st.composite
def grammars(draw):
    names = ["r0", "r1", "r2"]
    lines = []
    for number, name in enumerate(names):
        alternative = elements([*LETTERS, *names[number + 1 :]], COUNTS, most=6)
        alternatives = draw(st.lists(alternative, min_size=1, max_size=2))
        lines.append(f"{name} = {' / '.join(alternatives)}\n")
    return Grammar.parse("".join(lines))


def determinise_plain(nfa):
    """Return a deterministic automaton that accepts what *nfa* accepts: the twin of ``determinise``, byte by byte."""

    def closed(states):
        while True:
            more = {target for state in states if not nfa.states[state].ranges for target in nfa.states[state].targets}
            if more <= states:
                return frozenset(states)
            states = states | more

    order = [closed({nfa.start})]
    numbers = {order[0]: 0}
    rows = []
    for members in order:
        row = []
        for byte in range(256):
            reached = {
                nfa.states[state].targets[0]
                for state in members
                if any(low <= byte <= high for low, high in nfa.states[state].ranges)
            }
            target = closed(reached)
            if target not in numbers:
                numbers[target] = len(order)
                order.append(target)
            row.append(numbers[target])
        rows.append(row)
    return Automaton.from_rows(0, rows, [number for number, members in enumerate(order) if nfa.accept in members])


relaxed = settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])


def small(make, subject):
    """Return what *make* makes of *subject*; a random grammar that needs more states than there may be is left out."""
    try:
        return make(subject)
    except TooLargeError:
        reject()


@pytest.mark.thorough
@settings(relaxed, max_examples=settings().max_examples // 2)
@given(grammars())
def test_every_clever_step_has_a_plain_twin_that_agrees(grammar):
    nfa = compile_nfa(grammar)
    plain = determinise_plain(nfa)
    clever = small(determinise, nfa)
    assert clever.equivalent(plain) is None
    smallest = clever.minimal()
    assert smallest == plain.minimal()
    assert clever.equivalent(smallest) is None
    words, states = separating_words(smallest), range(len(smallest.table))
    answers = {tuple(smallest.run(word, state) in smallest.accepting for word in words) for state in states}
    assert len(answers) == len(smallest.table)  # no two states are equal, so there is no smaller one


@pytest.mark.thorough
@settings(relaxed, max_examples=settings().max_examples // 2)
@given(grammars())
def test_pythons_re_matches_what_the_automaton_accepts(grammar):
    automaton = small(compile_grammar, grammar)
    matches = re.compile(to_regex(grammar).encode()).match
    assert [word for word in WORDS if automaton.accepts(word) is not bool(matches(word))] == []


@pytest.mark.thorough
@settings(relaxed, max_examples=settings().max_examples // 4)
@given(grammars(), grammars())
def test_the_counterexample_is_the_first_word_that_differs(left, right):
    one, other = small(compile_grammar, left), small(compile_grammar, right)
    assume(one != other)
    found = one.equivalent(other)
    words = sorted(WORDS, key=lambda word: (len(word), word))
    first = next((word for word in words if one.accepts(word) is not other.accepts(word)), None)
    assert found is not None
    assert one.accepts(found) is not other.accepts(found)
    assert first is None or (len(found), found) <= (len(first), first)
    assert one.first_not_in(intersection(one, other)) == one.first_not_in(other)


@pytest.mark.thorough
@settings(relaxed, max_examples=settings().max_examples // 4)
@given(grammars())
def test_the_expectation_is_right_byte_by_byte(grammar):
    """The byte that cannot be right cannot; all that is said to be expected there can, and nothing else."""
    automaton = small(compile_grammar, grammar)
    assume(automaton.start not in automaton.dead)
    for word in SHORT[::5]:
        problem = explain_failure(grammar, word)
        assert (problem is None) is automaton.accepts(word)
        if problem is None:
            continue
        state = automaton.run(word[: problem.offset])
        good = {byte for byte in range(256) if automaton.step(state, byte) not in automaton.dead}
        assert {byte for low, high in problem.ranges for byte in range(low, high + 1)} == good
        assert problem.complete is (state in automaton.accepting)
        if problem.got is None:
            assert problem.offset == len(word)
        else:
            assert problem.got == word[problem.offset] not in good


# Expressions that engines have been wrong about: empty rounds, loops in loops, choices of nothing, classes with signs.
STRANGE = [
    'r = *( *"a" )\n',
    'r = 2*( "" / "a" ) "b"\n',
    'r = *( [ "a" ] [ "b" ] )\n',
    'r = *2( "" / "ab" / "a" )\n',
    'r = 1*( *"a" *"b" )\n',
    'r = *0"a" / 0"b" "a"\n',
    'r = %x61 / "-" / "]" / "^" / %x5C / %x80\n',
    "r = %x5B-61 / %x2D\n",
    'r = "" / ""\n',
    'r = ( "a" / ( "b" / "ab" ) ) %xFF\n',
]


@pytest.mark.parametrize("text", STRANGE)
def test_strange_expressions_mean_the_same_in_python(text):
    grammar = Grammar.parse(text)
    automaton = small(compile_grammar, grammar)
    matches = re.compile(to_regex(grammar).encode()).match
    words = [*WORDS, *(bytes([byte]) for byte in range(256)), b"a\n", b"\n"]
    assert [word for word in words if automaton.accepts(word) is not bool(matches(word))] == []
