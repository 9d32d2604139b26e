"""Answers in the modes p, r, s and i: what is wrong with an offset, a text or a stream, and the classes of these.

``conventions`` are found out first, for a decoder may count and replace in its own way; ``judging`` says what is wrong
with an answer of any mode, ``incremental`` with one of mode i. ``answer_classes`` makes one class for each kind of
error in ``wrong``, and ``following`` leaves out what a class of verdicts explains already.
"""
