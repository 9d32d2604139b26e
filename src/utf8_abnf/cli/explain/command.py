"""``utf8-abnf explain``: bytes in, the reason why they are ill-formed out, step by step; or an error code's meaning."""

from __future__ import annotations

import os
import sys
from itertools import takewhile
from typing import TYPE_CHECKING

from utf8_abnf.cli.explain.bytes import Explained
from utf8_abnf.cli.explain.entries import CODES, entry_of, title_of
from utf8_abnf.cli.grammar.grammars import add_start, load
from utf8_abnf.cli.grammar.inputs import bytes_of_hex, content
from utf8_abnf.cli.names import STDIN
from utf8_abnf.cli.status import ILL_FORMED, OK
from utf8_abnf.errors import UsageError
from utf8_abnf.explain.steps import explain_bytes
from utf8_abnf.language import explanations, messages
from utf8_abnf.language.catalogue import LANGUAGES, say, speaking, wanted
from utf8_abnf.validator.functions import first_error

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable

PREFIXES = ("UTF8-", "PROFILE-")
SHOWN = 64  # bytes explained
BEFORE = 16  # of them before the error

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
    what.add_argument("what", metavar="BYTES|CODE", nargs="*", help=f"bytes in hex, or one of {', '.join(CODES)}")
    source = what.add_mutually_exclusive_group()
    source.add_argument("--text", help="the bytes of this text")
    source.add_argument("--file", metavar="PATH", help="the bytes of this file; - is standard input")
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
        print("\n\n".join(map(entry_of, codes)))
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
    origin = _begin(whole)
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


def _explain_with(args: argparse.Namespace, data: bytes) -> int:
    from utf8_abnf.automaton.explain import explain_failure
    from utf8_abnf.cli.grammar.refused import print_refusal

    grammar = load(args.grammar or "utf8", args.start)
    start = args.start or grammar.start
    if failure := explain_failure(grammar, data, start):
        print_refusal(failure, data, start, grammar)
        return ILL_FORMED
    print(say(explanations.DERIVES, rule=grammar[start].name, count=len(data), file=grammar.file))
    return OK


def _codes(words: Iterable[str]) -> list[str]:
    """Return the error codes that *words* name; none if they are bytes. The prefix UTF8- may be left out."""
    names = [word if word.startswith(PREFIXES) else f"UTF8-{word}" for word in map(str.upper, words)]
    codes = [name for name in names if name in CODES]
    if codes and len(codes) < len(names):
        raise UsageError(say(messages.CODES_AND_BYTES))
    if not codes and any(word.upper().startswith(PREFIXES) for word in words):
        raise UsageError(say(messages.NO_SUCH_CODE, codes=", ".join(CODES)))
    return codes


def _list_codes() -> int:
    for code in CODES:
        print(f"{code:<21} {title_of(code)}")
    print(f"\n{say(explanations.EXAMPLE)}: utf8-abnf explain UTF8-SURROGATE")
    return OK
