"""Grading: full points exactly for the reference's language, reasons for every point lost, no trust in the files."""

import csv
import io
import json

import pytest

from utf8_abnf.cli import main
from utf8_abnf.grammar import Grammar
from utf8_abnf.language import catalogue as languages
from utf8_abnf.play.data import BROKEN, NAIVE
from utf8_abnf.play.grading import grade

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
    assert (result.points, result.verdict, result.credits) == (100.0, "equal", ())


@pytest.mark.parametrize("change", BROKEN.values(), ids=BROKEN)
def test_a_mistake_costs_points_and_says_which(change):
    result = grade(UTF8.text.replace(*change), UTF8)
    assert 70 < result.points < 100
    assert result.verdict == "different"
    assert result.shortest is not None
    lost = [row for row in result.credits if row.both < row.either]
    assert lost
    if change != BROKEN["one"]:  # that one differs in the empty input only, which is no character
        assert all(row.extra or row.missing for row in lost)


def test_points_are_the_mean_share_of_the_lengths():
    result = grade(NAIVE, UTF8)
    assert [(row.length, row.both, row.either) for row in result.credits] == [
        (1, 1, 1),
        (2, 3, 6),
        (3, 18, 27),
        (4, 54, 108),
    ]
    assert result.points == round(100 * (1 + 1 / 2 + 2 / 3 + 1 / 2) / 4, 1)


@pytest.mark.parametrize("comment", ["größe", "日本", "\udce4"])
def test_comments_cost_nothing(comment):
    assert grade(f'; {comment}\n{UTF8.text}; {comment} " <', UTF8).points == 100


def test_a_grammar_that_accepts_everything_misses_nothing():
    result = grade("x = *%x00-FF", UTF8)
    assert result.accepts_it
    assert [each for row in result.credits for each in row.extra] == ["%x80-FF"]
    assert not any(row.missing for row in result.credits)


def test_more_mistakes_never_give_more_points():
    text, points = UTF8.text, 100.0
    for change in (BROKEN["two"], BROKEN["surrogates"], BROKEN["overlong"], BROKEN["last"]):
        text = text.replace(*change)
        lower = grade(text, UTF8).points
        assert lower < points
        points = lower


def test_one_character_instead_of_a_sequence_loses_ten_points():
    result = grade(UTF8.text.partition("\n")[2], UTF8)
    assert result.one_character
    assert result.points == 89.0
    assert result.shortest == b""


@pytest.mark.parametrize(
    "text", ["", "x = %q", "x = y", "x = ( x / %x41 ) x", "\x00\udcff", "x = 200(200(200(200%x41)))"]
)
def test_what_cannot_be_read_has_no_points_and_a_problem(text):
    result = grade(text, UTF8)
    assert (result.points, result.verdict) == (0.0, "unreadable")
    assert result.problem


def test_another_reference_without_characters_is_compared_by_whole_words():
    reference = Grammar.parse('date = 2DIGIT "-" 2DIGIT\n')
    assert grade('date = 2DIGIT "-" 2DIGIT', reference).points == 100
    result = grade('date = 2DIGIT "/" 2DIGIT', reference)
    assert result.points == 0
    assert [row.length for row in result.credits] == [5]


@pytest.fixture(autouse=True)
def language_forgotten(monkeypatch):
    """What a test chooses holds for it alone; LANG decides nothing."""
    monkeypatch.setattr(languages, "_chosen", None)
    for name in languages._VARIABLES:
        monkeypatch.delenv(name, raising=False)


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
    assert [row["points"] for row in rows] == ["0.0", "100.0", "96.4"]
    assert rows[2]["extra"] == "%xED %xA0-BF UTF8-tail"
    assert rows[2]["shortest"] == "ED A0 80"
    assert not any(value[:1] in {"=", "+", "-", "@"} for row in rows for value in row.values())


def test_json_and_text_say_the_same(folder, capsys):
    assert main(["grade", str(folder), "--format", "json"]) == 1
    grades = json.loads(capsys.readouterr().out)["grades"]
    assert [each["verdict"] for each in grades] == ["unreadable", "equal", "different"]
    assert grades[2]["credits"][2]["extra"] == ["%xED %xA0-BF UTF8-tail"]
    assert main(["grade", str(folder)]) == 1
    text = capsys.readouterr().out
    assert "accepts ED A0 80; the reference does not" in text
    assert "1 of 3 equal to the reference" in text


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", ["accepts ED A0 80; the reference does not", "3 bytes   85.7 %   extra %xED", "1 of 3 equal"]),
        ("de", ["akzeptiert ED A0 80, die Referenz nicht", "3 Bytes   85.7 %   zu viel %xED", "1 von 3"]),
        ("ja", ["ED A0 80を受理しますが、", "3バイト   85.7 %   余分 %xED", "3個のうち1個が"]),
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


def test_all_right_is_status_0(folder):
    assert main(["grade", str(folder / "anna.abnf")]) == 0


@pytest.mark.parametrize("arguments", [["no-such-file"], ["grammar-that-is-not-there", "--grammar", "nothing"]])
def test_a_missing_file_is_a_usage_error(arguments, capsys):
    assert main(["grade", *arguments]) == 2
    assert "no-such-file" in (err := capsys.readouterr().err) or "nothing" in err


def test_the_grammars_in_subfolders_are_graded(folder, capsys):
    for student in ("Zoe_12_file", "Ana_34_file"):
        (folder / student / "late").mkdir(parents=True)
        (folder / student / "late" / "utf8.abnf").write_text(UTF8.text)
    main(["grade", str(folder), "--format", "json"])
    files = [each["file"] for each in json.loads(capsys.readouterr().out)["grades"]]
    nested = [str(folder / student / "late" / "utf8.abnf") for student in ("Ana_34_file", "Zoe_12_file")]
    assert files == sorted([*(str(folder / name) for name in ("=cmd.txt", "anna.abnf", "bert.abnf")), *nested])


def test_a_folder_without_grammars_is_a_usage_error(tmp_path, capsys):
    assert main(["grade", str(tmp_path)]) == 2
    assert "no *.abnf" in capsys.readouterr().err


def test_the_points_in_the_documentation_are_those_given(root):
    text = (root / "docs" / "play.md").read_text("utf-8")
    table = [line.split("|")[2].strip() for line in text.splitlines() if line.startswith("| ")][1:]
    names = ("two", "overlong", "surrogates", "last")
    found = [grade(UTF8.text.replace(*BROKEN[name]), UTF8).points for name in names]
    found += [grade(NAIVE, UTF8).points, grade(UTF8.text.replace(*BROKEN["one"]), UTF8).points]
    assert [float(points) for points in table] == found
