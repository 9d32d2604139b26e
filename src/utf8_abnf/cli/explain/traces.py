"""The options that ``encode`` and ``decode`` share; prints their traces as text, steps or a picture."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from utf8_abnf.cli.status import ILL_FORMED, OK
from utf8_abnf.errors import UsageError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterable

    from utf8_abnf.codec.steps import Trace

PICTURE = "svg"


def add_coding(parser: argparse.ArgumentParser, outputs: tuple[str, ...]) -> None:
    """Add ``--to`` and ``--steps``."""
    parser.add_argument("--to", choices=outputs, default=outputs[0],
        help=f"default: {outputs[0]}; svg draws one character")  # fmt: skip
    parser.add_argument("--steps", action="store_true", help="show each step of RFC 3629 section 3")


def print_traces(
    traces: Iterable[Trace], args: argparse.Namespace, command: str, text_of: Callable[[list[Trace]], str]
) -> int:
    """Print *traces* of *command* as *args* ask: by *text_of*, as steps or as a picture; return the exit status."""
    shown = list(traces)
    refused = [trace.refusal for trace in shown if trace.refusal]
    if args.steps:
        print("\n\n".join(map(str, shown)))
    elif args.to == PICTURE:
        from utf8_abnf.drawing.bits_svg import bits_svg

        if len(shown) != 1:
            raise UsageError("--to svg draws one character: give one character, or use --steps for several")
        sys.stdout.write(bits_svg(shown[0]))
    elif refused:
        print(f"utf8-abnf {command}: {refused[0]}", file=sys.stderr)
        print(f"help: utf8-abnf {command} --steps {' '.join(args.input)}", file=sys.stderr)
    else:
        print(text_of(shown))
    return ILL_FORMED if refused else OK
