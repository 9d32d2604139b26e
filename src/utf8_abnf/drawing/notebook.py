"""The pictures of this package's values in a notebook: the tables ``SVG`` and ``HTML`` have a function for each type.

A function returns None where the picture would be too large to read, and the notebook then shows text. The values
themselves do not import this room: ``%load_ext utf8_abnf.drawing`` registers the functions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from utf8_abnf.automaton import Automaton
from utf8_abnf.automaton.forms import Difference
from utf8_abnf.codec.steps import Trace
from utf8_abnf.drawing.automaton_svg import automaton_svg
from utf8_abnf.drawing.bits_svg import bits_svg
from utf8_abnf.drawing.difference_svg import difference_svg
from utf8_abnf.drawing.railroad import railroad_svg
from utf8_abnf.drawing.svg import plain
from utf8_abnf.drawing.tree_svg import tree_svg
from utf8_abnf.errors import UsageError
from utf8_abnf.grammar import Grammar
from utf8_abnf.language.notation import hex_bytes
from utf8_abnf.parsers.tree import Tree

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

MAX_RULES = 100


def of_grammar(grammar: Grammar) -> str | None:
    """Return the railroad diagrams of all rules of *grammar*, or None where it has more than 100."""
    return railroad_svg(grammar) if len(grammar.rules) <= MAX_RULES else None


def of_automaton(automaton: Automaton) -> str | None:
    """Return the picture of *automaton*, or None where it is too large."""
    return _if_small(lambda: automaton_svg(automaton))


def of_tree(tree: Tree) -> str | None:
    """Return the picture of *tree*, over its bytes where it is a whole tree, or None where it is too large."""
    return _if_small(lambda: tree_svg(tree, tree.data))


def of_two(mine: Automaton, yours: Automaton, names: tuple[str, str]) -> str | None:
    """Return the picture of the difference of two automata, or None where it is too large."""
    return _if_small(lambda: difference_svg(mine, yours, names=names))


def _if_small(draw: Callable[[], str]) -> str | None:
    try:
        return draw()
    except UsageError:
        return None


def of_difference(difference: Difference) -> str:
    """Return the forms of *difference* as a table in HTML."""
    return "\n".join(_table(difference))


def _table(difference: Difference) -> Iterator[str]:
    yield "<table>\n<thead><tr><td></td><th>form</th><th>shortest</th><th>how many</th></tr></thead>\n<tbody>"
    if not (difference.extra or difference.missing):
        yield '<tr><td colspan="4">no difference</td></tr>'
    for name, forms in zip(difference._fields, difference, strict=True):
        for form in forms:
            cells = f"<td><code>{plain(str(form))}</code></td><td><code>{hex_bytes(form.example)}</code></td>"
            yield f'<tr><th scope="row">{name}</th>{cells}<td style="text-align:right">{form.count:,}</td></tr>'
    yield "</tbody>\n</table>"


SVG: dict[type, Callable[[Any], str | None]] = {
    Grammar: of_grammar,
    Automaton: of_automaton,
    Tree: of_tree,
    Trace: bits_svg,
}
HTML: dict[type, Callable[[Any], str | None]] = {Difference: of_difference}
