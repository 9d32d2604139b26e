"""What a run found, as plain frozen values: every output format is made from a ``Report`` and from nothing else."""

from __future__ import annotations

from dataclasses import dataclass

# What a deviation is about. Only the first two decide whether the decoder accepts exactly the grammar's language.
EXTRA, MISSING = "extra", "missing"
POSITION, REPLACEMENT, STREAMING = "position", "replacement", "streaming"
KINDS = {
    EXTRA: "accepted by the decoder, not in the grammar",
    MISSING: "in the grammar, rejected by the decoder",
    POSITION: "the error is reported at another place",
    REPLACEMENT: "the text is another one",
    STREAMING: "the verdict depends on how the input is cut",
}


@dataclass(frozen=True, slots=True)
class FamilyResult:
    """How one family of cases went in one mode. *asked* cases have an outcome; *total* is how many the family has."""

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
    """A class of failures. *line* is what was accepted or missed, as ABNF; *count* how many cases fell into it.

    *example* is its shortest member, shrunk by asking the decoder again; *reproduce* is a command that puts it to the
    decoder. *case* is the id of a case that showed it. *security* is what it means for an attacker, "" where nothing
    is known. *excused* is the reason given in the file of expected failures, None where it is not expected.
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

    @property
    def key(self) -> str:
        """The name of the class, as it stands in a file of expected failures: ``extra %xED %xA0-BF UTF8-tail``."""
        return f"{self.kind} {self.line}"


@dataclass(frozen=True, slots=True)
class Trouble:
    """A case without an answer: *kind* is crash, hang, garbage or excess_output. *case* is "" where none is known."""

    kind: str
    detail: str
    case: str
    data: bytes
    reproduce: str = ""


@dataclass(frozen=True, slots=True)
class Report:
    """The outcome of a run. ``str(report)`` is the terminal's text; ``formats.render(report, name)`` gives the others.

    *stopped* says why the run ended before its end, "" when it did not. *notes* are choices found out, such as the
    convention for offsets. *theorem* is what passing proves, with its assumption. *unexpected_passes* are keys of
    expected deviations that did not show. *seconds* is the time the run took.
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
    theorem: str = ""
    unexpected_passes: tuple[str, ...] = ()
    seconds: float = 0.0
    filtered: str = ""
    more_troubles: int = 0

    @property
    def conforms(self) -> bool:
        """True when everything asked was answered rightly, or wrongly as expected, and everything was asked."""
        return not (
            self.stopped
            or self.troubles
            or self.unexpected_passes
            or any(deviation.excused is None for deviation in self.deviations)
            or not self.cases
        )

    @property
    def cases(self) -> int:
        """How many questions have an outcome."""
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
        """One word: pass, expected (only excused deviations), fail, or stopped."""
        if self.stopped:
            return "stopped"
        if not self.conforms:
            return "fail"
        return "expected" if self.deviations else "pass"

    @property
    def exit_status(self) -> int:
        """0 conforms, 1 does not, 3 the decoder kept failing (DESIGN section 6)."""
        return 3 if self.stopped else 0 if self.conforms else 1
