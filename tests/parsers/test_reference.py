"""The reference parser: abnf's verdict and tree, exact on bytes; "cannot tell" is never "no"."""

from __future__ import annotations

import gc

import pytest
from abnf.parser import Rule

from utf8_abnf.errors import GrammarError, UndecidedError
from utf8_abnf.grammar import Grammar
from utf8_abnf.grammar.files import shipped_grammars
from utf8_abnf.parsers import ReferenceParser, Tree
from utf8_abnf.parsers.reference import MAX_WHOLE

UTF8 = Grammar.load("utf8")
REFERENCE = ReferenceParser(UTF8)


# -- the tree


def outline(tree):
    inside = " ".join(map(outline, tree.children))
    return f"{tree.label}({inside})" if inside else tree.label


# Grammars with a word whose tree shows which derivation abnf takes.
CHOSEN = {
    "first alternative on a tie": ('a = b / c\nb = "x"\nc = "x"\n', b"x", "a/1(b)"),
    "longest first item": ('a = b c\nb = *"x"\nc = *"x"\n', b"xx", None),
    "alternative of a group is not counted": ('a = "x" ( "y" / b )\nb = "z"\n', b"xz", "a(b)"),
    "group as the whole rule": ('a = ( "x" / b )\nb = "y"\n', b"y", "a(b)"),
    "added alternatives": ('a = "x" / "y"\na =/ "z" / b\nb = "w"\n', b"w", "a/4(b)"),
    "core rules": ("a = HEXDIG\n", b"c", "a(HEXDIG/4)"),
    "core rule's rule": ("a = HEXDIG\n", b"7", "a(HEXDIG/1(DIGIT))"),
    "own rule of a core rule's name": ('a = DIGIT HEXDIG\nDIGIT = "x" / "y"\n', b"yx", "a(DIGIT/2 HEXDIG/1(DIGIT/1))"),
    "named as our own names": ('r0 = r1 / loop\nr1 = "x"\nloop = "y"\nr0-1 = "z"\n', b"y", "r0/2(loop)"),
    "empty nodes": ('a = b c b\nb = ["x"]\nc = "y"\n', b"y", "a(b c b)"),
    "rule name in brackets": ('a = 2<b>\nb = "x"\n', b"xx", "a(b b)"),
    "comments and line ends inside": ('a = "x" ; not "y"\n  / b ; <z>\nb = ";"\n', b";", "a/2(b)"),
    "case-sensitive string": ('a = %s"x" / b\nb = "x"\n', b"X", "a/2(b)"),
    "counted": ('a = 2*3b\nb = "x"\n', b"xxx", "a(b b b)"),
    "recursion": ('a = "(" [a] ")"\n', b"(())", "a(a)"),
}


@pytest.mark.parametrize(("text", "data", "shape"), CHOSEN.values(), ids=CHOSEN)
def test_the_tree_is_abnfs_choice(text, data, shape):
    tree = ReferenceParser(Grammar.parse(text)).parse(data)
    if shape is None:
        assert [(each.start, each.end) for each in tree.children] == [(0, 2), (2, 2)]
    else:
        assert outline(tree) == shape


# -- what cannot be told is never "no"


def test_an_input_beyond_the_size_limit_is_undecided():
    with pytest.raises(UndecidedError, match=f"more than the {MAX_WHOLE} .*the default, has no such limit"):
        ReferenceParser(Grammar.parse('a = *"x"\n')).accepts(b"x" * (MAX_WHOLE + 1))


def test_nesting_beyond_the_recursion_limit_is_undecided():
    parser = ReferenceParser(Grammar.parse('a = "(" [a] ")"\n'))
    assert parser.accepts(b"(" * 20 + b")" * 20)
    with pytest.raises(UndecidedError, match="nested too deep"):
        parser.accepts(b"(" * 2000 + b")" * 2000)


def test_a_grammar_that_makes_abnf_explode_is_undecided_soon(monkeypatch):
    monkeypatch.setattr("utf8_abnf.parsers.reference.MAX_STEPS", 20_000)
    with pytest.raises(UndecidedError):
        ReferenceParser(Grammar.parse("a = 60[%x78]\n")).accepts(b"x" * 30 + b"y")


def test_a_repeat_beyond_the_limit_is_undecided():
    with pytest.raises(UndecidedError, match="repeats more than"):
        ReferenceParser(Grammar.parse("a = 1000000000( %x41 / %x42 )\n"))


def test_long_comments_cost_nothing():
    comment = "; " + "x" * 500_000
    parser = ReferenceParser(Grammar.parse(f"{comment}\na = {comment}\n %x41 {comment}\n / %x42 {comment}\n"))
    assert parser.parse(b"B").alternative == 2


UNUSABLE = {
    "left recursion": ('a = a "x" / "y"\n', 1, "left recursion a → a"),
    "hidden left recursion": ('a = [b] c\nb = "x"\nc = *b a "y"\n', 1, "left recursion a → c → a"),
    "left recursion through a core rule": ("a = HEXDIG\nDIGIT = HEXDIG %x41\n", 2, "left recursion"),
    "value above FF": ("a = %x100\n", 1, "does not fit in a byte"),
}


@pytest.mark.parametrize(("text", "line", "message"), UNUSABLE.values(), ids=UNUSABLE)
def test_a_grammar_that_abnf_would_answer_no_for_is_refused(text, line, message):
    with pytest.raises(GrammarError, match=message) as caught:
        ReferenceParser(Grammar.parse(text, file="bad.abnf", values="bytes"))
    assert (caught.value.file, caught.value.line) == ("bad.abnf", line)


# -- what is left behind


def test_parsers_leave_nothing_in_abnfs_registry():
    before = len(Rule._obj_map)
    for _ in range(3):
        ReferenceParser(Grammar.load("utf8")).accepts(b"x")
    gc.collect()
    assert len(Rule._obj_map) == before


@pytest.mark.thorough
@pytest.mark.parametrize("name", shipped_grammars())
def test_every_shipped_grammar_can_be_parsed_with(name):
    ReferenceParser(Grammar.load(name))


# -- the shared tree


def test_a_tree_is_walked_and_shown_however_deep_it_is():
    tree = Tree("leaf", 0, 0, 1)
    for _ in range(5000):
        tree = Tree("node", 1, 0, 1, (tree,))
    assert tree.to_text(b"x").count("\n") == 5000
    shown = tree.to_json(b"x")
    for _ in range(5000):
        (shown,) = shown["children"]
    assert shown["rule"] == "leaf"
