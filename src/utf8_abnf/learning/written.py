"""An automaton written as ABNF that a person can read, and that compiles to the same automaton again."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from utf8_abnf.automaton.forms import TAIL, Form, characters, forms
from utf8_abnf.harness.patterns import Pattern, merge

if TYPE_CHECKING:
    from collections.abc import Iterable

    from utf8_abnf.automaton import Automaton


def abnf_of(automaton: Automaton) -> str:
    """Return a grammar that derives exactly what *automaton* accepts.

    Where the language is made of characters of finitely many forms, it is written as the RFC writes it, one
    alternative a line. Otherwise each live state is a rule that ends in the next state's rule (right-linear).
    """
    single = characters(automaton)
    lines = forms(single) if single else None
    return _by_characters(lines) if lines else _by_states(automaton.minimal())


def lines_of(found: Iterable[Form]) -> list[tuple[str, bytes]]:
    r"""Return *found* as few lines of ABNF, each with the first word of it: forms that differ in one place are joined.

    >>> one, two = Form(((0xF0, 0xF0), (0x9F, 0x9F))), Form(((0xF0, 0xF0), (0xAF, 0xAF)))
    >>> lines_of([one, two])
    [('%xF0 ( %x9F / %xAF )', b'\xf0\x9f')]
    """
    patterns = merge(Pattern(tuple(frozenset(range(low, high + 1)) for low, high in form.ranges)) for form in found)
    return [(pattern.line, bytes(map(min, pattern.places))) for pattern in patterns]


def _by_characters(found: tuple[Form, ...]) -> str:
    lines = [line for line, _ in lines_of(found)]
    text = ["octets = *( char )", *_alternatives("char", lines)]
    if any(TAIL in line for line in lines):
        text.append(f"{TAIL} = %x80-BF")
    return "\n".join(text) + "\n"


def _alternatives(name: str, alternatives: Iterable[str]) -> list[str]:
    """Return the rule over several lines, the slashes under the equals sign."""
    first, *more = alternatives
    return [f"{name} = {first}", *(" " * (len(name) + 1) + f"/ {each}" for each in more)]


def _by_states(automaton: Automaton) -> str:
    if automaton.start in automaton.dead:
        return "start = %x01 start\n"  # never ends: derives nothing, as the automaton accepts nothing
    names = [name.replace("_", "-") for name in automaton.names]
    text = []
    for state in range(len(automaton.table)):
        if state in automaton.dead:
            continue
        moves = []
        for target, run in groupby(range(256), key=automaton.rows[state].__getitem__):
            reached = list(run)
            low, high = reached[0], reached[-1]
            if target not in automaton.dead:
                moves.append(f"%x{low:02X}" + (f"-{high:02X}" if high > low else "") + f" {names[target]}")
        if state not in automaton.accepting:
            text += _alternatives(names[state], moves)
        elif moves:
            text += [f"{names[state]} = [ {' / '.join(moves)} ]"]
        else:
            text.append(f'{names[state]} = ""')
    return "\n".join(text) + "\n"
