"""The learner: questions to a black box in, the smallest automaton that gives all its answers out.

It is Angluin's L* (Information and Computation 75, 1987) with the counterexamples handled as Rivest and Schapire do
(Information and Computation 103, 1993), and with one thing added. UTF-8 is a needle in a haystack: asked about random
bytes, every decoder looks as if it took ASCII and nothing else. So the table of questions is seeded from the grammar
that the decoder should follow: its separating words W are the first suffixes, and its prefixes are checked first.

What the answer is worth is stated, never implied. The model agrees with the decoder on every word of A·Σ^≤1·W: A holds
an access word of each state of the model and of the known dialects, and each prefix of an alternative of the grammar,
Σ is all 256 bytes, and W separates both the model's states and the grammar's. It also agrees on C·Σ^≤(k+1)·W, where C
is the access words of the model and of the grammar. By the theorem of the conformance suites the model is right if each
state of the decoder is reached by a word of A or of C·Σ^≤k.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from itertools import chain, islice, product
from typing import TYPE_CHECKING

from utf8_abnf.automaton import Automaton, access_words, separating_words, state_cover
from utf8_abnf.errors import Utf8AbnfError
from utf8_abnf.forms import characters, forms
from utf8_abnf.suite.words import second_prefixes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    Ask = Callable[[list[bytes]], Sequence[bool]]

MOST_STATES = 64  # RFC 3629 needs 9, Perl's extended UTF-8 with its 13 bytes about 30
LONG_FORMS = 13  # bytes: Perl's longest; RFC 2279 had 6
BOM = b"\xef\xbb\xbf"  # RFC 3629 section 6: some decoders give it a meaning at the start
AT_ONCE = 1 << 15  # questions
PROBES = 400  # long words, to find what depends on length
LONGEST_PROBE = 5_000  # bytes
THRIFTY_PROBES = 600  # of them, and as many questions asked again, where questions are dear
EVERY_LENGTH = 130  # bytes: two blocks of 64 and what hangs over
ASKED_AGAIN = 3_000  # questions, in the opposite order


class NotLearnableError(Utf8AbnfError):
    """A decoder that is no automaton within the promise: *word* is the input that shows it."""

    def __init__(self, message: str, word: bytes) -> None:
        super().__init__(message)
        self.word = word


@dataclass(frozen=True, slots=True)
class Learned:
    """The automaton, minimal, and what it was checked against: how many words A, C and W have.

    A is *prefixes*, *cover* is C, the part of A that was checked to *k*, and *suffixes* is W.
    """

    automaton: Automaton
    questions: int
    prefixes: int
    cover: int
    suffixes: int
    k: int


def learn(
    ask: Ask,
    grammar: Automaton,
    *,
    near: Iterable[Automaton] = (),
    k: int = 0,
    thrifty: bool = False,
    progress: Callable[[int], None] | None = None,
) -> Learned:
    """Return the automaton of the black box *ask*, which answers a list of words with whether each is accepted.

    *grammar* is the automaton that it should follow, *near* are others that it may turn out to follow (dialects): what
    tells their states apart is asked, too. *k* is how many bytes beyond C may be needed to reach a state of the black
    box: each step asks about 256 times as many questions. *thrifty* leaves out most of A, for a black box that needs
    a process for each question. *progress* is told the questions so far.

    Raises ``NotLearnableError`` when the same word is answered in two ways, or when more than 64 states are needed.

    >>> from utf8_abnf.automaton import compile_grammar
    >>> from utf8_abnf.grammar import Grammar
    >>> utf8 = compile_grammar(Grammar.load("utf8"))
    >>> found = learn(lambda words: [b"a" not in word for word in words], utf8)
    >>> found.automaton.accepts(b"b"), found.automaton.accepts(b"ba"), len(found.automaton.table)
    (True, False, 2)
    """
    teacher = _Teacher(ask, progress)
    seeds = [grammar] if thrifty else [grammar, *near]
    table = _Table(teacher, _first_suffixes(seeds))
    starts = _cover(seeds) if thrifty else list(dict.fromkeys([*_cover(seeds), *_second_prefixes(grammar)]))
    while True:
        table.close()
        model = table.automaton()
        suffixes = list(dict.fromkeys([*separating_words(model.minimal()), *separating_words(grammar)]))
        probes = islice(_probes(model, grammar), THRIFTY_PROBES if thrifty else None)
        checks = [probes, _check_words([*table.prefixes, *starts], suffixes, 0)]
        if k:
            checks.append(_check_words([*table.prefixes, *state_cover(grammar)], suffixes, k))
        wrong = _counterexample(teacher, model, chain(*checks))
        if wrong is None:
            break
        table.learn_from(wrong, model)
    _ask_again(teacher, THRIFTY_PROBES if thrifty else ASKED_AGAIN)
    prefixes = len({*starts, *table.prefixes})
    return Learned(
        model.minimal(), teacher.questions, prefixes, len({*state_cover(grammar), *table.prefixes}), len(suffixes), k
    )


class _Teacher:
    """The black box with a memory: a word of the table is asked once, and the answer is kept."""

    def __init__(self, ask: Ask, progress: Callable[[int], None] | None) -> None:
        self._ask = ask
        self._progress = progress
        self.known: dict[bytes, bool] = {}
        self.questions = 0

    def fresh(self, words: list[bytes]) -> list[bool]:
        """Return the answers to *words*, asked now and not remembered."""
        answers: list[bool] = []
        for at in range(0, len(words), AT_ONCE):
            answers += self._ask(words[at : at + AT_ONCE])
            self.questions += len(answers) - at
            if self._progress:
                self._progress(self.questions)
        return answers

    def remember(self, words: Iterable[bytes]) -> None:
        """Ask what is not yet known of *words*, all at once."""
        new = list(dict.fromkeys(word for word in words if word not in self.known))
        self.known.update(zip(new, self.fresh(new), strict=True))

    def answer(self, word: bytes) -> bool:
        """Return the remembered answer to *word*."""
        self.remember([word])
        return self.known[word]


class _Table:
    """L*'s observation table: *prefixes* are the states found so far, told apart by their answers on *suffixes*."""

    def __init__(self, teacher: _Teacher, suffixes: Iterable[bytes]) -> None:
        self.teacher = teacher
        self.suffixes = list(suffixes)
        self.prefixes = [b""]

    def row(self, word: bytes) -> bytes:
        known = self.teacher.known
        return bytes(known[word + suffix] for suffix in self.suffixes)

    def close(self) -> None:
        """Ask until each prefix with one byte more is, by its row, one of the prefixes."""
        at = 0
        self._ask_rows([b""])
        rows = {self.row(prefix) for prefix in self.prefixes}
        while at < len(self.prefixes):
            prefix = self.prefixes[at]
            at += 1
            following = [prefix + bytes([byte]) for byte in range(256)]
            self._ask_rows(following)
            for word in following:
                row = self.row(word)
                if row not in rows:
                    rows.add(row)
                    self.prefixes.append(word)
            if len(self.prefixes) > MOST_STATES:
                _ask_again(self.teacher, ASKED_AGAIN)  # answers that change look like ever more states
                raise NotLearnableError(
                    f"more than {MOST_STATES} states are needed: what it accepts is no automaton of that size; "
                    "it may depend on the length of the input",
                    self.prefixes[-1],
                )

    def _ask_rows(self, words: list[bytes]) -> None:
        self.teacher.remember(word + suffix for word in words for suffix in self.suffixes)

    def automaton(self) -> Automaton:
        """Return the closed table as an automaton whose state *i* is reached by ``prefixes[i]``."""
        numbers = {self.row(prefix): number for number, prefix in enumerate(self.prefixes)}
        rows = tuple(
            tuple(numbers[self.row(prefix + bytes([byte]))] for byte in range(256)) for prefix in self.prefixes
        )
        accepting = frozenset(state for state, prefix in enumerate(self.prefixes) if self.teacher.known[prefix])
        return Automaton(0, rows, bytes(range(256)), accepting)

    def learn_from(self, word: bytes, model: Automaton) -> None:
        """Add the suffix of the counterexample *word* that tells two states apart which *model* takes for one."""
        reached = [model.start]
        for byte in word:
            reached.append(model.step(reached[-1], byte))

        def answer(at: int) -> bool:
            return self.teacher.answer(self.prefixes[reached[at]] + word[at:])

        low, high = 0, len(word)
        if answer(low) == answer(high):
            raise NotLearnableError(_twice(word), word)
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if answer(middle) == answer(low) else (low, middle)
        suffix = word[low + 1 :]
        if suffix in self.suffixes:  # the table already knows better: then it has been told two things
            raise NotLearnableError(_twice(word), word)
        # A long suffix is what a decoder that counts gives: its shorter ones find all the states of the count at once.
        shorter = range(1, len(suffix)) if LONG_FORMS < len(suffix) <= MOST_STATES else ()
        self.suffixes += [suffix, *(suffix[at:] for at in shorter if suffix[at:] not in self.suffixes)]
        self._ask_rows(self.prefixes)


