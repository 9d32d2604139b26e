"""Rows files: what they describe, what is said about mistakes in them, and how those of packages are found."""

import logging
import re
import shutil
import subprocess
import sys
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

import utf8_abnf.conformance.decoders
from utf8_abnf import cli
from utf8_abnf.conformance.harness import known
from utf8_abnf.conformance.harness.driving.worker import Limits
from utf8_abnf.conformance.harness.known import decoders, find
from utf8_abnf.errors import TargetError, UsageError

ROW = '[[decoder]]\nname = "mine"\nabout = "my decoder"\nprogram = "cat"\ncommand = ["{program}"]\n'


@pytest.fixture
def write(tmp_path, monkeypatch):
    """Return a function that writes a rows file and returns its decoders; messages call it rows.toml."""
    monkeypatch.chdir(tmp_path)

    def written(text):
        Path("rows.toml").write_text(text, encoding="utf-8")
        return decoders(["rows.toml"])[len(decoders()) :]

    return written


@pytest.fixture
def page(root):
    return (root / "docs" / "reference" / "decoder-rows.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[[decoder]]\nname = \n", "rows.toml:2: not TOML: Invalid value"),
        ("\n[decoders]\n", "rows.toml:2: a rows file has [defaults] and [[decoder]], not 'decod"),
        ("[decoder]\n", "rows.toml:1: write [[decoder]], with two brackets, before each row"),
        (ROW + 'comand = ["a"]\n', "rows.toml:6: there is no key 'comand'; did you mean 'command'?"),
        (ROW + "q = 1\n", "rows.toml:6: there is no key 'q'; the keys are name, about"),
        (ROW + "\n\nprobe = 3\n", "rows.toml:8: probe is a list of words, or a text for sh, not 3"),
        (ROW + "start = true\n", "rows.toml:6: start is a number of seconds above 0, not True"),
        (ROW + "start = 0\n", "rows.toml:6: start is a number of seconds above 0, not 0"),
        (ROW + "environment = { A = 1 }\n", "rows.toml:6: environment is a table of texts, not"),
        ('\n[[decoder]]\nabout = "a"\n', "rows.toml:2: this decoder has no name"),
        ('[[decoder]]\nname = "mine"\n', "rows.toml:1: the decoder 'mine' has no about"),
        (ROW.replace('program = "cat"\n', ""), "rows.toml:1: the decoder 'mine' has no program"),
        (ROW.partition("command")[0], "rows.toml:1: the decoder 'mine' has neither command nor source"),
        (ROW.replace("mine", "my own"), "rows.toml:2: a name has letters, digits and . _ + -"),
        (ROW + ROW, "rows.toml:7: there is a decoder 'mine' already, at rows.toml:1"),
        (ROW + 'source = "a.c"\n', "rows.toml:6: there is no file a.c beside the rows file"),
        (ROW + 'how = "pipe"\n', 'rows.toml:6: how is "stream" or "exec", not \'pipe\''),
        (ROW + 'how = "exec"\nstatuses = { 0 = "yes" }\n', "rows.toml:7: statuses maps an exit "),
        (ROW + 'library = { name = "a" }\n', "rows.toml:6: library has module, header, "),
        (ROW + 'source = "rows.toml"\nlibrary = {}\n', "rows.toml:6: with library, source is a file of C or C++"),
        (ROW + 'probe = ["{argument}"]\n', "rows.toml:6: probe has {argument}, and decoder 'mine' "),
        (ROW + 'direct = "sh {file}"\n', "rows.toml:6: direct has {file}, and decoder 'mine' has no "),
        (ROW + 'package = "mine"\n', "rows.toml:6: package is pip:NAME==VERSION or npm:NAME@"),
        ('[defaults]\nhow = "pipe"\n' + ROW, 'rows.toml:2: how is "stream" or "exec"'),
        ('[defaults]\nname = "a"\n' + ROW, "rows.toml:2: name belongs to a row"),
    ],
)
def test_a_mistake_is_told_with_its_file_and_line(write, text, message):
    with pytest.raises(UsageError) as error:
        write(text)
    assert str(error.value).startswith(message)


def test_a_file_that_is_not_there_or_not_utf8_is_named(write, tmp_path):
    with pytest.raises(UsageError, match=r"^none\.toml: No such file"):
        decoders(["none.toml"])
    (tmp_path / "latin.toml").write_bytes(b"# \xe9\n")
    with pytest.raises(UsageError, match=r"^latin\.toml: byte 2 is not UTF-8"):
        decoders(["latin.toml"])


