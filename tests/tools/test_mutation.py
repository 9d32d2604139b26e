"""Mutation of the C: a bounded sample of what tools/proof/mutation does in full."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("utf8_abnf.conformance.suite._suite", reason="needs the C kernels: install with a C compiler")

from utf8_abnf.conformance import proving  # after the check: it is of no use without kernels

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.slow  # the kernels' C source is the same on every Python

JUDGED = ("scalar", "faults", "sse4", "repair", "avx2", "summary", "avx512", "columns", "module", "arrow")


@pytest.mark.sampled(5)
@pytest.mark.parametrize("name", JUDGED)
def test_of_each_file_a_mutant_is_killed_or_explained(name, mutation):
    """And what is judged is right without a mutation."""
    assert set(JUDGED) == set(mutation.SUBJECTS)
    if name not in mutation.here():
        pytest.xfail(f"needs a processor with {name}")  # no package brings one: not a skip that CI must refuse
    if name == "arrow":
        pytest.importorskip("pyarrow", reason="needs pyarrow: pip install 'utf8-abnf[arrow]'")
    subject, known = mutation.SUBJECTS[name], mutation.explained()
    for row in mutation.examine(subject, 1, known, tables=False, jobs=None):
        assert row.alive == [], row


def test_a_survivor_without_a_reason_fails_the_run_and_stands_in_the_table(mutation, monkeypatch, capsys):
    class Trusting(mutation.Subject):
        prepare = staticmethod(lambda folder: [mutation.copy_sources(folder)][:0])
        build = staticmethod(lambda *_: True)
        judged = staticmethod(lambda *_: 0)

    known = mutation.explained()
    verdicts = {True: 0, False: 0, None: 0}

    def survives(_subject, mutant, _folder, _arguments):
        found = True if mutant.key in known else (True, False, None)[sum(verdicts.values()) % 3]
        verdicts[found] += 1
        return found

    def run(*arguments):
        monkeypatch.setattr(sys, "argv", ["mutation", "scalar", "--jobs", "1", *arguments])
        status = mutation.main()
        return status, capsys.readouterr().out.splitlines()

    monkeypatch.setitem(mutation.SUBJECTS, "scalar", Trusting("scalar", ("scalar.c",)))
    monkeypatch.setattr(mutation, "survives", survives)
    status, (heading, row, *living) = run()
    _, _, killed, same, lives = row.split()
    assert heading.split() == ["subject", "file", "killed", "same", "living"]
    assert (int(killed), int(same) + int(lives)) == (verdicts[False], verdicts[True])
    assert (status, len(living), living[0][:17]) == (1, int(lives), "    NOT EXPLAINED")
    monkeypatch.setattr(mutation, "survives", lambda *_: False)
    assert run("--sample", "7") == (0, [heading, f"scalar   scalar.c {7:16} {0:6} {0:6}"])


def test_every_constant_comparison_and_named_bit_has_a_mutant(mutation):
    source = "if (size <= 62 && a[0x1F] != b) { /* 1 < 2 */ return x | NO_TAIL; } #define NOT 5"
    changes = {(mutant.old, mutant.new) for mutant in sys.modules["mutants"].mutants("f.c", source)}
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


def test_every_explained_survivor_is_still_a_mutant(mutation, tmp_path: Path):
    sources = mutation.copy_sources(tmp_path)
    keys = {mutant.key for subject in mutation.SUBJECTS.values() for mutant in subject.mutants(sources)}
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
