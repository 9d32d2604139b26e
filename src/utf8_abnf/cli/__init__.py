"""The command line: one module for each command, found in a table, imported only when it is called.

A command is a module with three names: ``SUMMARY`` (one line for the overview), ``configure(parser)`` (adds its
arguments, its description and an example as epilog) and ``run(args) -> int`` (does the work and returns the exit status).
"""

from __future__ import annotations

import os
import sys
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

from utf8_abnf.errors import TargetError, Utf8AbnfError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

# Exit statuses (DESIGN section 6): scripts rely on them.
OK = 0  # well-formed, or conforms
ILL_FORMED = 1  # ill-formed, or does not conform
USAGE = 2  # usage or I/O error
TARGET = 3  # the decoder could not be started or kept crashing


class Command(NamedTuple):
    """A row of the overview: the module is imported only when the command is called."""

    module: str
    summary: str


COMMANDS = {
    "check": Command("utf8_abnf.cli.check", "check that files, folders or standard input are well-formed UTF-8"),
    "explain": Command("utf8_abnf.cli.explain", "say why bytes are ill-formed, or what an error code means"),
    "parse": Command("utf8_abnf.cli.parse", "print the parse tree of bytes, text or a file"),
    "test": Command("utf8_abnf.cli.test", "test a decoder against the grammar"),
    "grammar": Command("utf8_abnf.cli.grammar", "lint, compile, compare and draw any ABNF grammar"),
}


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line *argv* (``sys.argv[1:]`` by default) and return the exit status; never raises."""
    arguments = sys.argv[1:] if argv is None else list(argv)
    try:
        status = _run(arguments)
        sys.stdout.flush()
    except BrokenPipeError:  # `utf8-abnf ... | head`: the reader has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return OK
    except KeyboardInterrupt:
        print("utf8-abnf: interrupted", file=sys.stderr)
        return 130
    except TargetError as error:
        print(f"utf8-abnf: {error}", file=sys.stderr)
        return TARGET
    except (Utf8AbnfError, OSError) as error:
        print(f"utf8-abnf: {error}", file=sys.stderr)
        return USAGE
    return status


def _run(arguments: list[str]) -> int:
    import argparse

    name = arguments[0] if arguments else ""
    if name in COMMANDS:
        module = import_module(COMMANDS[name].module)
        parser = argparse.ArgumentParser(
            prog=f"utf8-abnf {name}", formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False
        )
        module.configure(parser)
        return _status(parser, arguments[1:], module.run)
    return _overview(name, arguments)


def _status(parser: argparse.ArgumentParser, arguments: list[str], run) -> int:  # type: ignore[no-untyped-def]
    try:
        args = parser.parse_args(arguments)
    except SystemExit as stop:  # argparse has printed its message or the help
        return int(stop.code or 0)
    return int(run(args))


def _overview(name: str, arguments: list[str]) -> int:
    from utf8_abnf import __version__, kernel

    if name in {"--version", "-V"}:
        print(f"utf8-abnf {__version__} (kernel {kernel.name})")
        return OK
    wanted = not arguments or name in {"-h", "--help", "help"}
    out = sys.stdout if wanted else sys.stderr
    if not wanted:
        print(f"utf8-abnf: there is no command {name!r}", file=out)
    print("usage: utf8-abnf COMMAND [ARGUMENT ...]\n\nRFC 3629's grammar for UTF-8, made executable.\n", file=out)
    for command, row in COMMANDS.items():
        print(f"  {command:10}{row.summary}", file=out)
    print(
        "\nutf8-abnf COMMAND --help tells more. Exit status: 0 well-formed or conforms, 1 ill-formed or does not\n"
        "conform, 2 usage or I/O error, 3 the decoder under test could not be started or kept crashing.\n\n"
        "example: printf 'ab\\355\\240\\200' | utf8-abnf check",
        file=out,
    )
    return OK if wanted else USAGE
