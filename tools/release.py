"""Release the version that pyproject.toml names: build, check and try everything, tag the commit, and upload.

With ``--dry-run`` nothing leaves this machine: it builds and checks, says what stands in the way of a release, and
prints the commands that would follow. RELEASING.md says what to do before.

usage: python tools/release.py --dry-run
"""

from __future__ import annotations

import argparse
import hashlib
import re
import subprocess
import sys
import tomllib

import wheels
from environments import ROOT, environment, say


def main(arguments: list[str] | None = None) -> int:
    """Release; 0 when all went well, 1 when something stands in the way."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dry-run", action="store_true", help="build and check, but tag and upload nothing")
    args, build_options = parser.parse_known_args(arguments)  # the others are those of wheels.py
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    obstacles = problems(version, git("status", "--porcelain"), git("tag", "--list", f"v{version}"))
    for problem in obstacles:
        say(f"in the way: {problem}")
    if obstacles and not args.dry_run:
        return 1
    out = ROOT / "dist" / version
    if wheels.main(["--out", str(out), "--twice", "--pyodide", *build_options]):
        return 1
    files = sorted(path for path in out.iterdir() if path.name != "SHA256SUMS")
    sums = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in files]
    (out / "SHA256SUMS").write_text("".join(sums))
    for command in publishing(version, [str(path) for path in files if path.suffix in (".whl", ".gz")]):
        if args.dry_run:
            print("would run:", *command)
        else:
            subprocess.run(command, cwd=ROOT, check=True)
    return int(bool(obstacles))


def problems(version: str, changes: str, tag: str) -> list[str]:
    """Return what stands in the way of releasing *version*; *changes* and *tag* are what git prints of them."""
    obstacles = []
    if changes:
        obstacles.append("the checkout has changes that are not committed")
    if tag:
        obstacles.append(f"the tag v{version} is there already")
    if f'__version__ = "{version}"' not in (ROOT / "src" / "utf8_abnf" / "__init__.py").read_text():
        obstacles.append(f"src/utf8_abnf/__init__.py has another version than {version}")
    if not re.search(
        rf"^## {re.escape(version)}, \d{{4}}-\d\d-\d\d$", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE
    ):
        obstacles.append(f"CHANGELOG.md has no section '## {version}, DATE'")
    for name in ("README.md", "docs/index.md"):
        if "othing is released yet" in (ROOT / name).read_text():
            obstacles.append(f"{name} says that nothing is released yet")
    return obstacles


def publishing(version: str, files: list[str]) -> list[list[str]]:
    """Return the commands that publish *files*; nothing can be taken back after them."""
    twine = str(environment(ROOT / ".venv-release").parent / "twine")
    return [
        ["git", "tag", "-a", f"v{version}", "-m", f"utf8-abnf {version}"],
        ["git", "push", "origin", f"v{version}"],
        [twine, "upload", *files],
    ]


def git(*arguments: str) -> str:
    """Return what git prints."""
    return subprocess.run(["git", *arguments], cwd=ROOT, check=True, capture_output=True, text=True).stdout.strip()


if __name__ == "__main__":
    sys.exit(main())
