"""Write a ``Grammar`` for Lark, and parse bytes with Lark to a ``Tree``.

Rule 1: only the mode of Lark that is right for bytes is used. Each terminal is one byte of a class, no two classes
share a byte, and the lexer is the basic one. (Measured with lark 1.3.1: overlapping ranges lose matches, and Earley's
dynamic lexer accepts C0 80.)
Rule 2: LALR is used only if Lark's strict mode finds no conflict, otherwise Earley. Without strict mode, LALR accepts
grammars with conflicts, and the parser then rejects valid input.
"""

from __future__ import annotations

import contextlib
from itertools import groupby
from math import prod
from typing import TYPE_CHECKING, Any, NamedTuple

import lark
from lark.lexer import BasicLexer

from utf8_abnf.errors import ParseError, UndecidedError
from utf8_abnf.grammar.model import walk
from utf8_abnf.grammar.syntax import (
    Alternation,
    Concatenation,
    Group,
    Option,
    Range,
    Ref,
    Repetition,
    Series,
    Text,
    show,
)
from utf8_abnf.grammar.values import byte_classes, byte_strings, joined, mask_of
from utf8_abnf.language import grammars as messages
from utf8_abnf.language.catalogue import Message
from utf8_abnf.parsers.tree import Tree

if TYPE_CHECKING:
    from lark.common import LexerConf
    from typing_extensions import Buffer

    from utf8_abnf.grammar import Grammar
    from utf8_abnf.grammar.syntax import Node, Rule
    from utf8_abnf.grammar.values import Ranges

TERMINALS = (Range, Series, Text)
MAX_EARLEY = 16_384  # bytes: Earley needs some 11 kB of memory for each
MAX_WAYS = 64  # in which Lark writes out one sequence; if there are more, its parts become helper rules


def to_lark(grammar: Grammar, start: str | None = None) -> str:
    r"""Return the rules that *start* (default: the first rule) uses as a Lark grammar over bytes.

    Use it as ``Lark(text, start=…, parser="lalr", lexer="basic", use_bytes=True, strict=True)``, or with
    ``parser="earley"`` where that raises an error. Rule names are in lower case with ``_`` for ``-``; an alternative is
    named ``utf8_3__2``. ``GrammarError`` if the grammar cannot be parsed as bytes.

    >>> from utf8_abnf.grammar import Grammar
    >>> print(to_lark(Grammar.parse("word = 2*letter\nletter = %x61-7A")))
    // word = 2*letter
    word: letter~2 letter*
    <BLANKLINE>
    // letter = %x61-7A
    letter: B61_7A
    <BLANKLINE>
    B61_7A: /[a-z]/
    <BLANKLINE>
    """
    return _written(grammar, start)[0].text


def _written(grammar: Grammar, start: str | None) -> tuple[_LarkWriter, lark.Lark]:
    """Return the Lark grammar and an Earley parser for it; in the wide form only if Lark refuses the plain form."""
    writer = _LarkWriter(grammar, start)
    try:
        return writer, writer.built("earley")
    except lark.exceptions.GrammarError:  # two alternatives of a rule are the same symbols
        writer = _LarkWriter(grammar, start, wide=True)
        return writer, writer.built("earley")


class _Part(NamedTuple):
    """A part of a rule in Lark, and in how many *ways* Lark writes it out: those of several parts multiply."""

    text: str
    ways: int


class _ByteLexer(BasicLexer):
    """Lark's basic lexer without its search for terminals that overlap, which takes most of the time.

    Rule 1 says that there are none, and ``tests/parsers/test_lark.py`` tries all bytes on all terminals.
    """

    __future_interface__ = 2  # the state of the lexer and that of the parser are passed, as to the basic lexer

    def __init__(self, conf: LexerConf) -> None:
        conf.skip_validation = True
        super().__init__(conf)


