"""How ``--help`` is laid out: wrapped at the terminal's width, except for the commands of examples."""

from __future__ import annotations

import argparse
import os
import re
import sys
from typing import TYPE_CHECKING, Any, NoReturn

from utf8_abnf.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from _typeshed import SupportsWrite

MIN_COLUMNS, MAX_COLUMNS = 60, 120
MAX_CHOICES = 18  # letters in a usage line
MAX_IN_USAGE = 6  # options
_NAMES = 26  # columns for the names of options
_ROW = r"  \S.*?  +(?=\S)"  # two spaces, a name, and at least two spaces before its meaning


argparse._ = str  # type: ignore[attr-defined]  # gettext would load ``locale`` and look for catalogues: 1 ms


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

    def error(self, message: str) -> NoReturn:
        """Raise the sentence, which argparse would print behind the whole usage."""
        raise UsageError(f"{message}; see {self.prog} --help")

    def _print_message(self, message: str, file: SupportsWrite[str] | None = None) -> None:
        (file or sys.stderr).write(message)


class HelpFormatter(argparse.HelpFormatter):
    """Lay out descriptions and epilogs by three rules.

    Lines at the margin are a paragraph: they are joined, and wrapped. A line that begins with two spaces is a row, of a
    name and its meaning or of words; lines that begin with more spaces continue it; it is wrapped and stays indented.
    After a line that begins with "example", a row is a command: it stays as it is, only its comment (``  # ...``)
    moves to the next line where both do not fit.

    Many choices of an option, which argparse cannot wrap, stand in its help.
    """

    def __init__(self, prog: str) -> None:
        # a width of our own: else argparse loads shutil to find one
        super().__init__(prog, width=_columns() - 2, max_help_position=_NAMES)

    def _format_usage(self, usage: str | None, actions: Any, groups: Any, prefix: str | None) -> str:
        """Return the usage; the options are listed below, so many of them are one word here."""
        options = [action for action in actions if action.option_strings]
        if usage is None and len(options) > MAX_IN_USAGE:
            plain = super()._format_usage(None, [each for each in actions if not each.option_strings], (), "")
            usage = f"{self._prog} [OPTIONS]{plain.strip().removeprefix(self._prog)}"
        lines = super()._format_usage(usage, actions, groups, prefix).splitlines()
        # argparse does not wrap alternatives: [-a | -b]
        return "\n".join(part for line in lines for part in _lines(line, self._width, _indent(line) + 1)) + "\n\n"

    def _metavar_formatter(self, action: argparse.Action, default_metavar: str) -> Callable[[int], tuple[str, ...]]:
        if _has_many_choices(action):
            return lambda size: (default_metavar,) * size
        return super()._metavar_formatter(action, default_metavar)

    def _get_help_string(self, action: argparse.Action) -> str | None:
        choices = f"; one of {', '.join(action.choices or ())}" if _has_many_choices(action) else ""
        return f"{action.help or ''}{choices}"

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        return "\n".join(_wrapped(text, width))


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _has_many_choices(action: argparse.Action) -> bool:
    words = action.choices if action.metavar is None and not isinstance(action, argparse._SubParsersAction) else ()
    return sum(len(str(word)) for word in words or ()) > MAX_CHOICES


def _columns() -> int:
    try:
        columns = int(os.environ.get("COLUMNS", "")) or os.get_terminal_size().columns
    except (ValueError, OSError):
        columns = 100
    return max(MIN_COLUMNS, min(columns, MAX_COLUMNS))


def _wrapped(text: str, width: int) -> Iterator[str]:
    examples = False
    for line in _joined(text):
        if not line.startswith(" "):
            examples = line.startswith("example")
        if examples and line.startswith(" "):
            yield from _example(line, width)
        else:
            row = re.match(_ROW, line)
            yield from _lines(line, width, row.end() if row else 4 if line.startswith(" ") else 0)


def _joined(text: str) -> Iterator[str]:
    """Yield each paragraph and each row of *text* as one line, and the empty lines between them."""
    joined = ""
    for line in text.rstrip().splitlines():
        continues = line.startswith("   ") if joined.startswith(" ") else not line.startswith(" ")
        if joined and line and continues:
            joined += " " + line.strip()
            continue
        if joined:
            yield joined
        joined = line
        if not line:
            yield ""
    yield joined


def _example(line: str, width: int) -> Iterator[str]:
    command, separator, comment = line.partition("  # ")
    if len(line) <= width or not separator:
        yield line
    else:
        yield command.rstrip()
        yield from _lines(f"      # {comment.strip()}", width, 8)


def _lines(line: str, width: int, hanging: int) -> list[str]:
    import textwrap

    indent = " " * hanging
    lines = textwrap.wrap(
        line, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False, expand_tabs=False
    )
    return lines or [""]
