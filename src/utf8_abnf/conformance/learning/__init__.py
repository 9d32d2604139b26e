"""Learns decoders: a black box goes in, and its automaton and lines with what it does wrongly come out.

``learner`` is the algorithm, Angluin's L*: it fills the observation ``table`` until the equivalence oracle
(``refuting``) finds no word on which the automaton is wrong. ``shrink`` makes such words shorter, and ``border`` finds
the length, or the period, at which the answers of a decoder change that looks at lengths. ``teacher`` asks the
questions, thousands at a time, and counts them.
``engine`` explains the wrong verdicts of a decoder with all of these, and with ``naming``. ``model`` is a decoder
learned for its own sake, next to the expected grammar.
"""

from utf8_abnf.conformance.learning.engine import Explanation, explain
from utf8_abnf.conformance.learning.learner import Learned, learn
from utf8_abnf.conformance.learning.model import Model
from utf8_abnf.conformance.learning.refuting import dialects
from utf8_abnf.conformance.learning.teacher import NotLearnableError, OutOfQuestionsError, UnsteadyError
from utf8_abnf.conformance.naming.written import abnf_of

__all__ = [
    "Explanation",
    "Learned",
    "Model",
    "NotLearnableError",
    "OutOfQuestionsError",
    "UnsteadyError",
    "abnf_of",
    "dialects",
    "explain",
    "learn",
]
