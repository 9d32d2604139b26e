"""Pictures of what the package knows, as SVG with a description in words: one module for each kind of picture.

Nothing but the standard library draws here. Each picture has a title and a description in words, is the same to the
byte on every machine, and has ids for its parts. ``TooLargeError`` and ``UsageError`` name the text form instead. After
``%load_ext utf8_abnf.drawing`` a notebook shows grammars, automata, trees and encoding steps as pictures.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any


def load_ipython_extension(shell: Any) -> None:
    """Show values of this package as pictures in *shell*; IPython calls this for ``%load_ext utf8_abnf.drawing``."""
    from utf8_abnf.drawing.notebook import HTML, SVG

    for kind, functions in (("image/svg+xml", SVG), ("text/html", HTML)):
        for type_, show in functions.items():
            shell.display_formatter.formatters[kind].for_type(type_, show)
