"""The grid: what a decoder does with fixed inputs for six facts, each in four contexts, in one piece and byte by byte.

Rule 1: an ill-formed input is asked only where its plain twin, the same with a character in the place of the fault, is
accepted: else a rejection would say nothing about the fault, and the cell is *not asked*.
Rule 2: what comes out is compared only where the twin comes out unchanged.
"""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from utf8_abnf.conformance.framing import frame
from utf8_abnf.conformance.harness.driving.protocol import ACCEPT, REJECT, UNSUPPORTED, is_unsupported
from utf8_abnf.conformance.harness.driving.session import Session
from utf8_abnf.conformance.harness.driving.worker import Failure, Window
from utf8_abnf.conformance.harness.replacing import FFFD, is_marked, mark_of
from utf8_abnf.language.notation import hex_bytes, printable

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from utf8_abnf.conformance.harness.driving.target import Target
    from utf8_abnf.conformance.harness.driving.worker import Limits

CHARACTERS = "characters"
OVERLONG, SURROGATES, ABOVE = "overlong forms", "surrogates", "above U+10FFFF"
TAILS, SWALLOWED, CUT = "lone tails", "swallowed bytes", "cut ends"
# The inputs of each fact, and before them the characters that every decoder should take.
INPUTS = {
    fact: tuple(map(bytes.fromhex, words))
    for fact, words in {
        CHARACTERS: ("C3 A9", "E2 82 AC", "F0 9F 98 80"),
        OVERLONG: ("C0 AF", "C0 80", "E0 80 AF", "F0 80 80 AF"),
        SURROGATES: ("ED A0 80", "ED BF BF", "ED A0 80 ED B0 80"),
        ABOVE: ("F4 90 80 80", "F5 80 80 80", "F8 88 80 80 80"),
        TAILS: ("80", "BF", "80 BF"),
        SWALLOWED: ("C2 22", "E2 22", "C2 41", "E2 41 41", "E2 82 41", "F0 9F 98 41"),
        CUT: ("C2", "E2", "E2 82", "F0 9F 98"),
    }.items()
}
FACTS = tuple(INPUTS)[1:]
CONTEXTS = {
    "alone": (b"", b""),
    "between letters": (b"/e", b"tc"),
    "behind 100 letters": (b"a" * 100, b"tc"),
    "at the end": (b"/e", b""),
}
TWIN = INPUTS[CHARACTERS][0]

# The answers, the worst first, and the letter that stands for each in JSON.
PASSES, DROPS, SWALLOWS, SILENT = "passes on", "drops without a mark", "swallows the next byte", "gives no answer"
REPLACES, REJECTS, NOT_ASKED = "replaces", "rejects", "not asked"
LETTERS = {PASSES: "p", DROPS: "d", SWALLOWS: "s", SILENT: "x", REPLACES: "m", REJECTS: "r", NOT_ASKED: "-"}
ANSWERS = {letter: answer for answer, letter in LETTERS.items()}
WRONG = frozenset({PASSES, DROPS, SWALLOWS, SILENT})  # for an ill-formed input

Texts = dict[bytes, bytes | None]


class Question(NamedTuple):
    """An input: the *word* of a *fact* in its *context*."""

    fact: str
    word: bytes
    context: str

    @property
    def around(self) -> tuple[bytes, bytes]:
        """The bytes before and after the word: after a cut end there are none."""
        before, after = CONTEXTS[self.context]
        return before, b"" if self.fact == CUT else after

    @property
    def data(self) -> bytes:
        """All bytes of the input."""
        before, after = self.around
        return before + self.word + after


class Cell(NamedTuple):
    """What a decoder does: *answer* is the worst one to the inputs of a fact, *word* the first that got it.

    *out* is what came out for *word*, None where that is unknown; *streamed* says that it came byte by byte.
    """

    answer: str
    word: bytes
    context: str
    out: bytes | None = None
    streamed: bool = False


