"""The formatter: the rules and comments stay, and what was formatted stays as it is."""

import re

import pytest
from hypothesis import given, settings, strategies

from utf8_abnf.grammar import Grammar
from utf8_abnf.grammar.files import shipped_grammars
from utf8_abnf.grammar.formatting import WIDTH, formatted
from utf8_abnf.grammar.reader import read

GRAMMARS = shipped_grammars()


def comments(text):
    quoted = re.compile(r'"[^"\r\n]*"|<[^>\r\n]*>|(;[^\r\n]*)')
    return [found[1].rstrip() for found in quoted.finditer(text) if found[1]]


def laid_out(text, **options):
    """Return *text* formatted, by the laws."""
    made = formatted(text, **options)
    assert [(each.name, each.adds, each.definition) for each in read(made)] == [
        (each.name, each.adds, each.definition) for each in read(text)
    ]
    assert comments(made) == comments(text)
    assert formatted(made, **options) == made
    assert not re.search(r"[ \t]\r?$|\n\r?\n\r?\n", made, re.MULTILINE)
    return made


@pytest.mark.thorough
@pytest.mark.parametrize("name", GRAMMARS)
def test_the_grammars_that_ship(name):
    text = Grammar.load(name).text
    laid_out(text, width=30)
    codes = (line.partition("  ;")[0] for line in laid_out(text).splitlines() if line.lstrip()[:1] != ";")
    assert [code for code in codes if len(code) > WIDTH] == []


ENDS = strategies.sampled_from(["\n", "\n\n", " ; c\n", "\n ; c\n; d\n\n ; e\n", " ; c\n        ; d\n", "\r\n"])
GAPS = strategies.sampled_from(
    [" ", "\t ", "\n ", "\n      ", " ; c\n  ", "\n ; c\n  ", " ;a\n ;b\n  ", "\n \n\t", " ; c\n       ; d\n "]
)
TIGHT = strategies.just("") | GAPS
ELEMENTS = strategies.sampled_from(
    ["a", "%x41-5A", '"; /("', "<any; (]>", "2*3b", '*%s"x"', "long-" * 5 + "a", '"' + "x" * 30 + '"']
)


@strategies.composite
def alternations(draw, depth=2):
    """Draw an alternation with any white space and comments, and brackets up to *depth*."""
    text = ""
    for number in range(draw(strategies.integers(1, 5))):
        if number:
            text += draw(TIGHT) + "/" + draw(TIGHT) if draw(strategies.booleans()) else draw(GAPS)
        if depth and not draw(strategies.integers(0, 2)):
            opening, closing = draw(strategies.sampled_from(["()", "[]", ("1*(", ")")]))
            text += opening + draw(TIGHT) + draw(alternations(depth - 1)) + draw(TIGHT) + closing
        else:
            text += draw(ELEMENTS)
    return text


@strategies.composite
def grammars(draw):
    text = draw(strategies.sampled_from(["", "; c\n", "\n\n ; c\n\n"]))
    for name in ("a", "long-name", "b"):
        text += name + draw(TIGHT) + "=" + draw(TIGHT) + draw(alternations()) + draw(ENDS)
    return text


@settings(max_examples=settings().max_examples // 2)
@given(grammars(), strategies.sampled_from([20, 72]))
def test_random_grammars(text, width):
    laid_out(text, width=width)


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("a=b\nlonger=/c", "a      =  b\nlonger =/ c\n"),
        ("  a = b\n\n\n  bc = d\n", "a = b\n\nbc = d\n"),  # a margin; other blocks
        ("a =\n  b /\n  c d\n  e", "a = b\n  / c d\n    e\n"),
        ("a = b / ; one\n    c   ; two\n        ; three\n", "a = b  ; one\n  / c  ; two\n       ; three\n"),
        ("a = ( b\n  c / d\n  / e )", "a = ( b c / d\n    / e )\n"),
        ("; of all\na = b\n ; of a\n; of c\nc = d", "; of all\na = b\n    ; of a\n; of c\nc = d\n"),
        ("a = b ; c\r\n", "a = b  ; c\r\n"),
        (f"a = b\n{'n' * 25} = c\n", f"a = b\n{'n' * 25} = c\n"),
        (f"a = {'element-1 ' * 8}", f"a = {'element-1 ' * 5}element-1\n    element-1 element-1\n"),
    ],
)
def test_the_layout(text, made):
    assert laid_out(text) == made


def test_the_line_ends_are_those_that_are_asked_for():
    assert laid_out("a = b\nb = c\n", line_end="\r\n") == "a = b\r\nb = c\r\n"
    assert laid_out("a = b\r\nb = c\r\n", line_end="\n") == "a = b\nb = c\n"
