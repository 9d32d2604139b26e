"""The reference parser: the reader and the engine of the ``abnf`` package, on the text of the grammar, for bytes.

Rule 1: ``abnf`` decides (pure Python, pinned). We only prepare its input: each rule, and each alternative of a rule
that has several, becomes an ``abnf`` rule made from the text of the grammar, so that the tree tells which alternative
matched. Bytes go in as latin-1, one character each. Where values are code points, the decoded text goes in: what is
ill-formed is refused before, and offsets are turned into those of bytes afterwards.
Rule 2: "cannot tell" is never "no". Recursion, size and effort have limits; above them there is an ``UndecidedError``.
Rule 3: where the start rule is ``*( X )`` and the words of X are a prefix code, ``abnf`` parses one X after another,
each in a slice as long as the longest X. Language and tree are the same, and the time is linear; ``abnf`` alone is
quadratic there (10 kB of UTF-8 take 0.4 GB).

Of several derivations the tree shows the one that ``abnf`` takes: the longest first item of a concatenation, then the
longest second item, and so on; the first alternative in the order of the grammar; the fewest items of a repetition.
"""

from __future__ import annotations

import contextlib
import os
import re
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from utf8_abnf.errors import ParseError, UndecidedError, Utf8AbnfError
from utf8_abnf.grammar.analysis import left_recursion, place, repeated_prefix_code
from utf8_abnf.grammar.model import walk
from utf8_abnf.grammar.syntax import Ref, Repetition, show
from utf8_abnf.grammar.values import UTF8
from utf8_abnf.language import grammars as messages
from utf8_abnf.language.catalogue import Message
from utf8_abnf.language.notation import byte_range, code_point_range
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
MAX_KNOWN = 4096  # words of a prefix code that are kept

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
        _refuse_left_recursion(grammar, self.start.name)
        self._in_code_points = grammar.values == UTF8
        self._loop = repeated_prefix_code(grammar, self.start)
        self._engine = _Engine(grammar, self.start, self._loop.item if self._loop else None)
        self._known: dict[str, Tree] = {}

    def accepts(self, data: Buffer) -> bool:
        """Return whether the start rule derives *data*; ``UndecidedError`` above a limit."""
        try:
            for _ in self._parts(self._text(bytes(data))):
                pass
        except (ParseError, _RefusedError):
            return False
        return True

    def parse(self, data: Buffer) -> Tree:
        """Return the tree of *data*.

        ``ParseError`` if the start rule does not derive it: *offset* is the first byte (the first character, where
        values are code points) that cannot be right. ``UndecidedError`` above a limit.
        """
        text = self._text(bytes(data))
        try:
            parts = list(self._parts(text))
        except _RefusedError as refused:
            raise self._refusal(*refused.where) from None
        if self._loop:
            children = tuple(child for part in parts for child in part.children)
            whole = Tree(self.start.name, 0, 0, len(text), children)
        else:
            (whole,) = parts
        return _in_bytes(whole, _byte_offsets(text)) if self._in_code_points else whole

    def _text(self, data: bytes) -> str:
        """Return *data* as ``abnf`` reads it: one character for each value."""
        if not self._in_code_points:
            return data.decode("latin-1")
        try:
            return data.decode()
        except UnicodeDecodeError as error:
            raise self._not_utf8(data, error) from None

    def _not_utf8(self, data: bytes, error: UnicodeDecodeError) -> ParseError:
        """Return where *data* cannot go on: in what is not UTF-8, or before it if the grammar refuses that."""
        with contextlib.suppress(UndecidedError):
            try:
                for _ in self._parts(data[: error.start].decode()):
                    pass
            except _RefusedError as refused:
                sooner = self._refusal(*refused.where)
                if sooner.offset < error.start:
                    return sooner
            except ParseError:  # another number of rounds, at the end of what is UTF-8
                pass
        offset = error.start if error.reason == "invalid start byte" else error.end
        return ParseError(f"offset {offset}: {error.reason}: not UTF-8", offset=offset)

    def _offset(self, text: str, at: int) -> int:
        """Return the offset in bytes of the character *at* of *text*."""
        return len(text[:at].encode()) if self._in_code_points else at

    def _parts(self, text: str) -> Iterator[Tree]:
        """Yield the whole tree; or, in a loop, a tree for each round, of which only the children are used."""
        if not self._loop:
            yield self._engine.tree(self._whole(text), 0)
            return
        at = rounds = 0
        while at < len(text):
            part = self._one(text, at)
            yield part
            at = part.end
            rounds += 1
        if rounds < self._loop.low or (self._loop.high is not None and rounds > self._loop.high):
            message = f"{rounds} times {show(self._loop.item)} is not a number that {self.start.name} allows"
            raise ParseError(message, offset=self._offset(text, at))

    def _whole(self, text: str) -> Any:
        if len(text) > MAX_WHOLE:
            raise UndecidedError(Message(messages.LONG_FOR_REFERENCE, size=len(text), most=MAX_WHOLE))
        node, end = self._ask(self._engine.start, text)
        if end < len(text):
            raise _RefusedError(self._engine.start, text, 0, len(text))
        return node

    def _one(self, text: str, at: int) -> Tree:
        assert self._loop
        for length in range(1, self._loop.longest + 1):  # at most one word of a prefix code begins here
            known = self._known.get(text[at : at + length])
            if known and known.end == length:
                return _moved(known, at)
        node, end = self._ask(_LOOP, text, at, at + self._loop.longest)
        found = self._engine.tree(node, 0)
        if len(self._known) < MAX_KNOWN:
            self._known[text[at : at + end]] = found
        return _moved(found, at)

    def _ask(self, name: str, text: str, start: int = 0, end: int | None = None) -> tuple[Any, int]:
        """Let ``abnf`` parse the longest beginning of *text[start:end]*; separate its "no" from its "cannot tell"."""
        self._engine.meter.left = MAX_STEPS
        try:
            return self._engine.rules(name).parse(text[start:end], 0)  # type: ignore[no-any-return]
        except abnf.ParseError as error:
            if isinstance(error.__cause__, RecursionError):
                raise UndecidedError(Message(messages.DEEP_FOR_REFERENCE)) from None
            raise _RefusedError(name, text, start, len(text) if end is None else end) from None
        except (_OutOfStepsError, RecursionError, MemoryError):
            raise UndecidedError(Message(messages.STEPS_OF_REFERENCE)) from None

    def _refusal(self, name: str, text: str, start: int, end: int) -> ParseError:
        """Return where *text* cannot go on, and what was expected: what ``abnf`` tried at the farthest place."""
        meter = self._engine.meter
        meter.farthest, meter.left, ends = -1, MAX_STEPS, {0} if self._loop else set()
        with contextlib.suppress(abnf.ParseError, _OutOfStepsError, RecursionError, MemoryError):
            ends.update(match.start for match in self._engine.rules(name).lparse(text[start:end], 0))
        farthest = max(0, meter.farthest, *ends)
        at = start + farthest
        wanted = [self._shown(*each) for each in sorted(meter.wanted)] if meter.farthest == farthest else []
        wanted += ["or the end"] if at - start in ends else []
        got = f"got {self._shown(text[at], text[at])}" if at < len(text) else "the input ends"
        expected = ", ".join(wanted).replace(", or the end", " or the end").removeprefix("or ")
        offset = self._offset(text, at)
        return ParseError(f"offset {offset}: expected {expected}; {got}", offset=offset, expected=expected)

    def _shown(self, low: str, high: str) -> str:
        return (code_point_range if self._in_code_points else byte_range)(ord(low), ord(high))


