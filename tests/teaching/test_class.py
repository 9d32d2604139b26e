"""A class is graded as a fair teacher would: every kind of file gets its row, and none stops the others."""

import csv
import html
import os
import re
import subprocess
import sys

import pytest

from utf8_abnf.cli import main
from utf8_abnf.cli.teaching.grade import child
from utf8_abnf.cli.teaching.grade.child import Task, graded_alone
from utf8_abnf.cli.teaching.grade.submissions import submissions
from utf8_abnf.errors import UsageError
from utf8_abnf.grammar import Grammar
from utf8_abnf.grammar.model import MAX_BYTES
from utf8_abnf.teaching.grading.grading import BY_MISTAKES, NOTHING_ELSE, grade
from utf8_abnf.teaching.grading.rubric import read_rubric
from utf8_abnf.teaching.play.data import NAIVE

UTF8 = Grammar.load("utf8")
TEXT = UTF8.text
CHARS = TEXT.partition("\n")[2]
SURROGATES = TEXT.replace("%xED %x80-9F", "%xED %x80-BF")
CODE_POINTS = "text = *char\nchar = %x00-D7FF / %xE000-10FFFF\n"
REGEX = r"^([\x00-\x7F]|[\xC2-\xDF][\x80-\xBF]|\xE0[\xA0-\xBF][\x80-\xBF])*$"
RIGHT_LINEAR = """\
text = "" / %x00-7F text / %xC2-DF a / %xE0 %xA0-BF a / %xE1-EC b / %xED %x80-9F a / %xEE-EF b
text =/ %xF0 %x90-BF b / %xF1-F3 c / %xF4 %x80-8F b
a = %x80-BF text
b = %x80-BF a
c = %x80-BF b
"""
SHAPES = """\
text = *( one / t2 / t3 / t4 )
one  = %d0-127
t2   = %b11000010-11011111 tail
t3   = ( %xE0 %xA0-BF / %xE1-EC tail / %xED %x80-9F / ( %xEE / %xEF ) tail ) 1*1tail
t4   = ( %xF0 %x90-BF / ( %xF1 / %xF2 / %xF3 ) tail / %xF4 %x80-8F ) 2*2( [ "" ] tail )
tail = %x80-8F / %x90-9F / %xA0-AF / %xB0-BF
"""

ONE_BY_ONE = "c = UTF8-1\nc =/ UTF8-2\nc =/ UTF8-3\nc =/ UTF8-4\ntext = *c\n" + CHARS.partition("\n")[2]
ONLINE = "<p>" + html.escape(TEXT).replace("  ", " &nbsp;").replace("\n", "</p><p>") + "</p>"

