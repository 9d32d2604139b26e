"""Settings of a project: ``utf8-abnf.toml``, or ``[tool.utf8-abnf]`` in ``pyproject.toml``; defaults of options out.

The nearest folder above the current one that has settings counts. What the command line says comes before them.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Any

from utf8_abnf.errors import UsageError

if TYPE_CHECKING:
    import argparse

FILE, SHARED_FILE = "utf8-abnf.toml", "pyproject.toml"
NAMES = ("baseline", "bom", "exclude", "follow", "format", "language", "max-errors", "profile", "text", "vcs")
PATHS = ("baseline",)  # from the folder of the file
_TABLE = re.compile(rb"^[ \t]*\[[ \t]*tool[ \t]*\.[ \t]*([\"']?)utf8-abnf\1[ \t]*[.\]]", re.MULTILINE)


def apply(parser: argparse.ArgumentParser) -> None:
    """Make the settings of the project the defaults of *parser*; ``UsageError`` with file and line for wrong ones.

    A setting whose option *parser* does not have is another command's.
    """
    found = _nearest()
    if found is None:
        return
    path, data, start = found
    values = _values(path, data, shared=start is not None)
    options = {name: parser._option_string_actions.get(f"--{name}") for name in NAMES}
    for name, value in values.items():
        place = {"file": path, "line": _line(data, start or 0, name), "name": name}
        if name not in NAMES:
            raise _error("NO_SETTING", **place, known=", ".join(NAMES))
        action = options[name]
        if action is None:
            continue
        if wanted := _wanted(action, value):
            raise _error("WRONG_SETTING", **place, wanted=wanted)
        parser.set_defaults(**{action.dest: os.path.join(os.path.dirname(path), value) if name in PATHS else value})


def _nearest() -> tuple[str, bytes, int | None] | None:
    """Return the path and content of the file with the settings, and where their table begins in a shared one."""
    folder = os.getcwd()
    while True:
        for name in (FILE, SHARED_FILE):
            path = os.path.join(folder, name)
            if not os.path.isfile(path):
                continue
            with open(path, "rb") as file:
                data = file.read()
            if name == FILE:
                return path, data, None
            if table := _TABLE.search(data):
                return path, data, table.start()
        if folder == (folder := os.path.dirname(folder)):
            return None


def _values(path: str, data: bytes, *, shared: bool) -> dict[str, Any]:
    import tomllib

    try:
        values = tomllib.loads(data.decode())
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise _error("NO_TOML", file=path, line=line, reason=f"{error.reason}: {data[error.start]:02X}") from None
    except tomllib.TOMLDecodeError as error:
        place = re.search(r" \(at line (\d+), column \d+\)$", str(error))
        line = int(place[1]) if place else data.count(b"\n") + 1
        reason = str(error)[: place.start()] if place else str(error).removesuffix(" (at end of document)")
        raise _error("NO_TOML", file=path, line=line, reason=reason) from None
    except RecursionError:
        raise _error("NO_TOML", file=path, line=1, reason="values are nested too deeply") from None
    found: dict[str, Any] = values["tool"]["utf8-abnf"] if shared else values
    return found


def _line(data: bytes, start: int, name: str) -> int:
    """Return the line of the setting *name*, or that of its table, which begins at *start*."""
    key = re.compile(rb"^[ \t]*[\"']?" + re.escape(name.encode()) + rb"\b", re.MULTILINE)
    found = key.search(data, start)
    return data.count(b"\n", 0, found.start() if found else start) + 1


def _wanted(action: argparse.Action, value: object) -> str:
    """Return what *value* has to be for the option *action*, in words; "" where it is that."""
    if action.nargs == 0:
        return "" if isinstance(value, bool) else "true, false"
    if isinstance(action.default, list):
        is_list = isinstance(value, list) and all(isinstance(each, str) for each in value)
        return "" if is_list else '["…", "…"]'
    if action.choices is not None:
        return "" if value in list(action.choices) else ", ".join(f'"{each}"' for each in action.choices)
    if isinstance(action.default, int):
        return "" if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else "0, 1, 2 …"
    return "" if isinstance(value, str) else '"…"'


def _error(message: str, **facts: object) -> UsageError:
    from utf8_abnf.language import messages
    from utf8_abnf.language.catalogue import say

    return UsageError(say(getattr(messages, message), **facts))
