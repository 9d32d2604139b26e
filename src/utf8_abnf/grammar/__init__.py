"""Grammars: ABNF text in (RFC 5234, RFC 7405), rules as syntax trees out, and answers about them.

``reader`` reads text into the nodes of ``syntax``; ``remedies`` says what to write where it cannot. ``model`` holds the
result, a ``Grammar``. ``files`` finds the grammars that ship with the package, and ``core`` has the core rules of RFC
5234. ``analysis`` (nullable and left-recursive rules, prefix codes), ``ambiguity`` and ``lint`` examine a grammar.
``extract`` takes the ABNF out of a document, in which ``documents`` finds the code. ``imports`` adds rules of other
grammars, ``ebnf`` writes W3C's notation. The errors are in ``utf8_abnf.errors``.
"""

from utf8_abnf.grammar.model import Grammar

__all__ = ["Grammar"]
