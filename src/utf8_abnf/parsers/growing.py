"""Trees made from the marks of a path: at once, or the children of long nodes when they are asked for.

``utf8_abnf.parsers.linear`` finds the paths.
"""

from __future__ import annotations

from array import array
from collections import deque
from collections.abc import Generator, Iterator, Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING, NamedTuple, Protocol, overload

from utf8_abnf.automaton.derivation import Call
from utf8_abnf.automaton.ways import CLOSE
from utf8_abnf.parsers.tree import Tree

if TYPE_CHECKING:
    from collections.abc import Iterable

    from utf8_abnf.automaton.derivation import Path

    Marks = Iterable[tuple[int, tuple[int | Call, ...]]]

EAGER = 1 << 14
"""A node over more bytes makes its children when they are asked for, and does not keep them."""


def is_long(start: int, end: int) -> bool:
    """Tell whether a node from *start* to *end* makes its children when they are asked for."""
    return end - start > EAGER


class Piece(NamedTuple):
    """A use of a rule in the input, which has a path of its own. The rules *around* it derive the same bytes."""

    rule: str
    start: int
    end: int
    around: frozenset[str] = frozenset()

    def call(self, name: str, start: int, end: int) -> Piece:
        """Return the piece of a call in this one."""
        same = (start, end) == (self.start, self.end)
        return Piece(name, start, end, self.around | {self.rule.lower()} if same else frozenset())


class Source(Protocol):
    """An input that the grammar derives. With *forks*, it is told the pieces that have several derivations."""

    forks: bool

    def forked(self, rule: str, start: int, end: int, /) -> None: ...

    def name(self, rule: str, /) -> str: ...

    def path(self, piece: Piece, /) -> Path: ...


Growing = Generator[Piece | Tree, Tree, None]


def grown(text: Source, piece: Piece) -> Tree:
    """Return the tree of *piece*."""
    return next(_run(text, _growing(text, piece)))


def _run(text: Source, first: Growing) -> Iterator[Tree]:
    """Yield the trees that *first* yields; make those of the pieces that it asks for with a stack of our own."""
    stack, answer = [first], None
    while True:
        try:
            made = next(stack[-1]) if answer is None else stack[-1].send(answer)
        except StopIteration:
            return
        answer = None
        if isinstance(made, Piece):
            stack.append(_growing(text, made))
        elif len(stack) == 1:
            yield made
        else:
            stack.pop()
            answer = made


def _growing(text: Source, piece: Piece) -> Growing:
    """Ask for the trees of the pieces in *piece*, and yield its own tree."""
    path = text.path(piece)
    if not is_long(piece.start, piece.end):
        found = list(path.marks(None, piece.start))
        if path.forks and text.forks:
            _note_forks(text, path, found)
        yield from _whole(text, piece, path, found)
        return
    first = None
    for _, together in path.marks(None, piece.start):  # all is decided now, not when the caller asks for the children
        first = together[0] if first is None else first
    assert isinstance(first, int)
    if path.forks and text.forks:
        _note_forks(text, path, path.marks(None, piece.start))
    yield Tree(*path.tracer.choices[first], piece.start, piece.end, Children(text, piece, path, first, piece.start))


def _note_forks(text: Source, path: Path, marks: Marks) -> None:
    """Tell *text* of each innermost use of a rule around a fork on *path*, which has two trees."""
    forks = deque(sorted(path.forks.items()))
    stack: list[tuple[int, int]] = []
    forked: set[int] = set()  # depths
    for offset, together in marks:
        while forks and forks[0][0] < offset:
            forked.add(forks.popleft()[1])
        for mark in together:
            if forks and forks[0][0] == offset and len(stack) >= forks[0][1]:
                forked.add(forks.popleft()[1])
            if isinstance(mark, Call):
                continue
            if mark != CLOSE:
                stack.append((mark, offset))
                continue
            opened, start = stack.pop()
            if len(stack) + 1 in forked:
                forked.remove(len(stack) + 1)
                text.forked(path.tracer.choices[opened].rule, start, offset)


def _whole(text: Source, piece: Piece, path: Path, marks: Marks) -> Growing:
    """Yield the tree of a whole path that is not long: what ``_forest`` yields, in half the time."""
    choices = path.tracer.choices
    kept: list[Tree] = []
    stack: list[tuple[int, int, list[Tree]]] = []
    for offset, together in marks:
        for mark in together:
            if mark == CLOSE:
                opened, start, around = stack.pop()
                around.append(Tree(*choices[opened], start, offset, tuple(kept)))
                kept = around
            elif isinstance(mark, int):
                stack.append((mark, offset, kept))
                kept = []
            else:
                kept.append((yield piece.call(text.name(mark.rule), mark.start, mark.end)))
    yield kept[0]


def _forest(text: Source, piece: Piece, path: Path, marks: Marks) -> Growing:
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
                tree = yield piece.call(text.name(mark.rule), mark.start, mark.end)
            elif skipped > 0 or (skipped == 0 and mark != CLOSE):
                skipped += 1 if mark != CLOSE else -1
                continue
            elif mark != CLOSE:
                stack.append((mark, offset, []))
                continue
            elif stack:
                opened, start, kept = stack.pop()
                below = tuple(kept) if skipped < 0 else Children(text, piece, path, opened, start)
                tree = Tree(*choices[opened], start, offset, below)
                skipped = -1
            else:
                return
            if stack:
                stack[-1][2].append(tree)
            else:
                yield tree


class Children(Sequence[Tree]):
    """The children of a long node, which *opened* opens; made when they are asked for, and equal to a tuple of them."""

    def __init__(self, text: Source, piece: Piece, path: Path, opened: int, offset: int) -> None:
        self._text = text
        self._piece = piece
        self._path = path
        self._state = path.after(opened)
        self._offset = offset
        self._starts: tuple[array[int], array[int]] | None = None
        self._calls: dict[int, Call] = {}  # those of the children that are calls

    def __bool__(self) -> bool:
        return next(iter(self), None) is not None

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Children | tuple):
            return NotImplemented
        end = object()
        return all(mine == yours for mine, yours in zip_longest(self, other, fillvalue=end))

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return f"<{len(self)} children>"

    def __iter__(self) -> Iterator[Tree]:
        marks = self._path.marks(self._state, self._offset)
        return _run(self._text, _forest(self._text, self._piece, self._path, marks))

    def _index(self) -> tuple[array[int], array[int]]:
        """Return the opening mark and the offset of each child: twelve bytes for each, computed once."""
        if self._starts is None:
            marks, offsets, depth = array("I"), array("Q"), 0
            for offset, mark in ((offset, mark) for offset, together in self._marks() for mark in together):
                called = isinstance(mark, Call)
                if mark == CLOSE:
                    depth -= 1
                elif depth == 0:
                    if isinstance(mark, Call):
                        self._calls[len(marks)] = mark
                    marks.append(0 if isinstance(mark, Call) else mark)
                    offsets.append(offset)
                depth += mark != CLOSE and not called
                if depth < 0:
                    break
            self._starts = marks, offsets
        return self._starts

    def _marks(self) -> Marks:
        return self._path.marks(self._state, self._offset)

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
            return grown(self._text, self._piece.call(self._text.name(call.rule), call.start, call.end))
        # Start at the opening mark of the child, not at the state after it: the mark has to be met again.
        found = self._path.marks(marks[index], offsets[index])
        return next(_run(self._text, _forest(self._text, self._piece, self._path, found)))
