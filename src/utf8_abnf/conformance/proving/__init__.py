"""The proof by enumeration: ``utf8-abnf prove`` compares the installed kernels with the grammar's automaton.

- The automaton decides what is right. It is compiled from ``grammar/utf8.abnf``; no kernel is judged by another.
- What is judged is the code that is installed: the kernels' own functions, by their addresses.
- An enumeration shows what it enumerates. ``docs/kernel-proof.md`` argues from there to inputs of any length, and the
  command prints every assumption about a kernel together with the statement.

``packed`` has the automaton as prove.c reads it, ``entry_points`` the kernels, ``enumerations`` the parts of the proof;
the suite's C extension does the comparing, in functions that share no code with the kernels.
"""

from utf8_abnf.conformance.proving.entry_points import (
    DifferenceError,
    Kernel,
    ScalarFunctions,
    certificate,
    kernels,
    scalar_functions,
)
from utf8_abnf.conformance.proving.enumerations import WINDOWS, Enumeration, enumerations, run, sequence_of_windows
from utf8_abnf.conformance.proving.packed import (
    NOWHERE,
    STATES,
    NotProvedError,
    PackedAutomaton,
    contexts,
    edge_text,
    edges_of,
    highest_characters,
    packed_automaton,
)

__all__ = [
    "NOWHERE",
    "STATES",
    "WINDOWS",
    "DifferenceError",
    "Enumeration",
    "Kernel",
    "NotProvedError",
    "PackedAutomaton",
    "ScalarFunctions",
    "certificate",
    "contexts",
    "edge_text",
    "edges_of",
    "enumerations",
    "highest_characters",
    "kernels",
    "packed_automaton",
    "run",
    "scalar_functions",
    "sequence_of_windows",
]
