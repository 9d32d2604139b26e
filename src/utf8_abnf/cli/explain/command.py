"""``utf8-abnf explain``: bytes in, the reason why they are ill-formed out, step by step; or an error code's meaning."""

from __future__ import annotations

import os
import sys
from itertools import takewhile
from typing import TYPE_CHECKING

from utf8_abnf.cli.explain import refusal
from utf8_abnf.cli.explain.bytes import Explained, naive_texts
from utf8_abnf.cli.grammar.grammars import add_start, load
from utf8_abnf.cli.grammar.inputs import bytes_of_hex, content
from utf8_abnf.cli.sources import STDIN
from utf8_abnf.cli.status import ILL_FORMED, OK
from utf8_abnf.errors import UsageError
from utf8_abnf.explain.diagnostic import rule_line
from utf8_abnf.explain.steps import explain_bytes
from utf8_abnf.language import explanations, messages
from utf8_abnf.language.catalogue import LANGUAGES, columns, padded, say, speaking, wanted, wrapped
from utf8_abnf.language.codes import ENTRIES
from utf8_abnf.language.refusals import TITLES
from utf8_abnf.validator.functions import first_error
from utf8_abnf.validator.ill_formed import CODES

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable

ALL_CODES = (*CODES, *TITLES)
PREFIXES = ("UTF8-", "PROFILE-")
SHOWN = 64  # bytes explained
BEFORE = 16  # of them before the error
_WIDTH = 100

DESCRIPTION = """\
Explain why bytes are ill-formed UTF-8: each byte with its bits, the automaton's state before it, the bytes that may
follow in that state, the rule that is broken, and what a careless decoder would have made of the bytes. Or explain an
error code: which bytes cause it, its history, how it has been exploited, and how to fix it."""

EPILOG = """\
Bytes can be written as E2 82 AC, E282AC, \\xE2\\x82\\xAC, 0xE2 0x82 or %E2%82. Of a long input, the bytes around the
first error are explained. With --grammar, the command says where that grammar stops deriving the input, and which bytes
it expects there.

exit status:
  0  the bytes are well-formed, or a code was explained
  1  the bytes are ill-formed
  2  usage or I/O error

examples:
  utf8-abnf explain C0 80
  utf8-abnf explain UTF8-SURROGATE
  utf8-abnf explain --file notes.txt
  utf8-abnf explain --grammar urn --text 'urn:x'"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``explain``."""
    parser.description, parser.epilog = DESCRIPTION, EPILOG
    what = parser.add_argument_group("what is explained")
    what.add_argument("what", metavar="BYTES|CODE", nargs="*", help=f"bytes in hex, or one of {', '.join(ALL_CODES)}")
    source = what.add_mutually_exclusive_group()
    source.add_argument("--text", help="the bytes of this text")
    source.add_argument("--file", metavar="PATH", help="the bytes of this file; - is standard input")
    what.add_argument("--offset", type=_number, metavar="N", help="begin at offset N (default: just before an error)")
    what.add_argument("--grammar", metavar="NAME|FILE", help="explain by this ABNF grammar instead of UTF-8's")
    add_start(what)
    parser.add_argument("--language", choices=LANGUAGES, help="default: what LANG says")


def run(args: argparse.Namespace) -> int:
    """Explain what *args* name and return the exit status."""
    with speaking(args.language or wanted()):
        return _run(args)


def _run(args: argparse.Namespace) -> int:
    if args.what and (args.text is not None or args.file):
        raise UsageError(say(messages.BYTES_ONCE))
    if codes := _codes(args.what):
        print("\n\n".join(refusal.text(code) if code in TITLES else _entry(code) for code in codes))
        return OK
    if not args.what and args.text is None and not args.file:
        if sys.stdin is None or sys.stdin.isatty():
            return _list_codes()
        args.file = STDIN
    if args.file:
        whole = content(args.file)
    else:
        whole = bytes_of_hex(args.what) if args.text is None else os.fsencode(args.text)
    if args.grammar or args.start:
        return _explain_with(args, whole)
    origin = _begin(whole) if args.offset is None else args.offset
    if origin and origin >= len(whole):
        raise UsageError(say(messages.NOT_WITHIN, offset=origin, size=f"{len(whole):,}"))
    data = whole[origin : origin + SHOWN + 3]  # 3 more bytes complete the last character
    pieces = list(takewhile(lambda piece: piece.start < origin + SHOWN, explain_bytes(data, origin=origin)))
    shown = Explained(pieces, data[: pieces[-1].end - origin] if pieces else b"", origin, len(whole))
    print("\n".join(shown.lines()))
    return ILL_FORMED if any(piece.error for piece in pieces) else OK


def _begin(data: bytes) -> int:
    """Return the offset of a character shortly before the first error; 0 where all of *data* is shown."""
    error = first_error(data) if len(data) > SHOWN else None
    start = max(0, error.start - BEFORE) if error else 0
    while error and start < error.start and 0x80 <= data[start] <= 0xBF:  # UTF8-tail
        start += 1
    return start


def _number(text: str) -> int:
    number = int(text, 0)
    if number < 0:
        raise ValueError(text)
    return number


def _explain_with(args: argparse.Namespace, data: bytes) -> int:
    from utf8_abnf.cli.explain.grammar import explain_with

    grammar = load(args.grammar or "utf8", args.start)
    return explain_with(grammar, args.start or grammar.start, data)


def _codes(words: Iterable[str]) -> list[str]:
    """Return the error codes that *words* name; none if they are bytes. The prefix UTF8- may be left out."""
    names = [word if word.startswith(PREFIXES) else f"UTF8-{word}" for word in map(str.upper, words)]
    codes = [name for name in names if name in ALL_CODES]
    if codes and len(codes) < len(names):
        raise UsageError(say(messages.CODES_AND_BYTES))
    if not codes and any(word.upper().startswith(PREFIXES) for word in words):
        raise UsageError(say(messages.NO_SUCH_CODE, codes=", ".join(ALL_CODES)))
    return codes


def _list_codes() -> int:
    for code in ALL_CODES:
        print(f"{code:<21} {say(TITLES[code] if code in TITLES else ENTRIES[code].title)}")
    print(f"\n{say(explanations.EXAMPLE)}: utf8-abnf explain UTF8-SURROGATE")
    return OK


def _entry(code: str) -> str:
    entry = ENTRIES[code]
    data = bytes.fromhex(entry.example)
    piece = next(explain_bytes(data))
    rule = rule_line(piece.error.rule if piece.error else "UTF8-char", data[0])
    lines = [f"{code}: {say(entry.title)}", ""]
    rows = [
        (say(explanations.MEANING), say(entry.meaning)),
        (say(explanations.BYTES), "; ".join(map(say, entry.ranges))),
        (say(explanations.RULE), f"{rule.text} ({rule.file}:{rule.line})"),
        (say(explanations.EXAMPLE), f"{entry.example}  utf8-abnf explain {entry.example}"),
        *((say(explanations.NAIVE_LABEL), text) for text in naive_texts(piece)),
        (say(explanations.HISTORY), say(entry.history)),
        (say(explanations.ATTACK), say(entry.attack)),
        (say(explanations.FIX), say(entry.advice)),
        (say(explanations.READ), say(entry.read)),
    ]
    indent = max(columns(label) for label, _ in rows) + 2
    for label, text in rows:
        first, *rest = wrapped(text, _WIDTH - indent - 2)
        lines += [f"  {padded(label, indent)}{first}", *(f"  {'':{indent}}{line}" for line in rest)]
    return "\n".join(lines)
