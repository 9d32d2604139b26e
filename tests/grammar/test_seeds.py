"""Every example of the texts that this project grew from, through all three parsers: reference, Lark, automaton."""

from __future__ import annotations

import tomllib
from functools import cache
from itertools import product
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
    assert len(UTF8["range"]) == 9
    assert len(UTF8["never"]) == 7
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


def corners(ranges):
    """Return every word made of the ends of *ranges*, and for each range one just outside it."""
    ends = [(int(each[:2], 16), int(each[3:], 16)) for each in ranges]
    inside = [bytes(word) for word in product(*ends)]
    outside = [
        bytes([*(low for low, _ in ends[:at]), wrong, *(low for low, _ in ends[at + 1 :])])
        for at, (low, high) in enumerate(ends)
        for wrong in (low - 1, high + 1)
        if at and 0 <= wrong <= 255
    ]
    return inside, outside


@pytest.mark.parametrize("row", UTF8["range"], ids=lambda row: row["rule"])
def test_utf8_ranges_have_the_ends_that_the_seeds_say(parser_of, row):
    inside, outside = corners(row["bytes"])
    parser = parser_of("utf8")
    trees = [parser.parse(word).children[0].children[0] for word in inside]
    assert {tree.label for tree in trees} == {row["rule"]}
    assert (ord(inside[0].decode()), ord(inside[-1].decode())) == (row["first"], row["last"])
    assert [word.hex(" ") for word in outside if parser.accepts(word)] == []


@pytest.mark.parametrize("row", UTF8["never"], ids=lambda row: row["why"])
def test_utf8_shuts_out_what_the_seeds_say(parser_of, row):
    parser = parser_of("utf8")
    inside, _ = corners(row["bytes"])
    tails = [b"", b"\x80", b"\x80\x80", b"\xbf\xbf\xbf"]
    assert [word.hex(" ") for word in inside for tail in tails if parser.accepts(word + tail)] == []


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
