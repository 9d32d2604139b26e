"""Define the parts of a diagnostic: ``Facts`` about one error, ``Advice`` about a file."""

from __future__ import annotations

from typing import NamedTuple


class Facts(NamedTuple):
    """The parts of a diagnostic. *line* is the rule's in the grammar *file*; *section* may be empty.

    *offending* is the offset of the first wrong byte, *marked* the number of wrong bytes, *mark* what is said of them.
    """

    message: str
    mark: str
    rule: str
    alternative: int
    rule_text: str
    file: str
    line: int
    section: str
    why: str
    advice: str
    expected: str
    got: str
    offending: int
    marked: int


class Advice(NamedTuple):
    """What is said of an input as a whole: the *text* for people, and what programs take from it.

    *encoding*: what the bytes prove the input, or a part of it, to be in; *command*: what repairs it; else "".
    """

    text: str = ""
    encoding: str = ""
    command: str = ""


NO_ADVICE = Advice()
