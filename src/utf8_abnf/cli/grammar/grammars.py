"""The options of all commands that take a grammar, and the grammar that they name."""

from __future__ import annotations

import json
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from utf8_abnf.errors import NotRegularError, UsageError
from utf8_abnf.language import grammars as messages
from utf8_abnf.language.catalogue import Message, say
from utf8_abnf.language.notation import printable

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from utf8_abnf.grammar import Grammar


MAX_BYTES = 256 << 20  # of one input
MAX_REFUSED = 5  # words of a corpus that are shown


def add_values(parser: argparse._ActionsContainer) -> None:
    """Add ``--values``, ``--import`` and ``--define``."""
    parser.add_argument("--values", choices=("auto", "bytes", "utf-8"), default="auto", help=(
        "what a value in the grammar is: a byte or, with utf-8, a code point, which stands for its bytes in UTF-8 "
        "(default: code points if a value that is used exceeds FF)"
    ))  # fmt: skip
    parser.add_argument("--import", metavar="NAME|FILE", action="append", default=[], dest="imports", help=(
        "take rules that are missing from this grammar, and those that prose such as <token, see [RFC9110]> names; "
        "for documents whose grammar comes with this package, prose needs no --import"
    ))  # fmt: skip
    parser.add_argument("--define", metavar="RULE=NAME:RULE", action="append", default=[], help=(
        "a rule that is missing or written as prose is this rule of another grammar, as in token=http:token"
    ))  # fmt: skip


def add_depth(parser: argparse._ActionsContainer) -> None:
    """Add ``--depth``."""
    parser.add_argument("--depth", type=int, metavar="N", help="how often a recursive rule may be used within itself")


def load_unrolled(name: str, args: argparse.Namespace, start: str | None = None) -> Grammar:
    """Return the grammar *name*, with the depth of *args* if its automaton needs one; a line says so."""
    from utf8_abnf.automaton.depth import unrolled

    if args.depth is not None and args.depth < 0:
        raise UsageError(say(messages.DEPTH_FROM_0))
    grammar = unrolled(load(name, args, start), start or args.start, args.depth)
    if grammar.depth is not None:
        print(say(messages.UNROLLED, file=grammar.file, depth=grammar.depth), file=sys.stderr)
    return grammar


@contextmanager
def regular() -> Iterator[None]:
    """Where a grammar is not shown to be regular, name a rule to start from instead."""
    try:
        yield
    except NotRegularError as error:
        if not error.part:
            raise
        message = Message(messages.REGULAR_PART, error=error.message, rule=error.part)
        cycle, file, line, column = error.cycle, error.file, error.line, error.column
        raise NotRegularError(message, cycle, error.part, file=file, line=line, column=column) from None


def add_samples(parser: argparse._ActionsContainer) -> None:
    """Add ``--corpus`` and ``--context``."""
    parser.add_argument("--corpus", metavar="FILE", help="with --grammar: sample words of it, one on each line")
    parser.add_argument("--context", metavar="TEXT", help="with --grammar: what stands around each word, as in '[,]'")


def sample(args: argparse.Namespace, grammar: Grammar | None) -> None:
    """Let the suites of *grammar* be made with the samples and the context that *args* name."""
    if args.corpus is None and args.context is None:
        return
    from utf8_abnf.conformance import suite
    from utf8_abnf.errors import UsageError

    if grammar is None:
        raise UsageError(say(messages.NEED_GRAMMAR))
    words = suite.words_in(Path(args.corpus).read_bytes()) if args.corpus else ()
    if args.corpus and not words:
        raise UsageError(say(messages.NO_WORD, file=args.corpus))
    context = suite.context_in(args.context) if args.context else (b"", b"")
    refused = suite.sample(grammar, args.start, suite.Samples(words, context))
    if refused:
        shown = ", ".join(printable(word.decode("utf-8", "surrogateescape")) for word in refused[:MAX_REFUSED])
        if len(refused) > MAX_REFUSED:
            shown = say(messages.WORDS_AND_MORE, words=shown, count=f"{len(refused) - MAX_REFUSED:,}")
        facts = {"refused": f"{len(refused):,}", "all": f"{len(words):,}", "rule": args.start or grammar.start}
        print(say(messages.NOT_DERIVED, file=args.corpus, words=shown, **facts), file=sys.stderr)


def load(name: str, args: argparse.Namespace, start: str | None = None) -> Grammar:
    """Return the grammar *name* with its values as *args* say; a line on standard error says if auto took code points.

    *start* is the rule that is used, by default the one that *args* name.
    """
    from utf8_abnf.grammar import Grammar
    from utf8_abnf.grammar.imports import linked
    from utf8_abnf.grammar.values import MAX_CODE_POINT, UTF8

    start = start or args.start
    grammar = Grammar.load(name, values=args.values)
    whole = linked(grammar, args.imports, defines(args.define), start=start, values=args.values)
    if whole is grammar:
        grammar = Grammar.load(name, values=args.values, start=start)
    else:
        more = [rule.name for rule in whole.rules.values() if not rule.core and rule.name not in grammar.rules]
        names = ", ".join(more[:4]) or say(messages.CORE_RULES)
        if len(more) > 4:
            names = say(messages.AND_MORE, names=names, count=len(more) - 4)
        print(say(messages.WITH_RULES, file=grammar.file, names=names), file=sys.stderr)
        grammar = whole
    greatest = grammar.greatest_value(start)
    if args.values == "auto" and grammar.values == UTF8 and greatest <= MAX_CODE_POINT:
        print(say(messages.VALUES_ARE_CODE_POINTS, file=grammar.file, value=f"{greatest:X}"), file=sys.stderr)
    return grammar


def defines(definitions: list[str]) -> dict[str, str]:
    """Return what ``--define`` says, by the name of the rule: *definitions* are its values."""
    found = dict(each.partition("=")[::2] for each in definitions)
    for name, rule in found.items():
        if not (name and rule):
            raise UsageError(say(messages.DEFINE_AS, name=name))
    return found


def loaded(args: argparse.Namespace) -> Grammar:
    """Return the grammar of an action on one grammar; ``GrammarError`` if its start rule is missing."""
    grammar = load(args.named or args.grammar, args)
    if args.start:
        grammar[args.start]  # raises for a rule that is missing
    return grammar


def content(path: str) -> bytes:
    """Return the bytes of the file *path*, or of standard input for ``-``; ``UsageError`` if there are too many."""
    from utf8_abnf.cli.explain.codec_io import bounded, chunks

    too_long = say(messages.LONG_INPUT, path=path, most=f"{MAX_BYTES:,}")
    return b"".join(bounded(chunks(path), MAX_BYTES, too_long))


def print_json(value: Any) -> None:
    """Print *value* as JSON on one line."""
    print(json.dumps(value))
