"""What ``--help`` says is right: its examples run, its exit statuses are those of the code, its lines fit."""

import argparse
import json
import os
import re
import shlex
import shutil
import subprocess
import sys

import pytest

from utf8_abnf.cli import COMMANDS, main, parser
from utf8_abnf.conformance.harness.adapters import template

posix = pytest.mark.skipif(os.name != "posix", reason="the examples are for a POSIX shell")


def parsers(whole):
    """Yield the parser *whole* and those of its subcommands."""
    yield whole
    for action in whole._actions:
        if isinstance(action, argparse._SubParsersAction):
            for each in action.choices.values():
                yield from parsers(each)


ALL = {each.prog: each for each in parsers(parser())}


def examples(text):
    """Yield the command lines after the line ``examples:``."""
    lines = iter(text.splitlines())
    for line in lines:
        if line in {"example:", "examples:"}:
            yield from (line.strip().partition("  # ")[0].strip() for line in lines)


def statuses(text):
    """Return the numbers of the rows after the line ``exit status:``."""
    after = re.search(r"^exit status.*:\n((?:  .*\n)+)", text, re.MULTILINE)
    return {int(row) for row in re.findall(r"^  (\d+)  ", after[1], re.MULTILINE)} if after else set()


# Examples


COMPILE = "echo 'int accepts(void) { return 1; }' | cc -shared -fPIC -xc - -o decoder.so"
REDUCED = {  # what takes minutes: what is put in place of what
    # 34,228 processes. test_readme.py runs all of L0, which shows that glibc's iconv accepts numbers above 10FFFF.
    "exec:'iconv -f": ("L1", "L1 --family long-inputs"),
    "exec:'env LC_ALL": ("--level L0", "--level L0 --case 'named/surrogate*'"),
    "lib:./decoder.so": ("utf8-abnf test --level L3", f"{COMPILE} && utf8-abnf test --level L0"),
    "matrix 'python*'": ("python*' 'perl*'", "python-inc*' 'perl-utf8-d*' --level L0 --no-learn"),
    # All known decoders take half an hour.
    "matrix --results": ("matrix --results", "matrix python --level L0 --no-learn --results"),
}
FINDING = (  # the beginnings of the examples whose status is 1
    r"printf 'ab\355\240\200", "utf8-abnf repair --from koi8-r --dry-run",
    "utf8-abnf explain C0", "utf8-abnf explain --", "utf8-abnf test --level L3", "utf8-abnf smoke known",
    "utf8-abnf adapter c", "utf8-abnf learn known", "utf8-abnf decode --steps C0", "utf8-abnf grade sub",
    "utf8-abnf grammar diff", "utf8-abnf grammar lint mine",
)  # fmt: skip
EXAMPLES = list(dict.fromkeys(line for each in ALL.values() for line in examples(each.epilog or "")))
NEEDS = ("cc", "git", "perl", "iconv")


def program(path, text):
    path.write_text(text)
    path.chmod(0o755)


