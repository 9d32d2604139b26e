"""Explains wrong verdicts: a decoder and its verdicts go in, and lines with what it judges wrongly come out.

Learn, subtract, name. The verdicts are part of the equivalence oracle (``refuting``) with which the ``learner`` learns
the decoder. If a ``border`` is found, the decoder is learned again beyond it. ``naming`` makes lines of the model. For
what no model explains, or only after more questions than are allowed, there is a line for each kind of fault, with the
shortest input that was found, and the nearest one that is judged rightly.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from utf8_abnf.conformance.learning.border import BEFORE, Border
from utf8_abnf.conformance.learning.learner import Learner
from utf8_abnf.conformance.learning.periods import cut_at, periodic
from utf8_abnf.conformance.learning.refuting import Comparison, faults_after, few_refuting, of_dialects, refuting, suite
from utf8_abnf.conformance.learning.shrink import shrunk
from utf8_abnf.conformance.learning.teacher import (
    NotLearnableError,
    OutOfQuestionsError,
    Teacher,
    TooLongError,
)
from utf8_abnf.conformance.naming import EXTRA, MISSING, Line, Place
from utf8_abnf.conformance.naming.naming import core_of, in_some_contexts, shortest_input
from utf8_abnf.conformance.naming.patterns import Pattern
from utf8_abnf.conformance.naming.reading import reading
from utf8_abnf.conformance.naming.whole import lines_of_model
from utf8_abnf.conformance.suite.oracle import accepts
from utf8_abnf.conformance.suite.plan import plan

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from utf8_abnf.automaton import Automaton
    from utf8_abnf.conformance.learning.periods import Period
    from utf8_abnf.conformance.learning.teacher import Ask
    from utf8_abnf.conformance.suite.blocks import Block

    Seen = Sequence[tuple[bytes, bool]]  # words, and whether each is accepted

QUESTIONS, FEW_QUESTIONS = 400_000, 5_000  # that are asked at most; FEW where each costs a process
MAX_PADDED = 1 << 26  # bytes of the usual questions with a border before them; if they are more, few are asked
USUAL = 40_000  # questions to learn a decoder
MAX_KINDS = 12  # lines in some contexts
MAX_SIZES, MAX_SIZE = 4, 64  # different sizes of inputs that are named, in bytes
MIN_OF_SIZES = 4  # inputs of these sizes, at least
MAX_BLOCK = 64  # bytes, if a decoder reads whole blocks alone
FEW_REST, MANY_REST = 50, 400  # inputs that must be judged rightly in whole blocks
KEPT = 10  # of so many questions one is kept for what no model explains


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
        wrong = [each for each in seen if accepts(self.standard, each[0]) is not each[1]]
        try:
            rest = self._rest(wrong)
        except OutOfQuestionsError as error:
            rest, self.ended = "", str(error)
        model = None if rest else self._learned(self.teacher, seen, expensive=self.expensive)
        if model:
            lines = lines_of_model(model, self.standard, [word for word, _ in seen])
        beyond = None
        if model and self.border:
            beyond = self._beyond(self.border, seen)
            if beyond:
                lines = self._on_both_sides(self.border, lines, lines_of_model(beyond, self.standard))
        self.teacher.most += self.kept
        lines += [each.line for each in self.periods]
        left = [each for each in wrong if not self._explains(model, beyond, *each)]
        named = tuple(lines)
        lines += self._in_some_contexts(left, rest)
        if model and not beyond:
            lines += self._left_out(named, wrong)
        lines.sort(key=lambda line: line.kind != EXTRA)
        return Explanation(tuple(lines), self.teacher.questions, self.ended)

    def _learned(self, teacher: Teacher, seen: Seen, *, expensive: bool) -> Automaton | None:
        """Return a model that explains *seen*, but for what shows a border, and what no model explains."""

        def words(model: Automaton) -> Iterator[Block]:
            if self.is_utf8 and not expensive:
                yield from of_dialects(self.standard)
                yield from faults_after(model)
            yield from few_refuting(model) if expensive else refuting(model, learner.shown)

        def on_border(border: Border, word: bytes) -> None:
            accepted = not learner.model.accepts(word)
            if border.period:
                self.periods.append(periodic(border, word, self._wrong(teacher), accepted=accepted))
            elif self.border or teacher is not self.teacher:
                raise TooLongError(word, accepted=accepted)
            else:
                self.border = border

        try:
            learner = Learner(teacher, self.standard, expensive=expensive or not self.is_utf8)
            blocks = self.blocks if not self.is_utf8 else () if expensive else suite()
            compare = Comparison(teacher, blocks, words, seen)
            learner.learn(compare, on_border if self.is_utf8 else None, lets_pass=True)
        except (OutOfQuestionsError, NotLearnableError) as error:
            self.ended = self.ended or str(error)
            return None
        return learner.model

    def _beyond(self, border: Border, seen: Seen) -> Automaton | None:
        """Return the model of what the decoder does beyond *border*."""
        before, after = (b"", border.pad) if border.axis == "after" else (border.pad, b"")
        left = self.teacher.most - self.teacher.questions
        teacher = Teacher(self.ask, self.standard, most=left, before=before, after=after)
        rest = [(part, accepted) for word, accepted in seen if (part := border.split(word)) is not None]
        return self._learned(teacher, rest, expensive=self.expensive or border.number * USUAL > MAX_PADDED)

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
        if self._is_periodic(word, accepted):
            return True
        rest = self.border.split(word) if self.border and beyond else None
        if beyond is not None and rest is not None:
            return accepts(beyond, rest) is accepted
        return model is not None and accepts(model, word) is accepted

    def _is_periodic(self, word: bytes, accepted: bool) -> bool:
        return any((each.line.kind == EXTRA) is accepted and each.explains(word) for each in self.periods)

    def _left_out(self, lines: Sequence[Line], wrong: Seen) -> Iterator[Line]:
        """Yield a line in some contexts for each kind of fault in *wrong* that *lines* neither say nor show.

        A model that is not named whole has one line for the rest of each direction.
        """
        some = [each for each in lines if not each.place.contexts]
        if not some or not self.is_utf8:
            return
        said = reading(self.standard, [fact for line in lines for fact in line.facts])
        kinds = {(each.kind, self._kind(each.example, each.kind == EXTRA)) for each in some}
        left = [
            (word, accepted)
            for word, accepted in wrong
            if accepts(said, word) is not accepted
            and (EXTRA if accepted else MISSING, self._kind(word, accepted)) not in kinds
            and not self._is_periodic(word, accepted)
        ]
        for line in self._in_some_contexts(left, ""):
            kind = line.kind, self._kind(line.example, line.kind == EXTRA)
            if kind not in kinds:
                kinds.add(kind)
                yield line

    def _in_some_contexts(self, wrong: Seen, sizes: str) -> Iterable[Line]:
        """Yield a line for each kind of fault in *wrong*, with an input that is made shorter.

        If it is the size of the input that matters, as *sizes* says or what is asked here, there is one line for each
        direction. Of another grammar than UTF-8 each input is of a kind of its own.
        """
        sizes = sizes or self._sizes(wrong)
        kinds: dict[object, tuple[bytes, bool]] = {}
        for word, accepted in wrong:
            kinds.setdefault((accepted, "" if sizes else self._kind(word, accepted)), (word, accepted))
        shortest: dict[bytes, tuple[bytes | None, bool]] = {}  # with one like it, and whether it is accepted
        for word, accepted in list(kinds.values())[:MAX_KINDS]:
            small, other = self._shortest(word, accepted)
            shortest.setdefault(small, (other, accepted))
        for small, (other, accepted) in shortest.items():
            if self.is_utf8:
                core = core_of(small, self.standard, accepted=accepted)
                line = in_some_contexts(small, other, core, accepted=accepted)
                yield _at(line, sizes, small) if sizes else line
            else:
                line = in_some_contexts(small, other, small, accepted=accepted)
                yield replace(line, words=Pattern.of(small).text)

    def _sizes(self, wrong: Seen) -> str:
        """Return in words that only inputs of the sizes of *wrong* are judged wrongly, "" if others are as well.

        All of *wrong* that are short are asked with a letter more, and with several, on either side.
        """
        sizes = sorted({len(word) for word, _ in wrong})
        if not self.is_utf8 or len(wrong) < MIN_OF_SIZES or len(sizes) > MAX_SIZES or sizes[-1] > MAX_SIZE:
            return ""
        pads = [b"a" * number for number in range(1, MAX_SIZES + 1)]
        others = [word for pad in pads for each, _ in wrong for word in (pad + each, each + pad)]
        try:
            are_wrong = self._wrong(self.teacher)([word for word in others if len(word) not in sizes])
        except OutOfQuestionsError as error:
            self.ended = self.ended or str(error)
            return ""
        return "" if any(are_wrong) else f"only in input of {' or '.join(map(str, sizes))} bytes"

    def _rest(self, wrong: Seen) -> str:
        """Return in words that a decoder reads whole blocks alone, "" if it does not.

        The shortest of *wrong* is asked behind more and more letters: it is judged rightly in whole blocks. So must all
        of *wrong* be; characters that are cut between what is read and what is not are a period.
        """
        if not self.is_utf8 or not wrong:
            return ""
        are_wrong, word = self._wrong(self.teacher), wrong[0][0]
        tried = [b"a" * number + word for number in range(2 * MAX_BLOCK + 1)]
        sizes = [len(each) for each, is_wrong in zip(tried, are_wrong(tried), strict=True) if not is_wrong]
        block = min(sizes, default=0)
        if not 2 < block <= MAX_BLOCK or sizes != [len(each) for each in tried if len(each) % block == 0]:
            return ""
        some = [(each, b"a" * (-len(each) % block)) for each, _ in wrong[: FEW_REST if self.expensive else MANY_REST]]
        if any(are_wrong([other for each, pad in some for other in (pad + each, each + pad)])):
            return ""
        missing = next((each for each, accepted in wrong if not accepted), None)
        if missing and (cut := cut_at(Border(missing, BEFORE, 0, period=block), missing, are_wrong)):
            self.periods.append(cut)
        return f"only in input of no multiple of {block} bytes"

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
