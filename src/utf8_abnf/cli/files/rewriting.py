"""Write a file so that nothing is lost: beside its place under another name, then renamed into it.

Rule 1: whoever reads the place sees the old file or the new one, whole, whenever the process ends. Rule 2: a symbolic
link is not followed and not replaced; nor is anything that is not a regular file.
"""

from __future__ import annotations

import os
import shutil
import signal
import stat
import sys
import threading
from contextlib import suppress
from typing import TYPE_CHECKING

from utf8_abnf.errors import UnreadableError
from utf8_abnf.language import messages
from utf8_abnf.language.catalogue import say

if TYPE_CHECKING:
    from collections.abc import Callable

BACKUP = ".orig"
TEMPORARY = ".utf8-abnf-"  # begins the name of a new file, which stays after SIGKILL
_NULS = bytes(4096)  # the smallest hole: a block of most file systems
_ENDING = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]


def regular(path: str) -> os.stat_result | None:
    """Return what is known of the regular file *path*, None where there is none; ``OSError`` for anything else."""
    try:
        about = os.lstat(path)
    except FileNotFoundError:
        return None
    if stat.S_ISLNK(about.st_mode):
        raise UnreadableError(say(messages.IS_LINK, target=os.readlink(path)))
    if not stat.S_ISREG(about.st_mode):
        raise UnreadableError(say(messages.NOT_REGULAR))
    return about


class Rewriting:
    """The new content of *path*: ``write`` it, then ``commit``; without that, leaving the context leaves no trace.

    The file that is there, *before*, gives its mode bits and, where that is allowed, its owner and extended attributes.
    *other_names*: how many names it has besides. *keeps_owner*: False once its owner could not be given to the new one.
    Meanwhile SIGTERM and SIGHUP, unless they are ignored or handled, remove the new file before they end the process.
    """

    def __init__(self, path: str) -> None:
        self._path = path
        self._folder = os.path.dirname(path) or "."
        self._before = regular(path)
        self.other_names = self._before.st_nlink - 1 if self._before else 0
        self.keeps_owner = True
        self._temporary = os.path.join(self._folder, TEMPORARY + os.urandom(8).hex())
        self._signals = _handled_by(self._end)
        try:
            # only we may read it, until it gets its mode
            opener = lambda name, flags: os.open(name, flags, 0o600)  # noqa: E731
            self._file = open(self._temporary, "xb", opener=opener)  # noqa: SIM115  # closed on leaving the context
        except OSError as error:
            self._release_signals()
            raise type(error)(error.errno, error.strerror, path) from None  # the user has not named the temporary file

    def __enter__(self) -> Rewriting:
        return self

    def write(self, data: bytes) -> None:
        """Write *data* after what has been written; NULs that fill blocks become a hole of the file."""
        while (start := data.find(_NULS)) >= 0:
            self._file.write(data[:start])
            rest = data[start:].lstrip(b"\0")
            self._file.seek(len(data) - start - len(rest), os.SEEK_CUR)
            data = rest
        self._file.write(data)

    def commit(self, *, backup: bool = False) -> None:
        """Put the new content in the place; with *backup*, the old one stays under the name with ``BACKUP``.

        ``OSError`` where the file has changed since this began, or where there is a backup already.
        """
        self._take_over_mode()
        self._file.truncate()  # it may end with a hole
        os.fsync(self._file.fileno())
        self._file.close()
        if _identity(regular(self._path)) != _identity(self._before):
            raise UnreadableError(say(messages.HAS_CHANGED))
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
        self._release_signals()

    def _end(self, number: int, _: object) -> None:
        """End the process as the signal does, without the new file."""
        with suppress(OSError):
            os.unlink(self._temporary)
        signal.signal(number, signal.SIG_DFL)
        signal.raise_signal(number)

    def _release_signals(self) -> None:
        for number in self._signals:
            signal.signal(number, signal.SIG_DFL)

    def _take_over_mode(self) -> None:
        if self._before is None:
            mask = os.umask(0)
            os.umask(mask)
            os.chmod(self._temporary, 0o666 & ~mask)
            return
        if os.name == "posix":
            self.keeps_owner = _give(self._temporary, self._before.st_uid, self._before.st_gid)
        _copy_attributes(self._path, self._temporary)
        mode = stat.S_IMODE(self._before.st_mode)
        os.chmod(self._temporary, mode if self.keeps_owner else mode & ~(stat.S_ISUID | stat.S_ISGID))

    def _back_up(self) -> None:
        name = self._path + BACKUP
        try:
            os.link(self._path, name, follow_symlinks=False)
        except FileExistsError:
            raise UnreadableError(say(messages.BACKUP_EXISTS, name=name)) from None
        except (OSError, NotImplementedError):  # a file system without hard links
            with open(self._path, "rb") as old, open(name, "xb") as new:
                shutil.copyfileobj(old, new)
                new.flush()
                os.fsync(new.fileno())
            shutil.copystat(self._path, name)


def _handled_by(handler: Callable[[int, object], None]) -> list[int]:
    """Let *handler* handle the signals that would end the process; return which. None but in the main thread."""
    if threading.current_thread() is not threading.main_thread():
        return []
    found = [number for number in _ENDING if signal.getsignal(number) is signal.SIG_DFL]
    for number in found:
        signal.signal(number, handler)
    return found


def _give(path: str, owner: int, group: int) -> bool:
    """Give a file to *owner* and *group*; return whether that is allowed: only the superuser may give files away."""
    try:
        os.chown(path, owner, group)
    except OSError:
        with suppress(OSError):
            os.chown(path, -1, group)
        return False
    return True


def _copy_attributes(old: str, new: str) -> None:
    """Copy extended attributes. Without an access control list, the bits of its mask would be rights of the group."""
    if sys.platform == "linux":
        with suppress(OSError):  # a file system without them
            for name in os.listxattr(old):
                with suppress(OSError):  # only the superuser may set some
                    os.setxattr(new, name, os.getxattr(old, name))


def _identity(about: os.stat_result | None) -> tuple[int, ...] | None:
    return about and (about.st_dev, about.st_ino, about.st_size, about.st_mtime_ns)
