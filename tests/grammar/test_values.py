"""Code points: a grammar of code points is the grammar of their bytes in UTF-8, for every parser and command."""

from __future__ import annotations

import random
import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from utf8_abnf.automaton import compile_grammar
from utf8_abnf.automaton.explain import explain_failure
from utf8_abnf.automaton.regex import to_regex
from utf8_abnf.errors import GrammarError, ParseError
from utf8_abnf.grammar import Grammar
from utf8_abnf.grammar.syntax import Range
from utf8_abnf.grammar.values import byte_strings, members
from utf8_abnf.parsers import LarkParser, ReferenceParser, parse_tree
from utf8_abnf.parsers.sentences import letters_near, sentences

EDGES = [0, 0x7F, 0x80, 0x7FF, 0x800, 0xFFF, 0x1000, 0xD7FF, 0xE000, 0xFFFF, 0x10000, 0x3FFFF, 0x40000, 0x10FFFF]
near = st.builds(lambda edge, by: min(max(edge + by, 0), 0x10FFFF), st.sampled_from(EDGES), st.integers(-70, 70))


def words(low, high):
    """The words of a range: each byte string multiplied out."""
    for string in byte_strings(Range(low, high), "utf-8"):
        found = [b""]
        for ranges in string:
            found = [word + bytes([byte]) for word in found for byte in members(ranges)]
        yield from found


@given(near, st.integers(0, 3000))
@example(0x80, 0x7E)  # its last byte is the last but one of the tails
def test_a_range_is_its_code_points_as_cpython_encodes_them(low, size):
    high = min(low + size, 0x10FFFF)
    scalars = [chr(each) for each in range(low, high + 1) if not 0xD800 <= each <= 0xDFFF]
    assert list(words(low, high)) == [each.encode() for each in scalars]


def test_all_scalar_values_are_utf8():
    grammar = Grammar.parse("text = *%x0-10FFFF\n")
    assert compile_grammar(grammar).equivalent(compile_grammar(Grammar.load("utf8"))) is None


@pytest.mark.parametrize(("text", "start", "values"), [
    ("a = %x00-FF\n", None, "bytes"),
    ("a = %x00-100\n", None, "utf-8"),
    ("a = b\nb = %x41.42.20AC\n", None, "utf-8"),
    ("a = %x41\nb = %x20AC\n", None, "bytes"),
    ("a = %x41\nb = %x20AC\n", "b", "utf-8"),
])  # fmt: skip
def test_auto_takes_code_points_if_a_value_that_is_reached_exceeds_a_byte(text, start, values):
    assert Grammar.parse(text, start=start).values == values


@pytest.mark.parametrize(("text", "values", "message"), [
    ("a = %x100\n", "bytes", "value 100 does not fit in a byte"),
    ("a = %x110000\n", "utf-8", "value 110000 is no code point"),
    ("a = %x41 / %xD800-DFFF\n", "utf-8", "1:12: %xD800-DFFF has surrogates only"),
    ("a = %xD800\n", "auto", "surrogates only"),
])  # fmt: skip
def test_what_is_no_value_is_refused_with_its_place(text, values, message):
    with pytest.raises(GrammarError, match=message):
        Grammar.parse(text, values=values).check()


LATIN = 'word = 1*%xE0-FF / %xE9.E8 "x"\n'  # bytes or code points: --values decides
MIXED = """text = *char
char = ALPHA / %xA0-D7FF / mark 2*3digit / %x10000-1FFFD
mark = %s"é" / %x2028.2029
digit = %x660-669
""".replace('%s"é"', "%x301")
RECURSIVE = "tree = %x28 *( tree / leaf ) %x29\nleaf = %x4E00-9FFF / %x1F98A\n"
GRAMMARS = {"latin": (LATIN, "utf-8"), "mixed": (MIXED, "auto"), "recursive": (RECURSIVE, "auto")}


