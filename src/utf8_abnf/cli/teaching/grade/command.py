"""``utf8-abnf grade``: a class's grammars in; points for each grammar and the reason for every lost point out."""

from __future__ import annotations

import os
import sys
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

from utf8_abnf.cli.sources import shown
from utf8_abnf.cli.status import ILL_FORMED, OK
from utf8_abnf.cli.teaching.grade.child import Task, graded_alone
from utf8_abnf.cli.teaching.grade.codes import grade_codes
from utf8_abnf.cli.teaching.grade.submissions import submissions
from utf8_abnf.cli.teaching.grade.tables import Graded, Words, print_csv, print_json, print_text, write_folder
from utf8_abnf.errors import UsageError
from utf8_abnf.grammar import Grammar
from utf8_abnf.language.catalogue import LANGUAGES, SOURCE, speaking, wanted
from utf8_abnf.teaching.grading.grading import BY_MISTAKES, Grade, count_mistakes, grade
from utf8_abnf.teaching.grading.requirements import MAX_RULES, RIGHT_LINEAR, UNAMBIGUOUS, requirements
from utf8_abnf.teaching.grading.rubric import STARTER_MISTAKES, read_rubric
from utf8_abnf.teaching.grading.variants import EACH, variant

if TYPE_CHECKING:
    import argparse

    from utf8_abnf.cli.teaching.grade.submissions import Submission
    from utf8_abnf.teaching.grading.rubric import Rubric

DESCRIPTION = """\
Grade ABNF grammars by the bytes that they accept. A grammar that accepts exactly the bytes of the reference has 100
points, however it is written.

From any other grammar each mistake takes points: what the rubric says, or as many as each other. The starter that the
students were given has no points: with N mistakes in it, a mistake takes 100 / N points. A mistake is a place where
only one of the two can still accept: after a byte (the same bytes at several places are one mistake), or at the end of
the input, counted once for each way in which the reference begins a character, and once for all texts that are cut off.
To describe one character, or some sequences of characters only, is one mistake, and so is to begin with another rule
than the one that would be right. Slips of syntax, such as | for /, are put right and are one mistake together; what
--require and --forbid ask for and is not met is a mistake each. A grammar that cannot be read, or that accepts nothing
of the reference but the empty input, has no points. Where a person has to look, the points are left empty.

Each file is graded in a process of its own, with a limit of time and, on Linux, of memory: no file stops the others. A
subfolder is a student, and so is a file beside it; the names are those that Moodle and GitHub Classroom give. --out
writes grades.csv, lms.csv (a row for each student, for the import into Moodle), class.md (who made which mistake) and a
file of feedback for each student."""

EPILOG = """\
exit status:
  0  all grammars are equal to the reference
  1  a grammar is not
  2  usage or I/O error, or a problem of the reference

examples:
  utf8-abnf grade submissions/*.abnf
  utf8-abnf grade submissions --format csv > points.csv
  utf8-abnf grade submissions --rubric rubric.toml --feedback hint --out graded
  utf8-abnf grade submissions --variant number/each --rubric number.toml
  utf8-abnf grade --variant number/Ana --solution
  echo 1/Ana/predict=v.0.2/code=28.73/uri=v | utf8-abnf grade --codes -"""

