"""Classes of difference: two grammars in; out, each place where the second refuses words of the first, in one line.

A word that only the first grammar derives goes wrong at one offset. Words are of one class if the second grammar is in
the same rules there and expects the same. So one line can say a class: what is there, and what is expected instead.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from utf8_abnf.automaton.compile import compile_grammar
from utf8_abnf.automaton.earley import Recogniser
from utf8_abnf.automaton.explain import Explainer, shown_ranges
from utf8_abnf.grammar.values import character_boxes, joined
from utf8_abnf.language import explanations as messages
from utf8_abnf.language.catalogue import Message

if TYPE_CHECKING:
    from collections.abc import Iterator

    from utf8_abnf.automaton.explain import Expectation
    from utf8_abnf.automaton.model import Automaton
    from utf8_abnf.grammar import Grammar
    from utf8_abnf.grammar.values import Box, Ranges

    Pair = tuple[int, int]

END = -1  # in place of a byte


class Divergence(NamedTuple):
    """Words that one grammar derives and another refuses at one place.

    *got* says what is there, *expected* what the other expects, and *within* in which rules it is, or "". *example* is
    the shortest of these words (of several, the one that sorts first).
    """

    got: str
    expected: str
    within: str
    example: bytes

    def __str__(self) -> str:
        return self.message

    @property
    def message(self) -> Message:
        """What is there, what is expected instead, and in which rules that is."""
        text = messages.FAILS_INSTEAD_WITHIN if self.within else messages.FAILS_INSTEAD
        return Message(text, found=self.got, expected=self.expected, within=self.within)


def divergences(one: Grammar, other: Grammar, starts: tuple[str, str]) -> tuple[Divergence, ...]:
    """Return the classes of words of *one*, within its depth, that *other* does not derive; shortest example first.

    *starts* are the start rules. If *other* has a depth, words that nest deeper there are judged by the whole grammar.

    >>> from utf8_abnf.grammar import Grammar
    >>> one, other = Grammar.parse('a = "x" *DIGIT'), Grammar.parse('a = "x" 1*%x30-31')
    >>> for each in divergences(one, other, ("a", "a")):
    ...     print(each, each.example)
    the end; expected 30..31 [a] b'X'
    32..39; expected 30..31 [a] b'X2'
    32..39; expected 30..31 or the end [a] b'X02'
    """
    sides = _Sides(compile_grammar(one, starts[0]), compile_grammar(other, starts[1]))
    whole = None if other.depth is None else Recogniser(other, starts[1])
    explainer = Explainer(other, starts[1])
    known: dict[tuple[int, bool], tuple[Expectation, int]] = {}  # and the bytes of the character before the place
    found: dict[tuple[bool, str, str], tuple[bytes, bool, list[tuple[int, int]]]] = {}
    for place in sides.places():
        word = place.before + place.after
        if whole and not ((refused := whole.read(word).refused) and refused.offset == len(place.before)):
            continue  # it only nests deeper
        key = place.pair[1], place.byte == END  # the state decides what is expected
        if key not in known:
            problem = explainer.explain(word)
            assert problem is not None
            known[key] = problem, len(place.before) - problem.offset
        problem, begun = known[key]
        ranges = place.run
        if ranges and problem.code_points:
            ranges = sides.characters(place.before[: len(place.before) - begun])
        group = found.setdefault((not ranges, problem.expected, problem.within), (word, problem.code_points, []))
        group[2].extend(ranges)
    return tuple(
        Divergence(
            Message(messages.THE_END) if ended else shown_ranges(joined(ranges), code_points=is_text),
            expected,
            within,
            word,
        )
        for (ended, expected, within), (word, is_text, ranges) in found.items()
    )


class _Place(NamedTuple):
    """A place where the second automaton refuses a word of the first: the two states there, and the bytes around it.

    *run* has all bytes that both automata treat like *byte*.
    """

    pair: Pair
    byte: int
    run: Ranges
    before: bytes
    after: bytes


class _Sides:
    """Two automata, of which the first accepts words that the second refuses."""

    def __init__(self, mine: Automaton, yours: Automaton) -> None:
        self.mine = mine
        self.yours = yours
        self._columns: dict[Pair, list[int]] = {}
        for byte, column in enumerate(zip(mine.classes, yours.classes, strict=True)):
            self._columns.setdefault(column, []).append(byte)
        self._ends = _completions(mine)
        self._known: dict[tuple[Pair, Box], list[tuple[int, int]]] = {}

    def places(self) -> Iterator[_Place]:
        """Yield a shortest word for each live state of the second automaton and each class of bytes refused there."""
        start = self.mine.start, self.yours.start
        words = {start: b""}
        todo = [start] if start[0] in self._ends and start[1] not in self.yours.dead else []
        seen: set[tuple[int, int]] = set()
        found: list[_Place] = []
        for pair in todo:
            before = words[pair]
            if pair[0] in self.mine.accepting and pair[1] not in self.yours.accepting and (pair[1], END) not in seen:
                seen.add((pair[1], END))
                found.append(_Place(pair, END, (), before, b""))
            for run in self._columns.values():
                after = self._step(pair, run[0])
                if after[0] not in self._ends:
                    continue
                if after[1] in self.yours.dead:
                    if not {(pair[1], byte) for byte in run} <= seen:
                        seen.update((pair[1], byte) for byte in run)
                        rest = bytes(run[:1]) + self._ends[after[0]]
                        found.append(_Place(pair, run[0], joined([(byte, byte) for byte in run]), before, rest))
                elif after not in words:
                    words[after] = before + bytes(run[:1])
                    todo.append(after)
        yield from sorted(found, key=lambda each: (len(each.before + each.after), each.before + each.after))

    def _step(self, pair: Pair, byte: int) -> Pair:
        return self.mine.step(pair[0], byte), self.yours.step(pair[1], byte)

    def characters(self, before: bytes) -> Ranges:
        """Return the code points with which the first automaton goes on after *before*, and the second does not."""
        pair = self.mine.run(before), self.yours.run(before)
        return tuple(
            (first + low, first + high) for first, box in character_boxes() for low, high in self._numbers(pair, box)
        )

    def _numbers(self, pair: Pair, box: Box) -> list[tuple[int, int]]:
        """Return which words of *box* lead from *pair* to where only the first automaton goes on, as their numbers."""
        if pair[0] not in self._ends:
            return []
        if not box:
            return [(0, 0)] if pair[1] in self.yours.dead else []
        key = pair, box
        if key not in self._known:
            (low, high), rest = box[0], box[1:]
            size = 1
            for first, last in rest:
                size *= last - first + 1
            found = [
                ((byte - low) * size + one, (byte - low) * size + other)
                for byte in range(low, high + 1)
                for one, other in self._numbers(self._step(pair, byte), rest)
            ]
            self._known[key] = list(joined(found))
        return self._known[key]


def _completions(automaton: Automaton) -> dict[int, bytes]:
    """Return for each live state the shortest word that is accepted from it (of several, the one that sorts first)."""
    lowest = sorted(automaton.classes.index(number) for number in set(automaton.classes))
    before: dict[int, list[tuple[int, int]]] = {}
    for state in range(len(automaton.table)):
        for byte in lowest:
            before.setdefault(automaton.step(state, byte), []).append((byte, state))
    found = dict.fromkeys(automaton.accepting, b"")
    layer = list(found.items())
    while layer:
        words: dict[int, bytes] = {}
        for state, word in layer:
            for byte, source in before.get(state, ()):
                longer = bytes([byte]) + word
                if source not in found and longer < words.get(source, b"\xff" * (len(longer) + 1)):
                    words[source] = longer
        found.update(words)
        layer = list(words.items())
    return found