def samples(grammar, chance, count, words):
    """Texts of the grammar's own code points and their neighbours, and *words*, some with a broken byte."""
    letters = letters_near(grammar)
    for _ in range(count):
        data = b"".join(chance.choice(letters) for _ in range(chance.randrange(5)))
        data = chance.choice([data, *words])
        if data and chance.random() < 0.3:
            at = chance.randrange(len(data))
            data = data[:at] + bytes([chance.randrange(256)]) * chance.randrange(2) + data[at + 1 :]
        yield data


@pytest.mark.thorough
@pytest.mark.parametrize("name", GRAMMARS)
def test_the_parsers_agree_on_every_input_and_on_its_tree(name):
    text, values = GRAMMARS[name]
    grammar = Grammar.parse(text, values=values)
    reference, lark = ReferenceParser(grammar), LarkParser(grammar)
    automaton = None if name == "recursive" else compile_grammar(grammar)
    good = 0
    trees = [word for word in sentences(grammar, count=50) if len(word) < 16] if name == "recursive" else []
    for data in samples(grammar, random.Random(3987), 200 if trees else 300, trees[:3]):
        verdict = reference.accepts(data)
        assert lark.accepts(data) is verdict, data
        if automaton:
            assert automaton.accepts(data) is verdict, data
        if verdict:
            good += 1
            tree = reference.parse(data)
            assert lark.parse(data) == tree
            assert automaton is None or parse_tree(grammar, data) == tree
    assert good > 5


@pytest.mark.thorough
def test_every_uri_is_an_iri():
    uri, iri = compile_grammar(Grammar.load("uri")), compile_grammar(Grammar.load("iri"))
    assert uri.first_not_in(iri) is None
    assert iri.first_not_in(uri) == b"A:\xc2\xa0"


@pytest.mark.parametrize(("data", "message", "offset"), [
    ("aé\ufdd0".encode(), "U+FDD0 at offset 3; expected U+0041..U+005A, U+0061..U+007A, U+00A0..U+D7FF, U+F900", 3),
    (b"a\xc3", "the input ends at offset 2; expected 80..BF", 2),
    (b"a\xc3a", "byte 61 at offset 2; expected 80..BF", 2),
    (b"1\xc3", "U+0031 at offset 0; expected", 0),  # before what is not UTF-8
    (b"\xc3\xa9\x80", "byte 80 at offset 2; expected 41..5A, 61..7A, C2..ED, EF or the end", 2),
])  # fmt: skip
def test_an_error_speaks_of_code_points_or_where_the_input_is_not_utf8_of_bytes(data, message, offset):
    grammar = Grammar.parse("text = *( ALPHA / %xA0-D7FF / %xF900 )\n")
    found = explain_failure(grammar, data)
    assert str(found).startswith(message)
    with pytest.raises(ParseError) as caught:
        parse_tree(grammar, data)
    assert caught.value.offset == offset
    assert not ReferenceParser(grammar).accepts(data)


def test_a_regular_expression_matches_the_bytes():
    expression = re.compile(to_regex(Grammar.parse("text = 1*%xA0-10FFFF\n")).encode())
    assert expression.fullmatch("é€🦊".encode())
    assert not expression.fullmatch(b"\xa0")


COMMANDS = {
    "parse --text aé --grammar GRAMMAR": "text                     0..3  61 C3 A9",
    "explain --text 1 --grammar GRAMMAR": "expected U+0061 'a', U+00E9, U+20AC or the end",
    "grammar convert GRAMMAR --to lark": "BC3 BA9",
    "test py:utf8_abnf:is_valid --level L0 --grammar GRAMMAR": "extra",
}


@pytest.mark.thorough
@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_takes_a_grammar_of_code_points(command, tmp_path, call):
    (tmp_path / "mine.abnf").write_text("text = *( %x61 / %xE9 / more )\nmore = %x20AC\n")
    status, out, err = call(*command.replace("GRAMMAR", str(tmp_path / "mine.abnf")).split())
    assert status in {0, 1}, err
    assert COMMANDS[command] in out, out
    assert "20AC exceeds a byte, so values are code points" in err
