"""How Sphinx builds the site: ``python -m sphinx docs docs/_build``; ``-D language=ja`` or ``de`` translates.

``tools/docs/site.py`` builds it in all languages, each page with links to itself in the others.
"""

from __future__ import annotations

import argparse
import inspect
import os
import re
import sys
import zipfile
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from docutils import nodes
from docutils.parsers.rst import Directive
from docutils.statemachine import StringList
from sphinx.locale import get_translation

import utf8_abnf
from utf8_abnf.cli import parser
from utf8_abnf.cli.grammar.page import page_of
from utf8_abnf.conformance.matrix.by_language import picture
from utf8_abnf.conformance.matrix.formats import html
from utf8_abnf.conformance.matrix.formats.badges import badges
from utf8_abnf.conformance.matrix.formats.json import read
from utf8_abnf.grammar import Grammar
from utf8_abnf.language.catalogue import LANGUAGES, catalogue
from utf8_abnf.language.explanations import ONLY_ENGLISH
from utf8_abnf.teaching.play import page

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sphinx.application import Sphinx

# What is public, in the order of the page reference/python: of each module the names given, or all that it has.
PUBLIC = {
    "utf8_abnf": "",
    "utf8_abnf.validator.kernel": "",
    "utf8_abnf.files.repairing": "",
    "utf8_abnf.files.profiles": "",
    "utf8_abnf.files.arrow": "",
    "utf8_abnf.grammar": "",
    "utf8_abnf.parsers": "",
    "utf8_abnf.automaton": "",
    "utf8_abnf.conformance": "",
    "utf8_abnf.conformance.learning": "",
    "utf8_abnf.codec": "",
    "utf8_abnf.codec.by_the_book": "encode_character, encode, decode_character, decode, distribute",
    "utf8_abnf.strategies": "",
    "utf8_abnf.pytest_plugin": "utf8_conformance",
    "utf8_abnf.drawing": "",
    "utf8_abnf.drawing.railroad": "railroad_svg, railroad_text",
    "utf8_abnf.drawing.automaton_svg": "automaton_svg",
    "utf8_abnf.drawing.tree_svg": "tree_svg",
    "utf8_abnf.drawing.bits_svg": "bits_svg",
    "utf8_abnf.teaching.grading.grading": "grade, Grade",
    "utf8_abnf.teaching.grading.rubric": "Rubric, NamedMistake",
    "utf8_abnf.errors": "",
}

# What the theme has in English only; locale/*/LC_MESSAGES/sphinx.po has it in the other languages.
FURO = (
    "Contents",
    "Menu",
    "Expand",
    "Light mode",
    "Dark mode",
    "Auto light/dark, in light mode",
    "Auto light/dark, in dark mode",
    "Skip to content",
    "Toggle Light / Dark / Auto color theme",
    "Toggle site navigation sidebar",
    "Toggle table of contents sidebar",
)

_FILE = re.compile(r"^```\{code-block\} \w+\n:caption: (\S+)\n(.*?)^```$", re.M | re.S)  # in a lesson

project = "utf8-abnf"
author = "the utf8-abnf authors"
extensions = ["myst_parser", "sphinx.ext.autodoc"]
exclude_patterns = ["_build"]
html_theme = "furo"
html_title = "utf8-abnf"
html_context = {"languages": {code: each.name for code, each in LANGUAGES.items()}}
templates_path = ["_templates"]
_sidebar = ["sidebar/brand.html", "sidebar/search.html", "sidebar/scroll-start.html", "sidebar/navigation.html"]
if tags.has("languages"):  # noqa: F821  # Sphinx puts it here
    _sidebar.insert(1, "languages.html")
html_sidebars = {"**": [*_sidebar, "sidebar/scroll-end.html"]}
html_static_path = ["_static"]
sys.path.insert(0, str(Path(__file__).parent))
import slides  # noqa: E402  # beside this file

html_search_options = {"type": "japanese_search.CompoundSplitter"}  # only the search of Japanese pages has options
html_extra_path = ["data"]
html_css_files = ["lessons.css"]
html_js_files = ["copy.js"]
myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 3
# [words](play:#b=EDA080&p=2) in a lesson leads to the play page in just that state, [words](made:NAME) in a page at the
# top of the site to a file that is not one of Sphinx's pages.
myst_url_schemes = {
    "http": None,
    "https": None,
    "mailto": None,
    "play": "../play-page.html#{{fragment}}",
    "made": "{{path}}",
}
locale_dirs = ["locale"]
gettext_compact = False
gettext_location = False
gettext_uuid = False
autodoc_member_order = "bysource"
autodoc_typehints = "description"


