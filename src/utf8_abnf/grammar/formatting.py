"""Format the text of a grammar in the standard layout, with the same rules and comments.

Rule 1: the syntax tree stays the same, and every comment is kept. Names, numbers and strings stay as they are written.
Rule 2: formatting a formatted text changes nothing.
Rule 3: the author's line breaks stay where they are at a ``/`` or outside of brackets. A line that is too long is
broken before a ``/`` or an element. A line that goes on with a rule begins below its first element or, if it begins
with a ``/``, below its ``=``; within brackets, in the same manner from the bracket on.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import groupby, pairwise
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from utf8_abnf.grammar.reader import read

if TYPE_CHECKING:
    from collections.abc import Iterator

    from utf8_abnf.grammar.syntax import Rule

WIDTH = 72  # columns, as in RFCs
MAX_NAME = 24  # columns; a longer name does not move the = of the rules around it
MAX_INDENT = 48  # columns; what stands further to the right has the lines that go on with it below, not beside it
INDENT = 4  # of such lines in a rule with a long name

_REPEAT = r"(?:[0-9]*[*#][0-9]*|[0-9]+)?"
_TOKEN = re.compile(
    rf"(?P<comment>;[^\r\n]*)|(?P<line>\r?\n)|[ \t]+|(?P<open>{_REPEAT}[(\[])|(?P<close>[)\]])|(?P<slash>/)"
    rf'|(?P<element>{_REPEAT}(?:(?:%[siSI])?"[^"\r\n]*"|<[^>\r\n]*>|[%A-Za-z][^\s()\[\]/;"<]*))'
)


class _Comment(NamedTuple):
    """A comment; *goes_on*: with the comment at the end of the line above, below which it stands."""

    text: str
    goes_on: bool

    def line(self, indent: str) -> _Line:
        """Return a line of the comment alone."""
        return _Line("", self.text) if self.goes_on else _Line(indent + self.text)


@dataclass(slots=True)
class _Atom:
    """What no line break divides. *kind*: ``=`` or ``=/`` for the name of a rule, else that of its token, or ``end``.

    *breaks*: a line break is before it. *above* are the comments on lines of their own before it, *behind* is the one
    at the end of its line.
    """

    text: str
    kind: str
    breaks: bool = False
    above: list[_Comment] = field(default_factory=list)
    behind: _Comment | None = None


class _Line(NamedTuple):
    """A line of the result. Its comment stands in one column with those of the lines around it."""

    code: str
    comment: str = ""


_Rule: TypeAlias = list[_Atom]


def formatted(text: str, *, file: str = "<grammar>", width: int = WIDTH, line_end: str | None = None) -> str:
    r"""Return the grammar *text* in the standard layout, in lines of *width* columns where that is possible.

    The ``=`` of rules without a blank line between them stand in one column. *line_end* is LF or CRLF (default: that
    of the first line). ``GrammarError``, with the name *file*, if the text cannot be read.

    >>> print(formatted("a=b/c ; one\nbc = 2(d\n  / e)"), end="")
    a  = b / c  ; one
    bc = 2( d
          / e )
    """
    line_end = line_end or ("\r\n" if re.match(r"[^\n]*\r\n", text) else "\n")
    while (made := _once(text, file, width)) != text:  # a round keeps these line breaks and may add some: this ends
        text = made
    return text.replace("\n", line_end)


def _once(text: str, file: str, width: int) -> str:
    blocks = _Scanner(text).blocks(read(text, file, lists=True))
    return "\n".join("".join(f"{line}\n" for line in _aligned(list(_lines(each, width)), width)) for each in blocks)


class _Scanner:
    """Takes a text apart: blocks of rules, each as its atoms, and of comments that belong to no rule."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.line_ends = 1  # since the last atom or comment
        self.comments_at: int | None = None  # the column of the comment that the next line may go on with

    def blocks(self, rules: list[Rule]) -> Iterator[list[_Rule | _Comment]]:
        """Yield the blocks; a blank line is between one and the next."""
        block: list[_Rule | _Comment] = []
        margin = self._column(rules[0].span.start) if rules else 0
        at = 0
        for rule in (*rules, None):
            start = rule.span.start if rule else len(self.text)
            for token in _TOKEN.finditer(self.text, at, start):
                if token.lastgroup == "line":
                    self.line_ends += 1
                elif token.lastgroup == "comment":
                    if self.line_ends > 1 and block:
                        yield block
                        block = []
                    comment, is_behind = self._comment(token)
                    last = block[-1] if block and not isinstance(block[-1], _Comment) else None
                    if last and is_behind:
                        last[-2].behind = comment
                    elif last and (comment.goes_on or self._column(token.start()) > margin):
                        last[-1].above.append(comment)
                    else:
                        block.append(comment)
            if rule:
                if self.line_ends > 1 and block:
                    yield block
                    block = []
                block.append(self._rule(rule))
                at = rule.span.end
        if block:
            yield block

    def _rule(self, rule: Rule) -> _Rule:
        atoms = [_Atom(rule.name, "=/" if rule.adds else "=")]
        above: list[_Comment] = []
        self.line_ends, self.comments_at = 0, None
        begin = rule.span.start + len(rule.name)
        for token in _TOKEN.finditer(self.text, begin, rule.span.end):
            kind = token.lastgroup
            if kind == "line":
                self.line_ends += 1
            elif kind == "comment":
                _attach(*self._comment(token), atoms, above)
            elif kind and token.start() >= rule.definition.span.start:  # else it is the / of =/
                atoms.append(_Atom(token[0], kind, self.line_ends > 0, above))
                if atoms[-2].kind == "slash":  # a line that ends with a / shall begin with it
                    atoms[-2].breaks |= atoms[-1].breaks
                self.line_ends, self.comments_at, above = 0, None, []
        return [*atoms, _Atom("", "end")]

    def _comment(self, token: re.Match[str]) -> tuple[_Comment, bool]:
        """Return the comment *token*, and whether it stands behind something in its line."""
        column, is_behind = self._column(token.start()), not self.line_ends
        goes_on = self.line_ends == 1 and self.comments_at is not None and column >= self.comments_at
        self.comments_at = column if is_behind else self.comments_at if goes_on else None
        self.line_ends = 0
        return _Comment(token[0].rstrip(), goes_on), is_behind

    def _column(self, offset: int) -> int:
        return offset - self.text.rfind("\n", 0, offset) - 1


