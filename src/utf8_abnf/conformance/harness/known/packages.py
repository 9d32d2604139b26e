"""The folders of compiled adapters and of packages from PyPI and npm that decoders need.

Packages are in the folder ``UTF8_ABNF_DECODERS`` where that is set, else in ``decoders`` in the cache of compiled
adapters; ``tools/decoders.py`` installs them there.
"""

from __future__ import annotations

import os
import shlex
import stat
import tempfile
from contextlib import suppress
from functools import cache
from pathlib import Path

NOWHERE = Path(os.devnull)  # no file is below it, so whatever is looked for there is not installed


@cache
def packages() -> Path:
    """Return the folder of packages, which need not exist; NOWHERE when others can write to the cache that it is in."""
    chosen = os.environ.get("UTF8_ABNF_DECODERS")
    if chosen:
        return Path(chosen).absolute()
    try:
        cache_folder = cache_path()
    except RuntimeError:  # this user has no home
        return NOWHERE
    return NOWHERE if cache_folder.exists() and not ours_alone(cache_folder) else cache_folder / "decoders"


def python_program() -> Path:
    """Return the Python of the virtual environment that holds the packages of PyPI."""
    return packages() / "pypi" / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def npm_folder() -> Path:
    """Return the folder that holds the packages of npm, in its ``node_modules``."""
    return packages() / "npm"


def in_shell(path: Path) -> str:
    """Return *path* as a word for sh, shorter where it is below the home folder.

    >>> in_shell(Path("/opt/my decoders/pypi"))
    "'/opt/my decoders/pypi'"
    """
    home = os.path.expanduser("~")
    if home != "/" and path.is_relative_to(home):
        return "~/" + shlex.quote(str(path.relative_to(home)))
    return shlex.quote(str(path))


@cache
def cache_folder() -> Path:
    """Return a folder for compiled adapters that only we can write to: in the user's cache, else a temporary one."""
    folder = cache_path()
    with suppress(OSError):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if ours_alone(folder) and os.access(folder, os.W_OK):
            return folder
    return Path(tempfile.mkdtemp(prefix="utf8-abnf-"))


def cache_path() -> Path:
    """Return where that folder is in the user's cache; RuntimeError for a user without a home."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "utf8-abnf"


def ours_alone(folder: Path) -> bool:
    """Tell whether only we can write to *folder*: in another, somebody could put a program under our name."""
    facts = folder.lstat()
    ours = not hasattr(os, "getuid") or facts.st_uid == os.getuid()
    return ours and stat.S_ISDIR(facts.st_mode) and not facts.st_mode & 0o022
