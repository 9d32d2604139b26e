"""Turn a syntax node into railroad track: boxes, forks, bypasses and repeats, before anything is drawn.

Groups have no shape of their own. Up to four repetitions of one box (``2( UTF8-tail )``) become that many boxes, one
for each byte; other repetitions become a loop, with a note where they have bounds. Values that are visible ASCII are
shown as characters.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from utf8_abnf.grammar.syntax import Prose, Range, Ref, Series, Span, fold, show
from utf8_abnf.language.notation import is_visible, letters

if TYPE_CHECKING:
    from utf8_abnf.grammar.syntax import Node, Rule

MAX_BOXES = 4  # for one repetition; more of them become a loop
MAX_LABEL = 60  # characters of a box


@dataclass(frozen=True, slots=True)
class Box:
    """A box on the track: *kind* is ``rule``, ``bytes`` or ``words``; *span* is its place in the grammar.

    *label* is its ABNF, and *characters* are those that it stands for, where they are visible ASCII.
    """

    label: str
    kind: str
    span: Span = field(default=Span(0, 0), compare=False)
    characters: str = ""

    @property
    def shown(self) -> str:
        """The characters, or else the label, cut at its end where it is very long."""
        if self.characters:
            return self.characters
        return self.label if len(self.label) <= MAX_LABEL else f"{self.label[: MAX_LABEL - 2]} …"


@dataclass(frozen=True, slots=True)
class Straight:
    """Items one after another; without items, plain track."""

    items: tuple[Track, ...]


@dataclass(frozen=True, slots=True)
class Fork:
    """One of several items."""

    items: tuple[Track, ...]


@dataclass(frozen=True, slots=True)
class Bypass:
    """The item, or a track past it."""

    item: Track


@dataclass(frozen=True, slots=True)
class Repeat:
    """The item once or more; *note* is how often, "" means any number of times."""

    item: Track
    note: str = ""


Track: TypeAlias = Box | Straight | Fork | Bypass | Repeat


def track_of(node: Node, *, as_bytes: bool = False) -> Track:
    """Return the track of *node*; with *as_bytes*, values are not shown as characters."""

    def box(leaf: Node) -> Track:
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

    return fold(
        node,
        box,
        sequence=lambda items: Straight(tuple(flat for item in items for flat in _flat(item))),
        choice=lambda items: Fork(tuple(items)),
        repeated=_repeated,
    )


def tracks(rule: Rule, *, as_bytes: bool = False) -> tuple[Track, ...]:
    """Return the track of each alternative of *rule*; with *as_bytes*, values are not shown as characters."""
    return tuple(track_of(node, as_bytes=as_bytes) for node in rule.alternatives)


def _flat(track: Track) -> tuple[Track, ...]:
    return track.items if isinstance(track, Straight) else (track,)


def _optional(track: Track) -> Track:
    return track if isinstance(track, Bypass) or track == Straight(()) else Bypass(track)


def _repeated(low: int, high: int | None, track: Track) -> Track:
    if high == 0 or track == Straight(()):
        return Straight(())
    if high == 1:
        return track if low == 1 else _optional(track)
    if low == high and low <= MAX_BOXES and isinstance(track, Box):
        return Straight((track,) * low)
    loop = Repeat(track, _note(low, high))
    return loop if low else Bypass(loop)


def _note(low: int, high: int | None) -> str:
    if high is None:
        return f"{low} or more in all" if low > 1 else ""
    if low == high:
        return f"{low} in all"
    return f"{low} to {high} in all" if low else f"at most {high} in all"
