"""The adapter templates: each is short, has one place to fill in, and speaks the protocol when built and run."""

import shutil
import subprocess

import pytest

from utf8_abnf import cli
from utf8_abnf.conformance import run
from utf8_abnf.errors import UsageError
from utf8_abnf.harness.adapters import TEMPLATES, canonical, template

ASCII_ONLY = {
    "missing %xC2-DF UTF8-tail",
    "missing %xE0 %xA0-BF UTF8-tail",
    "missing %xE1-EC 2( UTF8-tail )",
    "missing %xED %x80-9F UTF8-tail",
    "missing %xEE-EF 2( UTF8-tail )",
    "missing %xF0 %x90-BF 2( UTF8-tail )",
    "missing %xF1-F3 3( UTF8-tail )",
    "missing %xF4 %x80-8F 2( UTF8-tail )",
}
PACKAGES = {
    "c++": "g++",
    "rust": "rustc",
    "go": "golang-go",
    "java": "default-jdk",
    "javascript": "nodejs",
    "c#": "mono-mcs",
    "php": "php-cli",
}


@pytest.mark.parametrize("language", TEMPLATES)
def test_a_template_is_under_60_lines_with_one_place_to_fill_in(language):
    text = template(language)
    assert len(text.splitlines()) < 60
    assert text.count("TODO") == 1


@pytest.mark.parametrize("language", TEMPLATES)
def test_a_template_as_it_stands_takes_ascii_and_misses_the_rest(language, tmp_path, monkeypatch):
    file, build, start = TEMPLATES[language]
    (tmp_path / file).write_text(template(language), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    for command in filter(None, (build, start)):
        program = command.split()[0]
        if not program.startswith("./") and not shutil.which(program):
            pytest.skip(f"needs {program}: apt-get install {PACKAGES.get(language, program)}")
    if build:
        done = subprocess.run(build.split(), capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        assert not done.stderr, "a template compiles without a warning"
    report = run(f"stream:{start}", level="L1", timeout=20)
    assert not report.troubles
    assert not report.stopped
    assert {each.key for each in report.deviations} == ASCII_ONLY


@pytest.mark.parametrize(("name", "meant"), [("CPP", "c++"), ("js", "javascript"), ("C#", "c#"), ("csharp", "c#")])
def test_a_language_is_known_by_its_usual_names(name, meant):
    assert canonical(name) == meant


def test_an_unknown_language_is_answered_with_the_known_ones(capsys):
    with pytest.raises(UsageError, match="c, c\\+\\+, rust"):
        template("cobol")
    assert cli.main(["adapter", "cobol"]) == 2
    assert "cobol" in capsys.readouterr().err


def test_the_command_prints_the_template(capsys):
    assert cli.main(["adapter", "perl"]) == 0
    assert capsys.readouterr().out == template("perl")