_LOOP = "loop"


class _Engine:
    """The ``abnf`` rules of a grammar. Rule number 3 has the name ``r3`` there, its second alternative ``r3-2``.

    So no name is that of a core rule, which ``abnf`` does not allow a grammar to define.
    """

    def __init__(self, grammar: Grammar, start: Rule, loop: Node | None) -> None:
        self.grammar = grammar
        self.meter = _Meter()
        self.meanings = {_LOOP: ("", 0)}  # name there: (rule, alternative)
        self.rules: Any = type("GrammarRule", (abnf.Rule,), {"_obj_map": {}})  # has its own registry, freed with it
        reachable = grammar.reachable(start.name)
        self.names = {rule.name.lower(): f"r{number}" for number, rule in enumerate(reachable)}
        self.start = self.names[start.name.lower()]
        for rule in reachable:
            self._define(rule)
        if loop:
            self._create(_LOOP, self._source(start, loop))

    def tree(self, node: Any, start: int) -> Tree:
        """Return *node* of ``abnf``, which begins at *start*, as our tree."""
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
                children.append(self.tree(child, at))
                at = children[-1].end
        return Tree(rule, alternative, start, at, tuple(children))

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
            case abnf.Literal():
                return _Watched(parser, self.meter)
        return parser


class _RefusedError(Exception):
    """The grammar does not derive the input; *where* is what ``_refusal`` needs to say at which place."""

    def __init__(self, *where: Any) -> None:
        super().__init__(*where)
        self.where = where


