"""The grades of a class as tables and files: grades in; text, CSV, JSON and a folder for the class out."""

from __future__ import annotations

import csv
import json
import os
import re
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from utf8_abnf.cli.sources import shown
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
LMS_COLUMNS = (
    "Identifier",
    "Full name",
    "Grade",
    "Maximum Grade",
    "Last modified (grade)",  # Moodle wants this column; empty, it holds no grade for newer than that in Moodle
    "Feedback comments",
)  # as Moodle's worksheet names them
_OF_MARKDOWN = re.compile(r"[\\`*_\[\]<>&|]")
_NOT_IN_NAMES = re.compile(r'[\x00-\x1f<>:"/\\|?*\ud800-\udfff]')  # no file name has these on every system


class Graded(NamedTuple):
    """A file of a student, and its grade."""

    submission: Submission
    grade: Grade

    def for_student(self) -> Graded:
        """Return the same with the file's name alone: where the teacher keeps it is not the student's business."""
        name = shown(os.path.basename(self.submission.path))
        problem = self.grade.problem.replace(self.grade.file, name)
        return Graded(self.submission, replace(self.grade, file=name, problem=problem))


class Words(NamedTuple):
    """How the reasons are told: with the costs of which *rubric*, and how much of them."""

    rubric: Rubric
    feedback: Feedback


def print_text(graded: list[Graded], words: Words, out: TextIO) -> None:
    """Print points, file and reasons of each, and how many are equal to the reference."""
    for _, each in graded:
        print(f"{_points(each):>5}  {each.file}", file=out)
        for line in lines(each, words.rubric, words.feedback):
            print(f"       {line}", file=out)
    equal = sum(each.verdict == "equal" for _, each in graded)
    print(f"\n{say(messages.GRADED, equal=equal, total=len(graded))}", file=out)
    if open_grades := [each.file for _, each in graded if each.person]:
        print(say(messages.NEEDS_A_PERSON, files=", ".join(open_grades)), file=out)


def print_csv(graded: list[Graded], words: Words, out: TextIO) -> None:
    """Print a row for each file, as in ``COLUMNS``."""
    _write_table(COLUMNS, (_row(each, words) for each in graded), out)


def print_json(graded: list[Graded], _words: Words, out: TextIO) -> None:
    """Print all that is known of each file."""

    def plain(submission: Submission, each: Grade) -> dict[str, Any]:
        found = {"student": submission.student} | asdict(each) | {"verdict": each.verdict}
        if each.person:
            found["points"] = None
        found["shortest"] = None if each.shortest is None else hex_bytes(each.shortest)
        for mistake in [*found["mistakes"], *filter(None, [found["first_rule"]])]:
            mistake["word"] = hex_bytes(mistake["word"])
        return found

    print(json.dumps({"grades": [plain(*each) for each in graded]}, indent=1), file=out)


def write_folder(graded: list[Graded], words: Words, folder: Path) -> None:
    """Write ``grades.csv``, ``lms.csv`` and ``class.md`` into *folder*, and a file for each student in ``feedback/``.

    A student with several files has the points of the best of them.
    """
    students: dict[str, list[Graded]] = {}
    for each in graded:
        students.setdefault(each.submission.key, []).append(each)
    (folder / "feedback").mkdir(parents=True, exist_ok=True)
    with (folder / "grades.csv").open("w", encoding="utf-8", newline="") as file:
        print_csv(graded, words, file)
    best = [
        max(files, key=lambda each: (each.grade.points, each.grade.person)).for_student() for files in students.values()
    ]
    with (folder / "lms.csv").open("w", encoding="utf-8", newline="") as file:
        _write_table(LMS_COLUMNS, (_lms_row(each, words) for each in best), file)
    (folder / "class.md").write_text(_class_table(best), encoding="utf-8")
    taken: set[str] = set()
    for files in students.values():
        name = _file_name(files[0].submission, taken)
        with (folder / "feedback" / name).open("w", encoding="utf-8", errors="backslashreplace") as file:
            print(files[0].submission.student, end="\n\n", file=file)
            print_text([each.for_student() for each in files], words, file)


