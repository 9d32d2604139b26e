"""``utf8-abnf decode``: bytes in; code points or text out, with all steps or as a picture on request."""

from __future__ import annotations

from typing import TYPE_CHECKING

from utf8_abnf.cli.explain.encode import PICTURE, add_coding, print_traces
from utf8_abnf.cli.grammar.inputs import bytes_of_hex
from utf8_abnf.codec import decode_each
from utf8_abnf.language.notation import code_point

if TYPE_CHECKING:
    import argparse

    from utf8_abnf.codec import Trace

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

    def text_of(traces: list[Trace]) -> str:
        numbers = [trace.code_point for trace in traces if trace.code_point is not None]
        return "".join(map(chr, numbers)) if args.to == TEXT else "\n".join(map(code_point, numbers))

    return print_traces(decode_each(bytes_of_hex(args.input)), args, "decode", text_of)
