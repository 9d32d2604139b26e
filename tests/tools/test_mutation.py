"""Mutation of the kernels: a bounded sample of what tools/proof/mutation does in full."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
from dataclasses import replace

import pytest

pytest.importorskip("utf8_abnf.conformance.suite._suite", reason="needs the C kernels: install with a C compiler")

from typing import TYPE_CHECKING

from utf8_abnf.conformance import proving  # after the check: it is of no use without kernels

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.slow  # the kernels' C source is the same on every Python

SAMPLE = 8 if os.environ.get("CI") else 4  # tools/proof/mutation tries all of them
HERE = [kernel.name for kernel in proving.kernels() if kernel.name in ("scalar", "sse4", "avx2", "avx512")]


@pytest.fixture(scope="module")
def mutation(root: Path):
    """The module tools/proof/mutation."""
    if not shutil.which(os.environ.get("CC", "cc")):
        pytest.skip("needs a C compiler: apt-get install gcc")
    spec = importlib.util.spec_from_file_location("mutation_tool", root / "tools/proof/mutation/__main__.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules["mutation_tool"] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


def test_a_sample_of_the_scalar_kernels_mutants_is_killed_or_explained(mutation, capsys):
    known = mutation.explained()
    groups = mutation.examine(mutation.SUBJECTS["scalar"], SAMPLE, known, tables=False)
    assert [mutation.report(group, known) for group in groups] == [0, 0], capsys.readouterr()
    assert groups[0].done == SAMPLE


@pytest.mark.parametrize("count", [1, 3, 16])
def test_the_parts_of_a_run_are_the_whole_to_the_byte(count, mutation, monkeypatch, tmp_path, capsys):
    asked = []

    def survives(_subject, mutant, _folder, _arguments):
        asked.append(mutant.key)
        return len(mutant.key) % 5 == 0

    def prepare(_subject, folder):
        shutil.copytree(mutation.KERNEL, folder / "kernel")
        return []

    monkeypatch.setattr(mutation, "survives", survives)
    monkeypatch.setattr(mutation, "prepare", prepare)
    monkeypatch.setattr(mutation, "build", lambda *_: True)
    monkeypatch.setattr(mutation, "judged", lambda *_: subprocess.CompletedProcess([], 0))

    def run(*arguments):
        monkeypatch.setattr(sys, "argv", ["mutation", *map(str, arguments)])
        status = mutation.main()
        return status, capsys.readouterr().out

    options = ["scalar", "--sample", 40, "--jobs", 1]
    whole = run(*options, "--json", tmp_path / "whole.json")
    assert (whole[0], len(asked)) == (1, 40)
    files = [tmp_path / f"{number}.json" for number in range(1, count + 1)]
    for number, file in enumerate(files, 1):
        run(*options, "--part", f"{number}/{count}", "--json", file)
    assert sorted(asked[40:]) == sorted(asked[:40])
    assert run("merge", *reversed(files), "--json", tmp_path / "made.json") == whole
    assert (tmp_path / "made.json").read_bytes() == (tmp_path / "whole.json").read_bytes()


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("name", "file", "old", "new"),
    [
        ("avx2", "half_bytes.h", "SURROGATE", "0"),
        ("avx2", "stretches.h", "all_lanes(0x1F)", "all_lanes(0x1E)"),
        ("sse4", "short.h", "count - 8, 8)", "count - 8, 7)"),
        ("avx512", "wide.h", "end[-2] >= 0xE0", "end[-2] >= 0xE1"),
        ("avx512", "wide.h", "end[-3] >= 0xF0", "end[-3] > 0xF0"),
        ("avx512", "avx512.c", "all_lanes(0xC0)", "all_lanes(0xC1)"),
    ],
)
def test_a_mutant_that_matters_is_killed(name, file, old, new, mutation, tmp_path: Path):
    if name not in HERE:
        pytest.xfail(f"needs a processor with {name}")  # no package brings one: not a skip that CI must refuse
    arguments = mutation.prepare(mutation.SUBJECTS[name], tmp_path)
    source = (mutation.KERNEL / file).read_text()
    assert old in source
    start = source.index(old)
    mutant = mutation.Mutant(file, start, start + len(old), new, 0, "", old, 1)
    assert not mutation.survives(mutation.SUBJECTS[name], mutant, tmp_path, arguments)


def test_the_kernels_themselves_survive(mutation, tmp_path: Path):
    for name in HERE:
        if name == "scalar":  # to examine its mutants begins with this
            continue
        folder = tmp_path / name
        folder.mkdir()
        subject = mutation.SUBJECTS[name]
        some = replace(subject, flags=(*subject.flags, "-DEVERY=13"))  # `utf8-abnf prove` asks all
        arguments = mutation.prepare(subject, folder)
        nothing = mutation.Mutant("scalar.c", 0, 0, "", 0, "", "", 1)
        assert mutation.survives(some, nothing, folder, arguments), name


def test_every_constant_comparison_and_named_bit_has_a_mutant(mutation):
    source = "if (size <= 62 && a[0x1F] != b) { /* 1 < 2 */ return x | NO_TAIL; } #define NOT 5"
    changes = {(mutant.old, mutant.new) for mutant in mutation.mutants("f.c", source)}
    assert changes >= {
        ("62", "63"),
        ("62", "61"),
        ("<=", "<"),
        ("&&", "||"),
        ("0x1F", "0x20"),
        ("!=", "=="),
        ("|", "&"),
    }
    assert ("NO_TAIL", "0") in changes
    assert ("2", "3") not in changes  # in a comment


def test_every_explained_survivor_is_still_a_mutant(mutation):
    keys = {
        mutant.key for subject in mutation.SUBJECTS.values() for mutant in mutation.mutants_of(subject, mutation.KERNEL)
    }
    stale = [key for key in mutation.explained() if " bit " not in key and key not in keys]
    assert stale == []


def test_a_line_about_a_table_stands_for_each_bit_of_each_entry(mutation):
    assert mutation._each_bit("avx2: at[3..4] bit 1 7") == [
        f"avx2: at[{n}] bit {bit}" for n in (3, 4) for bit in (1, 7)
    ]
    assert len([key for key in mutation.explained() if " bit " in key]) == 220 + 373


def test_neon_does_as_the_automaton_under_emulation(mutation, root: Path, tmp_path: Path):
    """A prime sample of the places and words: tests/validator/test_kernel_c.py compares NEON with the scalar kernel."""
    every = 1 if os.environ.get("UTF8_ABNF_EXHAUSTIVE") else 47
    for program, package in (("aarch64-linux-gnu-gcc", "gcc-aarch64-linux-gnu"), ("qemu-aarch64", "qemu-user")):
        if not shutil.which(program):
            pytest.skip(f"needs {program}: apt-get install {package}")
    kernel, oracle = root / "src/kernel", proving.packed_automaton()
    late = bytearray(1 << 16)  # NEON objects to a byte that no text contains in the next lane
    for byte in oracle.never:
        late[byte * 256 : byte * 256 + 256] = b"\x01" * 256
    (tmp_path / "oracle").write_bytes(oracle.with_certificate(bytes(late)))
    (tmp_path / "words").write_bytes(b"".join(bytes([len(word)]) + word for word in oracle.words[:: 29 * every]))
    (tmp_path / "edges").write_bytes(proving.edge_text(oracle.edges))
    macros = [
        f'-DKERNEL_SOURCE="{kernel / "neon.c"}"',
        "-DIS_VALID=utf8_neon.is_valid",
        "-DFIRST_ERROR=utf8_neon.first_error",
    ]
    macros += [
        "-DSAID=utf8_neon",
        "-DBLOCK_WIDTH=16",
        "-DLANES=lanes_neon",
        "-DSEQUENCE=0",
        "-DTABLES=",
        f"-DFARTHEST={8192 + 4 * 64}",
    ]  # STRETCH + 4 * BLOCK
    macros += [f"-DEVERY={every}"]
    sources = [mutation.HERE / "harness.c", root / "src/suite/prove.c", kernel / "scalar.c"]
    command = [
        "aarch64-linux-gnu-gcc",
        "-O2",
        "-w",
        "-static",
        f"-I{kernel}",
        *macros,
        *sources,
        "-o",
        tmp_path / "harness",
    ]
    subprocess.run(command, check=True)
    arguments = [tmp_path / each for each in ("oracle", "words", "edges")]
    assert subprocess.run(["qemu-aarch64", tmp_path / "harness", *arguments]).returncode == 0
