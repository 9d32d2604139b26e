"""The action and the pre-commit hook that other projects use, run as those projects run them."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml  # pre-commit needs it

from utf8_abnf.cli import main


@pytest.fixture
def project(tmp_path):
    (tmp_path / "good name.txt").write_text("größe 日本\n", encoding="utf-8")
    (tmp_path / "bad.txt").write_bytes(b"one\nab\xed\xa0\x80c\n")
    return tmp_path


def steps_of(root):
    """The scripts of the action's steps by their names, and the inputs' defaults; what they use comes from GitHub."""
    action = yaml.safe_load((root / "action.yml").read_text())
    defaults = {name: each["default"] for name, each in action["inputs"].items()}
    return {step["name"]: step for step in action["runs"]["steps"] if "run" in step}, defaults


def run_step(step, inputs, project, shell="bash --noprofile --norc -e -o pipefail", **variables):
    """Run *step* as GitHub's runner does: its own environment, with the inputs in it, and bash with these options."""
    given = {name: re.sub(r"\$\{\{ inputs\.(\w+) \}\}", lambda m: inputs[m[1]], v) for name, v in step["env"].items()}
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    command = [*shell.split(), "-c", step["run"]]
    environment = os.environ | {"PATH": path} | given | variables
    return subprocess.run(command, cwd=project, env=environment, capture_output=True, text=True)


def run_action(root, project, paths):
    steps, defaults = steps_of(root)
    return run_step(steps["Check"], defaults | {"paths": paths}, project)


@pytest.mark.parametrize(("version", "installed"), [("", "{}/it self"), ("==0.1.0", "utf8-abnf==0.1.0")])
def test_the_action_installs_the_version_asked_for_or_itself(version, installed, root, tmp_path):
    (tmp_path / "python3").write_text("#!/bin/sh\nprintf '%s\\n' \"$@\"\n")
    (tmp_path / "python3").chmod(0o755)
    steps, defaults = steps_of(root)
    path = f"{tmp_path}{os.pathsep}{os.environ['PATH']}"
    done = run_step(
        steps["Install"], defaults | {"version": version}, tmp_path, PATH=path, GITHUB_ACTION_PATH=f"{tmp_path}/it self"
    )
    assert done.stdout.splitlines() == ["-m", "pip", "install", "--quiet", installed.format(tmp_path)]


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
    [("sub/**/*.txt\n  \n", 1), ("bad.txt\nsub\n", 2), ("star*.md\n", 1)],
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


@pytest.mark.parametrize(("paths", "message"), [(" \n\n", "is empty"), ("*.c", "no file is named *.c")])
def test_the_action_says_why_there_is_nothing_to_check(paths, message, root, project):
    done = run_action(root, project, paths)
    assert done.returncode == 2
    assert done.stdout.startswith("::error::utf8-abnf: ")
    assert message in done.stdout


@pytest.mark.slow
@pytest.mark.sampled(0)
def test_the_pre_commit_hook_runs_from_a_clone(project):
    checkout = os.environ.get("UTF8_ABNF_CHECKOUT")
    if not checkout or not shutil.which("git"):
        pytest.skip("needs git and the checkout: run by tools/test.py")
    subprocess.run(["git", "init", "-q", project], check=True)
    subprocess.run(["git", "-C", project, "add", "."], check=True)
    command = [sys.executable, "-m", "pre_commit", "try-repo", checkout, "utf8-abnf", "--all-files"]
    home = {"PRE_COMMIT_HOME": str(project / ".git" / "pre-commit-home")}
    home |= {"CC": "/bin/false", "CXX": "/bin/false"}  # quickly: any kernel finds it
    done = subprocess.run(command, cwd=project, env=os.environ | home, capture_output=True, text=True)
    assert done.returncode == 1, done.stdout + done.stderr
    assert "bad.txt:2:3: UTF8-SURROGATE" in done.stdout


def test_the_hooks_for_grammars_are_commands(root, project, capsys):
    hooks = {each["id"]: each for each in yaml.safe_load((root / ".pre-commit-hooks.yaml").read_text())}
    (project / "a.abnf").write_text("a=b\n")
    for name, said in {"abnf-lint": "a.abnf:1:3: error: rule b is not", "abnf-fmt": "a.abnf: formatted"}.items():
        assert re.search(hooks[name]["files"], "a.abnf")
        main([*hooks[name]["entry"].split()[1:], str(project / "a.abnf")])
        assert said in capsys.readouterr().out
