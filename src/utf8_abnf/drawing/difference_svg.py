"""The picture of a difference: two automata as one machine, with marks on the moves after which only one can accept.

Every state stands for a pair of states, one of each automaton, that the same bytes reach. A move is ``extra`` (dashed,
with +) where only the first automaton can still accept after it, ``missing`` (dotted, with −) where only the second
can, and plain otherwise. Where both automata read characters one after another (``utf8_abnf.automaton.forms``), the
machine shows a single character, whose last move leads back to the start.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from utf8_abnf.automaton.forms import characters, difference_forms
from utf8_abnf.automaton.names import MAX_WORD
from utf8_abnf.automaton.show import byte_ranges, show_ranges
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
MAX_PAIRS = 4_096

Pair = tuple[int, int]


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
    joint = _Joint(mine, yours)
    states, moves = joint.machine()
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


class _Joint:
    """The product of two automata, minimised with regard to the pair of answers that each of its states gives."""

    def __init__(self, mine: Automaton, yours: Automaton) -> None:
        self.yours = yours.minimal()
        single = characters(mine), characters(yours)
        self.by_character = False
        if single[0] is not None and single[1] is not None:
            self._explore(single[0], single[1])
            # If a character of one is only the beginning of a character of the other, its end cannot be the start.
            ends = [pair for pair in self.after if any(self._answers(pair))]
            self.by_character = not any(target in self.after for pair in ends for target in self.after[pair])
        if not self.by_character:
            self._explore(mine.minimal(), self.yours)
        self.classes = self._classes()
        self.outcomes = self._outcomes()

    def _explore(self, left: Automaton, right: Automaton) -> None:
        """Find the pairs that can be reached and can still accept; set their shortest *words* and moves (*after*).

        A pair has a move for each class of bytes that neither automaton tells apart (*byte_class*).
        """
        self.left, self.right = left, right
        first: dict[Pair, int] = {}  # byte of each class
        for byte, each in enumerate(zip(left.classes, right.classes, strict=True)):
            first.setdefault(each, byte)
        numbers = {each: number for number, each in enumerate(first)}
        self.byte_class = [numbers[each] for each in zip(left.classes, right.classes, strict=True)]
        self.start = (left.start, right.start)
        self.words = {self.start: b""}
        self.after: dict[Pair, list[Pair]] = {}
        todo = [self.start]
        for pair in todo:
            if len(todo) > MAX_PAIRS:
                raise UsageError("the two automata are too large for a picture of both; use --format text")
            self.after[pair] = [(left.step(pair[0], byte), right.step(pair[1], byte)) for byte in first.values()]
            for byte, target in zip(first.values(), self.after[pair], strict=True):
                if target not in self.words and not self._dead(target):
                    self.words[target] = self.words[pair] + bytes([byte])
                    todo.append(target)

    def _dead(self, pair: Pair) -> bool:
        return pair[0] in self.left.dead and pair[1] in self.right.dead

    def _answers(self, pair: Pair) -> tuple[bool, bool]:
        return pair[0] in self.left.accepting, pair[1] in self.right.accepting

    def _classes(self) -> dict[Pair, int]:
        """Return the class of each pair; pairs that no bytes distinguish have the same class (Moore's algorithm)."""
        known: dict[Pair, object] = {pair: self._answers(pair) for pair in self.after}
        many = 0
        while True:
            numbers: dict[object, int] = {}
            found = {
                pair: numbers.setdefault((known[pair], *(known.get(target) for target in targets)), len(numbers))
                for pair, targets in self.after.items()
            }
            if len(numbers) == many:
                return found
            many = len(numbers)
            known = dict(found)

    def _outcomes(self) -> dict[Pair, set[tuple[bool, bool]]]:
        """Return for each pair the answers that are still possible; (True, False): only the first accepts."""
        found = {pair: {self._answers(pair)} - {(False, False)} for pair in self.after}
        changed = True
        while changed:
            changed = False
            for pair, targets in self.after.items():
                more = set().union(*(found[target] for target in set(targets) if target in found))
                if not more <= found[pair]:
                    found[pair] |= more
                    changed = True
        return found

    def _kind(self, pair: Pair) -> str:
        outcomes = self.outcomes[pair]
        if not any(yours for _, yours in outcomes):
            return EXTRA
        return "" if any(mine for mine, _ in outcomes) else MISSING

    def machine(self) -> tuple[list[Vertex], list[Arrow]]:
        """Return the states, the start first, and the moves between them."""
        first: dict[int, Pair] = {}  # the pair of each class that the shortest word reaches
        for pair in self.after:
            if not (self.by_character and any(self._answers(pair))):  # the end of a character is drawn as the start
                first.setdefault(self.classes[pair], pair)
        numbers = {each: number for number, each in enumerate(first)}
        moves = []
        for each, pair in first.items():
            members: dict[tuple[int, str], list[int]] = {}
            for byte, number in enumerate(self.byte_class):
                target = self.after[pair][number]
                if target in self.classes:
                    to = numbers.get(self.classes[target], 0)
                    members.setdefault((to, self._kind(target)), []).append(byte)
            for (to, kind), several in members.items():
                moves.append(Arrow(numbers[each], to, SIGNS[kind] + show_ranges(byte_ranges(several)), kind))
        return self._states(first), moves

    def _states(self, first: dict[int, Pair]) -> list[Vertex]:
        """Return the states for the pairs *first*, with the names of the second automaton where it is not dead."""
        met: set[str] = set()
        states = []
        for number, pair in enumerate(first.values()):
            word = self.words[pair]
            names = [f"after_{word.hex('_').upper()}" if len(word) <= MAX_WORD else f"state_{number}", f"pair_{number}"]
            if pair[1] not in self.right.dead:
                names.insert(0, self.yours.names[self.yours.run(word)])
            name = next(name for name in names if name not in met)
            met.add(name)
            answers = self._answers(pair)
            note = {(True, False): "+ accepts", (False, True): "− accepts"}.get(answers, "")
            accepting = pair == self.start if self.by_character else any(answers)
            states.append(Vertex(name, note, accepting))
        return states
