"""The picture of an automaton: its live states and the moves between them. Bytes that are not shown are rejected."""

from __future__ import annotations

from typing import TYPE_CHECKING

from utf8_abnf.automaton.show import edges
from utf8_abnf.drawing.machine import Arrow, Vertex, draw
from utf8_abnf.drawing.svg import MARGIN, SMALL, Pen, text_width

if TYPE_CHECKING:
    from utf8_abnf.automaton import Automaton


def automaton_svg(automaton: Automaton, *, title: str = "Automaton over bytes", prefix: str = "") -> str:
    """Return the live states of *automaton* and their moves as SVG, with a description of each move in words.

    *prefix* goes before every id. ``UsageError`` where the picture would be too large to read; use DOT and Graphviz.

    >>> from utf8_abnf.automaton import compile_grammar
    >>> from utf8_abnf.grammar import Grammar
    >>> 'id="move-after_ED-tail1"' in automaton_svg(compile_grammar(Grammar.load("utf8")))
    True
    """
    found = edges(automaton)
    reached = {automaton.start, *(target for _, target, _ in found)}
    live = [state for state in range(len(automaton.table)) if state in reached]
    numbers = {state: number for number, state in enumerate(live)}
    states = [Vertex(automaton.names[state], accepting=state in automaton.accepting) for state in live]
    moves = [Arrow(numbers[source], numbers[target], label) for source, target, label in found if source in numbers]
    pen = Pen(prefix)
    right, bottom = draw(pen, states, moves, numbers[automaton.start], MARGIN, MARGIN)
    legend = "Double outline: accepts. Bytes not shown: rejected."
    pen.text(MARGIN, bottom + 26, legend, "small", anchor="start")
    width = max(right, MARGIN + text_width(legend, SMALL)) + MARGIN
    return pen.document(width, bottom + 26 + MARGIN, title=title, description=in_words(states, moves))


def in_words(states: list[Vertex], moves: list[Arrow]) -> str:
    """Return the machine as sentences, one line for each state."""
    lines = [f"{len(states)} state{'s' * (len(states) != 1)}, beginning in {states[0].name}. Other bytes are rejected."]
    for number, state in enumerate(states):
        told = [
            f"{move.label} to {states[move.target].name}" + (f" ({move.kind})" if move.kind else "")
            for move in moves
            if move.source == number
        ]
        accepts = f" ({state.note or 'accepts'})" if state.accepting else ""
        lines.append(f"{state.name}{accepts}: {'; '.join(told) or 'no move'}.")
    return "\n".join(lines)