@dataclass(frozen=True, slots=True)
class Grid:
    """The answers of a decoder of *version*, on *date*: for each fact a letter for each input, in a group by context.

    *whole* was asked in one piece, *stream* byte by byte; it is empty for a decoder without a stream. *out* has what
    came out, as hex, for each fault that was passed on.
    """

    version: str
    date: str
    whole: Mapping[str, str]
    stream: Mapping[str, str] = field(default_factory=dict)
    out: Mapping[str, str] = field(default_factory=dict)

    def cell(self, fact: str, *, stream: bool = False) -> Cell:
        """Return the cell of *fact*."""
        out = {bytes.fromhex(word): bytes.fromhex(text) for word, text in self.out.items()}
        groups = (self.stream if stream else self.whole).get(fact, "").split()
        cells = [
            Cell(ANSWERS[letter], word, context, out.get(word), stream)
            for context, group in zip(CONTEXTS, groups, strict=False)
            for word, letter in zip(INPUTS[fact], group, strict=True)
        ]
        order = list(LETTERS) if fact != CHARACTERS else [SILENT, REJECTS, DROPS, SWALLOWS, REPLACES, PASSES, NOT_ASKED]
        return min(cells, key=lambda cell: order.index(cell.answer), default=Cell(NOT_ASKED, b"", ""))

    def fault(self, fact: str) -> Cell | None:
        """Return the cell of *fact* if it shows a deviation, in one piece or else byte by byte."""
        wrong = {REJECTS, REPLACES, DROPS, SILENT} if fact == CHARACTERS else WRONG
        cells = (self.cell(fact), self.cell(fact, stream=True))
        return next((cell for cell in cells if cell.answer in wrong), None)

    def always(self, fact: str) -> bool:
        """Whether the decoder is wrong about every input of *fact* that was asked in one piece."""
        right = {LETTERS[answer] for answer in (REJECTS, REPLACES)}
        letters = set(self.whole.get(fact, "")) - {" ", LETTERS[NOT_ASKED]}
        return not letters & ({LETTERS[PASSES]} if fact == CHARACTERS else right)

    @property
    def wrong(self) -> tuple[str, ...]:
        """The facts for which an ill-formed input is neither rejected nor replaced, in one piece or byte by byte."""
        return tuple(filter(self.fault, FACTS))


def questions() -> Iterator[Question]:
    """Yield every question, in the order of the letters in a ``Grid``."""
    for fact, words in INPUTS.items():
        for context in CONTEXTS:
            yield from (Question(fact, word, context) for word in words)


def ask(target: Target, limits: Limits, date: str) -> Grid:
    """Return the grid of the decoder *target*; TargetError if it cannot be started."""
    inputs = list(dict.fromkeys(each.data for each in questions()))
    with closing(Session(target.start, limits)) as session:
        modes = session.hello.modes
        version = printable(session.hello.version or target.version)
        verdicts = dict(zip(inputs, session.verdicts(inputs), strict=False))
        texts: Texts = {}
        session.leave_mode()
        if "r" in modes:
            values = session.send(Window(b"".join(map(frame, inputs)), len(inputs)), "r").values
            texts = {data: text for data, value in zip(inputs, values, strict=False) if (text := _text(value)) != b"u"}
            session.leave_mode()
        streamed = _by_byte(session, inputs) if "s" in modes else {}
    return judged(verdicts, texts, streamed, version, date)


def judged(
    verdicts: Mapping[bytes, object], texts: Texts, streamed: Mapping[bytes, object], version: str = "", date: str = ""
) -> Grid:
    """Return the grid that follows from the answers to the inputs: *verdicts*, *texts* (None: refused), *streamed*."""
    # Some programs receive the quotation mark with a backslash; the backslash in the output is not a replacement.
    mark = mark_of([(data, text) for data, text in texts.items() if text is not None and b'"' not in data]) or FFFD
    whole = [(each, _whole(each, verdicts, texts, mark)) for each in questions()]
    pieces = [(each, _of_verdict(each, streamed)) for each in questions()] if streamed else []
    out: dict[str, str] = {}
    for each, answer in whole:
        if answer in WRONG and each.fact != CHARACTERS and (text := _comparable(each, texts)) is not None:
            out.setdefault(hex_bytes(each.word), hex_bytes(_between(text, *each.around)))
    return Grid(version, date, _lettered(whole), _lettered(pieces), out)


