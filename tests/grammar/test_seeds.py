"""Every example of the texts that this project grew from, through all three parsers: reference, Lark, automaton."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path

import pytest

from utf8_abnf.automaton import compile_grammar
from utf8_abnf.errors import ParseError
from utf8_abnf.grammar import Grammar
from utf8_abnf.parsers import LarkParser, ReferenceParser
from utf8_abnf.parsers.linear import TreeParser

SEEDS = Path(__file__).parent / "seeds"
UTF8 = tomllib.loads((SEEDS / "utf8.toml").read_text("utf-8"))
URN = tomllib.loads((SEEDS / "urn.toml").read_text("utf-8"))["case"]


class AutomatonParser(TreeParser):
    def accepts(self, data):
        try:
            self.parse(data)
        except ParseError:
            return False
        return True


PARSERS = (ReferenceParser, LarkParser, AutomatonParser)


@pytest.fixture(params=PARSERS, ids=["reference", "lark", "automaton"])
def parser_of(request):
    """A function from a grammar's name to the parser, made once for each."""
    return lambda name: made(request.param, name)


@cache
def made(kind, name):
    return kind(Grammar.load(name))


def test_the_tables_have_rows():
    assert len(UTF8["case"]) == 16
    assert len(URN) == 27


@pytest.mark.parametrize("row", UTF8["case"], ids=lambda row: row["bytes"])
def test_utf8_examples(parser_of, row):
    data = bytes.fromhex(row["bytes"])
    parser = parser_of("utf8")
    assert parser.accepts(data) is row["accept"], row["why"]
    if row["accept"]:
        (char,) = parser.parse(data).children
        (used,) = char.children
        assert used.label == row["rule"]
        assert char.to_json(data)["code_point"] == f"U+{row['code_point']:04X}"


@pytest.mark.thorough
@pytest.mark.parametrize("row", URN, ids=lambda row: row["text"])
@pytest.mark.parametrize(("name", "column"), [("urn", "urn"), ("ngsi-ld", "ngsi")])
def test_urn_examples(parser_of, name, column, row):
    assert parser_of(name).accepts(row["text"].encode()) is row[column], row["why"]


def test_every_identifier_of_the_column_is_a_urn():
    ngsi = compile_grammar(Grammar.load("ngsi-ld"))
    assert ngsi.first_not_in(compile_grammar(Grammar.load("urn"))) is None


def test_a_nid_has_2_to_32_characters():
    nid = compile_grammar(Grammar.load("urn"), "NID")
    lengths = [length for length in range(60) if nid.accepts(b"a" * length)]
    assert lengths == list(range(2, 33))
