"""``grammar html``: a grammar in; one page out that loads nothing and has no scripts: rules, railroads, examples.

Every text that is not ours goes through ``escape``, and the page's policy allows nothing but styles.
"""

from __future__ import annotations

import re
import sys
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from utf8_abnf.cli.grammar.grammars import load
from utf8_abnf.cli.status import OK
from utf8_abnf.drawing.railroad import railroad_svg
from utf8_abnf.drawing.svg import STYLE
from utf8_abnf.errors import GrammarError, UndecidedError
from utf8_abnf.grammar.editing import NAMES
from utf8_abnf.grammar.files import grammar_folder
from utf8_abnf.grammar.findings import INFO
from utf8_abnf.grammar.formatting import formatted
from utf8_abnf.grammar.lint import lint
from utf8_abnf.grammar.overview import overview
from utf8_abnf.grammar.syntax import show
from utf8_abnf.language.notation import hex_bytes
from utf8_abnf.parsers.sentences import sentences, wrong_sentences

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from utf8_abnf.grammar.lint import Finding
    from utf8_abnf.grammar.model import Grammar
    from utf8_abnf.grammar.overview import Overview

MAX_EXAMPLE = 40  # bytes
TRIES = 8  # sentences, of which the longest one that is short enough and can be seen is shown
MARKED = {"recursion", "left-recursion", "ambiguity-undecided"}  # findings that are shown, beside the serious ones
_SOURCE = re.compile(r"^\| `(.*)\.abnf` \| (RFC \d+) \| ([^|]*) \|", re.MULTILINE)
PAGE_STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; margin: 2em auto; max-width: 60em; padding: 0 1em;
       color-scheme: light dark }
