"""The engine: inputs that a decoder judges wrongly in, and out what it accepts, in a few lines. Learn, subtract, name.

An input that the model does not explain yet is made shorter (``shrink``). If it is short, it is a counterexample for
the ``learner``; if it is long, it may show a ``border``, and the decoder is learned again beyond it. When the model
explains every input, ``refuting`` has the words that could show that it is wrong, and ``naming`` makes lines of it.
What no model explains, or only after more questions than are allowed, is said to be so: a line for each kind of fault,
with the shortest input that was found, and the nearest one that is judged rightly.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from utf8_abnf.conformance.learning.learner import Learner
from utf8_abnf.conformance.learning.periods import periodic
from utf8_abnf.conformance.learning.refuting import faults_after, few_refuting, refuting, suite
from utf8_abnf.conformance.learning.shrink import shrunk
from utf8_abnf.conformance.learning.teacher import (
    Asked,
    NotLearnableError,
    OutOfQuestionsError,
    Teacher,
    TooLongError,
    UnsteadyError,
    disagreeing,
    too_long,
)
from utf8_abnf.conformance.naming import EXTRA, Line, Place
from utf8_abnf.conformance.naming.naming import core_of, in_some_contexts, shortest_input
from utf8_abnf.conformance.naming.patterns import Pattern
from utf8_abnf.conformance.naming.whole import lines_of_model
from utf8_abnf.conformance.suite.oracle import accepts
from utf8_abnf.conformance.suite.plan import plan

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from utf8_abnf.automaton import Automaton
    from utf8_abnf.conformance.learning.border import Border
    from utf8_abnf.conformance.learning.periods import Period
    from utf8_abnf.conformance.learning.teacher import Ask
    from utf8_abnf.conformance.suite.blocks import Block

    Seen = Sequence[tuple[bytes, bool]]  # words, and whether each is accepted

QUESTIONS, FEW_QUESTIONS = 400_000, 5_000  # that are asked at most; FEW where each costs a process
MAX_PADDED = 1 << 26  # bytes of the usual questions with a border before them; if they are more, few are asked
USUAL = 40_000  # questions to learn a decoder
MAX_PERIODS = 8
MAX_KINDS = 12  # lines in some contexts
MAX_SIZES, MAX_SIZE = 4, 64  # different sizes of inputs that are named, in bytes
MIN_OF_SIZES = 4  # inputs of these sizes, at least
KEPT = 10  # of so many questions one is kept for what no model explains
MAX_LENGTH = 1 << 40  # bytes


@dataclass(frozen=True)
class Explanation:
    """The *lines*. *ended* says why explaining ended early, "" if it did not."""

    lines: tuple[Line, ...]
    questions: int
    ended: str = ""


def explain(
    ask: Ask, standard: Automaton, seen: Seen, *, blocks: Sequence[Block] = (), expensive: bool = False
) -> Explanation:
    """Return what the decoder *ask* does wrongly, of which some verdicts were *seen*, wrong ones among them.

    *standard* accepts what the decoder should accept. *expensive* tells that each question costs a process.
    If *standard* is not UTF-8, of which L1 is asked, *blocks* are asked as well.
    """
    return _Engine(ask, standard, blocks, expensive).explained(sorted(seen, key=lambda each: (len(each[0]), each)))


class _Engine:
    def __init__(self, ask: Ask, standard: Automaton, blocks: Sequence[Block], expensive: bool) -> None:
        self.ask = ask
        self.standard = standard
        self.expensive = expensive
        most = FEW_QUESTIONS if expensive else QUESTIONS
        self.kept = most // KEPT
        self.teacher = Teacher(ask, standard, most=most - self.kept)
        self.is_utf8 = standard == plan().automaton
        self.blocks = blocks
        self.border: Border | None = None
        self.periods: list[Period] = []
        self.ended = ""

    def explained(self, seen: Seen) -> Explanation:
        """Return the lines for what is wrong in *seen*, what is wrongly accepted first."""
        lines: list[Line] = []
        model = self._learned(self.teacher, seen, expensive=self.expensive)
        if model:
            lines = self._named(model, seen)
        beyond = None
        if model and self.border:
            beyond = self._beyond(self.border, seen)
            if beyond:
                lines = self._on_both_sides(self.border, lines, self._named(beyond, ()))
        self.teacher.most += self.kept
        wrong = [each for each in seen if accepts(self.standard, each[0]) is not each[1]]
        lines += [each.line for each in self.periods]
        lines += self._in_some_contexts([each for each in wrong if not self._explains(model, beyond, *each)])
        lines.sort(key=lambda line: line.kind != EXTRA)
        return Explanation(tuple(lines), self.teacher.questions, self.ended)

    def _learned(self, teacher: Teacher, seen: Seen, *, expensive: bool) -> Automaton | None:
        """Return a model that explains *seen*, but for what shows a border, and what no model explains."""
        passed: set[bytes] = set()
        try:
            learner = Learner(teacher, self.standard, expensive=expensive or not self.is_utf8)
            blocks = self.blocks
            if self.is_utf8:
                blocks = () if expensive else suite()
            asked = Asked(teacher, blocks)
            while (word := self._unexplained(learner, asked, seen, passed, expensive=expensive)) is not None:
                try:
                    self._learn(learner, word)
                except (UnsteadyError, TooLongError):
                    passed.add(word)
        except (OutOfQuestionsError, NotLearnableError) as error:
            self.ended = self.ended or str(error)
            return None
        return learner.model

    def _unexplained(
        self, learner: Learner, asked: Asked, seen: Seen, passed: set[bytes], *, expensive: bool
    ) -> bytes | None:
        """Return a word on which the model is wrong, other than those that *passed*; None if there is none."""
        limit = learner.teacher.limit or MAX_LENGTH
        wrong = (word for word in disagreeing(learner.model, seen) if len(word) < limit and word not in passed)
        if (word := min(wrong, key=len, default=None)) is not None:
            return word
        if self.is_utf8 and not expensive:
            asked.add(faults_after(learner.model))
        if (word := asked.wrong(learner.model)) is not None and word not in passed:
            return word
        words = few_refuting(learner.model) if expensive else refuting(learner.model, learner.shown)
        word = learner.teacher.wrong(words, learner.model)
        return None if word in passed else word

    def _learn(self, learner: Learner, word: bytes) -> None:
        """Let the model, or a border, explain *word*."""
        small, border = learner.learn_from(word, looks_at_lengths=self.is_utf8)
        if border is None:
            return
        accepted = not learner.model.accepts(small)
        if border.period and len(self.periods) < MAX_PERIODS:
            self.periods.append(periodic(border, small, self._wrong(learner.teacher), accepted=accepted))
        elif self.border or learner.teacher is not self.teacher:
            raise too_long(small, accepted=accepted)
        else:
            self.border = border
        learner.teacher.limit = min(learner.teacher.limit or len(small), len(small))

    def _beyond(self, border: Border, seen: Seen) -> Automaton | None:
        """Return the model of what the decoder does beyond *border*."""
        before, after = (b"", border.pad) if border.axis == "after" else (border.pad, b"")
        left = self.teacher.most - self.teacher.questions
        teacher = Teacher(self.ask, self.standard, most=left, before=before, after=after)
        rest = [(part, accepted) for word, accepted in seen if (part := border.split(word)) is not None]
        return self._learned(teacher, rest, expensive=self.expensive or border.number * USUAL > MAX_PADDED)

    def _named(self, model: Automaton, seen: Seen) -> list[Line]:
        return lines_of_model(model, self.standard, [word for word, _ in seen])

    def _on_both_sides(self, border: Border, short: list[Line], long: list[Line]) -> list[Line]:
        """Return the lines of both sides of *border*: those of one side with where that is."""
        both = {str(each) for each in short} & {str(each) for each in long}
        lines = [each for each in short if str(each) in both]
        for phrase, side in ((border.phrase_before, short), (border.phrase, long)):
            for line in (each for each in side if str(each) not in both):
                example = shortest_input(line, self.standard)
                lines.append(_at(line, phrase, example if side is short else border.around(example)))
        return lines

    def _wrong(self, teacher: Teacher) -> Callable[[Sequence[bytes]], list[bool]]:
        """Return what tells for each of some words whether the decoder judges it wrongly."""

        def are_wrong(words: Sequence[bytes]) -> list[bool]:
            answers = zip(teacher.asked(words, self.standard), words, strict=True)
            return [answer is not accepts(self.standard, word) for answer, word in answers]

        return are_wrong

    def _explains(self, model: Automaton | None, beyond: Automaton | None, word: bytes, accepted: bool) -> bool:
        if any((each.line.kind == EXTRA) is accepted and each.explains(word) for each in self.periods):
            return True
        rest = self.border.split(word) if self.border and beyond else None
        if beyond is not None and rest is not None:
            return accepts(beyond, rest) is accepted
        return model is not None and accepts(model, word) is accepted

    def _in_some_contexts(self, wrong: Seen) -> Iterable[Line]:
        """Yield a line for each kind of fault in *wrong*, with an input that is made shorter.

        If it is the size of the input that matters, there is one line for each direction. Of another grammar than
        UTF-8 each input is of a kind of its own.
        """
        sizes = self._sizes(wrong)
        kinds: dict[object, tuple[bytes, bool]] = {}
        for word, accepted in wrong:
            kinds.setdefault((accepted, "" if sizes else self._kind(word, accepted)), (word, accepted))
        for small, (other, accepted) in self._smallest(list(kinds.values())[:MAX_KINDS]).items():
            if self.is_utf8:
                core = core_of(small, self.standard, accepted=accepted)
                line = in_some_contexts(small, other, core, accepted=accepted)
                yield _at(line, sizes, small) if sizes else line
            else:
                line = in_some_contexts(small, other, small, accepted=accepted)
                yield replace(line, words=Pattern.of(small).text)

    def _smallest(self, wrong: Seen) -> dict[bytes, tuple[bytes | None, bool]]:
        """Return for the shortest words that are judged as those of *wrong* what is like them, and whether accepted."""
        found: dict[bytes, tuple[bytes | None, bool]] = {}
        for word, accepted in wrong:
            small, other = self._shortest(word, accepted)
            found.setdefault(small, (other, accepted))
        return found

    def _sizes(self, wrong: Seen) -> str:
        """Return in words that only inputs of the sizes of *wrong* are judged wrongly, "" if others are as well.

        All of *wrong* that are short are asked with a letter more, and with several, on either side.
        """
        sizes = sorted({len(word) for word, _ in wrong})
        if not self.is_utf8 or len(wrong) < MIN_OF_SIZES or len(sizes) > MAX_SIZES or sizes[-1] > MAX_SIZE:
            return ""
        for number in range(1, MAX_SIZES + 1):
            pad = b"a" * number
            others = [word for each, _ in wrong for word in (pad + each, each + pad) if len(word) not in sizes]
            try:
                are_wrong = self._wrong(self.teacher)(others)
            except OutOfQuestionsError as error:
                self.ended = self.ended or str(error)
                return ""
            if any(are_wrong):
                return ""
        return f"only in input of {' or '.join(map(str, sizes))} bytes"

    def _kind(self, word: bytes, accepted: bool) -> object:
        if not self.is_utf8:
            return word
        error = plan().oracle.ill_formed(word) if accepted else None
        return error.code if error else ""

    def _shortest(self, word: bytes, accepted: bool) -> tuple[bytes, bytes | None]:
        """Return a word that is judged as wrongly as *word*, and one like it that is judged rightly, or None."""

        def shows(words: Sequence[bytes]) -> list[bool]:
            right = map(self.standard.accepts, words)
            answers = self.teacher.asked(words, self.standard)
            return [answer is accepted is not each for answer, each in zip(answers, right, strict=True)]

        try:
            small = shrunk(word, shows, few=self.expensive)
            near = [small[:at] + small[at + 1 :] for at in range(min(len(small), 32))]
            near = [small + b"a", b"a" + small, b"a" + small + b"a", *near, small * 2]
            near = [each for each in near if self.standard.accepts(each) is not accepted]
            return small, next((each for each, is_wrong in zip(near, shows(near), strict=True) if not is_wrong), None)
        except OutOfQuestionsError as error:
            self.ended = self.ended or str(error)
            return word, None


def _at(line: Line, phrase: str, example: bytes) -> Line:
    """Return *line* with one more condition."""
    whole = ", ".join(filter(None, (line.place.phrase, phrase)))
    return replace(line, place=Place(whole, ()), example=example)
