"""Explaining: from wrong verdicts to the few ABNF lines of what a decoder wrongly accepts or wrongly rejects.

During the run only a count and a few inputs are kept of each kind of wrong verdict. Afterwards ``learning.engine`` asks
the decoder again, until it knows what the decoder accepts; then the cases of each of its lines are counted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from utf8_abnf.conformance.harness.standard import first_ill_formed, first_piece
from utf8_abnf.conformance.learning.engine import explain as explained
from utf8_abnf.conformance.naming import EXTRA
from utf8_abnf.conformance.naming.naming import shortest_input
from utf8_abnf.conformance.suite.oracle import accepts
from utf8_abnf.errors import TargetError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from utf8_abnf.automaton import Automaton
    from utf8_abnf.conformance.harness.evidence import Bucket, WrongVerdicts
    from utf8_abnf.conformance.learning.teacher import Ask
    from utf8_abnf.conformance.naming import Line
    from utf8_abnf.conformance.suite import Family

MANY_CASES, FEW_CASES = 50_000, 1_000  # of a family that is asked again; FEW where each costs a process

MAX_WORD = 16  # bytes of a word of a line
MAX_SPOTS = 200  # characters of an input that are looked at
RESTS = (b"a" * 16 + b"\xff", b"a" * 16 + b"\x80\xed\xa0\x80")  # who accepts them behind an example does not read them


class WrongInput(NamedTuple):
    """An input that was judged wrongly, the id of its case, and the number of cases for which it stands."""

    data: bytes
    case: str
    cases: int


class VerdictClass(NamedTuple):
    """A class of wrong verdicts: the *language* that *line* derives is *accepted* wrongly or, if not, rejected.

    *cases* counts the cases that fell into it, *example* is its shortest input, *case* the id of a case that showed it.
    *where* says at which places alone it was seen, "" where it is everywhere. *rest_is_unread*: the decoder accepts the
    example whatever comes behind it.
    """

    accepted: bool
    line: str
    language: Automaton
    cases: int
    example: bytes
    case: str
    where: str
    rest_is_unread: bool = False


def explain(
    wrong: WrongVerdicts, ask: Ask, standard: Automaton, families: Iterable[Family], *, expensive: bool
) -> tuple[list[VerdictClass], str]:
    """Return the classes of *wrong*, what is wrongly accepted first, and why explaining ended early, "" if not.

    *standard* is what the decoder should accept. The small ones of *families* are asked again if that is not UTF-8:
    what is right as well shows what the classes are. *expensive* tells that each question costs a process.
    """
    both = {accepted: _inputs_of(wrong.buckets(accepted=accepted)) for accepted in (True, False)}
    words = [(each.data, accepted) for accepted, inputs in both.items() for each in inputs]
    if not words:
        return [], ""
    small = [each for each in families if each.count <= (FEW_CASES if expensive else MANY_CASES)]
    blocks = [block for family in small for block in family.blocks()]
    explanation = explained(ask, standard, words, blocks=blocks, expensive=expensive)

    def are_wrong(inputs: Sequence[bytes]) -> list[bool]:
        try:
            answers = ask(list(inputs))
        except TargetError:  # the time is over, or the decoder died
            return [False] * len(inputs)
        return [answer is not standard.accepts(word) for answer, word in zip(answers, inputs, strict=True)]

    classes: list[VerdictClass] = []
    for accepted, inputs in both.items():
        lines = [line for line in explanation.lines if (line.kind == EXTRA) is accepted]
        if lines:
            classes += classes_of(lines, standard, inputs, are_wrong)
    return classes, explanation.ended


def _inputs_of(buckets: Iterable[Bucket]) -> list[WrongInput]:
    """Return the inputs of *buckets*, the shortest first; they share their bucket's count."""
    inputs = []
    for bucket in buckets:
        share, rest = divmod(bucket.count, len(bucket.words))
        inputs += [WrongInput(data, case, share + (number < rest)) for number, (data, case) in enumerate(bucket.words)]
    return sorted(inputs, key=lambda each: (len(each.data), each.data))


def classes_of(
    lines: Sequence[Line],
    standard: Automaton,
    inputs: Sequence[WrongInput],
    are_wrong: Callable[[Sequence[bytes]], list[bool]],
) -> list[VerdictClass]:
    """Return *lines*, all of one direction, as classes; each of *inputs* is counted in one of them.

    *are_wrong* tells for inputs whether the decoder judges them wrongly.
    """
    of_line: list[list[WrongInput]] = [[] for _ in lines]
    shown: dict[int, bytes] = {}  # the first input, which is the shortest, with a word of the line
    for each in inputs:
        number, is_there = _line_of(each.data, lines)
        of_line[number].append(each)
        if is_there:
            shown.setdefault(number, each.data)
    classes = []
    for number, (line, mine) in enumerate(zip(lines, of_line, strict=True)):
        examples = [line.example]  # at its place, which may be no context
        if line.place.contexts:
            examples += [shortest_input(line, standard), *([shown[number]] if number in shown else [])]
        wrong = [word for word, is_wrong in zip(examples, are_wrong(examples), strict=True) if is_wrong]
        if not (wrong or mine):  # nobody has seen it
            continue
        example = min(wrong or examples, key=lambda word: (len(word), word))
        case = mine[0].case if mine else ""
        cases = sum(each.cases for each in mine)
        accepted, where = line.kind == EXTRA, line.place.phrase
        rest_is_unread = accepted and all(are_wrong([example + rest for rest in RESTS]))
        classes.append(VerdictClass(accepted, line.words, line.language, cases, example, case, where, rest_is_unread))
    return classes


def _line_of(data: bytes, lines: Sequence[Line]) -> tuple[int, bool]:
    """Return the number of the line that is to blame for *data*, and whether a word of it is there.

    A line that explains *data* comes first, then one whose word is at its place, and then one whose word is elsewhere;
    the first line if none is.
    """
    for number, line in enumerate(lines):
        if line.explains and line.explains(data):
            return number, False
    words = [(at, end) for at in _starts(data, lines[0]) for end in range(at, min(at + MAX_WORD, len(data)) + 1)]
    words.append((0, len(data)))
    best = 0, 0
    for number, line in enumerate(lines):
        for at, end in words:
            if accepts(line.language, data[at:end]):
                rank = 1 + any(_is_there(each.automata, data[:at], data[end:]) for each in line.place.contexts)
                if rank > best[0]:
                    best = rank, number
    return best[1], best[0] > 0


def _starts(data: bytes, line: Line) -> list[int]:
    """Return where a word of *line* may begin: at the first error, or at each of the first characters."""
    if line.kind == EXTRA:
        return [first_ill_formed(data)]
    starts = [0]
    while starts[-1] < len(data) and len(starts) < MAX_SPOTS:
        starts.append(starts[-1] + len(first_piece(data, starts[-1])))
    return starts


def _is_there(automata: tuple[Automaton | None, Automaton | None], before: bytes, after: bytes) -> bool:
    return all(each is None or accepts(each, text) for each, text in zip(automata, (before, after), strict=True))
