"""The look for refused characters in C, by itself: under sanitizers, and for AArch64 in an emulator."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

HERE = Path(__file__).parent
COMPILERS = {
    "sanitizers": (["gcc", "-O1", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"], []),
    "aarch64": (["aarch64-linux-gnu-gcc", "-O2", "-static"], ["qemu-aarch64"]),
}


@pytest.mark.thorough
@pytest.mark.parametrize("kind", COMPILERS)
def test_the_wide_look_is_the_scalar_one_and_stays_in_bounds(kind, root, tmp_path):
    compiler, emulator = COMPILERS[kind]
    for program in (compiler[0], *emulator):
        if not shutil.which(program):
            pytest.skip(f"needs {program}")
    source, out = root / "src/profiles", tmp_path / "look"
    folders = [f"-I{source}", f"-I{root / 'src/kernel'}"]
    strict = ["-std=c11", "-Wall", "-Wextra", "-Werror"]
    subprocess.run(
        [*compiler, *strict, *folders, HERE / "look.c", source / "refused.c", "-o", out], check=True, timeout=100
    )
    assert subprocess.run([*emulator, out], stdout=subprocess.DEVNULL, timeout=100).returncode == 0
