"""Grading: full points exactly for the reference's language, reasons for every point lost, no trust in the files."""

import csv
import io

import pytest

from utf8_abnf import first_error, is_valid
from utf8_abnf.automaton import compile_grammar
from utf8_abnf.cli import main
from utf8_abnf.errors import UsageError
from utf8_abnf.grammar import Grammar
from utf8_abnf.language import catalogue as languages
from utf8_abnf.teaching.grading import variants
from utf8_abnf.teaching.grading.grading import count_mistakes, grade
from utf8_abnf.teaching.grading.rubric import STARTER_MISTAKES, Rubric
from utf8_abnf.teaching.grading.variants import variant
from utf8_abnf.teaching.play.data import BROKEN, NAIVE

UTF8 = Grammar.load("utf8")
OTHER_WORDS = """\
text  = *one
one   = %x00-7F / %xC2-DF t / %xE0 %xA0-BF t / (%xE1-EC / %xEE / %xEF) t t / %xED %x80-9F t
      / %xF0 %x90-BF 2t / %xF1-F3 3t / %xF4 %x80-8F t t
t     = %x80-9F / %xA0-BF
"""


@pytest.mark.parametrize(
    "text", [UTF8.text, OTHER_WORDS, "x = *x1\n" + OTHER_WORDS.replace("text", "x0").replace("one", "x1")]
)
def test_every_grammar_of_the_same_bytes_has_full_points(text):
    result = grade(text, UTF8)
    assert (result.points, result.verdict, result.mistakes) == (100.0, "equal", ())


CHARS = UTF8.text.partition("\n")[2]
MISTAKE = 100 / 6  # the starter has six


def changed(*changes):
    text = UTF8.text
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return text


# What students hand in: the grammar, and how many mistakes a fair teacher counts; None is "no points at all".
STUDENTS = {
    "every byte by itself": (changed(("%xC2-DF", f"( {' / '.join(map('%d{}'.format, range(194, 224)))} )")), 0),
    "incremental alternatives": (changed(("UTF8-tail   = %x80-BF", "UTF8-tail = %x80-9F\nUTF8-tail =/ %xA0-BF")), 0),
    "overlapping alternatives": (changed(("%x00-7F", "%x00-7F / %x41 / LF / ALPHA")), 0),
    "nested options": ("u = *( [ *UTF8-char ] [ [ UTF8-1 ] ] )\n" + CHARS, 0),
    "surrogates only in pairs": (changed(("%xEE-EF", "%xED %xA0-AF UTF8-tail %xED %xB0-BF UTF8-tail / %xEE-EF")), 1),
    "overlong after F0": (changed(("%xF0 %x90-BF", "%xF0 %x80-BF")), 1),
    "F5 to F7 as well": (changed(("%xF1-F3", "(%xF1-F3 / %xF5-F7)")), 1),
    "RFC 2279's six bytes": (Grammar.load("dialects/rfc2279").text, 2),
    "EF forgotten": (changed(BROKEN["three"]), 1),
    "ASCII without 7F": (changed(("%x00-7F", "%x00-7E")), 1),
    "a tail too few after F1": (changed(("%xF1-F3 3(", "%xF1-F3 2(")), 1),
    "a tail too many after E1": (changed(("%xE1-EC 2(", "%xE1-EC 3(")), 1),
    "a tail that may be missing": (changed(("%xC2-DF UTF8-tail", "%xC2-DF [ UTF8-tail ]")), 1),
    "a last tail that may be missing": (changed(("%x80-9F UTF8-tail", "%x80-9F [ UTF8-tail ]")), 1),
    "tails that may be missing at two places": (
        changed(("%xC2-DF UTF8-tail", "%xC2-DF [ UTF8-tail ]"), ("%xF1-F3 3(", "%xF1-F3 2*3(")),
        1,
    ),
    "a tail that may be missing, and C1": (changed(("%xC2-DF UTF8-tail", "%xC1-DF [ UTF8-tail ]")), 2),
    "any number of tails after C2": (changed(("%xC2-DF UTF8-tail", "%xC2-DF *UTF8-tail")), 2),
    "one tail or two after C2": (changed(("%xC2-DF UTF8-tail", "%xC2-DF 1*2UTF8-tail")), 1),
    "bytes that may stand somewhere": ("u = *( %x00-7F / %x80-BF / %xC2-F4 )\n", None),
    "no parentheses": ("u = *UTF8-1 / *UTF8-2 / *UTF8-3 / UTF8-4\n" + CHARS, 1),
    "one character, with surrogates": (CHARS.replace(*BROKEN["surrogates"]), 2),
    "everything": ("u = *OCTET\n", None),
    "no word at all": ('u = "a" u\n', None),
    "any tails": ("u = *( %x00-7F / %xC2-F4 *%x80-BF )\n", None),
    "one tail more everywhere": (changed(("UTF8-tail   = %x80-BF", "UTF8-tail = 2%x80-BF")), None),
}


