"""Driving: a decoder is started, gets cases, and its answers are read, whatever it does meanwhile.

- A ``target`` can be started, or asked by hand;
- ``worker`` starts it as a ``process``, or a ``child`` of ours that calls it; ``session`` talks to it over the
  ``protocol`` and starts it again if it fails; ``leftovers`` ends what it leaves;
- ``answering``, ``streams``, ``results``, ``habit`` and ``statuses`` find out how it says yes and no;
- ``inprocess`` calls a C function at the speed of C instead, and ``apart`` asks what may crash in a copy of our
  process.
"""
