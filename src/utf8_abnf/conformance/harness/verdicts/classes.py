"""Classes of wrong verdicts: from the lines of the engine to those of a report, with their cases and examples."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from utf8_abnf.conformance.harness.standard import first_piece
from utf8_abnf.conformance.harness.verdicts.cutting import first_ill_formed
from utf8_abnf.conformance.naming import EXTRA
from utf8_abnf.conformance.naming.naming import shortest_input
from utf8_abnf.conformance.suite.oracle import accepts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from utf8_abnf.automaton import Automaton
    from utf8_abnf.conformance.naming import Line

MAX_WORD = 16  # bytes of a word of a line


class Seen(NamedTuple):
    """An input that was judged wrongly, the id of its case, and the number of cases for which it stands."""

    data: bytes
    case: str
    cases: int


class VerdictClass(NamedTuple):
    """A class of wrong verdicts: the *language* that *line* derives is *accepted* wrongly or, if not, rejected.

    *cases* counts the cases that fell into it, *example* is its shortest input, *case* the id of a case that showed it.
    *where* says at which places alone it was seen, "" where it is everywhere.
    """

    accepted: bool
    line: str
    language: Automaton
    cases: int
    example: bytes
    case: str
    where: str


def classes_of(
    lines: Iterable[Line], standard: Automaton, seen: Sequence[Seen], are_wrong: Callable[[Sequence[bytes]], list[bool]]
) -> list[VerdictClass]:
    """Return *lines*, all of one direction, as classes; each of *seen* is counted in one of them.

    *are_wrong* tells for inputs whether the decoder judges them wrongly.
    """
    chosen = list(lines)
    of_line: dict[int, list[Seen]] = {number: [] for number in range(len(chosen))}
    for each in seen:
        of_line[_line_of(each.data, chosen)].append(each)
    found = []
    for number, line in enumerate(chosen):
        mine = of_line[number]
        examples = [shortest_input(line, standard), line.example, *(each.data for each in mine[:1])]
        wrong = [word for word, is_wrong in zip(examples, are_wrong(examples), strict=True) if is_wrong]
        if not (wrong or mine):  # nobody has seen it
            continue
        example = min(wrong or examples, key=lambda word: (len(word), word))
        case = mine[0].case if mine else ""
        cases = sum(each.cases for each in mine)
        found.append(
            VerdictClass(line.kind == EXTRA, line.words, line.language, cases, example, case, line.place.phrase)
        )
    return found


def _line_of(data: bytes, lines: Sequence[Line]) -> int:
    """Return the number of the line that is to blame for *data*: a word of it is there, at its place if possible."""
    words = [(at, end) for at in _starts(data, lines[0]) for end in range(at, min(at + MAX_WORD, len(data)) + 1)]
    words.append((0, len(data)))
    best = 0, 0
    for number, line in enumerate(lines):
        for at, end in words:
            if accepts(line.language, data[at:end]):
                rank = 1 + any(_is_there(each.automata, data[:at], data[end:]) for each in line.place.contexts)
                if rank > best[0]:
                    best = rank, number
    return best[1]


def _starts(data: bytes, line: Line) -> list[int]:
    """Return where a word of *line* may begin: at the first error, or at each of the first characters."""
    if line.kind == EXTRA:
        return [first_ill_formed(data)]
    starts = [0]
    while starts[-1] < len(data) and len(starts) < MAX_SPOTS:
        starts.append(starts[-1] + len(first_piece(data, starts[-1])))
    return starts


MAX_SPOTS = 200  # characters of an input that are looked at


def _is_there(automata: tuple[Automaton | None, Automaton | None], before: bytes, after: bytes) -> bool:
    return all(each is None or accepts(each, text) for each, text in zip(automata, (before, after), strict=True))
