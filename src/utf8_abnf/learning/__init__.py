"""Learning: from a decoder that only answers yes or no to its automaton, its ABNF and its difference to the grammar."""

from utf8_abnf.learning.box import SessionBox
from utf8_abnf.learning.learner import Learned, learn
from utf8_abnf.learning.model import Model, dialects
from utf8_abnf.learning.teacher import NotLearnableError
from utf8_abnf.learning.written import abnf_of

__all__ = ["Learned", "Model", "NotLearnableError", "SessionBox", "abnf_of", "dialects", "learn"]
