"""``grammar extract`` and ``grammar check``: the grammar and the examples in a document."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import TYPE_CHECKING

from utf8_abnf.cli.grammar.grammars import content, defines, print_json
from utf8_abnf.cli.sources import shown
from utf8_abnf.cli.status import ILL_FORMED, OK, USAGE
from utf8_abnf.errors import UsageError
from utf8_abnf.grammar import Grammar
from utf8_abnf.language import grammars as messages
from utf8_abnf.language.catalogue import say, told

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable

    from utf8_abnf.grammar.documents import Problem


def add_document(parser: argparse.ArgumentParser) -> None:
    """Add the arguments for a document."""
    parser.add_argument("file", metavar="FILE", help="the document: text, RFC XML or Markdown; - is standard input")
    parser.add_argument("--section", metavar="N", help="only from this section, as in 4 or B.1")


def run_extract(args: argparse.Namespace) -> int:
    """Print the grammar in a document, and on standard error what was left out."""
    from utf8_abnf.grammar.extract import extract

    text = content(args.file).decode("utf-8", "surrogateescape")
    found = extract(text, args.section, file=shown(args.file))
    sys.stdout.write(found.text)
    return _print_problems(args.file, found.problems)


def run_check(args: argparse.Namespace) -> int:
    """Print a line for each example in a document."""
    from utf8_abnf.grammar.documents import read_document
    from utf8_abnf.grammar.extract import extract
    from utf8_abnf.grammar.imports import greatest, linked
    from utf8_abnf.grammar.values import MAX_BYTE, UTF8
    from utf8_abnf.parsers.examples import checked, examples_in

    text = content(args.file).decode("utf-8", "surrogateescape")
    found = extract(text, args.section, file=shown(args.file))
    status = _print_problems(args.file, found.problems)
    if not found.text:
        return USAGE
    grammar = Grammar.parse(found.text, file=shown(args.file), values=args.values)
    grammar = linked(grammar, args.imports, defines(args.define), values=args.values)
    if args.values == "auto" and greatest(grammar.rules.values()) > MAX_BYTE:
        grammar = replace(grammar, values=UTF8)
    other = args.examples or args.file
    if args.examples:
        text = content(other).decode("utf-8", "surrogateescape")
    examples = examples_in(read_document(text, file=shown(other)))
    if not examples:
        raise UsageError(say(messages.NO_EXAMPLE, file=shown(other)))
    verdicts = list(checked(grammar, examples, args.start))
    failed = sum(bool(each.failure) for each in verdicts)
    if args.format == "json":
        objects = [
            {
                "file": other,
                "line": each.example.line,
                "rule": each.example.start or args.start or grammar.start,
                "example": each.example.good,
                "failure": each.failure or None,
            }
            for each in verdicts
        ]
        print_json(objects)
    else:
        for (line, good, start, _, _), failure in verdicts:
            name = start or args.start or grammar.start
            right = say(messages.EXAMPLE_OK if good else messages.COUNTEREXAMPLE_OK, rule=name)
            print(f"{shown(other)}:{line}: {told(failure) or right}")
        print(say(messages.EXAMPLES_FAIL, failed=failed, all=len(verdicts)))
    return max(status, ILL_FORMED if failed else OK)


def _print_problems(file: str, problems: Iterable[Problem]) -> int:
    """Print the *problems* with a document, and return the exit status."""
    status = OK
    for line, message in problems:
        print(f"{shown(file)}:{line}: {told(message)}", file=sys.stderr)
        status = ILL_FORMED
    return status
