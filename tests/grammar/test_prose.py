"""Prose: classes of values that it names, what is left where it derives nothing, and lists of HTTP."""

import pytest

from utf8_abnf.errors import GrammarError
from utf8_abnf.grammar import Grammar
from utf8_abnf.grammar.imports import linked
from utf8_abnf.grammar.prose import with_lists_written_out, without_prose
from utf8_abnf.grammar.syntax import show
from utf8_abnf.parsers import parse_tree

IMAP = """\
QUOTED-CHAR = <any TEXT-CHAR except quoted-specials> / "\\" quoted-specials
TEXT-CHAR = <any CHAR except CR and LF>
quoted-specials = DQUOTE / "\\"
"""  # RFC 3501 section 9


@pytest.mark.parametrize(
    ("prose", "meant"),
    [
        ("any CHAR except CR and LF", "%x01-09 / %x0B-0C / %x0E-7F"),
        ("any OCTET excluding CTLs, or %x80-FF", "%x20-7E"),
        ('Any VCHAR, other than "(" , ")" and %d65-122', "%x21-27 / %x2A-40 / %x7B-7E"),
        ('any ALPHA excepting "a"', "%x42-5A / %x62-7A"),  # in both cases
        ("any mine except for b", "%x63"),
        ("any DIGIT except %s", None),
        ("any DIGIT except DIGIT", None),
        ("any word except b", None),  # not single values
        ("any DIGIT except word", None),
        ("any loop except b", None),
        ("any CHAR", None),
        ("any CHAR except those of RFC 822", None),
    ],
)
def test_any_except_is_a_class_where_all_are_single_values(prose, meant):
    grammar = Grammar.parse(f'a = <{prose}>\nmine = (b / %x63)\nb = %x62\nword = "ab" / b\nloop = loop / b\n')
    made = linked(grammar)
    if meant:
        assert show(made["a"].definition) == f"( {meant} )"
        assert made.notes == (f"<grammar>:1:5: <{prose}> is read as {meant}",)
    else:
        assert made is grammar


def test_classes_may_build_on_each_other_and_stay_in_their_place():
    made = linked(Grammar.parse(IMAP, file="imap.abnf"))
    assert parse_tree(made, b'\\"')
    assert made.where(made["TEXT-CHAR"].span) == ("imap.abnf", 2, 1)
    assert [note.split(": ")[0] for note in made.notes] == ["imap.abnf:1:15", "imap.abnf:2:13"]
    assert "21 / %x23-5B / %x5D-7F" in made.notes[0]


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("a = <p> / DIGIT", "a = DIGIT\n"),
        ("a = [ <p> ] DIGIT *<p> 0<p>", "a = DIGIT\n"),
        ('a = [ <p> / "x" ] 2( DIGIT / <p> "y" )', 'a = [ "x" ] 2( DIGIT )\n'),
        ("a = *( <p> )", 'a = ""\n'),
        ("a = b / c d\nb = 1*<p>\nc = DIGIT\nd = c / d b", "a = c d\nc = DIGIT\nd = c\n"),
        ("a = DIGIT / b\nb = missing b", "a = DIGIT\n"),
    ],
)
def test_what_needs_prose_is_left_out(text, left):
    made = without_prose(Grammar.parse(f"{text}\n"))
    assert made.text == left
    made.check()
    assert all(note.endswith((": <p> derives nothing", ": missing derives nothing")) for note in made.notes)


def test_places_are_those_of_the_text():
    made = without_prose(Grammar.parse("x = y\ny = <p> / z\n\nz = %x61\n", file="f.abnf"))
    assert made.notes == ("f.abnf:2:5: <p> derives nothing",)
    assert made.where(made["z"].span) == ("f.abnf", 4, 1)


def test_a_rule_that_derives_nothing_is_an_error_where_it_starts():
    grammar = Grammar.parse("a = b\nb = DIGIT <p>\nc = DIGIT\n")
    with pytest.raises(GrammarError, match=r"<grammar>:1:1: rule a derives nothing without prose"):
        without_prose(grammar)
    assert without_prose(grammar, "c") is grammar


@pytest.mark.parametrize(
    ("listed", "written"),
    [
        ("#b", "[ b *( SEP b ) ]"),
        ("1#b", "( b *( SEP b ) )"),
        ("2#4b", "( b 1*3( SEP b ) )"),
        ("#2( b )", "[ ( b ) *1( SEP ( b ) ) ]"),
        ("1#1b", "( b )"),
        ("0#0b", "[ 0b ]"),
    ],
)
def test_lists_are_those_of_rfc_9110(listed, written):
    grammar = Grammar.parse(f"a = {listed}\nb = DIGIT\n", lists=True)
    assert show(grammar["a"].definition) == written.replace("SEP", '*( SP / HTAB ) "," *( SP / HTAB )')
    made = with_lists_written_out(grammar)
    assert made["a"] == grammar["a"]
    assert made.where(made["b"].span)[1:] == (2, 1)


@pytest.mark.parametrize("text", ["a = 1# b\n", "a = 3#2b\n", "a = 1#\n", "a = 1##b\n"])
def test_a_list_that_cannot_be_read(text):
    with pytest.raises(GrammarError):
        Grammar.parse(text, lists=True)
