"""The reasons for a grade's points, for the teacher and for the student: a grade in, lines of text out."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal

from utf8_abnf.language import feedback as messages
from utf8_abnf.language.catalogue import count, padded, say
from utf8_abnf.teaching.grading.mistakes import TEXT, shown_word

if TYPE_CHECKING:
    from collections.abc import Iterator

    from utf8_abnf.teaching.grading.grading import Grade
    from utf8_abnf.teaching.grading.mistakes import Mistake
    from utf8_abnf.teaching.grading.rubric import Rubric

MAX_FORMS = 4  # lines of ABNF, of those that one of the two accepts alone
Feedback = Literal["full", "hint"]


def lines(each: Grade, rubric: Rubric, feedback: Feedback) -> Iterator[str]:
    """Yield all that is said about *each*; a hint names the kind and the place of a mistake, but no bytes."""
    yield from reasons(each, rubric, feedback)
    if feedback == "full":
        for title, found in ((messages.EXTRA_LABEL, each.extra), (messages.MISSING_LABEL, each.missing)):
            for form in found[:MAX_FORMS]:
                yield f"{padded(say(title), 8)} {form}"
            if len(found) > MAX_FORMS:
                yield f"{padded('', 8)} {count(messages.MORE, len(found) - MAX_FORMS)}"


def reasons(each: Grade, rubric: Rubric, feedback: Feedback) -> Iterator[str]:
    """Yield the reasons for the points of *each*, one line at a time."""
    yield from each.notes
    if each.problem:
        yield each.problem
        return
    for mistake in each.mistakes:
        yield from mistake.said or [_sentence(mistake, feedback)]
        if mistake.first:
            yield say(messages.FIRST_RULE, mistake=_sentence(mistake.first, feedback))
    if each.shortest is None:
        yield say(messages.EQUAL)
    yield from _costs(each, rubric)


def _costs(each: Grade, rubric: Rubric) -> Iterator[str]:
    charges = rubric.charges(each.mistakes)
    named = [row for row in charges if row]
    for row in named:
        yield say(messages.NAMED, name=row.name, points=f"{row.points:g}")
        yield from filter(None, [row.hint])
    if charges and rubric.points(each.mistakes) == 0:
        yield say(messages.NO_POINTS_LEFT, number=len(each.mistakes))
    elif not each.some_right:
        yield say(messages.NOTHING_RIGHT)
    elif len(named) < len(charges):
        yield say(messages.EACH_OTHER if named else messages.EACH, points=f"{rubric.each:.1f}")


def _sentence(mistake: Mistake, feedback: Feedback) -> str:
    if feedback == "hint" and mistake.word:  # nothing can be said of the empty input that would not name it
        message = messages.HINT_EXTRA if mistake.extra else messages.HINT_MISSING
        said = say(message, length=count(messages.LENGTH, len(mistake.word)))
        place = say(messages.AT, offset=mistake.offset)
    else:
        said = say(messages.EXTRA if mistake.extra else messages.MISSING, word=shown_word(mistake.word))
        place = say(messages.PLACE, bytes=_shown_place(mistake), offset=mistake.offset) if mistake.place else ""
    known = ", ".join(filter(None, [mistake.name, place]))
    return f"{said} ({known})" if known else said


def _shown_place(mistake: Mistake) -> str:
    """Return the bytes of the place, as characters where the whole input is text: ``"6".."9"``."""
    if not all(byte in TEXT for byte in mistake.word):
        return mistake.place
    return re.sub("[0-9A-F]{2}", lambda byte: f'"{chr(int(byte[0], 16))}"', mistake.place)
