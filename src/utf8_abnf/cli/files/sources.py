"""Walks the paths of ``check`` and ``repair`` and opens each file; raises ``OSError`` with a reason to print.

Folders are walked in sorted order. Symbolic links in them are followed only on request, and each folder is entered
once, so links cannot make a loop. Named pipes, sockets and devices in a folder are left out; if the user names one, a
pipe is read and the others are refused, since a device may never end.
"""

from __future__ import annotations

import io
import os
import select
import stat
import sys
from typing import TYPE_CHECKING

from utf8_abnf.cli.names import STDIN, reason_of
from utf8_abnf.errors import UnreadableError
from utf8_abnf.files.remote import is_url

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from utf8_abnf.cli.files.exclusion import Excluded
    from utf8_abnf.files.reading.columns import ColumnScanner


BINARY_HEAD = 8000  # bytes in which a NUL makes a file binary: git's rule
VERSION_CONTROL = frozenset((".git", ".hg", ".svn", ".bzr"))  # their stores hold packed data, not text
OPENING = os.O_RDONLY | getattr(os, "O_NOCTTY", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)


class Walk:
    """The files that *paths* stand for, each once, and whether it was named or is in a folder that was named.

    *problem* is called with path and error for what cannot be read. *exclude*: patterns of what is left out of folders;
    also of what is named if *force_exclude* is true. *apart*: files that are left out of folders.
    """

    def __init__(
        self,
        paths: Iterable[str],
        *,
        follow: bool = False,
        exclude: Sequence[str | Excluded] = (),
        force_exclude: bool = False,
        apart: Iterable[str] = (),
        problem: Callable[[str, OSError], None],
    ) -> None:
        self._paths: dict[str, str] = {}  # by place
        for path in paths:
            self._paths.setdefault(_place(path), path)
        self._apart = {*self._paths, *map(_place, apart)}  # the places of files that are left out of folders
        self._names = {os.path.basename(place) for place in self._apart}
        self._follow = follow
        self._force_exclude = force_exclude
        self._problem = problem
        self._entered: set[tuple[int, int]] = set()
        self._exclusions = None
        if exclude:
            from utf8_abnf.cli.files.exclusion import Exclusions

            self._exclusions = Exclusions(exclude)
        self.passed_over = 0  # special files in folders

    def __iter__(self) -> Iterator[tuple[str, bool]]:
        for path in self._paths.values():
            if "://" in path and is_url(path):
                yield from self._remote(path)
            elif path == STDIN:
                yield path, True
            elif self._force_exclude and self._exclusions and self._exclusions.has_named(path):
                continue
            elif os.path.isdir(path):
                yield from ((file, False) for file in self._files(path))
            else:
                yield path, True

    def _remote(self, url: str) -> Iterator[tuple[str, bool]]:
        from utf8_abnf.files.remote.objects import found

        try:
            urls = found(url)
        except OSError as error:
            self._problem(url, error)
            return
        yield from ((each, urls == [url]) for each in urls)

    def _files(self, top: str) -> Iterator[str]:
        todo = [top]
        while todo:
            folder = todo.pop()
            try:
                entries = self._entries(folder)
            except OSError as error:
                self._problem(folder, error)
                continue
            folders = []
            for entry in entries:
                try:
                    if entry.is_dir():
                        folders.append(entry.path)
                    elif not (entry.is_file() or entry.is_symlink()):  # a broken link is a problem if it is followed
                        self.passed_over += 1
                    elif entry.name not in self._names or _place(entry.path) not in self._apart:
                        yield entry.path
                except OSError as error:
                    self._problem(entry.path, error)
            todo.extend(reversed(folders))

    def _entries(self, folder: str) -> list[os.DirEntry[str]]:
        about = os.stat(folder)
        if (about.st_dev, about.st_ino) in self._entered:
            return []
        self._entered.add((about.st_dev, about.st_ino))
        with os.scandir(folder) as entries:
            kept = [entry for entry in entries if self._follow or not entry.is_symlink()]
        kept = [entry for entry in kept if entry.name not in VERSION_CONTROL]
        if self._exclusions:
            has, place = self._exclusions.has, os.path.abspath(folder)
            kept = [each for each in kept if not has(os.path.join(place, each.name), is_folder=each.is_dir())]
        return sorted(kept, key=lambda entry: entry.name)


def _place(path: str) -> str:
    """Return the same path for all paths that name the same entry of the same folder."""
    if path == STDIN or ("://" in path and is_url(path)):
        return path
    folder, name = os.path.split(path)
    return os.path.join(os.path.realpath(folder), name) if name else os.path.realpath(path)


class Opened:
    """An open input. *size*: a file's when it was opened; None for pipes and files that were read in part before."""

    column: ColumnScanner | None = None  # of a columnar file, in place of bytes

    def __init__(self, file: io.RawIOBase, size: int | None = None) -> None:
        self.file = file
        self.size = size

    def __enter__(self) -> Opened:
        return self

    def __exit__(self, *_: object) -> None:
        self.file.close()

    def is_binary(self) -> bool:
        """Return whether a NUL is among the first bytes of a file or a remote object, which begins again after that."""
        head = self.file.read(BINARY_HEAD)
        self.file.seek(0)
        return b"\0" in head

    def readinto(self, room: memoryview) -> int:
        """Put the next bytes into *room* and return how many; 0 at the end."""
        try:
            while (count := self.file.readinto(room)) is None:  # a pipe that somebody else lets not block
                select.select([self.file], [], [])
        except UnreadableError:  # it says why
            raise
        except OSError as error:  # not to be confused with an error in writing our report
            raise UnreadableError(f"cannot be read: {reason_of(error)}") from error
        return count


def opened(path: str) -> Opened:
    """Open *path* (``-``: standard input), or a URL, for reading bytes. Raises ``OSError`` with a reason to print."""
    if "://" in path and is_url(path):
        from utf8_abnf.files.remote.objects import Object, ObjectFile

        return Opened(ObjectFile(Object.at(path)))
    if path == STDIN:
        if sys.stdin is None:
            raise UnreadableError("standard input is closed")
        file = io.FileIO(sys.stdin.fileno(), closefd=False)
        if file.isatty():
            print("utf8-abnf: reading from the terminal; end with Ctrl-D on a line of its own", file=sys.stderr)
        else:
            _refuse(os.fstat(file.fileno()))
    else:
        _refuse(os.stat(path))
        file = io.FileIO(os.open(path, OPENING))
    about = os.fstat(file.fileno())
    from_the_start = stat.S_ISREG(about.st_mode) and file.tell() == 0
    return Opened(file, about.st_size if from_the_start else None)


def _refuse(about: os.stat_result) -> None:
    mode = about.st_mode
    if stat.S_ISDIR(mode):
        raise UnreadableError("is a folder")
    if stat.S_ISSOCK(mode):
        raise UnreadableError("is a socket; pipe what it sends into: utf8-abnf check")
    if stat.S_ISBLK(mode) or (stat.S_ISCHR(mode) and about.st_rdev != os.stat(os.devnull).st_rdev):
        raise UnreadableError(
            "is a device, which may never end; pipe a part of it: head -c 1M DEVICE | utf8-abnf check"
        )