@pytest.mark.parametrize(("text", "mistakes"), STUDENTS.values(), ids=STUDENTS)
def test_points_are_those_of_a_fair_teacher(text, mistakes):
    result = grade(text, UTF8)
    assert result.points == (0 if mistakes is None else round(100 - mistakes * MISTAKE, 1))
    for each in (each for each in result.mistakes if not each.said):  # each is shown by an input that it gets wrong
        assert is_valid(each.word) is not each.extra
        assert each.name == (first_error(each.word).code if each.extra else "")


def test_the_starter_has_the_six_mistakes_that_lesson_3_repairs():
    assert [(each.word.hex(" ").upper(), each.place, each.name) for each in grade(NAIVE, UTF8).mistakes] == [
        ("C0 80", "C0..C1", "UTF8-OVERLONG"),
        ("F5 80 80 80", "F5..F7", "UTF8-TOO-LARGE"),
        ("E0 80 80", "80..9F", "UTF8-OVERLONG"),
        ("ED A0 80", "A0..BF", "UTF8-SURROGATE"),
        ("F0 80 80 80", "80..8F", "UTF8-OVERLONG"),
        ("F4 90 80 80", "90..BF", "UTF8-TOO-LARGE"),
    ]
    assert count_mistakes(Grammar.parse(NAIVE), UTF8) == STARTER_MISTAKES == 6


def test_each_step_of_lesson_3_earns_points():
    text, points = NAIVE, [0.0]
    for old, new in (
        ("%xC0-DF", "%xC2-DF"),
        ("%xE0-EF 2( UTF8-tail )", "%xE0 %xA0-BF UTF8-tail / %xE1-EF 2( UTF8-tail )"),
        ("%xE1-EF 2( UTF8-tail )", "%xE1-EC 2( UTF8-tail ) / %xED %x80-9F UTF8-tail / %xEE-EF 2( UTF8-tail )"),
        ("%xF0-F7 3( UTF8-tail )", "%xF0 %x90-BF 2( UTF8-tail ) / %xF1-F7 3( UTF8-tail )"),
        ("%xF1-F7", "%xF1-F4"),
        ("%xF1-F4 3( UTF8-tail )", "%xF1-F3 3( UTF8-tail ) / %xF4 %x80-8F 2( UTF8-tail )"),
    ):
        text = text.replace(old, new)
        points.append(grade(text, UTF8).points)
    assert points == [0, 16.7, 33.3, 50, 66.7, 83.3, 100]


def test_another_starter_has_no_points_and_sets_what_a_mistake_takes():
    starter = changed(BROKEN["surrogates"], BROKEN["two"])
    number = count_mistakes(Grammar.parse(starter), UTF8)
    rubric, texts = Rubric(each=100 / number), (starter, changed(BROKEN["two"]), UTF8.text)
    assert (number, [grade(text, UTF8, rubric=rubric).points for text in texts]) == (2, [0, 50, 100])
    with pytest.raises(UsageError, match="has to have mistakes"):
        count_mistakes(UTF8, UTF8)


def test_a_mistake_without_a_name_costs_what_each_other_one_does(capsys, tmp_path):
    rubric = tmp_path / "rubric.toml"
    rubric.write_text('each = 5\n[[mistake]]\nname = "surrogates"\nkind = "UTF8-SURROGATE"\npoints = 30\n')
    (tmp_path / "ada.abnf").write_text(changed(BROKEN["surrogates"], ("%x00-7F", "%x01-7F")))
    main(["grade", str(tmp_path / "ada.abnf"), "--rubric", str(rubric), "--language", "en"])
    told = capsys.readouterr().out
    assert "surrogates: 30 points off" in told
    assert "each other mistake takes 5.0 points" in told


