"""Slides made from the lessons: the HTML of a lesson in, a page with a slide for each picture, table and program out.

Above it a slide has the section's title and the paragraph before it. A grammar or a program and what it answers, with
no more than a paragraph between them, are on one slide, side by side. The other paragraphs are the speaker's notes,
which the key n shows. Answers of exercises are on no slide.
"""

from __future__ import annotations

import re
from html import unescape
from html.parser import HTMLParser
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

_VOID = {"img", "br", "hr", "input", "col", "wbr"}
_TEXT = {"p"}
MIN_TEXT = 150  # characters of a slide without anything but text: more than a sentence
_PAGE = """<!doctype html>
<html lang="{language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>{title}</title>
<link rel="stylesheet" href="../_static/pygments.css"><link rel="stylesheet" href="../_static/slides.css">
<script defer src="../_static/slides.js"></script></head><body><main>
{slides}
</main></body></html>
"""


class Block(NamedTuple):
    """An element of a section: its name, its classes, and its HTML."""

    tag: str
    classes: str
    html: str


class _Splitter(HTMLParser):
    """Splits a lesson into its sections, and these into their elements."""

    def __init__(self, body: str) -> None:
        super().__init__(convert_charrefs=False)
        self.sections: list[tuple[str, list[Block]]] = []
        self._lines = [0]
        for line in body.splitlines(keepends=True):
            self._lines.append(self._lines[-1] + len(line))
        self._body = body
        self._open: list[str] = []
        self._begin, self._classes = 0, ""
        self.feed(body)

    def _at(self) -> int:
        line, column = self.getpos()
        return self._lines[line - 1] + column

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        if tag == "section" and not self._open:
            self.sections.append(("", []))
            return
        if not self._open:
            self._begin, self._classes = self._at(), dict(attributes).get("class") or ""
        if tag not in _VOID:
            self._open.append(tag)
        elif not self._open:
            self._add(tag, self._begin + len(self.get_starttag_text() or ""))

    def handle_endtag(self, tag: str) -> None:
        if self._open and self._open[-1] == tag:
            self._open.pop()
            if not self._open:
                self._add(tag, self._at() + len(tag) + 3)

    def _add(self, tag: str, end: int) -> None:
        html = self._body[self._begin : end]
        if self.sections and tag in {"h1", "h2", "h3"}:
            title = re.sub(r'<a class="headerlink".*?</a>|^<h\d>|</h\d>$', "", html)
            self.sections[-1] = (title, self.sections[-1][1])
        elif self.sections:
            self.sections[-1][1].append(Block(tag, self._classes, html))


def slides(body: str) -> Iterator[str]:
    """Yield the slides for the HTML *body* of a lesson.

    >>> made = list(slides("<section><h2>A</h2><p>one</p><p>two</p><pre>x = 1</pre></section>"))
    >>> len(made), made[0].count("<p>two</p><pre>"), "<aside><p>one</p></aside>" in made[0]
    (1, 1, True)
    """
    for title, blocks in _Splitter(body).sections:
        notes: list[str] = []
        files, before = "", 0  # what waits for what is done with it, and how many of the notes stand before it
        for block in blocks:
            if block.tag in _TEXT:
                notes.append(block.html)
                continue
            if "admonition" in block.classes and ("tip" in block.classes or "dropdown" in block.classes):
                continue
            if files and len(notes) > before + 1:
                yield _slide(title, [*notes[:before][-1:], files], notes[:before][:-1])
                files, notes = "", notes[before:]
            if "literal-block-wrapper" in block.classes:
                files, before = files + block.html, len(notes)
            else:
                is_pair = files and "highlight" in block.classes
                shown = [_pair(files, block.html)] if is_pair else [*filter(None, [files]), block.html]
                yield _slide(title, [*notes[-1:], *shown], notes[:-1])
                files, notes = "", []
        if files:
            yield _slide(title, [*notes[:before][-1:], files], [*notes[:before][:-1], *notes[before:]])
        elif len("".join(notes)) > MIN_TEXT:
            yield _slide(title, notes[:3], notes[3:])


def _pair(left: str, right: str) -> str:
    """Return two blocks side by side, each as wide as its longest line asks for."""
    widths = [
        max(len(unescape(re.sub("<[^>]+>", "", line))) for line in html.split("\n")) + 4 for html in (left, right)
    ]
    columns = " ".join(f"{width}fr" for width in widths)
    return f'<div class="pair" style="grid-template-columns: {columns}"><div>{left}</div>{right}</div>'


def _slide(title: str, shown: list[str], notes: list[str]) -> str:
    aside = f"<aside>{''.join(notes)}</aside>" if notes else ""
    return f"<section><h2>{title}</h2>{''.join(shown)}{aside}</section>"


def page(body: str, language: str) -> str:
    """Return the page with the slides for the HTML *body* of a lesson."""
    title = unescape(re.sub("<[^>]+>", "", _Splitter(body).sections[0][0]))
    body = re.sub(r'href="(\w+\.zip)"', r'href="../lessons/\1"', body)
    made = re.sub("<h2>(.*?)</h2>", r"<h1>\1</h1>", "\n".join(slides(body)), count=1, flags=re.S)
    return _PAGE.format(language=language, title=title, slides=made)


def contents(titles: dict[str, str], language: str) -> str:
    """Return a page that leads to the slides of each lesson; *titles* by the names of the lessons."""
    links = "".join(f'<li><a href="{name}.html">{title}</a></li>' for name, title in titles.items())
    return _PAGE.format(
        language=language, title="utf8-abnf", slides=f"<section><h1>utf8-abnf</h1><ol>{links}</ol></section>"
    )


def remember(app: Any, name: str, _template: str, context: dict[str, Any], _doctree: object) -> None:
    """Keep the HTML of each lesson until the site is built; for the event ``html-page-context``."""
    if name.startswith("lessons/") and name != "lessons/index" and context.get("body"):
        app.lesson_bodies[name.partition("/")[2]] = context["body"]
