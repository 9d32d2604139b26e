"""The words of the W method, as blocks, and what they are made from: an automaton's tracks and covers.

W method (Chow 1978). V reaches every state of the automaton, W tells every two states apart; a suite asks for
``A·Σ^≤(k+1)·W`` where A is V or any other set with the empty word in it. docs/suites.md proves what passing it means.

Rule 1: all 256 bytes, never one of each class alone: a decoder's mistake need not follow the grammar's classes.
Rule 2: A is closed under prefixes and W under suffixes. Then ``a·u·w`` yields each word once if u·w has no
longer suffix in W than w, and if a u shorter than k+1 follows the empty word only. So no set of words is kept:

    A·Σ^≤(k+1)·W  =  Σ^≤k·W  ∪  A·Σ^(k+1)·W
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

from utf8_abnf.automaton.forms import characters, forms
from utf8_abnf.conformance.suite.blocks import Block

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from utf8_abnf.automaton import Automaton

Track = tuple[tuple[int, int], ...]  # a path from the start state back to it: a range for each byte, ends included

SIGMA = tuple(bytes([byte]) for byte in range(256))
MAX_BLOCK = 1 << 17  # words: a larger block is cut, so that a batch stays small


def by_length(words: Iterable[bytes]) -> tuple[bytes, ...]:
    """Return *words* once each, shortest first, of equal length in byte order."""
    return tuple(sorted(set(words), key=lambda word: (len(word), word)))


def prefix_closed(words: Iterable[bytes]) -> tuple[bytes, ...]:
    """Return *words* and all their prefixes."""
    return by_length(word[:end] for word in words for end in range(len(word) + 1))


def suffix_closed(words: Iterable[bytes]) -> tuple[bytes, ...]:
    """Return *words* and all their suffixes."""
    return by_length(word[begin:] for word in words for begin in range(len(word) + 1))


def w_blocks(cover: tuple[bytes, ...], separating: tuple[bytes, ...], k: int) -> Iterator[Block]:
    """Yield ``cover·Σ^≤(k+1)·separating``, each word once; *cover* and *separating* are closed as rule 2 says."""
    for n in range(k + 2):
        heads = cover if n == k + 1 else (b"",)
        for w in separating:
            middle = _middle(n, w, separating)
            size = len(Block(middle))
            step = max(1, MAX_BLOCK // size)
            for i in range(0, len(heads), step):
                yield Block((heads[i : i + step], *middle))


def _middle(n: int, w: bytes, separating: tuple[bytes, ...]) -> tuple[tuple[bytes, ...], ...]:
    """Return Σ^n·w without the words u·w that end with a longer word of W than *w*, as parts."""
    if n == 0:
        return ((w,),)
    ends = [each for each in separating if each.endswith(w) and len(w) < len(each) <= n + len(w)]
    longer = tuple(each[: len(each) - len(w)] for each in ends)
    shortest = [each for each in longer if not any(each != other and each.endswith(other) for other in longer)]
    deciding = max(map(len, shortest), default=1)
    last = tuple(u for u in map(bytes, product(range(256), repeat=deciding)) if not u.endswith(longer))
    return (*[SIGMA] * (n - deciding), tuple(u + w for u in last))


def identifying(automaton: Automaton, separating: tuple[bytes, ...]) -> tuple[tuple[bytes, ...], ...]:
    """Return H: for each state words of *separating*, so that any two states share a word that tells them apart.

    *separating* is closed under suffixes. The empty word splits the states in two, then one word each part, and so on;
    a state gets the words on its way.
    """
    size = len(automaton.table)
    answers = {b"": [state in automaton.accepting for state in range(size)]}
    for word in separating[1:]:
        number = automaton.classes[word[0]]
        answers[word] = [answers[word[1:]][row[number]] for row in automaton.table]
    accepting = {word: sum(1 << state for state in range(size) if each[state]) for word, each in answers.items()}
    identifiers: list[tuple[bytes, ...]] = [()] * size
    todo: list[tuple[int, tuple[bytes, ...], bytes]] = [((1 << size) - 1, (), b"")]  # states as the bits of a number
    while todo:
        whole, way, word = todo.pop()
        for part in (whole & accepting[word], whole & ~accepting[word]):
            if part.bit_count() > 1:
                best = min(accepting, key=lambda each: abs(2 * (part & accepting[each]).bit_count() - part.bit_count()))
                todo.append((part, (*way, word), best))
            elif part:
                identifiers[part.bit_length() - 1] = (*way, word)
    return tuple(identifiers)


def h_blocks(
    automaton: Automaton, cover: tuple[bytes, ...], sigma: Sequence[int], identifiers: tuple[tuple[bytes, ...], ...]
) -> Iterator[Block]:
    """Yield each word of *cover* and each byte of *sigma*, with what identifies the state that they lead to."""
    yield Block(((b"",), identifiers[automaton.start]))
    for head in cover:
        row = automaton.rows[automaton.run(head)]
        targets: dict[int, list[bytes]] = {}
        for byte in sigma:
            targets.setdefault(row[byte], []).append(SIGMA[byte])
        for target, members in targets.items():
            yield Block(((head,), tuple(members), identifiers[target]))


# ---- only for UTF-8, whose words are sequences of characters: each character has a track ----


def tracks(automaton: Automaton) -> tuple[Track, ...]:
    """Return the paths from the start state back to it: for UTF-8 the nine alternatives of the ABNF.

    >>> from utf8_abnf.conformance.suite.plan import plan
    >>> [f"{low:02X}-{high:02X}" for low, high in tracks(plan().automaton)[4]]
    ['ED-ED', '80-9F', '80-BF']
    """
    single = characters(automaton)
    found = forms(single) if single else None
    assert found is not None
    return tuple(form.ranges for form in found)


def ranges(automaton: Automaton, state: int) -> Iterator[tuple[int, int, int]]:
    """Yield the byte ranges that lead from *state* to one other live state each: low, high, target; ascending."""
    moves = automaton.moves(state).items()
    yield from sorted((low, high, target) for target, members in moves for low, high in members)


def edges(automaton: Automaton) -> tuple[int, ...]:
    """Return the first and the last byte of every run of bytes of one class: 24 for UTF-8."""
    classes = automaton.classes
    return tuple(
        byte
        for byte in range(256)
        if byte in (0, 255) or classes[byte] != classes[byte - 1] or classes[byte] != classes[byte + 1]
    )


def lowest(track: Track) -> bytes:
    """Return the first character of a track."""
    return bytes(low for low, _ in track)


def first_prefixes(automaton: Automaton, ways: tuple[Track, ...]) -> tuple[bytes, ...]:
    """Return A₁: every prefix of the first character of each track, and the shortest word that reaches the sink."""
    dead = bytes([next(byte for byte in range(256) if automaton.step(automaton.start, byte) in automaton.dead)])
    return prefix_closed([*map(lowest, ways), dead])


def second_prefixes(automaton: Automaton, ways: tuple[Track, ...]) -> tuple[bytes, ...]:
    """Return A₂: the words of A₁, alone and after the first character of each track."""
    once = first_prefixes(automaton, ways)
    return by_length(head + word for head in (b"", *map(lowest, ways)) for word in once)


def lead_prefixes(ways: tuple[Track, ...]) -> tuple[bytes, ...]:
    """Return A₃: every first byte of more than one, with the lowest and highest bytes that can follow it."""
    prefixes: set[bytes] = set()
    for (low, high), *rest in ways:
        for lead in range(low, high + 1):
            for length in range(len(rest) + 1) if rest else ():
                ends = [bytes(pair) for pair in rest[:length]]
                prefixes.update(bytes([lead, *following]) for following in product(*ends))
    return prefix_closed(prefixes)
