"""``utf8-abnf decode``: bytes in; code points or text out, with all steps or as a picture on request."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from utf8_abnf.cli.explain.traces import PICTURE, add_coding, draw, show
from utf8_abnf.cli.grammar.inputs import bytes_of_hex
from utf8_abnf.cli.status import ILL_FORMED, OK
from utf8_abnf.codec import InvalidUtf8, decode, decode_each
from utf8_abnf.language.notation import code_point

if TYPE_CHECKING:
    import argparse

TEXT = "text"

EPILOG = """\
exit status:
  0  the input was decoded
  1  the input is ill-formed
  2  usage error

examples:
  utf8-abnf decode E2 82 AC                      # prints U+20AC
  utf8-abnf decode --steps C0 80                 # each step with the bits, and why the bytes are refused
  utf8-abnf decode --to svg E2 82 AC > bits.svg  # the flow of the bits as a picture"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``decode`` to *parser*."""
    parser.description = (
        "Decode UTF-8 by the algorithm of RFC 3629 section 3, which refuses ill-formed input; "
        "`utf8-abnf repair` replaces it."
    )
    parser.epilog = EPILOG
    parser.add_argument("input", nargs="+", metavar="HEX", help=r"bytes in hex: E2 82 AC, E282AC or \xE2\x82\xAC")
    add_coding(parser, ("code-points", TEXT, PICTURE))


def run(args: argparse.Namespace) -> int:
    """Decode what *args* name and return the exit status."""
    data = bytes_of_hex(args.input)
    if args.steps:
        return show(decode_each(data))
    if args.to == PICTURE:
        return draw(decode_each(data))
    try:
        text = decode(data)
    except InvalidUtf8 as error:
        print(f"utf8-abnf decode: {error.error}", file=sys.stderr)
        print(f"help: utf8-abnf decode --steps {' '.join(args.input)}", file=sys.stderr)
        return ILL_FORMED
    print(text if args.to == TEXT else "\n".join(code_point(ord(character)) for character in text))
    return OK
