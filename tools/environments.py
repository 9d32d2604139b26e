"""The virtual environments of ``test.py`` and ``decoders.py``: made with the standard library alone, and reused."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def environment(folder: Path = ROOT / ".venv", base: str = sys.executable) -> Path:
    """Return the Python of the virtual environment in *folder*, made with *base* if it is not there or broken."""
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    works = python.exists() and subprocess.run([python, "-c", "import pip"], capture_output=True).returncode == 0
    if not works:
        say(f"making {folder} with {base}")
        subprocess.run([base, "-m", "venv", "--clear", folder], check=True)
        pip(python, "--upgrade", "pip")  # dependency groups need pip 25.1
    return python


def pip(python: Path, *arguments: str | Path, **variables: str) -> None:
    """Run ``pip install`` with *arguments* and *variables* set; SystemExit with pip's own words when it fails."""
    command = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *arguments]
    done = subprocess.run(command, cwd=ROOT, env=os.environ | variables, capture_output=True, text=True)
    if done.returncode:
        sys.stderr.write(done.stdout + done.stderr)
        raise SystemExit(f"pip could not install {' '.join(map(str, arguments))}: see above")


def say(text: str) -> None:
    """Print a line of progress on standard error."""
    print(f"-- {text}", file=sys.stderr, flush=True)


def need(minimum: tuple[int, int] = (3, 11)) -> None:
    """Leave with a clear message when this Python is older than *minimum*."""
    if sys.version_info < minimum:
        raise SystemExit(f"utf8-abnf needs Python {minimum[0]}.{minimum[1]} or newer; this is {sys.version.split()[0]}")
