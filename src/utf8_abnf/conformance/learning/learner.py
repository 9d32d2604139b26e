"""Learns the automaton of a black box: questions go to a decoder, and the smallest automaton with its answers results.

The algorithm is Angluin's L* (Information and Computation 75, 1987) with the counterexamples handled as Rivest and
Schapire do (Information and Computation 103, 1993), and with one addition. Well-formed UTF-8 is rare among random
bytes: asked about those, every decoder looks as if it accepted only ASCII. So the observation table is seeded from the
grammar that the decoder should follow: the grammar's separating words W are the first suffixes.

``Learner`` is the algorithm; the caller passes the equivalence oracle. ``learn`` passes one that asks the families of
L2 and the words of a guarantee. The model agrees with the decoder on every word of A·Σ^≤1·W: A has an access word of
each state of the model and of the known dialects, and the prefixes of a character for each first byte; Σ is all 256
bytes; W separates the states of the model and those of the grammar. By the theorem of the conformance suites the model
is right if each state of the decoder is reached by a word of A.

The theorem assumes that the decoder is an automaton of that size. A decoder that works on blocks, counts, or remembers
is not, and no finite number of questions can rule that out. If a word shows it, ``border`` finds the length at which
the decoder changes its answers, and what it does with shorter inputs is learned.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from utf8_abnf.automaton import Automaton, separating_words
from utf8_abnf.automaton.forms import characters, forms
from utf8_abnf.conformance.learning.border import Border, border_of
from utf8_abnf.conformance.learning.refuting import (
    MAX_CHARACTER,
    Comparison,
    cover,
    dialects,
    first_suffixes,
    refuting,
    small_families,
)
from utf8_abnf.conformance.learning.shrink import LETTER, shrunk
from utf8_abnf.conformance.learning.table import Table
from utf8_abnf.conformance.learning.teacher import DEPENDS, NotLearnableError, Teacher, TooLongError, UnsteadyError
from utf8_abnf.conformance.naming.naming import shown
from utf8_abnf.conformance.suite.words import SIGMA, prefix_closed, suffix_closed, w_blocks

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from utf8_abnf.conformance.learning.refuting import Seen
    from utf8_abnf.conformance.learning.teacher import Ask
    from utf8_abnf.conformance.suite.blocks import Block

MAX_SHORT = 64  # bytes of a counterexample
MAX_STATES = 64  # at least: RFC 3629 needs 9, Perl's extended UTF-8 with its 13 bytes about 30
LEADS = SIGMA[0xC0:]  # the bytes that begin, or might begin, a character of two bytes or more
REPEATED, REPEATED_IF_EXPENSIVE = 3_000, 600  # questions that are asked once more, in the opposite order


class Learner:
    """The observation table, and the *model* that gives all answers in it.

    *grammar* is the automaton that the decoder should follow. Raises ``NotLearnableError`` if the model needs too many
    states.
    """

    def __init__(self, teacher: Teacher, grammar: Automaton, *, expensive: bool = False) -> None:
        self.teacher = teacher
        self.max_states = max(MAX_STATES, 2 * len(grammar.table))
        self.table = Table(teacher, first_suffixes([grammar], expensive=expensive), grammar, sparse=expensive)
        self.shown: list[bytes] = []  # the counterexamples
        self.borders: dict[bytes, Border | None] = {}  # by the words that show them; None: no model explains the word
        self.model = self._closed()

    def _closed(self) -> Automaton:
        if not self.table.close(self.max_states):
            word = self.shown[-1] if self.shown else (self.teacher.deviation or (b"",))[0]
            raise NotLearnableError(
                f"more than {self.max_states} states are needed, as {shown(word)} showed: "
                f"the decoder is not an automaton of that size; {DEPENDS}",
                word,
            )
        return self.table.automaton()

    def learn(self, compare: Comparison, *, lets_pass: bool = False) -> None:
        """Refine the model until the equivalence oracle *compare* finds no word on which it is wrong.

        Once a word shows a border, only shorter words are asked. The first word that no model explains raises
        ``UnsteadyError`` or ``TooLongError``; if it *lets_pass*, *compare* no longer counts such words.
        """
        while (word := compare(self.model)) is not None:
            try:
                self._explain(word)
            except (UnsteadyError, TooLongError):
                if not lets_pass:
                    raise
                compare.passed.add(word)
                self.borders[word] = None

    def _explain(self, word: bytes) -> None:
        model = self.model
        shows = partial(self.teacher.refuted, model=model)
        if not shows([word])[0]:
            raise UnsteadyError(word)
        small = shrunk(word, shows)
        accepted = not model.accepts(small)

        def alike(words: Sequence[bytes]) -> list[bool]:
            return [answer is accepted for answer in self.teacher.asked(words, model)]

        if border := border_of(small, alike):
            self.borders[small] = border
            self.teacher.limit = min(self.teacher.limit or len(small), len(small))
        elif len(small) <= MAX_SHORT:
            self._refine(small)
        elif shows([LETTER, small])[1]:
            raise TooLongError(small, accepted=accepted)
        else:  # it was wrong because of what came before it
            raise UnsteadyError(small)

    def _refine(self, word: bytes) -> None:
        """Add the suffix of the counterexample *word* that tells apart two states which are one in the model.

        Raises ``UnsteadyError`` if the decoder's answers contradict each other.
        """
        self.shown.append(word)
        reached = [self.model.start]
        for byte in word:
            reached.append(self.model.step(reached[-1], byte))
        mixed = [self.table.prefixes[state] + word[at:] for at, state in enumerate(reached)]
        answers = self.teacher.asked(mixed, self.model)
        if answers[0] is answers[-1]:
            raise UnsteadyError(word)
        at = next(at for at in range(len(word)) if answers[at] is not answers[at + 1])
        suffix = word[at + 1 :]
        if suffix not in self.table.suffixes:
            # Decoders that count give long suffixes: the shorter ends of one find all states of the count at once.
            shorter = range(1, len(suffix)) if MAX_CHARACTER < len(suffix) <= MAX_STATES else ()
            self.table.add([suffix, *(suffix[at:] for at in shorter)])
        elif not self.table.add_edge(word[at]):  # the table has another answer to the same question
            raise UnsteadyError(word)
        self.model = self._closed()


@dataclass(frozen=True, slots=True)
class Learned:
    """The minimal automaton, and how it was checked.

    *prefixes* and *suffixes* are the numbers of words in A and W. *families* names the families of the suites that were
    asked as well, *questions* is the number of all questions, and *longest* is the size of the longest one, in bytes.

    *borders* are lengths from which on the decoder gives other answers than an automaton would. The automaton then
    describes what it does with inputs of fewer than *limit* bytes; *limit* is None where there are no borders.
    """

    automaton: Automaton
    questions: int
    longest: int
    prefixes: int
    suffixes: int
    families: tuple[str, ...]
    borders: tuple[Border, ...] = ()
    limit: int | None = None


def learn(
    ask: Ask,
    grammar: Automaton,
    seen: Seen = (),
    *,
    expensive: bool = False,
    progress: Callable[[int], None] | None = None,
) -> Learned:
    """Return the automaton of the black box *ask*, which returns for each word of a list whether it is accepted.

    *grammar* is the automaton that it should follow. *seen* are words whose answers are known. *expensive* tells that
    each question costs a process: most of A is left out. *progress* is called with the number of questions so far.

    If the black box looks at lengths or positions, the result has its ``borders``, and the automaton is right about
    shorter inputs. Raises ``UnsteadyError`` if the black box gives two answers to one word. Raises
    ``NotLearnableError`` if its automaton needs more than 64 states, or if only long inputs show that the model is
    wrong, and no border explains it. A ``SessionBox`` raises errors of its own.

    >>> from utf8_abnf.automaton import compile_grammar
    >>> from utf8_abnf.grammar import Grammar
    >>> utf8 = compile_grammar(Grammar.load("utf8"))
    >>> found = learn(lambda words: [b"a" not in word for word in words], utf8, expensive=True)
    >>> found.automaton.accepts(b"b"), found.automaton.accepts(b"ba"), len(found.automaton.table)
    (True, False, 2)
    """
    learner = Learner(Teacher(ask, grammar, progress), grammar, expensive=expensive)
    starts = cover([grammar])
    if not expensive:
        single = characters(grammar)
        alternatives = (forms(single) if single else None) or ()
        starts += [*cover([*dialects().values()]), *LEADS]
        for form in alternatives:
            (low, high), *rest = form.ranges
            starts += (SIGMA[byte] + form.example[1:] for byte in range(low, high + 1) if rest)

    def prefixes() -> tuple[bytes, ...]:
        return prefix_closed([*starts, *learner.table.prefixes])

    def separating() -> tuple[bytes, ...]:
        return suffix_closed([*separating_words(learner.model.minimal()), *separating_words(grammar)])

    def words(model: Automaton) -> Iterator[Block]:
        yield from w_blocks(prefixes(), separating(), 0)
        yield from refuting(model, grammar)

    chosen = [] if expensive else small_families("L2")
    compare = Comparison(learner.teacher, (block for family in chosen for block in family.blocks()), words, seen)
    learner.learn(compare)
    asked, before = learner.table.sample(REPEATED_IF_EXPENSIVE if expensive else REPEATED)
    again = learner.teacher.block(asked, learner.model)
    if again != before:
        changed = (at for at, answers in enumerate(zip(before, again, strict=True)) if len(set(answers)) > 1)
        raise UnsteadyError(asked.word(next(changed)))
    return Learned(
        learner.model.minimal(),
        learner.teacher.questions,
        learner.teacher.longest,
        len(prefixes()),
        len(separating()),
        tuple(family.name for family in chosen),
        tuple(filter(None, reversed(learner.borders.values()))),
        learner.teacher.limit,
    )
