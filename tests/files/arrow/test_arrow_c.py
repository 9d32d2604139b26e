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
    place = tmp_path_factory.mktemp("sanitized") / "src"
    package = place / "utf8_abnf"
    (package / "files").mkdir(parents=True)
    (place.parent / "grammar").symlink_to(root / "grammar")
    installed = Path(utf8_abnf.__file__).parent
    for entry in [*installed.iterdir(), *(installed / "files").iterdir()]:
        if entry.name not in {"arrow", "files"}:
            (package / entry.relative_to(installed)).symlink_to(entry)
    own = shutil.ignore_patterns("__pycache__", "_arrow*.so")
    shutil.copytree(installed / "files" / "arrow", package / "files" / "arrow", ignore=own)
    options = ["-O1", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-fPIC", "-shared"]
    options += ["-include", root / "tests/files/arrow/failing.h"]
    headers = ["-DPy_LIMITED_API=0x030B0000", "-isystem", sysconfig.get_path("include"), f"-I{root / 'src/kernel'}"]
    sources = [root / "src" / f"{name}.c" for name in SOURCES]
    built = package / "files" / "arrow" / "_arrow.abi3.so"
    subprocess.run(["gcc", *options, *headers, *sources, "-o", built], check=True, timeout=120)
    find = ["gcc", "-print-file-name=libasan.so"]
    preloaded = subprocess.run(find, capture_output=True, text=True, check=True, timeout=60).stdout.strip()
    return os.environ | {"LD_PRELOAD": preloaded, "ASAN_OPTIONS": "detect_leaks=0", "PYTHONPATH": str(place)}


def test_no_byte_is_read_outside_and_nothing_is_freed_twice(root, sanitized):
    options = ["-q", "-p", "no:cacheprovider", "-k", CHOSEN]
    command = [sys.executable, "-m", "pytest", *options, "tests/files/arrow/test_arrow.py"]
    done = subprocess.run(command, cwd=root, env=sanitized, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    assert " passed" in done.stdout


def test_an_allocation_that_fails_is_a_memory_error_and_keeps_nothing_of_libc(root, sanitized):
    command = [sys.executable, root / "tests/validator/no_memory.py"]
    done = subprocess.run(command, env=sanitized, capture_output=True, text=True, timeout=600)
    if done.returncode == 77:
        pytest.xfail("needs _testcapi, which some builds of Python leave out")  # nothing that CI could install
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    assert int(done.stdout.split()[-1]) > 100


THREADS = r"""
#include <pthread.h>

#include "arrow_out.h"

static utf8_made *made;

static void *take(void *unused) {
    for (int i = 0; i < 1000; i++) {
        struct ArrowArray array;
        if (utf8_export_array(made, &array)) array.release(&array);
    }
    return unused;
}

int main(void) {
    const size_t sizes[] = {0, 8};
    pthread_t threads[4];
    made = utf8_make("b", "", 8, 2, sizes);
    for (int i = 0; i < 4; i++) pthread_create(&threads[i], NULL, take, NULL);
    for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
    const long uses = made->uses;
    utf8_drop(made);
    return uses != 1;
}
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs Linux")
@pytest.mark.skipif(not shutil.which("gcc"), reason="needs gcc: apt install gcc")
@pytest.mark.skipif(not shutil.which("setarch"), reason="needs setarch: apt install util-linux")
def test_a_result_may_be_released_in_any_thread(root, tmp_path):
    (tmp_path / "threads.c").write_text(THREADS)
    options = ["-O1", "-g", "-fsanitize=thread", f"-I{root / 'src/arrow'}", f"-I{root / 'src/kernel'}"]
    sources = [tmp_path / "threads.c", root / "src/arrow/arrow_out.c"]
    subprocess.run(["gcc", *options, *sources, "-pthread", "-o", tmp_path / "threads"], check=True, timeout=120)
    command = ["setarch", "-R", tmp_path / "threads"]  # as in tests/validator/test_threads.py
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stderr) == (0, "")
