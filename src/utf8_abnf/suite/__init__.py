"""Conformance suites: from a grammar's automaton to cases, and what passing them proves (DESIGN section 7)."""

from __future__ import annotations

from utf8_abnf.suite.case import Case
from utf8_abnf.suite.judging import Judged, judge
from utf8_abnf.suite.levels import LEVELS, Batch, Family, batches, case_of, cases, families, family_of
from utf8_abnf.suite.theorem import theorem

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
    "theorem",
]
