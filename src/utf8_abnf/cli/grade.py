"""``utf8-abnf grade``: a class's grammars in; points for each grammar and the reason for every lost point out."""

from __future__ import annotations

import csv
import json
import os
import sys
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from utf8_abnf.cli.sources import shown
from utf8_abnf.cli.status import ILL_FORMED, OK
from utf8_abnf.errors import UsageError
from utf8_abnf.grammar import Grammar
from utf8_abnf.grammar.model import MAX_BYTES
from utf8_abnf.language import messages
from utf8_abnf.language.catalogue import LANGUAGES, choose, padded, say
from utf8_abnf.notation import hex_bytes
from utf8_abnf.play.grading import FULL, STARTER_MISTAKES, Grade, count_mistakes, grade

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from utf8_abnf.play.mistakes import Mistake

DESCRIPTION = """\
Grade ABNF grammars by the bytes that they accept. A grammar that accepts exactly the bytes of the reference has 100
points, however it is written.

From any other grammar each mistake takes as many points as the others. The starter that the students were given has no
points: with N mistakes in it, a mistake takes 100 / N points. A mistake is a place where only one of the two can still
accept: after a byte (the same bytes at several places are one mistake), or at the end of the input, counted once for
each way in which the reference begins a character. To describe one character instead of a sequence of characters is
one mistake, and so is to begin with another rule than the one that would be right. A grammar that cannot be read, or
that accepts nothing of the reference but the empty input, has no points."""

EPILOG = """\
exit status:
  0  all grammars are equal to the reference
  1  a grammar is not
  2  usage or I/O error, or a problem of the reference

examples:
  utf8-abnf grade submissions/*.abnf
  utf8-abnf grade submissions --format csv > points.csv
  utf8-abnf grade submissions/*.abnf --starter starter.abnf"""

