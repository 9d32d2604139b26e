"""The learner: questions to a black box in, the smallest automaton that gives all its answers out.

It is Angluin's L* (Information and Computation 75, 1987) with the counterexamples handled as Rivest and Schapire do
(Information and Computation 103, 1993), and with one thing added. UTF-8 is a needle in a haystack: asked about random
bytes, every decoder looks as if it took ASCII and nothing else. So the table of questions is seeded from the grammar
that the decoder should follow: its separating words W are the first suffixes, and its prefixes are checked first.

What the answer is worth is stated, never implied. The model agrees with the decoder on every word of A·Σ^≤1·W: A holds
an access word of each state of the model and of the known dialects, and each prefix of an alternative of the grammar
(where k is 1 also after one character of each alternative), Σ is all 256 bytes, and W separates both the model's states
and the grammar's. It also agrees on C·Σ^≤(k+1)·W, where C is the access words of the model and of the grammar.
By the theorem of the conformance suites the model is right if each state of the decoder is reached by a word of A or of
C·Σ^≤k.

That premise is the automaton's. A decoder that looks at blocks, counts, or remembers is none of that size, and no
finite number of questions rules it out; the probes (``learning/probes.py``) look for such, and the learner then says so
instead of giving a grammar.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from utf8_abnf.automaton import Automaton, separating_words, state_cover
from utf8_abnf.automaton.forms import characters, forms
from utf8_abnf.learning.probes import few_probes, known_forms, own_probe, probes, walks
from utf8_abnf.learning.table import Table
from utf8_abnf.learning.teacher import NotLearnableError, Teacher, shown
from utf8_abnf.suite import families
from utf8_abnf.suite.blocks import Block
from utf8_abnf.suite.words import (
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

    from utf8_abnf.learning.teacher import Ask

    Check = tuple[str, Callable[[Automaton], Iterable[Block]]]

MOST_STATES = 64  # RFC 3629 needs 9, Perl's extended UTF-8 with its 13 bytes about 30
LONGEST = 4 * MOST_STATES  # bytes of a counterexample: a decoder of so many states has a shorter one
LONG_FORMS = 13  # bytes: Perl's longest; RFC 2279 had 6
BOM = b"\xef\xbb\xbf"  # RFC 3629 section 6: some decoders give it a meaning at the start
ASKED_AGAIN = 3_000  # questions, in the opposite order
THRIFTY_AGAIN = 600  # where questions are dear
PIECES = 256  # of a counterexample that are tried to be left out at a time


@dataclass(frozen=True, slots=True)
class Learned:
    """The automaton, minimal, and what it was checked against: how many words A, C and W have.

    A is *prefixes*, *cover* is C, the part of A that was checked to *k*, and *suffixes* is W. *probes* are the names of
    what was asked beyond, *questions* counts all.
    """

    automaton: Automaton
    questions: int
    prefixes: int
    cover: int
    suffixes: int
    k: int
    probes: tuple[str, ...]


def learn(
    ask: Ask,
    grammar: Automaton,
    *,
    near: Iterable[Automaton] = (),
    k: int = 0,
    level: str = "",
    thrifty: bool = False,
    progress: Callable[[int], None] | None = None,
) -> Learned:
    """Return the automaton of the black box *ask*, which answers a list of words with whether each is accepted.

    *grammar* is the automaton that it should follow, *near* are others that it may turn out to follow (dialects): what
    tells their states apart is asked, too. *k* is how many bytes beyond C may be needed to reach a state of the black
    box: each step asks about 256 times as many questions. *level* names a level of the conformance suites ("L2") whose
    inputs are posed, too. *thrifty* leaves out most of A, for a black box that needs a process for each question.
    *progress* is told the questions so far.

    Raises ``NotLearnableError`` when the same word is answered in two ways, when more than 64 states are needed, or
    when it takes more than 256 bytes to show what the model has wrong.

    >>> from utf8_abnf.automaton import compile_grammar
    >>> from utf8_abnf.grammar import Grammar
    >>> utf8 = compile_grammar(Grammar.load("utf8"))
    >>> found = learn(lambda words: [b"a" not in word for word in words], utf8)
    >>> found.automaton.accepts(b"b"), found.automaton.accepts(b"ba"), len(found.automaton.table)
    (True, False, 2)
    """
    return _Learner(Teacher(ask, progress), grammar, tuple(near), k, level, thrifty).learned()


class _Learner:
    """One run of the learner: a table that grows until its automaton passes every check."""

    def __init__(
        self, teacher: Teacher, grammar: Automaton, near: tuple[Automaton, ...], k: int, level: str, thrifty: bool
    ) -> None:
        self.teacher = teacher
        self.grammar = grammar
        self.k = k
        self.wrong = b""  # the last counterexample
        self.again = THRIFTY_AGAIN if thrifty else ASKED_AGAIN
        seeds = [grammar] if thrifty else [grammar, *near]
        self.table = Table(teacher, _first_suffixes(seeds), grammar)
        first, self.second = _prefixes(grammar)
        self.starts = [*_cover(seeds), *(() if thrifty else first), *(self.second if k else ())]
        self.checks = self._checks((*few_probes(), known_forms(near)) if thrifty else probes(), level)

    def learned(self) -> Learned:
        model = self._closed()
        at = passed = 0
        while passed < len(self.checks):  # every check, one after the other, since the model was last mended
            wrong = self.teacher.wrong(self.checks[at][1](model), model)
            if wrong is None:
                at, passed = (at + 1) % len(self.checks), passed + 1
            else:
                self._learn_from(wrong, model)
                model, passed = self._closed(), 0
        self._ask_again()
        return Learned(
            model.minimal(),
            self.teacher.questions,
            len(prefix_closed({*self.starts, *self.table.prefixes})),
            len(self._k_cover()),
            len(self._separating(model)),
            self.k,
            tuple(name for name, _ in self.checks if name),
        )

    def _checks(self, chosen: tuple[tuple[str, tuple[Block, ...]], ...], level: str) -> list[Check]:
        """Return what the model has to pass; a name where it is not part of the promise."""
        found: list[Check] = [(name, lambda _, blocks=blocks: blocks) for name, blocks in chosen]  # type: ignore[misc]
        found[1:1] = [("", lambda model: self._w_blocks([*self.starts, *self.table.prefixes], model, 0))]
        if chosen == probes():
            found.append(("A2", lambda model: [Block((self.second, self._edges(model), self._separating(model)))]))
            found.append(("edges", self._two_edges))
            found.append(("walks", lambda model: [walks(model, self._separating(model))]))
            found.append(("own", own_probe))
        if self.k:
            found.append(("", lambda model: self._w_blocks(self._k_cover(), model, self.k)))
        for family in families(level) if level else ():
            if "v" in family.modes and not family.in_process:
                found.append((f"{level} {family.name}", lambda _, family=family: family.blocks()))  # type: ignore[misc]
        return found

    def _edges(self, model: Automaton) -> tuple[bytes, ...]:
        """Return the edge bytes of every class that the grammar or *model* has."""
        return tuple(SIGMA[byte] for byte in sorted({*edges(self.grammar), *edges(model.minimal())}))

    def _two_edges(self, model: Automaton) -> list[Block]:
        """Return what k = 1 would ask, less the bytes that grammar and *model* do not tell from their neighbours."""
        between = self._edges(model)
        return [Block((self._k_cover(), between, between, self._separating(model)))]

    def _k_cover(self) -> tuple[bytes, ...]:
        return prefix_closed([*state_cover(self.grammar), *self.table.prefixes])

    def _separating(self, model: Automaton) -> tuple[bytes, ...]:
        return suffix_closed([*separating_words(model.minimal()), *separating_words(self.grammar)])

    def _w_blocks(self, cover: Iterable[bytes], model: Automaton, k: int) -> Iterator[Block]:
        return w_blocks(prefix_closed(cover), self._separating(model), k)

    def _closed(self) -> Automaton:
        if not self.table.close(MOST_STATES):
            self._ask_again()  # answers that change look like ever more states
            seen = f"{shown(self.wrong)} ({len(self.wrong):,} bytes)"
            raise NotLearnableError(
                f"more than {MOST_STATES} states are needed, as {seen} showed: "
                "what it accepts is no automaton of that size; it may depend on the length of the input, or on where "
                "in it something stands; `utf8-abnf test` finds what is wrong with it",
                self.wrong,
            )
        return self.table.automaton()

    def _learn_from(self, word: bytes, model: Automaton) -> None:
        """Add the suffix of the counterexample *word* that tells two states apart which *model* takes for one."""
        if self.teacher.answers([word], model)[0] is model.accepts(word):
            raise NotLearnableError(_twice(word), word)
        self.wrong = word = self._shortened(word, model)
        if len(word) > LONGEST:
            verdict = "rejects" if model.accepts(word) else "accepts"
            raise NotLearnableError(
                f"it {verdict} {shown(word)} ({len(word):,} bytes), and nothing shorter was found that shows it: "
                "what it accepts depends on the length of the input, or on where in it something stands; "
                "`utf8-abnf test` finds what is wrong with it",
                word,
            )
        reached = [model.start]
        for byte in word:
            reached.append(model.step(reached[-1], byte))
        mixed = [self.table.prefixes[state] + word[at:] for at, state in enumerate(reached)]
        answers = self.teacher.answers(mixed, model)
        if answers[0] is answers[-1]:
            raise NotLearnableError(_twice(word), word)
        at = next(at for at in range(len(word)) if answers[at] is not answers[at + 1])
        suffix = word[at + 1 :]
        if suffix in self.table.suffixes:  # the table already knows better: then it has been told two things
            raise NotLearnableError(_twice(word), word)
        # A long suffix is what a decoder that counts gives: its shorter ones find all the states of the count at once.
        shorter = range(1, len(suffix)) if LONG_FORMS < len(suffix) <= MOST_STATES else ()
        self.table.add([suffix, *(suffix[at:] for at in shorter)])

    def _shortened(self, word: bytes, model: Automaton) -> bytes:
        """Return *word* with all left out that is not needed for *model* to be wrong about it."""
        size = len(word)
        while size > 1:
            size //= 2
            step = size // 12 * 12 or size  # whole characters of one to four bytes
            while len(word) > step and len(word) // step <= PIECES:
                without = [word[:at] + word[at + step :] for at in range(0, len(word), step)]
                answers = zip(without, self.teacher.answers(without, model), strict=True)
                shorter = next((each for each, answer in answers if answer is not model.accepts(each)), None)
                if shorter is None:
                    break
                word = shorter
        return word

    def _ask_again(self) -> None:
        """Ask some of the table's questions again, last ones first: a decoder without memory answers as before."""
        asked = self.table.remembered(self.again)
        answers = self.teacher.answers([word for word, _ in asked], self.grammar)
        for (word, before), answer in zip(asked, answers, strict=True):
            if answer is not before:
                raise NotLearnableError(_twice(word), word)


