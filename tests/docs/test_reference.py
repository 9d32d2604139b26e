"""The reference of the built site: every command and every public name is in it, and the front page leads on."""

import os
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from utf8_abnf.cli import COMMANDS

pytestmark = [pytest.mark.thorough, pytest.mark.sampled(0)]  # they wait for the site

# What is promised, module by module. A name that goes from here, or from the page, is a decision.
PROMISED = {
    "utf8_abnf": "is_valid are_valid first_error iter_errors count_errors validate "
    "IncrementalValidator IllFormed InvalidUtf8 repair",
    "utf8_abnf.validator.kernel": "use name available",
    "utf8_abnf.files.profiles": "Profile Refused profile_names",
    "utf8_abnf.files.repairing": "Repairer Repaired Change undo Undoer register",
    "utf8_abnf.files.arrow": "is_valid first_error replace summary ColumnSummary Column ChunkedColumn",
    "utf8_abnf.grammar": "Grammar",
    "utf8_abnf.parsers": "ReferenceParser LarkParser to_lark parse_tree Tree",
    "utf8_abnf.automaton": "compile_grammar Automaton state_cover separating_words difference",
    "utf8_abnf.conformance": "run cases Report",
    "utf8_abnf.conformance.learning": "learn Model NotLearnableError",
    "utf8_abnf.codec": "encode decode encode_steps decode_steps replace POLICIES",
    "utf8_abnf.strategies": "well_formed ill_formed near_misses from_grammar",
    "utf8_abnf.pytest_plugin": "utf8_conformance",
    "utf8_abnf.drawing.railroad": "railroad_svg railroad_text",
    "utf8_abnf.teaching.grading.grading": "grade Grade",
    "utf8_abnf.teaching.grading.rubric": "Rubric NamedMistake",
    "utf8_abnf.errors": "Utf8AbnfError GrammarError TargetError",
}
READ = ("index", "play", "matrix", "reference/python", "reference/command-line", "lessons/automaton")  # by tests below


@pytest.fixture(scope="module")
def site(root, once):
    """The site in English, built as tools/docs/site.py builds it: of its pages those of READ, all before a release."""
    pytest.importorskip("sphinx", reason="needs Sphinx: pip install --group docs")
    written = [] if os.environ.get("UTF8_ABNF_EXHAUSTIVE") else [f"docs/{page}.md" for page in READ]

    def build(folder):
        command = [sys.executable, "-m", "sphinx", "-q", "-t", "languages", "docs", folder, *written]
        done = subprocess.run(command, cwd=root, capture_output=True, text=True)
        complaints = [line for line in done.stderr.splitlines() if "the index will be incomplete" not in line]
        assert (done.returncode, complaints) == (0, [])

    folder = once("site", build)
    assert '<div lang="en">' not in (folder / "play.html").read_text(encoding="utf-8")
    return folder


def test_every_command_has_a_section_with_its_help(site):
    page = (site / "reference/command-line.html").read_text(encoding="utf-8")
    assert re.findall(r'<section id="([\w-]+)">\s*<h2>', page) == list(COMMANDS)
    assert set(re.findall(r"usage: utf8-abnf ([a-z]+)", page)) == set(COMMANDS)


@pytest.mark.parametrize("module", PROMISED)
def test_every_promised_name_is_in_the_reference(module, site):
    page = (site / "reference/python.html").read_text(encoding="utf-8")
    assert [name for name in PROMISED[module].split() if f'id="{module}.{name}"' not in page] == []


def test_every_name_in_all_of_a_module_on_the_page_is_in_the_reference(site):
    page = (site / "reference/python.html").read_text(encoding="utf-8")
    modules = re.findall(r'id="module-([\w.]+)"', page)
    assert len(modules) >= len(PROMISED)
    for name in modules:
        module = import_module(name)
        for each in getattr(module, "__all__", ()):
            places = {f"{name}.{each}", f"utf8_abnf.{each}", f"module-{getattr(getattr(module, each), '__name__', '')}"}
            assert any(f'id="{place}"' in page for place in places), f"{name}.{each}"


@pytest.mark.parametrize("page", ["index.html", "play.html", "matrix.html", "reference/python.html"])
def test_every_link_of_the_page_leads_to_a_file_of_the_site(page, site, root):
    text = (site / page).read_text(encoding="utf-8")
    links = {urlsplit(each) for each in re.findall(r'href="([^"]+)"', text)}
    inside = {unquote(each.path) for each in links if not each.scheme and not each.netloc and each.path}
    # tools/docs/site.py builds the other languages beside this one
    ours = [each for each in inside if not re.match(r"(\.\./)+(de|ja)/", each)]
    made, source = (site / page).parent, (root / "docs" / page).parent
    missing = [each for each in ours if not ((made / each).exists() or (source / each).with_suffix(".md").exists())]
    assert not missing


def test_the_front_page_leads_to_the_play_page_and_the_table_of_decoders_in_one_click(site):
    main = (site / "index.html").read_text(encoding="utf-8").partition("<article")[2]
    for made in ("play-page.html", "matrix-table.html"):
        assert f'href="{made}"' in main
        assert (site / made).read_text(encoding="utf-8").lower().startswith("<!doctype html>")
    assert Path(site, "matrix.json").is_file()
