"""Makes one class for each kind of error of the wrong answers in the modes p, r, s and i, with its shortest example.

Some follow from wrong verdicts, which are classes of their own: a decoder that takes a surrogate for a character tells
no offset for it, and puts something else than U+FFFD into the text. Whether that is so is asked in mode v.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import accumulate, islice
from typing import TYPE_CHECKING, NamedTuple

from utf8_abnf.conformance.harness.answers.incremental import ends_within_a_character
from utf8_abnf.conformance.harness.answers.wrong import ORDER
from utf8_abnf.conformance.harness.driving.protocol import ACCEPT, REJECT, verdict_of
from utf8_abnf.conformance.harness.standard import ill_formed_pieces

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from utf8_abnf.conformance.harness.answers.judging import WrongAnswer
    from utf8_abnf.conformance.harness.driving.session import Session

MAX_QUESTIONS = 20  # of a class that are asked, and some more, to see whether it follows from wrong verdicts
BORDER = "only where a piece ends within a character"

FILLER = b"a"
MAX_PIECES = 16  # ill-formed pieces of an input that are asked about


class Question(NamedTuple):
    """What to ask: an answer follows from verdicts if one of *inputs* is *accepted* or, if not, rejected."""

    inputs: tuple[bytes, ...]
    accepted: bool = True


NOTHING = Question(())  # about an answer that follows from no verdict


@dataclass(slots=True)
class WrongAnswers:
    """Wrong answers of one kind: how many, and the shortest.

    *at_borders*: in all of them a piece of the stream ends within a character. *questions* tell whether the first
    answers, and some later ones, follow from verdicts.
    """

    shortest: WrongAnswer
    count: int = 0
    at_borders: bool = True
    questions: set[Question] = field(default_factory=set)

    def add(self, answer: WrongAnswer) -> None:
        """Count *answer*; keep it if it is a shorter example than those before it."""
        self.count += 1
        self.at_borders = self.at_borders and _ends_a_piece_within_a_character(answer)
        is_sample = self.count <= MAX_QUESTIONS or self.count.bit_count() == 1
        if is_sample and NOTHING not in self.questions:
            self.questions.add(question(answer))
        self.shortest = min(self.shortest, answer, key=lambda each: (len(each.data), len(each.chunks)))


def _ends_a_piece_within_a_character(answer: WrongAnswer) -> bool:
    ends = accumulate(answer.chunks[:-1])
    return any(ends_within_a_character(answer.data[max(0, end - 4) : end]) for end in ends)


def answer_classes(wrong: Mapping[tuple[str, str], WrongAnswers]) -> list[WrongAnswers]:
    """Return the classes of *wrong*, whose keys are a kind of deviation and a kind of error, in a fixed order."""
    return [wrong[key] for key in sorted(wrong, key=lambda key: ORDER.index(key[1]))]


# -- what follows from wrong verdicts ----------------------------------------------------------------------------------


def question(wrong: WrongAnswer) -> Question:
    """Return what to ask to see whether *wrong* follows from a wrong verdict, ``NOTHING`` if it does not anyway."""
    data, answer, start = wrong.data, wrong.answer, wrong.error
    accepted = verdict_of(wrong.mode, answer, data) == ACCEPT
    if accepted is not (start is None):
        return Question((data,), accepted)
    if start is not None and wrong.mode == "p" and isinstance(answer, tuple) and answer[0] > start:
        return Question((data[: answer[0]] + FILLER * (len(data) - answer[0]),))
    if start is not None and wrong.mode == "r" and isinstance(answer, str):
        return _of_text(data, answer)
    return NOTHING


def _of_text(data: bytes, text: str) -> Question:
    """Return the question about *text*, which *data* gave: whether one of its ill-formed pieces alone is accepted."""
    pieces = list(islice(ill_formed_pieces(data), MAX_PIECES))
    if len(pieces) == 1:  # then it is known what the text around it is
        ((start, end),) = pieces
        before, after = data[:start].decode(), data[end:].decode()
        is_kept = len(text) >= len(before + after) and text.startswith(before) and text.endswith(after)
        return Question((data,)) if is_kept else NOTHING
    good = bytearray(data)
    for start, end in ill_formed_pieces(data):
        good[start:end] = FILLER * (end - start)
    return Question(tuple(bytes(good[:start]) + data[start:end] + bytes(good[end:]) for start, end in pieces))


def follow(questions: Iterable[Question], session: Session) -> bool:
    """Tell whether wrong answers with these *questions* follow from wrong verdicts, for which *session* is asked."""
    several = sorted(questions)
    return bool(several) and all(
        (ACCEPT if each.accepted else REJECT) in session.verdicts(list(each.inputs)) for each in several
    )
