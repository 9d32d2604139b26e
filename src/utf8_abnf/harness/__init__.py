"""The harness sends cases to a decoder that somebody else wrote, judges its answers, and reports what to change.

Rule 1: the decoder is not trusted. It runs in a process group of its own; it is read through bounded buffers, waited
for with a time limit, and killed as a group. Rule 2: whatever it does, the results from before are kept. Rule 3: no
shell. A command is split into words by ``shlex`` and started as it stands.

The way of a case, each station a module that imports only stations before it. (``surroundings`` names the
class of ``inprocess``, and ``size`` that of ``crash_sizes``, in annotations only.)

- ``opening`` and ``known`` find the decoder, ``results``, ``habit`` and ``statuses`` how it says yes and no; ``worker``
  starts it, ``session`` talks to it over the ``protocol`` and starts it again if it fails; ``leftovers`` ends what it
  leaves;
- ``options`` choose cases, ``sending`` sends them: ``Answered``;
- ``inprocess`` calls a C function at the speed of C instead;
- ``conventions`` are found out, with the policies of ``replacing``; ``judging`` says what is wrong with an answer:
  ``Judgement``;
- ``evidence`` keeps what was seen: ``Evidence``;
- ``questions`` asks the decoder again. ``explaining`` looks for ``causes`` until they explain every wrong verdict that
  is kept: ``shrinking`` finds the word that is to blame, ``probing`` its ``places`` (``masks`` says at which of them a
  condition holds), ``widening`` the words like it, ``unchecked`` whether
  anything behind them is checked;
- ``classes`` makes the lines of a report from them: ``VerdictClass``. ``trying`` writes a command for each;
- ``again`` asks once more for what was seen in process only, ``steadiness`` for what may get two answers: before the
  explaining, which is kept short for an unsteady decoder, and after it;
- ``reporting`` makes the ``Report``, ``formats`` write it.

``run`` is the line through all of these.

Known limits. A Python object that is handed over as such runs in our own process: it can crash us, which a string
``py:`` cannot. A process that leaves its group (``setsid``) is found by a mark in its environment, on Linux, and not
if it has cleared that. The memory limit is that of the child alone, on Linux. A hang costs twice the time limit, once
together with other cases and once alone; after four such cases the run stops. Classes of deviations are found by
asking again: if the decoder then answers differently, it is called unsteady, and its cases are counted, but poorly
explained.
"""
