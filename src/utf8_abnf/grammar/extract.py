"""ABNF from an RFC: the text of a document in, the lines of its rules out, without margins and page breaks."""

from __future__ import annotations

import re

from utf8_abnf.errors import GrammarError
from utf8_abnf.grammar.reader import read

_FOOTER = re.compile(r"\[Page [0-9ivxlc]+\]$", re.IGNORECASE)
_HEADER = re.compile(r"(?:RFC|Internet-Draft)\b.*[0-9]{4}$")
_HEADING = re.compile(r"(?:Appendix )?([0-9]+(?:\.[0-9]+)*|[A-Z](?:\.[0-9]+)*)\.?[ \t]+[A-Z]")
_RULE = re.compile(r"([ \t]*)[A-Za-z][A-Za-z0-9-]*[ \t]*=/?(?:[ \t]|$)")
MAX_LINES = 200  # of one rule; the longest in the grammars that ship has 9


def extract(text: str, section: str | None = None, *, file: str = "<text>") -> str:
    r"""Return the ABNF rules in *text* as a grammar; *text* is an RFC in its text form, or another document.

    The lines are those of the document, without margins, page breaks and the text between the rules; one blank line
    stays where there were some. A rule that is printed twice is taken once. *section* (``"4"``, ``"B.1"``) limits the
    search to that section and its subsections. Lines that look like a rule but cannot be read as one (RFC 5234) are
    skipped. ``GrammarError``, with the name *file*, if there is no such section or no rule in it.

    >>> page_break = "\n\nAuthor          [Page 1]\n\f\nRFC 1    Title    May 2026\n\n"
    >>> extract(f"  We say:\n\n      a = %x61 /{page_break}          %x62\n")
    'a = %x61 /\n    %x62\n'
    """
    lines = _without_pages(text)
    if section:
        lines = _section(lines, section, file)
    rules: dict[str, list[str]] = {}  # by their text without extra white space
    blank = False
    at = 0
    while at < len(lines):
        rule = _rule_at(lines, at)
        if rule:
            key = " ".join(" ".join(rule).split())
            rules.setdefault(key, ["", *rule] if blank and rules else rule)
        blank = not rule and (blank or not lines[at])
        at += len(rule) or 1
    if not rules:
        where = f"section {section}" if section else "this text"
        raise GrammarError(f"{where} has no ABNF rule: expected lines such as  name = elements", file=file)
    return "".join(f"{line}\n" for rule in rules.values() for line in rule)


def _without_pages(text: str) -> list[str]:
    """Return the lines of *text* without those between pages: footers, form feeds, headers, blank lines."""
    kept: list[str] = []
    between = False
    for line in text.split("\n"):
        shown = line.strip(" \t\r\f")
        if "\f" in line or _FOOTER.search(shown):
            between = True
            while kept and not kept[-1]:
                kept.pop()
        if between and (not shown or _FOOTER.search(shown) or _HEADER.match(shown)):
            continue
        between = False
        kept.append(line.rstrip(" \t\r"))
    return kept


def _section(lines: list[str], section: str, file: str) -> list[str]:
    headings = [(at, match[1]) for at, line in enumerate(lines) if (match := _HEADING.match(line))]
    inside = [each for each in headings if each[1] == section]
    if not inside:
        message = f"there is no section {section}; a heading begins in the first column, as in  4.  Syntax"
        raise GrammarError(message, file=file)
    start = inside[0][0]
    after = (at for at, number in headings if at > start and not number.startswith(f"{section}."))
    return lines[start + 1 : next(after, len(lines))]


def _rule_at(lines: list[str], at: int) -> list[str]:
    """Return the lines of the rule that begins at line *at*, without the margin; [] if no rule begins there."""
    match = _RULE.match(lines[at])
    if not match:
        return []
    margin = match[1]
    found = [lines[at][len(margin) :]]
    for line in lines[at + 1 : at + MAX_LINES]:
        if not (line.startswith(margin) and line[len(margin) : len(margin) + 1] in {" ", "\t"}):
            break
        found.append(line[len(margin) :])
    try:
        read("\n".join(found))
    except GrammarError:
        return []
    return found
