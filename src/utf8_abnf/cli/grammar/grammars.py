"""Options that name a grammar; loads it, and prints on standard error how it was read."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from utf8_abnf.errors import UsageError
from utf8_abnf.language.notation import printable

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping, Sequence

    from utf8_abnf.grammar import Grammar

MAX_REFUSED = 5  # words of a corpus that are shown
MAX_NAMES = 4  # of rules that come from other grammars, shown


def add_start(parser: argparse._ActionsContainer) -> None:
    """Add ``--start``."""
    parser.add_argument("--start", metavar="RULE", help="the rule to start from (default: the first)")


def add_linking(parser: argparse._ActionsContainer) -> None:
    """Add ``--values``, ``--import`` and ``--define``, which make a whole grammar of what a document prints."""
    parser.add_argument("--values", choices=("auto", "bytes", "utf-8"), default="auto",
        help="a value is a byte or a code point (default: auto)")  # fmt: skip
    parser.add_argument("--import", metavar="NAME|FILE", action="append", default=[], dest="imports",
        help="a grammar with rules that are missing in this one")  # fmt: skip
    parser.add_argument("--define", metavar="RULE=NAME:RULE", action="append", default=[],
        help="a missing rule, as in token=http:token")  # fmt: skip


def add_bytes(parser: argparse.ArgumentParser) -> None:
    """Add ``--bytes``, for commands that show characters where a grammar is ASCII."""
    parser.add_argument("--bytes", action="store_true", dest="as_bytes", help="show bytes, not characters of ASCII")


def add_depth(parser: argparse._ActionsContainer) -> None:
    """Add ``--depth``."""
    parser.add_argument("--depth", type=int, metavar="N", help="depth of unrolled recursion (default: 1 or 0)")


def linked_grammar(args: argparse.Namespace, *, lists: bool = False) -> Grammar:
    """Return the grammar that *args* name, with the values and the rules of others as the options say.

    With *lists*, ``1#element`` is a list of HTTP.
    """
    defines = dict(each.partition("=")[::2] for each in args.define)
    for name, rule in defines.items():
        if not (name and rule):
            raise UsageError(f"--define {name}: write it as in --define token=http:token")
    return load(args.grammar, args.start, values=args.values, imports=args.imports, defines=defines, lists=lists)


def load(
    name: str,
    start: str | None,
    *,
    values: str = "auto",
    imports: Sequence[str] = (),
    defines: Mapping[str, str] | None = None,
    lists: bool = False,
) -> Grammar:
    """Return the grammar *name*, to be used from the rule *start*; lines on standard error say how it was read.

    ``GrammarError`` if it has no rule *start*.
    """
    from utf8_abnf.grammar import Grammar
    from utf8_abnf.grammar.imports import linked
    from utf8_abnf.grammar.prose import with_lists_written_out
    from utf8_abnf.grammar.values import MAX_CODE_POINT, UTF8

    grammar = Grammar.load(name, values=values, lists=lists)  # type: ignore[arg-type]
    grammar = with_lists_written_out(grammar) if lists else grammar
    whole = linked(grammar, imports, defines, start=start, values=values)
    more = [rule.name for name, rule in whole.rules.items() if not rule.core and name not in grammar.rules]
    if whole is grammar:
        if start and not lists:
            whole = Grammar.load(name, values=values, start=start)  # type: ignore[arg-type]
    elif more or not whole.notes:
        names = ", ".join(more[:MAX_NAMES]) + ", …" * (len(more) > MAX_NAMES)
        print(f"{grammar.file}: with rules of other grammars: {names or 'core rules'}", file=sys.stderr)
    for note in whole.notes:
        print(note, file=sys.stderr)
    greatest = whole.greatest_value(start)
    if values == "auto" and whole.values == UTF8 and greatest <= MAX_CODE_POINT:
        print(f"{grammar.file}: {greatest:X} exceeds a byte, so values are code points in UTF-8", file=sys.stderr)
    return whole


def load_unrolled(name: str, start: str | None, depth: int | None) -> Grammar:
    """Return the grammar *name*, unrolled to *depth* if its automaton needs that; a line on standard error says so."""
    from utf8_abnf.automaton.depth import unrolled

    if depth is not None and depth < 0:
        raise UsageError("--depth needs a number from 0 on")
    grammar = unrolled(load(name, start), start, depth)
    if grammar.depth is not None:
        unrolling = f"recursive: the automaton is unrolled to depth {grammar.depth} (--depth)"
        print(f"{grammar.file}: {unrolling}", file=sys.stderr)
    return grammar


def add_suite_grammar(parser: argparse._ActionsContainer) -> None:
    """Add the options that name the grammar of a suite: ``--grammar``, ``--start``, ``--depth`` and ``--corpus``."""
    about = "make the cases for this ABNF grammar (default: RFC 3629's)"
    parser.add_argument("--grammar", metavar="NAME|FILE", help=about)
    add_start(parser)
    add_depth(parser)
    parser.add_argument("--corpus", metavar="FILE", help="with --grammar: sample words of it, one on each line")


def suite_grammar(args: argparse.Namespace) -> Grammar | None:
    """Return the grammar of a suite, None for RFC 3629's; its cases are made with the samples that *args* name."""
    if args.grammar is None:
        if args.start or args.corpus:
            raise UsageError(f"--{'start' if args.start else 'corpus'} needs --grammar FILE")
        return None
    grammar = load_unrolled(args.grammar, args.start, args.depth)
    if args.corpus:
        from utf8_abnf.conformance import suite

        words = suite.words_in(Path(args.corpus).read_bytes())
        if not words:
            raise UsageError(f"{args.corpus} has no word; write one on each line")
        if refused := suite.sample(grammar, args.start, words):
            rule = args.start or grammar.start
            named = ", ".join(printable(word.decode("utf-8", "surrogateescape")) for word in refused[:MAX_REFUSED])
            named += ", …" * (len(refused) > MAX_REFUSED)
            counts = f"{len(refused):,} of {len(words):,} words are not in {rule}"
            print(f"{args.corpus}: {counts}; they are cases that a decoder has to reject: {named}", file=sys.stderr)
    return grammar


def print_json(value: Any) -> None:
    """Print *value* as JSON on one line."""
    print(json.dumps(value))
