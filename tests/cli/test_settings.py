"""What a project asks of ``check``: its settings and its byte order marks."""

import json
from functools import partial

import pytest

GOOD, BAD = "größe\n".encode(), b"caf\xe9 au lait\n"
MARK = b"\xef\xbb\xbf"


@pytest.fixture
def project(tmp_path, monkeypatch):
    for name, content in {"good.txt": GOOD, "bad.txt": BAD, "sub/bad.log": BAD, "sub/good.txt": GOOD}.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(content)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def check(call):
    return partial(call, "check")


def names(done):
    return done.out.split()


# Settings


def test_settings_are_defaults_and_the_command_line_comes_first(project, check, monkeypatch):
    before = "[project]\nname = 'x'\nformat = 3\n\n[tool.utf8-abnf]\n"
    (project / "pyproject.toml").write_text(f'{before}exclude = ["*.log"]\nformat = "jsonl"\nmax-errors = 1\n')
    assert names(check("-l", ".")) == ["./bad.txt"]
    assert names(check("-l", "--exclude", "bad.txt", ".")) == []
    assert json.loads(check("bad.txt").out.splitlines()[0])["type"] == "error"
    assert check("--format", "text", "bad.txt").out.startswith("bad.txt:1:4:")
    monkeypatch.chdir(project / "sub")  # the nearest folder above
    assert names(check("-l", ".")) == []


def test_settings_of_others_are_not_ours(project, check):
    (project / "pyproject.toml").write_text("[tool.other]\nexclude = 1\n# [tool.utf8-abnf]\n")
    assert names(check("-l", ".")) == ["./bad.txt", "./sub/bad.log"]


def test_the_exclusions_hold_for_repair(project, call):
    (project / "pyproject.toml").write_text('[tool.utf8-abnf]\nexclude = ["*.log"]\nbom = "forbid"\n')
    assert call("repair", "--in-place", "--from", "windows-1252", ".").status == 0
    assert (project / "sub/bad.log").read_bytes() == BAD
    assert (project / "bad.txt").read_bytes() != BAD


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("exclude = {a = 1}", "argument --exclude: it cannot be a table"),
        ("bom = 'always'", "argument --bom: invalid choice: 'always'"),
        ("text = 1", "argument -a/--text: ignored explicit argument '1'"),
        ("max-errors = true", "argument --max-errors: expected one argument"),
        ("max-errors = -1", "argument --max-errors: not a whole number from 0 up: '-1'"),
        ("profile = ''", "argument --profile: the value is empty"),
        ("profile = 'postgres'", "the profiles are"),
        ("colour = ['a']", "there is no setting 'colour'; the settings are"),
        ("text = ", "is not TOML: Invalid value (at line"),
        ("# caf\xe9", "pyproject.toml is not TOML: 'utf-8' codec can't decode byte 0xe9"),
    ],
)
def test_wrong_settings_are_named_with_their_file(text, said, project, check):
    (project / "pyproject.toml").write_text(f"[a]\ntext = 3\n[tool.utf8-abnf]\n{text}\n", "latin-1")
    done = check(".")
    assert (done.status, said in done.err) == (2, True), done.err
    assert "pyproject.toml" in done.err or "profile" in text


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("tool.utf8-abnf.bom = 'forbid'", 1),
        ("[tool]\nutf8-abnf = {bom = 'forbid'}", 1),
        ("[tool.'utf8-abnf']\nbom = 'forbid'", 1),
        ("\ufeff[tool.utf8-abnf]\nbom = 'forbid'", 1),
        ("[project]\nname = 'utf8-abnf'\n[tool.a]", 0),
        ('a = """\n[tool.utf8-abnf]\nbom = 1\n"""', 0),
        ("tool = 'utf8-abnf'", 0),
        ("'utf8-abnf' = ", 2),
        ("[tool]\nutf8-abnf = 3", 2),
        ("[[tool.utf8-abnf]]\nbom = 'forbid'", 2),
    ],
)
def test_the_table_counts_however_it_is_written(text, status, project, check):
    (project / "marked").write_bytes(MARK)
    (project / "pyproject.toml").write_text(text)
    assert check("marked").status == status


# Byte order marks


@pytest.mark.parametrize("rule", ["require", "forbid"])
@pytest.mark.parametrize("size", [3, 3 << 20])
def test_a_byte_order_mark_is_required_or_forbidden(rule, size, tmp_path, check):
    for name, head in (("marked", MARK), ("plain", b"abc")):
        (tmp_path / name).write_bytes(head + b"x" * (size - 3))
    wrong = str(tmp_path / ("plain" if rule == "require" else "marked"))
    right = str(tmp_path / ("marked" if rule == "require" else "plain"))
    assert check("--bom", rule, right).status == 0
    for options in ((), ("--format", "github"), ("--format", "sarif"), ("--format", "jsonl")):
        done = check("--bom", rule, *options, wrong, right)
        assert done.status == 1
        assert done.out.count(f"(--bom {rule})") == 1
        if options[-1:] == ("jsonl",):
            records = [each for each in map(json.loads, done.out.splitlines()) if each["type"] == "file"]
            assert [each["verdict"] for each in records] == ["wrong-mark", "well-formed"]
    assert names(check("--bom", rule, "-l", wrong, right)) == [wrong]
    assert check("--bom", rule, "-q", wrong).status == 1


def test_an_empty_file_needs_no_mark_and_an_ill_formed_one_is_both(tmp_path, check):
    empty, bad = tmp_path / "empty", tmp_path / "bad"
    empty.touch()
    bad.write_bytes(BAD)
    assert check("--bom", "require", str(empty)).status == 0
    done = check("--bom", "require", str(bad))
    assert "UTF8-MISSING-TAIL" in done.out
    assert "(--bom require)" in done.out
