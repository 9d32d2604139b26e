"""What a model does and no class says: lines of ABNF that together say all of it, or say that there is more."""

from types import SimpleNamespace

import pytest

from utf8_abnf.automaton import compile_grammar
from utf8_abnf.automaton.forms import difference_forms
from utf8_abnf.conformance.matrix.deviations import deviations
from utf8_abnf.conformance.matrix.unnamed import MAX_LINES, MORE, PERHAPS_MORE, unnamed
from utf8_abnf.grammar import Grammar

UTF8 = Grammar.load("utf8")
START = {"utf8": compile_grammar(UTF8)}


def model_of(rules):
    return SimpleNamespace(automaton=compile_grammar(Grammar.parse(rules + UTF8.text)), expected=START["utf8"])


# The decoder's grammar, the lines of its classes, and what they leave out.
ROWS = [
    ("all = *UTF8-char\n", [], []),
    ("all = *UTF8-char\n", [("extra", "%xF5-F7 3( UTF8-tail )")], []),
    ("all = *( UTF8-char / %xC0 %x80-8F )\n", [], ["extra %xC0 %x80-8F"]),
    ("all = *( UTF8-char / %xC0 %x80-8F )\n", [("extra", "%xC0 %x80")], ["extra %xC0 %x81-8F"]),
    ("all = *( UTF8-char / %xC0 %x80 )\n", [("extra", "<not explained>")], ["extra %xC0 %x80"]),
    ("all = *UTF8-char [ %xC0 ]\n", [], ["extra %xC0 only at the end of the input"]),
    (
        "all = *( UTF8-char / %xC0 %x80 ) [ %xC0 %x81 ]\n",
        [],
        ["extra %xC0 %x80", "extra %xC0 %x81 only at the end of the input"],
    ),
    # F5 is accepted where fewer than two bytes follow, as by pbf; and C0 as the whole input alone.
    ("all = *UTF8-char [ %xF5 [ %x41 ] ]\n", [], ["extra %xF5 seen in some contexts"]),
    ("all = *( UTF8-1 / UTF8-2 / UTF8-3 )\n", [("missing", "%xF0-F4 3( UTF8-tail )")], []),
    ("all = *UTF8-char / %xC0\n", [], ["extra %xC0 seen in some contexts"]),
    (
        "all = [ ( %x00-40 / %x42-7F / UTF8-2 / UTF8-3 / UTF8-4 ) *UTF8-char / %x41 1*UTF8-char ]\n",
        [],
        ["missing %x41 seen in some contexts"],
    ),
    (
        "all = *( UTF8-1 / UTF8-2 / UTF8-3 )\n",
        [("missing", "%xF0 3( UTF8-tail )")],
        ["missing %xF1-F4 %x80-8F 2( UTF8-tail )", "missing %xF1-F3 %x90-BF 2( UTF8-tail )"],
    ),
]


@pytest.mark.parametrize(("rules", "classes", "expected"), ROWS, ids=str)
def test_what_no_class_names_becomes_a_line(rules, classes, expected):
    found = list(unnamed(model_of(rules), classes))
    assert [" ".join(filter(None, (each.kind, each.line, each.place))) for each in found] == expected


def test_a_model_with_too_many_lines_says_that_there_is_more():
    """Bytes are accepted in pairs, and one of a pair is an ill-formed byte: each length of text between has a line."""
    model = model_of("all = *UTF8-char [ %xC0 *%x41 %xC1 ]\n")
    *lines, last = unnamed(model, [])
    assert [each.line for each in lines] == [
        "%xC0 %xC1",
        "%xC0 %x41 %xC1",
        *(f"%xC0 {number}( %x41 ) %xC1" for number in range(2, MAX_LINES)),
    ]
    assert (last.kind, last.line, last.word) == ("extra", MORE, b"\xc0" + MAX_LINES * b"A" + b"\xc1")


def test_the_characters_that_learning_found_are_joined_to_few_lines():
    """raptor's 159 characters of one range for each byte were as many lines; joined they are 27."""
    model = model_of("all = *( UTF8-char / %xF5-F6 ( %x80-8F / %xA0-AF ) 2UTF8-tail )\n")
    model.difference = difference_forms(model.automaton, model.expected)
    assert len(model.difference.extra) == 2
    found = deviations(SimpleNamespace(deviations=()), model, SimpleNamespace(reproduce=bytes.hex))
    shown = [(each.key, each.example, each.origin) for each in found]
    assert shown == [("extra %xF5-F6 ( %x80-8F / %xA0-AF ) 2( UTF8-tail )", b"\xf5\x80\x80\x80", "learning")]


def test_lines_that_cannot_be_compared_say_that_there_may_be_more():
    """As of thi.ng's utf8Decode: each byte that is taken for a tail may begin a word of another line."""
    found = list(
        unnamed(model_of("all = *( UTF8-char / %xC0 %x80 )\n"), [("extra", "%x80-FF 20( %x00-FF ) / %x80-FE")])
    )
    assert found == [("extra", PERHAPS_MORE, b"\xc0\x80", "")]
