"""``utf8-abnf grammar``, ``parse`` and ``lsp``: any ABNF grammar in; lint, automata, pictures, pages, trees out.

``command`` has the options of ``grammar`` and what needs one grammar; ``diff`` compares two, ``documents`` reads the
grammar and the examples of a document, ``writing`` writes other notations and inputs, ``page`` a page, and ``fmt``
formats files. ``parse`` and ``lsp`` are commands of their own; ``server`` is what ``lsp`` runs, and needs pygls. What
other commands need as well is in ``grammars`` (options, and the grammar that they name) and ``inputs``.
"""
