"""Messages in other languages: complete, up to date, with the same facts, chosen as gettext chooses."""

import ast
import json
import os
import pickle
import re
import shlex
import subprocess
import sys
from importlib.resources import files
from pathlib import Path

import pytest

import utf8_abnf
from utf8_abnf import cli
from utf8_abnf.cli import main
from utf8_abnf.errors import GrammarError
from utf8_abnf.grammar import Grammar
from utf8_abnf.grammar.lint import lint
from utf8_abnf.language import catalogue as languages
from utf8_abnf.language.catalogue import LANGUAGES, TRANSLATED, Counted, columns, padded, wrapped
from utf8_abnf.language.tables import translatable
from utf8_abnf.teaching.play.texts import TEXTS

MESSAGES = list(dict.fromkeys([*(text for _, text in translatable()), *TEXTS.values()]))
# Names, and what is nothing but facts: these may be the same in another language.
NAMES = {TEXTS[key] for key in TEXTS if key.startswith("dialect.") and not key.endswith(".about")}
NAMES |= {TEXTS["code.right"], "Bytes", "Decoder"}
WRONG = b"ab\xed\xa0\x80c"


@pytest.fixture(scope="module")
def catalogues(root):
    pytest.importorskip("babel", reason="needs babel: pip install --group docs")
    sys.path.insert(0, str(root / "tools" / "docs"))
    try:
        import catalogues
    finally:
        sys.path.pop(0)
    return catalogues


@pytest.fixture
def spoken():
    """A way to speak a language that is forgotten after the test."""
    before = languages._chosen
    yield languages.choose
    languages._chosen = before


def utf8_abnf_says(*arguments, stdin=WRONG, **environment):
    cleared = {name: value for name, value in os.environ.items() if name not in languages._VARIABLES}
    command = [sys.executable, "-m", "utf8_abnf", *arguments]
    done = subprocess.run(command, input=stdin, capture_output=True, env=cleared | environment, timeout=30)
    assert b"Traceback" not in done.stderr
    return (done.stdout + done.stderr).decode("utf-8", "replace")


def test_there_are_messages():
    assert len(MESSAGES) > 300


@pytest.mark.parametrize("language", TRANSLATED)
def test_every_message_is_translated_and_none_is_stale_or_names_other_facts(catalogues, language, root):
    from babel.messages.pofile import read_po

    with (root / "src/utf8_abnf/language/locale" / language / "LC_MESSAGES" / "messages.po").open("rb") as file:
        entries = {entry.id if isinstance(entry.id, str) else Counted(*entry.id): entry for entry in read_po(file)}
    del entries[""]
    assert set(entries) == set(MESSAGES)
    assert not [entry for entry in entries.values() if entry.fuzzy]
    assert not [complaint for entry in entries.values() for complaint in catalogues.complaints(entry)]


@pytest.mark.parametrize("language", TRANSLATED)
def test_what_is_shipped_is_compiled_from_the_catalogue(catalogues, language, root):
    inside = f"language/locale/{language}/LC_MESSAGES"
    with (root / "src/utf8_abnf" / inside / "messages.po").open("rb") as file:
        assert catalogues.machine_object(file) == (files(utf8_abnf) / inside / "messages.mo").read_bytes()


@pytest.mark.parametrize("language", TRANSLATED)
def test_every_message_comes_out_translated(spoken, language):
    spoken(language)
    for text in MESSAGES:
        said = [languages.count(text, 7)] if isinstance(text, Counted) else [languages.say(text)]
        assert said != [text] or text in NAMES, text
        assert all(said)


# Modules whose sentences all stand in the tables of messages; what is printed is in the user's language.
IN_TABLES = [
    *("cli/grammar/*.py",),
    *("automaton/*.py", "cli/explain/grammar.py", "grammar/*.py", "parsers/[!lr]*.py"),
    *("cli/conformance/suite.py", "conformance/suite/levels.py", "conformance/suite/samples.py"),
    "conformance/suite/theorem.py",
]  # fmt: skip
FILES = r"; values|/\* Values|digraph|utf8-abnf|code points"  # what files and JSON have in them
SENTENCE = re.compile(rf"(?!{FILES}).*[a-z]{{2,}},? [a-z]{{2,}}", re.S)


