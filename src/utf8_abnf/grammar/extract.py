"""Extract the ABNF rules of a document as text, without margins and page breaks; list the lines left out."""

from __future__ import annotations

import contextlib
import re
from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from utf8_abnf.errors import GrammarError
from utf8_abnf.grammar.documents import Line, Problem, read_document
from utf8_abnf.grammar.model import core_rules, references, walk
from utf8_abnf.grammar.reader import read
from utf8_abnf.grammar.syntax import Prose, Range, Ref, Series, Text, fold, show

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from utf8_abnf.grammar.syntax import Node, Rule

_NAME = r"([ \t]*)([A-Za-z][A-Za-z0-9-]*)[ \t]*"
_RULE = re.compile(_NAME + r"=/?(?:[ \t]|$)")
_COLON = re.compile(_NAME + r"::?=")  # := as in RFC 2045
_COLONS = re.compile(r"^([A-Za-z0-9 \t-]*)(::?)(?==)")
_BNF = re.compile(r"([ \t]*)<([A-Za-z][A-Za-z0-9-]*)>[ \t]*(?:::?)?=")
_TIGHT = re.compile(_NAME + r"=/?(?=[^ \t])")
_ONLY_NAME = re.compile(_NAME + "$")
_DEFINED_AS = re.compile(r"[ \t]+(?:=/?(?:[ \t]|$)|::?=)")
MAX_LINES = 2000  # of one rule; the longest in the grammars that ship has 9
_OTHERS = re.compile(r';.*|(?:%[si])?"[^"]*"|%[xdb][0-9A-F.-]+|<[^>]*>|[^A-Za-z-]', re.IGNORECASE)  # beside names
ABNF_WORD = re.compile(r"abnf[0-9]*", re.IGNORECASE)  # a block of it: abnf, abnf9110
MAX_GAPS = 3  # blank lines inside of a rule
MAX_WORDS = 2  # of a line below a rule that may belong to it, though its words are not names of rules

# How certain it is that a candidate is a rule. In prose, the first two are more often something else: they are rules
# only if other rules use their names.
_ASSIGNMENT = 0  # name=element, or name = "" alone
_COLONS_ALONE = 1  # name := element
_SPACED = 2  # name = element, or name := element among other rules
_CODE = 3  # any of these where everything is ABNF


@dataclass(frozen=True, slots=True)
class Extraction:
    """The *text* of a grammar that was extracted, and the *problems*: what was not taken, with the line and why."""

    text: str
    problems: tuple[Problem, ...] = ()


@dataclass(frozen=True, slots=True)
class _Candidate:
    """What may be the rule *name*: its *rule*, or the *problem* with it. Without a name it is a comment.

    *block* counts the runs of rules with nothing but blank lines and comments between them. *blank*: a blank line is
    before it. *certainty* is one of those above.
    """

    block: int
    blank: bool
    certainty: int = _CODE
    name: str = ""
    lines: tuple[Line, ...] = ()
    rule: Rule | None = None
    problem: Problem | None = None


def extract(text: str, section: str | None = None, *, file: str = "<text>", lists: bool = False) -> Extraction:
    r"""Return the ABNF rules in *text* as a grammar; *text* is an RFC in its text form, RFC XML, or Markdown.

    The lines are those of the document, without margins, page breaks and the text between the rules; one blank line
    stays where there were some. A rule that is printed twice is taken once: rules are compared as syntax trees. What
    looks like a rule and cannot be read, or is not a grammar together with the others, is one of the *problems*.
    With *lists*, ``1#element`` is a list of HTTP. ``read_document`` says what the forms are, and what *section* means.
    ``GrammarError``, which names *file*, if it has no such section or the section no rule.

    >>> page_break = "\n\nAuthor          [Page 1]\n\f\nRFC 1    Title    May 2026\n\n"
    >>> extract(f"  We say:\n\n      a = %x61 /{page_break}          %x62\n").text
    'a = %x61 /\n    %x62\n'
    >>> extract("a = b\na = c\n").problems
    (Problem(line=2, message='rule a is defined in another way in line 1, which is kept'),)
    """
    document = read_document(text, section, file=file)
    begun = (_began(lines, at) for _, lines in document.passages for at in range(len(lines)))
    names = {began[2].lower() for began in begun if began}
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
    for candidate in kept:
        lines_out += [""] if candidate.blank and lines_out else []
        lines_out += [line.text for line in candidate.lines]
    return Extraction("".join(f"{line}\n" for line in lines_out), tuple(sorted(problems)))


