"""Pictures on the command line and in the documentation."""

import subprocess
import sys
from xml.etree import ElementTree

import pytest

from utf8_abnf import first_error
from utf8_abnf.validator.ill_formed import IllFormed


@pytest.mark.parametrize("command", [
    "grammar railroad --format svg", "grammar railroad urn --rule nss --format svg", "grammar automaton --format svg",
    "parse --text é€ --format svg", "encode U+20AC --to svg", "decode E2 82 AC --to svg", "decode C0 80 --to svg",
])  # fmt: skip
def test_a_command_draws(command, call):
    status, out, _ = call(*command.split())
    assert status == int("C0" in command)
    assert ElementTree.fromstring(out).get("role") == "img"


def test_a_railroad_is_text_unless_told_otherwise(call):
    assert call("grammar", "railroad", "--rule", "UTF8-tail") == (0, "UTF8-tail\n├──(%x80-BF)──┤\n", "")


@pytest.mark.parametrize(
    ("command", "what"),
    [
        ("grammar railroad --rule UTF8-tale", "did you mean UTF8-tail"),
        ("grammar automaton uri", "--format dot"),
        (f"parse --text {'a' * 1000}", "--format text"),
    ],
)
def test_what_cannot_be_drawn_is_said_in_a_sentence(command, what, call):
    status, out, err = call(*command.split(), "--format", "svg")
    assert (status, out) == (2, "")
    assert what in err
    assert len(err.splitlines()) == 1


def test_what_is_not_derived_is_no_picture(call):
    status, out, _ = call("parse", "--hex", "C080", "--format", "svg")
    assert (status, "does not derive" in out, "<svg" in out) == (1, True, False)


def test_an_error_shows_its_facts_escaped_in_a_notebook():
    for data in (b"\xed\xa0\x80", b"\xe2\x82", b"\xff"):
        error = first_error(data)
        page = error._repr_html_()
        ElementTree.fromstring(page)
        assert all(fact in page for fact in (error.code, error.expected, error.rule, error.got))
    hostile = IllFormed(0, 1, "<script>", "<script>", "<script>", "<script>", truncated=False)
    assert "<script>" not in hostile._repr_html_()


def test_the_pictures_of_the_documentation_are_what_the_tool_makes(root):
    command = [sys.executable, "tools/docs/pictures.py", "--check"]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
