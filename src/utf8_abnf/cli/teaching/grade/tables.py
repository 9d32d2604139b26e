"""The grades of a class as tables and files: grades in; text, CSV and a folder for the class out."""

from __future__ import annotations

import csv
import os
import re
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from utf8_abnf.cli.names import shown
from utf8_abnf.language import feedback as messages
from utf8_abnf.language.catalogue import say
from utf8_abnf.language.notation import hex_bytes, printable
from utf8_abnf.teaching.grading.reasons import lines, reasons

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path
    from typing import TextIO

    from utf8_abnf.cli.teaching.grade.submissions import Submission
    from utf8_abnf.teaching.grading.grading import Grade
    from utf8_abnf.teaching.grading.reasons import Feedback
    from utf8_abnf.teaching.grading.rubric import Rubric

COLUMNS = (
    "student", "file", "points", "verdict", "mistakes", "shortest", "shortest_is", "extra", "missing", "explanation",
)  # fmt: skip
# As Moodle's worksheet names them; an empty date holds no grade for newer than that in Moodle.
LMS_COLUMNS = ("Identifier", "Full name", "Grade", "Maximum Grade", "Last modified (grade)", "Feedback comments")
_NOT_IN_NAMES = re.compile(r'[\x00-\x1f<>:"/\\|?*\ud800-\udfff]')  # no file name has these on every system


class Graded(NamedTuple):
    """A file of a student, its grade, and the rubric by which it was graded."""

    submission: Submission
    grade: Grade
    rubric: Rubric

    def for_student(self) -> Graded:
        """Return the same with the file's name alone: where the teacher keeps it is not the student's business."""
        name = shown(os.path.basename(self.submission.path))
        problem = self.grade.problem.replace(self.grade.file, name)
        return self._replace(grade=replace(self.grade, file=name, problem=problem))


def print_text(graded: list[Graded], feedback: Feedback, out: TextIO) -> None:
    """Print points, file and reasons of each, and how many are equal to the reference."""
    for _, each, rubric in graded:
        print(f"{_points(each) or '-':>5}  {each.file}", file=out)
        for line in lines(each, rubric, feedback):
            print(f"       {line}", file=out)
    equal = sum(each.grade.verdict == "equal" for each in graded)
    print(f"\n{say(messages.GRADED, equal=equal, total=len(graded))}", file=out)
    if open_grades := [each.grade.file for each in graded if each.grade.person]:
        print(say(messages.NEEDS_A_PERSON, files=", ".join(open_grades)), file=out)


def print_csv(graded: list[Graded], feedback: Feedback, out: TextIO) -> None:
    """Print a row for each file, as in ``COLUMNS``."""
    _write_table(COLUMNS, (_row(each, feedback) for each in graded), out)


def write_folder(graded: list[Graded], feedback: Feedback, folder: Path) -> None:
    """Write ``grades.csv``, ``lms.csv`` and ``class.md`` into *folder*, and a file for each student in ``feedback/``.

    A student with several files has the points of the best of them.
    """
    students: dict[str, list[Graded]] = {}
    for each in graded:
        students.setdefault(each.submission.key, []).append(each)
    (folder / "feedback").mkdir(parents=True, exist_ok=True)
    with (folder / "grades.csv").open("w", encoding="utf-8", newline="") as file:
        print_csv(graded, feedback, file)
    best = [
        max(files, key=lambda each: (each.grade.points, each.grade.person)).for_student() for files in students.values()
    ]
    with (folder / "lms.csv").open("w", encoding="utf-8", newline="") as file:
        _write_table(LMS_COLUMNS, (_lms_row(each, feedback) for each in best), file)
    (folder / "class.md").write_text(_class_table(best), encoding="utf-8")
    taken: set[str] = set()
    for files in students.values():
        name = _file_name(files[0].submission, taken)
        with (folder / "feedback" / name).open("w", encoding="utf-8", errors="backslashreplace") as file:
            print(files[0].submission.student, end="\n\n", file=file)
            print_text([each.for_student() for each in files], feedback, file)


def _file_name(submission: Submission, taken: set[str]) -> str:
    """Return the name of the student's feedback: with the name as it came in front, Moodle knows whose it is."""
    stem = _NOT_IN_NAMES.sub("_", submission.key).strip(". ")[:150] or "_"
    name, number = f"{stem}_feedback.txt", 1
    while name.casefold() in taken:
        number += 1
        name = f"{stem}-{number}_feedback.txt"
    taken.add(name.casefold())
    return name


def _row(graded: Graded, feedback: Feedback) -> tuple[str, ...]:
    submission, each, rubric = graded
    kinds, why = "; ".join(_kinds(graded)), "; ".join(reasons(each, rubric, feedback))
    shortest, is_extra = "", ""
    if each.shortest is not None:
        shortest, is_extra = hex_bytes(each.shortest), "extra" if each.accepts_it else "missing"
    forms = "; ".join(each.extra), "; ".join(each.missing)
    return (submission.student, each.file, _points(each), each.verdict, kinds, shortest, is_extra, *forms, why)


def _points(each: Grade) -> str:
    """Return the points of *each*, "" where a person has to give them."""
    return "" if each.person else f"{each.points:.1f}"


def _kinds(graded: Graded) -> list[str]:
    """Return the mistakes in a word or two: the rubric's names, the kind, or the bytes at the place."""
    found = [row.name for row in graded.rubric.charges(graded.grade.mistakes) if row]
    for mistake in graded.grade.mistakes:
        word = mistake.name or ("extra" if mistake.extra else "missing")
        place = "" if mistake.said else mistake.place or hex_bytes(mistake.word)
        found.append(f"{word} {place}".strip())
    return found


def _lms_row(graded: Graded, feedback: Feedback) -> tuple[str, ...]:
    submission, each, rubric = graded
    identifier, why = submission.participant or printable(submission.key), "; ".join(reasons(each, rubric, feedback))
    return (identifier, submission.student, _points(each), f"{rubric.full:g}", "", why)


def _class_table(best: list[Graded]) -> str:
    """Return how often each mistake was made, the most frequent first, as Markdown."""
    made = Counter(kind for each in best for kind in _kinds(each))
    rows = [f"| {kind} | {number} |" for kind, number in made.most_common()]
    return "\n".join(["| mistake | students |", "|---|---|", *rows, ""])


def _write_table(columns: tuple[str, ...], rows: Iterable[tuple[str, ...]], out: TextIO) -> None:
    table = csv.writer(out, lineterminator="\n")
    table.writerow(columns)
    table.writerows(map(_cell, row) for row in rows)


def _cell(text: str) -> str:
    """Return *text* so that a spreadsheet reads it as text, even a file name that begins like a formula."""
    return f"'{text}" if text[:1] in {"=", "+", "-", "@", "\t", "\r"} else text
