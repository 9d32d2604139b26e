"""Steadiness: what was answered wrongly is asked once more, to see whether the decoder gives two answers to one input.

A second answer never takes the first one away: the decoder is called unsteady. Where one input before another one is
what makes the difference, that pair is shown.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from itertools import chain, groupby, islice
from typing import TYPE_CHECKING, NamedTuple

from utf8_abnf.conformance.harness.driving.apart import CAN_COPY, told_apart
from utf8_abnf.conformance.harness.driving.protocol import ACCEPT, REJECT
from utf8_abnf.conformance.harness.driving.session import Session
from utf8_abnf.conformance.harness.driving.target import command_for, command_in_turn
from utf8_abnf.conformance.harness.driving.worker import Failure
from utf8_abnf.conformance.harness.phrases import hexed
from utf8_abnf.conformance.harness.report import UNSTEADY, Deviation
from utf8_abnf.conformance.harness.sending import window_of_inputs
from utf8_abnf.conformance.suite.plan import plan
from utf8_abnf.errors import TargetError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from utf8_abnf.conformance.harness.answers.judging import Witness
    from utf8_abnf.conformance.harness.driving.target import Target
    from utf8_abnf.conformance.harness.evidence import Evidence
    from utf8_abnf.conformance.harness.explaining import VerdictClass
    from utf8_abnf.conformance.suite import Case

MAX_EXAMPLES = 400  # that are asked again
MAX_EXPENSIVE_EXAMPLES = 20  # where each question needs a process
AGAIN, FRESH = "when asked again", "in a fresh process"
ALWAYS = "no test can say what such a decoder accepts: ask it for the same input many times"
STATE = "what one input leaves behind decides about the next: an attacker who sends the first can choose the verdict"
MAX_AT_ONCE = 32  # examples: a round trip takes as long as many of them
TIMES = 3  # that each of them is asked in the same process, or where each question has one of its own
NEUTRAL = b"a"  # is asked between two inputs that have nothing to do with each other
MAX_PAIRED = 20  # inputs with two answers for which one that comes before is looked for
# What may leave something behind, the shortest first: cut characters, other errors, a BOM, and long input.
BEFORE = (
    *map(bytes.fromhex, ("", "C3", "80", "FF", "41", "E2", "E282", "C0AF", "F09F98", "EDA080", "C3A9", "EFBBBF", "00")),
    *map(bytes.fromhex, ("F09F9880", "61FF", "61C3", "C3A9C3", "F4908080")),
    *(b"a" * size for size in (3, 16, 100, 5000)),
)
MAX_SHIFT = 4  # questions
GOOD, BAD = b"a", b"\xff"  # most decoders that are wrong are right about these
ORDER = "1001110100010111010010110001"  # no part of it is like another one that comes a few questions later


class Example(NamedTuple):
    """An input to which the decoder gave a wrong *answer* in *mode*; "" stands for its verdict, in whatever mode."""

    mode: str
    data: bytes
    chunks: tuple[int, ...]
    answer: object
    case: str

    def others(self, answers: Iterable[object]) -> list[object]:
        """Return those of *answers* that are not the first one."""
        return [answer for answer in answers if answer != self.answer]

    @property
    def inputs(self) -> list[tuple[bytes, tuple[int, ...]]]:
        """The input, a letter, and the input once more, each with the sizes of its pieces."""
        return [(self.data, self.chunks), (NEUTRAL, (1,)), (self.data, self.chunks)]


class Pair(NamedTuple):
    """Two inputs: *data* is answered with *answer* whenever *before* was asked before it, and not behind a letter."""

    before: bytes
    data: bytes
    answer: object
    case: str


Asked = tuple[Example, Sequence[object]]  # an example, and the answers that it got now


class Steadiness:
    """Asks the decoder of *session* again, in the same process and in fresh ones."""

    def __init__(
        self, session: Session, target: Target, level: str, witnesses: Sequence[Witness] = (), *, is_utf8: bool
    ) -> None:
        self._target = target
        self._level = level
        self._is_utf8 = is_utf8
        self._is_expensive = target.kind == "exec"  # then each question has a process of its own
        self._session = session
        self._witnesses = sorted(witnesses, key=lambda each: len(each.case.data))
        self._tried: set[tuple[bytes, bytes]] = set()  # inputs for which one that comes before was looked for
        self._answers: dict[Example, dict[str, list[object]]] = {}  # where it was asked again, and what came
        self.shift = 0  # by how many questions each answer comes too late
        self.pair: Pair | None = None

    def ask_again(self, examples: Iterable[Example], *, fresh: int = 1) -> None:
        """Ask for as many of *examples* as the budget allows, the first ones first, and in *fresh* new processes."""
        limit = MAX_EXPENSIVE_EXAMPLES if self._is_expensive else MAX_EXAMPLES
        new = list(islice({each[:3]: each for each in examples}.values(), limit))
        self._keep(FRESH if self._is_expensive else AGAIN, _asked(self._session, new * TIMES))
        if self._is_expensive:
            return
        if self._unsteady and not self.shift:
            self.shift = shift_of(self._session)
        for _ in range(fresh if new else 0):
            self._keep(FRESH, self._asked_in_a_fresh_process(new))
        self._find_pair()

    def ask_the_right(self, cases: Iterable[Case]) -> None:
        """Ask for *cases*, all judged rightly before, in a fresh process; not where each question has one anyway.

        What is ill-formed and what is well-formed takes turns, which they do not in the suite.
        """
        right = [Example("", case.data, (), ACCEPT if case.accept else REJECT, case.id) for case in cases]
        sides = [[each for each in right if each.answer == side] for side in (REJECT, ACCEPT)]
        if not self._is_expensive:
            self._keep(FRESH, self._asked_in_a_fresh_process([*chain(*zip(*sides, strict=False))], in_turn=True))
            self._find_pair()

    def _find_pair(self) -> None:
        if not (self.shift or self.pair):
            seen = [(each.data, each.case, b"") for each in self._unsteady if not each.mode][:MAX_PAIRED]
            seen += [(each.case.data, each.case.id, each.before) for each in self._witnesses[:MAX_PAIRED]]
            pairs = [pair for data, case, before in seen for pair in self._pairs(data, case, before)]
            pairs.sort(key=lambda pair: (not self._is_wrong(pair), len(pair.before) + len(pair.data)))
            self.pair = pairs[0] if pairs else None

    def _is_wrong(self, pair: Pair) -> bool:
        return self._is_utf8 and (pair.answer == ACCEPT) is not plan().oracle.accepts(pair.data)

    def _pairs(self, example: bytes, case: str, asked_before: bytes) -> Iterator[Pair]:
        """Yield the first of ``BEFORE`` behind which *example*, or a tail, always has one verdict, and else another.

        What was *asked_before* it is tried last. Nothing is yielded for what was tried already.
        """
        for data in (example, b"\x80"):
            earlier = () if (data, asked_before) in self._tried else dict.fromkeys((*BEFORE, asked_before))
            self._tried.add((data, asked_before))
            for before in earlier:
                words = [before, data, NEUTRAL, NEUTRAL, data, NEUTRAL] * TIMES
                answers = self._session.verdicts(words)
                behind, apart = set(answers[1::6]), set(answers[4::6])
                if len(answers) == len(words) and len(behind) == len(apart) == 1 and behind != apart:
                    yield Pair(before, data, answers[1], case)
                    break

    def _keep(self, where: str, asked: Iterable[Asked]) -> None:
        for example, answers in asked:
            self._answers.setdefault(example, {}).setdefault(where, []).extend(answers)

    @property
    def _unsteady(self) -> list[Example]:
        """The examples that got another answer than at first, the shortest first."""
        several = [each for each, told in self._answers.items() if any(map(each.others, told.values()))]
        return sorted(several, key=lambda each: len(each.data))

    def _asked_in_a_fresh_process(self, examples: Sequence[Example], *, in_turn: bool = False) -> list[Asked]:
        if self._target.kind == "object":  # it is called in this process, and so in a copy of it
            numbers, old = {example: number for number, example in enumerate(examples)}, self._session

            def work() -> Iterator[tuple[int, list[object]]]:
                for example, answers in _asked(old, examples, in_turn=in_turn):
                    yield numbers[example], list(answers)

            told = told_apart(work, old.limits.silence) if CAN_COPY else []
            return [(examples[number], answers) for number, answers in told]
        try:
            session = Session(self._target.start, self._session.limits)
        except TargetError:  # it cannot be started once more
            return []
        with closing(session):
            return list(_asked(session, examples, in_turn=in_turn))

    def _line(self, data: bytes) -> str:
        error = plan().oracle.ill_formed(data) if self._is_utf8 else None
        return error.code if error else "well-formed text" if self._is_utf8 else "input"

    @property
    def deviations(self) -> list[Deviation]:
        """The inputs that got another answer than at first, as one deviation: all may have one cause."""
        several = self._unsteady
        command = ""
        if self.pair:
            line, data, case, security = "state survives an input", self.pair.data, self.pair.case, STATE
            said, other = ("accepted", "rejected") if self.pair.answer == ACCEPT else ("rejected", "accepted")
            why = f"asked behind {hexed(self.pair.before)}, {hexed(data)} is {said}; behind 61 it is {other}"
            command = command_in_turn(self._target, self.pair.before, data)
        elif several:
            example, *_ = several
            line, data, case, security = self._line(example.data), example.data, example.case, ALWAYS
            why = _told(example, self._answers[example])
            if self.shift:
                why = f"asked again in another order, {phrase_of(self.shift)}"
                security = "a verdict is given about other data than those asked about"
        else:
            return []
        deviation = Deviation(
            kind=UNSTEADY,
            line=line,
            example=data,
            count=len(self.inputs) + (len(self._witnesses) if self.pair else 0),
            rule="",
            section="",
            case=case,
            reproduce=command or command_for(self._target, data, case, self._level),
            why=why,
            security=security,
        )
        return [deviation]

    @property
    def is_hopeless(self) -> bool:
        """Whether answers are about other questions as well, so that nothing can be learned from more of them."""
        return bool(self.shift or self.pair)

    @property
    def inputs(self) -> set[bytes]:
        """The inputs that got two answers."""
        return {example.data for example in self._unsteady}


def _asked(session: Session, examples: Sequence[Example], *, in_turn: bool = False) -> Iterator[Asked]:
    """Yield *examples*, each with the answers of *session* to it, and to it once more after a letter.

    *in_turn*: each is asked once, directly behind the one before.
    """
    step = 1 if in_turn else 3
    for mode, several in groupby(examples, lambda example: example.mode):
        while some := list(islice(several, MAX_AT_ONCE)):
            inputs = [each for example in some for each in example.inputs[:step]]
            if mode:
                answers: Sequence[object] = session.send(window_of_inputs(inputs, mode), mode).values
            else:
                answers = session.verdicts([data for data, _ in inputs])
            for number, example in enumerate(some):
                if mine := answers[step * number : step * number + step : 2]:
                    yield example, mine


def examples_of(evidence: Evidence) -> Iterator[Example]:
    """Yield the shortest inputs that were answered wrongly, one for each kind of wrong answer that was kept."""
    for answers in evidence.wrong_answers.values():
        wrong = answers.shortest
        yield Example(wrong.mode, wrong.data, wrong.chunks, wrong.answer, wrong.case().id)
    for accepted, data, case in evidence.wrong_verdicts.shortest():
        yield Example("", data, (), ACCEPT if accepted else REJECT, case)


def examples_of_classes(classes: Iterable[VerdictClass]) -> Iterator[Example]:
    """Yield the example of each of *classes*: it need not be an input that was sent in a case."""
    for each in classes:
        yield Example("", each.example, (), ACCEPT if each.accepted else REJECT, each.case)


def _shown(answer: object) -> str:
    if isinstance(answer, Failure):
        return f"it {answer.detail}"
    return "accepted" if answer == ACCEPT else "rejected" if answer == REJECT else ascii(answer)


def _told(example: Example, answers: dict[str, list[object]]) -> str:
    """Return in words how often *example* got another answer than at first."""
    others = {where: example.others(several) for where, several in answers.items()}
    first = next(filter(None, others.values()))[0]
    times = [f"{len(others[where])} of {len(several)} times {where}" for where, several in answers.items() if several]
    return f"the first answer was {_shown(example.answer)}; another, {_shown(first)}, came {' and '.join(times)}"


def shift_of(session: Session) -> int:
    """Return by how many questions every answer comes too late, 0 if they do not: *session* is asked a few."""
    words = [GOOD if each == "1" else BAD for each in ORDER]
    right = [ACCEPT if each == "1" else REJECT for each in ORDER]
    answers = session.verdicts(words)
    shifts = range(MAX_SHIFT + 1)
    return next((shift for shift in shifts if answers[shift:] == right[: len(right) - shift]), 0)


def phrase_of(shift: int) -> str:
    """Return in words that each answer comes *shift* questions too late."""
    return "each answer belongs to the question" + (f" asked {shift} before it" if shift > 1 else " before")
