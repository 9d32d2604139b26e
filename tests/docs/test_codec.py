"""docs/codec.md: every example in it runs and prints what the page shows."""

import doctest
import re
import shlex
import subprocess
import sys

import pytest


def blocks(text, language):
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


@pytest.fixture
def page(root):
    return (root / "docs" / "codec.md").read_text(encoding="utf-8")


def test_the_python_on_the_page_gives_what_it_shows(page):
    examples = blocks(page, "python")
    assert len(examples) >= 6
    # One after the other, as a reader types them: names stay known.
    test = doctest.DocTestParser().get_doctest("\n".join(examples), {}, "docs/codec.md", "docs/codec.md", 0)
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    assert runner.run(test).failed == 0


def test_the_commands_on_the_page_print_what_it_shows(page):
    sessions = [call for block in blocks(page, "console") for call in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]]
    assert len(sessions) >= 5
    for session in sessions:
        command, _, shown = session.partition("\n")
        name, *arguments = shlex.split(command)
        assert name == "utf8-abnf"
        done = subprocess.run([sys.executable, "-m", "utf8_abnf", *arguments], capture_output=True, check=False)
        assert done.stdout.decode().rstrip("\n") == shown.rstrip("\n"), command
