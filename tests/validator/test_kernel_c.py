"""The C library by itself, by building ``differential.c``: warnings, sanitizers, valgrind, NEON under qemu."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow  # the C library knows no Python

WARNINGS = ["-std=c11", "-Wall", "-Wextra", "-Wconversion", "-Werror"]
# One text in so many is judged: primes, for a stride of 4 would leave out three alignments in four. Before a release
# UTF8_ABNF_EXHAUSTIVE asks several times as many (RELEASING.md).
EXHAUSTIVE = bool(os.environ.get("UTF8_ABNF_EXHAUSTIVE"))
STRIDES = {"gcc": 3, "clang": 7, "valgrind": 199, "qemu": 13} if EXHAUSTIVE else {
    "gcc": 17, "clang": 37, "valgrind": 499, "qemu": 59
}  # fmt: skip
SANITIZERS = {"gcc": "address,undefined", "clang": "memory"}
LIBRARY = ("dispatch", "scalar", "faults", "columns", "repair", "avx2", "avx512", "sse4", "neon", "wasm")


def program(name: str, how_to_get_it: str) -> str:
    found = shutil.which(name)
    if found is None:
        pytest.skip(f"needs {name}: {how_to_get_it}")
    return found


def run(*command: str | Path) -> str:
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


class Library:
    """The library as one compiler makes it with some options: compiled once, linked with several programs."""

    def __init__(self, root: Path, folder: Path, compiler: str, *options: str) -> None:
        kernel = root / "src" / "kernel"
        self.command = [compiler, "-g", *options, "-D_DEFAULT_SOURCE", *WARNINGS, f"-I{kernel}"]
        self.folder, self.tests = folder, root / "tests"
        self.objects = [folder / f"{name}.o" for name in LIBRARY]
        for name, target in zip(LIBRARY, self.objects, strict=True):
            run(*self.command, "-c", "-o", target, kernel / f"{name}.c")

    def program(self, name: str) -> Path:
        """Return the program that is made of tests/NAME.c and the library."""
        out = self.folder / Path(name).name
        if not out.exists():
            run(*self.command, "-o", out, self.tests / f"{name}.c", *self.objects)
        return out


@pytest.fixture(scope="module")
def plain(root: Path, tmp_path_factory) -> Library:
    """The library without any sanitizer, for which three tests ask."""
    compiler = program("gcc", "apt install gcc")
    return Library(root, tmp_path_factory.mktemp("plain"), compiler, "-O2", "-fno-pie", "-no-pie")


# Clang finds what it warns of before it optimizes; GCC also while it does. At -O0 GCC has macros for some intrinsics.
@pytest.mark.parametrize(
    ("compiler", "level", "chosen"),
    [("gcc", "-O3", "*/*.c"), ("gcc", "-O0", "kernel/*[x0-9].c"), ("clang", "-O0", "*/*.c")],
)
def test_the_c_sources_compile_without_a_warning(
    root: Path, tmp_path: Path, compiler: str, level: str, chosen: str
) -> None:
    program(compiler, f"apt install {compiler}")
    python = sysconfig.get_path("include")
    if not (Path(python) / "Python.h").exists():
        pytest.skip("needs Python.h: apt install python3-dev")
    folders = [f"-I{root / 'src' / 'kernel'}", "-isystem", python, "-DPy_LIMITED_API=0x030B0000"]
    sources = list((root / "src").glob(chosen))
    assert len(sources) >= 2
    for source in sources:
        run(compiler, level, *WARNINGS, *folders, "-c", "-o", tmp_path / "object.o", source)


def test_all_kernels_agree_with_the_scalar_one_between_guard_pages(plain: Library) -> None:
    printed = run(plain.program("validator/differential"))
    assert printed.endswith("all agree\n")
    assert "every length 0..512" in printed


@pytest.mark.parametrize("compiler", SANITIZERS)
def test_a_sanitizer_finds_nothing(root: Path, tmp_path: Path, compiler: str) -> None:
    """Nor do the laws fail: of the kernels, of columns and of the loops that repair."""
    program(compiler, f"apt install {compiler}")
    sanitized = Library(
        root, tmp_path, compiler, "-O1", f"-fsanitize={SANITIZERS[compiler]}", "-fno-sanitize-recover=all"
    )
    assert run(sanitized.program("validator/differential"), str(STRIDES[compiler])).endswith("all agree\n")
    assert run(sanitized.program("validator/columns"), "3000") == "3000 columns: all laws hold\n"
    assert run(sanitized.program("repairing/laws"), "3000") == "3000 texts: all laws hold\n"


def test_valgrind_finds_nothing(plain: Library) -> None:
    valgrind = program("valgrind", "apt install valgrind")
    # Valgrind knows no AVX-512 and says so to cpuid: it sees the other kernels.
    printed = run(
        valgrind, "-q", "--error-exitcode=9", plain.program("validator/differential"), str(STRIDES["valgrind"])
    )
    assert printed.endswith("all agree\n")


def test_neon_agrees_with_the_scalar_kernel(root: Path, tmp_path: Path, request) -> None:
    if platform.machine() == "aarch64":
        printed = run(request.getfixturevalue("plain").program("validator/differential"))
    else:
        compiler = program("aarch64-linux-gnu-gcc", "apt install gcc-aarch64-linux-gnu libc6-dev-arm64-cross")
        qemu = program("qemu-aarch64", "apt install qemu-user")
        library = Library(root, tmp_path, compiler, "-O2", "-static")
        printed = run(qemu, library.program("validator/differential"), str(STRIDES["qemu"]))
    assert printed.startswith("kernels: neon scalar\n")
    assert printed.endswith("all agree\n")


@pytest.mark.skipif(sys.platform == "win32", reason="needs nm: a Unix tool")
def test_the_library_has_one_variable_and_allocates_nothing(plain: Library) -> None:
    nm = program("nm", "apt install binutils")
    variables, calls = set(), set()
    for target in plain.objects:
        for line in run(nm, target).splitlines():
            kind, symbol = line.split()[-2:]
            if kind in "bBdDC":  # not r and R: constants
                variables.add(symbol.split(".")[0])
            elif kind == "U":
                calls.add(symbol)
    assert variables <= {"best"}  # the dispatch pointer
    calls.discard("memcpy")  # repair.c copies
    assert {
        symbol for symbol in calls if not symbol.startswith(("utf8_", "_GLOBAL_OFFSET_TABLE_", "__stack_chk"))
    } == set()
