"""Classes of wrong answers in the modes p, r, s and i: for each kind of error, or one where all have a cause in common.

Wrong offsets, texts and streams are counted for each kind of error. Where the wrong answers about several kinds share
something that could be their cause, an empty piece say, or an offset that is one too large, they are one class.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from utf8_abnf.harness.patterns import TAIL
from utf8_abnf.harness.replacing import BOM, RULES
from utf8_abnf.validator.ill_formed import CODES

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator

    from utf8_abnf.harness.judging import WrongAnswer

WELL_FORMED = "well-formed"
EVERY_CODE = frozenset(CODES)
ANY_ERROR, ANY_INPUT = "any error", "any input"
MAX_LISTED = 2  # kinds of errors that a class is named for, so that its line fits on a screen
MIN_BOUND = 16  # bytes: each kind of error is asked at smaller offsets, so that a smaller bound tells nothing
TAILS = {bytes([byte]) for byte in TAIL}
TOLERANCE = 64  # bytes by which the bounds of kinds of errors differ, for not each is asked at each offset


def _borders(wrong: WrongAnswer) -> Iterator[int]:
    """Yield where the pieces of a stream end, but for the last one."""
    end = 0
    for size in (wrong.case.chunks or ())[:-1]:
        end += size
        yield end


def _start(wrong: WrongAnswer) -> int:
    return wrong.case.error.start if wrong.case.error else 0


#   what all inputs of a class have, to be read after "only": whether an input has it
PLACES: dict[str, Callable[[WrongAnswer], bool]] = {
    "where a piece is empty": lambda wrong: 0 in (wrong.case.chunks or ()),
    "where a BOM begins a later piece": lambda wrong: any(
        wrong.case.data.startswith(BOM, border) for border in _borders(wrong)
    ),
    "in input that begins with a BOM": lambda wrong: wrong.case.data.startswith(BOM),
    "in input with %x00": lambda wrong: b"\0" in wrong.case.data,
    "behind a character above %x7F": lambda wrong: not wrong.case.data[: _start(wrong)].isascii(),
    "where a piece begins with %x80-BF": lambda wrong: any(
        wrong.case.data[border : border + 1] in TAILS for border in _borders(wrong)
    ),
}
NUMBERS: dict[str, Callable[[WrongAnswer], int]] = {
    "from offset {:,} on": _start,
    "in input of {:,} bytes or more": lambda wrong: len(wrong.case.data),
}


def _fault(wrong: WrongAnswer) -> Hashable:
    """Return what is wrong with an answer in a form that is the same for equal faults; "" where none is."""
    error = wrong.case.error
    if wrong.mode == "p" and error and isinstance(wrong.answer, tuple):
        return wrong.answer[0] - error.start, wrong.answer[1] - error.length
    if wrong.mode == "r":
        return next((rule for rule in RULES if wrong.why.startswith(rule)), "")
    return re.sub(r"\d+", "", wrong.why.partition(": ")[2])


@dataclass(slots=True)
class WrongAnswers:
    """Wrong answers of one kind about one kind of error: how many, the first of the shortest, and what all share."""

    shortest: WrongAnswer
    count: int = 0
    places: list[str] = field(default_factory=lambda: list(PLACES))
    least: dict[str, int] = field(default_factory=dict)
    fault: Hashable = None

    def add(self, answer: WrongAnswer) -> None:
        """Count *answer*; keep it if it is about less data than those before it."""
        self.places = [name for name in self.places if PLACES[name](answer)]
        for name, number in NUMBERS.items():
            self.least[name] = min(number(answer), self.least.get(name, len(answer.case.data)))
        if self.fault != "":
            fault = _fault(answer)
            self.fault = fault if not self.count or fault == self.fault else ""
        self.count += 1
        if len(answer.case.data) < len(self.shortest.case.data):
            self.shortest = answer


class AnswerClass(NamedTuple):
    """A class of wrong answers: *line* names the kinds of errors, *where* says where alone they are, "" if anywhere."""

    kind: str
    line: str
    where: str
    shortest: WrongAnswer
    cases: int


def answer_classes(wrong: dict[tuple[str, str], WrongAnswers]) -> Iterator[AnswerClass]:
    """Yield the classes of *wrong*, whose keys are a kind of deviation and a kind of error."""
    for kind in dict.fromkeys(kind for kind, _ in wrong):
        left = {code: answers for (each, code), answers in wrong.items() if each == kind}
        where, joined = _common(left)
        if joined:
            several = [left.pop(code) for code in joined]
            shortest = min((each.shortest for each in several), key=lambda each: len(each.case.data))
            yield AnswerClass(kind, _line(joined), where, shortest, sum(each.count for each in several))
        for code, answers in left.items():
            yield AnswerClass(kind, code, "", answers.shortest, answers.count)


def _common(left: dict[str, WrongAnswers]) -> tuple[str, list[str]]:
    """Return what the wrong answers about most kinds of errors share, in words, and these kinds; [] if there are none.

    A fault that is the same wherever it is needs no place, but then every kind of error has to have it.
    """
    choices = [(f"only {name}", [code for code in left if name in left[code].places]) for name in PLACES]
    for name in NUMBERS:
        bounds = {code: answers.least[name] for code, answers in left.items() if answers.least[name] >= MIN_BOUND}
        least = min(bounds.values(), default=0)
        near = [code for code, bound in bounds.items() if bound <= least + least // 8 + TOLERANCE]
        choices.append((f"only {name.format(least)}", near))
    faults = {answers.fault for code, answers in left.items() if code != WELL_FORMED}
    if left.keys() >= EVERY_CODE and len(faults) == 1 and "" not in faults:
        choices.append(("", list(CODES)))
    where, joined = max(choices, key=lambda choice: len(choice[1]))
    return (where, joined) if len(joined) > 1 else ("", [])


def _line(codes: list[str]) -> str:
    well_formed = WELL_FORMED in codes
    if set(codes) >= EVERY_CODE:
        return ANY_INPUT if well_formed else ANY_ERROR
    return " / ".join(codes) if len(codes) <= MAX_LISTED else f"several kinds of {'input' if well_formed else 'errors'}"
