"""``utf8-abnf encode``: code points or text in; bytes out, with all steps or as a picture on request.

``decode`` has the options of this command and prints its traces as this one does.
"""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING

from utf8_abnf.cli.status import ILL_FORMED, OK
from utf8_abnf.codec import encode_steps
from utf8_abnf.errors import UsageError
from utf8_abnf.language.notation import hex_bytes

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterable

    from utf8_abnf.codec.steps import Trace

PICTURE = "svg"
CODE_POINT = re.compile(r"(?i:U\+)([0-9A-Fa-f]{1,8})")

EPILOG = """\
exit status:
  0  the input was encoded
  1  the input contains something that UTF-8 cannot encode, such as a surrogate
  2  usage error

examples:
  utf8-abnf encode U+20AC                         # prints E2 82 AC
  utf8-abnf encode --steps U+20AC                 # each step, with the bits
  utf8-abnf encode --to svg U+20AC > bits.svg     # the flow of the bits as a picture"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``encode`` to *parser*."""
    parser.description = "Encode characters in UTF-8 by the algorithm of RFC 3629 section 3."
    parser.epilog = EPILOG
    parser.add_argument("input", nargs="+", metavar="INPUT", help="U+20AC is a code point, anything else is text")
    add_coding(parser, ("hex", PICTURE))


def run(args: argparse.Namespace) -> int:
    """Encode what *args* name and return the exit status."""
    traces = map(encode_steps, _numbers(args.input))
    return print_traces(traces, args, "encode", lambda shown: hex_bytes(b"".join(trace.data for trace in shown)))


def _numbers(items: list[str]) -> list[int]:
    """Return the code points that the arguments *items* stand for."""
    numbers: list[int] = []
    for item in items:
        found = CODE_POINT.fullmatch(item)
        numbers += [int(found[1], 16)] if found else map(ord, item)
    return numbers


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
