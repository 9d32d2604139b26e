"""Name the states of an ``Automaton`` for what each still waits for.

1. The start is ``start``; the rejecting sink is ``reject``.
2. A state where a byte of one set T leads back to the start, and all other bytes are rejected, is ``tail1``. Where
   several states are like that, T is the largest such set; of equal ones, that of the first state. A state where a
   byte of T leads to ``tailN``, and all other bytes are rejected, is ``tailN+1``.
3. Any other state is named for its shortest word: ``after_E0``. If that has more than ``MAX_WORD`` bytes, it is named
   for its number: ``state_17``.

For UTF-8 that gives start, tail1, tail2, tail3, after_E0, after_ED, after_F0 and after_F4.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from utf8_abnf.automaton.words import access_words

if TYPE_CHECKING:
    from utf8_abnf.automaton.model import Automaton

MAX_WORD = 8  # bytes of a word in a name


def state_names(automaton: Automaton) -> tuple[str, ...]:
    """Return a name for each state; no two are the same."""
    names = _tails(automaton)
    names[automaton.start] = "start"
    if automaton.sink is not None and automaton.sink != automaton.start:
        names[automaton.sink] = "reject"
    words = access_words(automaton)
    for state in range(len(automaton.table)):
        word = words.get(state)
        short = word is not None and len(word) <= MAX_WORD
        names.setdefault(state, f"after_{word.hex('_').upper()}" if word and short else f"state_{state}")
    return tuple(names[state] for state in range(len(automaton.table)))


def _tails(automaton: Automaton) -> dict[int, str]:
    """Return the states of rule 2 and their names."""
    only: dict[int, tuple[int, frozenset[int]]] = {}  # state -> the one live target, and the classes that lead there
    for state, row in enumerate(automaton.table):
        live = {number: target for number, target in enumerate(row) if target not in automaton.dead}
        targets = set(live.values())
        if len(targets) == 1 and state not in automaton.accepting and state != automaton.start:
            only[state] = (targets.pop(), frozenset(live))
    home = [(state, moves) for state, (target, moves) in only.items() if target == automaton.start]
    if not home:
        return {}
    first, tail = max(home, key=lambda each: (sum(number in each[1] for number in automaton.classes), -each[0]))
    names: dict[int, str] = {}
    following = {target: state for state, (target, moves) in reversed(only.items()) if moves == tail}
    now: int | None = first
    while now is not None and now not in names:
        names[now] = f"tail{len(names) + 1}"
        now = following.get(now)
    return names
