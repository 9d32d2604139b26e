"""Draw a syntax node as railroad track, made of boxes, rows, forks, bypasses and loops in a ``Style``.

Groups have no shape of their own. Up to four repetitions of one box (``2( UTF8-tail )``) become that many boxes, one
for each byte; other repetitions become a loop, with a note where they have bounds. Values that are visible ASCII are
shown as characters.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

from utf8_abnf.grammar.syntax import Prose, Range, Ref, Series, Span, fold, show
from utf8_abnf.language.notation import is_visible, letters

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from utf8_abnf.grammar.syntax import Node

P = TypeVar("P")

MAX_BOXES = 4  # for one repetition; more of them become a loop
MAX_LABEL = 60  # characters of a box


@dataclass(frozen=True, slots=True)
class Box:
    """A box on the track: *kind* is ``rule``, ``bytes`` or ``words``; *span* is its place in the grammar.

    *label* is its ABNF, and *characters* are those that it stands for, where they are visible ASCII.
    """

    label: str
    kind: str
    span: Span
    characters: str = ""

    @property
    def shown(self) -> str:
        """The characters, or else the label, cut at its end where it is very long."""
        if self.characters:
            return self.characters
        return self.label if len(self.label) <= MAX_LABEL else f"{self.label[: MAX_LABEL - 2]} …"


@dataclass(frozen=True)
class Style(Generic[P]):
    """How each form is drawn: as a part that may be inside of others. A row without parts is plain track."""

    box: Callable[[Box], P]
    row: Callable[[Sequence[P]], P]
    fork: Callable[[Sequence[P]], P]
    bypass: Callable[[P], P]
    loop: Callable[[P, str], P]  # with a note of how often; "" means any number of times


@dataclass(frozen=True)
class _Run(Generic[P]):
    """Parts one after another; with one part, whether it is a box, or a bypass."""

    parts: tuple[P, ...] = ()
    is_box: bool = False
    is_bypass: bool = False


def drawn(node: Node, style: Style[P], *, as_bytes: bool = False) -> P:
    """Return *node* in *style*; with *as_bytes*, values are not shown as characters."""

    def part(run: _Run[P]) -> P:
        return run.parts[0] if len(run.parts) == 1 else style.row(run.parts)

    def optional(run: _Run[P]) -> _Run[P]:
        return run if run.is_bypass or not run.parts else _Run((style.bypass(part(run)),), is_bypass=True)

    def repeated(low: int, high: int | None, run: _Run[P]) -> _Run[P]:
        if high == 0 or not run.parts:
            return _Run()
        if high == 1:
            return run if low == 1 else optional(run)
        if low == high and low <= MAX_BOXES and run.is_box:
            return _Run(run.parts * low)
        loop = _Run((style.loop(part(run), _note(low, high)),))
        return loop if low else optional(loop)

    return part(
        fold(
            node,
            lambda leaf: _Run((style.box(_box(leaf, as_bytes)),), is_box=True),
            sequence=lambda runs: _Run(tuple(part for run in runs for part in run.parts)),
            choice=lambda runs: _Run((style.fork([part(run) for run in runs]),)),
            repeated=repeated,
        )
    )


def _box(leaf: Node, as_bytes: bool) -> Box:
    match leaf:
        case Ref(name=name, span=span):
            return Box(name, "rule", span)
        case Prose(span=span):
            return Box(show(leaf), "words", span)
        case Range(low=low, high=high) if not as_bytes and is_visible(low) and is_visible(high):
            return Box(show(leaf), "bytes", leaf.span, letters(low, high))
        case Series(values=values) if not as_bytes and all(map(is_visible, values)):
            return Box(show(leaf), "bytes", leaf.span, f"'{bytes(values).decode()}'")
    return Box(show(leaf), "bytes", leaf.span)


def _note(low: int, high: int | None) -> str:
    if high is None:
        return f"{low} or more in all" if low > 1 else ""
    if low == high:
        return f"{low} in all"
    return f"{low} to {high} in all" if low else f"at most {high} in all"
