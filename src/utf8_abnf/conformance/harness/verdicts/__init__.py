"""Verdicts: wrong ones come in, and out come few classes that explain them, found by asking the decoder again.

- ``questions`` asks it, each input once and within a budget. ``explaining`` looks for ``causes`` until these explain
  every wrong verdict that is kept;
- a word: ``shrinking`` and ``cutting`` find the one that is to ``blame``, ``widening`` the words like it, as
  ``patterns``, in ``boxes``;
- its ``places``: ``probing`` asks it along ``lines``, in ``contexts`` and by ``chance``, and ``masks`` says at which of
  them a condition holds;
- causes of their own: the ``size`` of the input, and ``swallowing``;
- ``classes`` makes the lines of a report of them, ``meaning`` says which rule each breaks and what an attacker gains.
"""
