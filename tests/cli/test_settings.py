"""What a project asks of ``check``: its settings, its known errors, its byte order marks."""

import json
import zipfile
from types import SimpleNamespace

import pytest

from utf8_abnf.cli import main

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
def check(capsys):
    def run(*arguments):
        status = main(["check", *arguments])
        out, err = capsys.readouterr()
        return SimpleNamespace(status=status, out=out, err=err)

    return run


def names(done):
    return done.out.split()


# Settings


@pytest.mark.parametrize(
    ("file", "before"),
    [("utf8-abnf.toml", ""), ("pyproject.toml", "[project]\nname = 'x'\nformat = 3\n\n[tool.utf8-abnf]\n")],
)
def test_settings_are_defaults_and_the_command_line_comes_first(file, before, project, check, monkeypatch):
    (project / file).write_text(f'{before}exclude = ["*.log"]\nformat = "jsonl"\nmax-errors = 1\n')
    assert names(check("-l", ".")) == ["./bad.txt"]
    assert names(check("-l", "--exclude", "bad.txt", ".")) == []
    assert json.loads(check("bad.txt").out.splitlines()[0])["type"] == "error"
    assert check("--format", "text", "bad.txt").out.startswith("bad.txt:1:4:")
    monkeypatch.chdir(project / "sub")  # the nearest folder above
    assert names(check("-l", ".")) == []


def test_settings_of_others_are_not_ours(project, check):
    (project / "pyproject.toml").write_text("[tool.other]\nexclude = 1\n# [tool.utf8-abnf]\nthis is not TOML\n")
    assert names(check("-l", ".")) == ["./bad.txt", "./sub/bad.log"]


def test_the_exclusions_hold_for_repair(project, capsys):
    (project / "utf8-abnf.toml").write_text('exclude = ["*.log"]\nbom = "forbid"\n')
    assert main(["repair", "--in-place", "--from", "windows-1252", "."]) == 0
    assert (project / "sub/bad.log").read_bytes() == BAD
    assert (project / "bad.txt").read_bytes() != BAD
    capsys.readouterr()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("exclude = {a = 1}", "argument --exclude: it cannot be a table"),
        ("bom = 'always'", "argument --bom: invalid choice: 'always'"),
        ("text = 1", "argument -a/--text: ignored explicit argument '1'"),
        ("max-errors = true", "argument --max-errors: expected one argument"),
        ("max-errors = -1", "argument --max-errors: not a whole number from 0 up: '-1'"),
        ("baseline = ''", "argument --baseline: the value is empty"),
        ("profile = 'postgres'", "the profiles are"),
        ("colour = ['a']", "there is no setting 'colour'; the settings are"),
        ("text = ", "is not TOML: Invalid value (at line"),
    ],
)
@pytest.mark.parametrize("shared", [False, True])
def test_wrong_settings_are_named_with_their_file(text, said, shared, project, check):
    file, before = ("pyproject.toml", "[a]\ntext = 3\n[tool.utf8-abnf]\n") if shared else ("utf8-abnf.toml", "")
    (project / file).write_text(f"{before}{text}\n")
    done = check(".")
    assert (done.status, said in done.err) == (2, True), done.err
    assert file in done.err or "profile" in text


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
        ("'utf8-abnf' = ", 0),
        ("[tool]\nutf8-abnf = 3", 2),
        ("[[tool.utf8-abnf]]\nbom = 'forbid'", 2),
    ],
)
def test_the_table_counts_however_it_is_written(text, status, project, check):
    (project / "marked").write_bytes(MARK)
    (project / "pyproject.toml").write_text(text)
    assert check("marked").status == status


def test_settings_that_are_not_utf_8_are_named(project, check):
    (project / "utf8-abnf.toml").write_bytes(b"text = true\n# caf\xe9\n")
    assert "utf8-abnf.toml is not TOML: 'utf-8' codec can't decode byte 0xe9" in check(".").err


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


