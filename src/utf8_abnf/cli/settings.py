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
PATHS = ("baseline",)  # from the folder of the file
_TABLE = rb"(?m)^[ \t]*\[[ \t]*tool[ \t]*\.[ \t]*([\"']?)utf8-abnf\1[ \t]*[.\]]"  # few need it: 0.3 ms to compile


def apply(parser: argparse.ArgumentParser) -> None:
    """Make the settings of the project the defaults of *parser*; ``UsageError`` with file and line for wrong ones.

    A setting whose option *parser* does not have is another command's.
    """
    path, data, values = _nearest()
    options = {name: parser._option_string_actions.get(f"--{name}") for name in NAMES}
    for name, value in values.items():
        place = {"file": path, "line": _line(data, name), "name": name}
        if name not in NAMES:
            raise _error("NO_SETTING", **place, known=", ".join(NAMES))
        action = options[name]
        if action is None:
            continue
        if wanted := _wanted(action, value):
            raise _error("WRONG_SETTING", **place, wanted=wanted)
        parser.set_defaults(**{action.dest: os.path.join(os.path.dirname(path), value) if name in PATHS else value})


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
        raise _error("WRONG_SETTING", file=path, line=_line(data, "utf8-abnf"), name="tool.utf8-abnf", wanted="{…}")
    return found


def _values(path: str, data: bytes) -> dict[str, Any]:
    import tomllib

    try:
        return tomllib.loads(data.decode("utf-8-sig"))  # Windows' Notepad writes a mark, which TOML 1.1 passes over
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
        return "" if isinstance(value, bool) else "true, false"
    if isinstance(action.default, list):
        is_list = isinstance(value, list) and all(isinstance(each, str) for each in value)
        return "" if is_list else '["…", "…"]'
    choices = _profile_names() if action.dest == "profile" else action.choices
    if choices is not None:
        return "" if value in list(choices) else ", ".join(f'"{each}"' for each in choices)
    if isinstance(action.default, int):
        return "" if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else "0, 1, 2 …"
    return "" if isinstance(value, str) and value else '"…"'


def _profile_names() -> tuple[str, ...]:
    from utf8_abnf.files.profiles import profile_names

    return profile_names()


def _error(message: str, **facts: object) -> UsageError:
    from utf8_abnf.language import messages
    from utf8_abnf.language.catalogue import say

    return UsageError(say(getattr(messages, message), **facts))