def _first_suffixes(automata: list[Automaton]) -> list[bytes]:
    """Every W, and what completes the long forms of older UTF-8: up to twelve bytes that end a character."""
    words = [word for automaton in automata for word in separating_words(automaton)]
    last = next((word for word in words if len(word) == 1), b"")
    return list(dict.fromkeys([b"", *words, *(last * times for times in range(4, LONG_FORMS) if last)]))


def _cover(automata: list[Automaton]) -> list[bytes]:
    """Every V, and the beginnings of the byte order mark where it is text."""
    words = [word for automaton in automata for word in state_cover(automaton)]
    if automata[0].accepts(BOM):
        words += (BOM[:end] for end in range(1, len(BOM) + 1))
    return list(dict.fromkeys(words))


def _prefixes(grammar: Automaton) -> tuple[tuple[bytes, ...], tuple[bytes, ...]]:
    """Return A₁ and A₂, where the grammar is one of characters: each live prefix; the same after one of each form."""
    single = characters(grammar)
    found = None if single is None else forms(single)
    ways = () if found is None else tuple(form.ranges for form in found)
    return (first_prefixes(grammar, ways), second_prefixes(grammar, ways)) if ways else ((), ())


def _twice(word: bytes) -> str:
    return (
        f"asked twice about {shown(word)}, the decoder gave two answers: "
        "it depends on what it was asked before, or on chance"
    )
