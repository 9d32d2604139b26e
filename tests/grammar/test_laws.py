"""Generated grammars: the parsers, and the answers about ambiguity and alternatives, agree with a plain matcher."""

from __future__ import annotations

import itertools
from collections import Counter

import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st

from utf8_abnf.automaton import compile_grammar
from utf8_abnf.errors import TooLargeError
from utf8_abnf.grammar import Grammar
from utf8_abnf.grammar.ambiguity import ambiguity, choices
from utf8_abnf.grammar.syntax import Alternation, Concatenation, Group, Option, Range, Ref, Repetition, Text, show
from utf8_abnf.parsers import LarkParser, ReferenceParser
from utf8_abnf.parsers.linear import TreeParser

LONGEST = 4
WORDS = [bytes(word) for length in range(LONGEST + 1) for word in itertools.product(b"xy", repeat=length)]


def derivations(grammar, node, word, start):
    """Count the derivations of word[start:end] from *node*, for each end; the plain twin of all that is clever.

    Repetitions run for one round more than can help: a count of two or more then means "several", not how many.
    """

    def after(counts, item):
        found = Counter()
        for at, times in counts.items():
            for end, more in derivations(grammar, item, word, at).items():
                found[end] += times * more
        return found

    match node:
        case Ref(name=name):
            return derivations(grammar, grammar[name].definition, word, start)
        case Range(low=low, high=high):
            return Counter({start + 1: 1} if start < len(word) and low <= word[start] <= high else {})
        case Text(text=text):
            end = start + len(text)
            return Counter({end: 1} if word[start:end] == text.encode() else {})
        case Group(item=item):
            return derivations(grammar, item, word, start)
        case Option(item=item):
            return Counter({start: 1}) + derivations(grammar, item, word, start)
        case Alternation(items=items):
            return sum((derivations(grammar, item, word, start) for item in items), Counter())
        case Concatenation(items=items):
            counts = Counter({start: 1})
            for item in items:
                counts = after(counts, item)
            return counts
        case Repetition(low=low, high=high, item=item):
            counts = Counter({start: 1})
            for _ in range(low):
                counts = after(counts, item)
            total = counts
            for _ in range(len(word) + 1 if high is None else high - low):
                counts = after(counts, item)
                total = total + counts
            return total
    raise TypeError(node)


names = ["a", "b"]
literals = st.sampled_from([Text("x", True), Text("y", True), Text("xy", True), Text("", True), Range(0x78, 0x79)])


def nodes(below):
    """Return a strategy for nodes that use the rules *below* only, so that nothing is recursive."""
    atoms = st.one_of(literals, st.sampled_from([Ref(name) for name in below])) if below else literals

    def deeper(inner):
        pair = st.lists(inner, min_size=2, max_size=3).map(tuple)
        inside = st.one_of(inner, pair.map(Alternation), pair.map(Concatenation))
        group = inside.map(Group)
        counted = st.tuples(st.integers(0, 2), st.sampled_from([None, 0, 1]))
        return st.one_of(
            group,
            inside.map(Option),
            st.builds(lambda c, item: Repetition(c[0], None if c[1] is None else c[0] + c[1], item), counted, group),
        )

    single = st.recursive(atoms, deeper, max_leaves=3)
    several = st.lists(single, min_size=1, max_size=3).map(lambda items: tuple(items))
    sequence = several.map(lambda items: items[0] if len(items) == 1 else Concatenation(items))
    return st.lists(sequence, min_size=1, max_size=3).map(
        lambda items: items[0] if len(items) == 1 else Alternation(tuple(items))
    )


grammars = st.tuples(*(nodes(names[at + 1 :]) for at in range(len(names)))).map(
    lambda bodies: Grammar.parse("".join(f"{name} = {show(body)}\n" for name, body in zip(names, bodies, strict=True)))
)


def counts(grammar):
    definition = grammar["a"].definition
    return {word: derivations(grammar, definition, word, 0)[len(word)] for word in WORDS}


@pytest.mark.thorough
@settings(max_examples=settings().max_examples // 10, derandomize=True)  # a rare grammar keeps Earley busy for a minute
@given(grammars)
def test_all_parsers_agree_with_the_plain_matcher(grammar):
    truth = counts(grammar)
    automaton, trees, reference, lark = (
        make(grammar) for make in (compile_grammar, TreeParser, ReferenceParser, LarkParser)
    )
    unambiguous = ambiguity(grammar) is None
    for word, ways in truth.items():
        assert automaton.accepts(word) is trees.accepts(word) is bool(ways), word
        assert reference.accepts(word) is bool(ways), word
        assert lark.accepts(word) is bool(ways), word
        if ways:
            assert trees.parse(word) == reference.parse(word), word
        if ways and unambiguous:
            assert lark.parse(word) == reference.parse(word), word


def decided(find, *arguments):
    """Return what *find* finds; a grammar that is too large for it, which is rare, shows nothing."""
    try:
        return find(*arguments)
    except TooLargeError:
        reject()


@pytest.mark.thorough
@settings(max_examples=settings().max_examples // 2)
@given(grammars)
def test_ambiguity_is_found_with_a_shortest_string(grammar):
    several = [word for word, ways in counts(grammar).items() if ways > 1]
    found = decided(ambiguity, grammar)
    if found is None:
        assert several == []
    elif len(found.word) <= LONGEST:
        assert found.word in several
        assert min(map(len, several)) == len(found.word)
    else:
        assert several == []


@pytest.mark.thorough
@given(grammars)
def test_alternatives_are_never_needed_or_shadowed_just_as_the_words_say(grammar):
    rule = grammar["a"]
    if len(rule.alternatives) == 1:
        return
    sets = [{word for word in WORDS if derivations(grammar, node, word, 0)[len(word)]} for node in rule.alternatives]
    unreachable, shadows = decided(choices, grammar, rule, rule.definition)
    for at, words in enumerate(sets):
        before = set().union(*sets[:at])
        if at in unreachable:
            assert words <= before
        if at in shadows:
            earlier, part, whole = shadows[at]
            assert whole.startswith(part)
            assert len(part) < len(whole)
            assert part in sets[earlier] or len(part) > LONGEST
            assert whole in words or len(whole) > LONGEST
        else:
            assert not any(long != short and long.startswith(short) for long in words for short in before)
