"""Reads ``[tool.utf8-abnf]`` in ``pyproject.toml`` and makes the defaults of a ``Parser`` from it.

The nearest folder above the current one that has settings counts. What the command line says comes before them.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from utf8_abnf.errors import UsageError

if TYPE_CHECKING:
    from utf8_abnf.cli.layout import Parser

FILE = "pyproject.toml"
NAMES = ("bom", "exclude", "follow", "format", "max-errors", "profile", "text")


def apply(parser: Parser) -> None:
    """Make the settings of the project the defaults of *parser*; ``UsageError`` with the file for wrong ones.

    A setting is read as its option is. One whose option *parser* does not have is another command's. Paths count from
    the folder of the file.
    """
    path, values = _nearest()
    for name, value in values.items():
        if name not in NAMES:
            raise UsageError(f"{path}: there is no setting {name!r}; the settings are {', '.join(NAMES)}")
        if not parser.has_option(f"--{name}"):
            continue
        try:
            parsed = parser.parse_args(_words(f"--{name}", value))
        except UsageError as error:
            raise UsageError(f"{path}: {error}") from None
        dest = name.replace("-", "_")
        parser.set_defaults(**{dest: _from_folder(name, getattr(parsed, dest), os.path.dirname(path))})


def _words(option: str, value: object) -> list[str]:
    """Return the words of a command line that set *option* to *value*."""
    if isinstance(value, bool):
        return [option] * value
    if isinstance(value, dict):
        raise UsageError(f"argument {option}: it cannot be a table")
    return [f"{option}={each}" for each in (value if isinstance(value, list) else [value])]


def _from_folder(name: str, value: Any, folder: str) -> Any:
    """Return the *value* of an option, a path in it from *folder* on."""
    if name == "exclude":
        from utf8_abnf.cli.files.exclusion import Excluded  # here, as few projects have settings

        return [Excluded(pattern, folder) for pattern in value]
    if name == "profile":
        from utf8_abnf.files.profiles import profile_names  # here, as few projects have one

        return value if value in profile_names() else os.path.join(folder, value)
    return value


def _nearest() -> tuple[str, dict[str, Any]]:
    """Return the path of the file with the settings, and these; nothing where there is none."""
    folder = os.getcwd()
    while True:
        path = os.path.join(folder, FILE)
        if os.path.isfile(path) and (values := _values(path)) is not None:
            return path, values
        if folder == (folder := os.path.dirname(folder)):
            return "", {}


def _values(path: str) -> dict[str, Any] | None:
    """Return our table of a file that other programs have tables in; None where it has none."""
    with open(path, "rb") as file:
        data = file.read()
    if b"utf8-abnf" not in data:
        return None
    import tomllib  # 3 ms

    try:
        tool = tomllib.loads(data.decode("utf-8-sig")).get("tool")  # Windows' Notepad writes a mark
    except RecursionError:
        raise UsageError(f"{path} is not TOML: values are nested too deeply") from None
    except ValueError as error:
        raise UsageError(f"{path} is not TOML: {error}") from None
    found: dict[str, Any] | None = tool.get("utf8-abnf") if isinstance(tool, dict) else None
    if found is not None and not isinstance(found, dict):
        raise UsageError(f"{path}: tool.utf8-abnf has to be a table")
    return found
