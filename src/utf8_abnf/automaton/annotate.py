"""Return the automaton of a ``Grammar`` and the places of its moves as a JSON table, for other programs.

For each move the table also has the places of the grammar that read the byte: the rules on the way down, and the line
and column of the element. Several places share a move where the smallest automaton does not distinguish them.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

from utf8_abnf.automaton.compile import determinise
from utf8_abnf.automaton.show import to_json
from utf8_abnf.grammar.nfa import compile_nfa
from utf8_abnf.grammar.subsets import Subsets

if TYPE_CHECKING:
    from utf8_abnf.automaton.model import Automaton
    from utf8_abnf.grammar import Grammar
    from utf8_abnf.grammar.nfa import Nfa, State


def annotated(grammar: Grammar, start: str | None = None) -> dict[str, Any]:
    """Return the table of the smallest automaton of *start*, and the places of the grammar that each move reads.

    ``places`` lists the elements of the grammar that read a byte: the rules on the way down with their alternatives
    (from 1; 0 where there is only one), line and column (null in RFC 5234's core rules). ``reads`` has, for each live
    move, its state, its class and the numbers of its places. Raises what ``compile_grammar`` raises.
    """
    nfa = compile_nfa(grammar, start)
    automaton = determinise(nfa, file=grammar.file).minimal()
    numbers: dict[tuple[Any, ...], int] = {}
    reads = []
    for (state, byte_class), found in sorted(_moves(nfa, automaton, grammar.file).items()):
        named = {(each.path, each.span): None for each in found}
        reads.append([state, byte_class, sorted(numbers.setdefault(key, len(numbers)) for key in named)])
    places = []
    for path, span in numbers:
        core = grammar[path[-1].rule].core  # defined in RFC 5234, not in this file
        line, column = (None, None) if core else grammar.position(span)
        places.append({"path": [list(choice) for choice in path], "line": line, "column": column})
    head = {
        "grammar": grammar.file,
        "sha256": hashlib.sha256(grammar.text.encode("utf-8", "surrogateescape")).hexdigest(),
        "rule": grammar[start or grammar.start].name,
    }
    made = to_json(automaton)
    return {"format": made.pop("format"), **head, **made, "places": places, "reads": reads}


def _moves(nfa: Nfa, automaton: Automaton, file: str) -> dict[tuple[int, int], list[State]]:
    """Return for each state and class of *automaton* the states of *nfa* that read such a byte there."""
    subsets = Subsets(nfa, file=file)
    readers: dict[tuple[int, int], set[int]] = {}
    todo = [(subsets.start, automaton.start)]
    seen = set(todo)
    for number, state in todo:
        for member in subsets.sets[number]:
            for low, high in nfa.states[member].ranges:
                # All bytes of a class lead to the same states, and yet two places may read it: E1..EC and EE..EF.
                for byte_class in set(automaton.classes[low : high + 1]):
                    readers.setdefault((state, byte_class), set()).add(member)
        for byte, target in enumerate(subsets.row(number)):
            pair = target, automaton.table[state][automaton.classes[byte]]
            if target >= 0 and pair not in seen:
                seen.add(pair)
                todo.append(pair)
    # States of the NFA are numbered from the end of the grammar to its beginning.
    return {key: [nfa.states[member] for member in sorted(members, reverse=True)] for key, members in readers.items()}
