"""Extract the ABNF rules of a document as text, without margins and page breaks; list the lines left out."""

from __future__ import annotations

import contextlib
import re
from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from utf8_abnf.errors import GrammarError
from utf8_abnf.grammar.core import core_rules
from utf8_abnf.grammar.documents import Line, Problem, read_document
from utf8_abnf.grammar.model import references, walk
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
_COLON = re.compile(_NAME + r"::?=")  # := as in RFC 2045
_COLONS = re.compile(r"^([A-Za-z0-9 \t-]*)(::?)(?==)")
_BNF = re.compile(r"([ \t]*)<([A-Za-z][A-Za-z0-9-]*)>[ \t]*(?:::?)?=")
_TIGHT = re.compile(_NAME + r"=/?(?=[^ \t])")  # name=element, which in prose is more often something else
_ONLY_NAME = re.compile(_NAME + "$")
_DEFINED_AS = re.compile(r"[ \t]+(?:=/?(?:[ \t]|$)|::?=)")
MAX_LINES = 2000  # of one rule; the longest in the grammars that ship has 9
_OTHERS = re.compile(r';.*|(?:%[si])?"[^"]*"|%[xdb][0-9A-F.-]+|<[^>]*>|[^A-Za-z-]', re.IGNORECASE)  # beside names
ABNF_WORD = re.compile(r"abnf[0-9]*", re.IGNORECASE)  # a block of it: abnf, abnf9110
MAX_GAPS = 3  # blank lines inside of a rule
MAX_WORDS = 2  # of a line below a rule that may belong to it, though its words are not names of rules


@dataclass(frozen=True, slots=True)
class Extraction:
    """The *text* of a grammar that was extracted, and the *problems*: what was not taken, with the line and why."""

    text: str
    problems: tuple[Problem, ...] = ()


@dataclass(frozen=True, slots=True)
class _Found:
    """A rule in the document, or comments (without *definition*): its lines, and whether a blank line is before it.

    *block* counts the runs of rules with nothing but blank lines and comments between them. *maybe*: it is a rule only
    if others use its name, because it is *tight*, without white space behind its =, or stands alone with a :=
    (*colon*). *sure*: it stands where everything is ABNF.
    """

    lines: tuple[Line, ...]
    definition: Definition | None
    blank: bool
    block: int
    maybe: bool = False
    tight: bool = False
    colon: bool = False
    sure: bool = False

    @property
    def name(self) -> str:
        return self.definition.name.lower() if self.definition else ""


class _Unread(NamedTuple):
    """What looks like the rule *name* and cannot be read; *maybe* as in ``_Found``."""

    name: str
    problem: Problem
    block: int
    maybe: bool
    colon: bool


def extract(text: str, section: str | None = None, *, file: str = "<text>", lists: bool = False) -> Extraction:
    r"""Return the ABNF rules in *text* as a grammar; *text* is an RFC in its text form, RFC XML, or Markdown.

    The lines are those of the document, without margins, page breaks and the text between the rules; one blank line
    stays where there were some. A rule that is printed twice is taken once: rules are compared as syntax trees. What
    looks like a rule and cannot be read, or is not a grammar together with the others, is one of the *problems*.
    With *lists*, ``1#element`` is a list of HTTP. ``read_document`` says what the forms are, and what *section* means.
    ``GrammarError``, with the name *file*, if
    there is no such section or no rule in it.

    >>> page_break = "\n\nAuthor          [Page 1]\n\f\nRFC 1    Title    May 2026\n\n"
    >>> extract(f"  We say:\n\n      a = %x61 /{page_break}          %x62\n").text
    'a = %x61 /\n    %x62\n'
    >>> extract("a = b\na = c\n").problems
    (Problem(line=2, message='rule a is defined in another way in line 1, which is kept'),)
    """
    document = read_document(text, section, file=file)
    names = {began[2].lower() for passage in document.passages for began in _all_began(passage.lines)}
    scan = _Scan(names, lists=lists)
    for words, lines in document.passages:
        if not words or ABNF_WORD.fullmatch(words[0]):
            scan.passage(lines, strict=bool(words))
    problems = [*document.problems, *scan.problems]
    kept = _consistent(*_used(scan, problems), problems)
    if not kept and not problems:
        where = f"section {section}" if section else "this text"
        raise GrammarError(f"{where} has no ABNF rule: expected lines such as  name = elements", file=file)
    lines_out: list[str] = []
    for each in kept:
        lines_out += [""] if each.blank and lines_out else []
        lines_out += [line.text for line in each.lines]
    return Extraction("".join(f"{line}\n" for line in lines_out), tuple(sorted(problems)))


def _all_began(lines: Sequence[Line]) -> Iterator[re.Match[str]]:
    return filter(None, (_began(lines, at) for at in range(len(lines))))


def _began(lines: Sequence[Line], at: int) -> re.Match[str] | None:
    """Return the margin and the name of the rule that may begin in line *at*."""
    text = lines[at].text
    below = lines[at + 1].text if at + 1 < len(lines) else ""
    alone = _ONLY_NAME.match(text)
    if alone and below.startswith(alone[1]) and _DEFINED_AS.match(below[len(alone[1]) :]):
        return alone
    return _RULE.match(text) or _COLON.match(text) or _BNF.match(text) or _TIGHT.match(text)


