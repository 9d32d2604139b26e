"""Pictures on the command line, in notebooks and in the documentation."""

import subprocess
import sys
from types import SimpleNamespace
from xml.etree import ElementTree

import pytest

from utf8_abnf import first_error
from utf8_abnf.automaton import compile_grammar
from utf8_abnf.automaton.forms import difference_forms
from utf8_abnf.cli import main
from utf8_abnf.codec.steps import decode_steps
from utf8_abnf.conformance import run
from utf8_abnf.conformance.learning import Model, learn
from utf8_abnf.drawing import load_ipython_extension
from utf8_abnf.grammar import Grammar
from utf8_abnf.parsers import parse_tree
from utf8_abnf.validator.ill_formed import IllFormed

UTF8 = Grammar.load("utf8")
AUTOMATON = compile_grammar(UTF8)


@pytest.fixture
def call(capfd):
    def run_(command):
        status = main([*command.split(), "--format", "svg"])
        out, err = capfd.readouterr()
        assert "Traceback" not in err
        return status, out, err

    return run_


@pytest.mark.parametrize(
    "command", ["grammar railroad", "grammar railroad urn --rule nss", "grammar automaton", "parse --text é€"]
)
def test_a_command_draws(command, call):
    status, out, _ = call(command)
    assert status == 0
    assert ElementTree.fromstring(out).get("role") == "img"


def test_a_railroad_is_text_unless_told_otherwise(capfd):
    assert main(["grammar", "railroad", "--rule", "UTF8-tail"]) == 0
    assert capfd.readouterr()[0] == "UTF8-tail\n├──(%x80-BF)──┤\n"


@pytest.mark.parametrize(
    ("command", "what"),
    [
        ("grammar railroad --rule UTF8-tale", "did you mean UTF8-tail"),
        ("grammar automaton uri", "--format dot"),
        (f"parse --text {'a' * 1000}", "--format text"),
    ],
)
def test_what_cannot_be_drawn_is_said_in_a_sentence(command, what, call):
    status, out, err = call(command)
    assert (status, out) == (2, "")
    assert what in err
    assert len(err.splitlines()) == 1


def test_what_is_not_derived_is_no_picture(call):
    status, out, _ = call("parse --hex C080")
    assert (status, "does not derive" in out, "<svg" in out) == (1, True, False)


# ---- Notebooks ---------------------------------------------------------------------------------------------------


def shown(value):
    """Return what a notebook shows of *value*, by media type, after ``%load_ext utf8_abnf.drawing``."""
    formatters = pytest.importorskip("IPython.core.formatters", reason="needs ipykernel: pip install --group test")
    shell = SimpleNamespace(display_formatter=formatters.DisplayFormatter())
    load_ipython_extension(shell)
    return shell.display_formatter.format(value)[0]


def test_a_value_shows_its_picture():
    for value in (UTF8, AUTOMATON, parse_tree(UTF8, b"\xc3\xa9"), decode_steps(b"\xc3\xa9")):
        assert ElementTree.fromstring(shown(value)["image/svg+xml"]).get("role") == "img"


def test_what_is_too_large_leaves_the_notebook_its_text():
    many = Grammar.parse("".join(f'r{number} = "a"\n' for number in range(200)))
    for value in (compile_grammar(Grammar.load("uri")), parse_tree(UTF8, bytes(100_000)), many):
        assert set(shown(value)) == {"text/plain"}


def test_an_error_shows_its_facts_escaped():
    for data in (b"\xed\xa0\x80", b"\xe2\x82", b"\xff"):
        error = first_error(data)
        page = error._repr_html_()
        ElementTree.fromstring(page)
        assert all(fact in page for fact in (error.code, error.expected, error.rule, error.got))
    hostile = IllFormed(0, 1, "<script>", "<script>", "<script>", "<script>", truncated=False)
    assert "<script>" not in hostile._repr_html_()


def test_a_difference_shows_a_table_of_forms():
    found = difference_forms(compile_grammar(Grammar.load("dialects/mutf8")), AUTOMATON)
    table = ElementTree.fromstring(shown(found)["text/html"])
    rows = [[cell.text or cell[0].text for cell in row] for row in table.findall("tbody/tr")]
    assert rows[0] == ["extra", "%xC0 %x80", "C0 80", "1"]
    assert ["missing", "%x00", "00", "1"] in rows
    assert len(rows) == len(found.extra) + len(found.missing)
    assert "no difference" in shown(difference_forms(AUTOMATON, AUTOMATON))["text/html"]


def test_a_model_shows_its_report_and_its_picture():
    box = compile_grammar(Grammar.load("dialects/wtf8"))
    learned = learn(lambda words: [*map(box.accepts, words)], AUTOMATON, expensive=True)
    model = Model("it", "utf8", AUTOMATON, learned)
    bundle = model._repr_mimebundle_(include=None, exclude=None)
    assert bundle["text/plain"] == str(model)
    assert ElementTree.fromstring(bundle["image/svg+xml"]).get("role") == "img"


def test_a_report_in_a_notebook_leaves_the_notebook_s_looks_alone():
    page = shown(run(lambda data: data.decode("utf-8", "surrogatepass") is not None, level="L0"))["text/html"]
    assert "%xED %xA0-BF UTF8-tail" in page
    assert not any(tag in page for tag in ("<html", "<style", "<body", "<title"))


def test_the_validator_loads_nothing_that_draws():
    question = "import sys, utf8_abnf; utf8_abnf.first_error(b'\\xff')._repr_html_(); print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", question], capture_output=True, text=True, check=True).stdout.split()
    assert not [name for name in loaded if name.startswith(("utf8_abnf.drawing", "utf8_abnf.grammar"))]


# ---- The documentation -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("tool", ["pictures.py", "notebook.py"])
def test_the_pictures_and_the_notebook_are_what_the_tools_make(tool, root):
    if tool == "notebook.py":
        pytest.importorskip("nbclient", reason="needs nbclient and ipykernel: pip install --group test")
        pytest.importorskip("ipykernel", reason="needs nbclient and ipykernel: pip install --group test")
    done = subprocess.run([sys.executable, f"tools/docs/{tool}", "--check"], cwd=root, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