def _began(lines: Sequence[Line], at: int) -> re.Match[str] | None:
    """Return the margin and the name of the rule that may begin in line *at*."""
    text = lines[at].text
    below = lines[at + 1].text if at + 1 < len(lines) else ""
    alone = _ONLY_NAME.match(text)
    if alone and below.startswith(alone[1]) and _DEFINED_AS.match(below[len(alone[1]) :]):
        return alone
    return _RULE.match(text) or _COLON.match(text) or _BNF.match(text) or _TIGHT.match(text)


class _Scan:
    """Finds the candidates in passages. In a *strict* one everything is ABNF; in another one there is prose as well.

    *names* are those of all that may be rules of the document.
    """

    def __init__(self, names: set[str], *, lists: bool) -> None:
        self.lists = lists
        self.names = names | core_rules().keys()
        self.candidates: list[_Candidate] = []
        self.problems: list[Problem] = []
        self.lines: Sequence[Line] = ()
        self.strict = False
        self.block = 0

    def passage(self, lines: Sequence[Line], *, strict: bool) -> None:
        """Find the candidates in a passage."""
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
                comment = Line(line.number, line.text.lstrip())
                self.candidates.append(_Candidate(self.block, blank, lines=(comment,)))
                blank = False
            elif line.text.strip():
                self.block += not self.strict
                if self.strict and not began:
                    self.problems.append(Problem(line.number, f"not a part of a rule: {_short(line.text)}"))
            blank = blank or not line.text.strip()
            at += 1

    def _rule(self, at: int, began: re.Match[str], *, blank: bool) -> int:
        """Take the rule that begins in line *at*; return the number of the line behind it, 0 if it is not read."""
        margin, name = began[1], began[2]
        certainty = _CODE if self.strict else {_TIGHT: _ASSIGNMENT, _COLON: _COLONS_ALONE}.get(began.re, _SPACED)
        candidate = _Candidate(self.block, blank, certainty, name.lower())
        for end in self._ends(at, margin):
            lines = self._taken(at, end, margin)
            if began.re in {_COLON, _ONLY_NAME}:
                lines[:2] = [line._replace(text=_without_colons(line.text)) for line in lines[:2]]
            line, why = lines[0].number, "it has several rules"
            try:
                rules = read("\n".join(line.text for line in lines), lists=self.lists)
            except GrammarError as error:
                rules = []
                line, why = lines[min(error.line, len(lines)) - 1].number, error.message
            if len(rules) == 1:
                candidate = replace(candidate, certainty=certainty, lines=tuple(lines), rule=rules[0])
                self.candidates.append(replace(candidate, problem=None))
                if certainty >= _SPACED:
                    self._mention(end, margin, rules[0].name)
                return end
            problem = candidate.problem or Problem(line, f"rule {name} cannot be read: {why}")
            candidate = replace(candidate, problem=problem)
        self.candidates.append(candidate)
        return 0

    def _mention(self, end: int, margin: str, name: str) -> None:
        """Report the line below a rule, at its level, if it may go on with the rule: if it reads as ABNF.

        Behind a blank line, it also has to have nothing but names of rules.
        """
        after = self._next_text(end)
        if after == len(self.lines) or (after > end and not self._continues(self.lines[after])):
            return
        text = self.lines[after].text if not self.lines[after].page else ""
        if self.strict or not text.startswith(margin) or not text[len(margin) :].strip() or text[len(margin)].isspace():
            return
        words = self._words(text)
        may_go_on = len(words) <= MAX_WORDS or not self.names.isdisjoint(words)
        with contextlib.suppress(GrammarError):
            if may_go_on and not _began(self.lines, after) and read(f"a = {text.strip()}"):
                message = f"this line may go on with rule {name}, and was left out: {_short(text)}"
                self.problems.append(Problem(self.lines[after].number, message))

    def _words(self, text: str) -> list[str]:
        """Return the names in *text*, which may be a part of a rule, in lower case."""
        return [word.strip("-").lower() for word in _OTHERS.sub(" ", text).split() if word.strip("-")]

    def _continues(self, line: Line) -> bool:
        """Return whether *line* certainly goes on with a rule: with a /, or with nothing but names of rules."""
        text = line.text.partition(";")[0].strip()
        return text.startswith("/") or (bool(text) and self.names.issuperset(self._words(text)))

    def is_abnf(self, rule: Rule) -> bool:
        """Return whether *rule* has more than names that are not those of rules, which prose has as well."""
        nodes = list(walk(rule.definition))
        known = (isinstance(node, Ref) and node.name.lower() in self.names for node in nodes)
        return any(known) or any(isinstance(node, Text | Range | Series | Prose) for node in nodes)

    def _ends(self, at: int, margin: str) -> Iterator[int]:
        """Yield the lines before which the rule in line *at* may end; the most probable ones first.

        A rule has the lines that are indented more. If these are not a rule, or what follows certainly goes on with it,
        it may go on behind a blank line, in lines that are not indented, or end with its page or where another begins.
        """
        end = until = self._indented(at + 1, margin)
        later: list[int] = []
        certain, goes_on = 0, True  # so many of *later*, because the lines before each go on with the rule for certain
        for _ in range(MAX_GAPS):
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
            later.append(until)
            is_certain = begins or (below and self._continues(self.lines[after]))
            goes_on = goes_on and (is_certain or text.lstrip().startswith(";"))
            certain = len(later) if goes_on and is_certain else certain
        page = next((i for i in range(at + 1, end) if self.lines[i].page), end)
        whole = [*reversed(later[:certain]), end]
        yield from whole if page == end or self._continues(self.lines[page]) else [page, *whole]
        yield from [page, *later[certain:]]
        yield next((i for i in range(at + 1, end) if _began(self.lines, i)), end)

    def _indented(self, at: int, margin: str) -> int:
        """Return the number of the first line from *at* on that is not indented more than *margin*."""
        for end in range(at, min(len(self.lines), at + MAX_LINES)):
            text = self.lines[end].text
            if not (text.startswith(margin) and text[len(margin) : len(margin) + 1] in {" ", "\t"} and text.strip()):
                return end
        return min(len(self.lines), at + MAX_LINES)

    def _next_text(self, at: int) -> int:
        return next((i for i in range(at, len(self.lines)) if self.lines[i].text.strip()), len(self.lines))

    def _taken(self, at: int, end: int, margin: str) -> list[Line]:
        """Return the lines of a rule without *margin*, and without blank lines; what is not indented is indented."""
        taken = [Line(self.lines[at].number, self.lines[at].text[len(margin) :])]
        for number, text, _ in self.lines[at + 1 : end]:
            inside = text[len(margin) :] if text.startswith(margin) else text.lstrip()
            if text.strip():
                taken.append(Line(number, inside if inside[0].isspace() else f"   {inside}"))
        return taken


