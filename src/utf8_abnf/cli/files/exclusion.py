"""Compiles patterns of gitignore, for ``--exclude``, and tells whether a path matches.

A pattern without a slash, or with one at its end only, is a name in any folder. Any other counts from the folder that
its writer stood in: that of the settings, or the current one. A slash at the end means folders only, ``**`` any number
of folders, and ``!`` at the beginning takes back what earlier patterns leave out, but not out of such a folder.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, NamedTuple

from utf8_abnf.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable

# Any folders; all that is in a folder; a name's part; a character; one of a set; one after a backslash; any other.
_PIECE = r"(?s)((?:^|(?<=/))\*\*/)|((?<=/)\*\*$)|(\*+)|(\?)|\[([!^]?)(\]?[^]]*)\]|\\(.)|(.)"
_SPECIAL, _ESCAPED = r"[][\\^&~|]", r"\\\g<0>"  # within brackets


class Excluded(NamedTuple):
    """A *pattern*, and the *folder* from which it counts."""

    pattern: str
    folder: str


class _Rule(NamedTuple):
    regex: re.Pattern[str]
    is_name: bool
    only_folders: bool
    takes_back: bool


class Exclusions:
    """What *patterns* leave out; those that are plain strings count from the current folder."""

    def __init__(self, patterns: Iterable[str | Excluded]) -> None:
        here = os.getcwd()
        self._rules = [_rule(Excluded(each, here) if isinstance(each, str) else each) for each in patterns][::-1]

    def has(self, path: str, *, is_folder: bool = False) -> bool:
        """Return whether the absolute *path* is left out; the folders that it is in are not looked at."""
        path = path.replace(os.sep, "/")
        name = path.rpartition("/")[2]
        for rule in self._rules:  # the last one counts
            if (is_folder or not rule.only_folders) and rule.regex.fullmatch(name if rule.is_name else path):
                return not rule.takes_back
        return False

    def has_named(self, path: str) -> bool:
        """Return whether a path that the user named is left out, or a folder below the current one that it is in."""
        place, here = os.path.abspath(path), os.path.join(os.getcwd(), "")
        ends = [at for at in range(len(here), len(place)) if place[at] == os.sep] if place.startswith(here) else []
        return any(self.has(place[:end], is_folder=True) for end in ends) or self.has(
            place, is_folder=os.path.isdir(place)
        )


def _rule(excluded: Excluded) -> _Rule:
    takes_back = excluded.pattern.startswith("!")
    body = excluded.pattern[takes_back:]
    glob = body.rstrip("/")
    is_name = "/" not in glob
    top = "" if is_name else re.escape(excluded.folder.replace(os.sep, "/").rstrip("/") + "/")
    try:
        regex = re.compile(top + re.sub(_PIECE, _translated, glob.lstrip("/")), re.DOTALL)
    except re.error:  # such as [z-a]
        raise UsageError(f"{excluded.pattern!r} is not a pattern of gitignore") from None
    return _Rule(regex, is_name, body != glob, takes_back)


def _translated(piece: re.Match[str]) -> str:
    folders, everything, stars, one, negation, members, escaped, other = piece.groups()
    if folders or everything:
        return "(?:.*/)?" if folders else ".*"
    if stars or one:
        return "[^/]*" if stars else "[^/]"
    if members:
        return f"(?!/)[{'^' if negation else ''}{re.sub(_SPECIAL, _ESCAPED, members)}]"
    return re.escape(escaped or other)