def strings_in(path):
    """Yield the strings of a module, but not documentation, ``--help``, and what is raised for programmers."""
    programmers = {"AssertionError", "AttributeError", "ValueError"}
    todo = [ast.parse(path.read_text("utf-8"))]
    while todo:
        node = todo.pop()
        match node:
            case ast.Constant(value=str(text)):
                yield node.lineno, text
            case ast.Expr(value=ast.Constant()):
                pass
            case ast.Raise(exc=ast.Call(func=ast.Name(id=name))) if name in programmers:
                pass
            case ast.Assign(targets=[ast.Name(id="DESCRIPTION" | "EPILOG")]):
                pass
            case ast.FunctionDef(args=ast.arguments(args=[ast.arg(arg="parser"), *_])):
                pass
            case _:
                todo += ast.iter_child_nodes(node)


@pytest.mark.parametrize("pattern", IN_TABLES)
def test_no_sentence_stands_outside_the_tables(pattern):
    modules = [*Path(utf8_abnf.__file__).parent.glob(pattern)]
    found = [(path.name, line, text) for path in modules for line, text in strings_in(path) if SENTENCE.match(text)]
    assert modules
    assert found == []


# The language, and what is said of a rule name that begins with a digit.
SAID = [
    ("en", "expected a rule name, got '1'; the name of a rule begins with a letter"),
    ("de", "ein Regelname wird erwartet, gefunden: '1'; ein Regelname beginnt mit einem Buchstaben"),
    ("ja", "規則名が必要です(ここにあるのは '1')。規則名は英字で始まります"),
]


@pytest.mark.parametrize(("language", "said"), SAID)
def test_an_error_is_english_for_programs_and_translated_for_people(spoken, language, said):
    with pytest.raises(GrammarError) as caught:
        Grammar.parse("1a = b", file="x.abnf")
    spoken(language)
    assert str(caught.value) == f"x.abnf:1:1: {SAID[0][1]}"
    assert languages.described(caught.value) == f"x.abnf:1:1: {said}"
    assert languages.described(pickle.loads(pickle.dumps(caught.value))) == f"x.abnf:1:1: {said}"


MISTAKES = """\
a = "x" / "X" / *( "" ) ; \u00e9
b = %xE9 / [b] missing / <prose> / %x110000
c = c "ab"
HEXDIG = DIGIT / "A" / %x80-FF
DIGIT = %x30-39"""
ENGLISH = re.compile(r"\b(the|is|are|it|to|of|from|no|uses?)\b")


@pytest.mark.parametrize("language", TRANSLATED)
def test_findings_of_the_linter_are_translated_with_all_their_parts(spoken, language):
    spoken(language)
    found = lint(Grammar.parse(MISTAKES, values="bytes"), fast=True)
    assert len({each.code for each in found}) > 12
    for each in found:
        for text in (each.message, each.help):
            assert languages.told(text) != text
            assert not ENGLISH.search(languages.told(text))


# Commands on grammars: notes, refusals, comparisons, counts.
COMMANDS = [
    "grammar automaton utf8",
    "grammar coverage LICENSE",
    "grammar diff dialects/wtf8 utf8",
    "grammar diff abnf abnf --depth 0 --start repetition --start-b concatenation",
    "grammar diff utf8 nowhere.abnf",
    "grammar extract LICENSE",
    "grammar generate utf8 --cover edges -n 1",
    "grammar generate utf8 -n 0",
    "grammar regex json",
    "grammar regex utf8 --start UTF8-5",
    "parse LICENSE --grammar utf8 --define x",
    "suite list --grammar uri --depth -1",
    "suite list --grammar utf16be --level L0",
    "suite list --level L1",
    "suite show named/nothing --level L0",
    "suite show",
]


@pytest.mark.parametrize("language", TRANSLATED)
@pytest.mark.parametrize("command", COMMANDS)
def test_what_commands_say_of_grammars_is_translated(command, language, spoken, capsys, root, monkeypatch):
    monkeypatch.chdir(root)
    monkeypatch.setenv("LANGUAGE", language)  # for commands that choose
    spoken(language)
    main(command.split())
    said = "".join(capsys.readouterr())
    assert said
    assert not ENGLISH.search(said), said


