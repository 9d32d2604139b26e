"""``utf8-abnf decode``: bytes in; code points or text out, with all steps or with U+FFFD on request."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from utf8_abnf.cli.explain.codec_io import NotTextError, bounded, bytes_of_hex, chunks, draw_bits, text_of
from utf8_abnf.cli.status import ILL_FORMED, OK
from utf8_abnf.codec import POLICIES, IncrementalDecoder, cesu8, decode_each, mutf8
from utf8_abnf.codec.python_codecs import CESU8, MUTF8
from utf8_abnf.errors import UsageError
from utf8_abnf.language.notation import code_point

if TYPE_CHECKING:
    import argparse
    import codecs
    from collections.abc import Callable, Iterator

    from utf8_abnf.codec.steps import Trace

DECODERS: dict[str, Callable[[str], codecs.IncrementalDecoder]] = {
    "utf-8": IncrementalDecoder,
    cesu8.NAME: CESU8.incrementaldecoder,
    mutf8.NAME: MUTF8.incrementaldecoder,
}
OUTPUTS: dict[str, Callable[[str], bytes]] = {
    "code-points": lambda text: "".join(f"{code_point(ord(character))}\n" for character in text).encode(),
    "text": str.encode,
    "utf-16be": lambda text: text.encode("utf-16-be"),
    "utf-16le": lambda text: text.encode("utf-16-le"),
    "escapes": lambda text: text.encode("unicode-escape"),
}

EPILOG = """\
replacement policies:
{policies}

exit status:
  0  the input was decoded
  1  the input is ill-formed
  2  usage or I/O error

examples:
  utf8-abnf decode E2 82 AC                   # prints U+20AC
  utf8-abnf decode --steps C0 80              # each step with the bits, and why the bytes are refused
  utf8-abnf decode --svg E2 82 AC > bits.svg  # the flow of the bits as a picture
  utf8-abnf decode --replace maximal-subpart --to text --file broken.txt > repaired.txt
  utf8-abnf decode --encoding mutf-8 --to text --file from-java.bin"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``decode`` to *parser*."""
    parser.description = "Decode UTF-8 by the algorithm of RFC 3629 section 3, which refuses ill-formed input."
    policies = "\n".join(f"  {policy.name:20}{policy.summary}" for policy in POLICIES.values())
    parser.epilog = EPILOG.format(policies=policies)
    parser.add_argument("input", nargs="*", metavar="HEX", help=r"bytes in hex: E2 82 AC, E282AC or \xE2\x82\xAC")
    parser.add_argument("--file", metavar="FILE", help="read FILE (- is standard input)")
    parser.add_argument(
        "--encoding",
        choices=DECODERS,
        default="utf-8",
        help="the encoding of the input (default: utf-8); cesu-8 and mutf-8 are NOT UTF-8",
    )
    parser.add_argument("--to", choices=OUTPUTS, default="code-points", help="what to write (default: code-points)")
    parser.add_argument("--replace", metavar="POLICY", choices=POLICIES, help="replace ill-formed bytes by U+FFFD")
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--steps", action="store_true", help="show each step of RFC 3629 section 3")
    how.add_argument(
        "--svg", dest="steps", action="store_const", const="svg", help="draw the flow of one character's bits"
    )


def run(args: argparse.Namespace) -> int:
    """Decode what *args* name and return the exit status."""
    if bool(args.input) == bool(args.file):
        raise UsageError("decode: give either bytes in HEX (as E2 82 AC) or --file FILE")
    if args.encoding != "utf-8" and (args.replace or args.steps):
        raise UsageError("decode: --replace and --steps are for UTF-8")
    pieces = chunks(args.file) if args.file else iter([bytes_of_hex(args.input)])
    if args.steps:
        traces = decode_each(b"".join(bounded(pieces)))
        return draw_bits(traces) if args.steps == "svg" else _show_steps(traces)
    try:
        _write(text_of(pieces, DECODERS[args.encoding](args.replace or "strict")), OUTPUTS[args.to])
    except NotTextError as error:
        print(f"utf8-abnf decode: {error}", file=sys.stderr)
        if args.input and args.encoding == "utf-8":
            print(f"help: utf8-abnf decode --steps {' '.join(args.input)}", file=sys.stderr)
        return ILL_FORMED
    return OK


def _write(texts: Iterator[str], spelled: Callable[[str], bytes]) -> None:
    sys.stdout.flush()
    for text in texts:
        sys.stdout.buffer.write(spelled(text))
    sys.stdout.buffer.flush()


def _show_steps(traces: Iterator[Trace]) -> int:
    status = OK
    for number, trace in enumerate(traces):
        print(end="\n" * bool(number))
        print(trace)
        status = ILL_FORMED if trace.refusal else status
    return status
