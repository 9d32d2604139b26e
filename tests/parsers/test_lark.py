"""Lark: the generated grammar is in the one safe form, and the parser gives the verdict and tree of the others."""

from __future__ import annotations

import re

import lark
import pytest

from utf8_abnf.errors import GrammarError, UndecidedError
from utf8_abnf.grammar import Grammar
from utf8_abnf.grammar.files import shipped_grammars
from utf8_abnf.parsers import LarkParser, to_lark
from utf8_abnf.parsers.lark import MAX_EARLEY

UTF8 = Grammar.load("utf8")
TERMINAL = re.compile(r"^(B[0-9A-F_]+): /(.*)/$", re.MULTILINE)


@pytest.mark.thorough
@pytest.mark.parametrize("name", shipped_grammars())
def test_no_byte_belongs_to_two_terminals(name):
    text = to_lark(Grammar.load(name))
    terminals = [re.compile(pattern.encode("latin-1"), re.DOTALL) for _, pattern in TERMINAL.findall(text)]
    assert terminals
    matches = [sum(bool(each.fullmatch(bytes([byte]))) for each in terminals) for byte in range(256)]
    assert max(matches) == 1


def test_the_generated_grammar_works_as_its_docstring_says():
    parser = lark.Lark(to_lark(UTF8), start="utf8_octets", parser="lalr", lexer="basic", use_bytes=True, strict=True)
    tree = parser.parse("é".encode())
    names = ["utf8_octets", "utf8_char__2", "utf8_2", "utf8_tail"]
    assert [each.data for each in tree.iter_subtrees_topdown()] == names
    with pytest.raises(lark.exceptions.UnexpectedInput):
        parser.parse(b"\xc0\x80")


@pytest.mark.parametrize("name", ["utf8", "utf16be", "date-time", "ngsi-ld", "dialects/wtf8", "dialects/perl-utf8"])
def test_grammars_without_conflicts_are_lalr(name):
    assert LarkParser(Grammar.load(name)).algorithm == "lalr"


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["urn", "uri", "abnf"])
def test_grammars_with_conflicts_fall_back_to_earley(name):
    assert LarkParser(Grammar.load(name)).algorithm == "earley"


@pytest.mark.thorough
@pytest.mark.parametrize("first", range(0, 256, 16), ids=lambda byte: f"{byte:02X}")
def test_every_byte_can_be_a_terminal_of_its_own(first):
    some = range(first, first + 16)
    parser = LarkParser(Grammar.parse("a = " + " / ".join(f"%x{byte:02X}" for byte in some) + "\n"))
    assert [parser.parse(bytes([byte])).alternative for byte in some] == list(range(1, 17))


SHAPES = {
    "nothing": ('a = ""\n', [b""], [b"a"]),
    "never": ('a = 0"x" "y"\n', [b"y"], [b"x", b"xy", b""]),
    "exactly": ('a = 3"x"\n', [b"xxx"], [b"xx", b"xxxx"]),
    "at least": ('a = 2*"x"\n', [b"xx", b"xxxxx"], [b"x"]),
    "one or more": ('a = 1*"x"\n', [b"x", b"xxx"], [b""]),
    "at most": ('a = *2"x"\n', [b"", b"x", b"xx"], [b"xxx"]),
    "between": ('a = 1*3"xy"\n', [b"xy", b"XYxYxy"], [b"", b"xyx", b"xyxyxyxy"]),
    "option": ('a = ["x"] "y"\n', [b"y", b"xy"], [b"x", b"xxy"]),
    "groups": ('a = *( "x" / ( "y" "z" ) )\n', [b"", b"xyz", b"yzx"], [b"y", b"zy"]),
    "case": ('a = %s"xY" %i"z"\n', [b"xYz", b"xYZ"], [b"xyz", b"XYz"]),
    "series": ("a = %x41.42.0A\n", [b"AB\n"], [b"ab\n", b"AB"]),
    "operators": ('a = "+" / "*?" / "[]" / "\\/" / "^-"\n', [b"+", b"*?", b"[]", b"\\/", b"^-"], [b"*", b"-^"]),
    "alternatives that say the same": ('a = "x" / ["x"] "y" / "x"\n', [b"x", b"y", b"xy"], [b"", b"xx"]),
    "left recursion": ('a = a "x" / "y"\n', [b"y", b"yxx"], [b"x", b""]),
    "nested": ('a = "(" [a] ")"\n', [b"()", b"((()))"], [b"(", b")("]),
    "needs more than LALR": ('a = "x" a "x" / "y" / "x"\n', [b"x", b"xxx", b"xyx"], [b"xx", b"yx"]),
    "bounded groups": ('a = *8( "x" / "-" ) *20( "y" / 1*20( "z" / "-z" ) )\n', [b"x-y", b"x--zzy"], [b"zxx"]),
    "options written out": (f"a = {' '.join(f'[ %x{byte:X} ]' for byte in range(97, 120))}\n", [b"", b"acw"], [b"ba"]),
    "a huge bound": ('a = *999999999( "x" / "y" )\n', [b"", b"xyx" * 9], [b"z"]),
    "code points": ("a = *20( %x80-10FFFF )\n", ["é€🦊".encode(), b""], ["é".encode() * 21, b"\xc3"]),
    "many": ('a = 60"x"\n', [b"x" * 60], [b"x" * 59, b"x" * 61]),
}  # fmt: skip


@pytest.mark.parametrize(("text", "good", "bad"), SHAPES.values(), ids=SHAPES)
def test_every_form_of_abnf_is_carried_over(text, good, bad):
    parser = LarkParser(Grammar.parse(text))
    assert [word for word in good if not parser.accepts(word)] == []
    assert [word for word in bad if parser.accepts(word)] == []


def test_names_cannot_clash():
    grammar = Grammar.parse('A = b-c / a--2 / "x"\nb-c = "y"\na--2 = "z"\na--2- = "w"\n')
    parser = LarkParser(grammar)
    labels = {word: [node.label for _, node in parser.parse(word).walk()] for word in (b"x", b"y", b"z")}
    assert labels == {b"x": ["A/3"], b"y": ["A/1", "b-c"], b"z": ["A/2", "a--2"]}


def test_more_than_earley_can_take_is_undecided():
    with pytest.raises(UndecidedError, match=f"more than the {MAX_EARLEY}"):
        LarkParser(Grammar.parse(SHAPES["needs more than LALR"][0])).accepts(b"x" * (MAX_EARLEY + 1))


@pytest.mark.parametrize("text", ["a = <prose>\n", "a = b\n", "a = %x100\n"])
def test_grammars_that_are_not_of_bytes_are_refused(text):
    with pytest.raises(GrammarError):
        to_lark(Grammar.parse(text, values="bytes"))