def _used(scan: _Scan, problems: list[Problem]) -> tuple[list[_Candidate], dict[str, _Candidate]]:
    """Return the candidates of *scan* that are rules, and comments, and for each name the candidate that defines it.

    Examples of rules are left out, and so is what no rule uses, if it has to be used. *problems* gets those of others.
    """
    size = Counter(each.block for each in scan.candidates if each.rule)
    rules = Counter(each.block for each in scan.candidates if each.rule and each.certainty > _ASSIGNMENT)
    colons = Counter(each.block for each in scan.candidates if each.rule and each.certainty == _COLONS_ALONE)

    def among_others(candidate: _Candidate) -> int:  # the certainty that the block gives
        block, rule = candidate.block, candidate.rule
        if not rule:
            return candidate.certainty
        if candidate.certainty == _SPACED and size[block] == 1 and rule.definition == Text(""):
            return _ASSIGNMENT
        is_among = rules[block] > 1 and (colons[block] == rules[block] or scan.is_abnf(rule))
        return _SPACED if candidate.certainty == _COLONS_ALONE and is_among else candidate.certainty

    candidates = [replace(each, certainty=among_others(each)) for each in scan.candidates]
    by_name: dict[str, list[_Candidate]] = {}
    for each in candidates:
        by_name.setdefault(each.name, []).append(each)
    certain = [each for each in candidates if each.rule and each.certainty >= _SPACED]
    read_names = {each.name for each in certain}
    names = set(read_names or by_name)
    todo = list(certain)
    while todo:
        for name in _references(todo.pop()) - names:
            names.add(name)
            todo += by_name.get(name, [])
    defining = [each for each in candidates if each.rule and not each.rule.adds]
    defining.sort(key=lambda each: (each.certainty >= _SPACED, size[each.block], -each.lines[0].number))
    best = {each.name: each for each in defining}  # one that is certain, and stands among most rules

    def is_example(candidate: _Candidate) -> bool:  # of a rule that is read elsewhere
        is_certain, around = candidate.certainty >= _SPACED, size[candidate.block]
        if not candidate.rule:
            return candidate.name in read_names and not (is_certain and around)
        if candidate.certainty == _COLONS_ALONE or best.get(candidate.name, candidate) is candidate:
            return False
        is_alone = around == 1 and candidate.certainty < _CODE
        return not is_certain or (is_alone and not scan.names.issuperset(_references(candidate)))

    kept = []
    for candidate in candidates:
        if not candidate.name:
            kept.append(candidate)
        elif is_example(candidate):
            continue
        elif candidate.certainty >= _SPACED or candidate.name in names:
            if candidate.problem:
                problems.append(candidate.problem)
            else:
                kept.append(candidate)
        elif candidate.certainty == _COLONS_ALONE:
            if (rule := candidate.rule) and (rules[candidate.block] > 1 or scan.is_abnf(rule)):
                message = f"rule {rule.name} is left out: it has a := and no other rule uses it"
                problems.append(Problem(candidate.lines[0].number, message))
            elif candidate.problem and rules[candidate.block]:
                problems.append(candidate.problem)
    return kept, best