def _first_suffixes(automata: list[Automaton]) -> list[bytes]:
    """Every W, and what completes the long forms of older UTF-8: up to twelve bytes that end a character."""
    words = [word for automaton in automata for word in separating_words(automaton)]
    last = next((word for word in words if len(word) == 1), b"")
    return list(dict.fromkeys([*words, *(last * times for times in range(4, LONG_FORMS) if last)]))


def _cover(automata: list[Automaton]) -> list[bytes]:
    """Every V, and the beginnings of the byte order mark where it is text."""
    words = [word for automaton in automata for word in state_cover(automaton)]
    if automata[0].accepts(BOM):
        words += (BOM[:end] for end in range(1, len(BOM) + 1))
    return list(dict.fromkeys(words))


def _second_prefixes(grammar: Automaton) -> tuple[bytes, ...]:
    """A₂, where the grammar is one of characters: each live prefix, alone and after one character of each form."""
    single = characters(grammar)
    found = None if single is None else forms(single)
    return () if found is None else second_prefixes(grammar, tuple(form.ranges for form in found))


def _counterexample(teacher: _Teacher, model: Automaton, words: Iterator[bytes]) -> bytes | None:
    """Return the first of *words* on which *model* is wrong, or None."""
    while some := list(islice(words, AT_ONCE)):
        for word, answer in zip(some, teacher.fresh(some), strict=True):
            if answer is not model.accepts(word):
                if teacher.fresh([word])[0] is not answer or teacher.known.get(word, answer) is not answer:
                    raise NotLearnableError(_twice(word), word)
                return word
    return None


