"""Parse bytes with the reader and the engine of the ``abnf`` package; return a ``Tree``.

Rule 1: ``abnf`` decides (pure Python, pinned). We only prepare its input: each rule, and each alternative of a rule
that has several, becomes an ``abnf`` rule made from the text of the grammar, so that the tree shows which alternative
matched. Bytes go in as latin-1, one character each. Where values are code points, the decoded text goes in: what is
not UTF-8 is refused before, and offsets are turned into those of bytes afterwards.
Rule 2: "cannot tell" is never "no". Recursion, size and effort have limits; above them there is an ``UndecidedError``.
Rule 3: it says whether, not where. ``utf8_abnf.automaton.explain`` says what was expected.

Of several derivations the tree shows the one that ``abnf`` takes: the longest first item of a concatenation, then the
longest second item, and so on; the first alternative in the order of the grammar; the fewest items of a repetition.
"""

from __future__ import annotations

import os
import re
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from utf8_abnf.errors import ParseError, UndecidedError, Utf8AbnfError
from utf8_abnf.grammar.analysis import left_recursion, place
from utf8_abnf.grammar.model import walk
from utf8_abnf.grammar.syntax import Ref, Repetition, show
from utf8_abnf.grammar.values import UTF8
from utf8_abnf.language import grammars as messages
from utf8_abnf.language.catalogue import Message
from utf8_abnf.parsers.tree import Tree

_before = os.environ.get("ABNF_NO_RUST")
os.environ["ABNF_NO_RUST"] = "1"  # read once, while the package is imported
try:
    from abnf import parser as abnf
finally:
    if _before is None:
        del os.environ["ABNF_NO_RUST"]
    else:
        os.environ["ABNF_NO_RUST"] = _before

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from typing_extensions import Buffer

    from utf8_abnf.grammar import Grammar
    from utf8_abnf.grammar.syntax import Node, Rule

MAX_WHOLE = 4096  # bytes parsed at once: time and memory of abnf may be quadratic
MAX_STEPS = 200_000  # matches tried at once, a few seconds; 4 kB of URI or ABNF take half of it
MAX_REPEAT = 10_000  # abnf expands the required items of a repetition
NOT_DERIVED = "the grammar does not derive these bytes"

_COMMENT = re.compile(r'("[^"]*"|<[^>]*>)|;[^\r\n]*')
_LINE_END = re.compile(r"[\r\n]+")


class ReferenceParser:
    r"""Decides and parses bytes with the ``abnf`` package. *start* is the start rule, by default the grammar's first.

    ``GrammarError`` if the grammar cannot be used: an undefined rule, prose, a wrong value, or left recursion.

    >>> from utf8_abnf.grammar import Grammar
    >>> parser = ReferenceParser(Grammar.load("utf8"))
    >>> parser.accepts(b"\xc2\xa9"), parser.accepts(b"\xc0\x80")
    (True, False)
    >>> print(parser.parse(b"\xed\x9f\xbf").to_text(b"\xed\x9f\xbf"))
    UTF8-octets              0..3  ED 9F BF
      UTF8-char/3            0..3  ED 9F BF  U+D7FF
        UTF8-3/3             0..3  ED 9F BF  U+D7FF
          UTF8-tail          2..3  BF
    """

    def __init__(self, grammar: Grammar, start: str | None = None) -> None:
        if abnf._BACKEND != "python":
            raise Utf8AbnfError("abnf was imported with its Rust backend; set ABNF_NO_RUST=1 before importing abnf")
        self.start = grammar[start or grammar.start]
        grammar.check(self.start.name)
        if names := left_recursion(grammar, self.start.name):
            circle = " → ".join((*names, names[0]))
            grammar.fail(Message(messages.LEFT_RECURSION, circle=circle), place(grammar, names))
        self._in_code_points = grammar.values == UTF8
        self._engine = _Engine(grammar, self.start)

    def accepts(self, data: Buffer) -> bool:
        """Return whether the start rule derives *data*; ``UndecidedError`` above a limit."""
        try:
            self._parsed(bytes(data))
        except ParseError:
            return False
        return True

    def parse(self, data: Buffer) -> Tree:
        """Return the tree of *data*; ``ParseError`` if there is none. ``UndecidedError`` above a limit."""
        node, text = self._parsed(bytes(data))
        is_wide = self._in_code_points
        offsets = [0, *accumulate(len(char.encode()) for char in text)] if is_wide else range(len(text) + 1)
        return self._engine.tree(node, 0, offsets)[0]

    def _parsed(self, data: bytes) -> tuple[Any, str]:
        """Return the tree of ``abnf``, and what it reads: one character for each value."""
        try:
            text = data.decode("utf-8" if self._in_code_points else "latin-1")
        except UnicodeDecodeError:
            raise ParseError(NOT_DERIVED) from None
        if len(text) > MAX_WHOLE:
            raise UndecidedError(Message(messages.LONG_FOR_REFERENCE, size=len(text), most=MAX_WHOLE))
        self._engine.meter.left = MAX_STEPS
        try:
            node, end = self._engine.rules(self._engine.start).parse(text, 0)
        except abnf.ParseError as error:
            if isinstance(error.__cause__, RecursionError):
                raise UndecidedError(Message(messages.DEEP_FOR_REFERENCE)) from None
            raise ParseError(NOT_DERIVED) from None
        except (_OutOfStepsError, RecursionError, MemoryError):
            raise UndecidedError(Message(messages.STEPS_OF_REFERENCE)) from None
        if end < len(text):
            raise ParseError(NOT_DERIVED)
        return node, text


