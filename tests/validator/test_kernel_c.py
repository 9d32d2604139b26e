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
STRIDES = {"address": 3, "undefined": 3, "memory": 7, "valgrind": 199, "neon": 13} if EXHAUSTIVE else {
    "address": 17, "undefined": 17, "memory": 37, "valgrind": 499, "neon": 59
}  # fmt: skip
LIBRARY = ("dispatch", "scalar", "faults", "columns", "repair", "avx2", "avx512", "neon")


def program(name: str, how_to_get_it: str) -> str:
    found = shutil.which(name)
    if found is None:
        pytest.skip(f"needs {name}: {how_to_get_it}")
    return found


def run(*command: str | Path) -> str:
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture
def build(root: Path, tmp_path: Path):
    """Build the differential program with a compiler and options; return its path."""

    def compile_with(compiler: str, *options: str) -> Path:
        kernel = root / "src" / "kernel"
        out = tmp_path / "differential"
        sources = [root / "tests" / "validator" / "differential.c", *(kernel / f"{name}.c" for name in LIBRARY)]
        run(compiler, "-O2", "-g", *options, "-D_DEFAULT_SOURCE", *WARNINGS, f"-I{kernel}", "-o", out, *sources)
        return out

    return compile_with


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
@pytest.mark.parametrize("level", ["-O0", "-O3"])
def test_the_c_sources_compile_without_a_warning(root: Path, tmp_path: Path, compiler: str, level: str) -> None:
    program(compiler, f"apt install {compiler}")
    python = sysconfig.get_path("include")
    if not (Path(python) / "Python.h").exists():
        pytest.skip("needs Python.h: apt install python3-dev")
    folders = [f"-I{root / 'src' / 'kernel'}", "-isystem", python, "-DPy_LIMITED_API=0x030B0000"]
    for source in (root / "src").glob("*/*.c"):
        run(compiler, level, *WARNINGS, *folders, "-c", "-o", tmp_path / "object.o", source)


def test_all_kernels_agree_with_the_scalar_one_between_guard_pages(build) -> None:
    printed = run(build(program("gcc", "apt install gcc")))
    assert printed.endswith("all agree\n")
    assert "every length 0..512" in printed


@pytest.mark.parametrize(("compiler", "sanitizer"), [("gcc", "address"), ("gcc", "undefined"), ("clang", "memory")])
def test_a_sanitizer_finds_nothing(build, compiler: str, sanitizer: str) -> None:
    program(compiler, f"apt install {compiler}")
    options = [f"-fsanitize={sanitizer}", "-fno-sanitize-recover=all"]
    assert run(build(compiler, *options), str(STRIDES[sanitizer])).endswith("all agree\n")


@pytest.mark.parametrize(("compiler", "sanitizer"), [("gcc", "address,undefined"), ("clang", "memory")])
def test_columns_keep_to_their_buffers_and_laws(root: Path, tmp_path: Path, compiler: str, sanitizer: str) -> None:
    kernel, out = root / "src" / "kernel", tmp_path / "columns"
    sources = [root / "tests" / "validator" / "columns.c", *(kernel / f"{name}.c" for name in LIBRARY)]
    options = [f"-fsanitize={sanitizer}", "-fno-sanitize-recover=all", "-D_DEFAULT_SOURCE", *WARNINGS, f"-I{kernel}"]
    run(program(compiler, f"apt install {compiler}"), "-O1", "-g", *options, "-o", out, *sources)
    assert run(out, "3000") == "3000 columns: all laws hold\n"


def test_valgrind_finds_nothing(build) -> None:
    valgrind = program("valgrind", "apt install valgrind")
    out = build(program("gcc", "apt install gcc"))
    # Valgrind knows no AVX-512 and says so to cpuid: it sees AVX2 and the scalar kernel.
    printed = run(valgrind, "-q", "--error-exitcode=9", out, str(STRIDES["valgrind"]))
    assert printed.endswith("all agree\n")


def test_neon_agrees_with_the_scalar_kernel(build) -> None:
    if platform.machine() == "aarch64":
        printed = run(build(program("gcc", "apt install gcc")))
    else:
        compiler = program("aarch64-linux-gnu-gcc", "apt install gcc-aarch64-linux-gnu libc6-dev-arm64-cross")
        qemu = program("qemu-aarch64", "apt install qemu-user")
        printed = run(qemu, build(compiler, "-static"), str(STRIDES["neon"]))
    assert printed.startswith("kernels: neon scalar\n")
    assert printed.endswith("all agree\n")


@pytest.mark.skipif(sys.platform == "win32", reason="needs nm: a Unix tool")
def test_the_library_has_one_variable_and_allocates_nothing(root: Path, tmp_path: Path) -> None:
    nm, compiler = program("nm", "apt install binutils"), program("gcc", "apt install gcc")
    variables, calls = set(), set()
    for name in LIBRARY:
        target = tmp_path / f"{name}.o"
        run(compiler, "-O2", "-fno-pie", *WARNINGS, "-c", "-o", target, root / "src" / "kernel" / f"{name}.c")
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
