"""``utf8-abnf grammar``: any ABNF grammar in; lint, automata, pictures, comparisons and inputs out.

``command`` has its options and what needs one grammar; ``diff`` compares two, ``documents`` reads the grammar and the
examples of a document, ``writing`` writes other notations and inputs. What other commands need, too, is in
``cli/grammars.py``.
"""