class _Scan:
    """Finds the rules of passages. In a *strict* one everything is ABNF; in another one there is prose as well.

    *names* are those of all that may be rules of the document.
    """

    def __init__(self, names: set[str], *, lists: bool) -> None:
        self.lists = lists
        self.names = names | core_rules().keys()
        self.found: list[_Found] = []
        self.unread: list[_Unread] = []
        self.problems: list[Problem] = []
        self.lines: Sequence[Line] = ()
        self.strict = False
        self.block = 0

    def passage(self, lines: Sequence[Line], *, strict: bool) -> None:
        """Find the rules of a passage."""
        self.lines, self.strict = lines, strict
        self.block += 1
        at, blank = 0, False
        while at < len(lines):
            line = lines[at]
            began = _began(lines, at)
            if began and (end := self._rule(at, began, blank=blank)):
                at, blank = end, False
                continue
            if self.strict and line.text.lstrip().startswith(";"):
                self.found.append(_Found((Line(line.number, line.text.lstrip()),), None, blank, self.block))
                blank = False
            elif line.text.strip():
                self.block += not self.strict
                if self.strict and not began:
                    self.problems.append(Problem(line.number, f"not a part of a rule: {_short(line.text)}"))
            blank = blank or not line.text.strip()
            at += 1

    def _rule(self, at: int, began: re.Match[str], *, blank: bool) -> int:
        """Take the rule that begins in line *at*; return the number of the line behind it, 0 if it is not read."""
        maybe = not self.strict and began.re in {_TIGHT, _COLON}
        refused = None
        for lines, end in self._readings(at, began[1]):
            if began.re in {_COLON, _ONLY_NAME}:
                lines[:2] = [each._replace(text=_without_colons(each.text)) for each in lines[:2]]
            try:
                (definition,) = read("\n".join(line.text for line in lines), lists=self.lists)
            except (GrammarError, ValueError) as error:
                refused = refused or error
                continue
            kind = (maybe, maybe and began.re is _TIGHT, maybe and began.re is _COLON)
            self.found.append(_Found(tuple(lines), definition, blank, self.block, *kind, self.strict))
            if not maybe:
                self._mention(end, began[1], definition.name)
            return end
        line = self.lines[at].number
        why = "it has several rules"
        if isinstance(refused, GrammarError):
            lines = next(self._readings(at, began[1]))[0]
            line, why = lines[min(refused.line, len(lines)) - 1].number, refused.message
        problem = Problem(line, f"rule {began[2]} cannot be read: {why}")
        self.unread.append(_Unread(began[2].lower(), problem, self.block, maybe, began.re is _COLON))
        return 0

    def _mention(self, end: int, margin: str, name: str) -> None:
        """Report the line below a rule, at its level, if it may go on with the rule: if it reads as ABNF.

        Behind a blank line, it also has to have nothing but names of rules.
        """
        after = self._next_text(end)
        if after == len(self.lines) or (after > end and not self._continues(self.lines[after])):
            return
        text, end = self.lines[after].text if not self.lines[after].page else "", after
        if self.strict or not text.startswith(margin) or not text[len(margin) :].strip() or text[len(margin)].isspace():
            return
        words = self._words(text)
        may_go_on = len(words) <= MAX_WORDS or not self.names.isdisjoint(words)
        with contextlib.suppress(GrammarError):
            if may_go_on and not _began(self.lines, end) and read(f"a = {text.strip()}"):
                message = f"this line may go on with rule {name}, and was left out: {_short(text)}"
                self.problems.append(Problem(self.lines[end].number, message))

    def _words(self, text: str) -> list[str]:
        """Return the names in *text*, which may be a part of a rule, in lower case."""
        return [word.strip("-").lower() for word in _OTHERS.sub(" ", text).split() if word.strip("-")]

    def _continues(self, line: Line) -> bool:
        """Return whether *line* certainly goes on with a rule: with a /, or with nothing but names of rules."""
        text = line.text.partition(";")[0].strip()
        return text.startswith("/") or (bool(text) and self.names.issuperset(self._words(text)))

    def is_abnf(self, found: _Found) -> bool:
        """Return whether *found* has more than names that are not those of rules, which prose has as well."""
        nodes = [] if found.definition is None else list(walk(found.definition.node))
        known = (isinstance(node, Ref) and node.name.lower() in self.names for node in nodes)
        return any(known) or any(isinstance(node, Text | Range | Series | Prose) for node in nodes)

    def _readings(self, at: int, margin: str) -> Iterator[tuple[list[Line], int]]:
        """Yield the lines that the rule in line *at* may consist of, and where they end; the most probable ones first.

        A rule has the lines that are indented more. If these are not a rule, or what follows certainly goes on with it,
        it may go on behind a blank line, in lines that are not indented, or end with its page or where another begins.
        """
        end = self._indented(at + 1, margin)
        lines = self._without_margin(at, end, margin)
        longer, until = list(lines), end
        ways: list[tuple[list[Line], int]] = []
        sure = skipped = 0  # so many of them certainly go on; the comments behind these
        for gap in range(MAX_GAPS):
            after = self._next_text(until)
            if after == len(self.lines) or _began(self.lines, after):
                break
            text = self.lines[after].text
            begins, below = text.lstrip().startswith("/"), after == until
            if text.startswith(margin) and text[len(margin)].isspace():
                until = self._indented(after, margin)
            elif below or begins:  # but not indented
                until = after + 1
            else:
                break
            longer += [Line(number, f"   {more.lstrip()}") for number, more, _ in self.lines[after:until]]
            ways.append((list(longer), until))
            if sure + skipped == gap and (begins or (below and self._continues(self.lines[after]))):
                sure, skipped = gap + 1, 0
            elif sure + skipped == gap and text.lstrip().startswith(";"):
                skipped += 1
        page = next((i for i in range(at + 1, end) if self.lines[i].page), end)
        cut = [(self._without_margin(at, page, margin), page)] if page < end else []
        whole = [*reversed(ways[:sure]), (lines, end)]
        yield from [*whole, *cut] if page == end or self._continues(self.lines[page]) else [*cut, *whole]
        yield from ways[sure:]
        inner = next((i for i in range(at + 1, end) if _began(self.lines, i)), end)
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
        return [Line(number, text[len(margin) :]) for number, text, _ in self.lines[at:end]]


