"""Verdicts: wrong ones come in, and out come few classes that explain them, found by asking the decoder again.

``explaining`` gives them to ``learning.engine``, and ``classes`` makes the lines of a report of what it says.
``meaning`` says which rule each breaks and what an attacker gains. ``cutting`` finds the ill-formed pieces of an input.
"""
