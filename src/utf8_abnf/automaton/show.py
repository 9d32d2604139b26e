"""Write an ``Automaton`` for readers and for other programs: as a table, Mermaid, DOT or JSON.

Readers see characters where all words are ASCII, as in ``'0'..'9'``, or with *as_bytes* bytes. JSON always has bytes.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from utf8_abnf.automaton.words import access_words
from utf8_abnf.grammar.values import LAST_ASCII, ranges_of
from utf8_abnf.language import grammars as messages
from utf8_abnf.language.catalogue import columns, padded, say
from utf8_abnf.language.notation import byte_range, hex_bytes, letters

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from utf8_abnf.automaton.model import Automaton
    from utf8_abnf.grammar.values import Ranges

FORMAT = "utf8-abnf automaton 1"


def show_ranges(ranges: Iterable[tuple[int, int]]) -> str:
    """Return *ranges* as text, as messages show them."""
    return ", ".join(byte_range(low, high) for low, high in ranges)


def class_names(automaton: Automaton) -> list[str]:
    """Return the byte ranges of each class, as text."""
    return [show_ranges(ranges) for ranges in _classes(automaton)]


def _classes(automaton: Automaton) -> list[Ranges]:
    return list(map(ranges_of, automaton.members))


def _for_readers(automaton: Automaton, as_bytes: bool) -> Callable[[Iterable[tuple[int, int]]], str]:
    """Return what shows ranges: as characters, if no word of *automaton* has a byte beyond ASCII."""
    beyond = {automaton.classes[byte] for byte in range(LAST_ASCII + 1, 256)}
    if as_bytes or any(row[number] not in automaton.dead for row in automaton.table for number in beyond):
        return show_ranges
    return lambda ranges: ", ".join(letters(low, high) for low, high in ranges)


def to_table(automaton: Automaton, *, as_bytes: bool = False) -> str:
    """Return the table: a row for each live state, a column for each byte class that leads to one; ``*`` accepts.

    The words in it are in the chosen language.
    """
    by_class = enumerate(zip(*automaton.table, strict=True))
    shown = [number for number, targets in by_class if not automaton.dead.issuperset(targets)]
    classes = list(map(_for_readers(automaton, as_bytes), _classes(automaton)))
    rows = [[say(messages.STATE), *(classes[number] for number in shown)]]
    for state in _live(automaton):
        mark = "*" if state in automaton.accepting else ""
        row = [automaton.names[state] + mark]
        for number in shown:
            target = automaton.table[state][number]
            row.append("." if target in automaton.dead else automaton.names[target])
        rows.append(row)
    widths = [max(map(columns, column)) for column in zip(*rows, strict=True)]
    lines = ["  ".join(padded(cell, width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    lines.append(say(messages.LEGEND, states=_states(automaton), classes=len(automaton.table[0])))
    nowhere = [name for number, name in enumerate(class_names(automaton)) if number not in shown]
    if nowhere:
        lines.append(say(messages.NOWHERE, classes=", ".join(nowhere)))
    return "\n".join(lines) + "\n"


def _states(automaton: Automaton) -> str:
    count = len(automaton.table) - len(automaton.dead)
    if count == 1:
        return say(messages.ONE_STATE_ONE_SINK if automaton.dead else messages.ONE_STATE)
    return say(messages.STATES_ONE_SINK if automaton.dead else messages.STATES, count=count)


def _live(automaton: Automaton) -> list[int]:
    return [state for state in range(len(automaton.table)) if state not in automaton.dead]


def edges(automaton: Automaton, *, as_bytes: bool = False) -> list[tuple[int, int, str]]:
    """Return the moves between live states: source, target, and the byte ranges as text for readers."""
    shown = _for_readers(automaton, as_bytes)
    return [(state, to, shown(ranges)) for state in _live(automaton) for to, ranges in automaton.moves(state).items()]


def to_mermaid(automaton: Automaton, *, as_bytes: bool = False) -> str:
    """Return the live states as a Mermaid state diagram; accepting states lead to the end mark."""
    lines = ["stateDiagram-v2", "    direction LR", f"    [*] --> {automaton.names[automaton.start]}"]
    for state, target, label in edges(automaton, as_bytes=as_bytes):
        spelled = re.sub(r"[^\w ,.']", lambda char: f"#{ord(char[0])};", label)  # Mermaid's own signs are among them
        lines.append(f"    {automaton.names[state]} --> {automaton.names[target]} : {spelled}")
    lines += [f"    {automaton.names[state]} --> [*]" for state in sorted(automaton.accepting)]
    return "\n".join(lines) + "\n"


def to_dot(automaton: Automaton, *, as_bytes: bool = False) -> str:
    """Return the live states as a Graphviz digraph; accepting states have a double circle."""
    lines = ["digraph automaton {", "    rankdir=LR;", '    "" [shape=point];']
    for state in _live(automaton):
        shape = "doublecircle" if state in automaton.accepting else "circle"
        lines.append(f'    "{automaton.names[state]}" [shape={shape}];')
    lines.append(f'    "" -> "{automaton.names[automaton.start]}";')
    for state, target, label in edges(automaton, as_bytes=as_bytes):
        text = label.replace("\\", "\\\\").replace('"', '\\"')
        lines.append(f'    "{automaton.names[state]}" -> "{automaton.names[target]}" [label="{text}"];')
    return "\n".join([*lines, "}"]) + "\n"


def to_json(automaton: Automaton) -> dict[str, Any]:
    """Return the table of *automaton*, from which another program can run it, as a value for ``json.dumps``.

    ``next[state][class_of[byte]]`` is the next state. From the state ``sink`` nothing is accepted; it may be null.
    """
    words = access_words(automaton)
    states = []
    for number, name in enumerate(automaton.names):
        word = words.get(number)
        shown = None if word is None else hex_bytes(word)
        states.append({"name": name, "accepting": number in automaton.accepting, "word": shown})
    return {
        "format": FORMAT,
        "start": automaton.start,
        "sink": automaton.sink,
        "states": states,
        "classes": class_names(automaton),
        "class_of": list(automaton.classes),
        "next": [list(row) for row in automaton.table],
    }
