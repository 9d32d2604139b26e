"""What git knows of files: those of a folder that it does not ignore.

Nothing that a repository names is run: its file system monitor, the one program that this command would start, is
turned off.
"""

from __future__ import annotations

import os
import subprocess
from typing import TYPE_CHECKING

from utf8_abnf.errors import UnreadableError

if TYPE_CHECKING:
    from collections.abc import Iterator

_FILES = ("git", "-c", "core.fsmonitor=false", "ls-files", "-z", "--cached", "--others", "--exclude-standard")


def not_ignored(folder: str) -> Iterator[str]:
    """Yield the paths of the files in *folder* that git knows or would add, in git's order; folders for repositories.

    Raises ``OSError`` with a reason to print where *folder* is in no repository.
    """
    try:
        answer = subprocess.run(_FILES, cwd=folder, capture_output=True, check=False)  # noqa: S603 - words of ours
    except FileNotFoundError:
        raise UnreadableError("git is needed and was not found") from None
    if answer.returncode:
        reason = answer.stderr.decode(errors="replace").strip().partition("\n")[0]
        raise UnreadableError(f"git cannot tell which files there are: {reason}")
    for name in filter(None, answer.stdout.split(b"\0")):
        path = os.path.join(folder, os.fsdecode(name.rstrip(b"/")))
        if os.path.lexists(path):  # not deleted since git noted it
            yield path
