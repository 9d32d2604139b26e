"""``grammar fmt``: files of ABNF in; the same files in the standard layout out, or which of them are not in it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from utf8_abnf.cli.grammar.inputs import content
from utf8_abnf.cli.names import STDIN, shown
from utf8_abnf.cli.status import ILL_FORMED, OK, USAGE
from utf8_abnf.errors import GrammarError
from utf8_abnf.grammar.formatting import formatted
from utf8_abnf.language.catalogue import described

if TYPE_CHECKING:
    import argparse

LINE_ENDS = {"lf": "\n", "crlf": "\r\n"}


def run_fmt(args: argparse.Namespace) -> int:
    """Format each file in place; with ``--check`` only name those that would change. What cannot be read is named."""
    return max(_format(path, LINE_ENDS.get(args.line_ends or ""), only_check=args.check) for path in args.files)


def _format(path: str, line_end: str | None, *, only_check: bool) -> int:
    text = content(path).decode("utf-8", "surrogateescape")
    try:
        made = formatted(text, file=shown(path), line_end=line_end)
    except GrammarError as error:
        print(f"utf8-abnf: {described(error)}", file=sys.stderr)
        return USAGE
    if path == STDIN and not only_check:
        sys.stdout.buffer.write(made.encode("utf-8", "surrogateescape"))
    elif made != text:
        print(f"{shown(path)}: {'not formatted' if only_check else 'formatted'}")
        if only_check:
            return ILL_FORMED
        Path(path).write_bytes(made.encode("utf-8", "surrogateescape"))
    return OK
