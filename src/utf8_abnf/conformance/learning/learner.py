"""The learner: it asks a black box questions, and returns the smallest automaton that gives all its answers.

The algorithm is Angluin's L* (Information and Computation 75, 1987) with the counterexamples handled as Rivest and
Schapire do (Information and Computation 103, 1993), and with one addition. Well-formed UTF-8 is rare among random
bytes: asked about those, every decoder looks as if it accepted only ASCII. So the observation table is seeded from the
grammar that the decoder should follow: the grammar's separating words W are the first suffixes, and its prefixes are
checked first.

The guarantee is stated with the result. The model agrees with the decoder on every word of A·Σ^≤1·W: A has an access
word of each state of the model and of the known dialects, and each prefix of an alternative of the grammar (if k is 1,
also after one character of each alternative); Σ is all 256 bytes; W separates the states of the model and those of the
grammar. The model also agrees on C·Σ^≤(k+1)·W, where C has the access words of the model and of the grammar. By the
theorem of the conformance suites the model is right if each state of the decoder is reached by a word of A or of
C·Σ^≤k.

The theorem assumes that the decoder is an automaton of that size. A decoder that works on blocks, counts, or remembers
is not, and no finite number of questions can rule that out. The probes (``probes`` and ``long_probes``) look for such
decoders. If one fails, the learner looks for the length at which the decoder changes its answer (``border``), and then
learns what it does with shorter inputs.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from utf8_abnf.automaton import Automaton, separating_words, state_cover
from utf8_abnf.automaton.forms import characters, forms
from utf8_abnf.conformance.learning.border import Border, find_border
from utf8_abnf.conformance.learning.counterexample import shortened
from utf8_abnf.conformance.learning.probes import LEADS, few_probes, known_forms, own_probe, probes, walks
from utf8_abnf.conformance.learning.table import Table
from utf8_abnf.conformance.learning.teacher import NotLearnableError, OutOfTimeError, Teacher, UnsteadyError, shown
from utf8_abnf.conformance.suite import families
from utf8_abnf.conformance.suite.blocks import Block
from utf8_abnf.conformance.suite.words import (
    SIGMA,
    edges,
    first_prefixes,
    prefix_closed,
    second_prefixes,
    suffix_closed,
    w_blocks,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from utf8_abnf.conformance.learning.probes import Probe
    from utf8_abnf.conformance.learning.teacher import Ask

    ModelCheck = tuple[str, Callable[[Automaton], Iterable[Block]]]  # a name, and the words to ask about a model

MAX_STATES = 64  # at least: RFC 3629 needs 9, Perl's extended UTF-8 with its 13 bytes about 30
MAX_COUNTEREXAMPLE = 4 * MAX_STATES  # bytes: a decoder of at most 64 states has a shorter one
MAX_CHARACTER = 13  # bytes: Perl's longest form; RFC 2279 had 6
BOM = b"\xef\xbb\xbf"  # RFC 3629 section 6: some decoders treat it differently at the start
REPEATED = 3_000  # questions that are asked once more, in the opposite order
REPEATED_IF_EXPENSIVE = 600
DEPENDS = (
    "what it accepts may depend on the length of the input or on positions in it; "
    "`utf8-abnf test` reports what it gets wrong"
)


@dataclass(frozen=True, slots=True)
class Learned:
    """The minimal automaton, and how it was checked.

    *prefixes*, *cover* and *suffixes* are the numbers of words in A, C and W; C is the part of A that was checked to
    *k*. *probes* names the further inputs that were asked, and *questions* is the number of all questions: *long* of
    them have more than ``LONG`` bytes, *longest* at most.

    *borders* are lengths from which on the decoder gives other answers than an automaton would. The automaton then
    describes what it does with inputs of fewer than *limit* bytes; *limit* is None where there are no borders.
    """

    automaton: Automaton
    questions: int
    prefixes: int
    cover: int
    suffixes: int
    k: int
    probes: tuple[str, ...]
    borders: tuple[Border, ...] = ()
    limit: int | None = None
    long: int = 0
    longest: int = 0


def learn(
    ask: Ask,
    grammar: Automaton,
    *,
    near: Iterable[Automaton] = (),
    k: int = 0,
    level: str = "",
    expensive: bool = False,
    progress: Callable[[int], None] | None = None,
) -> Learned:
    """Return the automaton of the black box *ask*, which returns for each word of a list whether it is accepted.

    *grammar* is the automaton that it should follow. *near* are other automata that it may follow instead (dialects);
    the words that tell their states apart are asked as well. *k* is how many bytes after a word of C may be needed to
    reach a state of the black box: each step takes about 256 times as many questions. *level* names a level of the
    conformance suites ("L2") whose inputs are asked as well. *expensive* tells that each question costs a process:
    most of A is left out. *progress* is called with the number of questions so far.

    If the black box looks at lengths or positions, the result has its ``borders``, and the automaton is right about
    shorter inputs. Raises ``UnsteadyError`` if the black box gives two answers to one word. Raises
    ``NotLearnableError`` if its automaton needs more than 64 states, or if only inputs of more than 256 bytes show that
    the model is wrong, and no border explains it. A ``SessionBox`` raises errors of its own.

    >>> from utf8_abnf.automaton import compile_grammar
    >>> from utf8_abnf.grammar import Grammar
    >>> utf8 = compile_grammar(Grammar.load("utf8"))
    >>> found = learn(lambda words: [b"a" not in word for word in words], utf8)
    >>> found.automaton.accepts(b"b"), found.automaton.accepts(b"ba"), len(found.automaton.table)
    (True, False, 2)
    """
    teacher = Teacher(ask, grammar, progress)
    borders: list[Border] = []
    while True:
        try:
            found = _Learner(teacher, grammar, tuple(near), k, level, expensive).learned()
        except _BorderFoundError as error:
            borders.insert(0, error.border)
            teacher.limit = len(error.border.example)
        except OutOfTimeError as error:
            error.borders = tuple(borders)
            raise
        else:
            return replace(found, borders=tuple(borders), limit=teacher.limit)


class _BorderFoundError(Exception):
    """The decoder has *border*, and so only its verdicts on shorter inputs can be learned."""

    def __init__(self, border: Border) -> None:
        self.border = border


class _Learner:
    """One run of the learner: its table grows until the automaton of the table passes every check."""

    def __init__(
        self, teacher: Teacher, grammar: Automaton, near: tuple[Automaton, ...], k: int, level: str, expensive: bool
    ) -> None:
        self.teacher = teacher
        self.grammar = grammar
        self.k = k
        self.wrong = b""  # the last counterexample
        self.max_states = max(MAX_STATES, 2 * len(grammar.table))
        self.repeated = REPEATED_IF_EXPENSIVE if expensive else REPEATED
        seeds = [grammar] if expensive else [grammar, *near]
        self.table = Table(teacher, _first_suffixes(seeds), grammar)
        first, self.second = _prefixes(grammar)
        self.starts = [*_cover(seeds), *(() if expensive else (*first, *LEADS)), *(self.second if k else ())]
        self.checks = self._checks((*few_probes(), known_forms(near)) if expensive else probes(), level)

    def learned(self) -> Learned:
        model = self._checked_model()
        self._ask_again()
        return Learned(
            model.minimal(),
            self.teacher.questions,
            len(prefix_closed({*self.starts, *self.table.prefixes})),
            len(self._k_cover()),
            len(self._separating(model)),
            self.k,
            tuple(name for name, _ in self.checks if name),
            long=self.teacher.long,
            longest=self.teacher.longest,
        )

    def _checked_model(self) -> Automaton:
        model = self._closed()
        waiting, passed = self.checks, self.checks[:0]
        while waiting:  # in turn, until the model passes all of them without a change
            try:
                wrong = self.teacher.wrong(waiting[0][1](model), model)
            except OutOfTimeError as error:
                error.model, error.passed = model.minimal(), tuple(filter(None, (name for name, _ in passed)))
                raise
            if wrong is None:
                waiting, passed = waiting[1:], [*passed, waiting[0]]
            else:
                self._learn_from(wrong, model)
                model, waiting, passed = self._closed(), [*waiting, *passed], []
        return model

    def _checks(self, chosen: tuple[Probe, ...], level: str) -> list[ModelCheck]:
        """Return the checks that the model has to pass; those that the guarantee consists of have no name."""
        checks: list[ModelCheck] = [(name, lambda _, blocks=blocks: blocks) for name, blocks in chosen]  # type: ignore[misc]
        checks[1:1] = [("", lambda model: self._w_blocks([*self.starts, *self.table.prefixes], model, 0))]
        if chosen == probes():
            checks.append(("A2", lambda model: [Block((self.second, self._edges(model), self._separating(model)))]))
            checks.append(("edges", self._two_edges))
            checks.append(("walks", lambda model: [walks(model, self._separating(model))]))
            checks.append(("own", own_probe))
        if self.k:
            checks.append(("", lambda model: self._w_blocks(self._k_cover(), model, self.k)))
        for family in families(level) if level else ():
            if "v" in family.modes and not family.in_process:
                checks.append((f"{level} {family.name}", lambda _, family=family: family.blocks()))  # type: ignore[misc]
        return checks

    def _edges(self, model: Automaton) -> tuple[bytes, ...]:
        """Return the first and last byte of every byte class of the grammar and of *model*."""
        return tuple(SIGMA[byte] for byte in sorted({*edges(self.grammar), *edges(model.minimal())}))

    def _two_edges(self, model: Automaton) -> list[Block]:
        """Return the words that k = 1 would ask, but only with the edge bytes in the places of any byte."""
        ends = self._edges(model)
        return [Block((self._k_cover(), ends, ends, self._separating(model)))]

    def _k_cover(self) -> tuple[bytes, ...]:
        return prefix_closed([*state_cover(self.grammar), *self.table.prefixes])

    def _separating(self, model: Automaton) -> tuple[bytes, ...]:
        return suffix_closed([*separating_words(model.minimal()), *separating_words(self.grammar)])

    def _w_blocks(self, cover: Iterable[bytes], model: Automaton, k: int) -> Iterator[Block]:
        return w_blocks(prefix_closed(cover), self._separating(model), k)

    def _closed(self) -> Automaton:
        if not self.table.close(self.max_states):
            self._ask_again()  # answers that change look like more and more states
            word = self.wrong or (self.teacher.deviation or (b"",))[0]
            self._look_for_border(word)
            raise NotLearnableError(
                f"more than {self.max_states} states are needed, as {shown(word)} showed: "
                f"the decoder is not an automaton of that size; {DEPENDS}",
                word,
            )
        return self.table.automaton()

    def _learn_from(self, word: bytes, model: Automaton) -> None:
        """Add the suffix of the counterexample *word* that tells apart two states which are one in *model*."""
        if self.teacher.answers([word], model)[0] is model.accepts(word):
            raise UnsteadyError(word)
        if len(word) > MAX_COUNTEREXAMPLE:
            self._look_for_border(word)
        self.wrong = word = shortened(self.teacher, word, model)
        if len(word) > MAX_COUNTEREXAMPLE:
            self._look_for_border(word)
            verdict = "rejects" if model.accepts(word) else "accepts"
            raise NotLearnableError(
                f"the decoder {verdict} {shown(word)}, and no shorter input was found that shows this; {DEPENDS}", word
            )
        reached = [model.start]
        for byte in word:
            reached.append(model.step(reached[-1], byte))
        mixed = [self.table.prefixes[state] + word[at:] for at, state in enumerate(reached)]
        answers = self.teacher.answers(mixed, model)
        if answers[0] is answers[-1]:
            raise UnsteadyError(word)
        at = next(at for at in range(len(word)) if answers[at] is not answers[at + 1])
        suffix = word[at + 1 :]
        if suffix in self.table.suffixes:  # the table has another answer to the same question
            raise UnsteadyError(word)
        # Decoders that count give long suffixes: the shorter ends of one find all states of the count at once.
        shorter = range(1, len(suffix)) if MAX_CHARACTER < len(suffix) <= MAX_STATES else ()
        self.table.add([suffix, *(suffix[at:] for at in shorter)])

    def _look_for_border(self, word: bytes) -> None:
        """Raise if the decoder's answers to inputs like *word* change at some length."""
        border = find_border(self.teacher, self.grammar, word)
        if border and (self.teacher.limit is None or len(border.example) < self.teacher.limit):
            raise _BorderFoundError(border)

    def _ask_again(self) -> None:
        """Ask some of the table's questions again, the last ones first; raise if an answer is another one."""
        asked = self.table.sample(self.repeated)
        answers = self.teacher.answers([word for word, _ in asked], self.grammar)
        for (word, before), answer in zip(asked, answers, strict=True):
            if answer is not before:
                raise UnsteadyError(word)


def _first_suffixes(automata: list[Automaton]) -> list[bytes]:
    """Return every W, and up to twelve tail bytes, which complete the long forms of older versions of UTF-8."""
    words = [word for automaton in automata for word in separating_words(automaton)]
    last = next((word for word in words if len(word) == 1), b"")
    return list(dict.fromkeys([b"", *words, *(last * times for times in range(4, MAX_CHARACTER) if last)]))


def _cover(automata: list[Automaton]) -> list[bytes]:
    """Return every V and, if the byte order mark is accepted, its prefixes."""
    words = [word for automaton in automata for word in state_cover(automaton)]
    if automata[0].accepts(BOM):
        words += (BOM[:end] for end in range(1, len(BOM) + 1))
    return list(dict.fromkeys(words))


def _prefixes(grammar: Automaton) -> tuple[tuple[bytes, ...], tuple[bytes, ...]]:
    """Return A₁ and A₂: each live prefix of a character, and the same after a character of each form.

    Both are empty if the grammar's words are not made of characters.
    """
    single = characters(grammar)
    found = None if single is None else forms(single)
    ways = () if found is None else tuple(form.ranges for form in found)
    return (first_prefixes(grammar, ways), second_prefixes(grammar, ways)) if ways else ((), ())
