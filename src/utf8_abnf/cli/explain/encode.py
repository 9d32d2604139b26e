"""``utf8-abnf encode``: code points, text or UTF-16 in; bytes out, with all steps on request."""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING

from utf8_abnf.cli.explain.codec_io import (
    SPELLINGS,
    NotTextError,
    Output,
    bounded,
    bytes_of_hex,
    chunks,
    draw_bits,
    text_of,
)
from utf8_abnf.cli.status import ILL_FORMED, OK
from utf8_abnf.codec import (
    EncodeError,
    IncrementalDecoder,
    Utf16Error,
    cesu8,
    compare,
    decode_utf16,
    decode_utf16_chunks,
    encode,
    encode_steps,
    mutf8,
)
from utf8_abnf.codec.utf16 import split
from utf8_abnf.errors import UsageError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterator

    from utf8_abnf.codec.utf16 import ByteOrder

ENCODERS: dict[str, Callable[[str], bytes]] = {"utf-8": encode, cesu8.NAME: cesu8.encode, mutf8.NAME: mutf8.encode}
BYTE_ORDERS: dict[str, ByteOrder | None] = {"utf-16": None, "utf-16be": "big", "utf-16le": "little"}
CODE_POINT = re.compile(r"(?i:U\+|0x)?([0-9A-Fa-f]{1,8})")
MARKED_CODE_POINT = re.compile(r"(?i:U\+)([0-9A-Fa-f]{1,8})")

EPILOG = """\
exit status:
  0  the input was encoded
  1  the input contains something that UTF-8 cannot encode, such as a surrogate
  2  usage or I/O error

examples:
  utf8-abnf encode U+20AC                         # prints E2 82 AC
  utf8-abnf encode --steps U+20AC                 # each step, with the bits
  utf8-abnf encode --svg U+20AC > bits.svg        # the flow of the bits as a picture
  utf8-abnf encode --from utf-16be 'D8 4C DF B4'  # joins the surrogate pair first; prints F0 A3 8E B4
  utf8-abnf encode --from utf-16 --file a.txt --to raw > b.txt
  utf8-abnf encode --compare 'U+0000' 'U+233B4'   # UTF-8, CESU-8 and modified UTF-8 side by side"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``encode`` to *parser*."""
    parser.description = "Encode characters in UTF-8 by the algorithm of RFC 3629 section 3."
    parser.epilog = EPILOG
    parser.add_argument("input", nargs="*", metavar="INPUT", help="U+20AC is a code point, anything else is text")
    parser.add_argument(
        "--from",
        dest="source",
        choices=["code-points", "text", *BYTE_ORDERS],
        help="read every INPUT as a code point in hex, as text, or as UTF-16 in hex; also the encoding of FILE",
    )
    parser.add_argument(
        "--file", metavar="FILE", help="read FILE (- is standard input), in UTF-8 or, with --from, UTF-16"
    )
    parser.add_argument(
        "--encoding",
        choices=ENCODERS,
        default="utf-8",
        help="the encoding of the output (default: utf-8); cesu-8 and mutf-8 are NOT UTF-8",
    )
    parser.add_argument("--to", choices=SPELLINGS, default="hex", help="how to write the bytes (default: hex)")
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--steps", action="store_true", help="show each step of RFC 3629 section 3")
    how.add_argument(
        "--svg", dest="steps", action="store_const", const="svg", help="draw the flow of one character's bits"
    )
    how.add_argument("--compare", action="store_true", help="show UTF-8, CESU-8 and modified UTF-8 side by side")


def run(args: argparse.Namespace) -> int:
    """Encode what *args* name and return the exit status."""
    if bool(args.input) == bool(args.file):
        raise UsageError("encode: give either INPUT (U+20AC, text, or hex with --from utf-16) or --file FILE")
    try:
        if args.file:
            return _encode_pieces(_file(args), args)
        numbers = _numbers(args.input, args.source)
        return _show_steps(numbers, args) if args.steps else _encode_pieces(iter([encode(numbers).decode()]), args)
    except (EncodeError, Utf16Error) as error:
        print(f"utf8-abnf encode: {error}", file=sys.stderr)
    except NotTextError as error:
        print(f"utf8-abnf encode: {args.file}, read as UTF-8: {error}", file=sys.stderr)
        print("help: --from utf-16 reads UTF-16", file=sys.stderr)
    return ILL_FORMED


def _encode_pieces(pieces: Iterator[str], args: argparse.Namespace) -> int:
    if args.compare:
        print(compare("".join(pieces)))
        return OK
    if args.steps:
        return _show_steps([*map(ord, "".join(pieces))], args)
    with Output(args.to) as output:
        for piece in pieces:
            output.write(ENCODERS[args.encoding](piece))
    return OK


def _show_steps(numbers: list[int], args: argparse.Namespace) -> int:
    if args.encoding != "utf-8":
        raise UsageError("encode: --steps shows UTF-8 only; --compare shows the others")
    if args.steps == "svg":
        return draw_bits(map(encode_steps, numbers))
    status = OK
    for position, number in enumerate(numbers):
        print(end="\n" * bool(position))
        trace = encode_steps(number)
        if not trace.refusal and args.source in BYTE_ORDERS and len(units := split(number)) > 1:
            pair = " ".join(f"{unit:04X}" for unit in units)
            print(f"UTF-16 {pair}: a surrogate pair, joined first (RFC 3629 section 3, RFC 2781 section 2.2)")
        print(trace)
        status = ILL_FORMED if trace.refusal else status
    return status


def _numbers(items: list[str], source: str | None) -> list[int]:
    """Return the code points that the arguments *items* stand for."""
    if source in BYTE_ORDERS:
        return [*map(ord, decode_utf16(bytes_of_hex(items), byte_order=BYTE_ORDERS[source]))]
    numbers: list[int] = []
    for item in items:
        found = CODE_POINT.fullmatch(item) if source == "code-points" else MARKED_CODE_POINT.fullmatch(item)
        if found and source != "text":
            numbers.append(int(found[1], 16))
        elif source == "code-points":
            raise UsageError(f"encode: {item!r} is not a code point: write U+20AC, 0x20AC or 20AC")
        else:
            numbers.extend(map(ord, item))
    return numbers


def _file(args: argparse.Namespace) -> Iterator[str]:
    if args.source == "code-points":
        raise UsageError("encode: a FILE holds UTF-8 or, with --from utf-16, UTF-16; give code points as arguments")
    pieces = bounded(chunks(args.file)) if args.steps or args.compare else chunks(args.file)
    if args.source in BYTE_ORDERS:
        return decode_utf16_chunks(pieces, byte_order=BYTE_ORDERS[args.source])
    return text_of(pieces, IncrementalDecoder())
