"""Makes conformance suites: a grammar goes in, and its cases, and the theorem for those who pass them, come out.

``words`` makes the words of the W method, ``families`` and ``streams`` make the other cases, all as ``blocks``.
``levels`` says which family belongs to which level, ``oracle`` has the right answers, and ``judging`` asks a C function
in process.
"""

from __future__ import annotations

from utf8_abnf.conformance.suite.case import Case
from utf8_abnf.conformance.suite.judging import Judged, judge
from utf8_abnf.conformance.suite.levels import (
    LEVELS,
    Batch,
    Family,
    batches,
    case_of,
    cases,
    families,
    family_of,
    why_empty,
)
from utf8_abnf.conformance.suite.plan import sample
from utf8_abnf.conformance.suite.samples import words_in
from utf8_abnf.conformance.suite.theorem import theorem

__all__ = [
    "LEVELS",
    "Batch",
    "Case",
    "Family",
    "Judged",
    "batches",
    "case_of",
    "cases",
    "families",
    "family_of",
    "judge",
    "sample",
    "theorem",
    "why_empty",
    "words_in",
]
