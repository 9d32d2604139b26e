"""Imports: rules that are missing, or written as prose, come from other grammars; one grammar stands alone."""

import sys

import pytest

from utf8_abnf.automaton import compile_grammar
from utf8_abnf.cli import main
from utf8_abnf.errors import GrammarError
from utf8_abnf.grammar import Grammar
from utf8_abnf.grammar.imports import linked, says, standalone

SAYINGS = {
    "token, see [RFC9110], Section 5.6.2": ("rfc9110", "token"),
    "host, see [URI], Section 3.2.2": ("uri", "host"),
    '"date-time" as defined in RFC 3339': ("rfc3339", "date-time"),
    "IRI, defined in [RFC 3987]": ("rfc3987", "IRI"),
    "any octet except a comma": None,
    "see [RFC9110]": None,
    "the host of RFC 3986": None,
}


@pytest.mark.parametrize(("prose", "meaning"), SAYINGS.items(), ids=SAYINGS)
def test_prose_says_which_rule_it_is_or_nothing(prose, meaning):
    assert says(prose) == meaning


def own(text, **options):
    """Return the rules after linking, without core rules, as text by name."""
    made = linked(Grammar.parse(text), **options)
    return dict(line.split(" = ", 1) for line in standalone(made))


def test_missing_rules_come_from_the_imports_in_their_order():
    rules = own("a = time-hour host\n", imports=["date-time", "uri"])
    assert rules["time-hour"] == "2DIGIT"
    assert {"host", "IPv6address", "pct-encoded"} < set(rules)


def test_a_name_that_is_taken_stays_and_the_other_gets_its_grammars_name():
    rules = own('a = host h16 <host, see [RFC3986]>\nhost = "x"\nh16 = "y"\n')
    assert (rules["a"], rules["host"], rules["h16"]) == ("host h16 uri-host", '"x"', '"y"')
    assert rules["ls32"] == '( uri-h16 ":" uri-h16 ) / IPv4address'


def test_a_rule_that_is_only_prose_is_bound_to_its_own_name():
    rules = own("a = host\nhost = <host, see [RFC3986], Section 3.2.2>\n")
    assert rules["host"] == "uri-host"
    assert "h16" in rules


def test_defines_bind_missing_rules_and_prose_under_other_names():
    rules = own("a = hour <some text> b\nb = <text>\n", defines={
        "hour": "date-time:time-hour", "some text": "uri:scheme", "b": "date-time:time-minute",
    })  # fmt: skip
    assert rules["a"] == "hour scheme b"
    assert (rules["hour"], rules["b"]) == ("time-hour", "time-minute")


def test_own_core_rules_are_not_those_of_the_other_grammar():
    made = linked(Grammar.parse('a = DIGIT <dec-octet, see [RFC3986]>\nDIGIT = "x"\n'))
    assert compile_grammar(made).accepts(b"x255")
    assert not compile_grammar(made).accepts(b"x2x")


def test_rules_of_ascii_are_the_same_in_bytes_and_code_points():
    """Other rules of HTTP's grammar have bytes beyond ASCII; token uses none of them."""
    made = linked(Grammar.parse("a = %x20AC <token, see [RFC9110]>\n"))
    assert made.values == "utf-8"
    assert compile_grammar(made).accepts("€x".encode())


def test_lines_and_columns_of_the_own_text_stay():
    made = linked(Grammar.parse('a = <host, see [RFC3986]> "x" missing\n'))
    with pytest.raises(GrammarError, match="1:31: unknown rule missing"):
        made.check()


def test_prose_of_an_imported_file_is_bound_as_well(tmp_path):
    (tmp_path / "rfc1.abnf").write_text("one = two\ntwo = <time-hour, see [RFC3339]>\n")
    (tmp_path / "rfc2.abnf").write_text("three = <one, see [RFC1]>\n")
    made = linked(Grammar.load(str(tmp_path / "rfc2.abnf")), [str(tmp_path / "rfc1.abnf")])
    assert compile_grammar(made).accepts(b"23")


def test_nothing_to_import_is_the_same_grammar():
    grammar = Grammar.load("uri")
    assert linked(grammar, ["date-time"]) is grammar


def test_a_long_chain_is_imported(tmp_path):
    length = sys.getrecursionlimit() + 100
    (tmp_path / "long.abnf").write_text("".join(f"r{i} = r{i + 1}\n" for i in range(length)) + f'r{length} = "x"\n')
    made = linked(Grammar.parse("a = r0\n"), [str(tmp_path / "long.abnf")])
    assert len(made.rules) == length + 2


@pytest.mark.parametrize(("text", "options", "message"), [
    ('a = "x"\n', {"defines": {"a": "uri:host"}}, "rule a has a definition"),
    ("a = b\n", {"defines": {"b": "uri:nothing"}}, "there is no rule nothing"),
    ("a = b\n", {"defines": {"b": "host"}}, "does not name a grammar and a rule"),
    ("a = b\n", {"defines": {"b": ":host"}}, "does not name a grammar and a rule"),
    ("a = b\n", {"defines": {"b": "uri:"}}, "does not name a grammar and a rule"),
    ("a = b <c>\n", {"defines": {"B": "uri:host", "c": "uri:host", "bb": "uri:host"}}, "--define bb: the grammar"),
    ("a = %x20AC <UTF8-char, see [RFC3629]>\n", {}, "are bytes, here they are code points"),
])  # fmt: skip
def test_what_cannot_be_is_an_error(text, options, message):
    with pytest.raises(GrammarError, match=message):
        linked(Grammar.parse(text), **options)


def test_the_command_line_imports_and_writes_one_file(tmp_path, capfd):
    (tmp_path / "mine.abnf").write_text("a = <dec-octet, see [RFC3986]> time-hour end\n")
    mine = [str(tmp_path / "mine.abnf"), "--import", "date-time", "--define", "end=core:CRLF"]
    assert main(["grammar", "convert", *mine]) == 0
    out, err = capfd.readouterr()
    assert "with rules of other grammars: end, dec-octet, time-hour" in err
    alone = Grammar.parse(out)
    assert compile_grammar(alone).accepts(b"25523\r\n")
    assert main(["parse", "--grammar", *mine, "--text", "107\r\n"]) == 0
    assert main(["parse", "--grammar", *mine, "--text", "107"]) == 1
    assert main(["grammar", "convert", str(tmp_path / "mine.abnf"), "--define", "end"]) == 2
    assert "--define token=http:token" in capfd.readouterr()[1]


def test_an_error_in_a_rule_of_another_grammar_names_that_grammar(tmp_path):
    other = tmp_path / "other.abnf"
    other.write_text('first = "b"\ntoken = "c" missing\n')
    made = linked(Grammar.parse("a = token\n"), [str(other)])
    with pytest.raises(GrammarError, match=r"other\.abnf:2:1: unknown rule missing"):
        made.check()