def test_defaults_hold_for_each_row_that_says_nothing_else(write):
    one, two = write('[defaults]\nclaim = "mine"\n' + ROW + ROW.replace("mine", "other") + 'claim = "UTF-8"\n')
    assert (one.claim, two.claim) == ("mine", "UTF-8")


def test_a_row_may_allow_itself_more_time_to_start(write):
    slow = 'program = "sh"\ncommand = ["{program}", "-c", "sleep 0.05; echo utf8-abnf 1 modes=v"]\n'
    slow = ROW.partition("program")[0] + slow
    limits = Limits(start=0.01)
    with pytest.raises(TargetError, match="said nothing"):
        write(slow)[0].target().start(limits)
    worker = write(slow + "start = 9\n")[0].target().start(limits)
    worker.close()
    assert worker.hello.modes == ("v",)


def test_a_library_is_compiled_and_looked_for_by_pkg_config(write, tmp_path):
    (tmp_path / "a.c").write_text("")
    (row,) = write('[[decoder]]\nname = "a"\nabout = "a"\nsource = "a.c"\nlibrary = { module = "glib-2.0" }\n')
    assert row.program == "cc"
    assert row.command == ("{binary}",)
    assert "$(pkg-config --cflags --libs glib-2.0)" in row.build[2]
    assert row.probe == ("pkg-config", "--exists", "glib-2.0")
    assert row.version == ("pkg-config", "--modversion", "glib-2.0")


def test_a_package_is_looked_for_where_it_is_installed(write):
    (row,) = write(ROW + 'install = "apt:nodejs"\npackage = "npm:@a/b@1.0.0"\n')
    assert row.install == "apt:nodejs npm:@a/b@1.0.0"
    assert row.probe[2].endswith("/npm/node_modules/@a/b/package.json")
    (row,) = write(ROW.replace('program = "cat"\n', "") + 'package = "pip:a==1.0"\n')
    assert row.program.endswith(("bin/python", "python.exe"))
    assert row.probe[2] == "from importlib.metadata import version; version('a')"


def test_a_direct_command_needs_no_file_of_ours(write, tmp_path):
    (tmp_path / "judge.sh").write_text("# $1\nread -r line\ntest \"$line\" = 'a b' && exit 10; exit 11\n")
    (row,) = write(ROW + 'direct_source = "judge.sh"\ndirect = "sh {file}"\n')
    (tmp_path / "judge.sh").unlink()
    for data, status in ((b"a b\n", 0), (b"a\n", 1)):
        assert subprocess.run(["sh", "-c", row.direct], input=data).returncode == status
    assert not list(tmp_path.glob("judge*"))


def test_every_direct_source_is_named_by_a_row():
    folder = Path(utf8_abnf.conformance.decoders.__file__).parent
    rows = "".join(path.read_text(encoding="utf-8") for path in folder.glob("*.toml"))
    named = set(re.findall(r'"sources/([^"]+)"', rows))
    parts = {"stream.h", "json_string.h", "xml_text.h", "emacs.el"}  # headers, and what editors.py reads
    there = {path.relative_to(folder / "sources").as_posix() for path in (folder / "sources").rglob("*.*")}
    sources = [
        (folder / "sources" / each).read_text(encoding="utf-8") for each in there if each.endswith((".py", ".js"))
    ]
    parts |= {f"{each}.py" for text in sources for each in re.findall(r"^from (pypi_\w+) import", text, re.M)}
    parts |= {each for text in sources for each in re.findall(r'require\("\./([\w.]+)"\)', text)}
    assert {each for each in there if "__pycache__" not in each} == named | parts


class Broken:
    """An entry point of a package; *loaded* is what it gives, or raises."""

    def __init__(self, loaded):
        self.name, self.value, self.dist, self._loaded = "broken", "broken:ROWS", None, loaded

    def load(self):
        if isinstance(self._loaded, Exception):
            raise self._loaded
        return self._loaded


@pytest.fixture
def install(monkeypatch):
    """Return a function that stands in for the installation of packages with these entry points."""

    def installed(*points):
        monkeypatch.setattr(known, "entry_points", lambda group: points)
        known._installed.cache_clear()
        return decoders()

    yield installed
    monkeypatch.undo()
    known._installed.cache_clear()


def test_a_package_offers_decoders_by_an_entry_point(install, tmp_path):
    (tmp_path / "rows.toml").write_text(ROW)
    assert install(Broken([tmp_path / "rows.toml"]))[-1].name == "mine"


