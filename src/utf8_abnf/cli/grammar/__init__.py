"""``utf8-abnf grammar`` and ``parse``: any ABNF grammar in; lint, automata, pictures, comparisons, inputs, trees out.

``command`` has the options of ``grammar`` and what needs one grammar; ``diff`` compares two, ``documents`` reads the
grammar and the examples of a document, ``writing`` writes other notations and inputs. ``parse`` is a command of its
own. What other commands need as well is in ``grammars`` (options, and the grammar that they name) and ``inputs``.
"""