def _file_name(submission: Submission, taken: set[str]) -> str:
    """Return the name of the student's feedback: with the name as it came in front, Moodle knows whose it is."""
    stem = _NOT_IN_NAMES.sub("_", submission.key).strip(". ")[:150] or "_"
    name, number = f"{stem}_feedback.txt", 1
    while name.casefold() in taken:
        number += 1
        name = f"{stem}-{number}_feedback.txt"
    taken.add(name.casefold())
    return name


def _row(graded: Graded, words: Words) -> dict[str, str]:
    each = graded.grade
    return {
        "student": graded.submission.student,
        "file": each.file,
        "points": _points(each),
        "verdict": each.verdict,
        "mistakes": "; ".join(_kinds(each)),
        "shortest": "" if each.shortest is None else hex_bytes(each.shortest),
        "shortest_is": "" if each.shortest is None else "extra" if each.accepts_it else "missing",
        "extra": "; ".join(each.extra),
        "missing": "; ".join(each.missing),
        "explanation": "; ".join(reasons(each, words.rubric, words.feedback)),
    }


def _points(each: Grade) -> str:
    """Return the points of *each*, "" where a person has to give them."""
    return "" if each.person else f"{each.points:.1f}"


def _kinds(each: Grade) -> list[str]:
    """Return the mistakes of *each* in a word or two: the rubric's name, the code, or the bytes at its place."""
    found = [charge.name for charge in each.charges if charge.name]
    if each.right_rule or (each.better_start and not each.sequence):
        found.append("other-start")
    found += ["one-character"] * each.one_character + ["syntax"] * bool(each.slips) + ["requirement"] * bool(each.unmet)
    for mistake in each.mistakes:
        word = mistake.name or ("extra" if mistake.extra else "missing")
        found.append(f"{word} {mistake.place or hex_bytes(mistake.word)}".strip())
    return found


def _lms_row(graded: Graded, words: Words) -> dict[str, str]:
    each, submission = graded.grade, graded.submission
    return {
        "Identifier": submission.participant or printable(submission.key),
        "Full name": submission.student,
        "Grade": _points(each),
        "Maximum Grade": f"{words.rubric.full:g}",
        "Last modified (grade)": "",
        "Feedback comments": "; ".join(reasons(each, words.rubric, words.feedback)),
    }


def _class_table(best: list[Graded]) -> str:
    """Return the class as Markdown: a row for each student, and how often each mistake was made."""
    rows = ["| student | points | verdict | mistakes |", "|---|---|---|---|"]
    made: dict[str, int] = {}
    for submission, each in best:
        kinds = _kinds(each)
        for kind in kinds:
            made[kind] = made.get(kind, 0) + 1
        rows.append(_markdown_row(submission.student, _points(each), each.verdict, ", ".join(kinds)))
    often = [
        _markdown_row(kind, f"{number}") for kind, number in sorted(made.items(), key=lambda each: (-each[1], each[0]))
    ]
    return "\n".join([*rows, "", "| mistake | students |", "|---|---|", *often, ""])


def _markdown_row(*cells: str) -> str:
    return "| " + " | ".join(_OF_MARKDOWN.sub(r"\\\g<0>", cell) for cell in cells) + " |"


def _write_table(columns: tuple[str, ...], rows: Iterable[dict[str, str]], out: TextIO) -> None:
    table = csv.writer(out, lineterminator="\n")
    table.writerow(columns)
    table.writerows([_cell(row[name]) for name in columns] for row in rows)


def _cell(text: str) -> str:
    """Return *text* so that a spreadsheet reads it as text, even a file name that begins like a formula."""
    return f"'{text}" if text[:1] in {"=", "+", "-", "@", "\t", "\r"} else text