def test_our_own_are_there_without_metadata_and_are_not_found_twice(install):
    alone = install()
    assert install(EntryPoint("utf8-abnf", known.OURS.value, known.GROUP)) == alone
    assert len(alone) >= 80


@pytest.mark.parametrize(
    ("loaded", "message"),
    [
        (ImportError("No module named 'gone'"), "ImportError: No module named 'gone'"),
        ("rows.toml", "must be a sequence of paths"),
        (3, "TypeError"),
        ([Path("/none/rows.toml")], "/none/rows.toml: No such file"),
    ],
    ids=["cannot be imported", "a text", "a number", "a file that is not there"],
)
def test_a_broken_package_is_named_and_the_other_decoders_stay(install, caplog, loaded, message):
    ours = install()
    with caplog.at_level(logging.WARNING):
        assert install(Broken(loaded)) == ours
    assert "the decoders of the package broken:ROWS (entry point broken) are left out" in caplog.text
    assert message in caplog.text


def test_a_package_that_takes_a_name_of_ours_is_left_out_whole(install, caplog, tmp_path):
    ours = install()
    (tmp_path / "rows.toml").write_text(ROW + ROW.replace("mine", "python"))
    assert install(Broken([tmp_path / "rows.toml"])) == ours
    assert "there is a decoder 'python' already, at " in caplog.text


def test_a_warning_is_one_line_on_standard_error(tmp_path):
    folder = tmp_path / "broken-1.0.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text("Name: broken\nVersion: 1.0\n")
    (folder / "entry_points.txt").write_text("[utf8_abnf.decoders]\nmine = gone:ROWS\n")
    code = "from utf8_abnf.conformance.harness.known import find; print(find('perl-utf8-decode').name)"
    code = f"import sys; sys.path.append({str(tmp_path)!r}); {code}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "perl-utf8-decode\n")
    reason = "ModuleNotFoundError: No module named 'gone'"
    expected = f"utf8-abnf: warning: the decoders of the package broken (entry point mine) are left out: {reason}\n"
    assert done.stderr == expected


@pytest.mark.slow
def test_the_example_of_the_page_works_as_it_stands(page, tmp_path, monkeypatch, capsys):
    if not shutil.which("cc") or not shutil.which("iconv"):
        pytest.skip("needs cc and iconv: apt-get install gcc libc-bin")
    (tmp_path / "mine.toml").write_text(re.search(r"```toml\n(# mine.*?)```", page, re.S)[1], encoding="utf-8")
    (tmp_path / "ascii.c").write_text(re.search(r"```c\n(.*?)```", page, re.S)[1], encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    rows = ["--rows", "mine.toml"]
    assert cli.main(["test", *rows, "--list"]) == 0
    assert re.search(r"^mine-ascii +here +is_ascii of my library$", capsys.readouterr().out, re.M)
    assert cli.main(["test", *rows, "known:mine-check", "--family", "long-inputs"]) == 0
    assert ", level L1" in capsys.readouterr().out
    assert cli.main(["test", *rows, "known:mine-ascii", "--level", "L0", "--family", "named"]) == 1
    assert "utf8-abnf smoke --rows mine.toml known:mine-ascii" in capsys.readouterr().out
    assert cli.main(["smoke", *rows, "known:mine-ascii", "C3 A9"]) == 1
    assert cli.main(["learn", *rows, "known:mine-ascii"]) == 1
    capsys.readouterr()
    assert cli.main(["matrix", *rows, "mine-ascii", "--no-learn", "--level", "L0", "-o", "mine.json"]) == 0
    assert '"confirmed"' in Path("mine.json").read_text(encoding="utf-8")


def test_the_mistake_on_the_page_is_told_as_it_says(page, tmp_path, monkeypatch, capsys):
    example = re.search(r"```toml\n(# mine.*?)```", page, re.S)[1].replace("command", "comand", 1)
    (tmp_path / "mine.toml").write_text(example, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert cli.main(["test", "--rows", "mine.toml", "--list"]) == 2
    assert capsys.readouterr().err in page


def test_the_page_names_every_key(page):
    from utf8_abnf.conformance.harness.known.rows import KEYS

    assert set(re.findall(r"^\| `(\w+)` \|", page, re.M)) == set(KEYS)


def test_find_looks_in_rows_files(write):
    write(ROW)
    assert find("mine", ["rows.toml"]).option == "--rows rows.toml"
    with pytest.raises(UsageError, match="did you mean mine"):
        find("min", ["rows.toml"])
