"""What runs first in ``utf8-abnf.pyz``: unpack the package once into the user's cache, since it reads its own files.

Where the cache cannot be written, it is unpacked for this run alone.
"""

import os
import shutil
import sys
import tempfile
import zipfile

CONTENT = "CONTENT"  # tools/wheels.py puts a digest of the content in its place


def unpacked(archive: str) -> str:
    """Return the folder that holds the content of *archive*; another program may unpack it at the same time."""
    caches = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    folder = os.path.join(caches, "utf8-abnf", CONTENT)
    if os.path.isdir(folder):
        return folder
    try:
        os.makedirs(os.path.dirname(folder), exist_ok=True)
        fresh = tempfile.mkdtemp(dir=os.path.dirname(folder))
    except OSError:
        return extracted(archive, for_this_run())
    try:
        os.rename(extracted(archive, fresh), folder)
    except OSError:  # somebody else was faster, or the cache is full
        shutil.rmtree(fresh, ignore_errors=True)
        return folder if os.path.isdir(folder) else extracted(archive, for_this_run())
    return folder


def extracted(archive: str, folder: str) -> str:
    """Unpack *archive* into *folder*, and return it."""
    with zipfile.ZipFile(archive) as file:
        file.extractall(folder)
    return folder


def for_this_run() -> str:
    """Return a new folder that is removed when this process ends."""
    import atexit

    folder = tempfile.mkdtemp(prefix="utf8-abnf-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


if __name__ == "__main__":
    sys.path[0] = unpacked(os.path.dirname(os.path.abspath(__file__)))
    from utf8_abnf.cli import command

    sys.exit(command())
