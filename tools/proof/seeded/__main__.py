"""Seed bugs into the parts of module.c, one after the other: ``python tools/proof/seeded`` tells which test finds each.

The bugs are rows of bugs.toml, one textual replacement each. Each spoilt module is built in a scratch copy of the
package and tested by tests/validator/test_module.py and test_validator.py. Prints a table in Markdown: kind, bug, the
first test that failed. Exit status 1 where a bug lives that bugs.toml does not explain. ``--kind K`` tries one kind.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path
from typing import NamedTuple

import utf8_abnf

ROOT = Path(__file__).resolve().parents[3]
KERNEL = ROOT / "src" / "kernel"
BUGS = Path(__file__).resolve().with_name("bugs.toml")
TESTS = ("tests/validator/test_module.py", "tests/validator/test_validator.py")
SECONDS = 180  # for a bug that makes a test wait for ever


class Bug(NamedTuple):
    """One replacement in one part of the module; *lives* says why no test can see it, "" where one has to."""

    kind: str
    name: str
    old: str
    new: str
    lives: str = ""


def bugs() -> list[Bug]:
    """Return the rows of bugs.toml."""
    return [Bug(**row) for row in tomllib.loads(BUGS.read_text(encoding="utf-8"))["bug"]]


def parts() -> dict[str, str]:
    """Return the source of module.c and its parts, by name."""
    return {each.name: each.read_text(encoding="utf-8") for each in sorted(KERNEL.glob("module*.c"))}


def spoilt(sources: dict[str, str], bug: Bug) -> tuple[str, str]:
    """Return the name of the part that has *bug*'s text, and its source with *bug* in it.

    ValueError where the text to be replaced is not there exactly once.
    """
    count = sum(source.count(bug.old) for source in sources.values())
    if count != 1:
        raise ValueError(f"{bug.name}: its text is {count} times in the module, not once")
    name = next(name for name, source in sources.items() if bug.old in source)
    return name, sources[name].replace(bug.old, bug.new)


def prepare(folder: Path) -> list[str]:
    """Compile all into *folder*; return the objects."""
    objects = []
    for name in (
        *(part.removesuffix(".c") for part in parts()),
        "faults",
        "dispatch",
        "scalar",
        "avx2",
        "avx512",
        "sse4",
        "neon",
        "wasm",
    ):
        objects.append(str(folder / f"{name}.o"))
        _compile(KERNEL / f"{name}.c", objects[-1], "-c")
    return objects


def _compile(source: Path, target: str | Path, *options: str) -> None:
    import sysconfig

    command = [os.environ.get("CC", "cc"), "-O1", "-w", "-fPIC", "-DPy_LIMITED_API=0x030B0000", f"-I{KERNEL}"]
    command += ["-isystem", sysconfig.get_path("include"), str(source), *options, "-o", str(target)]
    subprocess.run(command, check=True)


def first_failure(bug: Bug, folder: Path, objects: list[str]) -> str:
    """Return the name of the first test that fails with *bug*, or how the run died; "" where all pass."""
    with tempfile.TemporaryDirectory(dir=folder) as own:
        package = Path(own) / "utf8_abnf"
        package.mkdir()
        for entry in Path(utf8_abnf.__file__).parent.iterdir():
            if entry.name == "validator":
                shutil.copytree(
                    entry, package / "validator", ignore=shutil.ignore_patterns("__pycache__", "*.so", "*.pyd")
                )
            else:
                (package / entry.name).symlink_to(entry)
        name, text = spoilt(parts(), bug)
        source = Path(own) / name
        source.write_text(text, encoding="utf-8")
        others = [each for each in objects if Path(each).stem != source.stem]
        try:
            _compile(source, package / "validator" / "_kernel.abi3.so", *others, "-shared")
        except subprocess.CalledProcessError:
            return "the compiler"
        command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *TESTS]
        command += [] if bug.kind == "width" else ["-m", "not slow"]  # 4 GiB in one buffer
        try:
            done = subprocess.run(
                command, cwd=ROOT, env=os.environ | {"PYTHONPATH": own}, capture_output=True, text=True, timeout=SECONDS
            )
        except subprocess.TimeoutExpired:
            return f"no end after {SECONDS} s"
    if done.returncode == 0:
        return ""
    failed = re.search(r"^(?:FAILED|ERROR) [^:\n]*::(\w+)", done.stdout, re.MULTILINE)
    return failed[1] if failed else f"the process ends with {done.returncode}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kind", choices=sorted({bug.kind for bug in bugs()}))
    options = parser.parse_args()
    chosen = [bug for bug in bugs() if options.kind in {None, bug.kind}]
    alive = 0
    print("| kind | bug | found by |\n|---|---|---|")
    with tempfile.TemporaryDirectory() as scratch:
        objects = prepare(Path(scratch))
        for bug in chosen:
            failure = first_failure(bug, Path(scratch), objects)
            alive += not failure and not bug.lives
            print(
                f"| {bug.kind} | {bug.name} | {failure or 'nothing: ' + (bug.lives or 'NOT EXPLAINED')} |", flush=True
            )
    print(f"\n{len(chosen)} bugs, {alive} live unexplained")
    return 1 if alive else 0


if __name__ == "__main__":
    sys.exit(main())
