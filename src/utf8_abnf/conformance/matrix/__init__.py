"""The matrix: test every known decoder of this machine, learn it, confirm what was found, and write tables and pages.

``options`` says what to ask, and ``row`` is what came out for one decoder.
``examining`` makes the row of one decoder: it runs the suite, learns the automaton, calls ``deviations`` (the
classes of what is wrong), ``recheck`` (a shell command without our adapter that confirms a deviation) and
``grid`` (fixed inputs for six facts); ``telling`` says in words what a grid shows.
``running`` examines many decoders at a time, ``results`` keeps their rows on disk, and ``merging`` adds those of
another run. ``report`` is the text for a decoder's authors.
``by_language`` counts what the decoders of each language do, and ``formats`` writes text, JSON and HTML.
"""

from utf8_abnf.conformance.matrix.examining import examine
from utf8_abnf.conformance.matrix.options import ExaminationOptions
from utf8_abnf.conformance.matrix.results import Results
from utf8_abnf.conformance.matrix.row import CheckedDeviation, LearnedGrammar, Matrix, Row
from utf8_abnf.conformance.matrix.running import matrix_of, rows

__all__ = [
    "CheckedDeviation",
    "ExaminationOptions",
    "LearnedGrammar",
    "Matrix",
    "Results",
    "Row",
    "examine",
    "matrix_of",
    "rows",
]
