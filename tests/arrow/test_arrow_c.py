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
CHOSEN = "random or broken or missing or nothing or null or chunk or dictionary or edge or stream or taken or moved"


@pytest.fixture(scope="module")
def sanitized(root, tmp_path_factory):
    """The environment of a Python whose ``_arrow`` is sanitized, and counts libc's allocations."""
    pytest.importorskip("pyarrow", reason="needs pyarrow: pip install 'utf8-abnf[arrow]'")
    if not shutil.which("gcc"):
        pytest.skip("needs gcc: apt install gcc")
    place = tmp_path_factory.mktemp("sanitized")
    package = place / "utf8_abnf"
    package.mkdir()
    for entry in Path(utf8_abnf.__file__).parent.iterdir():
        if entry.name != "arrow":
            (package / entry.name).symlink_to(entry)
    own = shutil.ignore_patterns("__pycache__", "_arrow*.so")
    shutil.copytree(Path(utf8_abnf.__file__).parent / "arrow", package / "arrow", ignore=own)
    options = ["-O1", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-fPIC", "-shared"]
    options += ["-include", root / "tests/arrow/failing.h"]
    headers = ["-DPy_LIMITED_API=0x030B0000", "-isystem", sysconfig.get_path("include"), f"-I{root / 'src/kernel'}"]
    sources = [root / "src" / f"{name}.c" for name in SOURCES]
    built = package / "arrow" / "_arrow.abi3.so"
    subprocess.run(["gcc", *options, *headers, *sources, "-o", built], check=True, timeout=120)
    find = ["gcc", "-print-file-name=libasan.so"]
    preloaded = subprocess.run(find, capture_output=True, text=True, check=True, timeout=60).stdout.strip()
    return os.environ | {"LD_PRELOAD": preloaded, "ASAN_OPTIONS": "detect_leaks=0", "PYTHONPATH": str(place)}


def test_no_byte_is_read_outside_and_nothing_is_freed_twice(root, sanitized):
    options = ["-q", "-p", "no:cacheprovider", "-k", CHOSEN]
    command = [sys.executable, "-m", "pytest", *options, "tests/arrow/test_arrow.py"]
    done = subprocess.run(command, cwd=root, env=sanitized, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    assert " passed" in done.stdout


FAILING = r"""
import ctypes, gc
import pyarrow as pa
from utf8_abnf import arrow
from utf8_abnf.arrow import _arrow

library = ctypes.CDLL(_arrow.__file__)
countdown, live = (ctypes.c_long.in_dll(library, name) for name in ("allocations_until_failure", "live_allocations"))
plain = pa.array([b"a", b"\xff", None, b"x" * 40, b"ab\xed\xa0\x80"])
indexed = plain.dictionary_encode()
columns = {"plain": plain, "chunked": pa.chunked_array([plain, plain]), "indexed": indexed}
made = {name: arrow.first_error(column) for name, column in columns.items()}
made["strings"] = arrow.replace(indexed)
columns["ours, streamed"] = type("Streamed", (), {"__arrow_c_stream__": made["strings"].__arrow_c_stream__})
work = [
    (f"{function} of {name}", getattr(arrow, function), column)
    for function in ("is_valid", "first_error", "replace", "summary") for name, column in columns.items()
] + [
    (f"{method} of {name}", getattr(column, method), None)
    for name, column in made.items() for method in dir(column) if method.startswith("__arrow_c_")
]
gc.collect()
held = live.value
for name, call, column in work:
    for number in range(1, 100):
        countdown.value = number
        try:
            call(column) if column is not None else call()
        except MemoryError:
            pass
        else:
            if countdown.value > 0:
                break  # there were no more
            raise AssertionError((name, number, "succeeds"))
        finally:
            countdown.value = 0
        assert live.value == held, (name, number, live.value - held)
    assert live.value == held, name
    print(name, number - 1)
"""


def test_an_allocation_of_libc_that_fails_is_a_memory_error_and_keeps_nothing(sanitized):
    done = subprocess.run([sys.executable, "-c", FAILING], env=sanitized, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    failed = [int(line.rsplit(" ", 1)[1]) for line in done.stdout.splitlines()]
    assert len(failed) == 4 * 4 + 4 * 3 - 1  # a column in chunks has no array
    assert sum(failed) > 100
