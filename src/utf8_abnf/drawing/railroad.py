"""Draw a rule or all rules of a ``Grammar`` as railroad diagrams, in SVG or in the characters of a terminal.

The library ``railroad`` (PyPI: railroad-diagrams) lays the tracks; both forms are made from what it lays. Round boxes
are bytes, square boxes other rules, dashed boxes (in text, words on the track) prose that a program cannot follow. Up
to four repetitions of one box (``2( UTF8-tail )``) are that many boxes, one for each byte; others are a loop, with a
note where they have bounds. Values that are visible ASCII are shown as characters.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from copy import deepcopy
from typing import TYPE_CHECKING

from railroad import Choice, Comment, Diagram, NonTerminal, OneOrMore, Path, Sequence, Skip, Stack, Terminal

from utf8_abnf.drawing.svg import MARGIN, Pen, text_width
from utf8_abnf.grammar.syntax import Prose, Range, Ref, Series, fold, show
from utf8_abnf.language.notation import is_visible, letters

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from railroad import DiagramItem

    from utf8_abnf.grammar import Grammar
    from utf8_abnf.grammar.syntax import Node, Rule

MAX_BOXES = 4  # for one repetition; more of them become a loop
MAX_LABEL = 60  # characters of a box
WIDEST = 1000  # px of a row, or ten for each character; a longer one continues below
CELL = 10  # px of the library for a character of text: the radius of its bends
FENCES = {"rule": "[]", "bytes": "()", "words": "  "}
TRACK = " ╵╷│─╯╮┤─╰╭├─┴┬┼"  # by the sides on which a character has track: up 1, down 2, left 4, right 8
_STEP = re.compile(r"([Mhva])([^Mhva]*)")


def railroad_svg(grammar: Grammar, rule: str | None = None, *, as_bytes: bool = False) -> str:
    """Return the railroad diagram of *rule*, or of every rule of *grammar* one below the other, as SVG.

    With *as_bytes*, values are not shown as characters. ``GrammarError`` if the grammar has no rule *rule*.
    """
    rules = [grammar[rule]] if rule else list(grammar.rules.values())
    pen = Pen()
    y, widest = MARGIN, 0
    for number, drawn in enumerate(rules):
        y += 18 * bool(number)
        diagram = Diagram(_track(drawn, as_bytes=as_bytes, as_text=False))
        diagram.format(y + 24, 0, 0, MARGIN)
        diagram.children[0].attrs = {"class": "line", "text-anchor": "middle"}
        markup: list[str] = []
        diagram.children[0].writeSvg(markup.append)
        with pen.group(f"{drawn.name} = {show(drawn.definition)}"):
            pen.text(MARGIN, y + 12, drawn.name, "strong", anchor="start")
            pen.markup("".join(markup))
        y += 24 + diagram.up + diagram.height + diagram.down
        widest = max(widest, diagram.width, text_width(drawn.name))
    names = f"rule {rules[0].name}" if rule else "all rules"
    abnf = "\n".join(f"{each.name} = {show(each.definition)}" for each in rules)
    return pen.document(
        widest + 2 * MARGIN, y + MARGIN, title=f"Railroad diagram of {grammar.file}: {names}", description=abnf
    )


def railroad_text(grammar: Grammar, rule: str | None = None, *, as_bytes: bool = False) -> str:
    """Return the railroad diagram of *rule*, or of every rule of *grammar*, as text. ``GrammarError`` for no such rule.

    With *as_bytes*, values are not shown as characters.

    >>> from utf8_abnf.grammar import Grammar
    >>> print(railroad_text(Grammar.load("utf8"), "UTF8-octets"))
    UTF8-octets
       ╭───────►───────╮
    ├──┴┬─[UTF8-char]─┬┴──┤
        ╰──────◄──────╯
    """
    rules = [grammar[rule]] if rule else list(grammar.rules.values())
    return "\n\n".join("\n".join([each.name, *_lines(_track(each, as_bytes=as_bytes, as_text=True))]) for each in rules)


def _track(rule: Rule, *, as_bytes: bool, as_text: bool) -> DiagramItem:
    """Return the whole track of *rule*, made of the library's items."""
    sized = _as_text if as_text else lambda item: item
    return _row(
        fold(
            rule.definition,
            lambda leaf: [sized(_box(leaf, as_bytes=as_bytes, as_text=as_text))],
            sequence=lambda runs: [item for run in runs for item in run],
            choice=lambda runs: [_fork(_flush([_row(run) for run in runs]))],
            repeated=lambda low, high, run: _repeated(low, high, run, sized),
        )
    )


def _box(leaf: Node, *, as_bytes: bool, as_text: bool) -> DiagramItem:
    label = show(leaf)
    shown = label if len(label) <= MAX_LABEL else f"{label[: MAX_LABEL - 2]} …"
    match leaf:
        case Range(low=low, high=high) if not as_bytes and is_visible(low) and is_visible(high):
            shown = letters(low, high)
        case Series(values=values) if not as_bytes and all(map(is_visible, values)):
            shown = f"'{bytes(values).decode()}'"
    kind = {Ref: "rule", Prose: "words"}.get(type(leaf), "bytes")
    make = Terminal if kind == "bytes" else NonTerminal
    if as_text:
        return make(shown.join(FENCES[kind]))
    return make(shown, title=label if shown != label else None, cls=kind)


