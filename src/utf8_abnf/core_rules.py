"""The core rules of RFC 5234 appendix B.1, which every grammar may use without defining them."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from utf8_abnf.grammar_file import grammar_folder
from utf8_abnf.reader import read
from utf8_abnf.syntax import (
    NOWHERE,
    Alternation,
    Concatenation,
    Group,
    Option,
    Repetition,
    Rule,
)

if TYPE_CHECKING:
    from utf8_abnf.syntax import Node


@cache
def core_rules() -> dict[str, Rule]:
    """Return the core rules by their names in lower case; they have no place in any grammar's text.

    >>> core_rules()["digit"]
    Rule(name='DIGIT', definition=Range(low=48, high=57, base='x', span=Span(start=0, end=0)), \
span=Span(start=0, end=0), core=True)
    """
    path = grammar_folder() / "core.abnf"
    found = read(path.read_text("ascii"), "grammar/core.abnf")
    return {each.name.lower(): Rule(each.name, _nowhere(each.node), core=True) for each in found}


def _nowhere(node: Node) -> Node:
    match node:
        case Repetition() | Group() | Option():
            return replace(node, item=_nowhere(node.item), span=NOWHERE)
        case Concatenation() | Alternation():
            return replace(node, items=tuple(_nowhere(item) for item in node.items), span=NOWHERE)
    return replace(node, span=NOWHERE)
