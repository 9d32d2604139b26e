"""The harness: cases go to a decoder that somebody else wrote, verdicts come back, and a report says what to change.

Rule 1: the decoder is not trusted. It runs in a process group of its own, is read through bounded buffers, waited for
with a time limit, and killed as a group. Rule 2: nothing it does loses the results that were there before it did it.
Rule 3: no shell. A command is split into words by ``shlex`` and started as it stands.

Known limits. A Python object handed over as such runs in our own process: it can take us down, a string ``py:`` cannot.
A process that leaves its group (``setsid``) is not killed with it. The memory limit watches the child alone, on Linux.
A hang costs twice the time limit, once in company and once alone; after four such cases the run stops. Deviation
classes are found by asking again: a decoder that answers differently then has its cases counted, but poorly explained.
"""
