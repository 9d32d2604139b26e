"""The learner: it asks a black box questions, and returns the smallest automaton that gives all its answers.

The algorithm is Angluin's L* (Information and Computation 75, 1987) with the counterexamples handled as Rivest and
Schapire do (Information and Computation 103, 1993), and with one addition. Well-formed UTF-8 is rare among random
bytes: asked about those, every decoder looks as if it accepted only ASCII. So the observation table is seeded from the
grammar that the decoder should follow: the grammar's separating words W are the first suffixes.

``learn`` is the learner alone: it asks all words of a guarantee, and the families of a suite. The guarantee is stated
with the result. The model agrees with the decoder on every word of A·Σ^≤1·W: A has an access word of each state of the
model and of the known dialects, and each prefix of an alternative of the grammar (if k is 1, also after one character
of each alternative); Σ is all 256 bytes; W separates the states of the model and those of the grammar. The model also
agrees on C·Σ^≤(k+1)·W, where C has the access words of the model and of the grammar. By the theorem of the conformance
suites the model is right if each state of the decoder is reached by a word of A or of C·Σ^≤k.

The theorem assumes that the decoder is an automaton of that size. A decoder that works on blocks, counts, or remembers
is not, and no finite number of questions can rule that out. If a word of a suite shows it, ``border`` says at which
length the decoder changes its answers, and what it does with shorter inputs is learned.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from utf8_abnf.automaton import Automaton, separating_words, state_cover
from utf8_abnf.automaton.forms import characters, forms
from utf8_abnf.conformance.learning.border import Border, border_of
from utf8_abnf.conformance.learning.refuting import faults_after, refuting
from utf8_abnf.conformance.learning.shrink import LETTER, shrunk
from utf8_abnf.conformance.learning.table import Table
from utf8_abnf.conformance.learning.teacher import (
    DEPENDS,
    Asked,
    NotLearnableError,
    Teacher,
    UnsteadyError,
    shown,
    too_long,
)
from utf8_abnf.conformance.suite import families
from utf8_abnf.conformance.suite.blocks import Block
from utf8_abnf.conformance.suite.words import (
    SIGMA,
    first_prefixes,
    prefix_closed,
    second_prefixes,
    suffix_closed,
    w_blocks,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from utf8_abnf.conformance.learning.teacher import Ask
    from utf8_abnf.conformance.suite import Family

MAX_FAMILY = 100_000  # words: of the families of L2, larger ones are asked only where that is wanted
MAX_SHORT = 64  # bytes of a counterexample
MAX_STATES = 64  # at least: RFC 3629 needs 9, Perl's extended UTF-8 with its 13 bytes about 30
MAX_CHARACTER = 13  # bytes: Perl's longest form; RFC 2279 had 6
LEADS = SIGMA[0xC0:]  # the bytes that begin, or might begin, a character of two bytes or more
BOM = b"\xef\xbb\xbf"  # RFC 3629 section 6: some decoders treat it differently at the start
REPEATED, REPEATED_IF_EXPENSIVE = 3_000, 600  # questions that are asked once more, in the opposite order


class Learner:
    """The observation table, and the *model* that gives all answers in it.

    *grammar* is the automaton that the decoder should follow, *near* are others that it may follow instead. Raises
    ``NotLearnableError`` if the model needs too many states.
    """

    def __init__(
        self, teacher: Teacher, grammar: Automaton, near: Iterable[Automaton] = (), *, expensive: bool = False
    ) -> None:
        self.teacher = teacher
        self.expensive = expensive
        self.max_states = max(MAX_STATES, 2 * len(grammar.table))
        self.table = Table(teacher, _first_suffixes([grammar, *near], expensive=expensive), grammar, sparse=expensive)
        self.shown: list[bytes] = []  # the counterexamples
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

    def learn_from(self, word: bytes, *, looks_at_lengths: bool = True) -> tuple[bytes, Border | None]:
        """Let the model explain *word*, on which it is wrong: return the shorter word, and the border that it shows.

        The border is None if the model explains the word now. Raises ``UnsteadyError`` if the decoder gives another
        answer now, ``TooLongError`` if no short word shows the same, and no border.
        """
        model = self.model
        if not self.shows([word])[0]:
            raise UnsteadyError(word)
        small = shrunk(word, self.shows, few=self.expensive)
        border = border_of(small, self.saying(accepted=not model.accepts(small))) if looks_at_lengths else None
        if border is None and len(small) > MAX_SHORT:
            if not self.shows([LETTER, small])[1]:  # it was wrong because of what came before it
                raise UnsteadyError(small)
            raise too_long(small, accepted=not model.accepts(small))
        if border is None:
            self._refine(small)
        return small, border

    def saying(self, *, accepted: bool) -> Callable[[Sequence[bytes]], list[bool]]:
        """Return what tells for each of some words whether the decoder's verdict is *accepted*."""
        return lambda words: [answer is accepted for answer in self.teacher.asked(words, self.model)]

    def shows(self, words: Sequence[bytes]) -> list[bool]:
        """Return for each of *words* whether the model is wrong about it."""
        answers = zip(self.teacher.asked(words, self.model), words, strict=True)
        return [answer is not self.model.accepts(each) for answer, each in answers]

    def _refine(self, word: bytes) -> None:
        """Add the suffix of the counterexample *word* that tells apart two states which are one in the model.

        Raises ``UnsteadyError`` if the decoder's answers contradict each other.
        """
        self.shown.append(word)
        reached = [self.model.start]
        for byte in word:
            reached.append(self.model.step(reached[-1], byte))
        mixed = [self.table.prefixes[state] + word[at:] for at, state in enumerate(reached)]
        answers = self.teacher.answers(mixed, self.model)
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

    def ask_again(self, number: int) -> None:
        """Ask *number* of the table's questions again, the last ones first; ``UnsteadyError`` if an answer changed."""
        asked = self.table.sample(number)
        answers = self.teacher.answers([word for word, _ in asked], self.model)
        for (word, before), answer in zip(asked, answers, strict=True):
            if answer is not before:
                raise UnsteadyError(word)


