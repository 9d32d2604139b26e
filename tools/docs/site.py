"""Build the site in every language: ``python tools/docs/site.py [FOLDER]``; needs the dependency group ``docs``.

pip knows groups since 25.1: ``pip install --upgrade pip``, then ``pip install . --group docs``.

FOLDER (``docs/_build``) gets a folder for each language, and an ``index.html`` that leads to the English one. Any
warning is an error.
"""

from __future__ import annotations

import argparse
import importlib.util
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "src"))  # the sources beside this tool, whatever is installed

from utf8_abnf.language.catalogue import LANGUAGES, SOURCE  # noqa: E402


def main() -> int:
    """Return 0 when all languages were built, 1 otherwise."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, default=ROOT / "docs" / "_build", metavar="FOLDER")
    folder = parser.parse_args().folder.resolve()
    if importlib.util.find_spec("sphinx") is None:
        parser.error("needs Sphinx: pip install --upgrade pip, to 25.1 or later, then pip install . --group docs")
    options = ["-q", "-W", "--keep-going", "-t", "languages"]
    failed = 0
    for language in LANGUAGES:
        command = [sys.executable, "-m", "sphinx", *options, "-D", f"language={language}", "docs", folder / language]
        failed |= subprocess.run(command, cwd=ROOT).returncode
    redirect = f'<!doctype html><meta http-equiv="refresh" content="0; url={SOURCE}/index.html">\n'
    (folder / "index.html").write_text(redirect)
    print(f"{folder / 'index.html'}")
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main())
