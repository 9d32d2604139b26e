"""The action and the pre-commit hook that other projects use, run as those projects run them."""

import os
import re
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest


@pytest.fixture
def project(tmp_path):
    (tmp_path / "good name.txt").write_text("größe 日本\n", encoding="utf-8")
    (tmp_path / "bad.txt").write_bytes(b"one\nab\xed\xa0\x80c\n")
    return tmp_path


def last_script(action):
    """The text of the action's last ``run: |`` block."""
    return textwrap.dedent(action.rpartition("run: |\n")[2])


def run_action(root, project, paths):
    script = last_script((root / "action.yml").read_text())
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    command = ["bash", "-e", "-o", "pipefail", "-c", script]
    return subprocess.run(
        command, cwd=project, env=os.environ | {"PATHS": paths, "PATH": path}, capture_output=True, text=True
    )


def test_the_action_annotates_the_fault(root, project):
    done = run_action(root, project, ".\n")
    assert done.returncode == 1, done.stderr
    assert "::error file=bad.txt,line=2,col=3" in done.stdout


def test_the_action_takes_names_with_spaces_and_shell_characters(root, project):
    (project / "$(touch pwned);.txt").write_text("fine")
    done = run_action(root, project, "good name.txt\n$(touch pwned);.txt\n")
    assert (done.returncode, done.stdout) == (0, ""), done.stderr
    assert not (project / "pwned").exists()


@pytest.mark.parametrize(
    ("paths", "checked"),
    [("*.txt\n", 2), ("sub/**/*.txt\n  \n", 1), ("bad.txt\nsub\n", 2), ("star*.md\n", 1)],
    ids=str,
)
def test_the_action_takes_several_paths_and_patterns(paths, checked, root, project):
    for name in ("sub/below/bad.txt", "star*.md"):
        (project / name).parent.mkdir(parents=True, exist_ok=True)
        (project / name).write_bytes(b"\xff")
    (project / "star.md").write_bytes(b"\xff")  # the name that is there is taken before the pattern
    (project / "good name.txt").write_bytes(b"\xff")
    done = run_action(root, project, paths)
    assert done.returncode == 1, done.stderr
    assert len(set(re.findall("::error file=([^,]*),", done.stdout))) == checked, done.stdout


@pytest.mark.parametrize(
    ("paths", "message"), [("", "is empty"), (" \n\n", "is empty"), ("*.c", "no file is named *.c")]
)
def test_the_action_says_why_there_is_nothing_to_check(paths, message, root, project):
    done = run_action(root, project, paths)
    assert done.returncode == 2
    assert done.stdout.startswith("::error::utf8-abnf: ")
    assert message in done.stdout


@pytest.mark.slow
def test_the_pre_commit_hook_runs_from_a_clone(project):
    checkout = os.environ.get("UTF8_ABNF_CHECKOUT")
    if not checkout or not shutil.which("git"):
        pytest.skip("needs git and the checkout: run by tools/test.py")
    subprocess.run(["git", "init", "-q", project], check=True)
    subprocess.run(["git", "-C", project, "add", "."], check=True)
    command = [sys.executable, "-m", "pre_commit", "try-repo", checkout, "utf8-abnf", "--all-files"]
    home = {"PRE_COMMIT_HOME": str(project / ".git" / "pre-commit-home")}
    done = subprocess.run(command, cwd=project, env=os.environ | home, capture_output=True, text=True)
    assert done.returncode == 1, done.stdout + done.stderr
    assert "bad.txt:2:3: UTF8-SURROGATE" in done.stdout
