"""The fuzz target: that it runs, finds nothing in the kernels, and would find something in a wrong one."""

from __future__ import annotations

import importlib.util
import re
import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = [pytest.mark.slow, pytest.mark.sampled(0)]  # the C library knows no Python


@pytest.fixture(scope="module")
def fuzz(root: Path):
    """The module tools/proof/fuzz."""
    if not shutil.which("clang"):
        pytest.skip("needs clang with libFuzzer: apt-get install clang libclang-rt-14-dev")
    spec = importlib.util.spec_from_file_location("fuzz_tool", root / "tools/proof/fuzz/__main__.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_a_bounded_run_from_the_kept_corpus_finds_no_difference(fuzz, root: Path, tmp_path: Path):
    corpus = tmp_path / "corpus"
    shutil.copytree(root / "tools/proof/fuzz/corpus", corpus)
    done = fuzz.run(fuzz.build(tmp_path), 2, corpus)
    assert done.returncode == 0, done.stderr[-3000:]
    assert int(re.search(r"Done (\d+) runs", done.stderr)[1]) > 100


def test_a_wrong_kernel_is_found_by_the_corpus_alone(fuzz, root: Path, tmp_path: Path):
    kernel = tmp_path / "kernel"
    shutil.copytree(root / "src/kernel", kernel)
    right = "{3, 0x80, 0x9F}"  # ED 80..9F: without this bound the surrogates pass
    source = (kernel / "scalar.c").read_text()
    assert source.count(right) == 1
    (kernel / "scalar.c").write_text(source.replace(right, "{3, 0x80, 0xBF}"))
    program = fuzz.build(tmp_path, kernel)
    inputs = sorted((root / "tools/proof/fuzz/corpus").iterdir())
    done = subprocess.run([program, *inputs], capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode != 0
    assert "differs from the automaton" in done.stderr
