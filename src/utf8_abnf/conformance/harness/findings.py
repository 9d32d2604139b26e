"""Findings: what is told while a run goes on, one value for each kind of wrong answer and for each level."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from utf8_abnf.conformance.harness.answers.judging import NoAnswer, Unsupported, WrongAnswer
from utf8_abnf.conformance.harness.phrases import hexed
from utf8_abnf.conformance.suite.plan import plan
from utf8_abnf.language.notation import printable
from utf8_abnf.validator.ill_formed import LONE_TAIL, MISSING_TAIL, OVERLONG, SURROGATE, TOO_LARGE, TRUNCATED

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from utf8_abnf.conformance.harness.answers.judging import Judgement, WrongVerdict
    from utf8_abnf.conformance.suite.plan import Plan

Kind = tuple[str, ...]  # of wrong answers: two of one kind say the same
MAX_FINDINGS = 10  # of a run that are told at once; the report has the classes
IS = {
    OVERLONG: "overlong",
    SURROGATE: "a surrogate",
    TOO_LARGE: "above U+10FFFF",
    LONE_TAIL: "a tail byte alone",
    MISSING_TAIL: "a tail byte is missing",
    TRUNCATED: "cut by the end",
}


class Finding(NamedTuple):
    """The first wrong answer of its kind: what the decoder *did* with *data* of *case*, and *why* that is wrong."""

    case: str
    data: bytes
    did: str
    why: str

    def __str__(self) -> str:
        return f"{hexed(self.data)} {self.did}: {self.why} ({self.case or 'no single case'})"


class LevelEnd(NamedTuple):
    """A level is through: *cases* were asked so far, *wrong* of them answered wrongly or not at all.

    *following* is the level that is asked next, "" if none is.
    """

    level: str
    cases: int
    wrong: int
    following: str

    def __str__(self) -> str:
        return f"{self.level}: {self.cases:,} cases, {f'{self.wrong:,} wrong' if self.wrong else 'all right'}"


@dataclass(frozen=True, slots=True)
class Findings:
    """Calls *tell* with the first wrong answer of each kind, up to ``MAX_FINDINGS`` of them."""

    tell: Callable[[Finding | LevelEnd], None]
    standard: Plan
    kinds: set[Kind] = field(default_factory=set)

    def see(self, judgements: Iterable[Judgement]) -> None:
        """Tell those of *judgements* that are the first of their kind."""
        for judgement in judgements:
            if len(self.kinds) >= MAX_FINDINGS:
                return
            if isinstance(judgement, Unsupported):
                continue
            kind, finding = self._finding(judgement)
            if kind not in self.kinds:
                self.kinds.add(kind)
                self.tell(finding())

    def _finding(self, judgement: WrongVerdict | WrongAnswer | NoAnswer) -> tuple[Kind, Callable[[], Finding]]:
        """Return the kind of *judgement*, by which two of them say the same, and what returns what to tell of it."""
        if isinstance(judgement, NoAnswer):
            failure = judgement.failure
            why = printable(f"it {failure.detail}")
            return (failure.kind,), lambda: Finding(judgement.case, judgement.data, failure.kind, why)
        if isinstance(judgement, WrongAnswer):
            did = f"wrong in mode {judgement.mode}"
            return (did, judgement.fault), lambda: Finding(judgement.case().id, judgement.data, did, judgement.why)
        data, did = judgement.data, "accepted" if judgement.accepted else "rejected"
        code = rule = ""
        why = f"{'not ' * judgement.accepted}in the grammar"
        if self.standard.is_utf8:
            error = plan().oracle.ill_formed(data)
            rule, _, _ = plan().rule(data, error).partition("/")
            code = error.code if error else ""
            why = IS.get(code, "well-formed")
        return (did, rule, code), lambda: Finding(judgement.case(), data, did, why)
