"""The reference chain: sources that say independently what UTF-8 is, shown equal, and mutants shown unequal."""

from pathlib import Path

import pytest

from utf8_abnf.automaton import Automaton, compile_grammar
from utf8_abnf.grammar import Grammar

UTF8 = Grammar.load("utf8")

# The Unicode Standard, version 15.1, Table 3-7: well-formed UTF-8 byte sequences, row by row.
#  code points          1st           2nd           3rd           4th
TABLE_3_7 = """
   0000..007F           00..7F
   0080..07FF           C2..DF        80..BF
   0800..0FFF           E0..E0        A0..BF        80..BF
   1000..CFFF           E1..EC        80..BF        80..BF
   D000..D7FF           ED..ED        80..9F        80..BF
   E000..FFFF           EE..EF        80..BF        80..BF
  10000..3FFFF          F0..F0        90..BF        80..BF        80..BF
  40000..FFFFF          F1..F3        80..BF        80..BF        80..BF
 100000..10FFFF         F4..F4        80..8F        80..BF        80..BF
"""

# The article on validating UTF-8 with automata: its automaton, with its names of states: from, to, bytes.
SEED_AUTOMATON = """
    START   START   00..7F
    START   TAILx1  C2..DF
    TAILx1  START   80..BF
    START   A       E0..E0
    A       TAILx1  A0..BF
    START   TAILx2  E1..EC  EE..EF
    TAILx2  TAILx1  80..BF
    START   B       ED..ED
    B       TAILx1  80..9F
    START   C       F0..F0
    C       TAILx2  90..BF
    START   TAILx3  F1..F3
    TAILx3  TAILx2  80..BF
    START   D       F4..F4
    D       TAILx2  80..8F
"""


def pair(text):
    low, high = text.split("..")
    return int(low, 16), int(high, 16)


def rows(text):
    found = [line.split() for line in text.strip().splitlines()]
    assert len(found) >= 9
    return found


def from_forms(forms):
    """The automaton of any number of characters, each of one of *forms*: a trie whose ends are its root, made small."""
    edges, count = {}, 1
    for form in forms:
        state = 0
        for place, (low, high) in enumerate(form):
            last = place == len(form) - 1
            target = 0 if last else count
            count += not last
            edges.setdefault(state, []).append((low, high, target))
            state = target
    table = [[count] * 256 for _ in range(count + 1)]
    for state, moves in edges.items():
        for low, high, target in moves:
            assert set(table[state][low : high + 1]) == {count}, "two rows share a byte"
            table[state][low : high + 1] = [target] * (high + 1 - low)
    return Automaton.from_rows(0, table, [0])


def from_moves(text):
    names = list(dict.fromkeys(state for state, *_ in rows(text)))
    assert (len(names), names[0]) == (8, "START")
    table = [[8] * 256 for _ in range(9)]
    for state, target, *ranges in rows(text):
        for low, high in map(pair, ranges):
            table[names.index(state)][low : high + 1] = [names.index(target)] * (high + 1 - low)
    return Automaton.from_rows(0, table, [0])


SOURCES = {
    "Unicode's Table 3-7": lambda: from_forms([[pair(each) for each in row[1:]] for row in rows(TABLE_3_7)]),
    "the article's automaton": lambda: from_moves(SEED_AUTOMATON),
}


@pytest.mark.thorough
@pytest.mark.parametrize("source", SOURCES)
def test_every_source_says_the_same(source):
    other = SOURCES[source]()
    assert compile_grammar(UTF8).equivalent(other) is None
    assert other.minimal() == compile_grammar(UTF8)


def test_the_articles_automaton_is_already_the_smallest():
    assert len(from_moves(SEED_AUTOMATON).table) == len(compile_grammar(UTF8).table) == 9


def test_the_rfcs_own_lines_are_the_grammar(root):
    text = (root / "tests" / "references" / "rfc3629.txt").read_text("ascii")
    for line in Path(root / "grammar" / "utf8.abnf").read_text("ascii").splitlines():
        assert f"   {line}\n" in text


# Each mutant: what is replaced by what, and the shortest input, of several the one that sorts first, that shows it.
MUTANTS = [
    ("%xED %x80-9F UTF8-tail", "%xED UTF8-tail UTF8-tail", "ED A0 80"),
    ("%xC2-DF", "%xC0-DF", "C0 80"),
    ("%xF0 %x90-BF", "%xF0 %x80-BF", "F0 80 80 80"),
    ("%xF4 %x80-8F 2( UTF8-tail )", "%xF4-F7 3( UTF8-tail )", "F4 90 80 80"),
    ("%xC2-DF", "%xC3-DF", "C2 80"),
    ("%x00-7F", "%x01-7F", "00"),
    ("*( UTF8-char )", "1*( UTF8-char )", ""),
    ("%xEE-EF 2( UTF8-tail )", "%xEE-EF 1*2( UTF8-tail )", "EE 80"),
]


@pytest.mark.parametrize(("old", "new", "word"), MUTANTS, ids=[f"{old} -> {new}" for old, new, _ in MUTANTS])
def test_every_mutant_has_its_shortest_counterexample(old, new, word):
    assert UTF8.text.count(old) == 1
    mutant = compile_grammar(Grammar.parse(UTF8.text.replace(old, new)))
    found = compile_grammar(UTF8).equivalent(mutant)
    assert found is not None
    assert found.hex(" ").upper() == word
    assert mutant.accepts(found) is not compile_grammar(UTF8).accepts(found)
