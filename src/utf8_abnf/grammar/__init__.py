"""Grammars: ABNF text in (RFC 5234, RFC 7405), rules as syntax trees out, with what can be said about them.

``reader`` reads text into the nodes of ``syntax``, ``model`` holds the result as a ``Grammar``, ``files`` finds the
grammars that ship and ``core`` has the core rules. ``analysis`` (nullable and left-recursive rules), ``ambiguity`` and
``lint`` judge a grammar; ``extract`` takes one out of an RFC's text.
"""

from utf8_abnf.grammar.model import Grammar

__all__ = ["Grammar"]
