"""The harness: cases go to a decoder that somebody else wrote, verdicts come back, and a report says what to change.

Rule 1: the decoder is not trusted. It runs in a process group of its own, is read through bounded buffers, waited for
with a time limit, and killed as a group. Rule 2: nothing it does loses the results that were there before it did it.
Rule 3: no shell. A command is split into words by ``shlex`` and started as it stands.
"""
