"""Pictures of grammars, automata, differences, parse trees and encoding steps, as SVG.

``railroad``, ``automaton_svg``, ``difference_svg``, ``tree_svg`` and ``bits_svg`` each draw one kind of picture;
``railroad_text`` draws railroad diagrams in a terminal's characters. Below them, ``track`` turns ABNF into railroad
track, ``machine`` draws states and moves where ``layered`` places them, and ``svg`` writes the file.

Each picture has a title, a description in words and ids for its parts, and is the same to the byte on every machine.
Only the standard library is needed. A picture that would be too large to read raises ``UsageError``, which names the
text form. After ``%load_ext utf8_abnf.drawing`` (module ``notebook``) a notebook shows these values as pictures.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

# Values of the rooms above, which this room must not import: the module and name of their type, and the module and name
# of the function that returns them as HTML. Both are imported when such a value is shown.
HTML_BY_NAME = (
    ("utf8_abnf.conformance.harness.report", "Report", "utf8_abnf.conformance.harness.formats", "notebook_html"),
)


def load_ipython_extension(shell: Any) -> None:
    """Show values of this package as pictures in *shell*; IPython calls this for ``%load_ext utf8_abnf.drawing``."""
    from utf8_abnf.drawing.notebook import HTML, SVG

    for kind, functions in (("image/svg+xml", SVG), ("text/html", HTML)):
        for type_, show in functions.items():
            shell.display_formatter.formatters[kind].for_type(type_, show)
    for module, name, of, function in HTML_BY_NAME:
        shell.display_formatter.formatters["text/html"].for_type_by_name(
            module, name, lambda value, of=of, function=function: getattr(import_module(of), function)(value)
        )