class _OutOfStepsError(Exception):
    """Not an error of ``abnf``, which it would understand as "does not match"."""


class _Meter:
    """What is left of the steps; and the farthest offset where a literal failed, with the values wanted there."""

    left = 0
    farthest = -1

    def __init__(self) -> None:
        self.wanted: set[tuple[str, str]] = set()

    def failed(self, at: int, low: str, high: str) -> None:
        if at > self.farthest:
            self.farthest = at
            self.wanted.clear()
        if at == self.farthest:
            self.wanted.add((low, high))

    def spend(self) -> None:
        self.left -= 1
        if self.left < 0:
            raise _OutOfStepsError


class _Watched:
    """A literal that tells the meter where it fails."""

    def __init__(self, literal: Any, meter: _Meter) -> None:
        self.literal = literal
        self.meter = meter

    def lparse(self, source: str, start: int) -> Iterator[Any]:
        try:
            yield from self.literal.lparse(source, start)
        except abnf.ParseError:
            self._tell(source, start)
            raise

    def _tell(self, source: str, start: int) -> None:
        value = self.literal.value
        if isinstance(value, tuple):
            self.meter.failed(start, *value)
            return
        for at, char in enumerate(value, start):
            both = {char} if self.literal.case_sensitive else {char.lower(), char.upper()}
            if source[at : at + 1] not in both:
                for each in both:
                    self.meter.failed(at, each, each)
                return


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


def _moved(tree: Tree, by: int) -> Tree:
    """Return *tree* with all offsets moved. A word of a prefix code is short, so the recursion is not deep."""
    if not by:
        return tree
    children = tuple(_moved(child, by) for child in tree.children)
    return Tree(tree.rule, tree.alternative, tree.start + by, tree.end + by, children)


def _byte_offsets(text: str) -> list[int]:
    """Return where each character of *text* begins in its bytes, and where the text ends."""
    return [0, *accumulate(len(char.encode()) for char in text)]


def _in_bytes(tree: Tree, offsets: Sequence[int]) -> Tree:
    """Return *tree* with *offsets* in place of its numbers of characters. It is no deeper than ``abnf`` could go."""
    children = tuple(_in_bytes(child, offsets) for child in tree.children)
    return Tree(tree.rule, tree.alternative, offsets[tree.start], offsets[tree.end], children)


def _refuse_left_recursion(grammar: Grammar, start: str) -> None:
    names = left_recursion(grammar, start)
    if names:
        circle = " → ".join((*names, names[0]))
        grammar.fail(Message(messages.LEFT_RECURSION, circle=circle), place(grammar, names))
