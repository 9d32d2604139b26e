"""``grammar convert`` and ``grammar generate``: a grammar in other notations, and inputs that it derives or not."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from utf8_abnf.cli.grammar.grammars import loaded, print_json
from utf8_abnf.cli.status import OK
from utf8_abnf.errors import UsageError
from utf8_abnf.language import grammars as messages
from utf8_abnf.language.catalogue import say
from utf8_abnf.language.notation import hex_bytes

if TYPE_CHECKING:
    import argparse


def run_convert(args: argparse.Namespace) -> int:
    """Print the rules that a grammar uses, in the notation that *args* name."""
    from utf8_abnf.automaton.regex import to_regex
    from utf8_abnf.grammar.ebnf import to_ebnf
    from utf8_abnf.grammar.imports import standalone
    from utf8_abnf.parsers.lark import to_lark

    grammar = loaded(args)
    if args.to == "abnf":
        print("\n".join(standalone(grammar, args.start)))
    elif args.to == "regex":
        print(to_regex(grammar, args.start))
    else:
        sys.stdout.write({"ebnf": to_ebnf, "lark": to_lark}[args.to](grammar, args.start))
    return OK


def run_generate(args: argparse.Namespace) -> int:
    """Print inputs, one on each line."""
    from utf8_abnf.parsers.sentences import sentences, wrong_sentences

    if args.count is not None and args.count < 1:
        raise UsageError(say(messages.NUMBER_FROM_1))
    grammar = loaded(args)
    found = sentences(grammar, args.start, count=args.count, cover=args.cover, seed=args.seed)
    words = wrong_sentences(grammar, found.words, args.start, seed=args.seed) if args.wrong else found.words
    if args.format == "json":
        print_json([{"bytes": hex_bytes(word), "derived": not args.wrong} for word in words])
    else:
        for word in words:
            print(_escaped(word))
    if args.cover and found.met < found.goals:
        print(say(messages.GOALS_MET, met=found.met, goals=found.goals, cover=args.cover), file=sys.stderr)
    if args.wrong and len(words) < len(found.words):
        print(say(messages.NO_NEIGHBOUR, count=len(found.words) - len(words)), file=sys.stderr)
    return OK


def _escaped(word: bytes) -> str:
    r"""Return *word* on one line: \\ for a backslash, \xHH for the bytes of what cannot be shown."""
    shown = (
        "\\\\" if char == "\\"
        else char if char.isprintable()
        else "".join(f"\\x{byte:02X}" for byte in char.encode("utf-8", "surrogateescape"))
        for char in word.decode("utf-8", "surrogateescape")
    )  # fmt: skip
    return "".join(shown)
