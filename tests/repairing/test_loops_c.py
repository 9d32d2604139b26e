"""The loops in C by themselves, by building ``laws.c``: warnings, guard pages, sanitizers."""

import shutil
import subprocess

import pytest

pytestmark = pytest.mark.slow  # the C library knows no Python

LIBRARY = ("repair", "faults", "dispatch", "scalar", "avx2", "avx512", "neon")
WARNINGS = ["-std=c11", "-Wall", "-Wextra", "-Wconversion", "-Werror"]


@pytest.mark.parametrize(
    ("compiler", "sanitizer", "texts"),
    [
        ("gcc", "-fsanitize=address,undefined", "4000"),
        ("clang", "-fsanitize=memory", "1500"),
    ],
)
def test_the_loops_keep_to_their_buffers_and_laws(root, tmp_path, compiler, sanitizer, texts):
    if not shutil.which(compiler):
        pytest.skip(f"needs {compiler}: apt install {compiler}")
    kernel = root / "src" / "kernel"
    program = tmp_path / "laws"
    sources = [root / "tests/repairing/laws.c", *(kernel / f"{name}.c" for name in LIBRARY)]
    build = [
        compiler,
        "-O1",
        "-g",
        sanitizer,
        "-fno-sanitize-recover=all",
        *WARNINGS,
        "-D_DEFAULT_SOURCE",
        f"-I{kernel}",
        "-o",
        program,
        *sources,
    ]
    subprocess.run(build, check=True, timeout=120)
    done = subprocess.run([program, texts], capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stdout) == (0, f"{texts} texts: all laws hold\n"), done.stdout + done.stderr
