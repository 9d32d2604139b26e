"""Classes of difference: every word that only one grammar derives is in a class, and every example is such a word."""

import itertools

import pytest

from utf8_abnf.automaton.divergence import divergences
from utf8_abnf.automaton.explain import Explainer
from utf8_abnf.grammar import Grammar
from utf8_abnf.parsers.linear import TreeParser

PAIRS = {
    "letters": ('s = *( "a" / "b" "c" )', 's = *( "a" / "c" ) [ "b" ]'),
    "ends": ('s = *"a"', 's = "a" 2*"a" "b"'),
    "nothing in common": ('s = "a" *"b"', 's = "c" *"b"'),
    "everything": ("s = *%x41-43", 's = *"b" "a"'),
    "nested": ('s = "a" [ s ] "b" / "c"', 's = "a" [ s ] "b" / "a" "c"'),
    "deeper in the other": ('s = "a" s "b" / "c"', 's = "a" t "b" / "c"\nt = "a" s "b" / "c"'),
    "left recursion": ('s = s "b" / "a"', 's = s "b" "b" / "a" / "c"'),
}
LETTERS = b"ABC"


def bytes_of(got):
    if got == "the end":
        return {None}
    pairs = [each.partition("..") for each in got.split(", ")]
    return {byte for low, _, high in pairs for byte in range(int(low, 16), int(high or low, 16) + 1)}


@pytest.mark.parametrize("name", PAIRS)
@pytest.mark.parametrize("turned", [False, True], ids=["", "turned"])
def test_every_word_that_only_one_derives_has_its_class(name, turned):
    one, other = (Grammar.parse(text + "\n") for text in PAIRS[name][:: -1 if turned else 1])
    depth = 3  # words of up to five letters nest no deeper
    found = divergences(*(Grammar(each.text, each.file, each.rules, depth=depth) for each in (one, other)), ("s", "s"))
    mine, yours, explainer = TreeParser(one), TreeParser(other), Explainer(other)
    for each in found:
        assert mine.accepts(each.example), each
        assert not yours.accepts(each.example), each
        problem = explainer.explain(each.example)
        assert (problem.expected, problem.within) == (each.expected, each.within)
        assert problem.got in bytes_of(each.got)
    classes = [(each.expected, bytes_of(each.got)) for each in found]
    for length in range(6):
        for letters in itertools.product(LETTERS, repeat=length):
            word = bytes(letters)
            if mine.accepts(word) and not yours.accepts(word):
                problem = explainer.explain(word)
                assert any(problem.expected == wanted and problem.got in got for wanted, got in classes), word
    assert [(len(each.example), each.example) for each in found] == sorted((len(e.example), e.example) for e in found)


def test_code_points_are_told_as_such_and_none_is_forgotten():
    one, other = Grammar.parse("s = %x61 *%x20-10FFFF\n"), Grammar.parse("s = %x61 *( %x20-7F / %xE9-4E00 )\n")
    found = divergences(one, other, ("s", "s"))
    assert [each.got for each in found] == ["U+0080..U+00E8, U+4E01..U+D7FF, U+E000..U+10FFFF"]
    assert found[0].example == "a\x80".encode()


def test_grammars_of_the_same_language_have_no_class():
    one, other = Grammar.parse('s = *( "a" / "b" )\n'), Grammar.parse('s = *"a" *( "b" *"a" )\n')
    assert divergences(one, other, ("s", "s")) == ()
