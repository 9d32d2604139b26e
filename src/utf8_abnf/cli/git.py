"""What git knows of files: those of a folder that it does not ignore, and the contents that are staged.

Nothing that a repository names is run: its file system monitor, the one program that these commands would start, is
turned off.
"""

from __future__ import annotations

import errno
import os
import subprocess
from typing import TYPE_CHECKING

from utf8_abnf.cli.sources import Opened
from utf8_abnf.errors import UnreadableError
from utf8_abnf.language import messages
from utf8_abnf.language.catalogue import say

if TYPE_CHECKING:
    import io
    from collections.abc import Callable, Iterable, Iterator

_GIT = ("git", "-c", "core.fsmonitor=false")
_PATTERN = frozenset(":*?[")  # in a path, which git then reads as a pattern
_FILE_MODES = (b"100644", b"100755")  # neither a symbolic link nor a submodule


def not_ignored(folder: str) -> Iterator[str]:
    """Yield the paths of the files in *folder* that git knows or would add, in git's order; folders for repositories.

    Raises ``OSError`` with a reason to print where *folder* is in no repository.
    """
    for name in _names("ls-files", "-z", "--cached", "--others", "--exclude-standard", folder=folder):
        path = os.path.join(folder, os.fsdecode(name.rstrip(b"/")))
        if os.path.lexists(path):  # not deleted since git noted it
            yield path


def staged(paths: Iterable[str], problem: Callable[[str, OSError], None]) -> dict[str, str]:
    """Return the files whose contents the next commit changes, with the name of each content; only those in *paths*.

    *problem* is called with path and error for a file in conflict, and for a path that is neither there nor in git's
    answer. Raises ``OSError`` with a reason to print where the working folder is in no repository.
    """
    paths = list(paths)
    up = b"".join(_names("rev-parse", "--show-cdup", folder=".")).removesuffix(b"\n")
    asked = ("diff", "--cached", "--raw", "--no-abbrev", "--no-renames", "--no-relative", "-z", "--", *paths)
    fields = list(_names(*asked, folder="."))
    names = [os.path.relpath(os.fsdecode(os.path.join(up, name))) for name in fields[1::2]]
    found = {}
    for about, name in zip(fields[::2], names, strict=True):  # :MODE MODE CONTENT CONTENT STATUS
        _, mode, _, content, status = about.split()
        if status == b"U":
            problem(name, UnreadableError(say(messages.IN_CONFLICT)))
        elif mode in _FILE_MODES:
            found[name] = content.decode("ascii")
    for path in paths:
        if not (os.path.lexists(path) or _PATTERN.intersection(path) or _is_among(os.path.relpath(path), names)):
            problem(path, FileNotFoundError(errno.ENOENT, ""))
    return found


def _is_among(path: str, names: list[str]) -> bool:
    """Return whether *path* is one of *names*, or a folder in which one is."""
    return any(name == path or name.startswith(os.path.join(path, "")) for name in names)


class StagedContent(Opened):
    """A content that git holds, as an open input."""

    def __init__(self, content: str) -> None:
        command = [*_GIT, "cat-file", "blob", content]
        self._git = subprocess.Popen(command, stdout=subprocess.PIPE, bufsize=0)  # noqa: S603 - a name that git gave
        stream: io.FileIO = self._git.stdout  # type: ignore[assignment]  # unbuffered
        super().__init__(stream, None, b"")

    def __exit__(self, *_: object) -> None:
        super().__exit__()
        if self._git.wait() and not _[0]:
            raise UnreadableError(say(messages.CANNOT_READ, reason="git cat-file"))


def _names(*arguments: str, folder: str) -> Iterator[bytes]:
    try:
        answer = subprocess.run(  # noqa: S603 - options of ours; paths of the user come after --
            [*_GIT, *arguments], cwd=folder, capture_output=True, check=False
        )
    except FileNotFoundError:
        raise UnreadableError(say(messages.NO_GIT)) from None
    if answer.returncode:
        reason = answer.stderr.decode(errors="replace").strip().partition("\n")[0]
        raise UnreadableError(say(messages.GIT_REFUSES, reason=reason))
    return filter(None, answer.stdout.split(b"\0"))
