"""``utf8-abnf lsp``: a language server for ABNF, for editors."""

from __future__ import annotations

from typing import TYPE_CHECKING

from utf8_abnf.cli.status import OK

if TYPE_CHECKING:
    import argparse

DESCRIPTION = """\
Serve an editor by the Language Server Protocol, on standard input and output: mistakes and traps in grammars as they
are written, definitions and references, renaming, completion, formatting, and what a rule looks like and derives.
Grammars are files of their own, or the blocks of ABNF in Markdown and RFC XML. It needs the package pygls:
python -m pip install 'utf8-abnf[lsp]'."""

EPILOG = """\
docs/how-to/use-an-editor.md has the settings for VS Code, Neovim and Emacs.

exit status:
  0  the editor has ended the session
  2  usage or I/O error, or pygls is not installed

example:
  utf8-abnf lsp < /dev/null"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Set the description; there are no arguments."""
    parser.description = DESCRIPTION
    parser.epilog = EPILOG


def run(args: argparse.Namespace) -> int:
    """Serve until the editor ends the session."""
    from utf8_abnf.cli.grammar.server import make_server

    make_server().start_io()
    return OK
