"""``utf8-abnf grade``: a class's grammars in; points for each grammar and the reason for every lost point out."""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

from utf8_abnf.cli.arguments import seconds
from utf8_abnf.cli.names import shown
from utf8_abnf.cli.status import ILL_FORMED, OK
from utf8_abnf.cli.teaching.grade.child import Task, graded_alone
from utf8_abnf.cli.teaching.grade.submissions import submissions
from utf8_abnf.cli.teaching.grade.tables import Graded, print_csv, print_text, write_folder
from utf8_abnf.errors import UsageError
from utf8_abnf.grammar import Grammar
from utf8_abnf.language.catalogue import LANGUAGES, SOURCE, speaking, wanted
from utf8_abnf.teaching.grading.grading import count_mistakes, grade
from utf8_abnf.teaching.grading.requirements import MAX_RULES, RIGHT_LINEAR, UNAMBIGUOUS, requirements
from utf8_abnf.teaching.grading.rubric import STARTER_MISTAKES, read_rubric
from utf8_abnf.teaching.grading.variants import EACH, variant

if TYPE_CHECKING:
    import argparse

    from utf8_abnf.cli.teaching.grade.submissions import Submission
    from utf8_abnf.teaching.grading.rubric import Rubric

DESCRIPTION = """\
Grade ABNF grammars by the bytes that they accept. A grammar that accepts exactly the bytes of the reference has 100
points, however it is written; from any other each mistake takes points, as many as each other or what the rubric says.
docs/play.md says what one mistake is. Where a person has to look, the points are left empty.

Each file is graded in a process of its own, with a limit of time and, on Linux, of memory: no file stops the others. A
subfolder is a student, and so is a file beside it; the names are those that Moodle and GitHub Classroom give. --out
writes grades.csv, lms.csv (a row for each student, for the import into Moodle), class.md (how often each mistake was
made) and a file of feedback for each student."""

EPILOG = """\
exit status:
  0  all grammars are equal to the reference
  1  a grammar is not
  2  usage or I/O error, or a problem of the reference

examples:
  utf8-abnf grade submissions/*.abnf
  utf8-abnf grade submissions --format csv > points.csv
  utf8-abnf grade submissions --rubric rubric.toml --feedback hint --out graded
  utf8-abnf grade submissions --variant number/each --rubric rubric.toml
  utf8-abnf grade --variant number/Ana --solution"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``grade``."""
    parser.description, parser.epilog = DESCRIPTION, EPILOG
    parser.add_argument(
        "files",
        metavar="FILE",
        nargs="*",
        help="a grammar, or a folder: all *.abnf and *.txt in it, and all that else a student handed in",
    )
    parser.add_argument("--grammar", metavar="NAME|FILE", default="utf8", help="the reference (default: utf8)")
    parser.add_argument(
        "--variant",
        metavar="TASK[/NAME]",
        help="the task number, text or decoder, in NAME's variant; number/each grades each student by their own",
    )
    parser.add_argument("--solution", action="store_true", help="print the task and the solution of --variant, and end")
    forms = f"what else is asked for: {UNAMBIGUOUS}, {RIGHT_LINEAR} or {MAX_RULES}N; may be repeated"
    parser.add_argument("--require", metavar="WHAT", action="append", default=[], help=forms)
    unused = "a core rule that may not be used; may be repeated"
    parser.add_argument("--forbid", metavar="RULE", action="append", default=[], help=unused)
    parser.add_argument("--rubric", metavar="FILE", help="a TOML file: the starter, and what each mistake costs")
    parser.add_argument("--timeout", metavar="SECONDS", type=seconds, default=20.0, help="for each file (default: 20)")
    parser.add_argument(
        "--feedback", choices=("full", "hint"), default="full", help="full (default), or hint: only kind and offset"
    )
    parser.add_argument("--out", metavar="FOLDER", help="also write tables, and feedback for each student")
    parser.add_argument("--format", choices=("text", "csv"), default="text", help="default: text")
    parser.add_argument("--language", choices=LANGUAGES, help="the language of the reasons (default: LANG)")


def run(args: argparse.Namespace) -> int:
    """Grade the files and return the exit status."""
    language = args.language or (wanted() if args.format == "text" else SOURCE)
    with speaking(language):
        if args.solution:
            return _print_solution(args.variant)
        if not args.files:
            raise UsageError("name the files to grade")
        return _run(args, language)


def _run(args: argparse.Namespace, language: str) -> int:
    wanted = requirements(args.require, args.forbid)
    path = Path(args.rubric or "")
    rubric, starter = read_rubric(path.read_bytes() if args.rubric else b"", shown(str(path)))
    if starter and (path.parent / starter).exists():
        starter = str(path.parent / starter)
    found = submissions(args.files)
    if args.out:
        _refuse_inside(args.out, args.files)
    graded = []
    for names, group in groupby(found, key=lambda each: _names(args.variant, each)):
        reference = _variant(*names) if names else Grammar.load(args.grammar)
        task = Task(reference, _complete(rubric, starter, reference), wanted, language)
        graded += [Graded(each, graded_alone(each, task, args.timeout), task.rubric) for each in group]
    if args.out:
        write_folder(graded, args.feedback, Path(args.out))
    printer = print_csv if args.format == "csv" else print_text
    printer(graded, args.feedback, sys.stdout)
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
    print(f"{'//' if names[0] == 'decoder' else ';'} {found.task}\n{found.solution}", end="")
    return OK


def _complete(rubric: Rubric, starter: str, reference: Grammar) -> Rubric:
    """Return *rubric* with what each mistake costs, and see that the starter has no points by it."""
    grammar = Grammar.load(starter) if starter else None
    if not rubric.each:
        number = count_mistakes(grammar, reference) if grammar else STARTER_MISTAKES
        rubric = replace(rubric, each=rubric.full / number)
    if grammar and (points := grade(grammar.text, reference, rubric=rubric).points):
        raise UsageError(f"by this rubric the starter has {points:g} points: let its mistakes cost {rubric.full:g}")
    return rubric


def _refuse_inside(out: str, graded: list[str]) -> None:
    """Refuse to write into a folder that is graded: the feedback would be graded the next time."""
    for path in graded:
        if os.path.isdir(path) and Path(path).resolve() in [Path(out).resolve(), *Path(out).resolve().parents]:
            raise UsageError(f"{shown(out)} is in {shown(path)}, which is graded; name another folder for --out")
