"""What a run found, as frozen values: every output format is made from a ``Report`` and from nothing else."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from utf8_abnf.conformance.suite.judging import Memory

# Kinds of deviations. The decoder accepts exactly the grammar's language if there are none of the first two.
EXTRA, MISSING = "extra", "missing"
POSITION, REPLACEMENT, STREAMING = "position", "replacement", "streaming"
UNSTEADY = "unsteady"
KINDS = {
    UNSTEADY: "gives two answers to the same input",
    EXTRA: "accepted by the decoder, not in the grammar",
    MISSING: "in the grammar, rejected by the decoder",
    POSITION: "reports a wrong error offset or length",
    REPLACEMENT: "gives a wrong text",
    STREAMING: "answers wrongly where the input comes as a stream",
}

EXIT_CONFORMS, EXIT_DEVIATES, EXIT_STOPPED = 0, 1, 3  # 2 is a usage error


@dataclass(frozen=True, slots=True)
class FamilyResult:
    """The numbers of one family of cases in one mode. *asked* cases were answered, or failed to be; *total* is all."""

    name: str
    mode: str
    total: int
    asked: int
    passed: int
    failed: int
    troubled: int = 0
    unsupported: int = 0


@dataclass(frozen=True, slots=True)
class Deviation:
    """A class of wrong answers. *line* is what was wrong, as ABNF or the code of a fault; *count* counts its cases.

    *example* is its shortest member, found by asking the decoder again; *reproduce* is a command that gives it to the
    decoder. *case* is the id of a case that showed it. *security* is what it means for an attacker, "" where nothing
    is known. *excused* is the reason given in the file of expected deviations, None where it is not expected.
    *memory* says where the example lay, if the decoder was called in process and not seen to do it when asked again.
    *place* says at which places alone the decoder does it, "" where that is everywhere. *mistake* is the usual mistake
    in code that does it. Of many wrong answers that say nothing new a sample is judged; *count* counts those of it.
    """

    kind: str
    line: str
    example: bytes
    count: int
    rule: str
    section: str
    case: str
    reproduce: str
    why: str = ""
    security: str = ""
    detail: str = ""
    excused: str | None = None
    memory: Memory | None = None
    place: str = ""
    mistake: str = ""

    @property
    def key(self) -> str:
        """What is accepted or rejected wrongly, wherever that is: ``extra %xED %xA0-BF UTF8-tail``."""
        return f"{self.kind} {self.line}"

    @property
    def where(self) -> str:
        """The place without the examples behind a semicolon, which a higher level may replace by others."""
        return self.place.partition(";")[0]

    @property
    def full_key(self) -> str:
        """The name of the class: its key and, if it has one, its place: ``extra %xC3 (only at the end of the input)``.

        A deviation is expected under this name alone: one that grows beyond its place is another one.
        """
        return f"{self.key} ({self.where})" if self.where else self.key

    @property
    def reference(self) -> str:
        """The rule and the section of a standard that it is about: ``UTF8-3, RFC 3629 section 3``."""
        return ", ".join(part for part in (self.rule, self.section) if part)


@dataclass(frozen=True, slots=True)
class Trouble:
    """A case without an answer: *kind* is crash, hang, missing, garbage or excess_output.

    *case* is "" where none is known. *memory* is as in ``Deviation``.
    """

    kind: str
    detail: str
    case: str
    data: bytes
    reproduce: str = ""
    memory: Memory | None = None


@dataclass(frozen=True, slots=True)
class Report:
    """The outcome of a run; ``conformance.render(report, "text")`` is what the terminal shows.

    *stopped* says why the run ended early, "" when it did not, *not_run* which levels were not asked because a lower
    one failed. *notes* tell what was found out about the decoder, such as its convention for offsets. *theorem* is what
    passing proves, with its assumption. *unexpected_passes* are the keys of expected deviations that did not occur.
    *seconds* is the time that the run took. *understood* says how the decoder's results were read as verdicts, "" where
    there is one way only. *not_judged* says in words what was not judged; with *strict* the decoder does not conform
    then. *source* is the path of the decoder's source.
    """

    target: str
    name: str
    version: str
    level: str
    modes: tuple[str, ...]
    families: tuple[FamilyResult, ...]
    deviations: tuple[Deviation, ...]
    troubles: tuple[Trouble, ...]
    notes: tuple[str, ...] = ()
    stopped: str = ""
    not_run: tuple[str, ...] = ()
    theorem: str = ""
    unexpected_passes: tuple[str, ...] = ()
    seconds: float = 0.0
    filtered: str = ""
    more_troubles: int = 0
    understood: str = ""
    not_judged: tuple[str, ...] = ()
    strict: bool = False
    source: str = ""

    @property
    def conforms(self) -> bool:
        """Whether every case was asked, and answered rightly or with an expected deviation."""
        return not (
            self.stopped
            or self.troubles
            or self.unexpected_passes
            or self._deviates
            or (self.failed and not self.deviations)
            or not (self.passed or self.failed)
            or (self.strict and self.not_judged)
        )

    @property
    def _deviates(self) -> bool:
        """Whether it was seen to deviate where that was not expected: then it does not conform, whatever stopped it.

        A crash about a case, which was seen again when the case was asked alone, deviates if other cases were answered.
        """
        crashes = any(trouble.kind == "crash" and trouble.case for trouble in self.troubles)
        return any(each.excused is None for each in self.deviations) or (crashes and self.passed + self.failed > 0)

    @property
    def unsteady(self) -> bool:
        """Whether the decoder was seen to answer the same input in two ways."""
        return any(each.memory or each.kind == UNSTEADY for each in self.deviations) or any(
            each.memory for each in self.troubles
        )

    @property
    def cases(self) -> int:
        """How many cases were asked."""
        return sum(family.asked for family in self.families)

    @property
    def passed(self) -> int:
        """How many answers were right."""
        return sum(family.passed for family in self.families)

    @property
    def failed(self) -> int:
        """How many answers were wrong."""
        return sum(family.failed for family in self.families)

    @property
    def unsupported(self) -> int:
        """How many cases the decoder said it cannot judge."""
        return sum(family.unsupported for family in self.families)

    @property
    def verdict(self) -> str:
        """One word: pass, expected (all deviations are expected), fail, or stopped before a deviation."""
        if self.stopped and not self._deviates:
            return "stopped"
        if not self.conforms:
            return "fail"
        return "expected" if self.deviations else "pass"

    @property
    def exit_status(self) -> int:
        """The exit status of ``utf8-abnf test``: 0 conforms, 1 does not, 3 the run was stopped before that was seen."""
        return {"fail": EXIT_DEVIATES, "stopped": EXIT_STOPPED}.get(self.verdict, EXIT_CONFORMS)
