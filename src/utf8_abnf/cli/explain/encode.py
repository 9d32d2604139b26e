"""``utf8-abnf encode``: code points, text or UTF-16 in; bytes out, with all steps or as a picture on request."""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING

from utf8_abnf.cli.explain.traces import draw, show
from utf8_abnf.cli.grammar.inputs import bytes_of_hex, content
from utf8_abnf.cli.status import ILL_FORMED, OK
from utf8_abnf.codec import (
    EncodeError,
    InvalidUtf8,
    Utf16Error,
    cesu8,
    decode,
    decode_utf16,
    encode,
    encode_steps,
    mutf8,
)
from utf8_abnf.errors import UsageError
from utf8_abnf.language.notation import hex_bytes

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

    from utf8_abnf.codec.utf16 import ByteOrder

ENCODERS: dict[str, Callable[[str], bytes]] = {"utf-8": encode, cesu8.NAME: cesu8.encode, mutf8.NAME: mutf8.encode}
BYTE_ORDERS: dict[str, ByteOrder | None] = {"utf-16": None, "utf-16be": "big", "utf-16le": "little"}
CODE_POINT = re.compile(r"(?i:U\+|0x)?([0-9A-Fa-f]{1,8})")
MARKED_CODE_POINT = re.compile(r"(?i:U\+)([0-9A-Fa-f]{1,8})")
OUTPUTS: dict[str, Callable[[bytes], bytes]] = {
    "hex": lambda data: f"{hex_bytes(data)}\n".encode(),
    "raw": bytes,
    "c": lambda data: "".join(('"', "\\x" * bool(data), data.hex("|").upper().replace("|", "\\x"), '"\n')).encode(),
    "python": lambda data: f"{data!r}\n".encode(),
}
PICTURE = "svg"

EPILOG = """\
exit status:
  0  the input was encoded
  1  the input contains something that UTF-8 cannot encode, such as a surrogate
  2  usage or I/O error

examples:
  utf8-abnf encode U+20AC                         # prints E2 82 AC
  utf8-abnf encode --steps U+20AC                 # each step, with the bits
  utf8-abnf encode --to svg U+20AC > bits.svg     # the flow of the bits as a picture
  utf8-abnf encode --from utf-16be 'D8 4C DF B4'  # joins the surrogate pair first; prints F0 A3 8E B4
  utf8-abnf encode --from utf-16 --file a.txt --to raw > b.txt
  utf8-abnf encode --encoding cesu-8 U+233B4      # not UTF-8; prints ED A1 8C ED BE B4"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``encode`` to *parser*."""
    parser.description = "Encode characters in UTF-8 by the algorithm of RFC 3629 section 3."
    parser.epilog = EPILOG
    parser.add_argument("input", nargs="*", metavar="INPUT", help="U+20AC is a code point, anything else is text")
    parser.add_argument("--from", dest="source", choices=["code-points", "text", *BYTE_ORDERS],
        help="what INPUT is; code points and UTF-16 are in hex")  # fmt: skip
    parser.add_argument("--file", metavar="FILE", help="read UTF-8, or UTF-16 with --from")
    parser.add_argument("--encoding", choices=ENCODERS, default="utf-8",
        help="default: utf-8; cesu-8 and mutf-8 are NOT UTF-8")  # fmt: skip
    parser.add_argument("--to", choices=(*OUTPUTS, PICTURE), default="hex",
        help="how to write (default: hex); svg draws one character")  # fmt: skip
    parser.add_argument("--steps", action="store_true", help="show each step of RFC 3629 section 3")


def run(args: argparse.Namespace) -> int:
    """Encode what *args* name and return the exit status."""
    if bool(args.input) == bool(args.file):
        raise UsageError("encode: give either INPUT (U+20AC, text, or hex with --from utf-16) or --file FILE")
    try:
        characters = _text_of(args) if args.file else _numbers(args.input, args.source)
        if args.steps or args.to == PICTURE:
            return _show(characters, args)
        data = ENCODERS[args.encoding](characters if isinstance(characters, str) else encode(characters).decode())
    except (EncodeError, Utf16Error) as error:
        print(f"utf8-abnf encode: {error}", file=sys.stderr)
        return ILL_FORMED
    except InvalidUtf8 as error:
        print(f"utf8-abnf encode: {args.file}, read as UTF-8: {error.error}", file=sys.stderr)
        print("help: --from utf-16 reads UTF-16", file=sys.stderr)
        return ILL_FORMED
    sys.stdout.flush()
    sys.stdout.buffer.write(OUTPUTS[args.to](data))
    sys.stdout.buffer.flush()
    return OK


def _show(characters: str | list[int], args: argparse.Namespace) -> int:
    if args.encoding != "utf-8":
        raise UsageError("encode: --steps and --to svg are for UTF-8")
    numbers = map(ord, characters) if isinstance(characters, str) else characters
    traces = map(encode_steps, numbers)
    return show(traces, len(characters), joined=args.source in BYTE_ORDERS) if args.steps else draw(traces)


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


def _text_of(args: argparse.Namespace) -> str:
    if args.source == "code-points":
        raise UsageError("encode: a FILE holds UTF-8 or, with --from utf-16, UTF-16; give code points as arguments")
    data = content(args.file)
    return decode_utf16(data, byte_order=BYTE_ORDERS[args.source]) if args.source in BYTE_ORDERS else decode(data)
