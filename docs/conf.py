"""How Sphinx builds the site: ``python -m sphinx docs docs/_build``; ``-D language=ja`` or ``de`` translates.

``tools/docs/site.py`` builds it in all languages, each page with links to itself in the others.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from docutils import nodes
from docutils.parsers.rst import Directive

from utf8_abnf.play import page

if TYPE_CHECKING:
    from sphinx.application import Sphinx

project = "utf8-abnf"
author = "the utf8-abnf authors"
extensions = ["myst_parser", "sphinx.ext.autodoc"]
exclude_patterns = ["_build"]
html_theme = "furo"
html_title = "utf8-abnf"
html_context = {"languages": {"en": "English", "de": "Deutsch", "ja": "日本語"}}
templates_path = ["_templates"]
_sidebar = ["sidebar/brand.html", "sidebar/search.html", "sidebar/scroll-start.html", "sidebar/navigation.html"]
if tags.has("languages"):  # noqa: F821  # Sphinx puts it here
    _sidebar.insert(1, "languages.html")
html_sidebars = {"**": [*_sidebar, "sidebar/scroll-end.html"]}
html_static_path = ["_static"]
html_css_files = ["lessons.css"]
myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 3
# [words](play:#b=EDA080&p=2) in a lesson leads to the play page in just that state.
myst_url_schemes = {"http": None, "https": None, "mailto": None, "play": "../play-page.html#{{fragment}}"}
locale_dirs = ["locale"]
gettext_compact = False
gettext_location = False
gettext_uuid = False
autodoc_member_order = "bysource"
autodoc_typehints = "description"


class CommandHelp(Directive):
    """``command-help``: what ``utf8-abnf COMMAND --help`` prints today."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Return a literal block."""
        command = [sys.executable, "-m", "utf8_abnf", *self.arguments[0].split(), "--help"]
        environment = os.environ | {"COLUMNS": "100", "LANGUAGE": "en", "NO_COLOR": "1"}
        done = subprocess.run(command, check=True, capture_output=True, encoding="utf-8", env=environment)  # noqa: S603
        return [nodes.literal_block(done.stdout, done.stdout, language="text")]


def write_play_page(app: Sphinx, exception: Exception | None) -> None:
    """Put the play page beside the others, in their language."""
    if exception is None and app.builder.format == "html":
        Path(app.outdir, "play-page.html").write_text(page(app.config.language), encoding="utf-8")


def setup(app: Sphinx) -> None:
    """Make the directive known, and the play page a part of the site."""
    app.add_directive("command-help", CommandHelp)
    app.connect("build-finished", write_play_page)
