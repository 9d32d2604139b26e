"""The harness sends cases to a decoder that somebody else wrote, judges its answers, and reports what to change.

Rule 1: the decoder is not trusted. It runs in a process group of its own; it is read through bounded buffers, waited
for with a time limit, and killed as a group. Rule 2: whatever it does, the results from before are kept. Rule 3: no
shell. A command is split into words by ``shlex`` and started as it stands.

The way of a case, each station a room or a module that imports only stations before it (a few name the class of a
later one in an annotation):

- ``driving`` starts a decoder, sends it cases and reads its answers; ``known`` lists decoders, ``opening`` finds the
  one that a user names;
- ``standard`` says what is right, ``clock`` when it is time to end, ``options`` which cases are sent; ``sending`` sends
  them;
- ``explaining`` makes few classes of wrong verdicts, by asking the decoder again; ``meaning`` says what each means;
- ``answers`` does so for offsets, texts and streams, held against the policies of ``replacing`` and the steps of
  ``incremental``;
- ``evidence`` keeps all that was seen. ``again`` asks once more for what was seen in process only, ``steadiness`` for
  what may get two answers: before the explaining, which is kept short for an unsteady decoder, and after it;
- ``reporting`` makes the ``report``, whose deviations may be ``expected``, and ``formats`` writes it.

``run`` is the line through all of these; ``smoke`` is a shorter one, for whoever writes one of the ``adapters``.

Known limits. A Python object that is handed over as such runs in our own process: it can crash us, which a string
``py:`` cannot. A process that leaves its group (``setsid``) is found by a mark in its environment, on Linux; one that
has cleared that only by the command ``utf8-abnf``. The memory limit is that of the child alone, on Linux. A hang costs
three times the time limit: it is seen among other cases, then with its case asked alone, then with that in a new
process; after four such cases the run stops. Classes of deviations are found by asking again: if the decoder then
answers differently, it is called unsteady, and its cases are counted, but poorly explained.
"""
