"""List the single characters of an ``Automaton``, or those that differ between two, as ABNF (``Form``).

An automaton whose only accepting state is its start accepts sequences of *characters*: words that lead from the start
to the start, and do not pass it between. The characters are a prefix code, so two such automata accept the same
language exactly if they have the same characters. A set of characters is short enough to be read:
``%xED %xA0-BF UTF8-tail``.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple

from utf8_abnf.automaton.model import Automaton
from utf8_abnf.automaton.product import difference
from utf8_abnf.language.notation import abnf_range

TAIL = "UTF8-tail"
TAIL_RANGE = (0x80, 0xBF)  # UTF8-tail = %x80-BF
MAX_FORMS = 200  # a longer list does not help a reader


@dataclass(frozen=True, slots=True, order=True)
class Form:
    """One byte range for each byte of the character, both ends included."""

    ranges: tuple[tuple[int, int], ...]

    @property
    def example(self) -> bytes:
        """The first word of this form: the lowest byte of each range."""
        return bytes(low for low, _ in self.ranges)

    def __str__(self) -> str:
        """Return the form as ABNF, written as in RFC 3629."""
        parts = []
        for piece, run in groupby(self.ranges):
            times = len(list(run))
            low, high = piece
            name = TAIL if piece == TAIL_RANGE else abnf_range(low, high)
            parts.append(name if times == 1 else f"{times}( {name} )" if name == TAIL else " ".join([name] * times))
        return " ".join(parts)


class Difference(NamedTuple):
    """What differs between two automata, as forms in byte order: the first lacks *missing*, the second *extra*."""

    extra: tuple[Form, ...]
    missing: tuple[Form, ...]


def characters(automaton: Automaton) -> Automaton | None:
    """Return the automaton of the characters of *automaton*, or None if its language does not consist of such."""
    small = automaton.minimal()
    if small.accepting != {small.start}:
        return None
    # The start is split in two: one half begins the character and is never re-entered, the other half accepts and ends.
    done, nowhere = len(small.table), len(small.table) + 1
    rows = [tuple(done if target == small.start else target for target in row) for row in small.table]
    width = len(small.table[0])
    rows += [(nowhere,) * width, (nowhere,) * width]
    return Automaton(small.start, tuple(rows), small.classes, frozenset({done})).minimal()


def forms(automaton: Automaton, most: int = MAX_FORMS) -> tuple[Form, ...] | None:
    """Return the forms of a finite language in byte order; None if it is infinite or has more than *most* forms."""
    small = automaton.minimal()
    complete: list[Form] = []
    todo: list[tuple[int, tuple[tuple[int, int], ...]]] = [(small.start, ())]
    while todo:
        state, ranges = todo.pop()
        if state in small.accepting:
            complete.append(Form(ranges))
        for target, pieces in small.moves(state).items():
            todo += [(target, (*ranges, piece)) for piece in pieces]
        if len(complete) + len(todo) > most:  # as it is in the end if the language is infinite
            return None
    return tuple(sorted(complete))


def difference_forms(mine: Automaton, yours: Automaton) -> Difference | None:
    """Return the characters that only *mine* accepts and those that only *yours* accepts; None if forms cannot say it.

    A character of the one that the other accepts as several characters is in neither list: if every byte is a
    character, C2 80 is not missing. So a list is empty exactly if the other language contains all of this one.

    >>> from utf8_abnf.automaton import compile_grammar
    >>> from utf8_abnf.grammar import Grammar
    >>> cesu8, utf8 = (compile_grammar(Grammar.load(name)) for name in ("dialects/cesu8", "utf8"))
    >>> for form in difference_forms(cesu8, utf8).extra:
    ...     print(form)
    %xED %xA0-AF UTF8-tail %xED %xB0-BF UTF8-tail
    """
    left, right = characters(mine), characters(yours)
    if left is None or right is None:
        return None
    extra, missing = forms(difference(left, yours)), forms(difference(right, mine))
    return None if extra is None or missing is None else Difference(extra, missing)
