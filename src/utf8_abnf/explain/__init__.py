"""Explain ill-formed bytes: where an error is, why it is one, and how the automaton reads each byte.

``locating`` finds the errors of a stream with their lines and columns. ``diagnostic`` says in words what is wrong with
an ill-formed sequence and how to fix it. ``nature`` says what a file is that is not UTF-8. ``steps`` has the
automaton's state at each byte, for ``utf8-abnf explain``.
"""
