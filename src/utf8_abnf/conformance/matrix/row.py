"""A row of the matrix, as frozen values: every page is made from rows, and a row can be written as JSON and read."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import TYPE_CHECKING, Any

from utf8_abnf.conformance.harness.report import EXTRA, MISSING, Trouble
from utf8_abnf.conformance.matrix.grid import Grid
from utf8_abnf.conformance.matrix.long_inputs import from_text, to_text
from utf8_abnf.grammar import Grammar
from utf8_abnf.grammar.files import shipped_grammars
from utf8_abnf.language.notation import printable

if TYPE_CHECKING:
    from utf8_abnf.conformance.harness.report import Deviation

SCHEMA = 3  # of a row and of the whole: matrix.schema.json

# The fields that its rows file says about a decoder.
WORDS = (
    *("about", "claim", "refuses", "install", "quote", "link"),
    *("language", "kind", "newest", "known", "anywhere", "told", "fixed", "where", "change"),
)

NOT_STORED = frozenset({"anywhere", "second_way", "where", "change"})  # they follow from the rows file

# Fields whose line breaks and tabs stay: Go with \t for a tab does not compile.
OF_SEVERAL_LINES = frozenset({"abnf", "anywhere", "second_way", "change"})

# The verdicts on a decoder, and how a page explains them.
CONFORMS, DEVIATES, CONFORMS_EXCEPT = "conforms", "deviates", "conforms-except"
UNCONFIRMED, DISAGREES = "unconfirmed", "disagrees"
TROUBLED, STOPPED, ASKED, BROKEN, ABSENT = "troubled", "stopped", "asked", "broken", "absent"
VERDICTS = {
    CONFORMS: "no deviation was found",
    DEVIATES: "it wrongly accepts or rejects something, and a command without our adapter shows it as well",
    CONFORMS_EXCEPT: "its verdicts are right; its text or its streaming deviates, as our adapter alone shows",
    UNCONFIRMED: "our adapter shows a deviation, and no command without our adapter confirms it",
    DISAGREES: "our adapter and the command without it disagree: one of them is wrong, so the decoder is not judged",
    TROUBLED: "it crashed, hung or wrote something that is not an answer",
    STOPPED: "the test was stopped before its end",
    ASKED: "only the fixed inputs of the grid were asked",
    BROKEN: "it is on this machine, but cannot be started, or gives no verdict",
    ABSENT: "it is not on this machine",
}
TESTED = frozenset({CONFORMS, DEVIATES, CONFORMS_EXCEPT, UNCONFIRMED, DISAGREES, TROUBLED, STOPPED, ASKED})

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
class CheckedDeviation:
    """A class of wrong answers, with the result of the second way.

    *kind*, *line*, *example* and *place* are those of a report's deviation. *why* says what is wrong with an answer
    that is not a verdict. *check* is one of ``CHECKS``, and *said* is why it is not ``CONFIRMED``.
    """

    kind: str
    line: str
    example: bytes
    place: str = ""
    why: str = ""
    check: str = ADAPTER_ONLY
    said: str = ""

    @classmethod
    def of(cls, found: Deviation) -> CheckedDeviation:
        """Return *found*, a deviation of the suite's report; it is not checked yet."""
        why = "" if found.kind in {EXTRA, MISSING} else found.why
        return cls(found.kind, found.line, found.example, found.place, why)

    @property
    def key(self) -> str:
        """What is accepted or rejected wrongly, wherever that is: ``extra %xED %xA0-BF UTF8-tail``."""
        return f"{self.kind} {self.line}"

    @property
    def in_verdicts(self) -> bool:
        """Whether the decoder accepts or rejects wrongly; otherwise its text, offsets or streaming are wrong."""
        return self.kind in {EXTRA, MISSING}


@dataclass(frozen=True, slots=True)
class LearnedGrammar:
    """What was learned: *dialect* is the shipped grammar that is equal, else *abnf* is the decoder's own grammar."""

    questions: int
    dialect: str = ""
    abnf: str = ""

    @property
    def text(self) -> str:
        """The grammar as ABNF; "" if it is that of a dialect that does not ship: a row may be somebody else's."""
        if self.abnf or self.dialect not in shipped_grammars():
            return self.abnf
        return Grammar.load(self.dialect).text


