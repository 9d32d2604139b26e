"""Seed bugs into the C sources around the kernels: ``python tools/proof/seeded`` tells which test finds each.

The bugs are rows of bugs.toml, one textual replacement each. Each is put into a copy of the checkout, whose extensions
are compiled again and tested by tests/validator: a file without Python.h by the tests of the C library as well, and one
of columns by tests/files/arrow first. Prints a table in Markdown: kind, bug, the first test that failed. Exit status 1
where a bug lives that bugs.toml does not explain. ``--kind K`` tries one kind. The bugs of the kernels themselves are
in kernels.toml, for the walk.
"""

from __future__ import annotations

import argparse
import os
import re
import runpy
import shutil
import signal
import subprocess
import sys
import sysconfig
import tempfile
import tomllib
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple
from unittest import mock

import utf8_abnf

ROOT = Path(__file__).resolve().parents[3]
BUGS = Path(__file__).resolve().with_name("bugs.toml")
TESTS = tuple(f"tests/validator/test_{name}.py" for name in ("module", "validator", "summary"))
COLUMN_TESTS = ("tests/files/arrow",)
C_TESTS = ("tests/validator/test_kernel_c.py", "-k", "(sanitizer and gcc) or processor or s390x")
SECONDS = 180  # for a bug that makes a test wait for ever


class Bug(NamedTuple):
    """One replacement in one file of src/; *lives* says why no test can see it, "" where one has to."""

    kind: str
    file: str
    name: str
    old: str
    new: str
    lives: str = ""

    @property
    def source(self) -> str:
        """The text of the file as it is."""
        return (ROOT / "src" / self.file).read_text(encoding="utf-8")

    @property
    def spoilt(self) -> str:
        """The text with the bug. ValueError where the text to be replaced is not there exactly once."""
        if (count := self.source.count(self.old)) != 1:
            raise ValueError(f"{self.name}: its text is {count} times in {self.file}, not once")
        return self.source.replace(self.old, self.new)


def bugs() -> list[Bug]:
    """Return the rows of bugs.toml."""
    return [Bug(**row) for row in tomllib.loads(BUGS.read_text(encoding="utf-8"))["bug"]]


def prepare(folder: Path) -> None:
    """Make *folder* a checkout with the installed package: sources and tests are copies, all else is linked."""
    shutil.copytree(ROOT / "tests", folder / "tests", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "src", folder / "src", ignore=shutil.ignore_patterns("utf8_abnf"))
    shutil.copytree(Path(utf8_abnf.__file__).parent, folder / "src" / "utf8_abnf")
    for entry in ROOT.iterdir():
        if not (folder / entry.name).exists() and not entry.name.startswith("."):
            (folder / entry.name).symlink_to(entry)


@cache
def extensions() -> list[Any]:
    """Return the extensions of setup.py."""
    with mock.patch("setuptools.setup"):
        return runpy.run_path(str(ROOT / "setup.py"))["EXTENSIONS"]


def extensions_with(file: str) -> list[Any]:
    """Return the extensions that *file*, of src/, is part of."""
    return [each for each in extensions() if f"src/{file}" in [*each.sources, *each.depends]]


def compiled(extension: Any, folder: Path, target: Path) -> bool:
    """Compile *extension* from the sources in *folder*; False where the compiler refuses."""
    command = [os.environ.get("CC", "cc"), "-O1", "-w", "-fPIC", "-shared", "-DPy_LIMITED_API=0x030B0000"]
    command += ["-Isrc/kernel", "-isystem", sysconfig.get_path("include"), *extension.sources, "-o", str(target)]
    return subprocess.run(command, cwd=folder, capture_output=True, check=False).returncode == 0


def first_failure(bug: Bug, folder: Path) -> str:
    """Return the name of the first test that fails with *bug*, or how the run died; "" where all pass."""
    package = Path(utf8_abnf.__file__).parents[1]
    spoilt = extensions_with(bug.file)
    built = [next(package.glob(f"{each.name.replace('.', '/')}.*so")) for each in spoilt]
    places = [folder / "src" / each.relative_to(package) for each in built]
    (folder / "src" / bug.file).write_text(bug.spoilt, encoding="utf-8")
    try:
        if not all(compiled(each, folder, place) for each, place in zip(spoilt, places, strict=True)):
            return "the compiler"
        failure = failed_test(folder, *COLUMN_TESTS) if bug.file.startswith("arrow/") else ""
        if not failure and "<Python.h>" not in bug.source:
            failure = failed_test(folder, *C_TESTS)
        # 4 GiB in one buffer is for what has to do with widths
        return failure or failed_test(folder, *TESTS, *([] if bug.kind == "width" else ["-m", "not slow"]))
    finally:
        (folder / "src" / bug.file).write_text(bug.source, encoding="utf-8")
        for each, place in zip(built, places, strict=True):
            shutil.copy(each, place)


def failed_test(folder: Path, *tests: str) -> str:
    """Run *tests* in *folder* up to the first that fails, and return its name; "" where all pass."""
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *tests]
    environment = os.environ | {"PYTHONPATH": str(folder / "src"), "CI": "1"}  # every row of what is sampled
    pipe = subprocess.PIPE
    with subprocess.Popen(command, cwd=folder, env=environment, stdout=pipe, text=True, start_new_session=True) as run:
        try:
            out, _ = run.communicate(timeout=SECONDS)
        except subprocess.TimeoutExpired:
            os.killpg(run.pid, signal.SIGKILL)  # a program that a test has started may run for ever as well
            return f"no end after {SECONDS} s"
    if run.returncode == 0:
        return ""
    failed = re.search(r"^(?:FAILED|ERROR) [^:\n]*::(\w+)", out, re.MULTILINE)
    return failed[1] if failed else f"the process ends with {run.returncode}"


def main() -> int:
    """Try the bugs and print what finds each; 1 when one lives that is not explained."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kind", choices=sorted({bug.kind for bug in bugs()}))
    options = parser.parse_args()
    chosen = [bug for bug in bugs() if options.kind in {None, bug.kind}]
    alive = 0
    print("| kind | bug | found by |\n|---|---|---|")
    with tempfile.TemporaryDirectory() as scratch:
        prepare(Path(scratch))
        for bug in chosen:
            failure = re.sub(r"^test_\w+$", r"`\g<0>`", first_failure(bug, Path(scratch)))
            alive += not failure and not bug.lives
            found = failure or f"nothing: {bug.lives or 'NOT EXPLAINED'}"
            print(f"| {bug.kind} | {bug.name} | {found} |", flush=True)
    print(f"\n{len(chosen)} bugs, {alive} live unexplained")
    return 1 if alive else 0


if __name__ == "__main__":
    sys.exit(main())
