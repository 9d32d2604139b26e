"""Classes of wrong answers in the modes p, r, s and i: one for each kind of error, with its shortest example."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from utf8_abnf.conformance.harness.answers.following import NOTHING, Question, question
from utf8_abnf.conformance.harness.answers.incremental import ends_within_a_character
from utf8_abnf.conformance.harness.answers.wrong import ORDER

if TYPE_CHECKING:
    from collections.abc import Mapping

    from utf8_abnf.conformance.harness.answers.judging import WrongAnswer

MAX_QUESTIONS = 20  # of a class that are asked, and some more, to see whether it follows from wrong verdicts
BORDER = "only where a piece ends within a character"


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

    @property
    def detail(self) -> str:
        """Where alone the answers are wrong, "" if nothing is known of that."""
        return BORDER if self.at_borders else ""


def _ends_a_piece_within_a_character(answer: WrongAnswer) -> bool:
    end = 0
    for size in answer.chunks[:-1]:
        end += size
        if ends_within_a_character(answer.data[max(0, end - 4) : end]):
            return True
    return False


def answer_classes(wrong: Mapping[tuple[str, str], WrongAnswers]) -> list[WrongAnswers]:
    """Return the classes of *wrong*, whose keys are a kind of deviation and a kind of error, in a fixed order."""
    return [wrong[key] for key in sorted(wrong, key=lambda key: ORDER.index(key[1]))]