@dataclass(frozen=True, slots=True)
class Row:
    """A decoder, and what was found out about it. Unknown values are "", None or ().

    *quote* are a few words of its documentation on what *claim* says, and *link* is where they stand. *newest* says
    which version is the newest one and whether it was run, *known* what its authors say of the deviation, and where.
    *anywhere* asks it without our folders. *told* is the day on which its authors were told of what was found, and
    *fixed* the version that mends it. *where* names the function that *change*, a unified diff, would mend. *machine*
    is where it was asked, "" for the machine of the matrix. *date* is the day on which it was tested, and *grid* what
    it does with the fixed inputs, None if they were not asked.
    *reason* says why there is no verdict on the decoder. *level* is the level that was sent; it is lower than the
    requested one if that would have taken too long. *offsets*, *replacement* and *streaming* are the decoder's
    conventions, "" if it has no such interface. *unjudged* counts the inputs that its interface cannot take, and
    *unjudged_example* is one. *not_learned* says why *learned* is None. *second_way* is the direct command, and
    *controls* are the control inputs on which it does not agree with our adapter.
    """

    name: str
    about: str = ""
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
    told: str = ""
    fixed: str = ""
    where: str = ""
    change: str = ""
    machine: str = ""
    grid: Grid | None = None
    version: str = ""
    date: str = ""
    level: str = ""
    cases: int = 0
    unjudged: int = 0
    unjudged_example: bytes | None = None
    offsets: str = ""
    replacement: str = ""
    streaming: str = ""
    notes: tuple[str, ...] = ()
    deviations: tuple[CheckedDeviation, ...] = ()
    troubles: tuple[Trouble, ...] = ()
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
        return tuple(each for each in self.deviations if each.check != CONTRADICTED)

    @property
    def disputed(self) -> tuple[CheckedDeviation, ...]:
        """The deviations on which our adapter and the second way disagree."""
        return tuple(each for each in self.deviations if each.check == CONTRADICTED)

    def to_json(self) -> dict[str, Any]:
        """Return the row as plain values for ``json.dumps``; bytes are hex, and what has its default is left out."""
        plain = _plain(self) | {"verdict": self.verdict}
        return {name: value for name, value in plain.items() if name not in NOT_STORED}

    @classmethod
    def from_json(cls, plain: Mapping[str, Any]) -> Row:
        """Return the row that ``to_json`` wrote; KeyError, TypeError or ValueError if *plain* is not such a row."""
        facts = dict(plain)
        made: dict[str, Any] = {name: tuple(map(str, facts.pop(name, ()))) for name in ("notes", "controls")}
        wrong, troubles = facts.pop("deviations", ()), facts.pop("troubles", ())
        made["deviations"] = tuple(
            CheckedDeviation(**{**each, "example": from_text(each["example"])}) for each in wrong
        )
        made["troubles"] = tuple(Trouble(**{**each, "data": from_text(each["data"])}) for each in troubles)
        if (learned := facts.pop("learned", None)) is not None:
            made["learned"] = LearnedGrammar(**learned)
        if (grid := facts.pop("grid", None)) is not None:
            made["grid"] = Grid(**grid)
        if (example := facts.pop("unjudged_example", None)) is not None:
            made["unjudged_example"] = from_text(example)
        row = cls(**facts | made)
        if facts["verdict"] not in VERDICTS or not all(each.check in CHECKS for each in row.deviations):
            raise ValueError("an unknown verdict")
        return row


def cleaned(value: Any, name: str = "") -> Any:
    """Return a row, or a *value* of its field *name*, in printable text only: no decoder's text controls a terminal."""
    if isinstance(value, str):
        lines = re.split(r"([\n\t])", value) if name in OF_SEVERAL_LINES else [value]
        return "".join(each if each in {"\n", "\t"} and name in OF_SEVERAL_LINES else printable(each) for each in lines)
    if isinstance(value, tuple):
        return tuple(cleaned(each, name) for each in value)
    if isinstance(value, Row | CheckedDeviation | Trouble | LearnedGrammar):
        return replace(value, **{each.name: cleaned(getattr(value, each.name), each.name) for each in fields(value)})
    return value


def _plain(value: Any) -> Any:
    """Return *value* as JSON has it: of a dataclass the fields that do not have their defaults."""
    if isinstance(value, bytes):
        return to_text(value)
    if is_dataclass(value):
        given = ((field, getattr(value, field.name)) for field in fields(value))
        return {field.name: _plain(each) for field, each in given if each not in (field.default, {}, None)}
    if isinstance(value, Mapping):
        return {name: _plain(each) for name, each in value.items()}
    return [_plain(each) for each in value] if isinstance(value, tuple) else value


@dataclass(frozen=True, slots=True)
class Matrix:
    """The rows, and when, where and with what they were made. *level* is the requested one."""

    rows: tuple[Row, ...]
    date: str
    system: str
    machine: str
    cores: int
    made_by: str
    python: str
    level: str

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
