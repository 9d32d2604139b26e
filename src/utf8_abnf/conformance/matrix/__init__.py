"""The matrix: test every known decoder of this machine, learn it, confirm what was found, and write tables and pages.

``options`` says what to ask, and ``row`` is what came out for one decoder.
``examining`` makes the row of one decoder: it runs the suite, calls ``learned`` (the automaton), ``deviations`` (the
classes of what is wrong), ``recheck`` (a shell command without our adapter that confirms a deviation) and
``consequences`` (what goes wrong, in words).
``running`` examines many decoders at a time, ``results`` keeps their rows on disk, and ``changes`` compares two runs.
``by_language`` counts the deviations of each language's decoders.
``behaviour`` puts decoders with the same deviations together, and ``formats`` writes text, JSON, Markdown and HTML.
"""

from utf8_abnf.conformance.matrix.behaviour import Behaviour, behaviours
from utf8_abnf.conformance.matrix.examining import examine
from utf8_abnf.conformance.matrix.options import ExaminationOptions
from utf8_abnf.conformance.matrix.results import Results
from utf8_abnf.conformance.matrix.row import Check, CheckedDeviation, LearnedGrammar, Matrix, Row, ShortTrouble
from utf8_abnf.conformance.matrix.running import matrix_of, rows

__all__ = [
    "Behaviour",
    "Check",
    "CheckedDeviation",
    "ExaminationOptions",
    "LearnedGrammar",
    "Matrix",
    "Results",
    "Row",
    "ShortTrouble",
    "behaviours",
    "examine",
    "matrix_of",
    "rows",
]
