"""Read ABNF text (RFC 5234, RFC 7405) as a ``Grammar`` of syntax trees, and answer questions about it.

``reader`` reads text into the nodes of ``syntax``; ``remedies`` says what to write where it cannot. ``model`` holds the
result, a ``Grammar``, and the core rules of RFC 5234. ``files`` finds the grammars that ship with the package.
``analysis`` finds nullable and recursive rules; ``nfa`` and ``subsets`` turn a rule into states, for automata and for
``ambiguity``. ``lint`` examines a grammar, and ``overview`` lists for each rule what it uses and derives. ``extract``
takes the ABNF out of a document, in which ``documents`` finds the code. ``imports`` adds rules of other grammars,
``prose`` makes ABNF of what is said in words. ``formatting`` lays a text out, and ``editing`` has what an editor asks
for. The errors are in ``utf8_abnf.errors``.
"""

from utf8_abnf.grammar.model import Grammar

__all__ = ["Grammar"]
