"""Messages in other languages: the same facts, chosen as gettext chooses, and English where nothing is translated."""

import importlib
import pickle
import sys
from importlib.resources import files

import pytest

import utf8_abnf
from utf8_abnf.errors import GrammarError
from utf8_abnf.grammar import Grammar
from utf8_abnf.language import catalogue as languages
from utf8_abnf.language.catalogue import TRANSLATED, Counted, columns, padded, say, speaking, wrapped


@pytest.fixture
def tool(root, monkeypatch):
    pytest.importorskip("babel", reason="needs babel: pip install --group docs")
    monkeypatch.syspath_prepend(root / "tools" / "docs")
    return importlib.import_module("catalogues")


@pytest.fixture
def environment(monkeypatch):
    """A way to set the variables that choose a language; all others of them are not set."""
    for name in languages._VARIABLES:
        monkeypatch.delenv(name, raising=False)
    return lambda variables: [monkeypatch.setenv(*each) for each in variables.items()]


@pytest.fixture
def said(call):
    """What a command line says."""
    return lambda *words: "".join(call(*words)[1:])


@pytest.mark.parametrize("language", TRANSLATED)
def test_a_translation_names_the_facts_of_its_message(tool, language):
    path = tool.PACKAGE / language / "LC_MESSAGES" / "messages.po"
    with path.open("rb") as file:
        entries = [entry for entry in tool.read_po(file) if entry.id]
    assert len(entries) > 300
    assert not [wrong for entry in entries if entry.string for wrong in tool.complaints(entry)]


@pytest.mark.parametrize("language", TRANSLATED)
def test_what_is_shipped_is_compiled_from_the_catalogue(tool, language):
    inside = f"language/locale/{language}/LC_MESSAGES"
    made = tool.machine_object(tool.PACKAGE / language / "LC_MESSAGES" / "messages.po")
    assert made == (files(utf8_abnf) / inside / "messages.mo").read_bytes()


def test_a_new_message_is_listed_by_the_tool_and_stays_english(tool, tmp_path):
    path = tmp_path / "messages.po"
    counted = ("{number} new file", "{number} new files")
    left = tool.bring(path, [("byte", ""), ("a new message of {name}", ""), (counted, "")], "de", write=True)
    assert left == [f"not translated: {each!r}" for each in ("byte", "a new message of {name}", counted[0])]
    assert b"new" not in tool.machine_object(path)
    with speaking("de"):
        assert say("a new message of {name}", name="x") == "a new message of x"
        assert languages.count(Counted(*counted), 2) == "2 new files"


# The language, and what is said of a rule name that begins with a digit.
SAID = [
    ("en", "expected a rule name, got '1'; the name of a rule begins with a letter"),
    ("de", "ein Regelname wird erwartet, gefunden: '1'; ein Regelname beginnt mit einem Buchstaben"),
    ("ja", "規則名が必要です(ここにあるのは '1')。規則名は英字で始まります"),
]


@pytest.mark.parametrize(("language", "text"), SAID)
def test_an_error_is_english_for_programs_and_translated_for_people(language, text):
    with pytest.raises(GrammarError) as caught:
        Grammar.parse("1a = b", file="x.abnf")
    with speaking(language):
        assert str(caught.value) == f"x.abnf:1:1: {SAID[0][1]}"
        assert languages.described(caught.value) == f"x.abnf:1:1: {text}"
        assert languages.described(pickle.loads(pickle.dumps(caught.value))) == f"x.abnf:1:1: {text}"


# The environment, the encoding of standard output, and the language.
ENVIRONMENTS = [
    ({}, "utf-8", "en"),
    ({"LANG": "C.UTF-8"}, "utf-8", "en"),
    ({"LANG": "fr_FR.UTF-8"}, "utf-8", "en"),
    ({"LANG": "de_AT.UTF-8"}, "utf-8", "de"),
    ({"LANG": "de_DE.UTF-8", "LC_MESSAGES": "ja_JP.UTF-8"}, "utf-8", "ja"),
    ({"LANG": "ja_JP.UTF-8", "LC_ALL": "C"}, "utf-8", "en"),
    ({"LANG": "en_US.UTF-8", "LANGUAGE": "fr:de:ja"}, "utf-8", "de"),
    ({"LANG": "ja_JP"}, "latin-1", "en"),  # which has no Japanese letters
]


@pytest.mark.parametrize(("variables", "encoding", "language"), ENVIRONMENTS, ids=[str(row[0]) for row in ENVIRONMENTS])
def test_the_environment_chooses(environment, monkeypatch, variables, encoding, language):
    environment(variables)
    monkeypatch.setattr(sys, "stdout", type("Output", (), {"encoding": encoding}))
    assert languages.wanted() == language


def test_explain_speaks_the_language_of_the_environment_or_of_its_option(environment, said):
    environment({"LANG": "de_DE.UTF-8"})
    assert "Folgebytes (UTF8-tail)" in said("explain", "lone-tail")
    assert "冗長な表現" in said("explain", "overlong", "--language", "ja")
    assert "wird vom Profil" not in said("explain", "overlong", "--language", "en")


@pytest.mark.parametrize("command", ["check --help", "check nowhere", "chek", "grammar lint nowhere", "explain UTF8-X"])
def test_command_lines_are_english(environment, said, command):
    english = said(*command.split())
    environment({"LANGUAGE": "de"})
    assert said(*command.split()) == english


def test_no_catalogue_is_opened_for_english(environment, said, tmp_path):
    environment({"LANGUAGE": "de"})
    languages.catalogue.cache_clear()
    (tmp_path / "bad.txt").write_bytes(b"\xff")
    assert "cannot start a character" in said("check", str(tmp_path))
    assert languages.catalogue.cache_info().currsize == 0


def test_japanese_letters_take_two_columns():
    assert (columns("規則 rule"), padded("規則", 6)) == (9, "規則  ")


def test_lines_break_between_words_and_japanese_letters_but_not_before_punctuation():
    assert wrapped("one two three", 8) == ["one two", "three"]
    assert wrapped("文法は規則。", 10) == ["文法は規", "則。"]
    assert wrapped("UTF8-tail を待つ", 11) == ["UTF8-tail", "を待つ"]
    assert "".join(wrapped("文法 ABC は、規則です。", 7)).replace(" ", "") == "文法ABCは、規則です。"
