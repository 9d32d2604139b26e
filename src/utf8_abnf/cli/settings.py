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
NAMES = ("baseline", "bom", "exclude", "follow", "format", "max-errors", "profile", "text", "vcs")
_TABLE = rb"(?m)^[ \t]*\[[ \t]*tool[ \t]*\.[ \t]*([\"']?)utf8-abnf\1[ \t]*[.\]]"  # few need it: 0.3 ms to compile


def apply(parser: argparse.ArgumentParser) -> None:
    """Make the settings of the project the defaults of *parser*; ``UsageError`` with file and line for wrong ones.

    A setting whose option *parser* does not have is another command's. Paths count from the folder of the file.
    """
    path, data, values = _nearest()
    for name, value in values.items():
        place = f"{path}:{_line(data, name)}: "
        if name not in NAMES:
            raise UsageError(f"{place}there is no setting {name!r}; the settings are {', '.join(NAMES)}")
        action = parser._option_string_actions.get(f"--{name}")
        if action is None:
            continue
        if wanted := _wanted(action, value):
            raise UsageError(f"{place}{name} has to be {wanted}")
        folder = os.path.dirname(path)
        if name == "exclude":
            from utf8_abnf.cli.exclusion import Excluded  # here, as few projects have settings

            value = [Excluded(pattern, folder) for pattern in value]
        elif name == "baseline":
            value = os.path.join(folder, value)
        elif name == "profile":
            value = _profile(value, folder, place)
        parser.set_defaults(**{action.dest: value})


def _profile(value: str, folder: str, place: str) -> str:
    """Return the profile of this name, or the path of its grammar."""
    from utf8_abnf.files.profiles import profile_names  # here, as few projects have one

    path = os.path.join(folder, value)
    if value in profile_names() or os.path.isfile(path):
        return value if value in profile_names() else path
    raise UsageError(f"{place}profile has to be a file or one of {', '.join(profile_names())}")


def _nearest() -> tuple[str, bytes, dict[str, Any]]:
    """Return the path and content of the file with the settings, and these; nothing where there is none."""
    folder = os.getcwd()
    while True:
        for name in (FILE, SHARED_FILE):
            path = os.path.join(folder, name)
            if not os.path.isfile(path):
                continue
            with open(path, "rb") as file:
                data = file.read()
            values = _values(path, data) if name == FILE else _shared_values(path, data)
            if values is not None:
                return path, data, values
        if folder == (folder := os.path.dirname(folder)):
            return "", b"", {}


def _shared_values(path: str, data: bytes) -> dict[str, Any] | None:
    """Return the table of a file that other programs have tables in; None where there is none, or only its name."""
    if b"utf8-abnf" not in data:
        return None
    try:
        tool = _values(path, data).get("tool")
    except UsageError:
        if re.search(_TABLE, data):
            raise
        return None  # the other programs will say so
    found: dict[str, Any] | None = tool.get("utf8-abnf") if isinstance(tool, dict) else None
    if found is not None and not isinstance(found, dict):
        raise UsageError(f"{path}:{_line(data, 'utf8-abnf')}: tool.utf8-abnf has to be a table")
    return found


def _values(path: str, data: bytes) -> dict[str, Any]:
    import tomllib  # 3 ms

    try:
        return tomllib.loads(data.decode("utf-8-sig"))  # Windows' Notepad writes a mark, which TOML 1.1 passes over
    except UnicodeDecodeError as error:
        line, reason = data.count(b"\n", 0, error.start) + 1, f"{error.reason}: {data[error.start]:02X}"
    except tomllib.TOMLDecodeError as error:
        place = re.search(r" \(at line (\d+), column \d+\)$", str(error))
        line = int(place[1]) if place else data.count(b"\n") + 1
        reason = str(error)[: place.start()] if place else str(error).removesuffix(" (at end of document)")
    except RecursionError:
        line, reason = 1, "values are nested too deeply"
    raise UsageError(f"{path}:{line}: this is not TOML: {reason}")


def _line(data: bytes, name: str) -> int:
    """Return the line of the setting *name*, or that of the table that a shared file has."""
    table = re.search(_TABLE, data)
    start = table.start() if table else 0
    key = re.compile(rb"^[ \t]*[\"']?" + re.escape(name.encode()) + rb"\b", re.MULTILINE)
    found = key.search(data, start)
    return data.count(b"\n", 0, found.start() if found else start) + 1


def _wanted(action: argparse.Action, value: object) -> str:
    """Return what *value* has to be for the option *action*, in words; "" where it is that."""
    if action.nargs == 0:
        return "" if isinstance(value, bool) else "true or false"
    if isinstance(action.default, list):
        is_list = isinstance(value, list) and all(isinstance(each, str) for each in value)
        return "" if is_list else 'a list of texts, as in ["*.png"]'
    if action.choices is not None:
        return "" if value in list(action.choices) else f"one of {', '.join(map(repr, action.choices))}"
    if isinstance(action.default, int):
        return "" if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else "a whole number from 0"
    return "" if isinstance(value, str) and value else "a text that is not empty"
