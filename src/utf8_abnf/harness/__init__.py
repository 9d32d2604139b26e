"""The harness sends cases to a decoder that somebody else wrote, judges its answers, and reports what to change.

Rule 1: the decoder is not trusted. It runs in a process group of its own; it is read through bounded buffers, waited
for with a time limit, and killed as a group. Rule 2: whatever it does, the results from before are kept. Rule 3: no
shell. A command is split into words by ``shlex`` and started as it stands.

The way of a case, each station a module that imports only those before it (there is no circle of imports):

=====================================  ==============================================================================
``target``, ``worker``, ``session``    start the decoder, talk to it over the ``protocol``, start it again if it fails
``options``, ``sending``               choose cases and send them: ``Answered``
``conventions``, ``judging``           say what is wrong with an answer: ``Judgement``
``evidence``                           keep what was seen: ``Evidence``
``questions``, ``shrinking``,          ask the decoder again, and make classes of the wrong verdicts: ``VerdictClass``
``widening``, ``explaining``
``reporting``, ``report``, ``formats``  make the ``Report``, and write it as text, JSON and the rest
``run``                                the line through all of these
=====================================  ==============================================================================

Known limits. A Python object that is handed over as such runs in our own process: it can crash us, which a string
``py:`` cannot. A process that leaves its group (``setsid``) is not killed with it. The memory limit is that of the
child alone, on Linux. A hang costs twice the time limit, once together with other cases and once alone; after four such
cases the run stops. Classes of deviations are found by asking again: if the decoder then answers differently, its cases
are counted, but poorly explained.
"""