@pytest.mark.parametrize("text", ["", "x = LF / ( x x", "\x00\udcff", "u = 9999(9999(9999 OCTET))"])
def test_what_cannot_be_read_has_no_points_and_a_problem(text):
    result = grade(text, UTF8)
    assert (result.points, result.verdict) == (0.0, "unreadable")
    assert result.problem


def test_another_reference_without_characters_is_compared_by_whole_words():
    reference = Grammar.parse('date = 2DIGIT "-" 2DIGIT\n')
    assert grade('date = 2DIGIT "-" 2DIGIT', reference).points == 100
    result = grade('date = 2DIGIT "/" 2DIGIT', reference)
    assert (result.points, result.some_right) == (0, False)
    assert [(each.extra, each.place, each.name) for each in result.mistakes] == [(False, "2D", ""), (True, "2F", "")]
    assert grade('date = 2( DIGIT / "A" / "C" ) "-" 2DIGIT', reference).mistakes[0].place == "41, 43, 61, 63"


@pytest.mark.parametrize(
    ("options", "text", "points", "said"),
    [
        (["--require", "unambiguous"], 'a = *"x" *"y"', 100, "exactly"),
        (["--require", "unambiguous"], 'a = *"x" *"x" *"y"', 83.3, 'ambiguous: "x" has two'),
        (["--require", "right-linear"], 'a = "x" a / "y" b / ""\nb = "y" b / ""', 100, "exactly"),
        (["--require", "right-linear"], 'a = "x" a / b\nb = "y" b / *"y"', 83.3, "b is not right-linear"),
        (["--require", "max-rules=1"], 'a = x *"y"\nx = *"x"', 83.3, "2 rules, and 1 are allowed"),
        (["--forbid", "lf", "--forbid", "DIGIT"], 'a = *"x" *"y" 0LF', 83.3, "lf is used, and may not be"),
        (["--forbid", "LF", "--require", "max-rules=1"], "a = b 0LF\nb = *'x' *'y'", 50, "2 slips of syntax"),
    ],
)
def test_a_task_may_ask_for_more_than_the_language(options, text, points, said, tmp_path, capsys):
    (tmp_path / "reference.abnf").write_text('a = *"x" *"y"')
    (tmp_path / "ana.abnf").write_text(text)
    arguments = ["grade", str(tmp_path / "ana.abnf"), "--grammar", str(tmp_path / "reference.abnf"), *options]
    assert main(arguments) == (points < 100)
    told = capsys.readouterr().out
    assert told.startswith(f"{points:5.1f}  ")
    assert said in told


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["ana.abnf", "--require", "short"], "--require takes unambiguous, right-linear or max-rules=N, not short"),
        (["ana.abnf", "--variant", "poem"], "the tasks are number, text and decoder"),
        (["ana.abnf", "--variant", "decoder"], "a person grades"),
        (["ana.abnf", "--solution"], "--variant"),
        (["no-such-file"], "No such file"),
        (["no-such-file", "--grammar", "nothing"], "No such file"),
        (["empty"], "no *.abnf"),
    ],
)
def test_what_cannot_be_asked_for_or_graded_is_refused(arguments, said, call, tmp_path, monkeypatch):
    (tmp_path / "ana.abnf").write_text("a = b")
    (tmp_path / "empty").mkdir()
    monkeypatch.chdir(tmp_path)
    done = call("grade", *arguments)
    assert (done.status, said in done.err) == (2, True)


