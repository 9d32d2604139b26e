"""Parse bytes by a ``Grammar`` and return a ``Tree``, the same from every parser.

``reference`` uses the ``abnf`` package and ``lark`` uses Lark; neither shares an engine with the automaton. ``linear``
follows the automaton and takes inputs of any size. ``tree`` is the tree that all three return. ``sentences`` writes
inputs that use all alternatives of a grammar, and ``examples`` checks those in a document. The library of a parser is
imported when the parser is first used. The errors (``ParseError``, ``UndecidedError``) are in ``utf8_abnf.errors``.
"""

from typing import TYPE_CHECKING

from utf8_abnf.parsers.tree import Tree

if TYPE_CHECKING:
    from utf8_abnf.parsers.lark import LarkParser, to_lark
    from utf8_abnf.parsers.linear import parse_tree
    from utf8_abnf.parsers.reference import ReferenceParser

__all__ = ["LarkParser", "ReferenceParser", "Tree", "parse_tree", "to_lark"]

_MODULES = {"LarkParser": "lark", "to_lark": "lark", "parse_tree": "linear", "ReferenceParser": "reference"}


def __getattr__(name: str) -> object:
    if name in _MODULES:
        from importlib import import_module

        return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
