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


def run_threads(kernel: Path, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run THREADS with a module that was built for ThreadSanitizer."""
    package, installed = folder / "utf8_abnf", Path(utf8_abnf.__file__).parent
    (package / "validator").mkdir(parents=True)
    for entry in installed.iterdir():
        if entry.name != "validator":
            (package / entry.name).symlink_to(entry)
    for entry in (installed / "validator").glob("*.py"):
        shutil.copy(entry, package / "validator")
    sources = sorted(kernel.glob("*.c"))
    options = ["-O1", "-g", "-w", "-fsanitize=thread", "-fPIC", "-shared", "-DPy_LIMITED_API=0x030B0000"]
    options += ["-isystem", sysconfig.get_path("include"), "-o", str(package / "validator" / "_kernel.abi3.so")]
    subprocess.run(["gcc", *options, *sources], check=True, timeout=120)
    find = ["gcc", "-print-file-name=libtsan.so"]
    preloaded = subprocess.run(find, capture_output=True, text=True, check=True).stdout.strip()
    environment = os.environ | {"LD_PRELOAD": preloaded, "PYTHONPATH": str(folder)}
    command = ["setarch", "-R", sys.executable, "-c", THREADS]  # its shadow memory needs addresses that stay in place
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, cwd=folder)


def test_threads_do_not_race(root: Path, tmp_path: Path):
    done = run_threads(root / "src" / "kernel", tmp_path)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_write_without_the_gil_is_seen(root: Path, tmp_path: Path):
    """What only runs under the GIL cannot race here: a bug is seen where the GIL has been released."""
    kernel = tmp_path / "kernel"
    shutil.copytree(root / "src" / "kernel", kernel)
    source = (kernel / "module_shared.c").read_text()
    assert source.count("    found = kernel->first_error(") == 1
    spoilt = source.replace(
        "    found = kernel->first_error(", "    in_use = kernel;\n    found = kernel->first_error("
    )
    (kernel / "module_shared.c").write_text(spoilt)
    assert "data race" in run_threads(kernel, tmp_path / "package").stderr


def test_the_module_compiles_as_free_threaded_cpython_compiles_it(root):
    """The macros are those of CPython 3.13; a Python without a GIL is rarely there."""
    macros = ("Py_GIL_DISABLED", "Py_BEGIN_CRITICAL_SECTION(op)={ (void)(op)", "Py_END_CRITICAL_SECTION()=}")
    warnings = ["-Wall", "-Werror", "-include", "stdlib.h"]  # where there is no stable ABI, Python.h includes stdlib.h
    headers = [f"-I{sysconfig.get_path('include')}", f"-I{root / 'src' / 'kernel'}"]
    for source in (root / "src" / "kernel").glob("module*.c"):
        command = ["gcc", "-fsyntax-only", *warnings, *headers, *(f"-D{each}" for each in macros), source]
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
