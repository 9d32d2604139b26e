"""The names of inputs as messages show them, and why a file cannot be opened, read or written."""

from __future__ import annotations

from utf8_abnf.language.notation import printable

STDIN = "-"
STDIN_SHOWN = "(standard input)"  # as grep and isutf8 call it


def reason_of(error: OSError) -> str:
    """Return why a file could not be opened, read or written."""
    return printable(error.strerror or str(error))  # it may quote a name, which a terminal would obey


def shown(path: str) -> str:
    r"""Return *path* as messages show it, on one line: unprintable characters as in Python, ``\n``, ``\xff``."""
    if path == STDIN:
        return STDIN_SHOWN
    return (path if path.isprintable() else printable(path)) or "''"
