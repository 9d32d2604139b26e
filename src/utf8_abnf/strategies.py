"""Hypothesis strategies from a grammar: well-formed, ill-formed and almost derivable bytes.

Import this module only where Hypothesis is installed; nothing else in the package needs it.
"""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st

from utf8_abnf.automaton import compile_grammar
from utf8_abnf.errors import NotRegularError
from utf8_abnf.grammar import Grammar
from utf8_abnf.parsers.linear import TreeParser
from utf8_abnf.parsers.sentences import Deriver, edited, letters_near
from utf8_abnf.validator.ill_formed import CODES, TRUNCATED, describe

if TYPE_CHECKING:
    from collections.abc import Callable

    from utf8_abnf.automaton import Automaton

__all__ = ["from_grammar", "ill_formed", "near_misses", "well_formed"]


def well_formed(*, max_size: int = 40) -> st.SearchStrategy[bytes]:
    r"""Return a strategy for well-formed UTF-8 of at most *max_size* characters. It shrinks towards short ASCII text.

    >>> from hypothesis import find
    >>> find(well_formed(), lambda data: any(byte >= 0x80 for byte in data))
    b'\xc2\x80'
    """
    return st.lists(st.characters(codec="utf-8"), max_size=max_size).map(lambda text: "".join(text).encode())


def ill_formed(code: str | None = None, *, max_size: int = 20) -> st.SearchStrategy[bytes]:
    r"""Return a strategy for ill-formed UTF-8 whose first error has *code* (any of ``CODES``, where None).

    Up to *max_size* well-formed characters come before the fault and up to *max_size* after it. Nothing follows a fault
    with the code ``UTF8-TRUNCATED``: only the end of the input can cause it. Raises ``ValueError`` for a code
    that does not exist.

    >>> from hypothesis import find
    >>> find(ill_formed("UTF8-SURROGATE"), lambda data: True)
    b'\xed\xa0'
    """
    if code is None:
        return st.one_of([ill_formed(each, max_size=max_size) for each in CODES])
    if code not in CODES:
        raise ValueError(f"there is no code {code!r}; the codes are {', '.join(CODES)}")
    faults = st.deferred(lambda: st.sampled_from(_faults()[code]))  # a second of work, for the first example
    after = st.just(b"") if code == TRUNCATED else well_formed(max_size=max_size)
    return st.builds(lambda *parts: b"".join(parts), well_formed(max_size=max_size), faults, after)


def near_misses(grammar: Grammar | None = None, start: str | None = None) -> st.SearchStrategy[bytes]:
    """Return a strategy for bytes that are one edit away from a string of *grammar* (UTF-8 by default).

    The edit replaces, inserts or deletes one byte, or cuts off the end. Results that are derivable are dropped.
    *grammar* may be recursive; then the edit replaces, inserts or deletes one value.
    """
    try:
        automaton = _automaton(grammar, start)
    except NotRegularError:
        assert grammar
        return _derived_and_edited(grammar, start)
    words, edits = from_grammar(grammar, start), st.sampled_from([b"", *_representatives(automaton)])

    @st.composite
    def edited(draw: Callable[[st.SearchStrategy[Any]], Any]) -> bytes:
        data: bytes = draw(words)
        at = draw(st.integers(0, len(data)))
        new: bytes = draw(edits)
        return data[:at] + new + data[draw(st.sampled_from([at, at + 1, len(data)])) :]

    return edited().filter(lambda data: not automaton.accepts(data))


def from_grammar(
    grammar: Grammar | None = None, start: str | None = None, *, max_size: int = 60
) -> st.SearchStrategy[bytes]:
    r"""Return a strategy for bytes that *grammar* derives from *start*: a walk through its smallest automaton.

    Every string of the language of up to *max_size* bytes is possible. After *max_size* bytes the walk takes a shortest
    path to an accepting state. Of a recursive grammar it is a derivation of limited depth, not a walk.
    Raises ``ValueError`` for a grammar that derives nothing, ``GrammarError`` for one that cannot be used.

    >>> from hypothesis import find
    >>> find(from_grammar(Grammar.parse('number = 1*3%x30-39\n')), lambda data: len(data) > 1)
    b'00'
    """
    try:
        automaton = _automaton(grammar, start)
    except NotRegularError:
        assert grammar
        return _derived(grammar, start)
    distance = _distances(automaton)
    if automaton.start not in distance:
        raise ValueError("the grammar derives no string at all")

    @cache
    def moves(state: int, home: bool) -> st.SearchStrategy[int] | None:
        """Return a strategy for the next byte, one that leads *home* if asked; None where there is none."""
        ahead = {byte: distance.get(automaton.step(state, byte)) for byte in range(256)}
        good = [byte for byte, far in ahead.items() if far is not None and (not home or far < distance[state])]
        return st.sampled_from(good) if good else None

    @st.composite
    def walk(draw: Callable[[st.SearchStrategy[Any]], Any]) -> bytes:
        state, word = automaton.start, bytearray()
        while True:
            following = moves(state, len(word) >= max_size)
            if following is None or (state in automaton.accepting and not draw(st.booleans())):
                return bytes(word)
            word.append(draw(following))
            state = automaton.step(state, word[-1])

    return walk()


def _derived(grammar: Grammar, start: str | None) -> st.SearchStrategy[bytes]:
    deriver = Deriver(grammar, start)

    @st.composite
    def derivation(draw: Callable[[st.SearchStrategy[Any]], Any]) -> bytes:
        return deriver.derive(lambda count: draw(st.integers(0, count - 1)))

    return derivation()


def _derived_and_edited(grammar: Grammar, start: str | None) -> st.SearchStrategy[bytes]:
    letters, parser, words = letters_near(grammar, start), TreeParser(grammar, start), _derived(grammar, start)

    @st.composite
    def edit(draw: Callable[[st.SearchStrategy[Any]], Any]) -> bytes:
        return edited(grammar, draw(words), letters, lambda count: draw(st.integers(0, count - 1)))

    return edit().filter(lambda data: not parser.accepts(data))


def _automaton(grammar: Grammar | None, start: str | None) -> Automaton:
    return compile_grammar(grammar or Grammar.load("utf8"), start)


def _representatives(automaton: Automaton) -> list[bytes]:
    """Return the first byte of each byte class, and the byte before the next class begins."""
    classes = automaton.classes
    edges = [0, *(byte for byte in range(1, 256) if classes[byte] != classes[byte - 1])]
    return [bytes([byte]) for byte in sorted({*edges, *(byte - 1 for byte in edges[1:]), 255})]


def _distances(automaton: Automaton) -> dict[int, int]:
    """Return the number of bytes from each state to the nearest accepting state, for states that can reach one."""
    distance = dict.fromkeys(automaton.accepting, 0)
    while True:
        new = {
            state: 1 + min(distance[target] for target in row if target in distance)
            for state, row in enumerate(automaton.table)
            if state not in distance and any(target in distance for target in row)
        }
        if not new:
            return distance
        distance |= new


@cache
def _faults() -> dict[str, list[bytes]]:
    """Return ill-formed words by code, each with one fault: all of up to two bytes, longer ones from class edges."""
    edges = b"".join(_representatives(_automaton(None, None)))
    words = [
        *(bytes(word) for length in (1, 2) for word in product(range(0x80, 0x100), repeat=length)),
        *(bytes(word) for length in (3, 4) for word in product(edges, repeat=length) if word[0] > 0x7F),
    ]
    found: dict[str, list[bytes]] = {code: [] for code in CODES}
    for word in words:
        error = describe(word)
        if error and error.offending == len(word) - (not error.truncated):
            found[error.code].append(word)
    return found