@dataclass(frozen=True, slots=True)
class Learned:
    """The minimal automaton, and how it was checked.

    *prefixes*, *cover* and *suffixes* are the numbers of words in A, C and W; C is the part of A that was checked to
    *k*. *families* names the families of the suites that were asked as well, and *questions* is the number of all
    questions: *long* of them have more than ``LONG`` bytes, *longest* at most.

    *borders* are lengths from which on the decoder gives other answers than an automaton would. The automaton then
    describes what it does with inputs of fewer than *limit* bytes; *limit* is None where there are no borders.
    """

    automaton: Automaton
    questions: int
    prefixes: int
    cover: int
    suffixes: int
    k: int
    families: tuple[str, ...]
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
    ``NotLearnableError`` if its automaton needs more than 64 states, or if only long inputs show that the model is
    wrong, and no border explains it. A ``SessionBox`` raises errors of its own.

    >>> from utf8_abnf.automaton import compile_grammar
    >>> from utf8_abnf.grammar import Grammar
    >>> utf8 = compile_grammar(Grammar.load("utf8"))
    >>> found = learn(lambda words: [b"a" not in word for word in words], utf8)
    >>> found.automaton.accepts(b"b"), found.automaton.accepts(b"ba"), len(found.automaton.table)
    (True, False, 2)
    """
    dialects = tuple(near)
    seeds = () if expensive else dialects
    learner = Learner(Teacher(ask, grammar, progress), grammar, seeds, expensive=expensive)
    teacher = learner.teacher
    first, second = _prefixes(grammar)
    starts = [*_cover([grammar, *seeds]), *(() if expensive else (*first, *LEADS)), *(second if k else ())]

    def cover() -> tuple[bytes, ...]:
        return prefix_closed([*state_cover(grammar), *learner.table.prefixes])

    def separating() -> tuple[bytes, ...]:
        return suffix_closed([*separating_words(learner.model.minimal()), *separating_words(grammar)])

    chosen = [] if expensive else _probes(level)

    def blocks() -> Iterator[Block]:
        if expensive:
            yield Block((tuple(_cover([grammar, *dialects])), tuple(_first_suffixes(dialects, expensive=True))))
        yield from w_blocks(prefix_closed([*starts, *learner.table.prefixes]), separating(), 0)
        yield from faults_after(learner.model)
        yield from refuting(learner.model)
        if k:
            yield from w_blocks(cover(), separating(), k)

    def wrong() -> bytes | None:
        word = suite.wrong(learner.model)
        return teacher.wrong(blocks(), learner.model) if word is None else word

    suite = Asked(teacher, (block for family in chosen for block in family.blocks()))
    borders: list[Border] = []
    while (word := wrong()) is not None:
        small, border = learner.learn_from(word)
        if border:
            borders.insert(0, border)
            teacher.limit = len(small)
    learner.ask_again(REPEATED_IF_EXPENSIVE if expensive else REPEATED)
    return Learned(
        learner.model.minimal(),
        teacher.questions,
        len(prefix_closed({*starts, *learner.table.prefixes})),
        len(cover()),
        len(separating()),
        k,
        tuple(family.name for family in chosen),
        tuple(borders),
        teacher.limit,
        teacher.long,
        teacher.longest,
    )


def _probes(level: str) -> list[Family]:
    """Return the families of L2 that are not large, and all those of *level*."""
    whole = {family.name for family in families(level)} if level else set()
    return [
        family
        for family in families("L2")
        if "v" in family.modes
        and not family.in_process
        and (family.name in whole or (family.count <= MAX_FAMILY and not family.longest))
    ]


def _first_suffixes(automata: Sequence[Automaton], *, expensive: bool) -> list[bytes]:
    """Return every W, a letter, and up to twelve tail bytes, which complete the long forms of older UTF-8.

    The letter tells what is wrong only at the end from what is wrong before anything.
    """
    words = [word for automaton in automata for word in separating_words(automaton)]
    last = next((word for word in words if len(word) == 1), b"")
    long = (last * times for times in range(4, MAX_CHARACTER) if last and not expensive)
    return list(dict.fromkeys([b"", *words, LETTER, *long]))


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