@pytest.fixture
def folder(tmp_path, root):
    """A folder with every file that an example names, and with ``bin`` for the programs."""
    here = tmp_path / "here"
    for name in ("src", "texts", "submissions"):
        (here / name).mkdir(parents=True)
    (here / "src" / "good.txt").write_text("größe\n", "utf-8")
    (here / "README.md").write_text("€\n", "utf-8")
    (here / "notes.txt").write_bytes(b"caf\xe9\n")
    (here / "texts" / "old.txt").write_text("Сегодня хорошая погода, и мы идём гулять.\n", "koi8-r")
    (here / "repaired.txt").write_text("café\n", "utf-8")
    change = {"file": "repaired.txt", "offset": 3, "old": "E9", "new": "C3 A9", "why": ""}
    change["original"] = {"size": 5, "crc32": "B8197CCF"}
    (here / "earlier.jsonl").write_text(json.dumps(change) + "\n")
    shutil.copy(root / "tests/references/rfc3629.txt", here)
    shutil.copy(root / "docs/data/matrix.json", here / "before.json")
    grammar = (root / "grammar/utf8.abnf").read_text("utf-8")
    (here / "mine.abnf").write_text(grammar.replace("%xC2-DF", "%xC0-DF") + "\nUnused = absent\n")
    (here / "submissions" / "one.abnf").write_text(grammar)
    (here / "rubric.toml").write_text('[[mistake]]\nname = "overlong"\nkind = "UTF8-OVERLONG"\npoints = 25\n')
    (here / "draft.md").write_text("~~~ abnf\nmessage = %x21\n~~~\n\n~~~ abnf-example\n!\n~~~\n")
    (here / "submissions" / "two.abnf").write_text(grammar.replace("%xC2-DF", "%xC0-DF"))
    decoder = template("python").replace(
        "return data.isascii()", "return not data.decode('utf-8', 'ignore').encode() != data"
    )
    assert decoder != template("python")
    for name in ("adapter", "my-decoder"):
        program(here / name, f"#!{sys.executable}\n{decoder}")
    if shutil.which("git"):
        subprocess.run(["git", "init", "-q", here], check=True)
    (tmp_path / "bin").mkdir()
    program(tmp_path / "bin" / "utf8-abnf", f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m utf8_abnf "$@"\n')
    return here


@posix
@pytest.mark.sampled(6, 2)
@pytest.mark.parametrize("line", EXAMPLES)
def test_the_example_runs(line, folder):
    status = int(line.startswith(FINDING))
    old, new = next((row for words, row in REDUCED.items() if words in line), ("", ""))
    if missing := [name for name in NEEDS if name in line + new and not shutil.which(name)]:
        pytest.skip(f"needs {missing[0]}")
    assert old in line
    path = f"{folder.parent / 'bin'}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "BROWSER": "true", "TMPDIR": str(folder.parent)}
    command = ["bash", "-c", line.replace(old, new) if old else line]
    streams = {"stdin": subprocess.DEVNULL, "capture_output": True, "encoding": "utf-8"}
    done = subprocess.run(command, cwd=folder, env=environment, timeout=300, **streams)
    assert done.returncode == status, (done.stdout[-2000:], done.stderr)
    if name := re.findall(r"utf8-abnf (\w+)", line.split("|")[-1]):  # the last command's status is the line's
        assert status in statuses(ALL[f"utf8-abnf {name[-1]}"].epilog)


# Exit statuses

ABSENT = """
[[decoder]]
name = "absent"
about = "a program that is not there"
how = "exec"
program = "no-such-program"
command = ["{program}"]
version = ["{program}", "--version"]
install = "apt:no-such-package"
"""
NO_GRAMMAR = "--grammar no-such-grammar"
NO_PROGRAM = "exec:./no-such-program"
PY = "py:utf8_abnf"
HAS_STATUS = {
    "check": {0: "good", 1: "bad", 2: "nowhere"},
    "repair": {0: "good", 1: "--dry-run bad", 2: "nowhere"},
    "explain": {0: "41", 1: "C0 80", 2: "--file nowhere"},
    "parse": {0: "--hex 41", 1: "--hex FF", 2: "nowhere"},
    "test": {0: f"--level L0 -q {PY}:is_valid", 1: "--level L0 py:builtins:bytes.isascii", 2: "", 3: NO_PROGRAM},
    "smoke": {0: f"{PY}:is_valid", 1: "py:builtins:bytes.isascii", 2: f"{PY}:is_valid XY", 3: NO_PROGRAM},
    "adapter": {0: "c", 2: "klingon"},
    "suite": {0: "list --level L0", 2: "show"},
    "learn": {0: f"{PY}:is_valid", 1: "py:builtins:bytes.isascii", 2: f"{PY}:is_valid {NO_GRAMMAR}", 3: NO_PROGRAM},
    "matrix": {0: "--level L0 --no-learn python", 2: "no-such-decoder", 3: "--rows absent.toml absent"},
    "encode": {0: "U+20AC", 1: "U+D800", 2: "--file nowhere"},
    "decode": {0: "41", 1: "FF", 2: "4"},
    "prove": {0: "--quick", 1: "--quick", 2: "--quick"},
    "play": {0: "-o play.html", 2: "-o nowhere/play.html"},
    "grade": {0: "utf8.abnf", 1: "ascii.abnf", 2: "nowhere"},
    "grammar": {0: "diff utf8.abnf", 1: "diff ascii.abnf", 2: "diff nowhere"},
    "lsp": {0: "", 2: "--no-such-option"},
}
# tests/conformance/proving has those of `prove`; `learn` and `matrix` take seconds, and examples above run them.
ELSEWHERE = {("lsp", 0), ("matrix", 0), ("prove", 0), ("prove", 1), ("prove", 2), ("learn", 0), ("learn", 1)}


def test_the_statuses_are_those_that_help_states():
    assert {name: set(rows) for name, rows in HAS_STATUS.items()} == {
        name: statuses(ALL[f"utf8-abnf {name}"].epilog) for name in COMMANDS
    }


@pytest.mark.parametrize(
    ("name", "status"),
    [(name, status) for name, rows in HAS_STATUS.items() for status in rows if (name, status) not in ELSEWHERE],
)
def test_the_code_returns_the_status(name, status, tmp_path, monkeypatch, root):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "good").write_bytes(b"a")
    (tmp_path / "bad").write_bytes(b"\xff")
    (tmp_path / "absent.toml").write_text(ABSENT)
    (tmp_path / "ascii.abnf").write_text("s = *%x00-7F\n")
    shutil.copy(root / "grammar/utf8.abnf", tmp_path)
    assert main([name, *shlex.split(HAS_STATUS[name][status])]) == status


# Options

MAX_OPTIONS = 152  # in all; may only fall


def test_the_options_of_all_commands_are_few():
    options = {
        prog: [action.option_strings[-1] for action in each._actions if action.option_strings][1:]  # without --help
        for prog, each in ALL.items()
    }
    assert sum(map(len, options.values())) <= MAX_OPTIONS, options


# Layout


@pytest.mark.parametrize("columns", [80, 100])
def test_paragraphs_are_wrapped_at_the_width_of_the_terminal_and_rows_are_not(columns, monkeypatch):
    monkeypatch.setenv("COLUMNS", str(columns))
    for each in ALL.values():
        rows = {line for line in (each.epilog or "").splitlines() if line.startswith("  ")}
        lines = each.format_help().splitlines()
        assert [line for line in lines if len(line) > columns and line not in rows] == [], each.prog
        assert rows <= {*lines}
        assert "None" not in lines


@pytest.mark.parametrize("command", COMMANDS)
def test_the_help_of_a_command_fits_on_a_screen(command, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    assert len(ALL[f"utf8-abnf {command}"].format_help().splitlines()) <= 60