@pytest.mark.parametrize("task", ["number", "text"])
def test_every_name_has_a_variant_whose_solution_has_all_points(task, tmp_path, capsys):
    solutions = set()
    for name in ("", "Ana", "Bo", "日本"):
        assert main(["grade", "--variant", f"{task}/{name}", "--solution"]) == 0
        solutions.add(solution := capsys.readouterr().out)
        assert solution == f"; {variant(task, name).task}\n{variant(task, name).solution}"
        if name:
            (tmp_path / f"{name}.abnf").write_text(solution, encoding="utf-8")
    assert len(solutions) == 4
    assert main(["grade", str(tmp_path), "--variant", f"{task}/each", "--format", "csv"]) == 0
    (tmp_path / "Bo.abnf").write_text(variant(task, "Ana").solution)
    assert main(["grade", str(tmp_path), "--variant", f"{task}/each", "--format", "csv"]) == 1


@pytest.mark.parametrize("last", [131, 200, 209, 255, 847, 900, 988])
def test_the_solution_for_numbers_is_right(last, monkeypatch):
    monkeypatch.setattr(variants, "LAST_NUMBER", last)
    automaton = compile_grammar(Grammar.parse(variant("number", "").solution))
    texts = [f"{number:0{width}}" for number in range(1100) for width in (1, 2, 3)]
    assert {text for text in texts if automaton.accepts(text.encode())} == {str(number) for number in range(last + 1)}


@pytest.fixture(autouse=True)
def language_forgotten(monkeypatch):
    """What a test chooses holds for it alone; LANG decides nothing."""
    for name in languages._VARIABLES:
        monkeypatch.delenv(name, raising=False)


def test_why_a_grammar_has_no_points_is_said_in_the_chosen_language():
    with languages.speaking("de"):
        told = grade("UTF8-octets = *x", UTF8).problem
    assert told.startswith("<grammar>:1:16: unbekannte Regel x; sie definieren")


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "anna.abnf").write_text(UTF8.text)
    (tmp_path / "bert.abnf").write_bytes(
        b"\xef\xbb\xbf" + UTF8.text.replace(*BROKEN["surrogates"]).replace("\n", "\r\n").encode()
    )
    (tmp_path / "=cmd.txt").write_text("x = %q")
    (tmp_path / "notes.md").write_text("not graded")
    return tmp_path


def test_csv_has_a_row_for_each_file_and_no_formula(folder, capsys, monkeypatch):
    monkeypatch.chdir(folder)
    assert main(["grade", "=cmd.txt", "anna.abnf", "bert.abnf", "--format", "csv"]) == 1
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [row["file"] for row in rows] == ["'=cmd.txt", "anna.abnf", "bert.abnf"]
    assert [row["points"] for row in rows] == ["0.0", "100.0", "83.3"]
    assert rows[2]["extra"] == "%xED %xA0-BF UTF8-tail"
    assert rows[2]["shortest"] == "ED A0 80"
    assert not any(value[:1] in {"=", "+", "-", "@"} for row in rows for value in row.values())


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", ["ED A0 80; the reference does not (UTF8-SURROGATE, A0..BF at offset 1)", "extra    %xED", "1 of 3 eq"]),
        ("de", ["akzeptiert ED A0 80, die Referenz nicht", "kostet 16.7 Punkte", "zu viel  %xED", "1 von 3"]),
        ("ja", ["ED A0 80を受理しますが、", "16.7点減ります", "余分     %xED", "3個のうち1個が"]),
    ],
)
def test_the_reasons_speak_the_language_asked_for(folder, capsys, language, said):
    assert main(["grade", str(folder), "--language", language]) == 1
    text = capsys.readouterr().out
    assert [each for each in said if each not in text] == []


def test_tables_for_programs_are_english_unless_a_language_is_named(folder, capsys, monkeypatch):
    monkeypatch.setenv("LANGUAGE", "de")
    for arguments, explained in ([], "accepts ED A0 80"), (["--language", "ja"], "ED A0 80を受理しますが"):
        main(["grade", str(folder), "--format", "csv", *arguments])
        assert explained in capsys.readouterr().out


def test_the_points_in_the_documentation_are_those_given(root):
    text = (root / "docs" / "play.md").read_text("utf-8")
    table = [line.split("|")[2].strip() for line in text.splitlines() if line.startswith("| ")][1:]
    names = ("two", "overlong", "surrogates", "last", "tail", "one")
    texts = [*(UTF8.text.replace(*BROKEN[name]) for name in names), CHARS, NAIVE]
    assert [float(points) for points in table] == [grade(each, UTF8).points for each in texts]
