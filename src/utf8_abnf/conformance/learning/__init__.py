"""Learning: ask a decoder questions until its automaton is known, and say in lines where it is wrong.

``learner`` is the algorithm, Angluin's L*: it fills the observation ``table`` until the automaton passes every check.
``shrink`` makes the words shorter that show something, and ``border`` finds the length at which the answers of a
decoder change that looks at lengths, or the period (``periods``). ``refuting`` has the words that could show that a
model is wrong. ``teacher`` asks the questions, thousands at a time, and counts them.
``engine`` explains the wrong verdicts of a decoder with all of these, and with ``naming``. ``model`` is a decoder
learned for its own sake, next to the expected grammar; ``written`` writes its automaton as ABNF.
"""

from utf8_abnf.conformance.learning.engine import Explanation, explain
from utf8_abnf.conformance.learning.learner import Learned, learn
from utf8_abnf.conformance.learning.model import Model, dialects
from utf8_abnf.conformance.learning.teacher import NotLearnableError, OutOfQuestionsError, UnsteadyError
from utf8_abnf.conformance.learning.written import abnf_of

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