FRAME = re.compile(r"^(usage|options|positional arguments):|show this help", re.MULTILINE)


@pytest.mark.parametrize("language", TRANSLATED)
@pytest.mark.parametrize("command", ["", *cli.COMMANDS, "grammar diff"])
def test_the_frame_of_help_is_translated(command, language, spoken, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "120")
    spoken(language)
    assert main([*command.split(), "--help"]) == 0
    text = capsys.readouterr().out
    assert text.startswith(f"{languages.say('usage: ')}utf8-abnf")
    assert f"\n{languages.say('options')}:\n" in text
    assert f" {languages.say('show this help message and exit')}\n" in text
    assert not FRAME.search(text)


REFUSED_LINES = {
    "check --frobnicate": "--frobnicate",
    "check --format": "--format",
    "check --vcs=1 .": "'1'",
    "check -I -a .": "-I/--skip-binary",
    "smoke": "TARGET",
    "grammar check": "FILE",
    "grammar nothing": "'nothing'",
}


@pytest.mark.parametrize("language", TRANSLATED)
@pytest.mark.parametrize("command", REFUSED_LINES)
def test_a_line_that_cannot_be_carried_out_is_refused_in_the_users_language(command, language, spoken, capsys):
    spoken(language)
    assert main(command.split()) == 2
    text = capsys.readouterr().err
    assert REFUSED_LINES[command] in text
    assert not FRAME.search(text)
    assert not re.search(r"\b(error|argument|arguments|unrecognized|required|expected|allowed)\b", text), text


REFUSED_VALUES = [
    *(f"repair --from {value}" for value in ("nonsense", "hex", "escape", "fffd:per-word", "''", "\udce9")),
    "repair --to nonsense",
    "repair --overlong longest",
    "repair --language xx",
    "repair -z --max-ratio 0",
    f"repair -z --max-size {'9' * 5000}",
    *(f"repair --{name} '' -" for name in ("output", "log", "undo")),
    *(f"check --{name} '' ." for name in ("profile", "grammar", "baseline", "ledger")),
    "check --format nonsense",
    "check --bom nonsense",
    "check --language xx",
    "check --max-errors 1k",
    "check --profile nonsense",
    "check -j x",
    "check -z --max-depth 1.5",
    "check -z --max-size 1X",
]


@pytest.mark.parametrize("language", TRANSLATED)
@pytest.mark.parametrize("command", REFUSED_VALUES, ids=lambda command: command[:40])
def test_a_value_that_an_option_refuses_is_named_in_the_users_language(command, language, spoken, capsys, monkeypatch):
    said = {}
    for each in ("en", language):
        monkeypatch.setenv("LANGUAGE", each)  # for commands that choose
        spoken(each)
        assert main(shlex.split(command)) == 2
        said[each] = capsys.readouterr().err
    assert said["en"] != said[language]
    assert not ENGLISH.search(re.sub("--[a-z-]+", "", said[language])), said[language]
    assert "internal" not in said["en"]


JSON_COMMANDS = [
    "grammar lint urn --fast",
    "grammar diff dialects/wtf8 utf8",
    "grammar coverage draft.md",
    "grammar check draft.md",
    "explain --grammar utf8 ED",
    "parse --hex ED",
]


