"""A row of the matrix, as frozen values: every page is made from rows, and a row can be written as JSON and read."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from utf8_abnf.conformance.harness.driving.process import printable
from utf8_abnf.conformance.harness.formats.phrases import hexed
from utf8_abnf.conformance.harness.report import EXTRA, MISSING, Deviation, Trouble
from utf8_abnf.conformance.matrix import long_inputs
from utf8_abnf.conformance.matrix.long_inputs import MAX_EXAMPLE
from utf8_abnf.language.notation import hex_bytes

if TYPE_CHECKING:
    from collections.abc import Mapping

SCHEMA = 1  # of a row and of the whole: matrix.schema.json

# The fields that its rows file says about a decoder.
WORDS = (
    *("about", "how", "claim", "refuses", "install", "quote", "link"),
    *("language", "kind", "newest", "known", "anywhere"),
)

LISTS = ("modes", "notes", "controls", "consequences")  # fields that are tuples of texts

# The verdicts on a decoder, and how a page explains them.
CONFORMS, DEVIATES, CONFORMS_EXCEPT = "conforms", "deviates", "conforms-except"
UNCONFIRMED, DISAGREES = "unconfirmed", "disagrees"
TROUBLED, STOPPED, BROKEN, ABSENT = "troubled", "stopped", "broken", "absent"
VERDICTS = {
    CONFORMS: "no deviation was found",
    DEVIATES: "it wrongly accepts or rejects something, and a command without our adapter shows it as well",
    CONFORMS_EXCEPT: "its verdicts are right; its text or its streaming deviates, as our adapter alone shows",
    UNCONFIRMED: "our adapter shows a deviation, and no command without our adapter confirms it",
    DISAGREES: "our adapter and the command without it disagree: one of them is wrong, so the decoder is not judged",
    TROUBLED: "it crashed, hung or wrote something that is not an answer",
    STOPPED: "the test was stopped before its end",
    BROKEN: "it is on this machine, but cannot be started, or gives no verdict",
    ABSENT: "it is not on this machine",
}
TESTED = frozenset({CONFORMS, DEVIATES, CONFORMS_EXCEPT, UNCONFIRMED, DISAGREES, TROUBLED, STOPPED})

# What the second way, a shell command without our adapter, says about a deviation.
CONFIRMED, CONTRADICTED, SILENT, NO_WAY, ADAPTER_ONLY = "confirmed", "contradicted", "silent", "no-way", "adapter-only"
CHECKS = {
    CONFIRMED: "confirmed without our adapter",
    CONTRADICTED: "our adapter and the direct command disagree",
    SILENT: "not confirmed: the direct command gave no verdict",
    NO_WAY: "not confirmed: there is no direct command",
    ADAPTER_ONLY: "seen through our adapter only",
}


@dataclass(frozen=True, slots=True)
class Check:
    """The result of a second way: *state* is one of ``CHECKS``, *said* its answer, *command* the shell command."""

    state: str
    said: str = ""
    command: str = ""

    @property
    def words(self) -> str:
        """The state in words, followed by the answer unless it only confirms."""
        more = f" ({self.said})" if self.said and self.state != CONFIRMED else ""
        return CHECKS[self.state] + more


@dataclass(frozen=True, slots=True)
class CheckedDeviation(Deviation):
    """A deviation of a report, with the result of the second way.

    *origin* says who found it: ``suite``, or ``learning``, which has no cases to count. *reproduce* asks the decoder
    through our adapter.
    """

    check: Check = Check(ADAPTER_ONLY)
    origin: str = "suite"

    @classmethod
    def of(cls, deviation: Deviation) -> CheckedDeviation:
        """Return *deviation*, which the suite found; it is not checked yet."""
        return cls(**_printable_facts(deviation, len(deviation.example)))

    @property
    def in_verdicts(self) -> bool:
        """Whether the decoder accepts or rejects wrongly; otherwise its text, offsets or streaming are wrong."""
        return self.kind in {EXTRA, MISSING}


@dataclass(frozen=True, slots=True)
class ShortTrouble(Trouble):
    """A trouble of a report whose *data* has only the first 64 bytes of the input; *size* is the number of all."""

    size: int = 0

    @classmethod
    def of(cls, trouble: Trouble) -> ShortTrouble:
        """Return the short form of *trouble*."""
        facts = _printable_facts(trouble, len(trouble.data))
        return cls(**facts | {"data": trouble.data[:MAX_EXAMPLE]}, size=len(trouble.data))

    @property
    def shown(self) -> str:
        """The input for a page: its bytes or, if they are not all kept, the first of them and the number of all."""
        return hexed(self.data) if self.size <= MAX_EXAMPLE else f"{hex_bytes(self.data[:16])} ... ({self.size} bytes)"


@dataclass(frozen=True, slots=True)
class LearnedGrammar:
    """What was learned: *abnf* is the decoder's own grammar, *dialect* the shipped grammar that is equal, "" if none.

    *states* counts the live states of its automaton, and *counterexample* is the shortest deviation, None if there is
    none. *checked* says on which inputs it was checked.
    """

    states: int
    dialect: str
    abnf: str
    counterexample: bytes | None
    questions: int
    k: int
    checked: str


@dataclass(frozen=True, slots=True)
class Row:
    """A decoder, and what was found out about it. Unknown values are "", None or ().

    *quote* are a few words of its documentation on what *claim* says, and *link* is where they stand. *newest* says
    which version is the newest one and whether it was run, *known* what its authors say of the deviation, and where.
    *anywhere* asks it without our folders. *severity* is one of ``consequences.SEVERITIES`` and *consequences* are
    sentences on what goes wrong; a row that conforms has neither. *date* is the day on which it was tested.
    *reason* says why there is no verdict on the decoder. *level* is the level that was sent; it is lower than the
    requested one if that would have taken too long. *offsets*, *replacement* and *streaming* are the decoder's
    conventions, "" if it has no such interface. *unjudged* counts the inputs that its interface cannot take, and
    *unjudged_example* is one. *not_learned* says why *learned* is None. *second_way* is the direct command, and
    *controls* are the control inputs on which it does not agree with our adapter.
    """

    name: str
    about: str = ""
    how: str = ""
    claim: str = ""
    refuses: str = ""
    install: str = ""
    verdict: str = ABSENT
    reason: str = ""
    quote: str = ""
    link: str = ""
    language: str = ""
    kind: str = ""
    newest: str = ""
    known: str = ""
    anywhere: str = ""
    severity: str = ""
    consequences: tuple[str, ...] = ()
    version: str = ""
    date: str = ""
    level: str = ""
    modes: tuple[str, ...] = ()
    cases: int = 0
    passed: int = 0
    unjudged: int = 0
    unjudged_example: bytes | None = None
    offsets: str = ""
    replacement: str = ""
    streaming: str = ""
    notes: tuple[str, ...] = ()
    deviations: tuple[CheckedDeviation, ...] = ()
    troubles: tuple[ShortTrouble, ...] = ()
    learned: LearnedGrammar | None = None
    not_learned: str = ""
    second_way: str = ""
    controls: tuple[str, ...] = ()

    @property
    def tested(self) -> bool:
        """Whether the decoder was started and answered."""
        return self.verdict in TESTED

    @property
    def facts(self) -> tuple[CheckedDeviation, ...]:
        """The deviations that the second way does not contradict."""
        return tuple(each for each in self.deviations if each.check.state != CONTRADICTED)

    @property
    def disputed(self) -> tuple[CheckedDeviation, ...]:
        """The deviations on which our adapter and the second way disagree."""
        return tuple(each for each in self.deviations if each.check.state == CONTRADICTED)

    def to_json(self) -> dict[str, Any]:
        """Return the row as plain values for ``json.dumps``; bytes are hex. ``matrix.schema.json`` describes it."""
        plain = {name: _plain(value) for name, value in asdict(self).items()}
        for each, deviation in zip(plain["deviations"], self.deviations, strict=True):
            each.update(long_inputs.to_json(deviation.example))
        return plain

    @classmethod
    def from_json(cls, plain: Mapping[str, Any]) -> Row:
        """Return the row that ``to_json`` wrote; KeyError, TypeError or ValueError if *plain* is not such a row."""
        facts = dict(plain)
        deviations = [_deviation(each) for each in facts.pop("deviations")]
        troubles = [ShortTrouble(**each | {"data": bytes.fromhex(each["data"])}) for each in facts.pop("troubles")]
        learned = facts.pop("learned")
        if learned is not None:
            learned = LearnedGrammar(**learned | {"counterexample": _bytes(learned["counterexample"])})
        example = _bytes(facts.pop("unjudged_example"))
        lists: dict[str, Any] = {name: tuple(map(str, facts.pop(name))) for name in LISTS}
        row = cls(
            **facts,
            **lists,
            deviations=tuple(deviations),
            troubles=tuple(troubles),
            learned=learned,
            unjudged_example=example,
        )
        if row.verdict not in VERDICTS or not all(each.check.state in CHECKS for each in row.deviations):
            raise ValueError("an unknown verdict")
        return row


def _deviation(plain: Mapping[str, Any]) -> CheckedDeviation:
    facts = {name: value for name, value in plain.items() if name != "whole"}
    example = long_inputs.from_json(plain)
    return CheckedDeviation(**facts | {"example": example, "check": Check(**plain["check"])})


def _printable_facts(value: Deviation | Trouble, size: int) -> dict[str, Any]:
    """Return the fields of *value* with printable text; without its command, if that is for more than 64 bytes."""
    facts = {name: printable(each) if isinstance(each, str) else each for name, each in asdict(value).items()}
    return facts if size <= MAX_EXAMPLE else facts | {"reproduce": ""}


def _bytes(text: str | None) -> bytes | None:
    return None if text is None else bytes.fromhex(text)


def _plain(value: Any) -> Any:
    if isinstance(value, bytes):
        return hex_bytes(value)
    if isinstance(value, dict):
        return {name: _plain(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    return value


@dataclass(frozen=True, slots=True)
class Matrix:
    """The rows, and when, where and with what they were made. *level* and *k* are the requested ones."""

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
        return f"{many}, {conform} of them without a deviation from RFC 3629"
