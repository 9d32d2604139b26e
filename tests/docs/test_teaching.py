"""The teacher's kit: the starters have no points, the solutions have all, and the recipes' programs run."""

import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from utf8_abnf.cli import main
from utf8_abnf.grammar import Grammar
from utf8_abnf.language.catalogue import LANGUAGES, SOURCE
from utf8_abnf.teaching.grading.grading import count_mistakes, grade
from utf8_abnf.teaching.grading.rubric import read_rubric
from utf8_abnf.teaching.grading.variants import variant

UTF8 = Grammar.load("utf8")
SURROGATES = UTF8.text.replace("%xED %x80-9F", "%xED %x80-BF")


@pytest.fixture(scope="module")
def kit(root):
    return root / "docs" / "teaching"


@pytest.mark.parametrize(
    ("variant", "rubric", "starter"),
    [
        ("text", "rubric.toml", "starter.abnf"),
        ("text/Ana", "variants.toml", "starter.abnf"),
        ("number", "number.toml", "number-starter.abnf"),
        ("number/Ana", "number.toml", "number-starter.abnf"),
    ],
)
def test_a_starter_has_no_points_and_a_solution_has_all(variant, rubric, starter, kit, monkeypatch, tmp_path, capsys):
    monkeypatch.chdir(kit)
    assert main(["grade", "--variant", variant, "--solution"]) == 0
    (tmp_path / "solution.abnf").write_text(capsys.readouterr().out)
    arguments = ["--variant", variant, "--rubric", rubric]
    assert main(["grade", str(tmp_path / "solution.abnf"), *arguments]) == 0
    assert main(["grade", starter, *arguments]) == 1
    assert re.findall(r"^ *([\d.]+)  \S", capsys.readouterr().out, re.M) == ["100.0", "0.0"]


@pytest.mark.parametrize(
    "half", ["DIGIT / %x31-39 1*2DIGIT", '1*2DIGIT / ( "0" / "1" ) 2DIGIT / "2" %x30-34 DIGIT / "25" %x30-35']
)
def test_each_half_of_the_repair_of_assignment_2_earns_half(half, kit):
    rubric, _ = read_rubric((kit / "number.toml").read_bytes(), "number.toml")
    reference = Grammar.parse(variant("number", "").solution)
    assert grade(f"number = {half}", reference, rubric=rubric).points == 50


def test_the_rubric_names_every_mistake_of_the_starter(kit):
    rubric, starter = read_rubric((kit / "rubric.toml").read_bytes(), "rubric.toml")
    given = Grammar.load(kit / starter)
    assert None not in rubric.charges(grade(given.text, UTF8, rubric=rubric).mistakes)
    assert count_mistakes(given, UTF8) == 6
    assert grade(SURROGATES, UTF8, rubric=rubric).points == 75
    [overlong] = rubric.charges(grade(UTF8.text.replace("%xC2", "%xC1"), UTF8, rubric=rubric).mistakes)
    assert overlong.hint.endswith("two bytes?")
    lone = grade(UTF8.text.replace("%xA0-BF", "%xA0-BF /"), UTF8, rubric=rubric)
    assert not any(rubric.charges(lone.mistakes))  # of E0 A0, cut off, nothing is overlong


@pytest.mark.parametrize("name", ["rubric", "number"])
@pytest.mark.parametrize("language", sorted(set(LANGUAGES) - {SOURCE}))
def test_the_rubric_of_each_language_gives_the_same_points_in_its_words(kit, language, name):
    def parts(name):
        table = tomllib.loads((kit / name).read_text("utf-8"))
        words = [mistake.pop(key) for mistake in table["mistake"] for key in ("name", "hint")]
        return table, words

    (table, words), (other, translated) = parts(f"{name}.toml"), parts(f"{name}.{language}.toml")
    assert other == table
    assert not set(words) & set(translated)
    assert len(set(translated)) == len(words)


@pytest.fixture
def programs(tmp_path):
    """An environment in which ``python3`` is this Python."""
    program = tmp_path / "bin" / "python3"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    program.chmod(0o755)
    return os.environ | {"PATH": f"{program.parent}{os.pathsep}{os.environ['PATH']}"}


@pytest.mark.thorough
@pytest.mark.parametrize(("text", "fraction"), [(UTF8.text, 1), (SURROGATES, 0.833), ("not a grammar", 0)])
def test_the_template_for_coderunner_prints_the_fraction_and_the_reasons(text, fraction, kit, tmp_path):
    template = (kit / "recipes" / "coderunner.py").read_text("utf-8")
    before, after = template.split("{{ STUDENT_ANSWER | e('py') }}")
    (tmp_path / "question.py").write_text(before + text + after, "utf-8")
    done = subprocess.run([sys.executable, "question.py"], cwd=tmp_path, capture_output=True, text=True, check=True)
    told = json.loads(done.stdout)
    assert told["fraction"] == pytest.approx(fraction)
    assert told["prologuehtml"].startswith("<pre>")
    assert "ED A0" not in told["prologuehtml"]


@pytest.mark.thorough
@pytest.mark.parametrize(("text", "points"), [(UTF8.text, "100"), (SURROGATES, "83.3"), ("not a grammar", "0")])
def test_the_script_for_vpl_prints_comments_and_the_grade(text, points, kit, tmp_path, programs):
    (tmp_path / "utf8.abnf").write_text(text)
    subprocess.run(["sh", kit / "recipes" / "vpl_evaluate.sh"], cwd=tmp_path, check=True)
    done = subprocess.run(["./vpl_execution"], cwd=tmp_path, env=programs, capture_output=True, text=True, check=True)
    *comments, last = done.stdout.splitlines()
    assert last == f"Grade :=>> {points}"
    assert comments
    assert all(line.startswith("Comment :=>> ") for line in comments)


@pytest.mark.thorough
@pytest.mark.parametrize(("text", "right"), [(UTF8.text, True), (SURROGATES, False)])
def test_the_workflow_says_why_and_fails_for_a_wrong_grammar(text, right, kit, tmp_path, programs):
    workflow = (kit / "recipes" / "classroom.yml").read_text("utf-8")
    (tmp_path / "utf8.abnf").write_text(text)
    say_why = re.search(r"run: (python3 -m utf8_abnf .*)", workflow)[1]
    command = re.search(r"^ +command: (.*)", workflow, re.M)[1]
    summary = Path(tmp_path, "summary")
    own = programs | {"GITHUB_STEP_SUMMARY": str(summary)}
    assert subprocess.run(["sh", "-e", "-c", say_why], cwd=tmp_path, env=own).returncode == 0
    assert ("100.0" in summary.read_text("utf-8")) is right
    done = subprocess.run(["sh", "-e", "-c", command], cwd=tmp_path, env=own, capture_output=True)
    assert (done.returncode == 0) is right
