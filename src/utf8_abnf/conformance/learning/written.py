"""Write an automaton as ABNF that a person can read, and that compiles to the same automaton."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from utf8_abnf.automaton.forms import TAIL, Form, characters, forms
from utf8_abnf.conformance.naming.patterns import Pattern, merge
from utf8_abnf.language.notation import abnf_range

if TYPE_CHECKING:
    from collections.abc import Iterable

    from utf8_abnf.automaton import Automaton


def abnf_of(automaton: Automaton) -> str:
    """Return a grammar that derives exactly what *automaton* accepts.

    If the language consists of characters with finitely many forms, each form is an alternative on a line of its own,
    as in the RFC. Otherwise each live state is a rule that ends with the rule of the next state (right-linear).
    """
    single = characters(automaton)
    lines = forms(single) if single else None
    return _by_characters(lines) if lines else _by_states(automaton.minimal())


def lines_of(found: Iterable[Form]) -> list[tuple[str, bytes]]:
    r"""Return *found* as a few lines of ABNF, each with its first word: forms that differ in one place are joined.

    >>> one, two = Form(((0xF0, 0xF0), (0x9F, 0x9F))), Form(((0xF0, 0xF0), (0xAF, 0xAF)))
    >>> lines_of([one, two])
    [('%xF0 ( %x9F / %xAF )', b'\xf0\x9f')]
    """
    return [
        (pattern.line, bytes(map(min, pattern.places)))
        for pattern in merge(Pattern.of_ranges(form.ranges) for form in found)
    ]


def _by_characters(found: tuple[Form, ...]) -> str:
    lines = [line for line, _ in lines_of(found)]
    text = ["octets = *( char )", *_alternatives("char", lines)]
    if any(TAIL in line for line in lines):
        text.append(f"{TAIL} = %x80-BF")
    return "\n".join(text) + "\n"


def _alternatives(name: str, alternatives: Iterable[str]) -> list[str]:
    """Return the rule *name*, one alternative on each line, with the slashes under the equals sign."""
    first, *more = alternatives
    return [f"{name} = {first}", *(" " * (len(name) + 1) + f"/ {each}" for each in more)]


def _by_states(automaton: Automaton) -> str:
    if automaton.start in automaton.dead:
        return "start = %x01 start\n"  # the automaton accepts nothing; this rule never ends, so it derives nothing
    names = [name.replace("_", "-") for name in automaton.names]
    text = []
    for state in range(len(automaton.table)):
        if state in automaton.dead:
            continue
        moves = []
        for target, run in groupby(range(256), key=automaton.rows[state].__getitem__):
            reached = list(run)
            if target not in automaton.dead:
                moves.append(f"{abnf_range(reached[0], reached[-1])} {names[target]}")
        if state not in automaton.accepting:
            text += _alternatives(names[state], moves)
        elif moves:
            text += [f"{names[state]} = [ {' / '.join(moves)} ]"]
        else:
            text.append(f'{names[state]} = ""')
    return "\n".join(text) + "\n"
