"""Trees made from the marks of a path: at once, or the children of long nodes when they are asked for.

``utf8_abnf.parsers.linear`` finds the path, and answers for the rules that are called on it.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Generator, Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING, NamedTuple, overload

from utf8_abnf.automaton.paths import CLOSE, Call
from utf8_abnf.parsers.tree import Tree

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from utf8_abnf.automaton.passages import Ends
    from utf8_abnf.automaton.paths import CallTrace, StateTrace
    from utf8_abnf.parsers.linear import Text

    Mark = int | Call
    Marks = Iterable[tuple[int, tuple[Mark, ...]]]

EAGER = 1 << 14
"""A node over more bytes makes its children when they are asked for, and does not keep them."""


def is_long(start: int, end: int) -> bool:
    """Tell whether a node from *start* to *end* makes its children when they are asked for."""
    return end - start > EAGER


class Piece(NamedTuple):
    """A use of a rule in the input; *ends* says where the rules that it calls can end."""

    rule: str
    start: int
    end: int
    ends: Ends


Growing = Generator[Piece | Tree, Tree, None]


def of_path(text: Text, path: StateTrace | CallTrace, marks: Callable[[], Marks], piece: Piece, shift: int) -> Growing:
    """Yield the tree of a whole path. *shift* is added to every offset. ``Ambiguous`` comes before any tree."""
    if not is_long(piece.start, piece.end):
        found = list(marks())
        if path.forks and text.parser.forks:
            text.note_forks(path, found, piece, shift)
        yield from whole(text, path, found, shift)
        return
    first = None
    for _, together in marks():  # find a fork now, not when the caller asks for the children
        first = together[0] if first is None else first
    assert isinstance(first, int)
    if path.forks and text.parser.forks:
        text.note_forks(path, marks(), piece, shift)
    below = Children(text, path, path.after(first), piece.start - shift, shift)
    yield Tree(*path.tracer.choices[first], piece.start, piece.end, below)


def whole(text: Text, path: StateTrace | CallTrace, marks: Marks, shift: int) -> Growing:
    """Yield the tree of a whole path that is not long: what ``_forest`` yields, in half the time."""
    choices = path.tracer.choices
    kept: list[Tree] = []
    stack: list[tuple[int, int, list[Tree]]] = []
    for offset, together in marks:
        at = offset + shift
        for mark in together:
            if mark == CLOSE:
                opened, start, around = stack.pop()
                around.append(Tree(*choices[opened], start, at, tuple(kept)))
                kept = around
            elif isinstance(mark, int):
                stack.append((mark, at, kept))
                kept = []
            else:
                kept.append(text.leaf(mark) or (yield text.called(mark)))
    yield kept[0]


def _forest(text: Text, path: StateTrace | CallTrace, marks: Marks, shift: int) -> Growing:
    """Yield the trees that *marks* open and close; stop where a rule closes that was open before."""
    choices = path.tracer.choices
    stack: list[tuple[int, int, list[Tree]]] = []
    skipped = -1  # open rules below the bottom one, once that is longer than EAGER; -1 before
    for offset, together in marks:
        if stack and is_long(stack[0][1], offset) and skipped < 0:
            skipped = len(stack) - 1
            del stack[1:]
        for mark in together:
            if isinstance(mark, Call):
                if skipped >= 0:
                    continue
                tree = yield text.called(mark)
            elif skipped > 0 or (skipped == 0 and mark != CLOSE):
                skipped += 1 if mark != CLOSE else -1
                continue
            elif mark != CLOSE:
                stack.append((mark, offset, []))
                continue
            elif stack:
                opened, start, kept = stack.pop()
                rule, alternative = choices[opened]
                below = tuple(kept) if skipped < 0 else Children(text, path, path.after(opened), start, shift)
                tree = Tree(rule, alternative, start + shift, offset + shift, below)
                skipped = -1
            else:
                return
            if stack:
                stack[-1][2].append(tree)
            else:
                yield tree


class _Lazy(Sequence[Tree]):
    """Children of a long node, made when they are asked for; equal to a tuple of the same trees."""

    def __bool__(self) -> bool:
        return next(iter(self), None) is not None

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, _Lazy | tuple):
            return NotImplemented
        end = object()
        return all(mine == yours for mine, yours in zip_longest(self, other, fillvalue=end))

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return f"<{len(self)} children>"


class Chosen(_Lazy):
    """The children of a long node that has several derivations: the pieces that were chosen."""

    def __init__(self, text: Text, pieces: list[Callable[[], Piece]]) -> None:
        self._text = text
        self._pieces = pieces

    def __len__(self) -> int:
        return len(self._pieces)

    @overload
    def __getitem__(self, index: int) -> Tree: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[Tree, ...]: ...

    def __getitem__(self, index: int | slice) -> Tree | tuple[Tree, ...]:
        if isinstance(index, slice):
            return tuple(self._text.tree(each()) for each in self._pieces[index])
        return self._text.tree(self._pieces[index]())


class Children(_Lazy):
    """The children of a long node that lie on a path."""

    def __init__(self, text: Text, path: StateTrace | CallTrace, state: int, offset: int, shift: int) -> None:
        self._text = text
        self._trace = path
        self._state = state
        self._offset = offset
        self._shift = shift
        self._starts: tuple[array[int], array[int]] | None = None
        self._calls: dict[int, Call] = {}  # those of the children that are calls

    def __iter__(self) -> Iterator[Tree]:
        marks = self._trace.marks(self._state, self._offset)
        return self._text.grown(_forest(self._text, self._trace, marks, self._shift))

    def _index(self) -> tuple[array[int], array[int]]:
        """Return the opening mark and the offset of each child: twelve bytes for each, computed once."""
        if self._starts is None:
            marks, offsets, depth = array("I"), array("Q"), 0
            for offset, together in self._trace.marks(self._state, self._offset):
                for mark in together:
                    if mark == CLOSE:
                        depth -= 1
                    elif depth == 0:
                        if isinstance(mark, Call):
                            self._calls[len(marks)] = mark
                        marks.append(0 if isinstance(mark, Call) else mark)
                        offsets.append(offset)
                    depth += mark != CLOSE and not isinstance(mark, Call)
                    if depth < 0:
                        break
                if depth < 0:
                    break
            self._starts = marks, offsets
        return self._starts

    def __len__(self) -> int:
        return len(self._index()[0])

    @overload
    def __getitem__(self, index: int) -> Tree: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[Tree, ...]: ...

    def __getitem__(self, index: int | slice) -> Tree | tuple[Tree, ...]:
        marks, offsets = self._index()
        if isinstance(index, slice):
            return tuple(self[each] for each in range(*index.indices(len(marks))))
        if (call := self._calls.get(range(len(marks))[index])) is not None:
            return self._text.tree(self._text.called(call))
        # Start at the opening mark of the child, not at the state after it: the mark has to be met again.
        found = self._trace.marks(marks[index], offsets[index])
        return next(self._text.grown(_forest(self._text, self._trace, found, self._shift)))
