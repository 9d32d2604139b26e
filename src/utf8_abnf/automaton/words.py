"""Return words of an ``Automaton``: access words, the state cover V and separating words W."""

from __future__ import annotations

from itertools import product
from operator import itemgetter
from typing import TYPE_CHECKING

from utf8_abnf.grammar.subsets import shortest_words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from utf8_abnf.automaton.model import Automaton

MODERATE = 250  # states: up to this size, the word that splits most is taken; above, the first one that splits
MAX_ANSWERS = 1_000  # different answers of words that are examined


def access_words(automaton: Automaton) -> dict[int, bytes]:
    """Return for each reachable state its shortest word (of several, the one that sorts first), shortest first."""
    lowest = sorted((automaton.classes.index(number), number) for number in set(automaton.classes))

    def moves(state: int) -> Iterator[tuple[int, int]]:
        return ((byte, automaton.table[state][number]) for byte, number in lowest)

    return dict(shortest_words(automaton.start, moves))


def state_cover(automaton: Automaton) -> tuple[bytes, ...]:
    """Return V: for every reachable state, the sink included, its shortest word; shortest first.

    >>> from utf8_abnf.grammar import Grammar
    >>> from utf8_abnf.automaton import compile_grammar
    >>> [word.hex().upper() for word in state_cover(compile_grammar(Grammar.load("utf8")))]
    ['', '80', 'C2', 'E0', 'E1', 'ED', 'F0', 'F1', 'F4']
    """
    return tuple(access_words(automaton).values())


def separating_words(automaton: Automaton) -> tuple[bytes, ...]:
    """Return W, shortest word first: words that distinguish every two states of a minimal *automaton*.

    W contains the empty word. The word that splits most is taken first, and what is not needed is dropped: so W is
    small, though there may be a smaller one.

    >>> from utf8_abnf.grammar import Grammar
    >>> from utf8_abnf.automaton import compile_grammar
    >>> [word.hex(" ").upper() for word in separating_words(compile_grammar(Grammar.load("utf8")))]
    ['', '80', '80 80', 'A0 80', '80 80 80', '90 80 80']
    """
    return _greedy(automaton, list(_verdicts(automaton))) or (b"",)


def _verdicts(automaton: Automaton) -> Iterator[tuple[bytes, bytes]]:
    """Yield the different answers, each with a shortest word: a byte for each state, 1 if it accepts the word."""
    lowest = sorted((automaton.classes.index(number), number) for number in set(automaton.classes))
    size = len(automaton.table)
    moves = [(bytes([byte]), itemgetter(*(row[number] for row in automaton.table), 0)) for byte, number in lowest]
    layer = [(bytes(state in automaton.accepting for state in range(size)), b"")]
    seen = {layer[0][0]}
    while layer:
        yield from layer
        following = []
        for (byte, after), (answers, word) in product(moves, layer):
            if len(seen) == MAX_ANSWERS:
                break
            answer = bytes(after(answers))[:size]
            if answer not in seen:
                seen.add(answer)
                following.append((answer, byte + word))
        layer = following


def _greedy(automaton: Automaton, columns: list[tuple[bytes, bytes]]) -> tuple[bytes, ...]:
    """Return a W: take the word that splits most until all states are apart, then drop words that are not needed."""
    answers_of = {word: answers for answers, word in columns}
    size = len(automaton.table)
    waiting = list(answers_of)
    chosen: list[bytes] = []
    parts = [0] * size
    while max(parts) + 1 < size:
        if not waiting:
            longer = _longer_words(automaton, parts, chosen, answers_of)
            answers_of |= longer
            waiting = list(longer)
        word = waiting.pop(0)
        finer = _split(parts, answers_of[word])
        if max(finer) > max(parts) or not chosen:
            chosen.append(word)
            parts = finer
            if size <= MODERATE:
                splits = {each: len(set(zip(parts, answers_of[each], strict=True))) for each in waiting}
                # A word that splits no part now will not split its pieces later.
                waiting = [each for each in waiting if splits[each] > max(parts) + 1]
                waiting.sort(key=splits.__getitem__, reverse=True)
    return _needed(chosen, answers_of)


def _split(parts: list[int], answers: bytes) -> list[int]:
    """Return the part of each state when *answers* split *parts*; parts are numbered from 0."""
    numbers: dict[tuple[int, int], int] = {}
    return [numbers.setdefault(each, len(numbers)) for each in zip(parts, answers, strict=True)]


def _needed(chosen: list[bytes], answers_of: dict[bytes, bytes]) -> tuple[bytes, ...]:
    """Return *chosen* without the words that are not needed to distinguish all states; the longest are tried first."""
    chosen = sorted(chosen, key=lambda each: (len(each), each))
    size = len(answers_of[b""])
    before = [[0] * size]  # for each word, the parts that the words before it make
    for word in chosen:
        before.append(_split(before[-1], answers_of[word]))
    after = [0] * size  # ... and the parts that the kept words after it make
    kept: list[bytes] = []
    for word, parts in reversed(list(zip(chosen, before[:-1], strict=True))):
        if word == b"" or len(set(zip(parts, after, strict=True))) < size:
            kept.append(word)
            after = _split(after, answers_of[word])
    return tuple(reversed(kept))


def _longer_words(
    automaton: Automaton, parts: list[int], chosen: list[bytes], answers_of: dict[bytes, bytes]
) -> dict[bytes, bytes]:
    """Return words with their answers, each a byte before a word of *chosen*, that split *parts*, which *chosen* make.

    ``ValueError`` if there is none: then the automaton is not minimal.
    """
    first: dict[int, int] = {}
    splits: dict[int, tuple[int, bytes]] = {}  # for each part, a column and the word behind it
    for state, part in enumerate(parts):
        mine, yours = automaton.table[state], automaton.table[first.setdefault(part, state)]
        if mine == yours or part in splits:
            continue
        for number, (one, other) in enumerate(zip(mine, yours, strict=True)):
            if parts[one] != parts[other]:
                words = (word for word in chosen if answers_of[word][one] != answers_of[word][other])
                splits[part] = number, min(words, key=len)
                break
    if not splits:
        raise ValueError("the automaton is not minimal: no word distinguishes two of its states")
    return {
        bytes([automaton.classes.index(number)]) + word: bytes(answers_of[word][row[number]] for row in automaton.table)
        for number, word in sorted(set(splits.values()), key=lambda each: len(each[1]))
    }