@pytest.mark.parametrize("before", [b"a,b\n", b"\n" * (1 << 20), b"x" * ((1 << 20) - 1)], ids=len)
def test_a_forbidden_mark_is_found_wherever_it_stands(before, tmp_path, check):
    path = tmp_path / "joined"
    path.write_bytes(before + MARK + b"c,d\n")
    line = before.count(b"\n") + 1
    assert check(str(path)).status == 0
    done = check("--bom", "forbid", str(path))
    assert (done.status, done.out.count("EF BB BF"), "U+FEFF" in done.out) == (1, 1, False)
    assert f"in line {line:,} at offset {len(before):,} (--bom forbid)" in done.out
    assert f",line={line},col=1,title=UTF8-BOM::" in check("--bom", "forbid", "--format", "github", str(path)).out
    (result,) = json.loads(check("--bom", "forbid", "--format", "sarif", str(path)).out)["runs"][0]["results"]
    assert result["locations"][0]["physicalLocation"]["region"]["startLine"] == line


def test_an_empty_file_needs_no_mark_and_an_ill_formed_one_is_both(tmp_path, check):
    empty, bad = tmp_path / "empty", tmp_path / "bad"
    empty.touch()
    bad.write_bytes(BAD)
    assert check("--bom", "require", str(empty)).status == 0
    done = check("--bom", "require", str(bad))
    assert "UTF8-MISSING-TAIL" in done.out
    assert "(--bom require)" in done.out


# The baseline


def test_known_errors_are_not_reported_and_new_ones_are(project, check):
    done = check("--baseline", "known.json", "--update-baseline", ".")
    assert (done.status, done.out) == (0, "")
    assert check("--baseline", "known.json", ".").status == 0
    (project / "bad.txt").write_bytes(b"a new first line\n" + BAD + b"na\xefve\n")
    for options in ((), ("-q",), ("-l",), ("--format", "jsonl"), ("--max-errors", "1")):
        done = check("--baseline", "known.json", *options, ".")
        assert done.status == 1
        assert "sub/bad.log:" not in done.out
        assert not options or options != ("-l",) or names(done) == ["./bad.txt"]
    assert "bad.txt:3:3" in check("--baseline", "known.json", ".").out
    assert "2 known errors not reported" in check("--baseline", "known.json", ".").out


def test_no_input_with_known_errors_is_called_well_formed(project, check):
    (project / "bad.txt").write_bytes("schÃ¶n, dÃ©jÃ\xa0 vu, trÃ¨s\n".encode() + BAD)
    (project / "binary").write_bytes(b"\0")
    check("--baseline", "known.json", "--update-baseline", ".")
    assert names(check("-l", "--baseline", "known.json", ".")) == []
    for form in ("text", "github", "sarif"):
        assert "encoded twice" not in check("--baseline", "known.json", "--format", form, ".").out
    records = map(json.loads, check("--baseline", "known.json", "--format", "jsonl", ".").out.splitlines())
    verdicts = {each["path"]: each["verdict"] for each in records if each["type"] == "file"}
    assert (verdicts["./bad.txt"], verdicts["./good.txt"]) == ("known", "well-formed")
    assert "5 files: no new errors (1 binary file skipped, 2 known" in check("--baseline", "known.json", ".").err


def test_a_baseline_only_shrinks(project, check):
    check("--baseline", "known.json", "--update-baseline", ".")
    before = (project / "known.json").read_text()
    (project / "good.txt").write_bytes(BAD)
    assert check("--baseline", "known.json", "--update-baseline", ".").status == 1  # a new one is not taken in
    assert (project / "known.json").read_text() == before
    (project / "good.txt").write_bytes(GOOD)
    (project / "bad.txt").write_bytes(GOOD)
    done = check("--baseline", "known.json", ".")
    assert (done.status, "1 known error gone" in done.err) == (0, True)
    check("--baseline", "known.json", "--update-baseline", ".")
    assert json.loads((project / "known.json").read_text())["files"].keys() == {"sub/bad.log"}
    (project / "bad.txt").write_bytes(BAD)  # it is back
    assert check("--baseline", "known.json", ".").status == 1
    (project / "sub/bad.log").unlink()
    check("--baseline", "known.json", "--update-baseline", ".")
    assert json.loads((project / "known.json").read_text())["files"] == {}