def _repeated(
    low: int, high: int | None, run: list[DiagramItem], sized: Callable[[DiagramItem], DiagramItem]
) -> list[DiagramItem]:
    if high == 0 or not run:
        return []
    if high != 1:
        if low == high and low <= MAX_BOXES and len(run) == 1 and isinstance(run[0], Terminal | NonTerminal):
            return [deepcopy(run[0]) for _ in range(low)]
        run = [OneOrMore(_row(run), sized(Comment(f"◄ {_note(low, high)}".rstrip())))]
    is_bypass = len(run) == 1 and isinstance(run[0], Choice) and run[0].default == 1
    return run if low or is_bypass else [_fork([sized(Comment("►")), _row(run)], 1)]


def _note(low: int, high: int | None) -> str:
    if high is None:
        return f"{low} or more in all" if low > 1 else ""
    if low == high:
        return f"{low} in all"
    return f"{low} to {high} in all" if low else f"at most {high} in all"


def _as_text(item: DiagramItem) -> DiagramItem:
    """Return *item* with the measures of its characters, and as high as all others, so that rows are level."""
    item.width, item.up, item.down = CELL * (len(item.text) + 1), 11, 11
    return item


def _row(run: list[DiagramItem]) -> DiagramItem:
    rows: list[list[DiagramItem]] = [[]]
    for item in run:
        if rows[-1] and sum(each.width + 2 * CELL for each in rows[-1]) + item.width > WIDEST:
            rows.append([])
        rows[-1].append(item)
    made = [Sequence(*row) if len(row) > 1 else (row or [Skip()])[0] for row in rows]
    return Stack(*_flush(made)) if len(made) > 1 else made[0]


def _fork(items: list[DiagramItem], main: int = 0) -> DiagramItem:
    fork = Choice(main, *items)
    fork.down += items[-1].height  # which the library leaves out
    return fork


def _flush(items: list[DiagramItem]) -> list[DiagramItem]:
    """Return *items* as wide as the widest, by track behind them: the library would put it on both sides."""
    widest = max(item.width for item in items)
    rows = []
    for item in items:
        item.needsSpace = False
        rest = Skip()
        rest.width = widest - item.width
        rows.append(Sequence(item, rest))
    return rows


def _lines(item: DiagramItem) -> Iterator[str]:
    """Yield the lines of a track; a row is where it runs from left to right, and a column ``CELL`` px wide."""
    item.format(0, 0, item.width)
    end = item.width + 2 * CELL
    pieces = [(-2 * CELL, 0, 0, 0), (item.width, item.height, end, item.height)]
    boxes = []
    queue = [item]
    while queue:
        part = queue.pop()
        if isinstance(part, Path):
            pieces += _pieces(part)
        elif isinstance(part, Terminal | NonTerminal | Comment):
            before, after = part.children[:2]
            boxes.append((after.y, after.x - part.width + CELL, part.text))
            queue += [before, after]
        else:
            queue += part.children
    ends: dict[tuple[float, float, bool], tuple[float, float]] = {}
    for left, top, right, bottom in pieces:  # those from the same point are one: a fork's branches share their ways
        start = left, top, left == right
        ends[start] = max(ends.get(start, (left, top)), (right, bottom))
    heights = sorted({top for (left, top, _), (right, _) in ends.items() if left != right})
    rows: list[dict[int, int]] = [defaultdict(int) for _ in heights]  # by column, the sides of ``TRACK``
    for (left, top, _), (right, bottom) in ends.items():
        for column in range(int(left / CELL), int(right / CELL)):
            rows[bisect_left(heights, top)][column] |= 8
            rows[bisect_left(heights, top)][column + 1] |= 4
        for row in rows[bisect_left(heights, top) : bisect_left(heights, bottom)]:
            row[int(left / CELL)] |= 2
        for row in rows[bisect_right(heights, top) : bisect_right(heights, bottom)]:
            row[int(left / CELL)] |= 1
    rows[bisect_left(heights, 0)][-2] |= 3
    rows[bisect_left(heights, item.height)][int(end / CELL)] |= 3
    lines = [[TRACK[row[column]] for column in range(-2, int(end / CELL) + 1)] for row in rows]
    for y, left, text in boxes:
        column = int(left / CELL) + 2
        lines[bisect_left(heights, y)][column : column + len(text)] = text
    for line in lines:
        yield "".join(line).rstrip()


def _pieces(path: Path) -> Iterator[tuple[float, float, float, float]]:
    """Yield the straight pieces of a path (left, top, right, bottom); a bend is two of them."""
    x = y = 0.0
    for step, numbers in _STEP.findall(path.attrs["d"]):
        *turn, last = map(float, numbers.split())
        match step:
            case "M":
                x, y = turn[0], last
                continue
            case "h":
                moves = [(last, 0.0)]
            case "v":
                moves = [(0.0, last)]
            case _:  # a quarter of a circle: by its sweep it goes across first, or up or down
                across, sweep = turn[-1], turn[4]
                moves = [(across, 0.0), (0.0, last)] if sweep == (across * last > 0) else [(0.0, last), (across, 0.0)]
        for across, down in moves:
            yield min(x, x + across), min(y, y + down), max(x, x + across), max(y, y + down)
            x, y = x + across, y + down