def _check_words(prefixes: list[bytes], suffixes: list[bytes], k: int) -> Iterator[bytes]:
    for length in range(k + 2):
        for prefix in dict.fromkeys(prefixes):
            for middle in product(range(256), repeat=length):
                for suffix in suffixes:
                    yield prefix + bytes(middle) + suffix


def _probes(model: Automaton, grammar: Automaton) -> Iterator[bytes]:
    """Yield long words, some with a fault in them: what counts bytes or blocks gives itself away."""
    pieces = [word for automaton in (model, grammar) for word in _round_trips(automaton)] or [b"\0"]
    faults = [bytes([byte]) for byte in range(0x80, 0x100)]
    for filler in {len(piece): piece for piece in pieces}.values():
        for length in (*range(EVERY_LENGTH), 255, 256, 257, 1023, 1024, 1025, 4095, 4096, 4097, 65535, 65536, 65537):
            whole = filler * (length // len(filler)) + b"a" * (length % len(filler))
            yield from (whole, whole[:-1] + b"\xff", b"\xff" + whole[1:], whole[:-1] + filler[:1])
    chance = random.Random(3629)  # noqa: S311  (to vary, not to hide)
    for number in range(PROBES):
        size = min(LONGEST_PROBE, 2 ** (2 + number % 12) + chance.randrange(-3, 4))
        word = bytearray()
        while len(word) < size:
            word += chance.choice(pieces) * chance.choice([1, 1, 2, 40])
        if number % 2:
            at = chance.randrange(len(word) + 1)
            word[at:at] = chance.choice(faults)
        yield bytes(word)


def _round_trips(automaton: Automaton) -> list[bytes]:
    """Words of at most four bytes that lead from the start back to the start."""
    found = []
    for state, word in access_words(automaton).items():
        for byte in range(256):
            if automaton.step(state, byte) == automaton.start and len(word) < 4:
                found.append(word + bytes([byte]))
    return found


def _ask_again(teacher: _Teacher, count: int) -> None:
    """Ask some of the remembered questions once more, last ones first: a decoder without memory answers as before."""
    words = list(teacher.known)
    again = list(reversed(words))[:: max(1, len(words) // count)]
    for word, answer in zip(again, teacher.fresh(again), strict=True):
        if answer is not teacher.known[word]:
            raise NotLearnableError(_twice(word), word)


def _twice(word: bytes) -> str:
    shown = word[:16].hex(" ").upper() or "the empty input"
    return (
        f"asked twice about {shown}{' …' if len(word) > 16 else ''}, the decoder gave two answers: "
        "it depends on what it was asked before, or on chance"
    )
