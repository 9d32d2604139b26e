"""Profiles: the documents of the targets, the grammars, the look for refused characters and the messages agree."""

from __future__ import annotations

import pytest

from utf8_abnf.automaton import compile_grammar
from utf8_abnf.errors import GrammarError
from utf8_abnf.files.profiles import Profile, profile_names
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
    if profile.name != "mysql-utf8mb3":  # a million are refused
        found = [ord(whole[start:end].decode()) for start, end in profile.places(whole)]
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


def test_the_look_reads_nothing_outside_of_its_bytes_and_holds_no_buffer():
    noncharacters = Profile.load("noncharacters")
    data = bytes.fromhex("EF BF BE")
    buffer = bytearray(data + b"a" * 200 + data)
    with memoryview(buffer) as view:
        for start, end in ((1, 203), (2, 204), (1, 205), (203, 205)):
            assert list(noncharacters.places(view[start:end])) == []
    places = noncharacters.places(buffer)
    assert next(places) == (0, 3)
    buffer.append(0)  # BufferError while it is exported
    assert [*places] == [(203, 206)]


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
    assert xml.count_refused(data) == 3


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