@pytest.mark.parametrize("command", JSON_COMMANDS)
def test_json_about_grammars_is_the_same_in_every_language(command, spoken, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("draft.md").write_text('```abnf\na = %s"x"\n```\n```abnf-example a\ny\n```\n')
    printed = set()
    for language in LANGUAGES:
        monkeypatch.setenv("LANGUAGE", language)
        spoken(None)
        main([*command.split(), "--format", "json"])
        printed.add(capsys.readouterr().out)
    assert len(printed) == 1
    assert json.loads(printed.pop())


ENVIRONMENTS = [
    ({}, "expected 80..9F"),
    ({"LANG": "C.UTF-8"}, "expected 80..9F"),
    ({"LANG": "fr_FR.UTF-8"}, "expected 80..9F"),
    ({"LANG": "de_AT.UTF-8"}, "erwartet 80..9F"),
    ({"LANG": "ja_JP.UTF-8"}, "期待される値 80..9F"),
    ({"LANG": "de_DE.UTF-8", "LC_MESSAGES": "ja_JP.UTF-8"}, "期待される値 80..9F"),
    ({"LANG": "ja_JP.UTF-8", "LC_ALL": "C"}, "expected 80..9F"),
    ({"LANG": "en_US.UTF-8", "LANGUAGE": "fr:de:ja"}, "erwartet 80..9F"),
    ({"LANG": "ja_JP", "PYTHONIOENCODING": "latin-1"}, "expected 80..9F"),  # which has no Japanese letters
]


@pytest.mark.thorough
@pytest.mark.parametrize(("environment", "shown"), ENVIRONMENTS, ids=[str(row[0]) for row in ENVIRONMENTS])
def test_the_environment_chooses(environment, shown):
    assert shown in utf8_abnf_says("check", **{"PYTHONUTF8": "0", "PYTHONIOENCODING": "utf-8"} | environment)


@pytest.mark.thorough
def test_the_option_wins_over_the_environment():
    assert "erwartet 80..9F" in utf8_abnf_says("check", "--language", "de", LANG="ja_JP.UTF-8")
    assert "expected 80..9F" in utf8_abnf_says("check", "--language", "en", LANG="ja_JP.UTF-8")


@pytest.mark.thorough
@pytest.mark.parametrize("form", ["json", "jsonl", "sarif", "github"])
def test_programs_read_english_unless_the_user_names_a_language(form):
    shown = utf8_abnf_says("check", "--format", form, LANGUAGE="de")
    assert "cannot follow ED" in shown
    assert "UTF8-SURROGATE" in shown
    assert "darf nicht auf ED folgen" in utf8_abnf_says("check", "--format", form, "--language", "de")


@pytest.mark.thorough
def test_a_code_is_explained_in_the_language_asked_for():
    assert "Folgebytes (UTF8-tail)" in utf8_abnf_says("explain", "lone-tail", LANG="de_DE.UTF-8")
    record = json.loads(utf8_abnf_says("explain", "overlong", "--format", "json", "--language", "ja"))
    assert "冗長な表現" in record[0]["title"]
    assert record[0]["example"] == "C0 80"


@pytest.mark.thorough
@pytest.mark.parametrize("language", LANGUAGES)
def test_no_line_of_an_explanation_is_wider_than_a_hundred_columns(language):
    for line in utf8_abnf_says("explain", "overlong", "--language", language, PYTHONIOENCODING="utf-8").splitlines():
        assert columns(line) <= 100, line


@pytest.mark.thorough
def test_failures_speak_the_language_too():
    assert "einen Befehl 'chek' gibt es nicht; war 'check' gemeint?" in utf8_abnf_says("chek", LANGUAGE="de")
    assert "Datei oder Ordner nicht gefunden" in utf8_abnf_says("check", "nowhere", LANGUAGE="de")
    assert "nowhere: Datei oder Ordner nicht gefunden" in utf8_abnf_says("parse", "nowhere", LANGUAGE="de")


def test_well_formed_input_opens_no_catalogue():
    code = "import sys; from utf8_abnf.cli import main; main(['check', '-q'])"
    code += "; assert 'utf8_abnf.language.catalogue' in sys.modules"
    code += "; assert 'locale' not in sys.modules"  # with which gettext looks for a catalogue
    code += "; from utf8_abnf.language.catalogue import catalogue; assert catalogue.cache_info().currsize == 0"
    subprocess.run([sys.executable, "-c", code], input=b"well", env=os.environ | {"LANGUAGE": "de"}, check=True)


def test_japanese_letters_take_two_columns():
    assert (columns("規則 rule"), padded("規則", 6)) == (9, "規則  ")


def test_lines_break_between_words_and_japanese_letters_but_not_before_punctuation():
    assert wrapped("one two three", 8) == ["one two", "three"]
    assert wrapped("文法は規則。", 10) == ["文法は規", "則。"]
    assert wrapped("UTF8-tail を待つ", 11) == ["UTF8-tail", "を待つ"]
    assert "".join(wrapped("文法 ABC は、規則です。", 7)).replace(" ", "") == "文法ABCは、規則です。"
