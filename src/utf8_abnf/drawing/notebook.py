"""How values of this package show themselves in a notebook: each ``_repr_…_`` method is one call of a function here.

A picture that would be too large to be read is None, and the notebook falls back on text. The modules further down
import this one when they are asked to show something, and only then: the import contract names each of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from utf8_abnf.drawing.automaton_svg import automaton_svg
from utf8_abnf.drawing.difference_svg import difference_svg
from utf8_abnf.drawing.railroad import railroad_svg
from utf8_abnf.drawing.svg import plain
from utf8_abnf.drawing.tree_svg import tree_svg
from utf8_abnf.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from utf8_abnf.automaton import Automaton
    from utf8_abnf.forms import Difference
    from utf8_abnf.grammar import Grammar
    from utf8_abnf.tree_node import Tree

MOST_RULES = 100


def of_grammar(grammar: Grammar) -> str | None:
    """Return the railroad diagrams of all rules; None for more than 100 of them."""
    return railroad_svg(grammar) if len(grammar.rules) <= MOST_RULES else None


def of_automaton(automaton: Automaton) -> str | None:
    """Return the picture of *automaton*, or None where it is too large."""
    try:
        return automaton_svg(automaton)
    except UsageError:
        return None


def of_tree(tree: Tree) -> str | None:
    """Return the picture of *tree*, whose bytes it does not know, or None where it is too large."""
    try:
        return tree_svg(tree)
    except UsageError:
        return None


def of_two(mine: Automaton, yours: Automaton, names: tuple[str, str]) -> str | None:
    """Return the picture of what two automata differ in, or None where it is too large."""
    try:
        return difference_svg(mine, yours, names=names)
    except UsageError:
        return None


def of_difference(difference: Difference) -> str:
    """Return a table of the forms, as HTML."""
    return "\n".join(_table(difference))


def _table(difference: Difference) -> Iterator[str]:
    yield "<table>\n<thead><tr><th></th><th>form</th><th>shortest</th><th>how many</th></tr></thead>\n<tbody>"
    if not (difference.extra or difference.missing):
        yield '<tr><td colspan="4">no difference</td></tr>'
    for name, forms in zip(difference._fields, difference, strict=True):
        for form in forms:
            cells = f"<td><code>{plain(str(form))}</code></td><td><code>{form.example.hex(' ').upper()}</code></td>"
            yield f'<tr><th scope="row">{name}</th>{cells}<td style="text-align:right">{form.count:,}</td></tr>'
    yield "</tbody>\n</table>"