def _attach(comment: _Comment, is_behind: bool, atoms: _Rule, above: list[_Comment]) -> None:
    """Put *comment* where it belongs: to the last of *atoms*, or *above* the next one."""
    last = atoms[-1]
    if last.kind == "slash":  # it shall begin the next line
        if is_behind and not (last.breaks or last.above or atoms[-2].behind):
            atoms[-2].behind = comment
        else:
            last.above.append(comment)
    elif is_behind or (len(atoms) == 1 and not last.behind):
        last.behind = comment
    else:
        above.append(comment)


def _lines(block: list[_Rule | _Comment], width: int) -> Iterator[_Line]:
    heads = [item[0] for item in block if not isinstance(item, _Comment)]
    name = max((len(head.text) for head in heads if len(head.text) <= MAX_NAME), default=0)
    sign = max((len(head.kind) for head in heads), default=0)
    for item in block:
        if isinstance(item, _Comment):
            yield item.line("")
        else:
            yield from _laid_out(item, f"{item[0].text:{name}} {item[0].kind:{sign}}", width)


def _laid_out(rule: _Rule, code: str, width: int) -> Iterator[_Line]:
    """Yield the lines of *rule*, which begins with *code*."""
    columns = [len(code) + 1 if len(code) < MAX_INDENT else INDENT]  # of the elements: in the rule, in each bracket
    for at, (before, atom) in enumerate(pairwise(rule), 1):
        if before.behind or atom.above or (at > 1 and _has_break(rule, at, len(code), columns, width)):
            yield _Line(code.rstrip(), before.behind.text if before.behind else "")
            yield from (comment.line(" " * columns[-1]) for comment in atom.above)
            code = " " * (columns[-1] - 2 * (atom.kind in {"slash", "close"}))
        else:
            code += " "
        code += atom.text
        if atom.kind == "open":
            columns.append(len(code) + 1 if len(code) < MAX_INDENT else columns[-1] + 2)
        elif atom.kind == "close":
            columns.pop()
    if code.strip():
        yield _Line(code.rstrip())


def _has_break(rule: _Rule, at: int, column: int, columns: list[int], width: int) -> bool:
    """Return whether the atom number *at* begins a line, though no comment ends the line before, up to *column*."""
    atom, before = rule[at], rule[at - 1]
    if atom.kind in {"close", "end"} or before.kind in {"open", "slash"}:
        return False
    if atom.breaks and (atom.kind == "slash" or len(columns) == 1):
        return True
    if _fits(rule, at, column + 1, width):
        return False
    return atom.kind != "open" or column >= MAX_INDENT or _fits(rule, at, columns[-1], width)


def _fits(rule: _Rule, at: int, column: int, width: int) -> bool:
    """Return whether the item that begins with atom *at* fits into the line from *column* on, up to its first break.

    It is an element, what is between brackets or, from a / on, an alternative; with brackets that close behind it.
    """
    depth = 0
    for atom, following in pairwise(rule[at:]):
        column += len(atom.text)
        if column > width:
            return False
        depth += (atom.kind == "open") - (atom.kind == "close")
        goes_on = depth > 0 or (rule[at].kind == "slash" and following.kind != "slash" and depth == 0)
        if atom.behind or following.above or not (goes_on or following.kind == "close"):
            break
        if following.breaks and following.kind == "slash":
            break
        column += 1
    return True


def _aligned(lines: list[_Line], width: int) -> Iterator[str]:
    """Yield *lines* with their comments: of lines that follow each other in one column, if all have room there."""
    for has_comment, run in groupby(lines, lambda line: bool(line.comment)):
        several = list(run)
        column = max(len(line.code) for line in several) + 2
        fit = has_comment and all(column + len(line.comment) <= width for line in several)
        for line in several:
            if line.code and not fit:
                column = len(line.code) + 2
            yield f"{line.code:{column}}{line.comment}" if has_comment else line.code
