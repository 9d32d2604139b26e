"""Where packages of PyPI and npm are for the decoders' sake: in a folder of their own, filled by ``tools/decoders.py``.

It is ``UTF8_ABNF_DECODERS`` where that is set, else ``decoders`` in the cache of compiled adapters.
"""

from __future__ import annotations

import os
import shlex
from functools import cache
from pathlib import Path

from utf8_abnf.decoders.decoder import cache_path, ours_alone

NOWHERE = Path(os.devnull)  # no file is below it, so whatever is looked for there is not installed


@cache
def packages() -> Path:
    """Return the folder; it need not be there. One of the cache that others can write to is as good as none."""
    chosen = os.environ.get("UTF8_ABNF_DECODERS")
    if chosen:
        return Path(chosen).absolute()
    try:
        cache_folder = cache_path()
    except RuntimeError:  # this user has no home
        return NOWHERE
    return NOWHERE if cache_folder.exists() and not ours_alone(cache_folder) else cache_folder / "decoders"


def python_program() -> Path:
    """Return the Python of the virtual environment that the packages of PyPI are in."""
    return packages() / "pypi" / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def node_modules() -> Path:
    """Return the folder that the packages of npm are in."""
    return packages() / "npm" / "node_modules"


def in_shell(path: Path) -> str:
    """Return *path* as a word for sh, shorter where it is below the home folder.

    >>> in_shell(Path("/opt/my decoders/pypi"))
    "'/opt/my decoders/pypi'"
    """
    home = os.path.expanduser("~")
    if home != "/" and path.is_relative_to(home):
        return "~/" + shlex.quote(str(path.relative_to(home)))
    return shlex.quote(str(path))
