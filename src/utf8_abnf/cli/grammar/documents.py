"""Runs ``grammar extract`` and ``grammar check``: prints the grammar of a document, or checks its examples."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import TYPE_CHECKING

from utf8_abnf.cli.grammar.grammars import print_json
from utf8_abnf.cli.grammar.inputs import content
from utf8_abnf.cli.names import shown
from utf8_abnf.cli.status import ILL_FORMED, OK, USAGE
from utf8_abnf.errors import UsageError
from utf8_abnf.grammar import Grammar

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable

    from utf8_abnf.grammar.documents import Problem
    from utf8_abnf.parsers.examples import Example


def run_extract(args: argparse.Namespace) -> int:
    """Print the grammar in a document, and on standard error what was left out."""
    from utf8_abnf.grammar.extract import extract

    found = extract(_text(args.file), args.section, file=shown(args.file), lists=args.http_lists)
    sys.stdout.write(found.text)
    return _print_problems(args.file, found.problems)


def run_check(args: argparse.Namespace) -> int:
    """Print a line for each example in a document."""
    from utf8_abnf.grammar.documents import read_document
    from utf8_abnf.grammar.extract import extract
    from utf8_abnf.grammar.imports import linked
    from utf8_abnf.grammar.model import greatest
    from utf8_abnf.grammar.values import MAX_BYTE, UTF8
    from utf8_abnf.parsers.examples import checked, examples_in

    text = _text(args.file)
    found = extract(text, args.section, file=shown(args.file))
    status = _print_problems(args.file, found.problems)
    if not found.text:
        return USAGE
    grammar = linked(Grammar.parse(found.text, file=shown(args.file)))
    if greatest(grammar.rules.values()) > MAX_BYTE:
        grammar = replace(grammar, values=UTF8)
    other = args.examples or args.file
    examples = examples_in(read_document(_text(other) if args.examples else text, file=shown(other)))
    if not examples:
        raise UsageError(f"{shown(other)} has no example; begin a block with ```abnf-example RULE")
    examples = list(checked(grammar, examples, args.start))
    _print_examples(examples, args.format, other, args.start or grammar.start)
    return max(status, ILL_FORMED if any(each.problem for each in examples) else OK)


def _print_examples(examples: list[Example], form: str, file: str, start: str) -> None:
    if form == "json":
        facts = ((each, {"rule": each.start or start, "failure": each.problem or None}) for each in examples)
        print_json([{"file": file, "line": each.line, "example": each.good} | more for each, more in facts])
        return
    for example in examples:
        kind = "an example" if example.good else "a counterexample"
        print(f"{shown(file)}:{example.line}: {example.problem or f'ok: {kind} of {example.start or start}'}")
    print(f"{sum(bool(each.problem) for each in examples)} of {len(examples)} examples fail")


def _text(path: str) -> str:
    return content(path).decode("utf-8", "surrogateescape")


def _print_problems(file: str, problems: Iterable[Problem]) -> int:
    """Print the *problems* with a document, and return the exit status."""
    status = OK
    for line, message in problems:
        print(f"{shown(file)}:{line}: {message}", file=sys.stderr)
        status = ILL_FORMED
    return status
