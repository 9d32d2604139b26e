"""Build the wheels of every system on this machine, an sdist and a one-file program; check, run and list them.

What is committed is built (``git archive``), so nothing that lies about in the checkout reaches a wheel. ziglang, a
package of PyPI, compiles the extensions; all of them use the stable ABI, so one wheel serves CPython 3.11 and later.
Times are those of the commit, or SOURCE_DATE_EPOCH: who builds the same commit again gets the same bytes.

A wheel for musl is tried by the C library's tests, since no registry has a Python for it: natively, or by qemu-user if
that is there. It runs on x86-64 Linux.
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
from pathlib import Path
from typing import NamedTuple

from environments import ROOT, environment, need, pip, say
from wheel_parts.archives import pure_parts, sdist, write_wheel, write_zip
from wheel_parts.cross import TARGETS, Builder, Target

PYODIDE = "314.0.7"
PARTS = ROOT / "tools" / "wheel_parts"
STRIDE = "997"  # one text in so many of the C tests: seconds under qemu
# What runs the C library's tests, where no Python of the system can be had: "" is this machine.
EMULATORS = {"musl-x86-64": "", "musl-aarch64": "qemu-aarch64"}


class Row(NamedTuple):
    """A line of the table."""

    file: Path
    checked: str
    run: str


PURE = """
import setuptools, sys; from distutils.core import run_setup
built = run_setup("setup.py", ["-q", "bdist_wheel", "-d", sys.argv[1]], stop_after="commandline")
built.ext_modules = []; built.command_options["bdist_wheel"].pop("py_limited_api", None); built.run_commands()"""


def build(builder: Builder, out: Path, names: list[str]) -> dict[str, Path]:
    """Write sdist, wheels and program into *out* and return the files by target."""
    say("sdist, pure wheel and program")
    files = {"sdist": sdist(builder, out)}
    builder.run(builder.python, "-c", PURE, builder.work / "pure")
    parts = pure_parts(next((builder.work / "pure").glob("*.whl")))
    files["pure"] = write_wheel(out, parts, "py3-none-any", {}, builder.epoch)
    files["program"] = program(builder, files["pure"], out)
    for name in names:
        say(f"wheel for {name}")
        target = TARGETS[name]
        files[name] = write_wheel(out, parts, f"cp311-abi3-{target.tag}", builder.compiled(target), builder.epoch)
    return files


def program(builder: Builder, wheel: Path, out: Path) -> Path:
    """Write ``utf8-abnf.pyz``: the package and what it needs, in pure Python, in one file that Python runs."""
    folder = builder.work / "program"
    builder.run(builder.python, "-m", "pip", "install", "-q", "--disable-pip-version-check", "--no-compile",
                "--target", folder, wheel)  # fmt: skip
    inner = {}
    for file in sorted(folder.rglob("*")):
        name = file.relative_to(folder).as_posix()
        if file.is_file() and "__pycache__" not in file.parts and not name.startswith("bin/"):
            inner[name] = file.read_bytes()
    inner = {name: data for name, data in inner.items() if not name.endswith(("/direct_url.json", "/RECORD"))}
    content = hashlib.sha256(b"".join(f"{name}\0{digest(data)}\n".encode() for name, data in inner.items())).hexdigest()
    inner["__main__.py"] = (PARTS / "one_file.py").read_bytes().replace(b'"CONTENT"', f'"{content}"'.encode())
    path = out / "utf8-abnf.pyz"
    write_zip(path, inner, builder.epoch, before=b"#!/usr/bin/env python3\n")
    path.chmod(0o755)
    return path


def checked(builder: Builder, name: str, file: Path) -> str:
    """Check *file* by the tools that know its kind, and return their names; SystemExit where one objects."""
    bin_ = builder.python.parent
    if name == "program":
        return ""
    builder.run(bin_ / "twine", "check", "--strict", file)
    tools = ["twine"]
    if name in TARGETS:
        builder.run(bin_ / "abi3audit", "--strict", file)
        tools.append("abi3audit")
    if name.startswith(("linux", "musl")):
        tag = TARGETS[name].tag.partition(".")[0]
        shown = builder.run(bin_ / "auditwheel", "show", file).stdout
        if f'"{tag}"' not in shown:
            raise SystemExit(f"{file.name}: auditwheel does not find {tag}\n{shown}")
        tools.append("auditwheel")
    return ", ".join(tools)


def tried(builder: Builder, name: str, file: Path, command: list[str]) -> str:
    """Run *file* by the Python that *command* starts: a wheel by ``check_wheel.py``. Return its version and kernels."""
    version = builder.run(*command, "-c", "import platform; print(platform.python_version())").stdout.strip()
    return f"Python {version}: {_kernels(builder, name, file, command)}"


def _kernels(builder: Builder, name: str, file: Path, command: list[str]) -> str:
    if name == "program":
        builder.variables["XDG_CACHE_HOME"] = str(builder.work / "cache")
        builder.run(*command, "-I", file, "grammar", "automaton")
        return builder.run(*command, "-I", file, "--version").stdout.partition("kernel ")[2].partition(",")[0]
    with tempfile.TemporaryDirectory() as folder:
        shutil.unpack_archive(file, folder, "zip")
        shutil.copy(PARTS / "check_wheel.py", folder)
        question = "import sys; sys.path.insert(0, sys.argv[1]); import check_wheel; print(*check_wheel.KERNELS)"
        return builder.run(*command, "-c", question, folder).stdout.strip().replace(" ", ", ")


def in_pyodide(builder: Builder, program: Path) -> str:
    """Run the pure wheel, as *program* holds it, in Pyodide under node; return its version and the kernel."""
    folder = builder.work / "pyodide"
    folder.mkdir()
    builder.run("npm", "install", "--silent", "--prefix", folder, f"pyodide@{PYODIDE}")
    shutil.copy(PARTS / "pyodide.mjs", folder)
    return builder.run("node", folder / "pyodide.mjs", program.absolute()).stdout.strip()


def c_tests(builder: Builder, target: Target, command: list[str]) -> str:
    """Compile the C library and its differential test for *target*, as one static program; run it by *command*."""
    out, kernel = builder.work / "differential", "src/kernel"
    names = ("dispatch", "scalar", "repair", "avx2", "avx512", "sse4", "neon", "wasm")
    builder.run(builder.zig, "cc", "-target", target.zig, "-static", "-O2", "-D_DEFAULT_SOURCE", f"-I{kernel}",
                "tests/validator/differential.c", *(f"{kernel}/{name}.c" for name in names), "-o", out)  # fmt: skip
    printed = builder.run(*command, out, STRIDE).stdout
    if not printed.endswith("all agree\n"):
        raise SystemExit(printed)
    names = printed.partition("\n")[0].removeprefix("kernels: ")
    return "C tests: " + re.sub(r"\S+ \(.*?\) ?", "", names).replace(" ", ", ")  # without those that do not run here


def emulator(program: str) -> list[str] | None:
    """Return the command that runs programs of another system by *program*, None where that is not installed."""
    if not program:
        return []
    found = shutil.which(program)
    return [found] if found else None


def table(rows: list[Row]) -> str:
    """Return the rows as a table in Markdown."""
    lines = ["| file | bytes | checked by | ran with the kernels |", "|---|--:|---|---|"]
    for row in rows:
        lines.append(f"| `{row.file.name}` | {row.file.stat().st_size:,} | {row.checked} | {row.run} |")
    return "\n".join(lines)


def main(arguments: list[str] | None = None) -> int:
    """Build, check, try and list; 0 when all went well."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add(
        "--out",
        type=lambda name: Path(name).absolute(),
        default=ROOT / "dist",
        help="the folder for what is built (default: dist)",
    )
    add("--only", nargs="+", choices=TARGETS, default=[*TARGETS], metavar="TARGET", help=f"of {', '.join(TARGETS)}")
    add("--tools", type=Path, default=ROOT / ".venv-release", help="a virtual environment, made if it is not there")
    add("--python", action="append", default=[], metavar="TARGET=COMMAND",
        help="also run the wheel of TARGET by COMMAND: linux-aarch64='qemu-aarch64 -L /arm64 python3'")  # fmt: skip
    add("--pyodide", action="store_true", help="also run the pure wheel in Pyodide: needs node and npm")
    add("--twice", action="store_true", help="build everything again elsewhere, and compare")
    args = parser.parse_args(arguments)
    need()
    python = environment(args.tools).absolute()
    pip(python, "--group", "release")
    pythons = [("linux-x86-64", str(python)), ("program", str(python)), *(each.split("=", 1) for each in args.python)]
    args.out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        commit = git("rev-parse", "HEAD").decode().strip()  # once: two builds take long enough for the next commit
        builder = builder_in(Path(folder), commit, python, args.tools / "zig-cache")
        files = build(builder, args.out, args.only)
        rows = []
        for name, file in files.items():
            say(f"checking {name}")
            ran = [tried(builder, name, file, command.split()) for target, command in pythons if target == name]
            if name == "pure" and args.pyodide:
                ran.append(in_pyodide(builder, files["program"]))
            if name in EMULATORS and (command := emulator(EMULATORS[name])) is not None:
                ran.append(c_tests(builder, TARGETS[name], command))
            rows.append(Row(file, checked(builder, name, file), "; ".join(ran) or "not run"))
        print(table(rows))
    if args.twice:
        with tempfile.TemporaryDirectory() as folder:
            again = build(builder_in(Path(folder), commit, python, Path(folder) / "zig-cache"), Path(folder), args.only)
            changed = [
                file.name
                for name, file in files.items()
                if digest(file.read_bytes()) != digest(again[name].read_bytes())
            ]
        print(f"not the same bytes: {', '.join(changed)}" if changed else "the second build gave the same bytes")
        return int(bool(changed))
    return 0


def git(*arguments: str) -> bytes:
    """Return what git prints."""
    return subprocess.run(["git", *arguments], cwd=ROOT, check=True, capture_output=True).stdout


def builder_in(folder: Path, commit: str, python: Path, cache: Path) -> Builder:
    """Return a builder that works in *folder*, on a copy of *commit*."""
    tree = folder / "tree"
    tree.mkdir()
    subprocess.run(["tar", "-x", "-C", tree], input=git("archive", commit), check=True)
    committed = git("log", "-1", "--format=%ct", commit)
    return Builder(tree, python, folder, int(os.environ.get("SOURCE_DATE_EPOCH") or committed), cache.absolute())


def digest(data: bytes) -> str:
    """Return the SHA-256 of *data*."""
    return hashlib.sha256(data).hexdigest()


if __name__ == "__main__":
    sys.exit(main())
