"""The mistakes of a grammar against a reference: two automata in, a list of places where they part out.

Both automata read the same input. As long as each of them can still reach its end, they agree. They part in one of two
ways, and each way is a mistake once, wherever else it shows:

- at a byte: after it, only one of the two can still reach an accepting state. Bytes that the reference treats alike are
  one mistake, and so are the same bytes at several places: a rule for tails that ends at BE is one mistake.
- at the end: one accepts here, and the other does not. This counts once for each way in which the reference begins the
  character, or the whole input where it has no characters. To accept what is cut off, and what is complete as well, is
  one mistake wherever it is made, and so is the next character that then may follow.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple

from utf8_abnf.automaton import Automaton
from utf8_abnf.language import feedback as messages
from utf8_abnf.language.catalogue import count, say
from utf8_abnf.language.notation import byte_range, hex_bytes

MAX_SHOWN = 24  # bytes of an input
TEXT = range(0x20, 0x7F)  # printable ASCII
NOTHING = Automaton(0, ((0,),), bytes(256), frozenset())


@dataclass(frozen=True, slots=True)
class Mistake:
    """One mistake: the shortest input that shows it, and whether the grammar accepts it (*extra*) or rejects it.

    *place* has the bytes that are wrongly taken or refused at *offset* of the input; it is "" where the two part at
    the end of the input. *name* is the kind of ill-formed bytes (``UTF8-SURROGATE``) that the grammar accepts, where
    the reference is UTF-8. A mistake of the whole grammar has no input: its *name* is a kind of the rubric, *said* is
    what is said of it, and *first* is a mistake that the first rule has, where another one is graded.
    """

    word: bytes
    extra: bool
    offset: int
    place: str = ""
    name: str = ""
    said: tuple[str, ...] = ()
    first: Mistake | None = None


class Mistakes(NamedTuple):
    """The mistakes, the shortest first, and whether the grammar accepts a non-empty input of the reference."""

    found: tuple[Mistake, ...]
    some_right: bool


class _Pair(NamedTuple):
    """The two states after an input that both can complete, and the first of the bytes that began the character."""

    mine: int
    yours: int
    lead: int | None


def mistakes(mine: Automaton, yours: Automaton, most: int) -> Mistakes:
    """Return the mistakes of *mine* against the reference *yours*; the search ends when there are *most* of them.

    >>> from utf8_abnf.automaton import compile_grammar
    >>> from utf8_abnf.grammar import Grammar
    >>> ascii, utf8 = compile_grammar(Grammar.parse("x = *%x00-7F")), compile_grammar(Grammar.load("utf8"))
    >>> [(each.word.hex(), each.place) for each in mistakes(ascii, utf8, 2).found]
    [('c280', 'C2..DF'), ('e0a080', 'E0')]
    """
    search = _Search(mine, yours)
    while search.todo and len(search.found) < most:
        search.step(*search.todo.popleft())
    return Mistakes(tuple(search.found.values())[:most], search.some_right)


class _Search:
    """A walk through the pairs of states that both can still complete, the shortest inputs first."""

    def __init__(self, mine: Automaton, yours: Automaton) -> None:
        self.mine, self.yours = mine, yours
        self.found: dict[tuple[object, ...], Mistake] = {}
        self.some_right = False
        live = [row for state, row in enumerate(mine.rows) if state not in mine.dead]
        self.has_places = len({tuple(target in mine.dead for target in row) for row in live}) > 1
        start = _Pair(mine.start, yours.start, None)
        self.todo = deque([(start, b"")])
        self._seen = {start}

    def step(self, pair: _Pair, word: bytes) -> None:
        ends = pair.mine in self.mine.accepting, pair.yours in self.yours.accepting
        left, right = self.mine.rows[pair.mine], self.yours.rows[pair.yours]
        cut_off = ends[0] and all(
            target in self.yours.dead or left[byte] not in self.mine.dead for byte, target in enumerate(right)
        )
        if ends[0] != ends[1]:
            self.found.setdefault(("end", None if cut_off else pair.lead, ends[0]), Mistake(word, ends[0], len(word)))
        for target, run in groupby(range(256), key=right.__getitem__):
            run_bytes = list(run)
            lead = run_bytes[0] if pair.yours == self.yours.start else pair.lead
            wanted = target not in self.yours.dead
            wrong = [byte for byte in run_bytes if (left[byte] not in self.mine.dead) != wanted]
            if cut_off and not ends[1]:
                wrong = [byte for byte in wrong if not self._begins_anew(pair.mine, byte)]
            if wrong and (ends[0] == ends[1] or cut_off):  # elsewhere the bytes differ because the ends do
                self._part_at(pair, word, wrong, extra=not wanted)
            if wanted:
                self._go_on([(byte, left[byte]) for byte in run_bytes], target, lead, word)

    def _begins_anew(self, state: int, byte: int) -> bool:
        """Return whether *byte* leads on as at the start; never where every state takes the same bytes."""
        return self.has_places and self.mine.rows[state][byte] == self.mine.rows[self.mine.start][byte]

    def _part_at(self, pair: _Pair, word: bytes, wrong: list[int], *, extra: bool) -> None:
        key = ("byte", tuple(wrong), extra)
        if key not in self.found:
            owner, state = (self.mine, pair.mine) if extra else (self.yours, pair.yours)
            start = owner.step(state, wrong[0])
            rest = Automaton(start, owner.table, owner.classes, owner.accepting).first_not_in(NOTHING)
            assert rest is not None
            self.found[key] = Mistake(word + bytes([wrong[0]]) + rest, extra, len(word), _ranges(wrong))

    def _go_on(self, moves: list[tuple[int, int]], target: int, lead: int | None, word: bytes) -> None:
        for byte, state in moves:
            pair = _Pair(state, target, lead)
            if state in self.mine.dead or pair in self._seen:
                continue
            self._seen.add(pair)
            self.todo.append((pair, word + bytes([byte])))
            self.some_right |= state in self.mine.accepting and target in self.yours.accepting


def _ranges(some_bytes: list[int]) -> str:
    """Return the bytes, which ascend, as ranges: ``C0..C1, F5..F7``."""
    parts = []
    for _, run in groupby(enumerate(some_bytes), key=lambda each: each[1] - each[0]):
        part = [byte for _, byte in run]
        parts.append(byte_range(part[0], part[-1]))
    return ", ".join(parts)


def shown_word(word: bytes) -> str:
    r"""Return *word* as text in quotation marks if it is printable ASCII, else its bytes.

    >>> shown_word(b"256"), shown_word(b"\xed\xa0\x80"), shown_word(b"")
    ('"256"', 'ED A0 80', 'the empty input')
    """
    if not word:
        return say(messages.EMPTY_INPUT)
    start = word[:MAX_SHOWN]
    shown = f'"{start.decode("ascii")}"' if all(byte in TEXT for byte in word) else hex_bytes(start)
    return shown if len(word) <= MAX_SHOWN else f"{shown} … ({count(messages.LENGTH, len(word))})"
