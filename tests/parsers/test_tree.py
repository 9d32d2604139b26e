"""``parse_tree``: the reference parser's tree, in linear time, for inputs of any size."""

import subprocess
import sys
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from utf8_abnf.automaton.explain import explain_failure
from utf8_abnf.errors import ParseError, UndecidedError
from utf8_abnf.grammar import Grammar
from utf8_abnf.parsers import ReferenceParser, Tree, parse_tree
from utf8_abnf.parsers.linear import TreeParser

UTF8 = Grammar.load("utf8")
PARSER = TreeParser(UTF8)
MIXED = "aé€😀".encode()

SAMPLES = [
    ("urn", "urn:isbn:0451450523"),
    ("urn", "URN:xy:%41?+a?=b#c"),
    ("urn", "urn:ab:x?+a?=b"),
    ("urn", "urn:a0-----0:a/b@c"),
    ("ngsi-ld", "urn:ngsi-ld:Vehicle:A4567"),
    ("date-time:date-time", "1985-04-12T23:20:50.52Z"),
    ("date-time:date-time", "1996-12-19t16:39:57-08:00"),
    ("uri", "http://1.2.3.4:80/a/../b?c=d#e"),
    ("uri", "http://255.256.1.1/"),
    ("uri", "ftp://user:pw@[2001:db8::7]/%7E"),
    ("uri", "ldap://[::ffff:1.2.3.4]/c=GB?one"),
    ("uri", "mailto:a@b.c"),
    ("uri", "a:"),
    ("uri", "a:///"),
]


@cache
def made(kind, name):
    """Return the parser of *kind* for *name*: ``grammar`` or ``grammar:rule``."""
    grammar, _, start = name.partition(":")
    return kind(Grammar.load(grammar), start or None)


