"""Learning: ask a decoder questions until its automaton is known, write its own ABNF, and compare it with a grammar.

``learner`` is the algorithm, Angluin's L*: it fills the observation ``table`` and looks for counterexamples until the
automaton passes every check. ``probes`` and ``long_probes`` are the inputs that it checks beyond its guarantee.
``counterexample`` makes the words shorter on which it fails.
``border`` finds the length at which the answers of a decoder change that looks at lengths.
``teacher`` asks the questions, thousands at a time, and counts them.
``box`` makes of a session with a decoder the black box that the teacher asks.
``model`` is the result next to the expected grammar: counterexample, difference, dialect, report.
``written`` writes an automaton as ABNF.
"""

from utf8_abnf.conformance.learning.box import SessionBox
from utf8_abnf.conformance.learning.learner import Learned, learn
from utf8_abnf.conformance.learning.model import Model, dialects
from utf8_abnf.conformance.learning.teacher import NotLearnableError, OutOfTimeError, UnsteadyError
from utf8_abnf.conformance.learning.written import abnf_of

__all__ = [
    "Learned",
    "Model",
    "NotLearnableError",
    "OutOfTimeError",
    "SessionBox",
    "UnsteadyError",
    "abnf_of",
    "dialects",
    "learn",
]
