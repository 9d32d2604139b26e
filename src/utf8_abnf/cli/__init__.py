"""The command line: one module for each command, found in a table, imported only when it is called.

A command is a module with two names: ``configure(parser)`` adds its arguments, its description and, as epilog, an
example; ``run(args) -> int`` does the work and returns the exit status. It raises ``UsageError`` for a command line
that cannot be carried out; whatever it raises, the user sees one sentence and no traceback (``failures.py``).
"""

from __future__ import annotations

import os
import sys
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple, NoReturn

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

# Exit statuses (DESIGN section 6): scripts rely on them.
OK = 0  # well-formed, or conforms
ILL_FORMED = 1  # ill-formed, or does not conform
USAGE = 2  # usage or I/O error
TARGET = 3  # the decoder could not be started or kept crashing


class Command(NamedTuple):
    """A row of the overview: the module is imported only when the command is called.

    *ends_at_once*: the command leaves no thread, no temporary file and nothing for ``atexit`` behind, so the process
    may end without taking the interpreter apart: a quarter of the time that ``check`` needs for a small file.
    """

    module: str
    summary: str
    ends_at_once: bool = False


COMMANDS = {
    "check": Command(
        "utf8_abnf.cli.check", "check that files, folders or standard input are well-formed UTF-8", ends_at_once=True
    ),
    "explain": Command("utf8_abnf.cli.explain", "say why bytes are ill-formed, or what an error code means"),
    "parse": Command("utf8_abnf.cli.parse", "print the parse tree of bytes, text or a file"),
    "test": Command("utf8_abnf.cli.test", "test a decoder against the grammar"),
    "smoke": Command("utf8_abnf.cli.smoke", "see whether an adapter works, with a dozen cases"),
    "adapter": Command("utf8_abnf.cli.adapter", "write an adapter for a decoder in C, Rust, Java ..."),
    "suite": Command("utf8_abnf.cli.suite", "list the conformance cases, or write them out"),
    "learn": Command("utf8_abnf.cli.learn", "learn what a decoder really accepts, and write it as ABNF"),
    "matrix": Command("utf8_abnf.cli.matrix", "test and learn every known decoder that is on this machine"),
    "encode": Command("utf8_abnf.cli.encode", "encode characters, text or UTF-16 in UTF-8, step by step on request"),
    "decode": Command("utf8_abnf.cli.decode", "decode UTF-8 to character numbers or text, step by step on request"),
    "prove": Command("utf8_abnf.cli.prove", "prove the installed kernels equal to the grammar's automaton"),
    "play": Command("utf8_abnf.cli.play", "open a page that steps through UTF-8 by its grammar, with exercises"),
    "grade": Command("utf8_abnf.cli.grade", "grade a class's grammars by the bytes they accept"),
    "grammar": Command("utf8_abnf.cli.grammar", "lint, compile, compare and draw any ABNF grammar"),
}

_ABOUT = """\
Exit status: 0 well-formed or conforms, 1 ill-formed or does not conform, 2 usage or I/O error, 3 the decoder under
test could not be started or kept crashing. `utf8-abnf COMMAND --help` tells more of each command.

example: printf 'ab\\355\\240\\200' | utf8-abnf check"""


def command() -> NoReturn:
    """Run the command line of this process and end the process with the exit status."""
    status = main()
    name = sys.argv[1] if len(sys.argv) > 1 else ""
    if name in COMMANDS and COMMANDS[name].ends_at_once and not sys.flags.inspect:
        os._exit(status)  # main has flushed standard output; standard error is not buffered across lines
    raise SystemExit(status)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line *argv* (``sys.argv[1:]`` by default) and return the exit status; never raises."""
    try:
        from utf8_abnf.cli import failures

        failures.mend_streams()
        status = _run(sys.argv[1:] if argv is None else list(argv))
        sys.stdout.flush()
    except BaseException as error:  # KeyboardInterrupt and SystemExit, too
        return failures.status_of(error)
    return status


def _run(arguments: list[str]) -> int:
    name, *rest = arguments or ["--help"]
    if name == "help" and rest:  # `utf8-abnf help check`
        name, rest = rest[0], ["--help"]
    if name not in COMMANDS:
        return _overview(name)
    import argparse

    module = import_module(COMMANDS[name].module)
    parser = argparse.ArgumentParser(prog=f"utf8-abnf {name}", formatter_class=_help_formatter, allow_abbrev=False)
    module.configure(parser)
    return int(module.run(parser.parse_args(rest)))


def _help_formatter(prog: str) -> argparse.HelpFormatter:
    """Return argparse's formatter with a width, so that it does not load shutil and its compressors to find one."""
    import argparse

    try:
        columns = int(os.environ.get("COLUMNS", "")) or os.get_terminal_size().columns
    except (ValueError, OSError):
        columns = 100
    return argparse.RawDescriptionHelpFormatter(prog, width=max(60, min(columns, 120)) - 2)


def _overview(name: str) -> int:
    if name in {"--version", "-V"}:
        from utf8_abnf import __version__
        from utf8_abnf.validator import kernel

        print(f"utf8-abnf {__version__} (kernel {kernel.name}, Python {sys.version.split()[0]})")
        return OK
    if name in {"-h", "--help", "help"}:
        print("usage: utf8-abnf COMMAND [ARGUMENT ...]\n\nRFC 3629's grammar for UTF-8, made executable.\n")
        for command, row in COMMANDS.items():
            print(f"  {command:<9} {row.summary}")
        print(f"\n{_ABOUT}")
        return OK
    from difflib import get_close_matches

    from utf8_abnf.errors import UsageError
    from utf8_abnf.language import messages
    from utf8_abnf.language.catalogue import say

    similar = get_close_matches(name, COMMANDS, n=1)
    facts = {"name": repr(name), **({"similar": repr(similar[0])} if similar else {})}
    raise UsageError(say(messages.DID_YOU_MEAN if similar else messages.NO_COMMAND, **facts))
