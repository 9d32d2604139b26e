"""Answers in the modes p, r, s and i: what is wrong with an offset, a text or a stream, and the classes of these.

``conventions`` are found out first, for a decoder may count and replace in its own way; ``judging`` says what is wrong
with an answer of any mode. ``answer_classes`` makes classes, ``following`` leaves out what a class of verdicts explains
already, and ``answer_places`` finds out where the answers of a class are wrong; ``shared`` has the words for that.
"""
