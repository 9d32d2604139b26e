"""What the README shows is what the program prints."""

import doctest
import re
import shlex
import subprocess
import sys

import pytest


def blocks(text, language):
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def commands(text):
    """Yield (command, output) of the console blocks that show an output."""
    for block in blocks(text, "console"):
        for piece in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, output = piece.partition("\n")
            if output:
                yield command, output


@pytest.fixture(scope="module")
def readme(root):
    return (root / "README.md").read_text(encoding="utf-8")


def test_the_commands_print_what_the_readme_shows(readme, tmp_path):
    shown = list(commands(readme))
    assert len(shown) >= 3
    program = f"{shlex.quote(sys.executable)} -m utf8_abnf"
    for command, output in shown:
        line = re.sub(r"(^|\| )utf8-abnf ", rf"\1{program} ", command)
        done = subprocess.run(line, shell=True, cwd=tmp_path, capture_output=True, encoding="utf-8")
        assert done.stdout == output, command


def test_the_python_examples_hold(readme):
    examples = doctest.DocTestParser().get_doctest("".join(blocks(readme, "python")), {}, "README", "README.md", 0)
    assert len(examples.examples) >= 4
    assert doctest.DocTestRunner().run(examples).failed == 0


def facts(lines):
    """Return *lines* without what belongs to the machine: versions, and the widths that follow from them."""
    return [re.sub(r" +|-{2,}", " ", re.sub(r"^(\S+ +)[\d.]+ ", r"\1", line)).strip() for line in lines]


def test_the_table_of_decoders_is_what_the_matrix_prints(readme):
    table = next(block for block in blocks(readme, "text") if block.startswith("$ utf8-abnf matrix "))
    command, *shown = table.splitlines()
    words = [sys.executable, "-m", "utf8_abnf", *command.removeprefix("$ utf8-abnf ").split()]
    done = subprocess.run(words, capture_output=True, encoding="utf-8")
    if "iconv-utf-8" not in done.stdout:
        pytest.skip("needs iconv")
    assert facts(shown) == facts(done.stdout.splitlines())[: len(shown)]


def test_the_first_screen_is_for_the_person_who_came_to_use_it(readme):
    screen = "\n".join(readme.splitlines()[:50])
    for part in ("pip install .", "tools/demo.py", "tools/test.py", "**You have bytes**", "**You have a decoder**"):
        assert part in screen
    assert "**You teach**" in screen
    assert "![" in screen
