"""The matrix: each known decoder of this machine tested, learned and re-checked, one row each, in four formats.

``examining`` makes one row, ``running`` makes them all, ``behaviour`` puts those together that behave alike, and
``formats`` writes the pages. A row says what was found and how surely: what an adapter showed is a fact only where
``recheck`` saw it a second way.
"""

from utf8_abnf.matrix.behaviour import Behaviour, behaviours
from utf8_abnf.matrix.examining import Options, examine
from utf8_abnf.matrix.results import Results
from utf8_abnf.matrix.row import Check, Departure, Learned, Matrix, Row, Trouble
from utf8_abnf.matrix.running import matrix_of, rows

__all__ = [
    "Behaviour",
    "Check",
    "Departure",
    "Learned",
    "Matrix",
    "Options",
    "Results",
    "Row",
    "Trouble",
    "behaviours",
    "examine",
    "matrix_of",
    "rows",
]