COLUMNS = ("file", "points", "verdict", "shortest", "shortest_is", "extra", "missing", "explanation")


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``grade``."""
    parser.description, parser.epilog = DESCRIPTION, EPILOG
    parser.add_argument(
        "files",
        metavar="FILE",
        nargs="+",
        help="a grammar, or a folder: all *.abnf and *.txt in it and in its subfolders",
    )
    parser.add_argument("--grammar", metavar="NAME|FILE", default="utf8", help="the reference (default: utf8)")
    parser.add_argument("--starter", metavar="NAME|FILE", help="the grammar that the students began with, which has no"
        " points (default: that of lesson 3, which has six mistakes)")  # fmt: skip
    parser.add_argument("--start", metavar="RULE", help="where the submissions start (default: the rule that the"
        " reference starts at, if they have it, or their first)")  # fmt: skip
    parser.add_argument("--format", choices=("text", "csv", "json"), default="text", help="default: text")
    parser.add_argument("--language", choices=LANGUAGES, help="the language of the reasons (default: what LANG says;"
        " English in csv and json)")  # fmt: skip


def run(args: argparse.Namespace) -> int:
    """Grade the files and return the exit status."""
    choose(args.language, for_programs=args.format != "text")
    reference = Grammar.load(args.grammar)
    worth = count_mistakes(Grammar.load(args.starter), reference) if args.starter else STARTER_MISTAKES
    grades = [_graded(path, reference, args.start, worth) for path in _files(args.files)]
    _PRINTERS[args.format](grades, worth)
    return OK if all(each.points == FULL for each in grades) else ILL_FORMED


def _files(paths: list[str]) -> Iterator[str]:
    for path in paths:
        if not os.path.isdir(path):
            yield path
            continue
        folders = os.walk(path, onerror=_raise)
        names = (os.path.join(folder, name) for folder, _, inside in folders for name in inside)
        found = sorted(name for name in names if name.endswith((".abnf", ".txt")))
        if not found:
            raise UsageError(f"{shown(path)} has no *.abnf and no *.txt in it")
        yield from found


def _raise(error: OSError) -> None:
    raise error


def _graded(path: str, reference: Grammar, start: str | None, worth: int) -> Grade:
    with open(path, "rb") as file:  # for a missing file the teacher gets an error, not a student zero points
        data = file.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        return Grade(shown(path), 0.0, problem=say(messages.LONG_FILE, most=f"{MAX_BYTES:,}"))
    text = data.decode("utf-8-sig", "surrogateescape").replace("\r\n", "\n")
    return grade(text, reference, file=shown(path), start=start, starter_mistakes=worth)


def _print_text(grades: list[Grade], worth: int) -> None:
    for each in grades:
        print(f"{each.points:5.1f}  {each.file}")
        for line in _reasons(each, worth):
            print(f"       {line}")
        for title, found in ((messages.EXTRA, each.extra), (messages.MISSING, each.missing)):
            for form in found:
                print(f"       {padded(say(title), 8)} {form}")
    equal = sum(each.points == FULL for each in grades)
    print(f"\n{say(messages.GRADED, equal=equal, total=len(grades))}")


def _reasons(each: Grade, worth: int) -> Iterator[str]:
    """Yield the reasons for the points of *each*, one line at a time; a mistake takes 100 / *worth* points."""
    if each.problem:
        yield each.problem
        return
    if each.shortest is None:
        yield say(messages.GRADE_EQUAL)
        return
    if each.right_rule:
        yield say(messages.GRADE_RIGHT_RULE, rule=each.right_rule)
    if each.one_character:
        yield say(messages.GRADE_ONE_CHARACTER)
    for mistake in each.mistakes:
        yield _mistake(mistake)
    if len(each.mistakes) + each.one_character >= worth:
        yield say(messages.GRADE_NO_POINTS_LEFT, number=worth)
    elif not each.some_right:
        yield say(messages.GRADE_NOTHING_RIGHT)
    else:
        yield say(messages.GRADE_EACH, points=f"{FULL / worth:.1f}")


def _mistake(mistake: Mistake) -> str:
    word = hex_bytes(mistake.word) or say(messages.EMPTY_INPUT)
    said = say(messages.GRADE_EXTRA if mistake.extra else messages.GRADE_MISSING, word=word)
    place = say(messages.GRADE_PLACE, bytes=mistake.place, offset=mistake.offset) if mistake.place else ""
    details = ", ".join(each for each in (mistake.name, place) if each)
    return f"{said} ({details})" if details else said


def _print_csv(grades: list[Grade], worth: int) -> None:
    table = csv.writer(sys.stdout, lineterminator="\n")
    table.writerow(COLUMNS)
    for each in grades:
        row = _row(each, worth)
        table.writerow([_cell(row[name]) for name in COLUMNS])


def _row(each: Grade, worth: int) -> dict[str, str]:
    return {
        "file": each.file,
        "points": f"{each.points:.1f}",
        "verdict": each.verdict,
        "shortest": "" if each.shortest is None else hex_bytes(each.shortest),
        "shortest_is": "" if each.shortest is None else "extra" if each.accepts_it else "missing",
        "extra": "; ".join(each.extra),
        "missing": "; ".join(each.missing),
        "explanation": "; ".join(_reasons(each, worth)),
    }


def _cell(text: str) -> str:
    """Return *text* so that a spreadsheet reads it as text, even a file name that begins like a formula."""
    return f"'{text}" if text[:1] in {"=", "+", "-", "@", "\t", "\r"} else text


def _print_json(grades: list[Grade], _worth: int) -> None:
    def plain(each: Grade) -> dict[str, Any]:
        found = asdict(each) | {"verdict": each.verdict}
        found["shortest"] = None if each.shortest is None else hex_bytes(each.shortest)
        for mistake in found["mistakes"]:
            mistake["word"] = hex_bytes(mistake["word"])
        return found

    print(json.dumps({"grades": [plain(each) for each in grades]}, indent=1))


_PRINTERS = {"text": _print_text, "csv": _print_csv, "json": _print_json}
