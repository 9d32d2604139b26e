"""ABNF from a document: its text in, the rules out, without margins and page breaks, and what was not taken."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from utf8_abnf.errors import GrammarError
from utf8_abnf.grammar.documents import ABNF, Line, Problem, read_document
from utf8_abnf.grammar.model import references
from utf8_abnf.grammar.reader import Definition, read
from utf8_abnf.grammar.syntax import (
    Alternation,
    Concatenation,
    Group,
    Option,
    Prose,
    Range,
    Ref,
    Repetition,
    Series,
    Text,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from utf8_abnf.grammar.syntax import Node

_NAME = r"([ \t]*)([A-Za-z][A-Za-z0-9-]*)[ \t]*"
_RULE = re.compile(_NAME + r"=/?(?:[ \t]|$)")
_TIGHT = re.compile(_NAME + r"=/?(?=[^ \t])")  # name=element, which in prose is more often something else
_ONLY_NAME = re.compile(_NAME + "$")
_DEFINED_AS = re.compile(r"[ \t]+=/?(?:[ \t]|$)")
MAX_LINES = 2000  # of one rule; the longest in the grammars that ship has 9
MAX_GAPS = 3  # blank lines inside of a rule


@dataclass(frozen=True, slots=True)
class Extraction:
    """The *text* of a grammar that was extracted, and the *problems*: what was not taken, with the line and why."""

    text: str
    problems: tuple[Problem, ...] = ()


@dataclass(frozen=True, slots=True)
class _Found:
    """A rule in the document, or comments (without *definition*): its lines, and whether a blank line is before it."""

    lines: tuple[Line, ...]
    definition: Definition | None
    blank: bool
    tight: bool = False

    @property
    def name(self) -> str:
        return self.definition.name.lower() if self.definition else ""


def extract(text: str, section: str | None = None, *, file: str = "<text>") -> Extraction:
    r"""Return the ABNF rules in *text* as a grammar; *text* is an RFC in its text form, RFC XML, or Markdown.

    The lines are those of the document, without margins, page breaks and the text between the rules; one blank line
    stays where there were some. A rule that is printed twice is taken once: rules are compared as syntax trees. What
    looks like a rule and cannot be read, or is not a grammar together with the others, is one of the *problems*.
    ``read_document`` says what the forms are, and what *section* means. ``GrammarError``, with the name *file*, if
    there is no such section or no rule in it.

    >>> page_break = "\n\nAuthor          [Page 1]\n\f\nRFC 1    Title    May 2026\n\n"
    >>> extract(f"  We say:\n\n      a = %x61 /{page_break}          %x62\n").text
    'a = %x61 /\n    %x62\n'
    >>> extract("a = b\na = c\n").problems
    (Problem(line=2, message='rule a is defined in another way in line 1, which is kept'),)
    """
    document = read_document(text, section, file=file)
    found: list[_Found] = []
    problems = list(document.problems)
    maybe: list[tuple[str, Problem]] = []
    for words, lines in document.passages:
        if words and words[0].lower() == ABNF:
            found += _Scan(lines, problems, maybe, strict=True).rules()
        elif not words:
            found += _Scan(lines, problems, maybe, strict=False).rules()
    rules = _used(found, problems, maybe)
    kept = _consistent(rules, problems)
    if not kept and not problems:
        where = f"section {section}" if section else "this text"
        raise GrammarError(f"{where} has no ABNF rule: expected lines such as  name = elements", file=file)
    lines_out: list[str] = []
    for each in kept:
        lines_out += [""] if each.blank and lines_out else []
        lines_out += [line.text for line in each.lines]
    return Extraction("".join(f"{line}\n" for line in lines_out), tuple(sorted(problems)))


class _Scan:
    """Finds the rules of a passage. In a *strict* one everything is ABNF; in another one there is prose as well."""

    def __init__(
        self, lines: Sequence[Line], problems: list[Problem], maybe: list[tuple[str, Problem]], *, strict: bool
    ) -> None:
        self.lines = lines
        self.problems = problems
        self.maybe = maybe  # problems that only count if another rule uses the name
        self.strict = strict

    def rules(self) -> Iterator[_Found]:
        at, blank = 0, False
        while at < len(self.lines):
            line = self.lines[at]
            began = self._began(at)
            found = self._rule(at, began, blank) if began else None
            if found:
                yield found[0]
                at, blank = found[1], False
                continue
            if self.strict and line.text.lstrip().startswith(";"):
                yield _Found((Line(line.number, line.text.lstrip()),), None, blank)
                blank = False
            elif self.strict and not began and line.text.strip():
                self.problems.append(Problem(line.number, f"not a part of a rule: {_short(line.text)}"))
            blank = blank or not line.text.strip()
            at += 1

    def _began(self, at: int) -> re.Match[str] | None:
        """Return the margin and the name of the rule that may begin in line *at*."""
        text = self.lines[at].text
        below = self.lines[at + 1].text if at + 1 < len(self.lines) else ""
        alone = _ONLY_NAME.match(text)
        if alone and below.startswith(alone[1]) and _DEFINED_AS.match(below[len(alone[1]) :]):
            return alone
        return _RULE.match(text) or _TIGHT.match(text)

    def _rule(self, at: int, began: re.Match[str], blank: bool) -> tuple[_Found, int] | None:
        """Return the rule that begins in line *at*, and the number of the line behind it; None if it is not read."""
        tight = not self.strict and began.re is _TIGHT
        refused = None
        for lines, end in self._readings(at, began[1]):
            try:
                (definition,) = read("\n".join(line.text for line in lines))
            except (GrammarError, ValueError) as error:
                refused = refused or error
                continue
            return _Found(tuple(lines), definition, blank, tight), end
        line = self.lines[at].number
        why = "it has several rules"
        if isinstance(refused, GrammarError):
            lines = next(self._readings(at, began[1]))[0]
            line, why = lines[min(refused.line, len(lines)) - 1].number, refused.message
        problem = Problem(line, f"rule {began[2]} cannot be read: {why}")
        if tight:
            self.maybe.append((began[2].lower(), problem))
        else:
            self.problems.append(problem)
        return None

    def _readings(self, at: int, margin: str) -> Iterator[tuple[list[Line], int]]:
        """Yield the lines that the rule in line *at* may consist of, and where they end; the most probable ones first.

        A rule has the lines that are indented more. If these are not a rule, or the next paragraph begins with ``/``,
        it may go on behind a blank line, in lines that are not indented, or end where another rule begins.
        """
        end = self._indented(at + 1, margin)
        lines = self._without_margin(at, end, margin)
        longer, until = list(lines), end
        ways: list[tuple[list[Line], int]] = []
        for _ in range(MAX_GAPS):
            after = self._next_text(until)
            if after == len(self.lines) or self._began(after):
                break
            text = self.lines[after].text
            if text.startswith(margin) and text[len(margin)].isspace():
                until = self._indented(after, margin)
            elif after == until:  # right below, but not indented
                until = after + 1
            else:
                break
            longer += [Line(number, f"   {more.lstrip()}") for number, more in self.lines[after:until]]
            ways.append((list(longer), until))
        sure = 0  # so many paragraphs begin with /
        while sure < len(ways) and ways[sure][0][len(ways[sure - 1][0]) if sure else len(lines)].text[3:4] == "/":
            sure += 1
        yield from [*reversed(ways[:sure]), (lines, end), *ways[sure:]]
        inner = next((i for i in range(at + 1, end) if self._began(i)), end)
        if inner < end:
            yield self._without_margin(at, inner, margin), inner

    def _indented(self, at: int, margin: str) -> int:
        """Return the number of the first line from *at* on that is not indented more than *margin*."""
        for end in range(at, min(len(self.lines), at + MAX_LINES)):
            text = self.lines[end].text
            if not (text.startswith(margin) and text[len(margin) : len(margin) + 1] in {" ", "\t"} and text.strip()):
                return end
        return min(len(self.lines), at + MAX_LINES)

    def _next_text(self, at: int) -> int:
        return next((i for i in range(at, len(self.lines)) if self.lines[i].text.strip()), len(self.lines))

    def _without_margin(self, at: int, end: int, margin: str) -> list[Line]:
        return [Line(number, text[len(margin) :]) for number, text in self.lines[at:end]]


def _used(found: list[_Found], problems: list[Problem], maybe: list[tuple[str, Problem]]) -> list[_Found]:
    """Return *found* without what has no white space behind its = and whose name is not used: mostly no rules."""
    certain = [each for each in found if not each.tight]
    if not certain:
        problems += [problem for _, problem in maybe]
        return found
    by_name: dict[str, list[_Found]] = {}
    for each in found:
        by_name.setdefault(each.name, []).append(each)
    names: set[str] = {each.name for each in certain}
    todo = [each.definition for each in certain if each.definition]
    while todo:
        for name in {used.lower() for used in references(todo.pop().node)} - names:
            names.add(name)
            todo += [each.definition for each in by_name.get(name, []) if each.definition]
    problems += [problem for name, problem in maybe if name in names]
    return [each for each in found if not each.tight or each.name in names]


def _consistent(found: list[_Found], problems: list[Problem]) -> list[_Found]:
    """Return the rules that are a grammar together: each defined once, and added to behind its definition."""
    base: dict[str, _Found] = {}
    for each in found:
        if each.definition and not each.definition.adds:
            base.setdefault(each.name, each)
    kept: list[_Found] = []
    seen: set[tuple[str, bool, Node]] = set()
    waiting: dict[str, list[_Found]] = {}
    for each in found:
        if each.definition is None:
            kept.append(each)
            continue
        line = each.lines[0].number
        key = each.name, each.definition.adds, plain(each.definition.node)
        if key in seen:
            continue
        if each.name not in base:
            message = f"{each.definition.name} =/ adds to a rule that this text does not define"
            problems.append(Problem(line, message))
        elif each.definition.adds:
            seen.add(key)
            if base[each.name].lines[0].number > line:
                waiting.setdefault(each.name, []).append(each)
            else:
                kept.append(each)
        elif base[each.name] is each:
            seen.add(key)
            kept += [each, *waiting.pop(each.name, [])]
        else:
            first = base[each.name].lines[0].number
            message = f"rule {each.definition.name} is defined in another way in line {first}, which is kept"
            problems.append(Problem(line, message))
    return kept


def plain(node: Node) -> Node:
    """Return *node* for a comparison: names and strings of any case in lower case, without groups of one item."""
    match node:
        case Group(item=item) if not isinstance(item, Alternation | Concatenation):
            return plain(item)
        case Repetition() | Option() | Group():
            return replace(node, item=plain(node.item))
        case Concatenation() | Alternation():
            return replace(node, items=tuple(map(plain, node.items)))
        case Ref(name=name) | Prose(text=name):
            return Ref(name.lower())
        case Text(text=text, case_sensitive=False):
            return Text(text.lower())
        case Range() | Series():
            return replace(node, base="x")
    return node


def _short(text: str) -> str:
    shown = text.strip()
    return shown if len(shown) <= 60 else f"{shown[:58]} …"
