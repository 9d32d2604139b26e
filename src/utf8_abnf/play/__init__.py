"""The play page: the grammar, its automaton and the texts in, one HTML file that needs nothing else out."""

from utf8_abnf.play.assemble import page

__all__ = ["page"]
