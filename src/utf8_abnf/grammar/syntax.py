"""Define the nodes of an ABNF syntax tree (RFC 5234 section 4, RFC 7405), which all later steps read.

Nodes are frozen values. ``span`` is the place of a node in the grammar's text, in characters from 0. Comparison leaves
it out, so that two nodes that say the same are equal. Groups and options are kept as they were written, because a
diagram or a printed rule must look like its source.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable


T = TypeVar("T")


class Span(NamedTuple):
    """A piece of the grammar's text: characters *start* (from 0) up to, not including, *end*."""

    start: int
    end: int


NOWHERE = Span(0, 0)


@dataclass(frozen=True, slots=True)
class Ref:
    """A rule name, as it is written. Rule names are case-insensitive (RFC 5234 section 2.1)."""

    name: str
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Range:
    """``%x80-BF``: one value from *low* to *high*, both included. A single value (``%xED``) has low == high."""

    low: int
    high: int
    base: str = "x"
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Series:
    """``%x0D.0A``: these values one after another (RFC 5234 section 2.3)."""

    values: tuple[int, ...]
    base: str = "x"
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Text:
    """``"abc"`` or ``%i"abc"`` (any case), ``%s"abc"`` (as written; RFC 7405)."""

    text: str
    case_sensitive: bool = False
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Prose:
    """``<free text>``: a definition in words, which no program can follow (RFC 5234 section 4, prose-val)."""

    text: str
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Repetition:
    """``low*high item``; *high* is None if there is no upper bound. ``3x`` has low == high == 3."""

    low: int
    high: int | None
    item: Node
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Option:
    """``[ item ]``."""

    item: Node
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Group:
    """``( item )``."""

    item: Node
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Concatenation:
    """Two or more items one after another."""

    items: tuple[Node, ...]
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Alternation:
    """Two or more alternatives, in the order of the source; what ``=/`` adds comes last."""

    items: tuple[Node, ...]
    span: Span = field(default=NOWHERE, compare=False)


Node: TypeAlias = Ref | Range | Series | Text | Prose | Repetition | Option | Group | Concatenation | Alternation


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule: its name as first written, its definition, and whether it is a core rule of RFC 5234 (*core*).

    *span* runs from the name to the last element. With *adds*, it is ``name =/ elements``, a part of a rule.
    """

    name: str
    definition: Node
    span: Span = field(default=NOWHERE, compare=False)
    core: bool = False
    adds: bool = False

    @property
    def alternatives(self) -> tuple[Node, ...]:
        """The rule's top-level alternatives, one or more."""
        return self.definition.items if isinstance(self.definition, Alternation) else (self.definition,)


def children(node: Node) -> tuple[Node, ...]:
    """Return the nodes right below *node*, in the order of the text."""
    match node:
        case Repetition(item=item) | Option(item=item) | Group(item=item):
            return (item,)
        case Concatenation(items=items) | Alternation(items=items):
            return items
    return ()


def fold(
    node: Node,
    leaf: Callable[[Node], T],
    *,
    sequence: Callable[[list[T]], T],
    choice: Callable[[list[T]], T],
    repeated: Callable[[int, int | None, T], T],
) -> T:
    """Return the value of *node* from those of the nodes in it: *leaf* gives that of a name, value, string or prose.

    An option is repeated from 0 to 1 times; a group has the value of its item.

    >>> longest = {"sequence": sum, "choice": max, "repeated": lambda low, high, value: value * high}
    >>> fold(Concatenation((Text("ab"), Option(Text("c")))), lambda leaf: len(leaf.text), **longest)
    3
    """

    def value(node: Node) -> T:
        match node:
            case Group(item=item):
                return value(item)
            case Option(item=item):
                return repeated(0, 1, value(item))
            case Repetition(low=low, high=high, item=item):
                return repeated(low, high, value(item))
            case Concatenation(items=items):
                return sequence(list(map(value, items)))
            case Alternation(items=items):
                return choice(list(map(value, items)))
        return leaf(node)

    return value(node)


def rebuilt(node: Node, change: Callable[[Node], Node]) -> Node:
    """Return *node* with what *change* makes of each name, value, string and prose in it."""
    match node:
        case Repetition() | Option() | Group():
            return replace(node, item=rebuilt(node.item, change))
        case Concatenation() | Alternation():
            return replace(node, items=tuple(rebuilt(item, change) for item in node.items))
    return change(node)


def show(node: Node) -> str:
    """Return *node* as ABNF on one line.

    >>> show(Concatenation((Range(0xED, 0xED), Range(0x80, 0x9F), Ref("UTF8-tail"))))
    '%xED %x80-9F UTF8-tail'
    >>> show(Repetition(2, 2, Group(Ref("UTF8-tail"))))
    '2( UTF8-tail )'
    """
    match node:
        case Ref(name=name):
            return name
        case Range(low=low, high=high, base=base):
            return f"%{base}{_number(low, base)}" + (f"-{_number(high, base)}" if high != low else "")
        case Series(values=values, base=base):
            return f"%{base}" + ".".join(_number(value, base) for value in values)
        case Text(text=text, case_sensitive=case_sensitive):
            return f'%s"{text}"' if case_sensitive else f'"{text}"'
        case Prose(text=text):
            return f"<{text}>"
        case Repetition(low=low, high=high, item=item):
            count = str(low) if low == high else f"{low or ''}*{'' if high is None else high}"
            return count + show(item)
        case Option(item=item):
            return f"[ {show(item)} ]"
        case Group(item=item):
            return f"( {show(item)} )"
        case Concatenation(items=items):
            return " ".join(show(item) for item in items)
        case Alternation(items=items):
            return " / ".join(show(item) for item in items)


def _number(value: int, base: str) -> str:
    return {"x": f"{value:02X}", "d": f"{value}", "b": f"{value:b}"}[base]
