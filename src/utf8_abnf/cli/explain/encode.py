"""``utf8-abnf encode``: code points or text in; bytes out, with all steps or as a picture on request."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from utf8_abnf.cli.explain.traces import PICTURE, add_coding, print_traces
from utf8_abnf.codec import encode_steps
from utf8_abnf.language.notation import hex_bytes

if TYPE_CHECKING:
    import argparse

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
