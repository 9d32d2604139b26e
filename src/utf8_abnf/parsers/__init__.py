"""Parsers: a grammar and bytes in, one parse tree out, whichever parser makes it.

``reference`` is built by the ``abnf`` package and ``lark`` by Lark; neither shares an engine with our automaton.
``linear`` follows the automaton and takes inputs of any size, ``tree`` is the tree that all three return, and
``coverage`` counts which alternatives of a grammar some inputs use. A parser's library is loaded when it is first used.
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
