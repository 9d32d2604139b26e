"""Explaining: from wrong verdicts to the few ABNF lines of what a decoder wrongly accepts or wrongly rejects.

During the run only a count and a few inputs are kept of each kind of wrong verdict. Afterwards ``learning.engine`` asks
the decoder again, until it knows what the decoder accepts, and ``classes`` counts the cases of each of its lines.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from utf8_abnf.conformance.harness.verdicts.classes import Seen, VerdictClass, classes_of
from utf8_abnf.conformance.learning.engine import explain as explained
from utf8_abnf.conformance.naming import EXTRA
from utf8_abnf.errors import TargetError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from utf8_abnf.automaton import Automaton
    from utf8_abnf.conformance.harness.evidence import Bucket, WrongVerdicts
    from utf8_abnf.conformance.learning.teacher import Ask
    from utf8_abnf.conformance.suite import Family

MANY_CASES, FEW_CASES = 50_000, 1_000  # of a family that is asked again; FEW where each costs a process


def explain(
    wrong: WrongVerdicts, ask: Ask, standard: Automaton, families: Iterable[Family], *, expensive: bool
) -> tuple[list[VerdictClass], str]:
    """Return the classes of *wrong*, what is wrongly accepted first, and why explaining ended early, "" if not.

    *standard* is what the decoder should accept. The small ones of *families* are asked again if that is not UTF-8:
    what is right as well shows what the classes are. *expensive* tells that each question costs a process.
    """
    both = {accepted: _seen(wrong.buckets(accepted=accepted)) for accepted in (True, False)}
    words = [(each.data, accepted) for accepted, seen in both.items() for each in seen]
    if not words:
        return [], ""
    small = [each for each in families if each.count <= (FEW_CASES if expensive else MANY_CASES)]
    blocks = [block for family in small for block in family.blocks()]
    found = explained(ask, standard, words, blocks=blocks, expensive=expensive)

    def are_wrong(inputs: Sequence[bytes]) -> list[bool]:
        try:
            answers = ask(list(inputs))
        except TargetError:  # the time is over, or the decoder died
            return [False] * len(inputs)
        return [answer is not standard.accepts(word) for answer, word in zip(answers, inputs, strict=True)]

    classes: list[VerdictClass] = []
    for accepted, seen in both.items():
        lines = [line for line in found.lines if (line.kind == EXTRA) is accepted]
        if lines:
            classes += classes_of(lines, standard, seen, are_wrong)
    return classes, found.ended


def _seen(buckets: Iterable[Bucket]) -> list[Seen]:
    """Return the inputs of *buckets*, the shortest first; they share their bucket's count."""
    found = []
    for bucket in buckets:
        share, rest = divmod(bucket.count, len(bucket.words))
        found += [Seen(data, case, share + (number < rest)) for number, (data, case) in enumerate(bucket.words)]
    return sorted(found, key=lambda each: (len(each.data), each.data))
