"""What a decoder departs in: from a suite's report and a learned model to classes, each with its shortest example.

The suite's classes come first, for it shrinks and explains them. Learning adds what the suite did not show. What only
follows from a class (text or offsets around an input that the decoder judges wrongly anyway) is left out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from utf8_abnf.automaton import compile_grammar
from utf8_abnf.grammar import Grammar
from utf8_abnf.harness.boxes import Box
from utf8_abnf.harness.meaning import cut_utf8, meaning
from utf8_abnf.harness.process import printable
from utf8_abnf.harness.report import EXTRA, MISSING
from utf8_abnf.matrix.row import ADAPTER_ONLY, LONGEST, Check, Departure

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from utf8_abnf.automaton import Automaton
    from utf8_abnf.forms import Form
    from utf8_abnf.harness.report import Difference, Report
    from utf8_abnf.harness.target import Target
    from utf8_abnf.learning import Model

UNCHECKED = Check(ADAPTER_ONLY)


def departures(report: Report, model: Model | None, target: Target) -> tuple[Departure, ...]:
    """Return the classes of what is accepted, and then those of text, offsets and streaming, none of them checked."""
    about_acceptance = [each for each in report.differences if each.kind in {EXTRA, MISSING}]
    forms = model.difference if model else None
    classes = [each for each in about_acceptance if not (forms and _is_part(each.line, [*forms.extra, *forms.missing]))]
    found = [_of_suite(each) for each in classes]
    if model:
        covered = _words_of(each.line for each in classes)
        found += _of_learning(model, covered, target, alone=not about_acceptance)
    covered = _words_of(each.line for each in found)
    beside = [each for each in report.differences if each not in about_acceptance]
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
    alternatives = " / ".join(line for line in lines if line.startswith("%x"))
    if not alternatives:
        return None
    return compile_grammar(Grammar.parse(f"class = {alternatives}\nUTF8-tail = %x80-BF\n"), "class")


def _follows(example: bytes, covered: Automaton | None) -> bool:
    """Whether *example* has a piece that the decoder accepts or rejects wrongly."""
    return covered is not None and any(covered.accepts(piece) for piece, _ in cut_utf8(example))


def _of_suite(each: Difference) -> Departure:
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


def _of_learning(model: Model, covered: Automaton | None, target: Target, *, alone: bool) -> Iterator[Departure]:
    """Yield what learning found and the classes of the suite do not hold; *alone*: the suite found nothing."""
    if model.difference is not None:
        for kind, several in ((EXTRA, model.difference.extra), (MISSING, model.difference.missing)):
            for form in several:
                words = _words_of([str(form)])
                if covered is None or words is None or words.first_not_in(covered) is not None:
                    yield _of_form(kind, form, target)
    elif model.counterexample is not None and alone:
        word = model.counterexample
        kind = EXTRA if model.automaton.accepts(word) else MISSING
        line = "%x" + ".".join(f"{byte:02X}" for byte in word) if word else '""'
        yield Departure(kind, line, word, UNCHECKED, origin="learning", reproduce=_command(word, target))


def _command(word: bytes, target: Target) -> str:
    return printable(target.reproduce(word)) if len(word) <= LONGEST else ""


def _of_form(kind: str, form: Form, target: Target) -> Departure:
    word = form.example
    box = Box(tuple(frozenset(range(low, high + 1)) for low, high in form.ranges))
    means = meaning(word, box, accepted=kind == EXTRA)
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