section { border-top: 1px solid #8888; margin-top: 1.5em }
pre, code { font-family: ui-monospace, monospace; font-size: 14px } pre { overflow-x: auto }
nav a { margin-right: 1em; white-space: nowrap } svg { max-width: 100%; height: auto }
.error, .warning { border-left: 4px solid #c60; padding-left: .7em }
.info { border-left: 4px solid #888; padding-left: .7em }
"""


def run_html(args: argparse.Namespace) -> int:
    """Write the page of the grammar that *args* name."""
    page = "".join(f"{line}\n" for line in page_of(load(args.grammar, args.start), args.start))
    if args.output:
        Path(args.output).write_text(page, encoding="utf-8", newline="\n")
    else:
        sys.stdout.write(page)
    return OK


def page_of(grammar: Grammar, start: str | None = None) -> Iterator[str]:
    """Yield the lines of the page of *grammar*."""
    about = overview(grammar)
    title = f"{grammar[start or grammar.start].name} ({grammar.file})"
    marks: dict[str, list[Finding]] = {}
    for finding in lint(grammar, start):
        if finding.severity != INFO or finding.code in MARKED:
            marks.setdefault(_rule_at(grammar, finding.line), []).append(finding)
    yield '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">'
    yield """<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">"""
    yield f'<meta name="viewport" content="width=device-width">\n<title>{escape(title)}</title>'
    yield f"<style>{PAGE_STYLE}{STYLE}</style>\n</head>\n<body>\n<main>\n<h1>{escape(title)}</h1>"
    if source := _source(grammar.file):
        yield f"<p>From {source}.</p>"
    yield f"<nav>{' '.join(_link(each.rule.name) for each in about.values())}</nav>"
    for each in about.values():
        yield from _section(grammar, each, marks.get(each.rule.name, []))
    yield "</main>\n</body>\n</html>"


def _rule_at(grammar: Grammar, line: int) -> str:
    """Return the rule that begins last up to *line*."""
    starts = [(grammar.position(rule.span)[0], rule.name) for rule in grammar.rules.values() if not rule.core]
    return max((each for each in starts if each[0] <= line), default=(0, ""))[1]


def _source(file: str) -> str:
    """Return the document of a grammar that comes with the package, as a link, "" if it is not known."""
    names = {
        f"grammar/{name}.abnf": row for name, *row in _SOURCE.findall((grammar_folder() / "SOURCES.md").read_text())
    }
    if file not in names:
        return ""
    document, sections = names[file]
    kind = "appendix" if sections[:1].isalpha() else "section"
    return f"{_rfc(document)}, {kind}{'s' * (';' in sections)} {escape(sections.strip().replace(';', ','))}"


def _rfc(document: str, section: str = "") -> str:
    number = document.removeprefix("RFC ")
    return f'<a href="https://www.rfc-editor.org/rfc/rfc{number}{section}">{document}</a>'


def _link(name: str) -> str:
    return f'<a href="#rule-{escape(name.lower())}">{escape(name)}</a>'


def _section(grammar: Grammar, about: Overview, marks: list[Finding]) -> Iterator[str]:
    rule = about.rule
    yield f'<section id="rule-{escape(rule.name.lower())}">\n<h2>{escape(rule.name)}</h2>'
    if rule.core:
        yield f"<p>A core rule: {_rfc('RFC 5234', '#appendix-B.1')}, appendix B.1.</p>"
    elif rule.name.lower() in grammar.origins:
        yield f"<p>From {escape(grammar.origins[rule.name.lower()][0])}.</p>"
    code = f"{rule.name} = {show(rule.definition)}\n"
    yield f"<pre>{''.join(_linked(grammar, formatted(code)))}</pre>"
    picture = railroad_svg(grammar, rule.name)
    yield picture.replace(f"<style>{STYLE}</style>\n", "").rstrip("\n")  # the page has it once
    facts = ["recursive"] * about.is_recursive + ["nullable: it derives the empty string"] * about.is_nullable
    users = ", ".join(map(_link, about.users)) or "no rule"
    yield f"<p>{''.join(f'{escape(fact)}; ' for fact in facts)}used by: {users}</p>"
    yield from (f'<p class="{each.severity}">{escape(each.message)} [{each.code}]</p>' for each in marks)
    yield f"<p>{_examples(grammar, about)}</p>\n</section>"


def _linked(grammar: Grammar, code: str) -> Iterator[str]:
    """Yield *code* in pieces, with links from names to rules."""
    at = 0
    for found in NAMES.finditer(code):
        if found["name"] and found["name"].lower() in grammar.rules:
            yield escape(code[at : found.start()], quote=False) + _link(found["name"])
            at = found.end()
    yield escape(code[at:].rstrip("\n"), quote=False)


def _examples(grammar: Grammar, about: Overview) -> str:
    """Return an example of a rule, and a near miss: an input that is one edit away and is not derived."""
    if about.sentence is None:
        return "It derives nothing that is known: it needs prose, a rule that is not defined, or never ends."
    words = {about.sentence}
    try:
        words |= set(sentences(grammar, about.rule.name, count=TRIES))
        short = [each for each in words if len(each) <= MAX_EXAMPLE] or [about.sentence]
        word = max(short, key=lambda each: (_text(each) is not None, len(each)))
        wrong = wrong_sentences(grammar, (word,) * TRIES, about.rule.name)
        wrong = sorted(wrong, key=lambda each: not _text(each))[:1]
    except (GrammarError, UndecidedError):  # prose in a part of the rule, or a limit
        word, wrong = about.sentence, []
    shown = [text for each in (word, *wrong) if (text := _text(each)) is not None]
    if len(shown) != len(wrong) + 1:
        shown = [hex_bytes(each) for each in (word, *wrong)]
    codes = [f"<code>{escape(each)}</code>" if each else "the empty string" for each in shown]
    return "; ".join(f"{what}: {code}" for what, code in zip(("example", "near miss"), codes, strict=False))


def _text(word: bytes) -> str | None:
    """Return *word* as text, None if not all of it can be seen."""
    text = word.decode("utf-8", "replace")
    return text if text.isprintable() and "\ufffd" not in text else None
