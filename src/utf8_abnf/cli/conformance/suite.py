"""``utf8-abnf suite``: list the cases, or write them to files for use without this package."""

from __future__ import annotations

import json
import sys
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from utf8_abnf.cli.grammar.grammars import add_suite_grammar, suite_grammar
from utf8_abnf.cli.status import OK
from utf8_abnf.conformance.suite import LEVELS, batches, case_of, cases, families, family_of, theorem, why_empty
from utf8_abnf.errors import UsageError
from utf8_abnf.language.catalogue import told

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from utf8_abnf.conformance.suite import Case
    from utf8_abnf.grammar import Grammar

DESCRIPTION = """\
List the families of conformance cases, or write cases to files for use without this package. The cases are made from
the grammar, and are the same to the byte on every machine."""

EPILOG = """\
What each form of export contains: docs/reference/options.md

exit status:
  0  done
  2  usage or I/O error

examples:
  utf8-abnf suite list --level L3
  utf8-abnf suite export --level L0 --form files --output cases
  utf8-abnf suite export --level L1 > cases.jsonl
  utf8-abnf suite export --family positions --form frames --output positions.bin
  utf8-abnf suite export --grammar date-time --start full-date --level L1"""

FORMS = ("jsonl", "frames", "verdicts", "files")


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``suite``."""
    parser.description, parser.epilog = DESCRIPTION, EPILOG
    parser.add_argument("action", choices=("list", "export", "show"), help="list families, export cases, or show one")
    parser.add_argument("id", nargs="?", help="for show: the id of a case, as in a report")
    parser.add_argument("--level", choices=LEVELS, help="the level (default: L1; L2 for list and --family)")
    parser.add_argument("--family", metavar="NAME", help="only cases of this family")
    parser.add_argument("--form", choices=FORMS, default="jsonl", help="how to write them (default: jsonl)")
    parser.add_argument("--output", metavar="PATH", help="the file or folder (default: standard output)")
    add_suite_grammar(parser)


def run(args: argparse.Namespace) -> int:
    """List or write what *args* ask for."""
    grammar = suite_grammar(args)
    level = args.level or ("L2" if args.action != "export" or args.family else "L1")
    if args.action == "list":
        _list(level, args.family, grammar, args.start)
    elif args.action == "show":
        if not args.id:
            raise UsageError("show needs the id of a case: utf8-abnf suite show named/overlong/slash-2")
        print(json.dumps(as_json(case_of(args.id, level, grammar=grammar, start=args.start)), indent=2))
    elif args.form == "files":
        if not args.output:
            raise UsageError("--form files needs a folder: --output FOLDER")
        _write_files(Path(args.output), cases(level, args.family, grammar=grammar, start=args.start))
    else:
        with open(args.output, "wb") if args.output else nullcontext(sys.stdout.buffer) as out:
            _write(out, args, level, grammar)
            out.flush()
    return OK


def _list(level: str, name: str | None, grammar: Grammar | None, start: str | None) -> None:
    listed = families(level, grammar=grammar, start=start)
    if name:
        listed = (family_of(name, level, grammar=grammar, start=start),)
    width = max((len(family.name) for family in listed), default=0)
    for family in listed:
        about = told(family.about)
        about = f"in process only: {about}" if family.in_process else about
        print(f"{family.level}  {family.name:{width}}  {family.count:>13,}  {family.modes:3}  {about}")
    if name:
        return
    total = sum(family.count for family in listed)
    print(f"{level}  {'all':{width}}  {total:>13,}\n")
    print("modes: v verdict, p position, r text with U+FFFD, s stream\n")
    print(told(why_empty(level, grammar=grammar, start=start) or theorem(level, grammar=grammar, start=start)))


def _write(out: BinaryIO, args: argparse.Namespace, level: str, grammar: Grammar | None) -> None:
    if args.form == "jsonl":
        for case in cases(level, args.family, grammar=grammar, start=args.start):
            out.write(json.dumps(as_json(case)).encode() + b"\n")
    else:
        for batch in batches(level, args.family, grammar=grammar, start=args.start):
            if args.family or batch.family.modes != "s":
                out.write(batch.frames if args.form == "frames" else batch.verdicts)


def as_json(case: Case) -> dict[str, Any]:
    """Return *case* as an object of JSON."""
    error = case.error
    return {
        "id": case.id,
        "hex": case.data.hex().upper(),
        "accept": case.accept,
        "offset": None if error is None else error.start,
        "length": None if error is None else error.length,
        "code": None if error is None else error.code,
        "replacements": case.replacements,
        "code_points": case.code_points,
        "chunks": case.chunks,
        "before": [data.hex().upper() for data in case.before],
        "rule": case.rule,
        "story": case.story,
    }


def _write_files(folder: Path, chosen: Iterator[Case]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for case in chosen:
        if case.chunks is None:  # a file has no chunks; another case has the same bytes as a whole
            (folder / f"{case.id.replace('/', '__')}.{'ok' if case.accept else 'bad'}").write_bytes(case.data)