class CommandReference(Directive):
    """``command-reference``: the help of every command and of its actions, from the parsers themselves."""

    def run(self) -> list[nodes.Node]:
        """Return the whole program's help, and a section for each command."""
        os.environ |= {"COLUMNS": "100", "NO_COLOR": "1"}
        whole = parser()
        out: list[nodes.Node] = [_help(whole)]
        for name, command in _actions(whole).items():
            section = nodes.section(ids=[name], names=[name])
            section += [nodes.title(name, name), *map(_help, (command, *_actions(command).values()))]
            self.state.document.note_explicit_target(section, section)
            out.append(section)
        return out


def _help(command: argparse.ArgumentParser) -> nodes.Node:
    text = command.format_help()
    return nodes.literal_block(text, text, language="text")


def _actions(command: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    """Return the parsers of *command*'s actions by name: ``grammar`` has ``lint``, ``diff`` ..."""
    groups = [each for each in command._actions if isinstance(each, argparse._SubParsersAction)]
    return {name: each for group in groups for name, each in group.choices.items()}


class PythonReference(Directive):
    """``python-reference``: every public name of every module in ``PUBLIC``, by autodoc."""

    def run(self) -> list[nodes.Node]:
        """Return a section for each module."""
        out: list[nodes.Node] = []
        for name in PUBLIC:
            section = nodes.section(ids=[name.replace("_", "-").replace(".", "-")], names=[name])
            section += nodes.title(name, "", nodes.literal(name, name))
            self.state.document.note_explicit_target(section, section)
            lines = ["```{eval-rst}", f".. automodule:: {name}", "", *_directives(name), "```"]
            self.state.nested_parse(StringList(lines, source=name), 0, section)
            out.append(section)
        return out


def _directives(name: str) -> Iterator[str]:
    """Yield what autodoc is told of the module *name*: each of its public names, where it is public first."""
    module = import_module(name)
    own = [each for each, value in vars(module).items() if getattr(value, "__module__", "") == name and each[0] != "_"]
    for each in PUBLIC[name].split(", ") if PUBLIC[name] else getattr(module, "__all__", own):
        value = getattr(module, each)
        if inspect.ismodule(value) or (name != "utf8_abnf" and getattr(utf8_abnf, each, None) is value):
            continue
        if inspect.isclass(value):
            yield f".. auto{'exception' if issubclass(value, BaseException) else 'class'}:: {name}.{each}"
            yield from ("   :members:", "")
        elif callable(value):
            yield from (f".. autofunction:: {name}.{each}", "")
        else:
            yield from (f".. py:data:: {each}", f"   :module: {name}", "")


def write_pages(app: Sphinx, exception: Exception | None) -> None:
    """Put the play page, in the site's language, and the matrix with its picture and badges beside the other pages."""
    if exception is None and app.builder.format == "html":
        folder = Path(app.outdir)
        folder.joinpath("play-page.html").write_text(page(app.config.language), encoding="utf-8")
        matrix = read(Path(__file__).with_name("data") / "matrix.json")
        folder.joinpath("matrix-table.html").write_text(html.render(matrix, badges="badges/"), "utf-8")
        folder.joinpath("matrix-languages.svg").write_text(picture(matrix), encoding="utf-8")
        folder.joinpath("badges").mkdir(exist_ok=True)
        for name, text in badges(matrix):
            folder.joinpath("badges", name).write_text(text, encoding="utf-8")
        rules = "".join(f"{line}\n" for line in page_of(Grammar.load("utf8")))
        folder.joinpath("utf8-grammar.html").write_text(rules, encoding="utf-8")
        write_slides(app)
        write_archives(app)


def write_archives(app: Sphinx) -> None:
    """Pack the files of each lesson, those of its answers aside, into an archive beside its page."""
    for path in Path(app.srcdir, "lessons").glob("*.md"):
        before_answers = path.read_text("utf-8").partition(":::{admonition} Answers")[0]
        if files := dict(_FILE.findall(before_answers)):
            archive = Path(app.outdir, "lessons", f"{path.stem}.zip")
            archive.parent.mkdir(exist_ok=True)
            with zipfile.ZipFile(archive, "w") as packed:
                for name, text in files.items():
                    packed.writestr(zipfile.ZipInfo(f"{path.stem}/{name}"), text.removeprefix("\n"))


def finish_theme(app: Sphinx, exception: Exception | None) -> None:
    """Make the theme's pages accessible by key and screen reader, and put what Furo says into the site's language."""
    if exception is None and app.builder.format == "html":
        for path in Path(app.outdir).rglob("*.html"):
            text = path.read_text("utf-8")
            if "furo" in text[:4096] or path.parent.name == "slides":
                text = _accessible(text)
                translated = text if app.config.language == "en" else _translated_theme(app, path.parent, text)
                path.write_text(translated, encoding="utf-8")


def _accessible(text: str) -> str:
    """Return *text* with names for the parts of a page, and with the focus on what scrolls by itself."""
    said = get_translation("sphinx")
    for old, new in {
        "<pre>": '<pre tabindex="0">',
        '<div class="output">': '<div class="output" tabindex="0">',
        '<aside class="sidebar-drawer">': f'<aside class="sidebar-drawer" aria-label="{said("Menu")}">',
        '<aside class="toc-drawer">': f'<aside class="toc-drawer" aria-label="{said("On this page")}">',
        '<div class="content-icon-container">': '<div class="content-icon-container" role="navigation"'
        f' aria-label="{said("View this page")}">',
        '<div id="search-results">': f'<h1>{said("Search")}</h1><div id="search-results">',
    }.items():
        text = text.replace(old, new)
    return text


def _translated_theme(app: Sphinx, folder: Path, text: str) -> str:
    def marked(link: re.Match[str]) -> str:
        return link[1] + (" " if _is_translated(app, folder / link[2]) else ' lang="en" ')

    translated = get_translation("sphinx")
    words = rf'(?<=[">])({"|".join(FURO)})(?=["<])|(?<=")Toggle navigation of '
    text = re.sub(words, lambda word: str(translated(word[0])), text)
    return re.sub(r'(<li class="toctree-l\d[^"]*"><a) (?=class="[^"]*internal" href="([^"#]*)\.html")', marked, text)


def _is_translated(app: Sphinx, page: Path) -> bool:
    """Return whether there is a translation of *page*, which is in the folder of the output and has no suffix."""
    name = os.path.relpath(page, app.outdir)
    return Path(app.srcdir, "locale", app.config.language, "LC_MESSAGES", f"{name}.po").exists()


def write_slides(app: Sphinx) -> None:
    """Write the slides of each lesson that was built, and a page that leads to them."""
    folder = Path(app.outdir, "slides")
    folder.mkdir(exist_ok=True)
    for name, body in app.lesson_bodies.items():
        (folder / f"{name}.html").write_text(slides.page(body, app.config.language), encoding="utf-8")
    names = (name for name in app.env.toctree_includes["lessons/index"] if (Path(app.srcdir) / f"{name}.md").exists())
    titles = {name.partition("/")[2]: app.env.titles[name].astext() for name in names}
    (folder / "index.html").write_text(slides.contents(titles, app.config.language), encoding="utf-8")


def say_what_is_english(app: Sphinx, page: str, _template: str, context: dict[str, Any], _doctree: object) -> None:
    """Mark a page without a translation as English, for screen readers, and say so above it in the site's language."""
    language = app.config.language
    if language == "en" or _is_translated(app, Path(app.outdir, page)) or not context.get("body"):
        return
    said = catalogue(language).gettext(ONLY_ENGLISH)
    context["body"] = f'<p class="admonition">{said}</p><div lang="en">{context["body"]}</div>'
    context["toc"] = f'<div lang="en">{context.get("toc", "")}</div>'


def setup(app: Sphinx) -> None:
    """Make the directives known, and the pages that Sphinx does not make a part of the site."""
    app.add_directive("command-reference", CommandReference)
    app.add_directive("python-reference", PythonReference)
    app.connect("build-finished", write_pages)
    app.connect("build-finished", finish_theme)
    app.connect("html-page-context", say_what_is_english)
    app.lesson_bodies = {}
    app.connect("html-page-context", slides.remember)
