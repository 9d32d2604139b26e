"""Define the parse tree of all parsers, ``Tree``: one node for each use of a rule."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from utf8_abnf.language.notation import code_point, hex_bytes, is_visible, rule_label

if TYPE_CHECKING:
    Kind = tuple[str, int]  # a rule and the number of its alternative


@dataclass(slots=True, eq=False)  # not frozen: a frozen node takes five times as long to make, 2.2 to 0.4 µs
class Tree:
    """One use of a rule. *rule* is the name as the grammar first writes it; *start* and *end* count bytes.

    *alternative* is the top-level alternative of the rule that matched, from 1 in the order of the grammar, and 0 where
    the rule has only one. Groups, options, repetitions and literals have no node; their bytes lie between children.
    """

    rule: str
    alternative: int
    start: int
    end: int
    children: Sequence[Tree] = ()  # a tuple, or ``Children``, which makes them when asked

    def __eq__(self, other: object) -> bool:
        """Return whether the nodes are the same. A tree of any depth can be compared."""
        if not isinstance(other, Tree):
            return NotImplemented
        ours, theirs = self.walk(), other.walk()
        return all(
            mine is not None and yours is not None and mine[0] == yours[0] and mine[1]._own == yours[1]._own
            for mine, yours in zip_longest(ours, theirs)
        )

    def __hash__(self) -> int:
        return hash(self._own)

    @property
    def _own(self) -> tuple[str, int, int, int]:
        return self.rule, self.alternative, self.start, self.end

    def walk(self) -> Iterator[tuple[int, Tree]]:
        """Yield (depth, node) for this node and all nodes below it: parents first, left to right, without recursion."""
        yield 0, self
        stack = [iter(self.children)]
        while stack:
            for node in stack[-1]:
                yield len(stack), node
                if node.children.__class__ is not tuple or node.children:
                    stack.append(iter(node.children))
                    break
            else:
                stack.pop()

    @property
    def label(self) -> str:
        """The rule, with ``/`` and the alternative where there are several: ``UTF8-3/2``."""
        return rule_label(self.rule, self.alternative)

    def lines(self, data: bytes, *, as_text: bool = False) -> Iterator[str]:
        """Yield the tree's text line by line: rule and alternative, byte range, bytes, the character they encode.

        With *as_text*, bytes are shown as text where all of a node's are visible ASCII or spaces.
        """
        for depth, node in self.walk():
            head = ("  " * depth if depth <= MAX_INDENT else f"{'  ' * MAX_INDENT}({depth}) ") + node.label
            shown = shown_piece(data[node.start : node.end], as_text=as_text)
            if (character := _code_point(node, data)) and not shown.startswith("'"):
                shown += f"  {character}"
            yield f"{head:<24} {node.start}..{node.end}  {shown}".rstrip()

    def to_text(self, data: bytes) -> str:
        r"""Return the tree over *data* as indented lines, each with byte range (end not included), bytes and character.

        >>> print(Tree("UTF8-2", 0, 0, 2, (Tree("UTF8-tail", 0, 1, 2),)).to_text(b"\xc2\xa9"))
        UTF8-2                   0..2  C2 A9  U+00A9
          UTF8-tail              1..2  A9
        """
        return "\n".join(self.lines(data))

    def to_json(self, data: bytes) -> dict[str, Any]:
        """Return the tree over *data* for ``json.dumps``: rule, alternative, start, end, bytes, children.

        ``code_point`` is added if the node is a whole well-formed character of a rule named ``UTF8-…``.
        """
        made: list[dict[str, Any]] = []  # in reverse order, the children of a node are the last ones made
        for _, node in reversed(list(self.walk())):
            character = _code_point(node, data)
            made.append(
                {
                    "rule": node.rule,
                    "alternative": node.alternative,
                    "start": node.start,
                    "end": node.end,
                    "bytes": hex_bytes(data[node.start : node.end]),
                    **({"code_point": character} if character else {}),
                    "children": [made.pop() for _ in node.children],
                }
            )
        return made[0]


_CHARACTERS = frozenset({"utf8-char", "utf8-1", "utf8-2", "utf8-3", "utf8-4"})
_SHOWN, _SHOWN_TEXT = 16, 48  # bytes on one line, in hex and as text
SPACE = 0x20
MAX_INDENT = 60  # levels: a deeper node has its depth in parentheses, so that the text grows no faster than the tree


def _code_point(node: Tree, data: bytes) -> str | None:
    if node.rule.lower() not in _CHARACTERS:
        return None
    try:
        return code_point(ord(data[node.start : node.end].decode()))
    except (UnicodeDecodeError, TypeError):  # another grammar has a rule of that name
        return None


def shown_piece(piece: bytes, *, as_text: bool) -> str:
    """Return the beginning of *piece* as text, if *as_text* and all of it is visible ASCII or spaces; else in hex."""
    if as_text and piece and all(is_visible(byte) or byte == SPACE for byte in piece):
        return f"'{piece[:_SHOWN_TEXT].decode()}'" + (" …" if len(piece) > _SHOWN_TEXT else "")
    return hex_bytes(piece[:_SHOWN]) + (" …" if len(piece) > _SHOWN else "")


class Nodes:
    """The nodes of a tree as arrays, 28 bytes for each, in the order in which they begin."""

    def __init__(self) -> None:
        self.kinds: list[Kind] = []
        self.after = array("I")  # the number of the first node behind all that are below this one
        self._starts = array("Q")
        self._ends = array("Q")

    def open(self, kind: Kind, start: int) -> int:
        """Add a node; return its number."""
        self.kinds.append(kind)
        self._starts.append(start)
        self._ends.append(start)
        self.after.append(0)
        return len(self.kinds) - 1

    def close(self, number: int, end: int) -> None:
        """Set the end of a node; all nodes that were added after it are below it."""
        self._ends[number] = end
        self.after[number] = len(self.kinds)

    def tree(self, number: int) -> Tree:
        """Return a node, which makes those below it when asked."""
        children = Children(self, number) if self.after[number] > number + 1 else ()
        return Tree(*self.kinds[number], self._starts[number], self._ends[number], children)


class Children(Sequence[Tree]):
    """The children of a node; made when they are asked for, and equal to a tuple of them."""

    def __init__(self, nodes: Nodes, parent: int) -> None:
        self._nodes = nodes
        self._parent = parent

    def __iter__(self) -> Iterator[Tree]:
        return map(self._nodes.tree, self._index)

    def __len__(self) -> int:
        return len(self._index)

    def __getitem__(self, index: int | slice) -> Any:
        if isinstance(index, slice):
            return tuple(map(self._nodes.tree, self._index[index]))
        return self._nodes.tree(self._index[index])

    def __eq__(self, other: object) -> bool:
        return tuple(self) == tuple(other) if isinstance(other, Children | tuple) else NotImplemented

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return repr(tuple(self))

    @cached_property
    def _index(self) -> array[int]:
        """The numbers of the children."""
        after, at, numbers = self._nodes.after, self._parent + 1, array("I")
        while at < after[self._parent]:
            numbers.append(at)
            at = after[at]
        return numbers
