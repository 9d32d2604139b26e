"""The automaton of UTF-8, of the shelf, and the laws that every automaton keeps."""

import itertools
from dataclasses import replace

import pytest

from utf8_abnf.automaton import (
    Automaton,
    access_words,
    compile_grammar,
    complement,
    difference,
    intersection,
    separating_words,
    state_cover,
    union,
)
from utf8_abnf.grammar import Grammar

UTF8 = compile_grammar(Grammar.load("utf8"))

# Rows of the shelf: grammar, start rule, live states, byte classes, first word that is accepted.
SHELF = [
    ("utf8", "UTF8-octets", 8, 12, b""),
    ("utf8", "UTF8-char", 9, 12, b"\x00"),
    ("utf8", "UTF8-tail", 2, 2, b"\x80"),
    ("urn", "namestring", 79, 14, b"URN:00:!"),
    ("urn", "NID", 63, 3, b"00"),
    ("urn", "NSS", 4, 5, b"!"),
    ("date-time", "date-time", 28, 8, b"0000-00-00T00:00:00Z"),
    ("uri", "URI", 179, 21, b"A:"),
    ("uri", "URI-reference", 182, 21, b""),
    ("uri", "IPv6address", 151, 10, b"::"),
    ("uri", "dec-octet", 6, 7, b"0"),
]
GRAMMARS = {name: Grammar.load(name) for name in ("utf8", "urn", "date-time", "uri")}


@pytest.mark.thorough
@pytest.mark.parametrize(("name", "rule", "live", "classes", "first"), SHELF, ids=lambda each: str(each))
def test_the_shelf_has_the_known_sizes(name, rule, live, classes, first):
    automaton = compile_grammar(GRAMMARS[name], rule)
    assert len(automaton.table) - len(automaton.dead) == live
    assert len(automaton.dead) == 1
    assert len(automaton.table[0]) == max(automaton.classes) + 1 == classes
    nothing = Automaton(0, ((0,),), bytes(256), frozenset())
    assert automaton.first_not_in(nothing) == first


def test_states_of_utf8_are_named_for_what_they_wait_for():
    names = {word: UTF8.names[UTF8.run(bytes.fromhex(word))] for word in ("", "C2", "E1", "F1", "E0", "ED", "F0", "F4")}
    assert list(names.values()) == ["start", "tail1", "tail2", "tail3", "after_E0", "after_ED", "after_F0", "after_F4"]
    assert set(UTF8.names) == {*names.values(), "reject"}
    assert UTF8.names[UTF8.sink] == "reject"


@pytest.mark.thorough
def test_names_are_all_different():
    for name, rule, *_ in SHELF:
        names = compile_grammar(GRAMMARS[name], rule).names
        assert len(set(names)) == len(names)


@pytest.mark.thorough
@pytest.mark.parametrize(("name", "rule"), [row[:2] for row in SHELF], ids=lambda each: each)
def test_separating_words_separate_and_access_words_reach(name, rule):
    automaton = compile_grammar(GRAMMARS[name], rule)
    words = separating_words(automaton)
    assert words[0] == b""
    states = range(len(automaton.table))
    answers = {tuple(automaton.run(word, state) in automaton.accepting for word in words) for state in states}
    assert len(answers) == len(automaton.table)
    for word in words[1:]:  # and none of them is there for nothing
        rest = [each for each in words if each != word]
        fewer = {tuple(automaton.run(each, state) in automaton.accepting for each in rest) for state in states}
        assert len(fewer) < len(automaton.table)
    assert [automaton.run(word) for word in access_words(automaton).values()] == list(access_words(automaton))
    assert len(state_cover(automaton)) == len(automaton.table)


def test_table_is_readable():
    lines = UTF8.to_table().splitlines()
    assert lines[0].split()[:2] == ["state", "00..7F"]
    assert lines[1].split()[:2] == ["start*", "start"]
    assert lines[-2] == "8 live states and one sink, 12 byte classes; * accepts, . rejects."
    assert lines[-1] == "Rejected in every state: C0..C1, F5..FF."
    assert "1 live state, no sink" in compile_grammar(Grammar.parse("a = *%x00-FF\n")).to_table()


def test_mermaid_and_dot_have_every_live_move():
    for text, arrow in ((UTF8.to_mermaid(), "-->"), (UTF8.to_dot(), "->")):
        moves = [
            line for line in text.splitlines() if f" {arrow} " in line and "[*]" not in line and '"" ->' not in line
        ]
        assert len(moves) == 8 + 7
        assert any("E1..EC, EE..EF" in line and "tail2" in line for line in moves)


def test_an_automaton_is_a_frozen_value():
    again = compile_grammar(Grammar.load("utf8"))
    assert again == UTF8
    assert hash(again) == hash(UTF8)
    with pytest.raises(AttributeError):
        again.start = 1


def test_boolean_operations_keep_the_laws_of_sets():
    mutant = Automaton.from_rows(0, [[1 if byte == 0x41 else 0 for byte in range(256)], [1] * 256], [0])  # no A in it
    assert difference(UTF8, mutant) == intersection(UTF8, complement(mutant))
    assert complement(union(UTF8, mutant)) == intersection(complement(UTF8), complement(mutant))
    assert complement(complement(UTF8)) == UTF8
    assert union(difference(UTF8, mutant), intersection(UTF8, mutant)) == UTF8
    assert difference(UTF8, UTF8).accepting == frozenset()
    assert len(difference(UTF8, UTF8).table) == 1
    assert difference(UTF8, mutant).equivalent(UTF8) == b""


@pytest.mark.thorough
def test_every_redirected_move_is_noticed_with_a_shortest_word():
    """Each single change of the table, 108 moves to 9 states: another language, and the word shows it."""
    for state, number in itertools.product(range(len(UTF8.table)), range(len(UTF8.table[0]))):
        for target in set(range(len(UTF8.table))) - {UTF8.table[state][number]}:
            row = (*UTF8.table[state][:number], target, *UTF8.table[state][number + 1 :])
            mutant = replace(UTF8, table=(*UTF8.table[:state], row, *UTF8.table[state + 1 :]))
            word = UTF8.equivalent(mutant)
            assert word is not None
            assert UTF8.accepts(word) is not mutant.accepts(word)
            assert mutant.minimal() != UTF8


def test_an_automaton_of_more_than_256_states_runs_and_one_of_1010_is_separated():
    automaton = compile_grammar(Grammar.parse('a = 300"x"\n'))
    assert len(automaton.table) == 302
    assert automaton.accepts(b"X" * 300)
    assert not automaton.accepts(b"x" * 299)
    assert automaton.names[299] == "state_299"
    assert [len(each) for each in separating_words(compile_grammar(Grammar.parse('a = 1010"x"\n')))] == [*range(1011)]
