"""A row of the matrix, as plain frozen values: every page is made from rows, and a row can be written and read."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from utf8_abnf.harness.report import EXTRA, MISSING

if TYPE_CHECKING:
    from collections.abc import Mapping

LONGEST = 64  # bytes of an input that a row shows in a command or of a trouble
SCHEMA = 1  # of a row and of the whole: matrix.schema.json

# What became of a decoder, and how a page says it.
CONFORMS, DEPARTS, BESIDE = "conforms", "departs", "beside"
UNCONFIRMED, DISAGREES = "unconfirmed", "disagrees"
TROUBLED, STOPPED, BROKEN, ABSENT = "troubled", "stopped", "broken", "absent"
VERDICTS = {
    CONFORMS: "no departure was found",
    DEPARTS: "it accepts too much or misses something, and a second, direct way shows it, too",
    BESIDE: "what it accepts is right; its text, offsets or streaming are not, seen through the adapter only",
    UNCONFIRMED: "its adapter shows a departure that no second way has confirmed",
    DISAGREES: "its adapter and the direct way disagree: one of the two is wrong, so nothing is said of the decoder",
    TROUBLED: "it crashed, hung or wrote what is no answer",
    STOPPED: "the test had to be ended before its end",
    BROKEN: "it is here and cannot be started",
    ABSENT: "it is not on this machine",
}
TESTED = frozenset({CONFORMS, DEPARTS, BESIDE, UNCONFIRMED, DISAGREES, TROUBLED, STOPPED})

# What the second way says of one departure.
CONFIRMED, CONTRADICTED, SILENT, NO_WAY, ADAPTER_ONLY = "confirmed", "contradicted", "silent", "no-way", "adapter-only"
CHECKS = {
    CONFIRMED: "confirmed by the direct way",
    CONTRADICTED: "adapter and direct way disagree",
    SILENT: "not confirmed: the direct way gave no verdict",
    NO_WAY: "not confirmed: there is no second way",
    ADAPTER_ONLY: "seen through the adapter only",
}


@dataclass(frozen=True, slots=True)
class Check:
    """What a second way said: *state* is one of ``CHECKS``, *said* its verdict, *command* what a reader can run."""

    state: str
    said: str = ""
    command: str = ""

    @property
    def words(self) -> str:
        """The state in words, with what was said where that is not plain from it."""
        more = f" ({self.said})" if self.said and self.state != CONFIRMED else ""
        return CHECKS[self.state] + more


@dataclass(frozen=True, slots=True)
class Departure:
    """A class of inputs on which the decoder departs from RFC 3629.

    *kind* is as in a report: extra, missing, position, replacement, streaming. *line* is the class as ABNF, *example*
    its shortest input, *origin* who found it: ``suite`` or ``learning``. *reproduce* asks through the adapter.
    """

    kind: str
    line: str
    example: bytes
    check: Check
    origin: str = "suite"
    why: str = ""
    section: str = ""
    security: str = ""
    detail: str = ""
    reproduce: str = ""

    @property
    def about_acceptance(self) -> bool:
        """Whether it is about what is accepted, and not about text, offsets or streaming."""
        return self.kind in {EXTRA, MISSING}

    @property
    def key(self) -> str:
        """Kind and ABNF: what two decoders that behave alike have in common."""
        return f"{self.kind} {self.line}"


@dataclass(frozen=True, slots=True)
class Trouble:
    """An input without an answer: *kind* as in a report (crash, hang, ...); *data* begins it, *size* is its length."""

    kind: str
    detail: str
    case: str
    data: bytes
    size: int


@dataclass(frozen=True, slots=True)
class Learned:
    """The automaton that was learned: *abnf* compiles to it; *dialect* names the shipped grammar that is the same."""

    states: int
    dialect: str
    abnf: str
    counterexample: bytes | None
    questions: int
    k: int
    checked: str


@dataclass(frozen=True, slots=True)
class Row:
    """A decoder, and what came out. What could not be found out is "", None or empty.

    *reason* says why there is no verdict on the decoder. *level* is the level posed, which is lower than the one asked
    for where that would have taken too long. *offsets*, *replacement* and *streaming* tell its convention, "" where it
    has no such interface. *unjudged* counts the inputs that its interface cannot be given, *unjudged_example* is one.
    *not_learned* says why it has no automaton. *second_way* is the direct command, and *controls* what it said of
    inputs on which the adapter has no departure.
    """

    name: str
    about: str
    how: str
    claim: str
    refuses: str
    install: str
    verdict: str
    reason: str = ""
    version: str = ""
    level: str = ""
    seconds: float = 0.0
    modes: tuple[str, ...] = ()
    cases: int = 0
    passed: int = 0
    unjudged: int = 0
    unjudged_example: bytes | None = None
    offsets: str = ""
    replacement: str = ""
    streaming: str = ""
    notes: tuple[str, ...] = ()
    departures: tuple[Departure, ...] = ()
    troubles: tuple[Trouble, ...] = ()
    learned: Learned | None = None
    not_learned: str = ""
    second_way: str = ""
    controls: tuple[str, ...] = ()

    @property
    def tested(self) -> bool:
        """Whether the decoder answered at all."""
        return self.verdict in TESTED

    @property
    def facts(self) -> tuple[Departure, ...]:
        """The departures that nothing speaks against."""
        return tuple(each for each in self.departures if each.check.state != CONTRADICTED)

    @property
    def disputed(self) -> tuple[Departure, ...]:
        """The departures on which adapter and direct way disagree."""
        return tuple(each for each in self.departures if each.check.state == CONTRADICTED)

    def to_json(self) -> dict[str, Any]:
        """Return the row as what ``json.dumps`` takes, bytes as hex; ``matrix.schema.json`` describes it."""
        return {name: _plain(value) for name, value in asdict(self).items()}

    @classmethod
    def from_json(cls, plain: Mapping[str, Any]) -> Row:
        """Return the row that ``to_json`` wrote; KeyError, TypeError or ValueError where *plain* is no such thing."""
        facts = dict(plain)
        departures = [
            Departure(**each | {"example": bytes.fromhex(each["example"]), "check": Check(**each["check"])})
            for each in facts.pop("departures")
        ]
        troubles = [Trouble(**each | {"data": bytes.fromhex(each["data"])}) for each in facts.pop("troubles")]
        learned = facts.pop("learned")
        if learned is not None:
            learned = Learned(**learned | {"counterexample": _bytes(learned["counterexample"])})
        example = _bytes(facts.pop("unjudged_example"))
        lists: dict[str, Any] = {name: tuple(map(str, facts.pop(name))) for name in ("modes", "notes", "controls")}
        row = cls(
            **facts,
            **lists,
            departures=tuple(departures),
            troubles=tuple(troubles),
            learned=learned,
            unjudged_example=example,
        )
        if row.verdict not in VERDICTS or not all(each.check.state in CHECKS for each in row.departures):
            raise ValueError("an unknown verdict")
        return row


def _bytes(text: str | None) -> bytes | None:
    return None if text is None else bytes.fromhex(text)


def _plain(value: Any) -> Any:
    if isinstance(value, bytes):
        return value.hex(" ").upper()
    if isinstance(value, dict):
        return {name: _plain(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    return round(value, 3) if isinstance(value, float) else value


@dataclass(frozen=True, slots=True)
class Matrix:
    """The rows, and when, where and with what they were made. *level* and *k* are what was asked for."""

    rows: tuple[Row, ...]
    date: str
    system: str
    machine: str
    cores: int
    made_by: str
    python: str
    level: str
    k: int | None  # None: nothing was learned

    @property
    def tested(self) -> tuple[Row, ...]:
        """The rows of decoders that answered."""
        return tuple(row for row in self.rows if row.tested)

    @property
    def summary(self) -> str:
        """The numbers in one sentence."""
        tested = self.tested
        conform = sum(row.verdict == CONFORMS for row in tested)
        many = f"{len(tested)} decoder{'s' * (len(tested) != 1)} tested"
        return f"{many}, {conform} of them without a departure from RFC 3629"
