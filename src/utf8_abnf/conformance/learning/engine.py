"""Explains wrong verdicts: a decoder and its verdicts go in, and lines with what it judges wrongly come out.

Learn, subtract, name. The verdicts are part of the equivalence oracle (``refuting``) with which the ``learner`` learns
the decoder. If a ``border`` is found, the decoder is learned again beyond it; if it has a period, each kind of fault is
asked near it. ``naming`` makes lines of what is found. For what these do not explain, or if too many questions would be
needed, there is a line for each kind of fault, with the shortest input, and the nearest one that is judged rightly.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from itertools import compress
from typing import TYPE_CHECKING

from utf8_abnf.conformance.learning.border import BEFORE, MANY_PERIODS, Border, period_of, usual
from utf8_abnf.conformance.learning.learner import Learner
from utf8_abnf.conformance.learning.refuting import Comparison, refuting, small_families
from utf8_abnf.conformance.learning.shrink import shrunk
from utf8_abnf.conformance.learning.teacher import NotLearnableError, OutOfQuestionsError, Teacher
from utf8_abnf.conformance.naming import EXTRA, Line, Place
from utf8_abnf.conformance.naming.naming import in_some_contexts, shortest_input
from utf8_abnf.conformance.naming.periodic import ANY_FAULT, lines_of_kinds
from utf8_abnf.conformance.naming.reading import reading
from utf8_abnf.conformance.naming.whole import lines_of_model
from utf8_abnf.conformance.suite.families import few_faults
from utf8_abnf.conformance.suite.oracle import accepts
from utf8_abnf.conformance.suite.plan import plan
from utf8_abnf.conformance.suite.words import lowest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from utf8_abnf.automaton import Automaton
    from utf8_abnf.conformance.learning.refuting import Seen
    from utf8_abnf.conformance.learning.teacher import Ask
    from utf8_abnf.conformance.suite.blocks import Block

QUESTIONS, FEW_QUESTIONS = 400_000, 10_000  # that are asked at most; FEW where each costs a process
MAX_PADDED = 1 << 26  # bytes with a border before them, asked at once; if all questions have more, few are asked
USUAL = 40_000  # questions to learn a decoder
MAX_KINDS = 12  # lines in some contexts
MAX_SIZES, MAX_SIZE = 4, 64  # different sizes of inputs that are named, in bytes
MIN_OF_SIZES = 4  # inputs of these sizes that are judged wrongly, at least
MAX_BLOCK = 64  # bytes, if a decoder reads whole blocks alone
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
        self.most = FEW_QUESTIONS if expensive else QUESTIONS
        self.teacher = Teacher(ask, standard, most=self.most - self.most // KEPT)
        self.is_utf8 = standard == plan().automaton
        self.blocks = blocks
        self.border: Border | None = None
        self.said = standard  # what the lines say of words that are not beyond the border
        self.beyond: Automaton | None = None
        self.periods: list[Line] = []
        self.ended = ""

    def explained(self, seen: Seen) -> Explanation:
        """Return the lines for what is wrong in *seen*, what is wrongly accepted first."""
        wrong = [(word, accepted) for word, accepted in seen if accepts(self.standard, word) is not accepted]
        is_rest = self._shows_rest(wrong)
        model, borders = (None, {}) if is_rest else self._learned(self.teacher, seen, expensive=self.expensive)
        self.said = model or self.standard
        self.teacher.most = self.most
        if self.is_utf8:
            self.border = next((each for each in reversed(borders.values()) if each and not each.period), None)
            for (word, border), is_wrong in zip(borders.items(), self._are_wrong(list(borders)), strict=True):
                self._add_periods(border, word)
                wrong += [(word, not accepts(self.standard, word))] if is_wrong else []
        told: set[object] = set()
        lines = lines_of_model(model, self.standard, [word for word, _ in seen]) if model else []
        if model:
            self.said = self._described(model, lines, told)
            self.beyond = self._beyond(self.border, seen) if self.border else None
            if self.border and self.beyond:
                long = lines_of_model(self.beyond, self.standard)
                self.beyond = self._described(self.beyond, long, told)
                lines = self._on_both_sides(self.border, lines, long)
        lines += self._in_some_contexts([each for each in wrong if not self._explains(*each)], told)
        lines += self.periods
        lines.sort(key=lambda line: line.kind != EXTRA)
        return Explanation(tuple(lines), self.teacher.questions, self.ended)

    def _learned(
        self, teacher: Teacher, seen: Seen, *, expensive: bool
    ) -> tuple[Automaton | None, dict[bytes, Border | None]]:
        """Return a model, and the words that it does not explain, each with the border that it shows, or None."""
        borders: dict[bytes, Border | None] = {}
        try:
            learner = Learner(teacher, self.standard, expensive=expensive or not self.is_utf8)
            borders = learner.borders
            small = (block for each in small_families("L1") for block in each.blocks())
            blocks = self.blocks if not self.is_utf8 else () if expensive else small
            words = partial(refuting, standard=self.standard, shown=learner.shown, few=expensive)
            learner.learn(Comparison(teacher, blocks, words, seen), lets_pass=True)
        except (OutOfQuestionsError, NotLearnableError) as error:
            self.ended = self.ended or str(error)
            return None, borders
        return learner.model, borders

    def _beyond(self, border: Border, seen: Seen) -> Automaton | None:
        """Return the model of what the decoder does beyond *border*."""
        step = 1 + MAX_PADDED // border.number

        def padded(words: Sequence[bytes]) -> list[bool]:
            parts = (words[at : at + step] for at in range(0, len(words), step))
            return [answer for part in parts for answer in self.ask([border.around(word) for word in part])]

        teacher = Teacher(padded, self.standard, most=self.teacher.most - self.teacher.questions)
        parts = [(*each, accepted) for word, accepted in seen if (each := border.split(word))]
        rest = [(part, accepted) for part, *text, accepted in parts if all(accepts(self.said, each) for each in text)]
        return self._learned(teacher, rest, expensive=self.expensive or border.number * USUAL > MAX_PADDED)[0]

    def _described(self, model: Automaton, lines: Sequence[Line], told: set[object]) -> Automaton:
        """Return the automaton that *lines* of *model* describe; the kinds of those in some contexts become *told*."""
        kinds = {self._kind(each.example) for each in lines if self.is_utf8 and not each.place.contexts}
        told |= kinds
        return reading(self.standard, [fact for line in lines for fact in line.facts]) if kinds else model

    def _on_both_sides(self, border: Border, short: list[Line], long: list[Line]) -> list[Line]:
        """Return the lines of both sides of *border*: those of one side with where that is."""
        both = {str(each) for each in short} & {str(each) for each in long}
        lines = [each for each in short if str(each) in both]
        for phrase, side in ((border.phrase_before, short), (border.phrase, long)):
            for line in (each for each in side if str(each) not in both):
                example = shortest_input(line, self.standard)
                lines.append(_at(line, phrase, example if side is short else border.around(example)))
        return lines

    def _add_periods(self, border: Border | None, word: bytes) -> bool:
        """Add lines for *word*, which shows a *border* with a period, if none explains it; return whether one does."""
        if not border or not border.period or self._explains(word, not accepts(self.standard, word)):
            return False
        known = set(map(str, self.periods))
        found = lines_of_kinds(border.period, list(usual(border, self._are_wrong)))
        self.periods += [each for each in found if str(each) not in known]
        return self._explains(word, not accepts(self.standard, word))

    def _are_wrong(self, words: Sequence[bytes]) -> list[bool]:
        """Return for each of *words* whether the decoder judges it wrongly; for none once the questions are over."""
        try:
            return self.teacher.refuted(words, self.standard)
        except OutOfQuestionsError as error:
            self.ended = self.ended or str(error)
            return [False] * len(words)

    def _explains(self, word: bytes, accepted: bool) -> bool:
        """Whether it follows from what is said by now that *word* is *accepted*, or rejected."""
        if any(each.explains and each.explains(word) for each in self.periods):
            return True
        if self.border and self.beyond and (parts := self.border.split(word)):
            return (accepts(self.said, parts[2]) and accepts(self.beyond, parts[0])) is accepted
        return accepts(self.said, word) is accepted

    def _in_some_contexts(self, wrong: Seen, told: set[object]) -> Iterator[Line]:
        """Yield a line for each kind of fault in *wrong* that is not *told* yet, with an input that is made shorter.

        It has the same kind then; where some are told, what is shorter may have another kind, but none that is told.
        If it is the size of the input that matters, there is one line for each direction. Of another grammar than UTF-8
        each input is of a kind of its own.
        """
        sizes = self._sizes(wrong)
        kind_of = self._kind if self.is_utf8 and not told else self.standard.accepts
        tries = MAX_KINDS
        for word, accepted in wrong:
            kind = accepted if sizes else self._kind(word)
            if not tries or kind in told or self._explains(word, accepted):
                continue
            tries -= 1
            small, other = self._shortest(word, kind_of)
            border = period_of(small, self._are_wrong) if self.is_utf8 and not sizes else None
            if border and not border.step:  # it may come again after an odd number of bytes
                border = None if self.expensive else period_of(small, self._are_wrong, MANY_PERIODS)
            if self._add_periods(border, small):
                continue  # others of its kind may be left
            of_small = kind if sizes else self._kind(small)
            if of_small not in told and not self._explains(small, not self.standard.accepts(small)):
                line = _at(in_some_contexts(small, other, self.standard), sizes, small)
                yield replace(line, words=ANY_FAULT) if sizes and line.kind == EXTRA else line
            told |= {kind, of_small}

    def _kind(self, word: bytes) -> object:
        """Return the code of the first fault of *word*, None if it has none; of another grammar *word* itself."""
        if not self.is_utf8:
            return word
        error = plan().oracle.ill_formed(word)
        return error and error.code

    def _sizes(self, wrong: Seen) -> str:
        """Return in words that only inputs of the sizes of *wrong* are judged wrongly, "" if others are as well.

        All of *wrong*, and usual words of these sizes, are asked with a letter more, and with several, on either side.
        """
        sizes = sorted({len(word) for word, _ in wrong})
        if not self.is_utf8 or not wrong or len(sizes) > MAX_SIZES or sizes[-1] > MAX_SIZE:
            return ""
        usual = (*few_faults(plan()), *map(lowest, plan().tracks))
        same = [each.rjust(size, b"a") for each in usual for size in sizes if len(each) <= size]
        words = [*(word for word, _ in wrong), *compress(same, self._are_wrong(same))]
        pads = [b"a" * number for number in range(1, MAX_SIZES + 1)]
        longer = (other for pad in pads for word in words for other in (pad + word, word + pad))
        others = [other for other in longer if len(other) not in sizes]
        expected = [True] * len(words) + [False] * len(others)
        if len(words) < MIN_OF_SIZES or self._are_wrong([*words, *others]) != expected:
            return ""
        return f"only in input of {' or '.join(map(str, sizes))} bytes"

    def _shows_rest(self, wrong: Seen) -> bool:
        """Whether what does not fill a block is not looked at, and that explains all of *wrong*.

        The shortest of *wrong* is asked behind more and more letters: it is judged rightly in full blocks.
        """
        word = wrong[0][0] if wrong else b""
        if not self.is_utf8 or not 0 < len(word) <= MAX_BLOCK:
            return False
        tried = [b"a" * number + word for number in range(2 * MAX_BLOCK + 1)]
        sizes = [len(each) for each, is_wrong in zip(tried, self._are_wrong(tried), strict=True) if not is_wrong]
        block = min(sizes, default=0)
        if not 2 < block <= MAX_BLOCK or sizes != [len(each) for each in tried if len(each) % block == 0]:
            return False
        self._add_periods(Border(word, BEFORE, block, period=block), word)
        return all(self._explains(*each) for each in wrong)

    def _shortest(self, word: bytes, kind_of: Callable[[bytes], object]) -> tuple[bytes, bytes | None]:
        """Return a word of the kind of *word*, judged as wrongly, and one like it that is judged rightly, or None."""
        kind = kind_of(word)

        def shows(words: Sequence[bytes]) -> list[bool]:
            pairs = zip(self._are_wrong(words), words, strict=True)
            return [is_wrong and kind_of(each) == kind for is_wrong, each in pairs]

        small = shrunk(word, shows)
        near = [small[:at] + small[at + 1 :] for at in range(min(len(small), 32))]
        near = [small + b"a", b"a" + small, b"a" + small + b"a", *near, small * 2]
        near = [each for each in near if self.standard.accepts(each) is self.standard.accepts(small)]
        is_wrong, *others = self._are_wrong([small, *near])
        right = [each for each, is_wrong_too in zip(near, others, strict=True) if not is_wrong_too]
        return small, right[0] if is_wrong and right else None


def _at(line: Line, phrase: str, example: bytes) -> Line:
    """Return *line* with one more condition, if *phrase* is one."""
    place, semicolon, examples = line.place.phrase.partition(";")
    whole = ", ".join(filter(None, (place, phrase))) + semicolon + examples
    return replace(line, place=Place(whole, ()), example=example)
