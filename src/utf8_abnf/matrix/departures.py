"""What a decoder departs in: from a suite's report and a learned model to classes, each with its shortest example.

The suite's classes come first, for it shrinks and explains them. Learning adds what the suite did not show. What only
follows from a class (text or offsets around an input that the decoder judges wrongly anyway) is left out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from utf8_abnf.automaton import compile_grammar
from utf8_abnf.automaton.forms import difference_forms
from utf8_abnf.grammar import Grammar
from utf8_abnf.harness.meaning import meaning
from utf8_abnf.harness.patterns import Pattern
from utf8_abnf.harness.process import printable
from utf8_abnf.harness.report import EXTRA, MISSING
from utf8_abnf.harness.standard import cut_utf8
from utf8_abnf.matrix.row import ADAPTER_ONLY, LONGEST, Check, Departure

if TYPE_CHECKING:
    from collections.abc import Iterable

    from utf8_abnf.automaton import Automaton
    from utf8_abnf.automaton.forms import Form
    from utf8_abnf.harness.report import Deviation, Report
    from utf8_abnf.harness.target import Target
    from utf8_abnf.learning import Model

UNCHECKED = Check(ADAPTER_ONLY)


def departures(report: Report, model: Model | None, target: Target) -> tuple[Departure, ...]:
    """Return the classes of what is accepted, and then those of text, offsets and streaming, none of them checked."""
    about_acceptance = [each for each in report.deviations if each.kind in {EXTRA, MISSING}]
    forms = _forms(model) if model else []
    classes = [each for each in about_acceptance if not _is_part(each.line, [form for _, form in forms])]
    found = [_of_suite(each) for each in classes]
    covered = _words_of(each.line for each in classes)
    found += [_of_form(kind, form, target) for kind, form in forms if not _within(form, covered)]
    if model and model.counterexample is not None and not found:
        found.append(_of_word(model.counterexample, model, target))
    covered = _words_of(each.line for each in found)
    beside = [each for each in report.deviations if each not in about_acceptance]
    return (*found, *(_of_suite(each) for each in beside if not _follows(each.example, covered)))


def _is_part(line: str, forms: Iterable[Form]) -> bool:
    """Whether *line* tells less than one of *forms*: the suite saw a part of what learning saw whole."""
    words = _words_of([line])
    wholes = [whole for form in forms if (whole := _words_of([str(form)])) is not None]
    return words is not None and any(
        words.first_not_in(whole) is None and whole.first_not_in(words) is not None for whole in wholes
    )


def _words_of(lines: Iterable[str]) -> Automaton | None:
    """Return the automaton of the words that some of *lines* derive; those that are no ABNF do not count."""
    alternatives = " / ".join(line for line in lines if line.startswith(("%x", "UTF8-tail")))
    if not alternatives:
        return None
    return compile_grammar(Grammar.parse(f"class = {alternatives}\nUTF8-tail = %x80-BF\n"), "class")


def _follows(example: bytes, covered: Automaton | None) -> bool:
    """Whether *example* has a piece that the decoder accepts or rejects wrongly."""
    return covered is not None and any(covered.accepts(piece) for piece, _ in cut_utf8(example))


def _of_suite(each: Deviation) -> Departure:
    return Departure(
        each.kind,
        printable(each.line),
        each.example,
        UNCHECKED,
        why=each.why,
        section=each.section,
        security=each.security,
        detail=printable(each.detail),
        reproduce=printable(each.reproduce) if len(each.example) <= LONGEST else "",
    )


def _forms(model: Model) -> list[tuple[str, Form]]:
    """Return the forms that learning found, each extra or missing.

    Where a character of one automaton begins one of the other, a form may be a character of the RFC alone and yet be
    accepted, as several characters: only what is judged wrongly counts.
    """
    both = difference_forms(model.automaton, model.expected)
    if both is None:
        return []
    pairs = [*((EXTRA, form) for form in both.extra), *((MISSING, form) for form in both.missing)]
    return [
        (kind, form)
        for kind, form in pairs
        if (kind == EXTRA) is model.automaton.accepts(form.example) is not model.expected.accepts(form.example)
    ]


def _within(form: Form, covered: Automaton | None) -> bool:
    words = _words_of([str(form)])
    return covered is not None and words is not None and words.first_not_in(covered) is None


def _of_word(word: bytes, model: Model, target: Target) -> Departure:
    kind = EXTRA if model.automaton.accepts(word) else MISSING
    line = "%x" + ".".join(f"{byte:02X}" for byte in word) if word else '""'
    return Departure(kind, line, word, UNCHECKED, origin="learning", reproduce=_command(word, target))


def _command(word: bytes, target: Target) -> str:
    return printable(target.reproduce(word)) if len(word) <= LONGEST else ""


def _of_form(kind: str, form: Form, target: Target) -> Departure:
    word = form.example
    pattern = Pattern(tuple(frozenset(range(low, high + 1)) for low, high in form.ranges))
    means = meaning(word, pattern, accepted=kind == EXTRA)
    return Departure(
        kind,
        str(form),
        word,
        UNCHECKED,
        origin="learning",
        why=means.why,
        section=means.section,
        security=means.security,
        reproduce=_command(word, target),
    )
