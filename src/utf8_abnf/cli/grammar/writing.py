"""``grammar convert`` and ``grammar generate``: a grammar in other notations, and inputs that it derives or not."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from utf8_abnf.cli.grammar.grammars import linked_grammar, load
from utf8_abnf.cli.status import OK
from utf8_abnf.errors import UsageError

if TYPE_CHECKING:
    import argparse

NOTATIONS = ("abnf", "lark", "regex")


def run_convert(args: argparse.Namespace) -> int:
    """Print the rules that a grammar uses, in the notation that *args* name."""
    from utf8_abnf.automaton.regex import to_regex
    from utf8_abnf.grammar.imports import standalone
    from utf8_abnf.grammar.prose import without_prose
    from utf8_abnf.parsers.lark import to_lark

    grammar = linked_grammar(args, lists=args.http_lists)
    if args.prose == "nothing":
        said, grammar = len(grammar.notes), without_prose(grammar, args.start)
        for note in grammar.notes[said:]:
            print(note, file=sys.stderr)
    match args.to:
        case "abnf":
            print("\n".join(standalone(grammar, args.start)))
        case "lark":
            sys.stdout.write(to_lark(grammar, args.start))
        case _:
            print(to_regex(grammar, args.start))
    return OK


def run_generate(args: argparse.Namespace) -> int:
    """Print inputs, one on each line."""
    from utf8_abnf.parsers.sentences import sentences, wrong_sentences

    if args.count < 1:
        raise UsageError("-n needs a number from 1 on")
    grammar = load(args.grammar, args.start)
    right = sentences(grammar, args.start, count=args.count, seed=args.seed)
    words = wrong_sentences(grammar, right, args.start, seed=args.seed) if args.wrong else right
    for word in words:
        print(_escaped(word))
    if args.wrong and len(words) < len(right):
        print(f"{len(right) - len(words)} inputs have no wrong neighbour that was found", file=sys.stderr)
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