class _LarkWriter:
    """The names and the text of a Lark grammar. In the *wide* form, each alternative is a helper rule."""

    def __init__(self, grammar: Grammar, start: str | None, *, wide: bool = False) -> None:
        grammar.check(start)
        self.grammar = grammar
        self.wide = wide
        self.rules = grammar.reachable(start)
        self.start = _lark_name(self.rules[0].name)
        self.classes = _classes(self._all_ranges())
        self.helpers: dict[str, str] = {}
        self.groups: dict[str, str] = {}
        self.meanings = {
            _lark_name(rule.name): (rule.name, 0) for rule in self.rules
        }  # name there: (rule, alternative)
        blocks = [self._rule(rule) for rule in self.rules]
        blocks += [f"{name}: {elements}".rstrip() for name, elements in self.helpers.items()]
        blocks.append("\n".join(f"{_terminal(*each)}: {_pattern(*each)}" for each in self.classes))
        self.text = "\n\n".join(blocks) + "\n"

    def built(self, algorithm: str, **options: Any) -> lark.Lark:
        return lark.Lark(
            self.text,
            start=self.start,
            parser=algorithm,
            lexer=_ByteLexer,
            use_bytes=True,
            maybe_placeholders=False,
            **options,
        )

    def _rule(self, rule: Rule) -> str:
        name = _lark_name(rule.name)
        source = f"\n// {' ' * len(rule.name)} / ".join(show(node) for node in rule.alternatives)
        texts = [self._sequence(node).text for node in rule.alternatives]
        if len(texts) > 1:
            texts = [self._alternative(rule, number, text) for number, text in enumerate(texts, start=1)]
        return f"// {rule.name} = {source}\n{name}: " + f"\n{' ' * len(name)}| ".join(texts)

    def _alternative(self, rule: Rule, number: int, text: str) -> str:
        alias = f"{_lark_name(rule.name)}__{number}"
        while alias in self.meanings:  # a rule of the grammar may have just this name
            alias += "_"
        self.meanings[alias] = (rule.name, number)
        if self.wide:
            self.helpers[f"_{alias}"] = text
            text = f"_{alias}"
        return f"{text} -> {alias}"

    def _sequence(self, node: Node) -> _Part:
        """Return *node* as a sequence in Lark."""
        match node:
            case Concatenation(items=items):
                parts = [self._sequence(item) for item in items]
                if prod(part.ways for part in parts) > MAX_WAYS:
                    parts = [self._named(part) for part in parts]
                return _Part(" ".join(part.text for part in parts), prod(part.ways for part in parts))
            case Repetition(low=low, high=high, item=item):
                return self._repeated(self._item(item), low, high)
            case Option(item=item):
                part = self._item(item)
                return _Part(f"{part.text}?", 1 + part.ways)
            case Range() | Series() | Text():
                strings = [" ".join(map(self._byte, each)) for each in self._strings(node)]
                text = (strings[0] or self._nothing()) if len(strings) == 1 else f"( {' | '.join(strings)} )"
                return _Part(text, len(strings))
        return self._item(node)

    def _named(self, part: _Part) -> _Part:
        """Return a helper rule for *part*, so that Lark writes it out once."""
        if part.ways == 1:
            return part
        name = self.groups.setdefault(part.text, f"_group_{len(self.groups) + 1}")
        self.helpers[name] = part.text
        return _Part(name, 1)

    def _strings(self, node: Node) -> list[list[Ranges]]:
        return byte_strings(node, self.grammar.values)

    def _all_ranges(self) -> set[Ranges]:
        terminals = (node for rule in self.rules for node in walk(rule.definition) if isinstance(node, TERMINALS))
        return {ranges for node in terminals for string in self._strings(node) for ranges in string}

    def _item(self, node: Node) -> _Part:
        """Return *node* as an item that Lark can repeat: a name or a group."""
        match node:
            case Ref(name=name):
                return _Part(_lark_name(self.grammar[name].name), 1)
            case Group(item=item):
                return self._item(item)
            case Alternation(items=items):
                parts = [self._sequence(item) for item in items]
                return _Part(f"( {' | '.join(part.text for part in parts)} )", sum(part.ways for part in parts))
            case Range() if len(self._strings(node)[0]) == 1:  # one byte, or a group of alternatives
                return self._sequence(node)
        part = self._sequence(node)
        return _Part(f"( {part.text} )", part.ways)

    def _repeated(self, part: _Part, low: int, high: int | None) -> _Part:
        if high == 0:
            return _Part(self._nothing(), 1)
        if (high or low) > 1:
            part = self._named(part)
        item = part.text
        if high is None:
            first = {0: "", 1: ""}.get(low, f"{item}~{low} ")
            return _Part(first + (f"{item}+" if low == 1 else f"{item}*"), 1 if low == 1 else 2)
        return _Part(f"{item}~{low}" if low == high else f"{item}~{low}..{high}", high - low + 1)

    def _nothing(self) -> str:
        self.helpers["_nothing"] = ""
        return "_nothing"

    def _byte(self, ranges: Ranges) -> str:
        mask = mask_of(ranges)
        inside = [_terminal(low, high) for low, high in self.classes if mask >> low & 1]
        if len(inside) == 1:
            return inside[0]
        name = "_any"
        for low, high in joined(ranges):
            name += f"_{low:02x}" if low == high else f"_{low:02x}to{high:02x}"
        self.helpers[name] = " | ".join(inside)
        return name


