"""Draw a rule or all rules of a ``Grammar`` as railroad diagrams in SVG, from a dot to a ring.

Round boxes are bytes, square boxes other rules, dashed boxes prose that a program cannot follow. The group of a rule
has the id ``rule-NAME``, that of its first alternative ``rule-NAME.1``, and the first box in it ``rule-NAME.1.1``. The
attribute ``data-at`` of a box is its line and column in the grammar, by which a page can highlight what is being read.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from utf8_abnf.drawing.svg import MARGIN, SMALL, Pen, text_width
from utf8_abnf.drawing.track import Box, Style, drawn
from utf8_abnf.grammar.reader import position
from utf8_abnf.grammar.syntax import show

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from utf8_abnf.grammar import Grammar
    from utf8_abnf.grammar.syntax import Rule

R = 10  # radius of every bend
GAP = 10  # between one track and the next
HALF = 14  # half the height of a box


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of track from (x, y) to (x + *width*, y); it takes *up* px above y and *down* px below."""

    width: int
    up: int
    down: int
    draw: Callable[[Pen, int, int], None]


def railroad_svg(grammar: Grammar, rule: str | None = None, *, prefix: str = "", as_bytes: bool = False) -> str:
    """Return the railroad diagram of *rule*, or of every rule of *grammar* one below the other, as SVG.

    *prefix* goes before every id, for pages with several pictures. With *as_bytes*, values are not shown as characters.
    Raises ``GrammarError`` if the grammar has no rule *rule*.
    """
    rules = [grammar[rule]] if rule else [grammar.rules[name] for name in grammar.rules]
    pen = Pen(prefix)
    y, widest = MARGIN, 0
    for number, each in enumerate(rules):
        part = _Layout(grammar, each, as_bytes).part()
        y += 18 * bool(number)
        with pen.group(f"rule-{each.name}", f"{each.name} = {show(each.definition)}"):
            pen.text(MARGIN, y + 12, each.name, "strong", anchor="start")
            y += 24 + part.up
            part.draw(pen, MARGIN, y)
        y += part.down
        widest = max(widest, part.width, text_width(each.name))
    names = f"rule {rules[0].name}" if rule else "all rules"
    abnf = "\n".join(f"{each.name} = {show(each.definition)}" for each in rules)
    return pen.document(
        widest + 2 * MARGIN, y + MARGIN, title=f"Railroad diagram of {grammar.file}: {names}", description=abnf
    )


class _Layout:
    """The layout of one rule; the ids of its boxes count from 1 within each alternative, as they are drawn."""

    def __init__(self, grammar: Grammar, rule: Rule, as_bytes: bool) -> None:
        self._rule = rule
        self._as_bytes = as_bytes
        self._text = grammar.source(rule)
        self._identity = ""
        self._boxes = 0

    def part(self) -> Part:
        """Return the whole track of the rule, from the dot to the ring."""
        style = Style(self._box, _row, _fork, _bypass, _loop)
        parts = []
        for number, node in enumerate(self._rule.alternatives, 1):
            inner = drawn(node, style, as_bytes=self._as_bytes)
            parts.append(self._grouped(inner, f"rule-{self._rule.name}.{number}"))
        return _row([_start(), _fork(parts) if len(parts) > 1 else parts[0], _end()])

    def _grouped(self, part: Part, identity: str) -> Part:
        def draw(pen: Pen, x: int, y: int) -> None:
            self._identity, self._boxes = identity, 0
            with pen.group(identity):
                part.draw(pen, x, y)

        return Part(part.width, part.up, part.down, draw)

    def _box(self, box: Box) -> Part:
        line, column = position(self._text, box.span.start)
        width = text_width(box.shown) + 22
        title = box.label if box.shown != box.label else ""

        def draw(pen: Pen, x: int, y: int) -> None:
            self._boxes += 1
            with pen.group(f"{self._identity}.{self._boxes}", title, at=f"{line}:{column}"):
                pen.rect(x, y - HALF, width, 2 * HALF, f"box {box.kind}", round_by=HALF if box.kind == "bytes" else 2)
                pen.text(x + width / 2, y + 5, box.shown)

        return Part(width, HALF, HALF, draw)


