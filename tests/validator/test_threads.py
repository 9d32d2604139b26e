"""The module between Python and C under ThreadSanitizer: threads feed one validator and choose kernels at once."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

import utf8_abnf

pytestmark = [
    pytest.mark.slow,  # the C source is the same on every Python
    pytest.mark.skipif(not shutil.which("gcc"), reason="needs gcc: apt install gcc"),
    pytest.mark.skipif(not shutil.which("setarch"), reason="needs setarch: apt install util-linux"),
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs Linux"),
]
# More than the 512 KiB from which on the GIL is released.
THREADS = """
import threading
from utf8_abnf.validator import _kernel

validator, data, fed = _kernel.IncrementalValidator(), "\\u6f22".encode() * 300_000, []
together = threading.Barrier(4)

def work():
    for _ in range(12):
        together.wait()
        try:
            fed.append(validator.feed(data))
            validator.reset()
        except ValueError:
            pass
        _kernel.use("scalar" if len(fed) % 2 else _kernel.available()[0])
        assert _kernel.is_valid(data)

threads = [threading.Thread(target=work) for _ in range(4)]
for each in threads:
    each.start()
for each in threads:
    each.join()
assert fed and set(fed) == {None}
"""


def test_threads_do_not_race(root: Path, tmp_path: Path):
    """A module that was built for ThreadSanitizer runs THREADS."""
    package, installed = tmp_path / "utf8_abnf", Path(utf8_abnf.__file__).parent
    (package / "validator").mkdir(parents=True)
    for entry in installed.iterdir():
        if entry.name != "validator":
            (package / entry.name).symlink_to(entry)
    for entry in (installed / "validator").glob("*.py"):
        shutil.copy(entry, package / "validator")
    sources = sorted((root / "src" / "kernel").glob("*.c"))
    options = ["-O1", "-g", "-w", "-fsanitize=thread", "-fPIC", "-shared", "-DPy_LIMITED_API=0x030B0000"]
    options += ["-isystem", sysconfig.get_path("include"), "-o", str(package / "validator" / "_kernel.abi3.so")]
    subprocess.run(["gcc", *options, *sources], check=True, timeout=120)
    find = ["gcc", "-print-file-name=libtsan.so"]
    preloaded = subprocess.run(find, capture_output=True, text=True, check=True).stdout.strip()
    environment = os.environ | {"LD_PRELOAD": preloaded, "PYTHONPATH": str(tmp_path)}
    command = ["setarch", "-R", sys.executable, "-c", THREADS]  # its shadow memory needs addresses that stay in place
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")


def test_the_module_compiles_as_free_threaded_cpython_compiles_it(root):
    """The macros are those of CPython 3.13; a Python without a GIL is rarely there."""
    macros = ("Py_GIL_DISABLED", "Py_BEGIN_CRITICAL_SECTION(op)={ (void)(op)", "Py_END_CRITICAL_SECTION()=}")
    warnings = ["-Wall", "-Werror", "-include", "stdlib.h"]  # where there is no stable ABI, Python.h includes stdlib.h
    headers = [f"-I{sysconfig.get_path('include')}", f"-I{root / 'src' / 'kernel'}"]
    for source in (root / "src" / "kernel").glob("module*.c"):
        command = ["gcc", "-fsyntax-only", *warnings, *headers, *(f"-D{each}" for each in macros), source]
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
