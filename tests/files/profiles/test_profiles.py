"""Profiles: the grammar says what is refused; the quick look, the plain look and the messages agree with it."""

from __future__ import annotations

import random

import pytest

from utf8_abnf.automaton import compile_grammar
from utf8_abnf.errors import GrammarError
from utf8_abnf.files.profiles import Profile, look, profile_names
from utf8_abnf.files.profiles.look import Look, sieve
from utf8_abnf.grammar import Grammar
from utf8_abnf.language.refusals import CODES, REFUSALS, SOURCES, TITLES
from utf8_abnf.validator import functions

CHARACTERS = [chr(number) for number in range(0x110000) if not 0xD800 <= number <= 0xDFFF]
NONCHARACTERS = {*range(0xFDD0, 0xFDF0), *(plane << 16 | low for plane in range(17) for low in (0xFFFE, 0xFFFF))}
C0 = set(range(0x20)) - {0x09, 0x0A, 0x0D}
C1 = set(range(0x7F, 0xA0))

# What the documents say, written a second time: not derived from the grammars.
REFUSED = {
    "postgresql": {0},
    "redshift": NONCHARACTERS,
    "mysql-utf8mb3": set(range(0x10000, 0x110000)),
    "xml-1.0": C0 | {0xFFFE, 0xFFFF},
    "xml-1.1": C0 | C1 - {0x85} | {0xFFFE, 0xFFFF},
    "json": C0,
    "i-json": C0 | NONCHARACTERS,
    "unicode-assignables": C0 | C1 | NONCHARACTERS,
    "noncharacters": NONCHARACTERS,
    "replacement": {0xFFFD},
}


@pytest.fixture(scope="module", params=profile_names())
def profile(request):
    return Profile.load(request.param)


def test_every_profile_has_what_its_document_says():
    assert set(REFUSED) == set(profile_names())


def test_the_forms_are_what_the_document_refuses(profile):
    refused = REFUSED[profile.name]
    automaton = compile_grammar(profile.grammar)
    edges = {number + step for number in (*sorted(refused)[:100], max(refused)) for step in (-1, 0, 1)}
    for number in edges - set(range(0xD800, 0xE000)) - {-1, 0x110000}:
        character = chr(number).encode()
        assert automaton.accepts(character) == profile.is_valid(character) == (number not in refused)


def test_the_look_finds_each_of_all_characters_that_is_refused(profile):
    whole = "".join(CHARACTERS).encode()
    if profile.name != "mysql-utf8mb3":  # a million are refused: the samples below have enough of them
        found = [ord(whole[start:end].decode()) for start, end in profile._look.places(whole)]
        assert found == sorted(REFUSED[profile.name])


def test_every_refused_character_has_a_reason_and_every_reason_a_character(profile):
    rows, left = REFUSALS[profile.name], set(REFUSED[profile.name])
    for row in rows:
        here = {number for number in left if row.low <= number <= row.high}
        assert here
        left -= here
    assert not left


def test_every_code_has_a_title_and_a_row():
    assert set(TITLES) == set(CODES) == {row.code for rows in REFUSALS.values() for row in rows}
    assert set(SOURCES) == set(REFUSALS) == {"", *profile_names()}


NEAR = [chr(n) for n in (0, 8, 9, 0x1F, 0x41, 0x7F, 0x80, 0x85, 0x9F, 0xA0, 0xFDCF, 0xFDD0, 0xFDEF, 0xFDF0, 0xFFFC)]
NEAR += [chr(n) for n in (0xFFFD, 0xFFFE, 0xFFFF, 0x10000, 0x1FFFD, 0x1FFFE, 0x2FFFF, 0xEFFFE, 0xFFFFF, 0x10FFFF)]
ILL_FORMED = [bytes.fromhex(each) for each in ("80", "C2", "EF BF", "F0 9F BF", "EF B7", "FF", "F4 8F BF")]


@pytest.mark.parametrize("wide", [True, False], ids=["wide", "scalar"])
def test_the_quick_look_is_the_plain_look_on_any_bytes(profile, wide, monkeypatch):
    if look.loops is None:
        pytest.skip("installed without a compiler")
    if not wide:
        monkeypatch.setattr(look.loops, "next_candidate", look.loops.next_candidate_scalar)
    chance = random.Random(profile.name)
    fillers = ["a", "é", "語", "，", "😀"]
    for _ in range(400):
        pieces = [chance.choice(fillers).encode() * chance.randrange(60) for _ in range(4)]
        pieces += [chance.choice(NEAR).encode() for _ in range(chance.randrange(3))]
        pieces += [chance.choice(ILL_FORMED) for _ in range(chance.randrange(2))]
        chance.shuffle(pieces)
        data = b"".join(pieces)
        assert list(profile._look.places(data)) == (plain := list(profile._look.plain(data)))
        assert profile._look.is_in(data) == bool(plain)


