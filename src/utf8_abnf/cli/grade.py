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
from utf8_abnf.language.catalogue import LANGUAGES, choose, count, padded, say
from utf8_abnf.notation import hex_bytes
from utf8_abnf.play.grading import FULL, MAX_IF_WRONG, ONE_CHARACTER, Grade, grade

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

DESCRIPTION = """\
Grade ABNF grammars by the bytes that they accept. A grammar that accepts exactly the bytes of the reference has 100
points, however it is written.

Any other grammar is compared with the reference for each length: of all words (for UTF-8: characters) of that length
that at least one of the two accepts, the share that both accept. The points are the mean of these shares, at most 99.
Bytes that both grammars always treat alike count as one byte. A grammar of one character, instead of a sequence of
characters, loses ten points. A grammar that cannot be read has no points."""

EPILOG = """\
exit status:
  0  all grammars are equal to the reference
  1  a grammar is not
  2  usage or I/O error, or a problem of the reference

examples:
  utf8-abnf grade submissions/*.abnf
  utf8-abnf grade submissions --format csv > points.csv"""

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
    parser.add_argument("--start", metavar="RULE", help="where the submissions start (default: the rule that the"
        " reference starts at, if they have it, or their first)")  # fmt: skip
    parser.add_argument("--format", choices=("text", "csv", "json"), default="text", help="default: text")
    parser.add_argument("--language", choices=LANGUAGES, help="the language of the reasons (default: what LANG says;"
        " English in csv and json)")  # fmt: skip


def run(args: argparse.Namespace) -> int:
    """Grade the files and return the exit status."""
    choose(args.language, for_programs=args.format != "text")
    reference = Grammar.load(args.grammar)
    grades = [_graded(path, reference, args.start) for path in _files(args.files)]
    {"text": _print_text, "csv": _print_csv, "json": _print_json}[args.format](grades)
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


def _graded(path: str, reference: Grammar, start: str | None) -> Grade:
    with open(path, "rb") as file:  # for a missing file the teacher gets an error, not a student zero points
        data = file.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        return Grade(shown(path), 0.0, problem=say(messages.LONG_FILE, most=f"{MAX_BYTES:,}"))
    text = data.decode("utf-8-sig", "surrogateescape").replace("\r\n", "\n")
    return grade(text, reference, file=shown(path), start=start)


def _print_text(grades: list[Grade]) -> None:
    for each in grades:
        print(f"{each.points:5.1f}  {each.file}")
        for line in _reasons(each):
            print(f"       {line}")
    equal = sum(each.points == FULL for each in grades)
    print(f"\n{say(messages.GRADED, equal=equal, total=len(grades))}")


def _reasons(each: Grade) -> Iterator[str]:
    """Yield the reasons for the points of *each*, one line at a time."""
    if each.problem:
        yield each.problem
        return
    if each.shortest is None:
        yield say(messages.GRADE_EQUAL)
        return
    word = hex_bytes(each.shortest) or say(messages.EMPTY_INPUT)
    yield say(messages.GRADE_EXTRA if each.accepts_it else messages.GRADE_MISSING, word=word)
    if each.one_character:
        yield say(messages.GRADE_ONE_CHARACTER, points=f"{ONE_CHARACTER:.0f}")
    titles = say(messages.EXTRA), say(messages.MISSING)
    for row in each.credits:
        size = padded(count(messages.LENGTH, row.length), 8)
        yield f"{size} {100 * row.share:5.1f} %" + "".join(
            f"   {title} {form}"
            for title, found in zip(titles, (row.extra, row.missing), strict=True)
            for form in found
        )
    if each.credits:
        yield say(messages.GRADE_MEAN, most=f"{MAX_IF_WRONG:.0f}")


def _print_csv(grades: list[Grade]) -> None:
    table = csv.writer(sys.stdout, lineterminator="\n")
    table.writerow(COLUMNS)
    for each in grades:
        row = _row(each)
        table.writerow([_cell(row[name]) for name in COLUMNS])


def _row(each: Grade) -> dict[str, Any]:
    return {
        "file": each.file,
        "points": f"{each.points:.1f}",
        "verdict": each.verdict,
        "shortest": "" if each.shortest is None else hex_bytes(each.shortest),
        "shortest_is": "" if each.shortest is None else "extra" if each.accepts_it else "missing",
        "extra": "; ".join(form for row in each.credits for form in row.extra),
        "missing": "; ".join(form for row in each.credits for form in row.missing),
        "explanation": "; ".join(_reasons(each)),
    }


def _cell(text: str) -> str:
    """Return *text* so that a spreadsheet reads it as text, even a file name that begins like a formula."""
    return f"'{text}" if text[:1] in {"=", "+", "-", "@", "\t", "\r"} else text


def _print_json(grades: list[Grade]) -> None:
    def plain(each: Grade) -> dict[str, Any]:
        found = asdict(each) | {"verdict": each.verdict}
        found["shortest"] = None if each.shortest is None else hex_bytes(each.shortest)
        return found

    print(json.dumps({"grades": [plain(each) for each in grades]}, indent=1))
