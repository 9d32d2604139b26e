"""Draw a ``Tree`` as SVG: rules above, and the bytes that they derive below, each under its rule."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING

from utf8_abnf.drawing.svg import MARGIN, SMALL, Pen, text_width
from utf8_abnf.errors import UsageError
from utf8_abnf.language.notation import byte_range, letters
from utf8_abnf.parsers.tree import shown_piece

if TYPE_CHECKING:
    from collections.abc import Callable

    from utf8_abnf.parsers.tree import Tree

MAX_BYTES, MAX_NODES = 64, 256
BYTE = 30  # px of a byte
APART = 12  # px between neighbours
LEVEL = 64  # px from a node to its children
HALF = 15  # px: half the height of a node without a character


@dataclass(slots=True)
class _Place:
    node: Tree | None  # None for a byte
    offset: int
    depth: int
    width: float
    children: list[_Place]
    x: float = 0  # its middle


def tree_svg(tree: Tree, data: bytes, *, as_text: bool = False) -> str:
    """Return *tree* as SVG; *data* are the bytes that were parsed. ``UsageError`` above 64 bytes or 256 nodes.

    With *as_text*, bytes are shown as characters where they are visible ASCII.
    """
    many = tree.end - tree.start
    if many > MAX_BYTES or len(list(islice(tree.walk(), MAX_NODES + 1))) > MAX_NODES:
        raise UsageError(
            f"{many} bytes are too many for a picture of their tree (at most {MAX_BYTES} bytes and {MAX_NODES} "
            "nodes); use --format text or json, or less input"
        )
    nodes = list(tree.walk())
    deepest = max(depth for depth, _ in nodes) + 1
    root = _placed(nodes, data, deepest)
    total = _spread(root, MARGIN)
    pen = Pen()
    top = MARGIN + HALF + 6
    _lines(pen, root, top)
    _shapes(pen, root, top, data, letters if as_text else byte_range)
    height = top + (deepest * LEVEL + 2 * HALF + 14 if many else (deepest - 1) * LEVEL + HALF)
    whole = shown_piece(data[tree.start : tree.end], as_text=as_text) or "the empty input"
    title, description = f"Parse tree: {tree.rule} derives {whole}", "\n".join(tree.lines(data, as_text=as_text))
    return pen.document(total + MARGIN, height + MARGIN, title=title, description=description)


def _character(node: Tree, data: bytes) -> str:
    """Return the character that *node* derives ("" for none), for the outermost of several nodes that derive it."""
    return str(replace(node, children=()).to_json(data).get("code_point", ""))


def _placed(nodes: list[tuple[int, Tree]], data: bytes, deepest: int) -> _Place:
    made: list[_Place] = []
    for depth, node in reversed(nodes):  # children are placed before their parents, the last ones on top
        children = [made.pop() for _ in node.children]
        mixed: list[_Place] = []
        at = node.start
        for child in [*children, None]:
            stop = child.offset if child else node.end
            mixed += [_Place(None, offset, deepest, BYTE, []) for offset in range(at, stop)]
            if child:
                mixed.append(child)
                at = child.node.end if child.node else stop
        width = max(text_width(node.label) + 20, text_width(_character(node, data), SMALL) + 20)
        made.append(_Place(node, node.start, depth, width, mixed))
    return made[0]


def _spread(place: _Place, left: float) -> float:
    """Set the x of *place* and of all below it, from *left* on; return the x of their end."""
    if not place.children:
        place.x = left + place.width / 2
        return left + place.width
    right = left
    for number, child in enumerate(place.children):
        right = _spread(child, right + (APART if number else 0))
    place.x = (place.children[0].x + place.children[-1].x) / 2
    if right - left < place.width:  # the label is wider than all below it, which move to its middle
        _shift(place, left + place.width / 2 - place.x)
        return left + place.width
    outside = max(left - (place.x - place.width / 2), 0)
    _shift(place, outside)
    return max(right + outside, place.x + place.width / 2)


def _shift(place: _Place, by: float) -> None:
    todo = [place]
    while todo:
        each = todo.pop()
        each.x += by
        todo.extend(each.children)


def _lines(pen: Pen, root: _Place, top: float) -> None:
    todo = [root]
    while todo:
        place = todo.pop()
        for child in place.children:
            y, to = top + place.depth * LEVEL, top + child.depth * LEVEL
            turn = y + LEVEL / 2
            pen.path("line", "M", place.x, y, "C", place.x, turn, child.x, turn - 6, child.x, y + LEVEL - 14, "V", to)
        todo.extend(reversed(place.children))


def _shapes(pen: Pen, root: _Place, top: float, data: bytes, show: Callable[[int, int], str]) -> None:
    todo = [root]
    while todo:
        place = todo.pop()
        y = top + place.depth * LEVEL
        if place.node is None:
            pen.rect(place.x - BYTE / 2, y - HALF, BYTE, 2 * HALF, "box bytes", round_by=HALF)
            pen.text(place.x, y + 5, show(data[place.offset], data[place.offset]))
            pen.text(place.x, y + 32, str(place.offset), "small")
        else:
            node = place.node
            character = _character(node, data)
            half = HALF + 5 * bool(character)
            pen.rect(place.x - place.width / 2, y - half, place.width, 2 * half, "box rule", round_by=2)
            pen.text(place.x, y + (-1 if character else 5), node.label)
            if character:
                pen.text(place.x, y + 14, character, "small")
        todo.extend(reversed(place.children))
