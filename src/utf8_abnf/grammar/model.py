"""Hold the rules of a grammar by name, with the core rules that they use and their places, as a ``Grammar``."""

from __future__ import annotations

import difflib
import os
import re
from collections import deque
from dataclasses import dataclass, field, replace
from functools import cache
from typing import TYPE_CHECKING, NoReturn, TypeVar

from utf8_abnf.errors import GrammarError
from utf8_abnf.grammar.files import grammar_folder, grammar_path, shipped_grammars
from utf8_abnf.grammar.reader import position, read
from utf8_abnf.grammar.syntax import (
    Alternation,
    Group,
    Prose,
    Range,
    Ref,
    Repetition,
    Rule,
    Series,
    Span,
    children,
    show,
)
from utf8_abnf.grammar.values import BYTES, MAX_BYTE, MAX_CODE_POINT, UTF8, byte_strings, greatest_value
from utf8_abnf.language import syntax_errors as messages
from utf8_abnf.language.catalogue import Message

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path
    from typing import Literal

    from utf8_abnf.grammar.syntax import Node
    from utf8_abnf.grammar.values import Values

T = TypeVar("T")

MAX_BYTES = 8 << 20  # of a grammar file; the largest RFC grammars have some 100 kB
# A name that may be a value without its %, such as x41 or xC2-0xDF; not d1 or b0, because rules often have such names.
VALUE = re.compile(
    r"([xX][0-9A-Fa-f]+|[dD](?:[0-9]{2,}|[0-9](?=-))|[bB](?:[01]{2,}|[01](?=-)))(?:-(?:0?[xX])?([0-9A-Fa-f]+))?"
)


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Grammar:
    """An ABNF grammar. Make one with ``load`` or ``parse``. Two grammars are equal only if they are the same object.

    *text* is the grammar's text, and *file* is the name that messages show. *rules* has the rules by their names in
    lower case, in the order of the text, and after them the core rules of RFC 5234 appendix B.1 that they use. *values*
    says what a value in it is: a byte or, with ``"utf-8"``, a code point, which stands for its bytes in UTF-8. *depth*
    limits automata of a grammar that is not regular: they leave out what uses a rule more than so many times within
    itself. Parsers have no limit. *origins* has file, line and column of the rules that came from other texts, by their
    names in lower case. *notes* are sentences about what means something else here than it says.

    >>> grammar = Grammar.load("utf8")
    >>> grammar.start, grammar["utf8-TAIL"].name
    ('UTF8-octets', 'UTF8-tail')
    """

    text: str
    file: str
    rules: Mapping[str, Rule]
    values: Values = BYTES
    depth: int | None = None
    origins: Mapping[str, tuple[str, int, int]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    @classmethod
    def load(
        cls,
        source: str | os.PathLike[str],
        *,
        values: Values | Literal["auto"] = "auto",
        start: str | None = None,
        lists: bool = False,
    ) -> Grammar:
        """Return the grammar that ships under the name *source* (``"utf8"``, ``"urn"``), or the grammar in that file.

        *values*, *start* and *lists*: see ``parse``. ``GrammarError``, with file, line and column, if it is not
        valid ABNF (RFC 5234, RFC 7405). ``OSError`` if the file cannot be read.
        """
        name = os.fspath(source)
        file = f"grammar/{name}.abnf" if name in shipped_grammars() else name
        return cls.parse(_text(grammar_path(name), file), file=file, values=values, start=start, lists=lists)

    @classmethod
    def parse(
        cls,
        text: str,
        *,
        file: str = "<grammar>",
        values: Values | Literal["auto"] = "auto",
        start: str | None = None,
        lists: bool = False,
    ) -> Grammar:
        """Return the grammar written in *text*; *file* is the name that messages show.

        *values* says what a value is, ``"bytes"`` or a code point in ``"utf-8"``; ``"auto"`` takes code points if one
        that the rule *start* (default: the first) reaches exceeds FF. *lists*: ``1#element`` is a list of HTTP.

        >>> Grammar.parse("any = %x0-10FFFF").values, Grammar.parse("any = %x00-FF").values
        ('utf-8', 'bytes')
        >>> Grammar.parse("greeting = 'hello'")
        Traceback (most recent call last):
        utf8_abnf.errors.GrammarError: <grammar>:1:12: expected an element, got "'"; write strings in double quotes, \
as in "abc"
        """
        written = read(text, file, lists=lists)
        if not written:
            raise GrammarError(Message(messages.NO_RULES), file=file)
        own = _joined(written, text, file)
        grammar = cls(text, file, own | _used_core_rules(own))
        if values == "auto":
            values = UTF8 if grammar.greatest_value(start) > MAX_BYTE else BYTES
        return replace(grammar, values=values)

    @property
    def start(self) -> str:
        """The name of the first rule, which is the start rule unless the caller names another one."""
        return next(iter(self.rules.values())).name

    def __getitem__(self, name: str) -> Rule:
        """Return the rule *name*, in any case, core rules included; ``GrammarError`` if there is none."""
        if rule := self.rules.get(name.lower()) or core_rules().get(name.lower()):
            return rule
        raise GrammarError(Message(messages.NO_RULE, name=name, remedy=self._similar(name)), file=self.file)

    def __contains__(self, name: str) -> bool:
        return name.lower() in self.rules or name.lower() in core_rules()

    def source(self, rule: Rule) -> str:
        """Return the text that the spans of *rule* refer to: ``text``, or that of RFC 5234 for a core rule."""
        return core_text() if rule.core else self.text

    def position(self, span: Span) -> tuple[int, int]:
        """Return the line and the column, in characters and counted from 1, where *span* begins in ``text``.

        >>> grammar = Grammar.load("utf8")
        >>> grammar.position(grammar["UTF8-tail"].definition.span)
        (9, 15)
        """
        return position(self.text, span.start)

    def fail(self, message: str, span: Span) -> NoReturn:
        """Raise a ``GrammarError`` that points at *span*."""
        file, line, column = self.where(span)
        raise GrammarError(message, file=file, line=line, column=column)

    def where(self, span: Span) -> tuple[str, int, int]:
        """Return file, line and column of *span*; in a rule that came from another grammar, those of the rule there."""
        for name, origin in self.origins.items():
            rule = self[name].span
            if rule.start <= span.start < rule.end:
                return origin
        return (self.file, *self.position(span))

    def reachable(self, start: str | None = None) -> tuple[Rule, ...]:
        """Return the rules that *start* (default: the first rule) reaches: itself first, each before the rules it uses.

        Undefined names are skipped; ``check`` and ``lint`` report them.
        """
        first = self[start or self.start]
        reached = {first.name.lower(): first}
        todo = [first]
        while todo:
            fresh = [
                self[name] for name in references(todo.pop().definition) if name.lower() not in reached and name in self
            ]
            reached.update({rule.name.lower(): rule for rule in fresh})
            todo.extend(reversed(list({rule.name: rule for rule in fresh}.values())))
        return tuple(reached.values())

    def greatest_value(self, start: str | None = None) -> int:
        """Return the greatest value that *start* (default: the first rule) reaches, -1 if there is none."""
        return greatest(self.reachable(start))

    def check(self, start: str | None = None) -> None:
        """Raise ``GrammarError`` if bytes cannot be parsed from the rule *start* (default: the first rule).

        The error names the first obstacle: an undefined rule, one that is itself in another case, prose, a value above
        FF where values are bytes, or not a scalar value where they are code points. Surrogates in a range are
        left out.
        """
        for rule in self.reachable(start):
            whole = rule.definition
            while isinstance(whole, Group):
                whole = whole.item
            if isinstance(whole, Ref) and is_in_another_case(whole.name, rule.name):
                self.fail(Message(messages.DEFINED_AS_ITSELF, name=rule.name, other=whole.name), rule.span)
            for node in walk(rule.definition):
                match node:
                    case Ref(name=name) if name not in self:
                        self.fail(Message(messages.UNKNOWN_RULE, name=name, remedy=self._similar(name)), node.span)
                    case Prose(text=text):
                        self.fail(Message(messages.PROSE, text=text), node.span)
                    case Range() | Series():
                        self._check_values(node)

    def _check_values(self, node: Range | Series) -> None:
        greatest = greatest_value(node)
        if self.values == BYTES and greatest > MAX_BYTE:
            self.fail(Message(messages.BEYOND_BYTE, value=f"{greatest:X}"), node.span)
        if greatest > MAX_CODE_POINT:
            self.fail(Message(messages.BEYOND_UNICODE, value=f"{greatest:X}"), node.span)
        if not byte_strings(node, self.values):
            self.fail(Message(messages.ONLY_SURROGATES, values=show(node)), node.span)

    def _similar(self, name: str) -> Message:
        if value := VALUE.fullmatch(name):
            return Message(messages.WRITE_VALUE, name="-".join(filter(None, value.groups())))
        if re.fullmatch("[A-Za-z]-[A-Za-z]", name):
            return Message(messages.RANGE)
        close = difflib.get_close_matches(name.lower(), self.rules, n=1)
        if close:
            return Message(messages.DID_YOU_MEAN, name=self.rules[close[0]].name)
        return Message(messages.DEFINE_IT)


@cache
def core_text() -> str:
    """Return the text of ``grammar/core.abnf``, which the spans of the core rules refer to."""
    return (grammar_folder() / "core.abnf").read_text("ascii")


@cache
def core_rules() -> dict[str, Rule]:
    """Return the core rules by their names in lower case."""
    return {rule.name.lower(): replace(rule, core=True) for rule in read(core_text(), "grammar/core.abnf")}


def is_in_another_case(name: str, rule: str) -> bool:
    """Return whether *name* is the name of *rule*, written in another case."""
    return name != rule and name.lower() == rule.lower()


def greatest(rules: Iterable[Rule]) -> int:
    """Return the greatest value in *rules*, -1 if there is none."""
    return max((greatest_value(node) for rule in rules for node in walk(rule.definition)), default=-1)


def walk(node: Node, below: Callable[[Node], Sequence[Node]] = children) -> Iterator[Node]:
    """Yield *node* and all nodes below it, in the order of the text; *below* returns those right below a node.

    >>> from utf8_abnf.grammar.syntax import Group, Repetition
    >>> [type(each).__name__ for each in walk(Repetition(0, None, Group(Ref("b"))))]
    ['Repetition', 'Group', 'Ref']
    """
    todo = [node]
    while todo:
        each = todo.pop()
        yield each
        todo.extend(reversed(below(each)))


def references(node: Node, below: Callable[[Node], Sequence[Node]] = children) -> list[str]:
    """Return the rule names in *node*, in the order of the text, with repetitions; *below* as in ``walk``."""
    return [each.name for each in walk(node, below) if isinstance(each, Ref)]


def uses(node: Node) -> list[str]:
    """Return the rule names in *node* that a derivation can use: all but those that are repeated no times, as ``0a``.

    >>> from utf8_abnf.grammar.syntax import Repetition
    >>> uses(Repetition(0, 0, Ref("a"))), references(Repetition(0, 0, Ref("a")))
    ([], ['a'])
    """
    return references(node, used_children)


def used_children(node: Node) -> tuple[Node, ...]:
    """Return the nodes right below *node* that a derivation can use."""
    return () if isinstance(node, Repetition) and node.high == 0 else children(node)


def settled(rules: Iterable[Rule], value: Callable[[Node, Mapping[str, T]], T], first: T) -> dict[str, T]:
    """Return a value for each of *rules*, by its name in lower case: that of its definition.

    *value* finds that of a node from those of the rules. All begin with *first*, and are found again as long as one
    that they use changes: so it must change in one direction only, and not for ever.
    """
    todo, users = deque(rules), dict[str, list[Rule]]()
    todo.reverse()  # rules before those that use them, as far as the grammar is in the usual order
    for rule in todo:
        for used in references(rule.definition):
            users.setdefault(used.lower(), []).append(rule)
    values = {rule.name.lower(): first for rule in todo}
    while todo:
        rule = todo.popleft()
        now = value(rule.definition, values)
        if now != values[rule.name.lower()]:
            values[rule.name.lower()] = now
            todo += users.get(rule.name.lower(), [])
    return values


def _joined(written: list[Rule], text: str, file: str) -> dict[str, Rule]:
    """Join what ``=`` and ``=/`` define for each rule."""
    rules: dict[str, Rule] = {}

    def refuse(message: str, rule: Rule, **facts: object) -> NoReturn:
        line, column = position(text, rule.span.start)
        raise GrammarError(Message(message, name=rule.name, **facts), file=file, line=line, column=column)

    for rule in written:
        known = rules.get(rule.name.lower())
        if known and not rule.adds:
            twice = messages.DEFINED_TWICE if known.name == rule.name else messages.DEFINED_IN_ANOTHER_CASE
            refuse(twice, rule, line=position(text, known.span.start)[0], other=known.name)
        if rule.adds and not known:
            refuse(messages.ADDED_FIRST, rule)
        if known:
            span = Span(known.definition.span.start, rule.span.end)
            rule = replace(known, definition=Alternation((*known.alternatives, *rule.alternatives), span))
        rules[rule.name.lower()] = rule
    return rules


def _used_core_rules(own: dict[str, Rule]) -> dict[str, Rule]:
    used: dict[str, Rule] = {}
    todo = deque(name.lower() for rule in own.values() for name in references(rule.definition))
    while todo:
        name = todo.popleft()
        if name not in own and name not in used and name in core_rules():
            used[name] = core_rules()[name]
            todo.extend(each.lower() for each in references(used[name].definition))
    return used


def _text(path: Path, file: str) -> str:
    with path.open("rb") as stream:
        data = stream.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise GrammarError(Message(messages.LONG_FILE, most=MAX_BYTES), file=file)
    return data.decode("utf-8", "surrogateescape")  # the reader names what is not ASCII, with line and column
