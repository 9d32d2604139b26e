"""The picture of a difference: two automata as one machine, with marks on the moves after which only one can accept.

Every state stands for a pair of states, one of each automaton, that the same bytes reach. A move is ``extra`` (dashed,
with +) where only the first automaton can still accept after it, ``missing`` (dotted, with −) where only the second
can, and plain otherwise. Where both automata read characters one after another (``utf8_abnf.automaton.forms``), the
machine shows a single character, whose last move leads back to the start.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from utf8_abnf.automaton.forms import characters, difference_forms
from utf8_abnf.automaton.names import MAX_WORD
from utf8_abnf.automaton.product import joint
from utf8_abnf.automaton.show import byte_ranges, show_ranges
from utf8_abnf.automaton.words import access_words
from utf8_abnf.drawing.automaton_svg import in_words
from utf8_abnf.drawing.machine import Arrow, Vertex, draw
from utf8_abnf.drawing.svg import MARGIN, SMALL, Pen, text_width
from utf8_abnf.errors import UsageError

if TYPE_CHECKING:
    from utf8_abnf.automaton import Automaton

EXTRA, MISSING = "extra", "missing"
SIGNS = {"": "", EXTRA: "+ ", MISSING: "− "}
SIGN_OF = {sign[:1]: kind for kind, sign in SIGNS.items()}
MAX_FORMS = 12  # of a kind, in the legend
MAX_SIZE = 64  # states of each: a machine of both has at least as many


def difference_svg(
    mine: Automaton, yours: Automaton, *, names: tuple[str, str] = ("the decoder", "the grammar"), prefix: str = ""
) -> str:
    """Return one machine of *mine* and *yours* as SVG, with marks on what only one of the two accepts.

    *names* are shown for the two, *prefix* goes before every id. ``UsageError`` where the machine is too large.

    >>> from utf8_abnf.automaton import compile_grammar
    >>> from utf8_abnf.grammar import Grammar
    >>> wtf8, utf8 = (compile_grammar(Grammar.load(name)) for name in ("dialects/wtf8", "utf8"))
    >>> "+ A0..AF" in difference_svg(wtf8, utf8)
    True
    """
    states, moves = _machine(mine, yours)
    pen = Pen(prefix)
    right, bottom = draw(pen, states, moves, 0, MARGIN, MARGIN)
    legend = _legend(mine, yours, names, states, moves)
    y = bottom + 26
    for kind, line in legend:
        if kind:
            pen.path(f"line {kind}", "M", MARGIN, y - 4, "h", 40)
        x = MARGIN + (50 if kind else 70)
        pen.text(x, y, line, "small", anchor="start")
        right = max(right, x + text_width(line, SMALL))
        y += 18
    title = f"What {names[0]} accepts, compared with {names[1]}"
    described = "\n".join([in_words(states, moves), *(line for _, line in legend)])
    return pen.document(right + MARGIN, y - 18 + MARGIN, title=title, description=described)


def _legend(
    mine: Automaton, yours: Automaton, names: tuple[str, str], states: list[Vertex], moves: list[Arrow]
) -> list[tuple[str, str]]:
    """Return the lines of text below the machine, each with the kind of stroke to draw before it ("" for none)."""
    forms = difference_forms(mine, yours)
    lines: list[tuple[str, str]] = []
    marks = {move.kind for move in moves} | {SIGN_OF[state.note[:1]] for state in states}
    for at, kind in enumerate((EXTRA, MISSING)):
        found = [] if forms is None else [str(form) for form in forms[at]]
        if len(found) > MAX_FORMS:
            found[MAX_FORMS - 1 :] = [f"and {len(found) - MAX_FORMS + 1} more"]
        if kind in marks:
            lines.append((kind, f"{SIGNS[kind]}only {names[at]} accepts{':' * bool(found)}"))
            lines += [("", line) for line in found]
    return lines or [("", f"No difference: {names[0]} accepts exactly what {names[1]} does.")]


def _machine(mine: Automaton, yours: Automaton) -> tuple[list[Vertex], list[Arrow]]:
    """Return the states of both together, the start first, and the moves between them."""
    yours = yours.minimal()
    both, verdicts, by_character = _joined(mine.minimal(), yours)
    everywhere = range(len(both.table))
    extra, missing = (  # the states from which only the first can still accept, or only the second
        replace(both, accepting=frozenset(state for state in everywhere if verdicts[state][side])).dead
        for side in (1, 0)
    )
    # The end of a character is drawn as the start.
    drawn = [state for state in everywhere if state not in both.dead and not (by_character and any(verdicts[state]))]
    numbers = {state: number for number, state in enumerate(drawn)}
    words = access_words(both)
    names: dict[str, int] = {}
    states, moves = [], []
    for number, state in enumerate(drawn):
        word = words[state]
        name = f"after_{word.hex('_').upper()}" if len(word) <= MAX_WORD else f"state_{number}"
        if (there := yours.run(word)) not in yours.dead and yours.names[there] not in names:
            name = yours.names[there]
        name = name if name not in names else f"pair_{number}"
        names[name] = state
        note = {(True, False): "+ accepts", (False, True): "− accepts"}.get(verdicts[state], "")
        states.append(Vertex(name, note, accepting=state == both.start if by_character else any(verdicts[state])))
        members: dict[tuple[int, str], list[int]] = {}
        for byte in range(256):
            if (target := both.step(state, byte)) not in both.dead:
                kind = EXTRA if target in extra else MISSING if target in missing else ""
                members.setdefault((numbers.get(target, 0), kind), []).append(byte)
        for (to, kind), several in members.items():
            moves.append(Arrow(number, to, SIGNS[kind] + show_ranges(byte_ranges(several)), kind))
    return states, moves


def _joined(mine: Automaton, yours: Automaton) -> tuple[Automaton, list[tuple[bool, bool]], bool]:
    """Return both as one automaton with their verdicts in each state, and whether it reads only one character."""
    if max(len(mine.table), len(yours.table)) > MAX_SIZE:
        raise UsageError("the two automata are too large for a picture of both; use --format text")
    left, right = characters(mine), characters(yours)
    if left is not None and right is not None:
        both, verdicts = joint(left, right)
        # If a character of one is only the beginning of a character of the other, its end cannot be the start.
        if not any(any(verdicts[state]) and set(row) - both.dead for state, row in enumerate(both.table)):
            return both, verdicts, True
    return *joint(mine, yours), False
