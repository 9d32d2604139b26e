"""Replaces a file atomically: writes a new file in the same folder, then renames it.

Rule 1: whoever reads the place sees the old file or the new one, whole, whenever the process ends. Rule 2: a symbolic
link is not followed and not replaced; nor is anything that is not a regular file.
"""

from __future__ import annotations

import os
import shutil
import stat
from contextlib import suppress

from utf8_abnf.errors import UnreadableError
from utf8_abnf.language.notation import counted

BACKUP = ".orig"
TEMPORARY = ".utf8-abnf-"  # begins the name of a new file, which stays where a signal ends the process


def regular(path: str) -> os.stat_result | None:
    """Return what is known of the regular file *path*, None where there is none; ``OSError`` for anything else."""
    try:
        about = os.lstat(path)
    except FileNotFoundError:
        return None
    if stat.S_ISLNK(about.st_mode):
        raise UnreadableError(f"is a symbolic link to {os.readlink(path)}; name that file itself")
    if not stat.S_ISREG(about.st_mode):
        raise UnreadableError("is not a regular file; it cannot be replaced")
    return about


class Rewriting:
    """The new content of *path*: ``write`` it, then ``commit``; without that, leaving the context leaves no trace.

    The file that is there gives its mode bits and, where that is allowed, its owner and extended attributes. *lost*:
    what the new file does not have of the old one, in words.
    """

    def __init__(self, path: str) -> None:
        self._path = path
        self._folder = os.path.dirname(path) or "."
        self._before = regular(path)
        self.lost: list[str] = []
        self._temporary = os.path.join(self._folder, TEMPORARY + os.urandom(8).hex())
        try:
            # only we may read it, until it gets its mode
            opener = lambda name, flags: os.open(name, flags, 0o600)  # noqa: E731
            self._file = open(self._temporary, "xb", opener=opener)  # noqa: SIM115  # closed on leaving the context
        except OSError as error:
            raise type(error)(error.errno, error.strerror, path) from None  # the user has not named the temporary file
        self.write = self._file.write

    def __enter__(self) -> Rewriting:
        return self

    def commit(self, *, backup: bool = False) -> None:
        """Put the new content in the place; with *backup*, the old one stays under the name with ``BACKUP``.

        ``OSError`` where the file has changed since this began, or where there is a backup already.
        """
        self._take_over()
        self._file.flush()
        os.fsync(self._file.fileno())
        self._file.close()
        if _identity(regular(self._path)) != _identity(self._before):
            raise UnreadableError("has changed meanwhile, so it was not replaced")
        if backup:
            self._back_up()
        os.replace(self._temporary, self._path)
        self._temporary = ""
        if os.name == "posix":
            folder = os.open(self._folder, os.O_RDONLY)
            try:
                os.fsync(folder)  # so that the new name outlives a power cut
            finally:
                os.close(folder)

    def __exit__(self, *_: object) -> None:
        with suppress(OSError):  # on a full disk it tries once more to write
            self._file.close()
        if self._temporary:
            with suppress(OSError):
                os.unlink(self._temporary)

    def _take_over(self) -> None:
        """Copy mode bits, owner and extended attributes to the new file."""
        before, new = self._before, self._temporary
        if before is None:
            mask = os.umask(0)
            os.umask(mask)
            os.chmod(new, 0o666 & ~mask)
            return
        if before.st_nlink > 1:
            names = counted(before.st_nlink - 1, "other name")
            self.lost.append(f"had {names} (hard links), with the old content")
        keeps_owner = os.name != "posix" or _give(new, before.st_uid, before.st_gid)
        shutil.copystat(self._path, new)  # extended attributes too: without an access control list, the bits of its
        os.utime(new)  # mask would be rights of the group
        if not keeps_owner:
            self.lost.append("had another owner or group, which the new file could not be given")
            os.chmod(new, stat.S_IMODE(before.st_mode) & ~(stat.S_ISUID | stat.S_ISGID))

    def _back_up(self) -> None:
        name = self._path + BACKUP
        try:
            os.link(self._path, name, follow_symlinks=False)
        except FileExistsError:
            reason = f"was not replaced: its backup {name} exists already; move it away, or use --log"
            raise UnreadableError(reason) from None
        except (OSError, NotImplementedError):  # a file system without hard links
            with open(self._path, "rb") as old, open(name, "xb") as new:
                shutil.copyfileobj(old, new)
                new.flush()
                os.fsync(new.fileno())
            shutil.copystat(self._path, name)


def _give(path: str, owner: int, group: int) -> bool:
    """Give a file to *owner* and *group*; return whether that is allowed: only the superuser may give files away."""
    try:
        os.chown(path, owner, group)
    except OSError:
        with suppress(OSError):
            os.chown(path, -1, group)
        return False
    return True


def _identity(about: os.stat_result | None) -> tuple[int, ...] | None:
    return about and (about.st_dev, about.st_ino, about.st_size, about.st_mtime_ns)
