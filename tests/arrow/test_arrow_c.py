"""The C side of columns under AddressSanitizer and UBSan: the tests of this folder, with a module built for it."""

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

import utf8_abnf

pytestmark = pytest.mark.slow  # the C source is the same on every Python

PARTS = tuple(f"arrow/arrow_{name}" for name in ("module", "column", "source", "in", "out", "results"))
SOURCES = (*PARTS, "kernel/columns", "kernel/faults", "kernel/scalar")


def test_no_byte_is_read_outside_and_nothing_is_freed_twice(root, tmp_path):
    pytest.importorskip("pyarrow", reason="needs pyarrow: pip install 'utf8-abnf[arrow]'")
    if not shutil.which("gcc"):
        pytest.skip("needs gcc: apt install gcc")
    package = tmp_path / "utf8_abnf"
    package.mkdir()
    for entry in Path(utf8_abnf.__file__).parent.iterdir():
        if entry.name != "arrow":
            (package / entry.name).symlink_to(entry)
    own = shutil.ignore_patterns("__pycache__", "_arrow*.so")
    shutil.copytree(Path(utf8_abnf.__file__).parent / "arrow", package / "arrow", ignore=own)
    options = ["-O1", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-fPIC", "-shared"]
    headers = ["-DPy_LIMITED_API=0x030B0000", "-isystem", sysconfig.get_path("include"), f"-I{root / 'src/kernel'}"]
    sources = [root / "src" / f"{name}.c" for name in SOURCES]
    built = package / "arrow" / "_arrow.abi3.so"
    subprocess.run(["gcc", *options, *headers, *sources, "-o", built], check=True, timeout=120)
    find = ["gcc", "-print-file-name=libasan.so"]
    preloaded = subprocess.run(find, capture_output=True, text=True, check=True, timeout=60).stdout.strip()
    variables = {"LD_PRELOAD": preloaded, "ASAN_OPTIONS": "detect_leaks=0", "PYTHONPATH": str(tmp_path)}
    chosen = "random or broken or missing or nothing or null or chunk or dictionary or edge or stream or taken or moved"
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "tests/arrow/test_arrow.py",
        "-k",
        chosen,
    ]
    environment = os.environ | variables
    done = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    assert " passed" in done.stdout
