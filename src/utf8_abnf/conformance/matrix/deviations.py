"""The deviations of a decoder: classes from the suite's report and from a learned model, each with a shortest example.

The suite's classes come first, because the suite explains them. Learning adds the classes that the suite did not show,
and ``unnamed`` what its model accepts beside all of them.
A deviation in text, offsets or streaming is left out if the decoder judges its example, or a piece of it, wrongly: it
only follows from that. Other offsets, or another number of U+FFFD, than as a rule are no deviation but a way of the
decoder, because RFC 3629 says nothing of them.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING

from utf8_abnf.automaton import compile_grammar
from utf8_abnf.conformance.harness.answers.conventions import WRONG_VERDICT
from utf8_abnf.conformance.harness.driving.process import printable
from utf8_abnf.conformance.harness.replacing import RULES
from utf8_abnf.conformance.harness.report import EXTRA, MISSING, POSITION, REPLACEMENT
from utf8_abnf.conformance.harness.standard import cut_utf8
from utf8_abnf.conformance.harness.verdicts.meaning import Meaning, meaning
from utf8_abnf.conformance.harness.verdicts.patterns import Pattern, merge
from utf8_abnf.conformance.learning.written import pattern_of
from utf8_abnf.conformance.matrix.long_inputs import MAX_EXAMPLE
from utf8_abnf.conformance.matrix.row import CheckedDeviation
from utf8_abnf.conformance.matrix.unnamed import is_abnf, unnamed
from utf8_abnf.grammar import Grammar
from utf8_abnf.language.notation import hex_bytes

if TYPE_CHECKING:
    from collections.abc import Iterable

    from utf8_abnf.automaton import Automaton
    from utf8_abnf.conformance.harness.driving.target import Target
    from utf8_abnf.conformance.harness.report import Deviation, Report
    from utf8_abnf.conformance.learning import Model
    from utf8_abnf.conformance.matrix.unnamed import Unnamed

MAX_OTHER_WAYS = 3  # that a row names of each kind


def deviations(report: Report, model: Model | None, target: Target) -> tuple[CheckedDeviation, ...]:
    """Return the deviations in verdicts, and then those in text and streaming, and other ways; none is checked yet."""
    forms = _forms(model) if model else []
    classes = [CheckedDeviation.of(each) for each in report.deviations]
    found = [each for each in classes if each.in_verdicts and not _is_part(each.line, [form.line for _, form in forms])]
    covered = words_of(tuple(each.line for each in found))
    found += [_from_form(kind, form, target) for kind, form in forms if not _is_within(form.line, covered)]
    if model:
        found += [_from_line(each, target) for each in unnamed(model, [(each.kind, each.line) for each in found])]
    covered = words_of(tuple(each.line for each in found))
    rest = (each for each in classes if not (each.in_verdicts or WRONG_VERDICT in each.why))
    return (*found, *(each for each in rest if not _follows(each.example, covered, model)))


def _is_part(line: str, forms: Iterable[str]) -> bool:
    """Whether *line* has fewer words than one of *forms* that has them all: learning found the whole class."""
    words = words_of((line,))
    wholes = [whole for form in forms if (whole := words_of((form,))) is not None]
    return words is not None and any(
        words.first_not_in(whole) is None and whole.first_not_in(words) is not None for whole in wholes
    )


@lru_cache
def words_of(lines: tuple[str, ...]) -> Automaton | None:
    """Return the automaton of all words that *lines* derive, or None; a line that is not ABNF is left out."""
    alternatives = " / ".join(line for line in lines if is_abnf(line))
    if not alternatives:
        return None
    return compile_grammar(Grammar.parse(f"class = {alternatives}\nUTF8-tail = %x80-BF\n"), "class")


def _follows(example: bytes, covered: Automaton | None, model: Model | None) -> bool:
    """Whether a piece of *example* is among the words that the decoder judges wrongly, or all of it by its *model*."""
    if model is not None and model.automaton.accepts(example) is not model.expected.accepts(example):
        return True
    return covered is not None and any(covered.accepts(piece) for piece, _ in cut_utf8(example))


def is_way(each: Deviation) -> bool:
    """Whether *each* is only an offset counted, or an error replaced, in another way than this decoder does as a rule.

    What replaces an error is free where the well-formed text around it comes out unchanged and a mark is left.
    """
    return each.kind == POSITION or (each.kind == REPLACEMENT and not each.why.startswith(RULES))


def with_other_ways(rule: str, found: Iterable[Deviation], kind: str) -> str:
    """Return *rule*, how the decoder does it, and up to three inputs of *found* for which it does it otherwise."""
    told = (f"otherwise for {hex_bytes(each.example)}: {printable(each.why)}" for each in found if each.kind == kind)
    return "; ".join([*filter(None, [rule]), *islice(told, MAX_OTHER_WAYS)])


def _forms(model: Model) -> list[tuple[str, Pattern]]:
    """Return the characters that learning found, as few patterns as can be, each with its kind, extra or missing."""
    both = model.difference
    if both is None:
        return []
    kinds = ((EXTRA, both.extra), (MISSING, both.missing))
    return [(kind, each) for kind, forms in kinds for each in merge(map(pattern_of, forms))]


def _is_within(line: str, covered: Automaton | None) -> bool:
    words = words_of((line,))
    return covered is not None and words is not None and words.first_not_in(covered) is None


def _from_form(kind: str, form: Pattern, target: Target) -> CheckedDeviation:
    word = bytes(map(min, form.places))
    return _learned(kind, form.line, word, target, meaning(word, [form], accepted=kind == EXTRA))


def _from_line(found: Unnamed, target: Target) -> CheckedDeviation:
    means = meaning(found.word, [], accepted=found.kind == EXTRA)
    return replace(_learned(found.kind, found.line, found.word, target, means), place=found.place)


def _learned(kind: str, line: str, word: bytes, target: Target, means: Meaning) -> CheckedDeviation:
    command = printable(target.reproduce(word)) if len(word) <= MAX_EXAMPLE else ""
    return CheckedDeviation(
        kind,
        line,
        word,
        count=0,
        rule=means.rule,
        section=means.section,
        case="",
        reproduce=command,
        why=means.why,
        security=means.security,
        origin="learning",
    )
