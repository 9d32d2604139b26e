"""Parsers of argparse with our layout of help, and with errors as exceptions."""

from __future__ import annotations

import argparse
import os
import sys
from functools import partial
from typing import TYPE_CHECKING, Any, NoReturn

from utf8_abnf.errors import UsageError

if TYPE_CHECKING:
    from _typeshed import SupportsWrite

MIN_COLUMNS, MAX_COLUMNS = 60, 120
MAX_IN_USAGE = 6  # options
_NAMES = 26  # columns for the names of options

# gettext would load ``locale`` and look for catalogues: 1 ms; argparse also translates descriptions that are None
argparse._ = lambda text: text  # type: ignore[attr-defined]


class Parser(argparse.ArgumentParser):
    """argparse's parser with our layout of help; it reports that help cannot be written, where argparse is silent."""

    def __init__(self, **options: Any) -> None:
        options = {"formatter_class": HelpFormatter, "allow_abbrev": False, **options}
        super().__init__(**options, add_help=False)
        self._optionals.add_argument("-h", "--help", action="help", help="show this help and exit")

    def add_argument(self, *names: Any, **options: Any) -> argparse.Action:
        """Add an argument to one of the parser's own groups: argparse would make a formatter to look at its name."""
        group = self._optionals if names[0].startswith("-") else self._positionals
        return group.add_argument(*names, **options)

    def parse_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse as argparse does, but with options between positional arguments as well: ``smoke TARGET -q HEX``.

        Argparse's own way to do so takes 4 ms more, and knows no ``--``, no commands within a command, and no
        positional argument that is one of several alternatives; there the positional arguments have to stand together.
        """
        words = sys.argv[1:] if args is None else list(args)
        parsed, left = self.parse_known_args(words, namespace)
        if not left:
            return parsed
        alternatives = [action for group in self._mutually_exclusive_groups for action in group._group_actions]
        plain = {argparse.PARSER, argparse.REMAINDER}.isdisjoint(action.nargs for action in self._actions)
        if "--" in words or not plain or not all(action.option_strings for action in alternatives):
            self.error(f"unrecognized arguments: {' '.join(left)}")
        return self.parse_intermixed_args(words, namespace)

    def has_option(self, name: str) -> bool:
        """Return whether there is such an option."""
        return name in self._option_string_actions

    def error(self, message: str) -> NoReturn:
        """Raise the sentence, which argparse would print behind the whole usage."""
        raise UsageError(f"{message}; see {self.prog} --help")

    def _print_message(self, message: str, file: SupportsWrite[str] | None = None) -> None:
        (file or sys.stderr).write(message)


class HelpFormatter(argparse.HelpFormatter):
    """Wrap the paragraphs of descriptions and epilogs; one with lines that begin with two spaces stays as it is."""

    def __init__(self, prog: str) -> None:
        # a width of our own: else argparse loads shutil to find one
        super().__init__(prog, width=_columns() - 2, max_help_position=_NAMES)

    def _format_usage(self, usage: str | None, actions: Any, groups: Any, prefix: str | None) -> str:
        """Return the usage; the options are listed below, so many of them are one word here."""
        if usage is None and sum(bool(action.option_strings) for action in actions) > MAX_IN_USAGE:
            plain = super()._format_usage(None, [each for each in actions if not each.option_strings], (), "")
            usage = f"{self._prog} [OPTIONS]{plain.strip().removeprefix(self._prog)}"
        return super()._format_usage(usage, actions, groups, prefix)

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        import textwrap  # as argparse does it: few calls ask for help

        filled = partial(textwrap.fill, width=width, break_on_hyphens=False)
        parts = text.strip("\n").split("\n\n")
        return "\n\n".join(part if "\n  " in part else filled(part) for part in parts)


def _columns() -> int:
    try:
        columns = int(os.environ.get("COLUMNS", "")) or os.get_terminal_size().columns
    except (ValueError, OSError):
        columns = 100
    return max(MIN_COLUMNS, min(columns, MAX_COLUMNS))
