"""The options of all commands that take a grammar, and the grammar that they name."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse

    from utf8_abnf.grammar import Grammar


def add_values(parser: argparse._ActionsContainer) -> None:
    """Add ``--values``."""
    parser.add_argument("--values", choices=("auto", "bytes", "utf-8"), default="auto", help=(
        "what a value in the grammar is: a byte or, with utf-8, a code point, which stands for its bytes in UTF-8 "
        "(default: code points if a value that is used exceeds FF)"
    ))  # fmt: skip


def load(name: str, args: argparse.Namespace, start: str | None = None) -> Grammar:
    """Return the grammar *name* with its values as *args* say; a line on standard error says if auto took code points.

    *start* is the rule that is used, by default the one that *args* name.
    """
    from utf8_abnf.grammar import Grammar
    from utf8_abnf.grammar.values import MAX_CODE_POINT, UTF8

    start = start or args.start
    grammar = Grammar.load(name, values=args.values, start=start)
    greatest = grammar.greatest_value(start)
    if args.values == "auto" and grammar.values == UTF8 and greatest <= MAX_CODE_POINT:
        print(
            f"{grammar.file}: {greatest:X} exceeds a byte, so values are code points in UTF-8 (--values utf-8)",
            file=sys.stderr,
        )
    return grammar