class _Engine:
    """The ``abnf`` rules of a grammar. Rule number 3 has the name ``r3`` there, its second alternative ``r3-2``.

    So no name is that of a core rule, which ``abnf`` does not allow a grammar to define.
    """

    def __init__(self, grammar: Grammar, start: Rule) -> None:
        self.grammar = grammar
        self.meter = _Meter()
        self.meanings: dict[str, tuple[str, int]] = {}  # name there: (rule, alternative)
        self.rules: Any = type("GrammarRule", (abnf.Rule,), {"_obj_map": {}})  # has its own registry, freed with it
        reachable = grammar.reachable(start.name)
        self.names = {rule.name.lower(): f"r{number}" for number, rule in enumerate(reachable)}
        self.start = self.names[start.name.lower()]
        for rule in reachable:
            self._define(rule)

    def tree(self, node: Any, start: int, offsets: Sequence[int]) -> tuple[Tree, int]:
        """Return *node* of ``abnf``, which begins at character *start*, as our tree, and the character behind it.

        *offsets* has the offset in bytes of each character, and of the end of the text.
        """
        rule, alternative = self.meanings[node.name]
        if alternative < 0:  # a rule with several alternatives: its one child is the one that matched
            (node,) = node.children
            rule, alternative = self.meanings[node.name]
        at = start
        children = []
        for child in node.children:
            if child.name == "literal":
                at += child.length
            else:
                below, at = self.tree(child, at, offsets)
                children.append(below)
        return Tree(rule, alternative, offsets[start], offsets[at], tuple(children)), at

    def _define(self, rule: Rule) -> None:
        name = self.names[rule.name.lower()]
        if len(rule.alternatives) == 1:
            self.meanings[name] = (rule.name, 0)
            self._create(name, self._source(rule, rule.definition))
            return
        self.meanings[name] = (rule.name, -1)
        numbered = [f"{name}-{number}" for number in range(1, len(rule.alternatives) + 1)]
        self._create(name, " / ".join(numbered))
        for number, (each, node) in enumerate(zip(numbered, rule.alternatives, strict=True), start=1):
            self.meanings[each] = (rule.name, number)
            self._create(each, self._source(rule, node))

    def _create(self, name: str, elements: str) -> None:
        rule = self.rules.create(f"{name} = {elements}")
        rule.definition = self._metered(rule.definition)

    def _source(self, rule: Rule, node: Node) -> str:
        """Return the text of *node* on one line, without comments, with our names for the rules."""
        text = self.grammar.source(rule)
        pieces = []
        at = node.span.start
        for each in walk(node):
            if isinstance(each, Ref):
                pieces += [text[at : each.span.start], self.names[each.name.lower()]]
                at = each.span.end
            elif isinstance(each, Repetition) and each.low > MAX_REPEAT:
                raise UndecidedError(Message(messages.REPEATS_OF_REFERENCE, item=show(each), most=MAX_REPEAT))
        pieces.append(text[at : node.span.end])
        return _LINE_END.sub(" ", _COMMENT.sub(lambda found: found[1] or "", "".join(pieces)))

    def _metered(self, parser: Any) -> Any:
        """Return *parser* with a meter wherever ``abnf`` multiplies matches, in some grammars exponentially."""
        match parser:
            case abnf.Alternation():
                return abnf.Alternation(*map(self._metered, parser.parsers))
            case abnf.Concatenation():
                return abnf.Concatenation(*(_Metered(self._metered(each), self.meter) for each in parser.parsers))
            case abnf.Repetition():
                return abnf.Repetition(parser.repeat, _Metered(self._metered(parser.element), self.meter))
            case abnf.Option():
                return abnf.Option(self._metered(parser.alternation))
        return parser


class _OutOfStepsError(Exception):
    """Not an error of ``abnf``, which it would understand as "does not match"."""


class _Meter:
    """What is left of the steps."""

    left = 0

    def spend(self) -> None:
        self.left -= 1
        if self.left < 0:
            raise _OutOfStepsError


class _Metered:
    """A parser that counts its calls and its matches."""

    def __init__(self, parser: Any, meter: _Meter) -> None:
        self.parser = parser
        self.meter = meter

    def lparse(self, source: str, start: int) -> Iterator[Any]:
        self.meter.spend()
        for match in self.parser.lparse(source, start):
            self.meter.spend()
            yield match
