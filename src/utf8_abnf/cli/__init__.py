"""The command line: one module for each command, found in a table, imported only when it is called.

A command is a module, or ``command`` in a room of its own, with two functions: ``configure(parser)`` adds its
arguments, its description and, as epilog, its exit statuses and examples; ``run(args) -> int`` does the work and
returns one of the statuses of ``status.py``. It raises ``UsageError`` for a command line that cannot be carried out.
Whatever it raises, the user reads one sentence and no traceback (``failures.py``). The commands import what they share
(``sources``, ``progress``, ``layout`` ...), and none of them imports this module.
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]  # signal makes enumerations of this, which takes longer
import gc
import io
import os
import sys
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple, NoReturn

from utf8_abnf.cli.status import INTERRUPTED, OK

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence
    from types import ModuleType


class Command(NamedTuple):
    """A row of the overview: the *module*, in this package, is imported only when the command is called."""

    module: str
    summary: str


COMMANDS = {
    "check": Command("files.check", "check that files, folders or standard input are well-formed UTF-8"),
    "repair": Command("files.repair", "make well-formed UTF-8 of bytes that are not, and log each change"),
    "explain": Command("explain.command", "say why bytes are ill-formed, or what an error code means"),
    "parse": Command("grammar.parse", "print the parse tree of bytes, text or a file"),
    "test": Command("conformance.test", "test a decoder against the grammar"),
    "smoke": Command("conformance.smoke", "see whether an adapter works, with a dozen cases"),
    "adapter": Command("conformance.adapter", "write an adapter for a decoder in C, Rust, Java ..."),
    "suite": Command("conformance.suite", "list the conformance cases, or write them out"),
    "learn": Command("conformance.learn", "learn what a decoder really accepts, and write it as ABNF"),
    "matrix": Command("conformance.matrix", "test and learn every known decoder that is on this machine"),
    "encode": Command("explain.encode", "encode characters or text in UTF-8, step by step on request"),
    "decode": Command("explain.decode", "decode UTF-8 to character numbers or text, step by step on request"),
    "prove": Command("conformance.prove", "prove the installed kernels equal to the grammar's automaton"),
    "play": Command("teaching.play", "open a page that steps through UTF-8 by its grammar, with exercises"),
    "grade": Command("teaching.grade.command", "grade a class's grammars by the bytes that they accept"),
    "grammar": Command("grammar.command", "lint, format, compile, compare and draw any ABNF grammar"),
    "lsp": Command("grammar.lsp", "serve editors that write ABNF (Language Server Protocol)"),
}
# These leave no thread, no temporary file and no work for ``atexit`` behind, so the process may end without the
# interpreter's clean-up: a quarter of the time that ``check`` needs for a small file.
ENDS_AT_ONCE = {"check"}
HAS_SETTINGS = {"check", "repair"}  # a project may set defaults of their options

_BEGINNINGS = """\
usage: utf8-abnf COMMAND ...

Three ways to begin:
  utf8-abnf test lib:./decoder.so:is_valid   test a decoder: a C function, a program, a Python function
  utf8-abnf check .                          check files, and explain what is wrong
  utf8-abnf play                             see UTF-8's grammar work, in a browser

`utf8-abnf --help` lists all commands, `utf8-abnf COMMAND --help` their options.
"""

_ABOUT = """\
exit status of every command:
  0  the input is well-formed, or the decoder conforms
  1  the input is ill-formed, or the decoder does not conform
  2  the command line is wrong, or a file cannot be read or written
  3  the decoder under test could not be started, or kept crashing

example:
  printf 'ab\\355\\240\\200' | utf8-abnf check"""


def command() -> NoReturn:
    """Run the command line of this process and end the process with the exit status."""
    gc.disable()  # while modules are loaded, which leave nothing to collect: 1 to 2 ms of the start
    try:
        status = main()
        if _signal.getsignal(_signal.SIGINT) != _signal.SIG_IGN:  # as whoever started this process may want it
            _signal.signal(_signal.SIGINT, _signal.SIG_DFL)  # what is left to do may be cut off, without a traceback
    except KeyboardInterrupt:  # before one can be reported, or a second one meanwhile
        os._exit(INTERRUPTED)
    name = sys.argv[1] if len(sys.argv) > 1 else ""
    if name in ENDS_AT_ONCE and not sys.flags.inspect:
        os._exit(status)  # main has flushed standard output; standard error is not buffered across lines
    raise SystemExit(status)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line *argv* (``sys.argv[1:]`` by default) and return the exit status.

    Raises nothing, unless it is interrupted before it can report that, or a second time.
    """
    from utf8_abnf.cli import failures

    try:
        if None in (sys.stdin, sys.stdout, sys.stderr):
            failures.replace_closed_streams()
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(errors=failures.PLAIN)
        status = _run(sys.argv[1:] if argv is None else list(argv))
        sys.stdout.flush()
        return status
    except BaseException as error:  # KeyboardInterrupt and SystemExit as well
        return failures.status_of(error)


def parser() -> argparse.ArgumentParser:
    """Return the parser of the whole command line, every command configured: the command reference is made from it."""
    whole, commands = _overview()
    for name, command in COMMANDS.items():
        _module(command).configure(commands[name])
    return whole


def _run(arguments: list[str]) -> int:
    if not arguments:
        sys.stdout.write(_BEGINNINGS)
        return OK
    name, *rest = arguments
    if name in COMMANDS:
        return _call(name, rest)
    if name in {"--version", "-V"}:
        from utf8_abnf import __version__
        from utf8_abnf.validator import kernel

        print(f"utf8-abnf {__version__} (kernel {kernel.name}, Python {sys.version.split()[0]})")
        return OK
    if name in {"-h", "--help"}:
        _overview()[0].print_help()
        return OK
    raise _unknown(name)


def _call(name: str, arguments: list[str]) -> int:
    """Run the command *name*; only its own parser is made."""
    from utf8_abnf.cli.layout import Parser

    module = _module(COMMANDS[name])
    parser = Parser(prog=f"utf8-abnf {name}")
    module.configure(parser)
    if name in HAS_SETTINGS:
        from utf8_abnf.cli.files import settings

        settings.apply(parser)
    parsed = parser.parse_args(arguments)
    gc.enable()
    if _signal.getsignal(_signal.SIGINT) == _signal.SIG_DFL:  # what utf8_abnf/__init__ set for the imports
        _signal.signal(_signal.SIGINT, _signal.default_int_handler)
    return int(module.run(parsed))


def _module(command: Command) -> ModuleType:
    return import_module(f"{__name__}.{command.module}")


def _overview() -> tuple[argparse.ArgumentParser, dict[str, argparse.ArgumentParser]]:
    """Return the parser of the whole command line and the parsers of the commands, which have no arguments yet."""
    from utf8_abnf.cli.layout import Parser

    whole = Parser(prog="utf8-abnf", epilog=_ABOUT)
    whole.description = (
        "RFC 3629's grammar for UTF-8, made executable. `utf8-abnf COMMAND --help` tells more about each command."
    )
    whole.add_argument("-V", "--version", action="store_true", help="print the versions of program, kernel and Python")
    actions = whole.add_subparsers(metavar="COMMAND", title="commands")
    return whole, {name: actions.add_parser(name, help=row.summary) for name, row in COMMANDS.items()}


def _unknown(name: str) -> Exception:
    from difflib import get_close_matches

    from utf8_abnf.errors import UsageError

    meant = "".join(f" did you mean {similar!r}?" for similar in get_close_matches(name, COMMANDS, n=1))
    return UsageError(f"there is no command {name!r};{meant} `utf8-abnf --help` lists the commands")