def _lark_name(name: str) -> str:
    return name.lower().replace("-", "_")  # no two names become the same: an ABNF name has no underscore


def _classes(all_ranges: set[Ranges]) -> list[tuple[int, int]]:
    """Return the bytes in *all_ranges*, first and last of each run that none of these divides: one terminal each."""
    runs = [list(run) for _, run in groupby(range(256), byte_classes(all_ranges).__getitem__)]
    pairs = {pair for ranges in all_ranges for pair in ranges}
    return [(run[0], run[-1]) for run in runs if any(low <= run[0] <= high for low, high in pairs)]


def _terminal(low: int, high: int) -> str:
    return f"B{low:02X}" if low == high else f"B{low:02X}_{high:02X}"


def _pattern(low: int, high: int) -> str:
    return f"/{_escaped(low)}/" if low == high else f"/[{_escaped(low)}-{_escaped(high)}]/"


def _escaped(byte: int) -> str:
    char = chr(byte)
    if char.isascii() and char.isalnum():
        return char
    # Lark turns \xHH into the character before it compiles the pattern: "+" would become an operator.
    return f"\\{char}" if 0x21 <= byte <= 0x7E else f"\\x{byte:02x}"


class LarkParser:
    r"""Decides and parses bytes with Lark. *start* is the start rule, by default the grammar's first.

    *algorithm* is the one that Lark uses: ``"lalr"``, in linear time, or ``"earley"`` if the grammar has conflicts.
    If the grammar is ambiguous, the tree is one of those that it allows.

    >>> from utf8_abnf.grammar import Grammar
    >>> parser = LarkParser(Grammar.load("utf8"))
    >>> parser.algorithm, parser.accepts(b"\xc2\xa9"), parser.accepts(b"\xc0\x80")
    ('lalr', True, False)
    """

    def __init__(self, grammar: Grammar, start: str | None = None) -> None:
        self._writer, self._lark = _written(grammar, start)
        self.algorithm = "earley"
        with contextlib.suppress(lark.exceptions.GrammarError):  # conflicts, which strict mode finds
            self._lark = self._writer.built("lalr", strict=True)
            self.algorithm = "lalr"

    def accepts(self, data: Buffer) -> bool:
        """Return whether the start rule derives *data*; ``UndecidedError`` if *data* is too long for Earley."""
        try:
            self._parsed(bytes(data))
        except ParseError:
            return False
        return True

    def parse(self, data: Buffer) -> Tree:
        """Return the tree of *data*; ``ParseError`` if there is none."""
        return self._shared(self._parsed(bytes(data)))

    def _parsed(self, data: bytes) -> lark.Tree[Any]:
        if self.algorithm == "earley" and len(data) > MAX_EARLEY:
            raise UndecidedError(Message(messages.LONG_FOR_EARLEY, size=len(data), most=MAX_EARLEY))
        try:
            return self._lark.parse(data)
        except lark.exceptions.UnexpectedInput:
            raise ParseError("the grammar does not derive these bytes") from None

    def _shared(self, top: lark.Tree[Any]) -> Tree:
        """Return Lark's tree as ours, without recursion. Each token is one byte, so offsets are counts of tokens."""
        at = 0
        open_nodes: list[tuple[str, int, list[Any], list[Tree]]] = []
        open_nodes.append((str(top.data), 0, list(reversed(top.children)), []))
        while True:
            name, start, todo, children = open_nodes[-1]
            while todo and not isinstance(todo[-1], lark.Tree):
                todo.pop()
                at += 1
            if todo:
                child = todo.pop()
                open_nodes.append((str(child.data), at, list(reversed(child.children)), []))
                continue
            open_nodes.pop()
            made = Tree(*self._writer.meanings[name], start, at, tuple(children))
            if not open_nodes:
                return made
            open_nodes[-1][3].append(made)