MAX_SECONDS = 3600


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``grade``."""
    parser.description, parser.epilog = DESCRIPTION, EPILOG
    parser.add_argument(
        "files",
        metavar="FILE",
        nargs="*",
        help="a grammar, or a folder: all *.abnf and *.txt in it, and all that else a student handed in",
    )
    parser.add_argument("--codes", action="store_true", help="judge result codes of the play page, one on each line")
    parser.add_argument("--grammar", metavar="NAME|FILE", default="utf8", help="the reference (default: utf8)")
    parser.add_argument(
        "--variant",
        metavar="TASK[/NAME]",
        help="the task number, text or decoder, in NAME's variant; number/each grades each student by their own",
    )
    parser.add_argument("--solution", action="store_true", help="print the task and the solution of --variant, and end")
    parser.add_argument(
        "--require",
        metavar="WHAT",
        action="append",
        default=[],
        help=f"what else is asked for: {UNAMBIGUOUS}, {RIGHT_LINEAR} or {MAX_RULES}N; may be repeated",
    )
    parser.add_argument(
        "--forbid",
        metavar="RULE",
        action="append",
        default=[],
        help="a core rule that may not be used; may be repeated",
    )
    parser.add_argument("--rubric", metavar="FILE", help="a TOML file: the starter, and what each mistake costs")
    parser.add_argument("--timeout", metavar="SECONDS", type=_seconds, default=20.0, help="for each file (default: 20)")
    parser.add_argument(
        "--feedback", choices=("full", "hint"), default="full", help="full (default), or hint: only kind and offset"
    )
    parser.add_argument("--out", metavar="FOLDER", help="also write tables, and feedback for each student")
    parser.add_argument("--format", choices=("text", "csv", "json"), default="text", help="default: text")
    parser.add_argument("--language", choices=LANGUAGES, help="the language of the reasons (default: LANG)")


def run(args: argparse.Namespace) -> int:
    """Grade the files and return the exit status."""
    if args.solution:
        return _print_solution(args.variant)
    if not args.files:
        raise UsageError("name the files to grade")
    if args.codes:
        return grade_codes(args.files, sys.stdout)
    language = args.language or (wanted() if args.format == "text" else SOURCE)
    with speaking(language):
        return _run(args, language)


def _run(args: argparse.Namespace, language: str) -> int:
    wanted = requirements(args.require, args.forbid)
    found = submissions(args.files)
    if args.out:
        _refuse_inside(args.out, args.files)
    graded, words = [], Words(BY_MISTAKES, args.feedback)
    for names, group in groupby(found, key=lambda each: _names(args.variant, each)):
        reference = _variant(*names) if names else Grammar.load(args.grammar)
        words = Words(_rubric(args, reference), args.feedback)
        task = Task(reference, words.rubric, wanted, language)
        graded += [Graded(each, _graded(each, task, args.timeout)) for each in group]
    if args.out:
        write_folder(graded, words, Path(args.out))
    _PRINTERS[args.format](graded, words, sys.stdout)
    return OK if all(each.grade.verdict == "equal" for each in graded) else ILL_FORMED


def _names(chosen: str | None, submission: Submission | None = None) -> tuple[str, str] | None:
    """Return the task and the name whose variant is *chosen*; "each" is the student of *submission*."""
    if not chosen:
        return None
    task, _, name = chosen.partition("/")
    return task, submission.student if submission and name == EACH else name


def _variant(task: str, name: str) -> Grammar:
    if task == "decoder":
        raise UsageError("a person grades the answers to the task decoder")
    return Grammar.parse(variant(task, name).solution, file=task, values="bytes")


def _print_solution(chosen: str | None) -> int:
    names = _names(chosen)
    if not names:
        raise UsageError("--solution prints what --variant names")
    found = variant(*names)
    comment = "// {}" if names[0] == "decoder" else "; {}"
    print(f"{comment.format(found.task)}\n{found.solution}", end="")
    return OK


def _graded(submission: Submission, task: Task, timeout: float) -> Grade:
    if submission.problem:
        return Grade(shown(submission.path), 0.0, problem=submission.problem)
    return graded_alone(submission.path, task, timeout)


def _rubric(args: argparse.Namespace, reference: Grammar) -> Rubric:
    """Return what mistakes cost, and see that the starter has no points by it."""
    file = Path(args.rubric) if args.rubric else None
    text = _text_of(file) if file else ""
    _, named = read_rubric(text, shown(args.rubric or ""), STARTER_MISTAKES)
    starter = str(file.parent / named) if file and named and (file.parent / named).exists() else named
    number = count_mistakes(Grammar.load(starter), reference) if starter else STARTER_MISTAKES
    rubric, _ = read_rubric(text, shown(args.rubric or ""), number)
    if starter and (points := grade(Grammar.load(starter).text, reference, rubric=rubric).points):
        raise UsageError(f"by this rubric the starter has {points:g} points: let its mistakes cost {rubric.full:g}")
    return rubric


def _text_of(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise UsageError(f"{shown(str(file))} is not UTF-8") from None


def _refuse_inside(out: str, graded: list[str]) -> None:
    """Refuse to write into a folder that is graded: the feedback would be graded the next time."""
    for path in graded:
        if os.path.isdir(path) and Path(path).resolve() in [Path(out).resolve(), *Path(out).resolve().parents]:
            raise UsageError(f"{shown(out)} is in {shown(path)}, which is graded; name another folder for --out")


def _seconds(text: str) -> float:
    seconds = float(text)
    if not 0 < seconds <= MAX_SECONDS:
        raise ValueError(text)
    return seconds


_seconds.__name__ = "number of seconds"  # as argparse names it in a message
_PRINTERS = {"text": print_text, "csv": print_csv, "json": print_json}
