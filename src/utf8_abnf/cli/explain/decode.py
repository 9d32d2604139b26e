"""``utf8-abnf decode``: bytes in; code points or text out, with all steps or as a picture on request."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from utf8_abnf.cli.explain.traces import draw, show
from utf8_abnf.cli.grammar.inputs import bytes_of_hex, content
from utf8_abnf.cli.status import ILL_FORMED, OK
from utf8_abnf.codec import InvalidUtf8, cesu8, decode, decode_each, mutf8
from utf8_abnf.errors import UsageError
from utf8_abnf.language.notation import code_point, hex_bytes

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

DECODERS: dict[str, Callable[[bytes], str]] = {"utf-8": decode, cesu8.NAME: cesu8.decode, mutf8.NAME: mutf8.decode}
OUTPUTS: dict[str, Callable[[str], bytes]] = {
    "code-points": lambda text: "".join(f"{code_point(ord(character))}\n" for character in text).encode(),
    "text": str.encode,
    "utf-16be": lambda text: text.encode("utf-16-be"),
    "utf-16le": lambda text: text.encode("utf-16-le"),
    "escapes": lambda text: text.encode("unicode-escape"),
}
PICTURE = "svg"
CHUNK = 1 << 16  # characters that are written at once: code points take more memory than text

EPILOG = """\
exit status:
  0  the input was decoded
  1  the input is ill-formed
  2  usage or I/O error

examples:
  utf8-abnf decode E2 82 AC                      # prints U+20AC
  utf8-abnf decode --steps C0 80                 # each step with the bits, and why the bytes are refused
  utf8-abnf decode --to svg E2 82 AC > bits.svg  # the flow of the bits as a picture
  utf8-abnf decode --encoding mutf-8 --to text --file from-java.bin"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``decode`` to *parser*."""
    parser.description = (
        "Decode UTF-8 by the algorithm of RFC 3629 section 3, which refuses ill-formed input; "
        "`utf8-abnf repair` replaces it."
    )
    parser.epilog = EPILOG
    parser.add_argument("input", nargs="*", metavar="HEX", help=r"bytes in hex: E2 82 AC, E282AC or \xE2\x82\xAC")
    parser.add_argument("--file", metavar="FILE", help="read FILE (- is standard input)")
    parser.add_argument("--encoding", choices=DECODERS, default="utf-8",
        help="default: utf-8; cesu-8 and mutf-8 are NOT UTF-8")  # fmt: skip
    parser.add_argument("--to", choices=(*OUTPUTS, PICTURE), default="code-points",
        help="what to write (default: code-points)")  # fmt: skip
    parser.add_argument("--steps", action="store_true", help="show each step of RFC 3629 section 3")


def run(args: argparse.Namespace) -> int:
    """Decode what *args* name and return the exit status."""
    if bool(args.input) == bool(args.file):
        raise UsageError("decode: give either bytes in HEX (as E2 82 AC) or --file FILE")
    data = content(args.file) if args.file else bytes_of_hex(args.input)
    if args.steps or args.to == PICTURE:
        if args.encoding != "utf-8":
            raise UsageError("decode: --steps and --to svg are for UTF-8")
        return show(decode_each(data), len(data)) if args.steps else draw(decode_each(data))
    try:
        text = DECODERS[args.encoding](data)
    except InvalidUtf8 as error:
        print(f"utf8-abnf decode: {error.error}", file=sys.stderr)
        if args.input:
            print(f"help: utf8-abnf decode --steps {' '.join(args.input)}", file=sys.stderr)
        return ILL_FORMED
    except UnicodeDecodeError as error:
        culprit = hex_bytes(error.object[error.start : error.end])
        message = f"{error.encoding}: {culprit} at offset {error.start}: {error.reason}"
        print(f"utf8-abnf decode: {message}", file=sys.stderr)
        return ILL_FORMED
    sys.stdout.flush()
    for start in range(0, len(text), CHUNK):
        sys.stdout.buffer.write(OUTPUTS[args.to](text[start : start + CHUNK]))
    sys.stdout.buffer.flush()
    return OK
