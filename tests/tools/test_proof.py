"""The model checker's side of the proof: that the modelled intrinsics are the real ones, and that CBMC agrees."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

pytest.importorskip("utf8_abnf.proving._prove", reason="needs the C kernels: install with a C compiler")

pytestmark = pytest.mark.slow  # the kernels' C source is the same on every Python


@pytest.fixture(scope="module")
def proof(root: Path):
    """The module tools/proof/__main__.py."""
    spec = importlib.util.spec_from_file_location("proof_tool", root / "tools/proof/__main__.py")
    module = importlib.util.module_from_spec(spec)
    import sys

    sys.modules["proof_tool"] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


def cpu_flags() -> set[str]:
    try:
        return set(re.search(r"^flags\s*:(.*)$", Path("/proc/cpuinfo").read_text(), re.M)[1].split())
    except (OSError, TypeError):
        return set()


def test_every_modelled_intrinsic_does_what_the_instruction_does(root: Path, tmp_path: Path):
    folder = root / "tools/proof"
    compiler = os.environ.get("CC", "cc")
    if not shutil.which(compiler):
        pytest.skip("needs a C compiler: apt-get install gcc")
    if "avx2" not in cpu_flags():
        pytest.skip("needs an x86 processor with AVX2")
    wide = ["-DWITH_AVX512"] if "avx512_vbmi" in cpu_flags() or "avx512vbmi" in cpu_flags() else []
    real = ["-mavx2", *(["-mavx512f", "-mavx512bw", "-mavx512vbmi", "-mbmi2"] if wide else [])]
    for side, flags in (("instructions", real), ("models", [f"-I{folder / 'model'}"])):
        made = [compiler, "-O1", *flags, *wide, f"-DSIDE={side}", "-c", folder / "operations.c", "-o", f"{side}.o"]
        subprocess.run(made, cwd=tmp_path, check=True)
    subprocess.run(
        [compiler, folder / "compare.c", "instructions.o", "models.o", "-o", "compare"], cwd=tmp_path, check=True
    )
    done = subprocess.run([tmp_path / "compare"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
    assert len(done.stdout.splitlines()) >= (45 if wide else 25)


def test_every_intrinsic_of_the_kernels_is_among_the_compared(root: Path):
    used = set()
    for name in ("avx2.c", "avx512.c"):
        used |= set(re.findall(r"\b(?:_mm\w*|_bzhi\w*)(?=\()", (root / "src/kernel" / name).read_text()))
    assert len(used) > 20
    compared = set(re.findall(r"X\((\w+),", (root / "tools/proof/operations.c").read_text()))
    assert used - compared == set()


def test_the_immediates_of_the_kernels_are_among_the_compared(root: Path):
    pattern = re.compile(r"(_mm\w*(?:ternarylogic|alignr|srli|permute2x128)\w*)\((?:[^()]|\([^()]*\))*?, (0x\w+|\d+)\)")
    used = set()
    for name in ("avx2.c", "avx512.c"):
        used |= set(pattern.findall((root / "src/kernel" / name).read_text()))
    assert len(used) > 6
    assert used - set(pattern.findall((root / "tools/proof/operations.c").read_text())) == set()


# ---- the checker itself --------------------------------------------------------------------------------------------


@pytest.fixture
def checked(proof, tmp_path: Path):
    """A function that has CBMC check the claim of the given name."""
    if not shutil.which("cbmc"):
        # No skip: a machine that reaches no archive of Debian 13 lacks it. docs/kernel-proof.md has the last full run.
        pytest.xfail("needs cbmc, the model checker: tools/proof/install_cbmc.sh, or www.cprover.org/cbmc")
    header = proof.oracle_header(proof.compile_grammar(proof.Grammar.load("utf8")).minimal())
    (tmp_path / "oracle.h").write_text(header)

    def check(name: str, **options) -> str:
        sizes = [int(name.split()[-1])] if "whole" in name else None
        (claim,) = (each for each in proof.claims([name.split()[0]], sizes) if each.name == name)
        return proof.check(claim, tmp_path, seconds=300, **options)

    return check


@pytest.mark.parametrize("claim", ["scalar sequence 4", "avx2 whole 3", "avx2 whole 33", "avx512 whole 64"])
def test_the_checker_proves(claim, checked):
    assert checked(claim) == "proved"


@pytest.mark.parametrize(
    ("claim", "file", "old", "new"),
    [
        ("avx2 whole 3", "avx2.c", "_mm256_set1_epi8(0x1F)", "_mm256_set1_epi8(0x1E)"),
        ("avx512 whole 64", "avx512.c", "size <= 62", "size <= 64"),
        ("scalar sequence 4", "scalar.c", "{3, 0xA0, 0xBF}", "{3, 0x9F, 0xBF}"),
    ],
    ids=["third byte", "end of a block", "overlong"],
)
def test_the_checker_refutes_a_mutant(claim, file, old, new, checked, root: Path, tmp_path: Path):
    kernel = tmp_path / "kernel"
    shutil.copytree(root / "src/kernel", kernel)
    source = (kernel / file).read_text()
    assert source.count(old) == 1
    (kernel / file).write_text(source.replace(old, new))
    assert ": FAILURE" in checked(claim, kernel=kernel)