def _references(candidate: _Candidate) -> set[str]:
    return set(map(str.lower, references(candidate.rule.definition))) if candidate.rule else set()


def _without_colons(text: str) -> str:
    return _COLONS.sub(lambda match: match[1] + " " * len(match[2]), text)


def _consistent(found: list[_Candidate], best: dict[str, _Candidate], problems: list[Problem]) -> list[_Candidate]:
    """Return the rules that are a grammar together: each defined once, and added to behind its definition."""
    kept: list[_Candidate] = []
    seen: set[tuple[str, str]] = set()
    waiting: dict[str, list[_Candidate]] = {}
    for candidate in found:
        rule, defined = candidate.rule, best.get(candidate.name)
        if rule is None or candidate is defined:
            kept += [candidate, *waiting.pop(candidate.name, [])]
            continue
        line, addition = candidate.lines[0].number, (candidate.name, _meaning(rule))
        if not (defined and defined.rule):
            problems.append(Problem(line, f"{rule.name} =/ adds to a rule that this text does not define"))
        elif not rule.adds:
            if addition[1] != _meaning(defined.rule):
                first = defined.lines[0].number
                message = f"rule {rule.name} is defined in another way in line {first}, which is kept"
                problems.append(Problem(line, message))
        elif addition not in seen:
            seen.add(addition)
            is_early = defined.lines[0].number > line
            place = waiting.setdefault(candidate.name, []) if is_early else kept
            place.append(candidate)
    return kept


def _meaning(rule: Rule) -> str:
    """Return what a rule means: names and strings of any case in lower case, without bases of numbers and groups."""

    def leaf(node: Node) -> str:
        match node:
            case Ref(name=name) | Prose(text=name):
                return name.lower()
            case Text(text=text, case_sensitive=False):
                return show(Text(text.lower()))
            case Range() | Series():
                return show(replace(node, base="x"))
        return show(node)

    return fold(
        rule.definition,
        leaf,
        sequence=lambda parts: f"({' '.join(parts)})",
        choice=lambda parts: f"({' / '.join(parts)})",
        repeated=lambda low, high, part: f"{low}*{high}{part}",
    )


def _short(text: str) -> str:
    shown = text.strip()
    return shown if len(shown) <= 60 else f"{shown[:58]} …"