def _text(value: object) -> bytes | None:
    """Return the text of an answer in mode r, None where it was refused, b"u" where there is none."""
    if isinstance(value, Failure) or is_unsupported(value) or value == b"x":
        return UNSUPPORTED
    return value.encode("utf-8", "surrogateescape") if isinstance(value, str) else None


def _by_byte(session: Session, inputs: Sequence[bytes]) -> dict[bytes, object]:
    """Return the verdict on each of *inputs* at the end of a stream to which its bytes come one by one."""
    frames = b"".join(frame(data, (1,) * len(data)) for data in inputs)
    values = session.send(Window(frames, len(inputs), tuple(map(len, inputs))), "s").values
    return {
        data: value if isinstance(value, Failure) else value[-1:]
        for data, value in zip(inputs, values, strict=False)
        if isinstance(value, bytes | Failure)
    }


def _of_verdict(each: Question, verdicts: Mapping[bytes, object]) -> str:
    """Return the answer to *each* as far as its verdict shows it."""
    verdict = verdicts.get(each.data)
    if each.fact != CHARACTERS and verdicts.get(_twin(each)) != ACCEPT:
        return NOT_ASKED
    if isinstance(verdict, Failure):
        return SILENT
    return {ACCEPT: PASSES, REJECT: REJECTS}.get(verdict, NOT_ASKED) if isinstance(verdict, bytes) else NOT_ASKED


def _whole(each: Question, verdicts: Mapping[bytes, object], texts: Texts, mark: bytes) -> str:
    """Return the worse of what the verdict on *each* and its text show."""
    answer = _of_verdict(each, verdicts)
    text = _comparable(each, texts)
    if text is None or answer in {NOT_ASKED, SILENT} or each.fact == CHARACTERS:
        return answer
    shown = _of_text(each, text, mark)
    return answer if answer == PASSES and shown not in WRONG else shown


def _of_text(each: Question, text: bytes, mark: bytes) -> str:
    """Return what the decoder did to make *text* of *each*."""
    if is_marked(each.data, text, mark) and text.count(mark) > each.data.count(mark):
        return REPLACES
    if text != each.data and _is_part(text.replace(mark, b""), each.data):
        return SWALLOWS if mark in text else DROPS
    return PASSES


def _comparable(each: Question, texts: Texts) -> bytes | None:
    """Return the text of *each*, None if it was refused or its twin does not come out unchanged."""
    return texts.get(each.data) if texts.get(_twin(each)) == _twin(each) else None


def _twin(each: Question) -> bytes:
    return each._replace(word=TWIN).data


def _between(text: bytes, before: bytes, after: bytes) -> bytes:
    """Return *text* without *before* and *after*, or all of it if it does not stand between them."""
    whole = len(text) >= len(before) + len(after) and text.startswith(before) and text.endswith(after)
    return text[len(before) : len(text) - len(after)] if whole else text


def _is_part(part: bytes, data: bytes) -> bool:
    """Whether *part* is what is left of *data* without some of its bytes."""
    rest = iter(data)
    return all(byte in rest for byte in part)


def _lettered(answers: Sequence[tuple[Question, str]]) -> dict[str, str]:
    groups: dict[str, dict[str, str]] = {}
    for each, answer in answers:
        of_fact = groups.setdefault(each.fact, {})
        of_fact[each.context] = of_fact.get(each.context, "") + LETTERS[answer]
    return {fact: " ".join(of_fact.values()) for fact, of_fact in groups.items()}