@settings(max_examples=settings().max_examples // 2)
@given(st.text(max_size=600))
def test_trees_of_up_to_two_kilobytes_are_the_references(text):
    data = text.encode("utf-8", "ignore")[:2048]
    data = data.decode("utf-8", "ignore").encode()
    assert PARSER.parse(data) == REFERENCE.parse(data)


REFERENCE = ReferenceParser(UTF8)


@pytest.mark.thorough
@pytest.mark.parametrize(("name", "text"), SAMPLES, ids=[text for _, text in SAMPLES])
def test_a_tree_of_the_shelf_is_the_references(name, text):
    assert made(TreeParser, name).parse(text.encode()) == made(ReferenceParser, name).parse(text.encode())


# Ambiguous: the grammar, an input with several trees, and the labels of the one that the reference takes.
AMBIGUOUS = [
    ('s = a b\na = "x" / "xy"\nb = "yz" / "z"\n', b"xyz", ["s", "a/2", "b/2"]),
    ('s = *a\na = "x" / "xx"\n', b"xxx", ["s", "a/2", "a/1"]),
    ('s = a / b\na = b\nb = "x"\n', b"x", ["s/1", "a", "b"]),
    ('s = 2a\na = *"x"\n', b"xx", ["s", "a", "a"]),
    ('s = *( a )\na = *"x"\n', b"", ["s"]),
    ('s = [ a ]\na = *"x"\n', b"", ["s"]),
    ('s = 1*a\na = *"x"\n', b"", ["s", "a"]),
    ('s = ( "x" / a ) b\na = "x"\nb = "y" / ""\n', b"x", ["s", "b/2"]),
    ('s = 2*4a\na = "x" / "xx"\n', b"xxxx", ["s", "a/2", "a/2"]),
    ('s = *( a / b )\na = 1*"x"\nb = "x"\n', b"xx", ["s", "a"]),
]


@pytest.mark.parametrize(("text", "data", "labels"), AMBIGUOUS, ids=[f"{row[0][:-1]!r} {row[1]}" for row in AMBIGUOUS])
def test_of_several_trees_it_is_the_one_that_the_reference_takes(text, data, labels):
    grammar = Grammar.parse(text)
    tree = parse_tree(grammar, data)
    assert [node.label for _, node in tree.walk()] == labels
    assert tree == ReferenceParser(grammar).parse(data)


def test_an_ambiguous_input_that_takes_too_many_steps_is_undecided_and_not_refused(monkeypatch):
    grammar = Grammar.parse('s = s s / "x"\n')
    assert parse_tree(grammar, b"x" * 9).end == 9
    monkeypatch.setattr("utf8_abnf.automaton.derivation.MAX_STEPS", 10)
    assert parse_tree(grammar, b"x" * 2).end == 2
    with pytest.raises(UndecidedError):
        parse_tree(grammar, b"x" * 50)


# Each row: what is refused, the offset of the first byte that cannot be right, what was expected, the rules.
REFUSED = [
    (b"ab\xed\xa0\x80", 3, "80..9F", "UTF8-octets > UTF8-char/3 > UTF8-3/3"),
    (b"\xc0\x80", 0, "00..7F, C2..F4", "[UTF8-octets > UTF8-char]"),
    (b"\xe0\x80", 1, "A0..BF", "UTF8-octets > UTF8-char/3 > UTF8-3/1"),
    (b"\xf4\x90\x80\x80", 1, "80..8F", "UTF8-octets > UTF8-char/4 > UTF8-4/3"),
    (b"\xf1\x80\x80A", 3, "80..BF", "UTF8-octets > UTF8-char/4 > UTF8-4/2 > UTF8-tail"),
    (b"\xe4\xbd", 2, "80..BF", "UTF8-octets > UTF8-char/3 > UTF8-3/2 > UTF8-tail"),
]


@pytest.mark.parametrize(("data", "offset", "expected", "rules"), REFUSED, ids=[row[0].hex(" ") for row in REFUSED])
def test_a_refusal_says_where_what_and_which_rule(data, offset, expected, rules):
    with pytest.raises(ParseError) as caught:
        parse_tree(UTF8, data)
    assert caught.value.offset == offset
    assert caught.value.expected.startswith(expected)
    assert rules in str(caught.value)
    problem = explain_failure(UTF8, data)
    assert problem.got == (data[offset] if offset < len(data) else None)


def test_a_refusal_says_when_the_input_could_have_ended():
    problem = explain_failure(Grammar.load("date-time"), b"1985-04-12T23:20:50Zoo", "date-time")
    assert (problem.offset, problem.complete, problem.expected) == (20, True, "the end")
    assert explain_failure(Grammar.load("urn"), b"urn:isbn:1 2").expected.endswith(" or the end")


def test_a_refusal_names_the_rules_that_all_choices_share():
    assert str(explain_failure(Grammar.load("urn"), b"urn:x:y")) == (
        "byte 3A at offset 5; expected 2D, 30..39, 41..5A, 61..7A [namestring > assigned-name > NID]"
    )
    assert explain_failure(Grammar.load("uri"), b"http://[::1").within.endswith("> host/1 > IP-literal")
    assert explain_failure(Grammar.parse('a = "x"\n'), b"xx").within == ""


def test_any_bytes_like_object_can_be_parsed():
    assert PARSER.parse(bytearray(MIXED)) == PARSER.parse(memoryview(MIXED)) == PARSER.parse(MIXED)


# Children are made when they are asked for.


def test_children_are_a_sequence_that_equals_a_tuple():
    tree = PARSER.parse(MIXED * 40)
    whole = tuple(tree.children)
    assert len(tree.children) == len(whole) == 160
    assert tree.children == whole != tree.children[:-1]
    assert hash(tree.children) == hash(whole)
    assert (tree.children[0], tree.children[-1], tree.children[5:9]) == (whole[0], whole[-1], whole[5:9])
    assert repr(PARSER.parse(b"a").children[0].children) == repr((Tree("UTF8-1", 0, 0, 1),))
    with pytest.raises(IndexError):
        tree.children[160]


def test_importing_the_room_loads_neither_abnf_nor_lark():
    code = "import sys, utf8_abnf.parsers; sys.exit(bool({'abnf', 'lark'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