# What a student hands in: the bytes, the points of a fair teacher, and words of which the feedback has each.
CLASS = {
    "the RFC's lines": (TEXT, 100, []),
    "right-linear": (RIGHT_LINEAR, 100, []),
    "twice itself": ("text = UTF8-char / text text\n" + CHARS, None, ["not shown to be regular", "a person"]),
    "other shapes": (SHAPES, 100, []),
    "alternatives one by one": (ONE_BY_ONE, 83.3, ["your rule text is right", "first rule is taken"]),
    "comments in Japanese": (f"; 日本語のコメント\n{TEXT}; größe\n", 100, []),
    "lines end in CR": (TEXT.replace("\n", "\r"), 100, []),
    "indented as in the RFC": (TEXT.replace("\n", "\n   ").join(["   ", "\n"]), 100, []),
    "UTF-16 as an old PowerShell writes": (TEXT.replace("\n", "\r\n").encode("utf-16"), 100, ["UTF-16"]),
    "surrogates": (SURROGATES, 83.3, ["UTF8-SURROGATE"]),
    "C0 and C1": (TEXT.replace("%xC2", "%xC0"), 83.3, ["UTF8-OVERLONG", "C0..C1"]),
    "one character": (CHARS, 83.3, ["one character"]),
    "the helper first, and surrogates": (
        "UTF8-tail = %x80-BF\n" + SURROGATES.replace("UTF8-octets", "text").replace("UTF8-tail   = %x80-BF\n", ""),
        66.7,
        ["graded from the rule text", "UTF8-SURROGATE"],
    ),
    "a mark first": (TEXT.replace("*(", "%xEF.BB.BF *(", 1), 83.3, ["makes texts", "rejects the empty input"]),
    "an even number of characters": (TEXT.replace("*( UTF8", "*( 2UTF8"), 83.3, ["first rule: rejects 00"]),
    "at most a hundred": (TEXT.replace("*(", "*100(", 1), 83.3, ["(101 bytes)"]),
    "pairs, and surrogates": (SURROGATES.replace("*( UTF8-char )", "*( 2UTF8-char )"), 66.7, ["UTF8-SURROGATE"]),
    "any byte beside the characters": (TEXT.replace("( UTF8-char )", "( UTF8-char / %x80-FF )"), 0, []),
    "hyphens of a word processor": (TEXT.replace("-", "–").replace(" = ", "\u00a0= "), 83.3, ["slips", "U+2013"]),
    "slips": (TEXT.replace("=", "::=").replace("/", "|").replace("%xC2-DF", "0xC2..0xDF"), 83.3, ["slips of syntax"]),
    "a Japanese keyboard": (TEXT.replace("=", "＝").replace("/", "／"), 83.3, ["write = of ASCII"]),
    "slips, and surrogates": (SURROGATES.replace("/", "|").replace("-tail", "_tail"), 66.7, ["UTF8-SURROGATE"]),
    "typed into Moodle": (ONLINE, 100, ["taken out of HTML"]),
    "in Markdown": (f"# Here it is:\n\n```abnf\n{TEXT}```\n\nDone: all.\n", 100, ["taken out"]),
    "on a page of the RFC": (
        f"Yergeau     Standards Track    [Page 4]\n\f\nRFC 3629    UTF-8\n\n{TEXT}",
        100,
        ["taken out"],
    ),
    "no four bytes": (TEXT.replace(" / UTF8-4", ""), 50, ["rejects F0 90 80 80"]),
    "the starter": (NAIVE, 0, ["leave no points"]),
    "a text that never ends": ("text = UTF8-char text\n" + CHARS, 83.3, ["the rule text never ends"]),
    "a part that never ends": ("text = *UTF8-char end\nend = LF end\n" + CHARS, 83.3, ["the rule end never ends"]),
    "a group that is right": ('text = "x" ( *UTF8-char )\n' + CHARS, 83.3, ["rejects the empty input"]),
    "a line end after a group": (
        "text = *( UTF8-1 / UTF8-2 / UTF8-3 / UTF8-4 ) LF\n" + CHARS.partition("\n")[2],
        83.3,
        ["( UTF8-1 / UTF8-2 / UTF8-3 / UTF8-4 ) describes a character"],
    ),
    "prose": ("text = <UTF-8, as in RFC 3629>\n", 0, ["prose"]),
    "brackets": ('u = "(" u ")" / ""\n', None, ["not shown to be regular", "a person"]),
    "long prose": (f"text = <{'a' * 100_000}>\n", 0, ["aaa … aaa", "prose"]),
    "EBNF": ("text = { char } ;\nchar = 'a' | 'b' ;\n", 0, ["repetition"]),
    "a regular expression": (REGEX, 0, ["expected a rule name"]),
    "a regular expression under a name": ("utf8 = [\\x00-\\x7F]*\n", 0, ["for the character"]),
    "code points": (CODE_POINTS, 0, ["does not fit in a byte"]),
    "one class of a regular expression": ("[\\0-~]*\n", 0, ["expected a rule name"]),
    "a program in C": ("int valid(const char *text) {\n  return 1;\n}\n", 0, ["expected = or =/"]),
    "a page of the forum": ("<p>text = *char<br></p>\n", 0, ["taken out of HTML"]),
    "PDF": (b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n", 0, ["PDF"]),
    "a Word document": (b"PK\x03\x04\x14\x00\x06\x00 word/document.xml", 0, ["save the grammar as plain text"]),
    "junk": (bytes(range(256)) * 8, 0, ["binary"]),
    "an empty file": (b"", 0, ["empty"]),
    "too long": (b"; " + b"x" * MAX_BYTES, 0, ["8,388,608"]),
    "a large count": ("text = 999999999OCTET\n", None, ["states"]),
    "exponential": ("text = *OCTET %x41 20OCTET\n", None, ["states"]),
}


def moodle(number):
    return f"Student {number:02}_{1000 + number}_assignsubmission_file"


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    """What ``grade --out`` writes for the whole class, as Moodle unpacks it."""
    handed_in, out = tmp_path_factory.mktemp("class"), tmp_path_factory.mktemp("out")
    for number, (content, _, _) in enumerate(CLASS.values()):
        folder = handed_in / moodle(number)
        folder.mkdir()
        (folder / "utf8.abnf").write_bytes(content if isinstance(content, bytes) else content.encode())
    (handed_in / moodle(990)).mkdir()
    (handed_in / moodle(991)).mkdir()
    (handed_in / moodle(991) / "utf8.abnf").symlink_to(handed_in / moodle(0) / "utf8.abnf")
    (handed_in / moodle(992) / "late").mkdir(parents=True)
    (handed_in / moodle(992) / "late" / "solution.docx").write_bytes(b"PK\x03\x04\x14\x00")
    (handed_in / moodle(993)).symlink_to(handed_in)
    (handed_in / moodle(994)).mkdir()
    os.mkfifo(handed_in / moodle(994) / "pipe.abnf")
    arguments = ["grade", str(handed_in), "--timeout", "60", "--language", "en", "--out", str(out)]
    assert main(arguments) == 1
    return out


def rows(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.mark.thorough
def test_every_student_has_the_points_of_a_fair_teacher(graded):
    points = {row["Full name"]: float(row["Grade"]) if row["Grade"] else None for row in rows(graded / "lms.csv")}
    expected = {f"Student {number:02}": points for number, (_, points, _) in enumerate(CLASS.values())}
    assert len(CLASS) >= 40
    assert points == expected | {f"Student {number}": 0 for number in range(990, 995)}
    assert rows(graded / "lms.csv")[3]["Identifier"] == "Participant 1003"
    assert rows(graded / "lms.csv")[3]["Last modified (grade)"] == ""  # without this column Moodle reads no worksheet


@pytest.mark.thorough
def test_every_student_is_told_why(graded):
    for number, (name, (_, _, words)) in enumerate(CLASS.items()):
        told = (graded / "feedback" / f"{moodle(number)}_feedback.txt").read_text("utf-8")
        assert str(graded.parent) not in told
        assert (name, [word for word in words if word not in told]) == (name, [])
    whys = {990: "no file", 991: "symbolic link", 992: "zip", 993: "symbolic link", 994: "neither a file"}
    for number, why in whys.items():
        assert why in (graded / "feedback" / f"{moodle(number)}_feedback.txt").read_text("utf-8")


@pytest.mark.thorough
def test_the_tables_have_a_row_for_every_student(graded):
    table = rows(graded / "grades.csv")
    assert len(table) == len(CLASS) + 5
    assert {row["verdict"] for row in table} == {"equal", "different", "unreadable", "undecided"}
    assert "UTF8-SURROGATE A0..BF" in {row["mistakes"] for row in table}
    long = next(row for row in table if "101 bytes" in row["explanation"])
    assert long["mistakes"] == "one-character"
    overview = (graded / "class.md").read_text("utf-8")
    assert re.search(r"^\| UTF8-SURROGATE A0\.\.BF \| [3-9] \|$", overview, re.M)


def test_a_student_is_named_by_the_folder_or_by_the_file(tmp_path):
    names = ["Ana Lopez_12_assignsubmission_file_/a.abnf", "task-octocat/src/utf8.abnf", "Zoe.abnf"]
    names += ["Bo Li_7_assignsubmission_file_utf8.abnf"]
    for name in names:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(TEXT)
    (tmp_path / "task-octocat" / ".git").mkdir()
    (tmp_path / "task-octocat" / ".git" / "HEAD.txt").write_text("hidden")
    (tmp_path / "__MACOSX").mkdir()
    (tmp_path / "._Zoe.abnf").write_text("of macOS")
    found = {each.student: each.participant for each in submissions([str(tmp_path)])}
    assert found == {"Ana Lopez": "Participant 12", "task-octocat": "", "Zoe": "", "Bo Li": "Participant 7"}
    named = [str(tmp_path / name) for name in names[:2]]
    assert [each.student for each in submissions(named)] == ["Ana Lopez", "src"]


def test_folders_within_folders_without_end_stop_nobody(tmp_path, monkeypatch):
    (tmp_path / "ada.abnf").write_text(TEXT)
    (tmp_path / "bob").mkdir()
    monkeypatch.chdir(tmp_path / "bob")
    for _ in range(1500):
        os.mkdir("d")
        os.chdir("d")
    monkeypatch.chdir(tmp_path)
    assert [each.student for each in submissions([str(tmp_path)])] == ["ada", "bob"]
    subprocess.run(["rm", "-r", "bob"], check=True)  # pytest's own way ends in a RecursionError


def test_two_students_of_one_name_have_a_file_each(tmp_path, capsys):
    for number in 1, 2:
        (tmp_path / "in" / f"Jo_{number}_assignsubmission_file_").mkdir(parents=True)
        (tmp_path / "in" / f"Jo_{number}_assignsubmission_file_" / "a.abnf").write_text(TEXT)
    assert main(["grade", str(tmp_path / "in"), "--out", str(tmp_path / "out")]) == 0
    assert len(list((tmp_path / "out" / "feedback").iterdir())) == 2
    assert capsys.readouterr().out


def test_the_best_of_several_files_counts(tmp_path):
    for name, text in ("first.abnf", NAIVE), ("second.abnf", TEXT):
        (tmp_path / "in" / "ada").mkdir(parents=True, exist_ok=True)
        (tmp_path / "in" / "ada" / name).write_text(text)
    main(["grade", str(tmp_path / "in"), "--out", str(tmp_path / "out")])
    assert [row["Grade"] for row in rows(tmp_path / "out" / "lms.csv")] == ["100.0"]
    assert len(rows(tmp_path / "out" / "grades.csv")) == 2


def test_any_file_name_is_graded_and_students_see_no_path(tmp_path):
    names = [os.fsdecode(b"bad\xff"), "a\nb", "=1+1", "<b>*x*|y"]
    (tmp_path / "in").mkdir()
    for name in names:
        (tmp_path / "in" / f"{name}.abnf").write_text("text = *char2")
    assert main(["grade", str(tmp_path / "in"), "--out", str(tmp_path / "out")]) == 1
    assert {row["Identifier"] for row in rows(tmp_path / "out" / "lms.csv")} == {"bad\\xff", "a\\nb", "'=1+1", names[3]}
    assert "unknown rule char2" in (told := (tmp_path / "out" / "lms.csv").read_text("utf-8"))
    assert str(tmp_path) not in told


def test_feedback_is_not_written_where_it_would_be_graded(tmp_path, capsys):
    (tmp_path / "ada.abnf").write_text(TEXT)
    assert main(["grade", str(tmp_path), "--out", str(tmp_path / "out")]) == 2
    assert "another folder" in capsys.readouterr().err


def test_a_hint_names_kind_and_offset_but_no_bytes(tmp_path, capsys):
    (tmp_path / "ada.abnf").write_text(SURROGATES)
    main(["grade", str(tmp_path / "ada.abnf"), "--feedback", "hint", "--language", "en"])
    told = capsys.readouterr().out
    assert "accepts an input of 3 bytes that the reference rejects (UTF8-SURROGATE, at offset 1)" in told
    assert not [word for word in ("ED", "A0", "BF") if word in told.split("ada.abnf")[1]]


@pytest.mark.thorough
def test_what_lasts_too_long_or_needs_too_much_is_stopped(tmp_path, monkeypatch):
    (tmp_path / "ada.abnf").write_text(TEXT)
    [handed_in] = submissions([str(tmp_path)])
    task = Task(UTF8, BY_MISTAKES, NOTHING_ELSE, "en")
    assert "longer than 0.0001 seconds" in graded_alone(handed_in, task, 0.0001).problem
    if sys.platform == "linux":
        monkeypatch.setattr(child, "MAX_MEMORY", 1 << 20)
        monkeypatch.setattr(child, "read_bytes", lambda _: bytearray(1 << 28))
        assert "1 MB of memory" in graded_alone(handed_in, task, 60).problem
        monkeypatch.setattr(child, "read_bytes", lambda _: os._exit(1))
        assert "broke the process" in graded_alone(handed_in, task, 60).problem


RUBRIC = """\
points = 50
each = 5
starter = "utf8-naive.abnf"
[[mistake]]
name = "overlong forms"
kind = "UTF8-OVERLONG"
points = 15
[[mistake]]
name = "surrogates"
kind = "UTF8-SURROGATE"
points = 20
hint = "What are D800 to DFFF for?"
[[mistake]]
name = "beyond 10FFFF"
begins = "F4"
accepts = true
points = 10
"""


@pytest.fixture
def rubric(tmp_path):
    (tmp_path / "utf8-naive.abnf").write_text(NAIVE)
    (tmp_path / "rubric.toml").write_text(RUBRIC)
    return tmp_path / "rubric.toml"


@pytest.mark.thorough
def test_a_rubric_names_mistakes_and_their_points(rubric, tmp_path, capsys):
    handed_in = {"ada": SURROGATES, "bob": TEXT.replace("%xC2", "%xC0").replace("%xE0 %xA0", "%xE0 %x80"), "cy": TEXT,
                 "di": TEXT.replace("*(", "1*(", 1), "eve": NAIVE}  # fmt: skip
    (tmp_path / "in").mkdir()
    for name, text in handed_in.items():
        (tmp_path / "in" / f"{name}.abnf").write_text(text)
    assert main(["grade", str(tmp_path / "in"), "--rubric", str(rubric), "--language", "en"]) == 1
    told = capsys.readouterr().out
    points = {line.split("/")[-1]: float(line.split()[0]) for line in told.splitlines() if line.endswith(".abnf")}
    assert points == {"ada.abnf": 30, "bob.abnf": 35, "cy.abnf": 50, "di.abnf": 45, "eve.abnf": 0}
    assert "surrogates: 20 points off" in told
    assert "6 mistakes leave no points" in told
    assert "What are D800 to DFFF for?" in told


def test_a_rubric_that_gives_the_starter_points_is_refused(rubric, capsys):
    rubric.write_text(RUBRIC.replace("points = 20", "points = 2"))
    assert main(["grade", str(rubric.parent / "utf8-naive.abnf"), "--rubric", str(rubric)]) == 2
    assert "the starter has 18 points" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("points = ", "not TOML"),
        ("points = 0", "more than 0"),
        ("each = nan", "a number from 0"),
        ("point = 3", "not known"),
        ("mistake = 3", "not known"),
        ('[[mistake]]\nname = "a"', "name or points"),
        ('[[mistake]]\nname = "a"\npoints = "b"', "wrong or missing: points"),
        ('[[mistake]]\nname = "a"\npoints = 1\nkind = "b"', "the kinds are UTF8-OVERLONG"),
        ('[[mistake]]\nname = "a"\npoints = 1\nbegins = "xyz"', "hexadecimal"),
    ],
)
def test_a_rubric_with_a_mistake_is_refused(text, said):
    with pytest.raises(UsageError, match=said):
        read_rubric(text.encode(), "rubric.toml")


def test_structural_mistakes_have_names_in_a_rubric():
    text = "each = 20\n" + "".join(
        f'[[mistake]]\nname = "{kind}"\nkind = "{kind}"\npoints = {points}\n'
        for kind, points in (("one-character", 1), ("other-start", 2), ("empty-input", 3))
    )
    found, _ = read_rubric(text.encode(), "rubric.toml")
    texts = CHARS, CHARS + "u = *UTF8-char\n", TEXT.replace("*(", "1*(", 1)
    assert [grade(each, UTF8, rubric=found).points for each in texts] == [99, 98, 97]


@pytest.mark.parametrize(
    "text",
    ["t = *( 2( %x1F1E6-1F1FF ) SP )", 't = [ l l " " t ]\nl = %xF0.9F.87 %xA6-BF'],
    ids=["code points", "bytes"],
)
def test_a_reference_of_code_points_takes_code_points_and_bytes(text):
    reference = Grammar.parse("text = *( 2( %x1F1E6-1F1FF ) SP )")
    assert reference.values == "utf-8"
    assert grade(text, reference).points == 100
