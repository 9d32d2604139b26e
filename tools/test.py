"""Run all the tests against the built wheel: ``python3 tools/test.py [OPTIONS] [-- PYTEST ARGUMENTS]``.

Makes ``.venv``, builds the wheel, installs it with the test dependencies, and runs pytest in a copy of the checkout
that has no ``src/utf8_abnf``: what is tested is what a user installs. With ``--quick`` it installs the checkout itself,
editable, where that has not been done since its build files changed, and runs the tests that are marked ``quick``.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from environments import ROOT, environment, need, pip, say

if TYPE_CHECKING:
    from collections.abc import Iterator

BUILD_FILES = ("pyproject.toml", "setup.py", "src/[!u]*/*.[ch]")
# One more than processors: some tests wait for a program or a browser, an eighth of the time.
WORKERS = str((os.cpu_count() or 1) + 1)
STAMP = ROOT / ".venv" / "editable-install.sha256"


def main() -> int:
    """Return 0 when every step passed; each failing step is named at the end."""
    need()
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lint", action="store_true", help="also check style, types, imports and spelling")
    parser.add_argument(
        "--all-pythons",
        action="store_true",
        help="run the quick loop on the other CPythons from 3.11 up",
    )
    parser.add_argument("--no-skips", action="store_true", help="a skipped test fails: for a machine that has it all")
    parser.add_argument("--coverage", action="store_true", help="branch coverage of CI's tests; below 95 %% it fails")
    parser.add_argument("--quick", action="store_true", help="run the tests that start no process, on the checkout")
    parser.add_argument("pytest", nargs="*", metavar="ARGUMENT", help="passed to pytest, after --")
    args = parser.parse_args()
    if args.quick:
        return quick(args.pytest)

    variables = os.environ | {"UTF8_ABNF_CHECKOUT": str(ROOT)}
    if args.no_skips:
        variables["UTF8_ABNF_NO_SKIPS"] = "1"
    if args.coverage:
        variables["CI"] = "1"  # else some rooms run a sample of their tests
    failed = []
    STAMP.unlink(missing_ok=True)
    with tempfile.TemporaryDirectory(prefix="utf8-abnf-") as temporary:
        bare = checkout_without_package(Path(temporary) / "checkout")
        python = environment()
        say("building the wheel, and installing what the tests need")
        with building(python, Path(temporary)):
            pip(python, "--no-compile", "--group", "dev" if args.lint else "test")
        # pip would compile on one processor only; what cannot be compiled is a template, or for another Python
        subprocess.run([python, "-m", "compileall", "-qq", "-j", "0", python.parents[1]])
        wheel = next(Path(temporary).glob("*.whl"))
        if args.lint:
            failed += lint(python)
        for interpreter in [python, *(other_pythons() if args.all_pythons else [])]:
            # pip does not install a wheel of the version that is there
            subprocess.run(
                [interpreter, "-m", "pip", "uninstall", "--yes", "utf8-abnf"], check=True, capture_output=True
            )
            pip(interpreter, wheel, "--group", "test" if interpreter == python else "quick")
            say(f"pytest on {version(interpreter)} against {wheel.name}")
            # The other Pythons run the quick loop: what starts programs, or asks millions of cases, one Python does.
            options = [] if interpreter == python else ["-m", "quick"]
            if args.coverage and interpreter == python:
                options += ["--cov", "--cov-report=term:skip-covered"]
            command = [interpreter, "-m", "pytest", "-n", WORKERS, "--dist", "worksteal", "-q", "--durations=20"]
            command += [*options, *args.pytest]
            if subprocess.run(command, cwd=bare, env=variables).returncode:
                failed.append(f"pytest on {version(interpreter)}")
    for step in failed:
        say(f"FAILED: {step}")
    return 1 if failed else 0


def quick(arguments: list[str]) -> int:
    """Return pytest's status for the tests marked ``quick``, run on the checkout as it stands."""
    python = environment()
    names = sorted(path for pattern in BUILD_FILES for path in ROOT.glob(pattern))
    stamp = hashlib.sha256(b"".join(path.read_bytes() for path in names)).hexdigest()
    if not STAMP.exists() or STAMP.read_text() != stamp:
        say("installing the checkout and what these tests need")
        install_checkout(python, "--group", "quick")
        STAMP.write_text(stamp)
    loop = ["-m", "pytest", "-n", "auto", "--dist", "worksteal", "-q", "-m", "quick"]
    return subprocess.run([python, *loop, *arguments], cwd=ROOT).returncode