def test_the_quick_look_reads_nothing_outside_of_its_bytes():
    noncharacters = Profile.load("noncharacters")
    data = bytes.fromhex("EF BF BE")
    with memoryview(data + b"a" * 200 + data) as view:
        for start, end in ((1, 203), (2, 204), (1, 205), (203, 205)):
            assert list(noncharacters._look.places(view[start:end])) == []
        assert list(noncharacters._look.places(view)) == [(0, 3), (203, 206)]


def test_a_sieve_of_many_forms_misses_none():
    chance = random.Random(1)
    forms = []
    for _ in range(40):
        low = chance.randrange(0x80, 0xB0)
        forms.append(((0xE1 + chance.randrange(10),) * 2, (low, low + 5), (low + 3, 0xBF)))
    many = Look(forms)
    assert len(sieve(forms)) == 1 + 4 + 8 + 128
    words = {bytes(low for low, _ in form) for form in forms} | {bytes(high for _, high in form) for form in forms}
    for word in words:
        data = b"a" * chance.randrange(200) + word + b"b" * chance.randrange(200)
        assert list(many.places(data)) == list(many.plain(data)) != []
        assert many.is_in(data)


def test_errors_of_both_kinds_come_in_order():
    xml = Profile.load("xml-1.0")
    data = b"\x01\xff\x02\xed\xa0\x80\x03"
    assert [(error.start, error.code[:4]) for error in xml.iter_errors(data)] == [
        (0, "PROF"), (1, "UTF8"), (2, "PROF"), (3, "UTF8"), (4, "UTF8"), (5, "UTF8"), (6, "PROF"),
    ]  # fmt: skip
    assert xml.first_error(data).start == 0
    assert xml.first_error(data[1:]) == functions.first_error(data[1:])
    assert xml.first_error(b"ok") is None
    assert xml.first_error(bytearray(b"a\x01")).character == 1


def load(text, tmp_path):
    path = tmp_path / "own.abnf"
    path.write_text(text)
    return Profile.load(path)


def test_a_grammar_of_ones_own_is_a_profile(tmp_path):
    own = load("text = *letter\nletter = ALPHA / %xE4 / %x3B1-3C9\n", tmp_path)
    assert own.is_valid("aäω".encode())
    assert [(each.code, chr(each.character)) for each in own.iter_errors("aß".encode())] == [("PROFILE-CHARACTER", "ß")]
    assert own.rule.name == "letter"


def test_a_grammar_may_have_the_name_of_a_profile(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "json.abnf").write_text("text = *%x61\n")
    assert Profile.load("json.abnf").first_error(b"b").code == "PROFILE-CHARACTER"


@pytest.mark.parametrize(
    "text",
    ["text = 1*ALPHA", "text = ALPHA", 'text = *( "ab" )', 'text = *( "a" *"b" "c" )', "text = *ALPHA %x0A"],
)
def test_a_grammar_of_anything_but_characters_is_refused(text, tmp_path):
    with pytest.raises(GrammarError, match=r"own\.abnf:1:1: text has to derive all sequences"):
        load(text + "\n", tmp_path)


def test_a_profile_may_refuse_everything_or_nothing(tmp_path):
    assert not load('text = ""\n', tmp_path).is_valid(b"a")
    everything = load("text = *%x0-10FFFF\n", tmp_path)
    assert everything.refused == ()
    assert everything.first_error("a\0\ufffe".encode()) is None


def test_the_grammars_are_written_as_code_points():
    for name in profile_names():
        assert Grammar.load(f"profiles/{name}", values="utf-8").greatest_value() > 0xFF


def test_a_profile_works_without_a_compiler(monkeypatch):
    monkeypatch.setattr(look, "loops", None)
    xml = Profile.load("xml-1.0")
    found = [(error.start, error.code) for error in xml.iter_errors("a\x01b\ufffe".encode() + b"\xff")]
    assert found == [(1, "PROFILE-CONTROL"), (3, "PROFILE-NONCHARACTER"), (6, "UTF8-TOO-LARGE")]
    assert xml.first_error(b"\x01").start == 0
    assert xml.count_refused(b"\0\0a") == 2
