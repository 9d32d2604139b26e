"""The drawing of states and moves, for the pictures of automata and of differences.

The group of a state has the id ``state-NAME``, that of a move ``move-NAME-NAME``; the id of a second move between the
same two states ends in ``-2``.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from utf8_abnf.drawing.layered import Route, Stop, place
from utf8_abnf.drawing.svg import SMALL, text_width
from utf8_abnf.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from utf8_abnf.drawing.svg import Pen

MAX_STATES, MAX_ARROWS = 32, 96  # a larger picture cannot be read
WORDS = 26  # characters in a line of a label
LINES = 3  # of a label
LINE = 15  # px
TRACK = 26  # px between the tracks of moves that go back
LOOP = 30  # px above a state that leads to itself


@dataclass(frozen=True, slots=True)
class Vertex:
    """A state to draw: its *name*, a *note* below it in small type, and whether it accepts (a double outline)."""

    name: str
    note: str = ""
    accepting: bool = False


@dataclass(frozen=True, slots=True)
class Arrow:
    """A move to draw, between the states with these numbers. *kind* is "", ``extra`` or ``missing``."""

    source: int
    target: int
    label: str
    kind: str = ""


def draw(
    pen: Pen, states: Sequence[Vertex], moves: Sequence[Arrow], start: int, x: float, y: float
) -> tuple[float, float]:
    """Draw the machine with its upper left corner at *x*, *y*; return the x and y of its lower right corner.

    Every state must be reachable from *start*. ``UsageError`` where it has more than 32 states or 96 moves.
    """
    if len(states) > MAX_STATES or len(moves) > MAX_ARROWS:
        raise UsageError(
            f"{len(states)} states and {len(moves)} moves are too many for a picture that can be read (at most "
            f"{MAX_STATES} and {MAX_ARROWS}): use --format dot and draw it with Graphviz, or --format text"
        )
    loops = [[move for move in moves if move.source == move.target == number] for number in range(len(states))]
    stops = [_stop(state, several) for state, several in zip(states, loops, strict=True)]
    words = [_words(move.label) for move in moves]
    routes = place(stops, [(move.source, move.target, word) for move, word in zip(moves, words, strict=True)], start)
    placed = [*stops, *(route.words for route in routes if route.stops)]
    dx = x + 30 - min(stop.x - stop.width / 2 for stop in placed)  # 30 for the arrow to the start
    dy = y - min(stop.y - stop.up for stop in placed)
    for stop in {id(each): each for each in (*stops, *(each for route in routes for each in route.stops))}.values():
        stop.x, stop.y = stop.x + dx, stop.y + dy
    bottom = max(stop.y + stop.down for stop in placed)
    right = max(stop.x + stop.width / 2 for stop in placed)
    lanes = _lanes(moves, routes, stops, bottom)
    identities = _identities(states, moves)
    first = stops[start]
    pen.circle(first.x - first.body / 2 - 26, first.y, 4, "solid")
    pen.path("line", "M", first.x - first.body / 2 - 26, first.y, "h", 20)
    pen.head(first.x - first.body / 2, first.y, "right")
    for number, (move, route) in enumerate(zip(moves, routes, strict=True)):
        title = f"{states[move.source].name} to {states[move.target].name}: {move.label}"
        with pen.group(identities[number], title if len(_lines(move.label)) > 1 else ""):
            if route.stops:
                _forward(pen, move, route)
            elif not route.back:
                _loop(pen, move, stops[move.source], loops[move.source].index(move))
            else:
                _backward(pen, move, lanes[number], stops)
                right = max(right, lanes[number].out)
    for state, stop in zip(states, stops, strict=True):
        with pen.group(f"state-{state.name}"):
            _state(pen, state, stop)
    return right, bottom + TRACK * len(lanes) + (6 if lanes else 0)


def _identities(states: Sequence[Vertex], moves: Sequence[Arrow]) -> list[str]:
    met: Counter[str] = Counter()
    made = []
    for move in moves:
        name = f"move-{states[move.source].name}-{states[move.target].name}"
        met[name] += 1
        made.append(name if met[name] == 1 else f"{name}-{met[name]}")
    return made


def _stop(state: Vertex, loops: Sequence[Arrow]) -> Stop:
    width = max(text_width(state.name) + 24, text_width(state.note, SMALL) + 20, 44)
    half = 23 if state.note else 16
    words = [_words(loop.label) for loop in loops]
    above = sum(LOOP + each.up for each in words)
    return Stop(max([width, *(each.width for each in words)]), half + above, half, width)


def _lines(label: str) -> list[str]:
    """Return *label* in lines that end after commas; of too many lines the last one ends in "…"."""
    lines = [""]
    for part in label.split(", "):
        longer = f"{lines[-1]}, {part}" if lines[-1] else part
        if len(longer) > WORDS and lines[-1]:
            lines[-1] += ","
            lines.append(part)
        else:
            lines[-1] = longer
    if len(lines) > LINES:
        lines = [*lines[: LINES - 1], f"{lines[LINES - 1]} …"]
    return lines


def _words(label: str) -> Stop:
    lines = _lines(label)
    return Stop(max(text_width(line, SMALL) for line in lines) + 8, LINE * len(lines) + 2, 4)


def _label(pen: Pen, move: Arrow, x: float, y: float, anchor: str) -> None:
    """Write the label above the line at *y*."""
    lines = _lines(move.label)
    for number, line in enumerate(lines):
        pen.text(x, y - 5 - LINE * (len(lines) - 1 - number), line, "small label", anchor=anchor)


def _line_of(move: Arrow) -> str:
    return f"line {move.kind}" if move.kind else "line"


def _forward(pen: Pen, move: Arrow, route: Route) -> None:
    first, last = route.stops[0], route.stops[-1]
    x, y = first.x + first.body / 2, first.y
    steps: list[float | str] = ["M", x, y]
    for stop in route.stops[1:]:
        left = stop.x - stop.width / 2
        if y != stop.y:
            half = (x + left) / 2
            steps += ["C", half, y, half, stop.y, left, stop.y]
        x, y = stop.x + stop.width / 2, stop.y
        steps += ["H", stop.x - stop.body / 2 - 6 if stop is last else x]
    pen.path(_line_of(move), *steps)
    pen.head(last.x - last.body / 2, last.y, "right")
    _label(pen, move, route.words.x - route.words.width / 2 + 4, route.words.y, "start")


def _loop(pen: Pen, move: Arrow, stop: Stop, inside: int) -> None:
    """Draw a move from a state to itself, above the state and above the *inside* loops drawn before it."""
    top = stop.y - stop.down
    one = _words(move.label).up + LOOP  # only the outermost loop of a state may have a label of several lines
    rise = inside * one + LOOP - 6
    leg, bulge = 12 + 6 * inside, 26 + 44 * inside
    pen.path(_line_of(move), "M", stop.x - leg, top, "C", stop.x - bulge, top - rise * 4 / 3, stop.x + bulge,
        top - rise * 4 / 3, stop.x + leg + 1, top - 6)  # fmt: skip
    pen.head(stop.x + leg, top, "down")
    _label(pen, move, stop.x, top - rise - 3, "middle")


@dataclass(frozen=True, slots=True)
class _Lane:
    """How a move goes back: it leaves its column at x = *out*, runs at y = *level*, and ends at x = *into*."""

    out: float
    level: float
    into: float


def _lanes(moves: Sequence[Arrow], routes: Sequence[Route], stops: Sequence[Stop], bottom: float) -> dict[int, _Lane]:
    """Return a lane for each move that goes back; the further left it starts, the higher it runs, so no two cross.

    A move leaves and enters a state at the bottom of its column from below, and other states beside their column.
    """
    back = [number for number, route in enumerate(routes) if route.back]
    back.sort(key=lambda number: (stops[moves[number].source].column, -stops[moves[number].source].y, number))
    lanes: dict[int, _Lane] = {}
    for at, number in enumerate(back):
        source, target = stops[moves[number].source], stops[moves[number].target]
        same = [each for each in back[:at] if stops[moves[each].source].column == source.column]
        several = [each for each in back if stops[moves[each].target] is target]
        rank = several.index(number)
        if _lowest(source, stops):
            out = source.x - 9 * len(same)
        else:
            out = max(each.x + each.body / 2 for each in stops if each.column == source.column) + 10 + 7 * len(same)
        if _lowest(target, stops):
            into = target.x + (len(several) - 1) * 4 - 8 * rank
        else:
            into = min(each.x - each.body / 2 for each in stops if each.column == target.column) - 18 - 7 * rank
        lanes[number] = _Lane(out, bottom + TRACK * (at + 1), into)
    return lanes


def _backward(pen: Pen, move: Arrow, lane: _Lane, stops: Sequence[Stop]) -> None:
    source, target = stops[move.source], stops[move.target]
    steps: list[float | str]
    if _lowest(source, stops):
        steps = ["M", lane.out, source.y + source.down]
    else:
        steps = ["M", source.x + source.body / 2, source.y, "H", lane.out - 8, "a", 8, 8, "0 0 1", 8, 8]
    steps += ["V", lane.level - 10, "a", 10, 10, "0 0 1", -10, 10, "H", lane.into + 10, "a", 10, 10, "0 0 1", -10, -10]
    if _lowest(target, stops):
        pen.path(_line_of(move), *steps, "V", target.y + target.down + 6)
        pen.head(lane.into, target.y + target.down, "up")
    else:
        left = target.x - target.body / 2
        pen.path(_line_of(move), *steps, "V", target.y + 8, "a", 8, 8, "0 0 1", 8, -8, "H", left - 6)
        pen.head(left, target.y, "right")
    lines = _lines(move.label)
    short = lines[0] if len(lines) == 1 else f"{lines[0].removesuffix(',')} …"
    pen.text(lane.out - 12, lane.level - 5, short, "small label", anchor="end")


def _lowest(stop: Stop, stops: Sequence[Stop]) -> bool:
    return all(each.y <= stop.y for each in stops if each.column == stop.column)


def _state(pen: Pen, state: Vertex, stop: Stop) -> None:
    half = stop.down
    width, left = stop.body, stop.x - stop.body / 2
    pen.rect(left, stop.y - half, width, 2 * half, "box rule", round_by=half)
    if state.accepting:
        pen.rect(left + 4, stop.y - half + 4, width - 8, 2 * half - 8, "inner", round_by=half - 4)
    pen.text(stop.x, stop.y + (-1 if state.note else 5), state.name, "strong")
    if state.note:
        pen.text(stop.x, stop.y + 13, state.note, "small")
