"""Explanations: where an error is, why it is one, and how the automaton reads the bytes, step by step.

``locating`` turns offsets into lines and columns, ``diagnostic`` says in words what is wrong with an ill-formed
sequence and how to fix it, ``steps`` follows the automaton byte by byte.
"""