def install_checkout(python: Path, *arguments: str, **variables: str) -> None:
    """Install the checkout, editable, in place of a wheel, of which pytest has left compiled modules.

    Python would take their folder for the package.
    """
    pip(python, *arguments, "--editable", ROOT, **variables)
    where = [python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]
    packages = subprocess.run(where, check=True, capture_output=True, text=True).stdout.strip()
    shutil.rmtree(Path(packages) / "utf8_abnf", ignore_errors=True)


def checkout_without_package(target: Path) -> Path:
    """Return *target*, a copy of the files that git knows here, without what the wheel has of the package's folder."""
    listing = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(listing, cwd=ROOT, check=True, capture_output=True).stdout
    for name in map(os.fsdecode, filter(None, names.split(b"\0"))):
        in_wheel = name.startswith("src/utf8_abnf/") and not name.endswith(".po")
        if not in_wheel and (ROOT / name).is_file():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, target / name)
    return target


@contextmanager
def building(python: Path, folder: Path) -> Iterator[None]:
    """Build the wheel of this checkout in isolation into *folder*, while the body of the ``with`` runs."""
    command = [python, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", folder, ROOT]
    with subprocess.Popen(command) as build:
        yield
    if build.returncode:
        raise SystemExit("pip could not build the wheel: see above")


def lint(python: Path) -> list[str]:
    """Return the names of the checks on the source that fail."""
    # import-linter and mypy read the sources, not the wheel, and need no C
    install_checkout(python, CC="/bin/false", CXX="/bin/false")
    checks = {
        "ruff check": ["-m", "ruff", "check", "."],
        "ruff format": ["-m", "ruff", "format", "--check", "."],
        "mypy --strict": ["-m", "mypy"],
        "import contract": ["-c", "from importlinter.cli import lint_imports_command as run; run()"],
        "derived files": ["tools/derive.py", "--check"],
        "spelling": ["-m", "codespell_lib"],
    }
    failed = []
    for name, arguments in checks.items():
        say(name)
        if subprocess.run([python, *arguments], cwd=ROOT).returncode:
            failed.append(name)
    say("budgets of lines")
    if over_budget():
        failed.append("budgets of lines")
    return failed


def over_budget() -> list[str]:
    """Print the lines of Python of each wing beside its budget in pyproject.toml; return the wings above it."""
    listing = subprocess.run(["git", "ls-files", "*.py"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    names = [name for name in listing.splitlines() if not re.search("/(sources|adapters)/", name)]
    lines = {name: (ROOT / name).read_bytes().count(b"\n") for name in names if (ROOT / name).exists()}
    over = []
    budgets = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["line-budgets"]
    for wing, budget in budgets.items():
        counted = [
            count
            for name, count in lines.items()
            if name.startswith(tuple(f"{folder}/" for folder in budget["in"]))
            and not name.startswith(tuple(f"{folder}/" for folder in budget.get("without", ())))
        ]
        print(f"{wing:<20} {sum(counted):>6,} of {budget['lines']:>6,}")
        if sum(counted) > budget["lines"]:
            over.append(wing)
    return over


def other_pythons() -> list[Path]:
    """Return an environment for each CPython from 3.11 up on this machine, other than the version that runs this."""
    folders = [Path(folder) for folder in os.environ.get("PATH", "").split(os.pathsep) if folder]
    folders += sorted((Path.home() / ".pyenv" / "versions").glob("*/bin"))
    programs: dict[tuple[int, int], Path] = {}
    for folder in folders:
        for program in sorted(folder.glob("python3.[0-9]*")) if folder.is_dir() else ():
            match = re.fullmatch(r"python3\.(\d+)", program.name)
            if match and int(match[1]) >= 11 and works(program, int(match[1])):
                programs.setdefault((3, int(match[1])), program)
    programs.pop(sys.version_info[:2], None)
    return [environment(ROOT / "build" / f"venv-3.{key[1]}", str(programs[key])) for key in sorted(programs)]


def works(program: Path, minor: int) -> bool:
    """Whether *program* is a CPython 3.*minor* that can make virtual environments (a pyenv shim may point nowhere)."""
    question = "import sys, venv, ensurepip; print(sys.implementation.name, sys.version_info[1])"
    answer = subprocess.run([program, "-c", question], capture_output=True, text=True)
    return answer.stdout.split() == ["cpython", str(minor)]


def version(python: Path) -> str:
    """Return the version of *python* in words."""
    return subprocess.run([python, "--version"], capture_output=True, text=True, check=True).stdout.strip()


if __name__ == "__main__":
    raise SystemExit(main())
