"""Draw the live states of an ``Automaton`` and their moves as SVG. Bytes that are not shown are rejected."""

from __future__ import annotations

from typing import TYPE_CHECKING

from utf8_abnf.automaton.show import edges
from utf8_abnf.drawing.layered import Route, Stop, place
from utf8_abnf.drawing.svg import MARGIN, SMALL, Pen, text_width
from utf8_abnf.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from utf8_abnf.automaton import Automaton

    Edge = tuple[int, int, str]  # source, target and label of a move

MAX_STATES, MAX_EDGES = 32, 96  # a larger picture cannot be read
WORDS = 26  # characters in a line of a label
LINES = 3  # of a label
LINE = 15  # px
TRACK = 26  # px between the tracks of moves that go back
LOOP = 30  # px above a state that leads to itself
HALF = 16  # px: half the height of a state


def automaton_svg(automaton: Automaton, *, title: str = "Automaton over bytes", as_bytes: bool = False) -> str:
    """Return the live states of *automaton* and their moves as SVG, with a description of each move in words.

    Characters stand for bytes where all words are ASCII, unless *as_bytes*.

    ``UsageError`` where the picture would be too large to read; use DOT and Graphviz.
    """
    found = edges(automaton, as_bytes=as_bytes)
    reached = {automaton.start, *(target for _, target, _ in found)}
    live = [state for state in range(len(automaton.table)) if state in reached]
    numbers = {state: number for number, state in enumerate(live)}
    moves = [(numbers[source], numbers[target], label) for source, target, label in found if source in numbers]
    if len(live) > MAX_STATES or len(moves) > MAX_EDGES:
        raise UsageError(
            f"{len(live)} states and {len(moves)} moves are too many for a picture that can be read (at most "
            f"{MAX_STATES} and {MAX_EDGES}): use --format dot and draw it with Graphviz, or --format text"
        )
    names = [automaton.names[state] for state in live]
    accepting = [state in automaton.accepting for state in live]
    pen = Pen()
    right, bottom = _draw(pen, names, accepting, moves, numbers[automaton.start])
    legend = "Double outline: accepts. Bytes not shown: rejected."
    pen.text(MARGIN, bottom + 26, legend, "small", anchor="start")
    width = max(right, MARGIN + text_width(legend, SMALL)) + MARGIN
    return pen.document(width, bottom + 26 + MARGIN, title=title, description=_in_words(names, accepting, moves))


def _in_words(names: list[str], accepting: list[bool], moves: list[Edge]) -> str:
    """Return the machine as sentences, one line for each state."""
    lines = [f"{len(names)} state{'s' * (len(names) != 1)}, beginning in {names[0]}. Other bytes are rejected."]
    for number, name in enumerate(names):
        told = [f"{label} to {names[target]}" for source, target, label in moves if source == number]
        lines.append(f"{name}{' (accepts)' * accepting[number]}: {'; '.join(told) or 'no move'}.")
    return "\n".join(lines)


def _draw(pen: Pen, names: list[str], accepting: list[bool], moves: list[Edge], start: int) -> tuple[float, float]:
    """Draw the machine; return the x and y of its lower right corner."""
    loops = {source: label for source, target, label in moves if source == target}
    stops = [_stop(name, loops.get(number)) for number, name in enumerate(names)]
    words = [_words(label) for _, _, label in moves]
    routes = place(
        stops, [(source, target, word) for (source, target, _), word in zip(moves, words, strict=True)], start
    )
    placed = [*stops, *(route.words for route in routes if route.stops)]
    dx = MARGIN + 30 - min(stop.x - stop.width / 2 for stop in placed)  # 30 for the arrow to the start
    dy = MARGIN - min(stop.y - stop.up for stop in placed)
    for stop in {id(each): each for each in (*stops, *(each for route in routes for each in route.stops))}.values():
        stop.x, stop.y = stop.x + dx, stop.y + dy
    right = max(stop.x + stop.width / 2 for stop in placed)
    bottom = max(stop.y + stop.down for stop in placed)
    lane = 0
    first = stops[start]
    pen.circle(first.x - first.body / 2 - 26, first.y, 4, "solid")
    pen.path("line", "M", first.x - first.body / 2 - 26, first.y, "h", 20)
    pen.head(first.x - first.body / 2, first.y, "right")
    for (source, target, label), route in zip(moves, routes, strict=True):
        with pen.group(f"{names[source]} to {names[target]}: {label}"):
            if route.stops:
                _forward(pen, label, route)
            elif source == target:
                _loop(pen, label, stops[source])
            else:
                bottom += TRACK
                right = max(right, _backward(pen, label, stops, (source, target), bottom, lane))
                lane += 1
    for name, accepts, stop in zip(names, accepting, stops, strict=True):
        left = stop.x - stop.body / 2
        pen.rect(left, stop.y - HALF, stop.body, 2 * HALF, "box rule", round_by=HALF)
        if accepts:
            pen.rect(left + 4, stop.y - HALF + 4, stop.body - 8, 2 * HALF - 8, "inner", round_by=HALF - 4)
        pen.text(stop.x, stop.y + 5, name, "strong")
    return right, bottom


def _stop(name: str, loop: str | None) -> Stop:
    width = max(text_width(name) + 24, 44)
    if loop is None:
        return Stop(width, HALF, HALF, width)
    words = _words(loop)
    return Stop(max(width, words.width), HALF + LOOP + words.up, HALF, width)


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


def _label(pen: Pen, label: str, x: float, y: float, anchor: str) -> None:
    """Write the label above the line at *y*."""
    lines = _lines(label)
    for number, line in enumerate(lines):
        pen.text(x, y - 5 - LINE * (len(lines) - 1 - number), line, "small label", anchor=anchor)


def _forward(pen: Pen, label: str, route: Route) -> None:
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
    pen.path("line", *steps)
    pen.head(last.x - last.body / 2, last.y, "right")
    _label(pen, label, route.words.x - route.words.width / 2 + 4, route.words.y, "start")


def _loop(pen: Pen, label: str, stop: Stop) -> None:
    """Draw a move from a state to itself, above the state."""
    top, rise = stop.y - HALF, LOOP - 6
    pen.path("line", "M", stop.x - 12, top, "C", stop.x - 26, top - rise * 4 / 3, stop.x + 26,
        top - rise * 4 / 3, stop.x + 13, top - 6)  # fmt: skip
    pen.head(stop.x + 12, top, "down")
    _label(pen, label, stop.x, top - rise - 3, "middle")


def _backward(pen: Pen, label: str, stops: Sequence[Stop], ends: tuple[int, int], level: float, lane: int) -> float:
    """Draw a move that goes back at y = *level*, below all states; return the x at which it leaves its column."""
    source, target = (stops[end] for end in ends)
    out = max(each.x + each.body / 2 for each in stops if each.column == source.column) + 10 + 7 * lane
    into = min(each.x - each.body / 2 for each in stops if each.column == target.column) - 18 - 7 * lane
    left = target.x - target.body / 2
    pen.path("line", "M", source.x + source.body / 2, source.y, "H", out - 8, "a", 8, 8, "0 0 1", 8, 8,
        "V", level - 10, "a", 10, 10, "0 0 1", -10, 10, "H", into + 10, "a", 10, 10, "0 0 1", -10, -10,
        "V", target.y + 8, "a", 8, 8, "0 0 1", 8, -8, "H", left - 6)  # fmt: skip
    pen.head(left, target.y, "right")
    lines = _lines(label)
    short = lines[0] if len(lines) == 1 else f"{lines[0].removesuffix(',')} …"
    pen.text(out - 12, level - 5, short, "small label", anchor="end")
    return out