def _used(scan: _Scan, problems: list[Problem]) -> tuple[list[_Found], dict[str, _Found | None]]:
    """Return the rules that *scan* found, and for each name its definition.

    Those that are none, because no other rule uses their names, are left out.
    """
    size = Counter(each.block for each in scan.found if each.definition)
    found = [each for each in scan.found if size[each.block] > 1 or not _is_assignment(each)]
    colons = Counter(each.block for each in found if each.colon)
    rules = Counter(each.block for each in found if each.definition and not each.tight)

    def is_among_rules(each: _Found) -> bool:  # with a :=
        return rules[each.block] > 1 and (colons[each.block] == rules[each.block] or scan.is_abnf(each))

    found = [replace(each, maybe=each.tight or (each.colon and not is_among_rules(each))) for each in found]
    certain = [each for each in found if not each.maybe]
    taken = {each.name for each in certain}
    # What cannot be read, of a rule that is read elsewhere, is an example of it, if it stands in prose.
    unread = [each for each in scan.unread if not (each.name in taken and (each.maybe or not size[each.block]))]
    by_name: dict[str, list[_Found]] = {}
    for each in found:
        by_name.setdefault(each.name, []).append(each)
    names = taken if certain else {each.name for each in found} | {each.name for each in unread}
    todo = [each.definition for each in certain if each.definition]
    while todo:
        for name in {used.lower() for used in references(todo.pop().node)} - names:
            names.add(name)
            todo += [each.definition for each in by_name.get(name, []) if each.definition]
    problems += [
        each.problem for each in unread if not each.maybe or each.name in names or (each.colon and size[each.block])
    ]
    best = {  # of several definitions of a rule: one that is certain, and stands among most rules
        name: max((each for each in several if each.definition and not each.definition.adds),
            key=lambda each: (not each.maybe, size[each.block]), default=None)
        for name, several in by_name.items()
    }  # fmt: skip

    def is_example(each: _Found) -> bool:  # of a rule that is defined elsewhere
        if not each.definition or each.colon or not best[each.name] or best[each.name] is each:
            return False
        alone = size[each.block] == 1 and not each.sure
        return each.maybe or (alone and not scan.names.issuperset(map(str.lower, references(each.definition.node))))

    problems += [
        Problem(each.lines[0].number, f"rule {each.definition.name} is left out: it has a := and no other rule uses it")
        for each in found
        if each.definition and each.colon and each.maybe and each.name not in names
        if rules[each.block] > 1 or scan.is_abnf(each)
    ]
    return [each for each in found if (not each.maybe or each.name in names) and not is_example(each)], best


def _without_colons(text: str) -> str:
    return _COLONS.sub(lambda match: match[1] + " " * len(match[2]), text)


def _is_assignment(found: _Found) -> bool:
    """Return whether *found* is a line such as ``result = ""``, which prose has in examples of programs."""
    return not found.sure and found.definition is not None and found.definition.node == Text("")


def _consistent(found: list[_Found], base: dict[str, _Found | None], problems: list[Problem]) -> list[_Found]:
    """Return the rules that are a grammar together: each defined once, and added to behind its definition."""
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
        defined = base[each.name]
        if not defined:
            message = f"{each.definition.name} =/ adds to a rule that this text does not define"
            problems.append(Problem(line, message))
        elif each.definition.adds:
            seen.add(key)
            if defined.lines[0].number > line:
                waiting.setdefault(each.name, []).append(each)
            else:
                kept.append(each)
        elif defined is each:
            seen.add(key)
            kept += [each, *waiting.pop(each.name, [])]
        elif key[2] != plain(defined.definition.node if defined.definition else Text("")):
            first = defined.lines[0].number
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
