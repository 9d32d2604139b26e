"""The deviations of a decoder: classes with a shortest example each, from its learned model and the suite's report.

If the model of the decoder is known and can be named, the lines are the model's: they say exactly what it accepts. Else
they are those of the report. Classes of long inputs, which no model speaks of, come from the report in any case.
A deviation in text, offsets or streaming is left out if the verdict on its example, or on a piece of it, is wrong:
that is the cause. Unusual offsets or numbers of U+FFFD are not deviations: RFC 3629 does not define them.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from utf8_abnf.conformance.harness.answers.conventions import WRONG_VERDICT
from utf8_abnf.conformance.harness.replacing import RULES
from utf8_abnf.conformance.harness.report import EXTRA, POSITION, REPLACEMENT
from utf8_abnf.conformance.harness.standard import cut_utf8
from utf8_abnf.conformance.matrix.row import CheckedDeviation
from utf8_abnf.conformance.naming import name
from utf8_abnf.conformance.naming.naming import shortest_input
from utf8_abnf.conformance.naming.words import context
from utf8_abnf.conformance.suite.plan import plan

if TYPE_CHECKING:
    from utf8_abnf.automaton import Automaton
    from utf8_abnf.conformance.harness.report import Report
    from utf8_abnf.conformance.learning import Model

ABNF = re.compile(r"%x|\(|UTF8-(tail|char|[1234])\b")


def deviations(report: Report, model: Model | None) -> tuple[CheckedDeviation, ...]:
    """Return the deviations in verdicts, and then those in text, offsets and streaming; none is checked yet."""
    classes = [CheckedDeviation.of(each) for each in report.deviations if WRONG_VERDICT not in each.why]
    wrong = [each for each in classes if each.in_verdicts]
    naming = name(model.automaton, model.expected) if model else None
    if model and naming and naming.complete:
        wrong = [each for each in wrong if model.automaton.accepts(each.example) is not (each.kind == EXTRA)]
        of_model = (
            CheckedDeviation(line.kind, line.words, shortest_input(line, plan().automaton), line.place.phrase)
            for line in naming.lines
        )
        wrong = [*of_model, *wrong]
    covered = words_of(tuple(each.line for each in wrong if not each.place))
    rest = (each for each in classes if not each.in_verdicts and not _is_way(each))
    return (*wrong, *(each for each in rest if not _follows(each.example, covered, model)))


def is_abnf(line: str) -> bool:
    """Whether *line* is ABNF alone."""
    return ABNF.match(line) is not None and " but not " not in line


def words_of(lines: tuple[str, ...]) -> Automaton | None:
    """Return the automaton of all words that *lines* derive, or None; a line that is not ABNF is left out."""
    alternatives = " / ".join(filter(is_abnf, lines))
    return context(alternatives) if alternatives else None


def _follows(example: bytes, covered: Automaton | None, model: Model | None) -> bool:
    """Whether a piece of *example* is among the words that the decoder judges wrongly, or all of it by its *model*."""
    if model is not None and model.automaton.accepts(example) is not model.expected.accepts(example):
        return True
    return covered is not None and any(covered.accepts(piece) for piece, _ in cut_utf8(example))


def _is_way(each: CheckedDeviation) -> bool:
    """Whether *each* is only an offset counted, or an error replaced, in another way than this decoder does as a rule.

    What replaces an error is free where the well-formed text around it comes out unchanged and a mark is left.
    """
    return each.kind == POSITION or (each.kind == REPLACEMENT and not each.why.startswith(RULES))