@pytest.mark.parametrize(
    ("line", "with_a_third", "with_one"),
    [
        (b"caf\xe9 na\xefve\n", b"caf\xe9 na\xefve th\xe9\n", b"caf\xc3\xa9 na\xefve\n"),
        (b"caf\xe9 na\xefve\n", b"na\xefve caf\xe9 na\xefve\n", b"caf\xe9 na\xc3\xafve\n"),
        (b"d\xe9j\xe0\n", b"d\xe9j\xe0 v\xfa\n", b"d\xe9j\xc3\xa0\n"),
        (b"d\xe9j\xe0\n", b"v\xfa d\xe9j\xe0\n", b"d\xc3\xa9j\xe0\n"),
        (b"\xe9\xe8\n", b"\xe9\xe8 \xe8x\n", b"\xe9\xc3\xa8\n"),
        (b"\xe9\xe8\n", b"\xe9x \xe9\xe8\n", b"\xc3\xa9\xe8\n"),
    ],
)
def test_other_errors_in_its_line_do_not_make_an_error_unknown(line, with_a_third, with_one, project, check):
    def checked(content):
        (project / "bad.txt").write_bytes(content)
        return check("--baseline", "known.json", "--update-baseline", "bad.txt")

    assert checked(line).status == 0
    assert "1 ill-formed sequence in 1 of 1 file (2 known errors not reported)" in checked(with_a_third).out
    assert "(1 known error not reported, 1 known error taken out)" in checked(with_one).err
    assert "1 ill-formed sequence in" in checked(line).out  # the baseline has shrunk


def test_a_part_of_the_project_does_not_shrink_the_rest(project, check, monkeypatch):
    check("--baseline", "known.json", "--update-baseline", ".")
    before = (project / "known.json").read_text()
    monkeypatch.chdir(project / "sub")
    check("--baseline", "../known.json", "--update-baseline", "bad.log")
    assert (project / "known.json").read_text() == before
    (project / "utf8-abnf.toml").write_text('baseline = "known.json"\n')  # from the folder of the settings
    assert check(".").status == 0


@pytest.mark.parametrize(
    "content",
    ["", "[]", '{"version": 1, "files": {}}', '{"version": 2}', '{"version": 2, "files": 3}', "[" * 100_000,
     *(f'{{"version": 2, "files": {{"bad.txt": {{"a": {number}}}}}}}' for number in ("1e999", -1, 1.9, '"1"', "true"))],
    ids=range(11),
)  # fmt: skip
def test_what_is_not_a_baseline_is_refused(content, project, check):
    (project / "known.json").write_text(content)
    for update in ((), ("--update-baseline",)):
        done = check("--baseline", "known.json", *update, ".")
        assert (done.status, "known.json is not a baseline" in done.err) == (2, True)
    assert (project / "known.json").read_text() == content


def zipped(path, *members):
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in members:
            archive.writestr(name, data)


def test_a_baseline_keeps_what_is_in_archives_that_were_not_read(project, check):
    zipped(project / "a.zip", ("x.txt", BAD), ("y!z.txt", BAD))
    zipped(project / "b.zip", ("x.txt", BAD))
    options = ("-z", "--baseline", "known", "--update-baseline")
    assert check(*options, "a.zip", "b.zip", "bad.txt").status == 0
    before = (project / "known").read_bytes()
    assert check(*options, "bad.txt").status == check(*options[1:], "bad.txt").status == 0
    assert (project / "known").read_bytes() == before
    zipped(project / "a.zip", ("x.txt", BAD))
    assert check(*options, "a.zip").status == 0
    assert [*json.loads((project / "known").read_text())["files"]] == ["a.zip!x.txt", "b.zip!x.txt", "bad.txt"]
    (project / "b.zip").unlink()
    assert check(*options, "a.zip").status == 0
    assert [*json.loads((project / "known").read_text())["files"]] == ["a.zip!x.txt", "bad.txt"]


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_a_baseline_knows_members_of_one_name(project, check):
    for members in ((BAD, GOOD), (GOOD, BAD), (BAD, BAD)):
        zipped(project / "a.zip", *(("x.txt", data) for data in members))
        (project / "known").unlink(missing_ok=True)
        for _ in range(2):
            assert check("-z", "--baseline", "known", "--update-baseline", "a.zip").status == 0
        assert check("-z", "--baseline", "known", "a.zip").status == 0
    zipped(project / "a.zip", *[("x.txt", BAD)] * 3)
    assert check("-z", "--baseline", "known", "a.zip").status == 1


def test_a_baseline_that_cannot_be_written_is_named(project, check):
    done = check("--baseline", "nowhere/known.json", "--update-baseline", ".")
    assert (done.status, done.err) == (2, "utf8-abnf: nowhere/known.json: No such file or directory\n")


def test_a_baseline_that_is_missing_is_named(project, check):
    assert "there is no nowhere.json; --update-baseline writes it" in check("--baseline", "nowhere.json", ".").err
    assert check("--update-baseline", ".").status == 2