def _start() -> Part:
    def draw(pen: Pen, x: int, y: int) -> None:
        pen.circle(x + 5, y, 5, "solid")
        pen.path("line", "M", x + 5, y, "h", 9)

    return Part(14, 5, 5, draw)


def _end() -> Part:
    def draw(pen: Pen, x: int, y: int) -> None:
        pen.path("line", "M", x, y, "h", 8)
        pen.circle(x + 14, y, 6, "line")
        pen.circle(x + 14, y, 2.5, "solid")

    return Part(20, 6, 6, draw)


def _row(parts: Sequence[Part]) -> Part:
    """Return *parts* one after another; without any, plain track."""

    def draw(pen: Pen, x: int, y: int) -> None:
        if not parts:
            pen.path("line", "M", x, y, "h", GAP)
        for number, part in enumerate(parts):
            if number:
                pen.path("line", "M", x, y, "h", GAP)
                x += GAP
            part.draw(pen, x, y)
            x += part.width

    width = sum(part.width for part in parts) + GAP * (len(parts) - 1 if parts else 1)
    return Part(width, max((part.up for part in parts), default=1), max((part.down for part in parts), default=1), draw)


def _fork(parts: Sequence[Part]) -> Part:
    inner = max(part.width for part in parts)
    offsets = [0]
    for above, part in pairwise(parts):
        offsets.append(offsets[-1] + max(above.down + GAP + part.up, 2 * R))
    width = inner + 4 * R

    def draw(pen: Pen, x: int, y: int) -> None:
        left, right = x + 2 * R, x + 2 * R + inner
        for part, offset in zip(parts, offsets, strict=True):
            here = y + offset
            if not offset:
                pen.path("line", "M", x, y, "h", 2 * R)
            else:
                pen.path("line", "M", x, y, "a", R, R, "0 0 1", R, R, "V", here - R, "a", R, R, "0 0 0", R, R)
            part.draw(pen, left, here)
            if not offset:
                pen.path("line", "M", left + part.width, here, "H", right + 2 * R)
            else:
                pen.path("line", "M", left + part.width, here, "H", right, "a", R, R, "0 0 0", R, -R, "V", y + R,
                    "a", R, R, "0 0 1", R, -R)  # fmt: skip

    return Part(width, parts[0].up, offsets[-1] + parts[-1].down, draw)


def _bypass(part: Part) -> Part:
    up = max(part.up + GAP, 2 * R)

    def draw(pen: Pen, x: int, y: int) -> None:
        left, right = x + 2 * R, x + 2 * R + part.width
        pen.path("line", "M", x, y, "h", 2 * R)
        part.draw(pen, left, y)
        pen.path("line", "M", right, y, "h", 2 * R)
        pen.path("line", "M", x, y, "a", R, R, "0 0 0", R, -R, "V", y - up + R, "a", R, R, "0 0 1", R, -R, "H", right,
            "a", R, R, "0 0 1", R, R, "V", y - R, "a", R, R, "0 0 0", R, R)  # fmt: skip
        pen.head((left + right) / 2 + 4, y - up, "right")

    return Part(part.width + 4 * R, up + 5, part.down, draw)


def _loop(part: Part, note: str) -> Part:
    inner = max(part.width, text_width(note, SMALL))
    down = max(part.down + GAP, 2 * R)

    def draw(pen: Pen, x: int, y: int) -> None:
        left, right = x + 2 * R, x + 2 * R + inner
        pen.path("line", "M", x, y, "h", 2 * R)
        part.draw(pen, left, y)
        pen.path("line", "M", left + part.width, y, "H", right + 2 * R)
        pen.path("line", "M", right, y, "a", R, R, "0 0 1", R, R, "V", y + down - R, "a", R, R, "0 0 1", -R, R,
            "H", left, "a", R, R, "0 0 1", -R, -R, "V", y + R, "a", R, R, "0 0 1", R, -R)  # fmt: skip
        pen.head((left + right) / 2 - 4, y + down, "left")
        if note:
            pen.text((left + right) / 2, y + down + 16, note, "small")

    return Part(inner + 4 * R, part.up, down + (20 if note else 5), draw)
