"""Mutation of the C: a bounded sample of what tools/proof/mutation does in full."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("utf8_abnf.conformance.suite._suite", reason="needs the C kernels: install with a C compiler")

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.slow  # the kernels' C source is the same on every Python

JUDGED = ("scalar", "faults", "sse4", "repair", "neon", "avx2", "summary", "avx512", "columns", "module", "arrow")


@pytest.mark.sampled(5)
@pytest.mark.parametrize("name", JUDGED)
def test_of_each_file_a_mutant_is_killed_or_explained(name, mutation):
    """And what is judged is right without a mutation."""
    assert set(JUDGED) == set(mutation.SUBJECTS)
    subject, known = mutation.SUBJECTS[name], mutation.explained()
    if name == "neon" and not subject.is_here:
        pytest.skip("needs a compiler and an emulator: apt-get install gcc-aarch64-linux-gnu qemu-user")
    if not subject.is_here:
        pytest.xfail(f"needs a processor with {name}")  # no package brings one: not a skip that CI must refuse
    if name == "arrow":
        pytest.importorskip("pyarrow", reason="needs pyarrow: pip install 'utf8-abnf[arrow]'")
    number = 0 if name == "neon" else 1  # under the emulator one place in 47 is asked: what lives there says nothing
    for row in mutation.examine(subject, number, known, tables=False, jobs=None):
        assert row.alive == [], row


def test_a_survivor_without_a_reason_fails_the_run_and_stands_in_the_table(mutation, monkeypatch, capsys):
    class Trusting(mutation.Subject):
        prepare = staticmethod(lambda folder: [mutation.copy_sources(folder)][:0])
        build = staticmethod(lambda *_: True)
        judged = staticmethod(lambda *_: 0)

    monkeypatch.setitem(mutation.SUBJECTS, "scalar", Trusting("scalar", ("scalar.c",)))
    monkeypatch.setattr(sys, "argv", ["mutation", "scalar", "--jobs", "1", "--sample", "7"])
    for alive in (True, False, None):
        monkeypatch.setattr(mutation, "survives", lambda *_, alive=alive: alive)
        status = mutation.main()
        heading, row, *living = capsys.readouterr().out.splitlines()
        assert heading.split() == ["subject", "file", "killed", "same", "living"]
        assert row.split()[2:] == {True: ["0", "0", "7"], False: ["7", "0", "0"], None: ["0", "0", "0"]}[alive]
        assert (status, len(living)) == ((1, 7) if alive else (0, 0))
        assert all(line.startswith("    NOT EXPLAINED: scalar.c: ") for line in living)


def test_every_constant_comparison_and_named_bit_has_a_mutant(mutation):
    source = "if (size <= 62 && a[0x1F] != b) { /* 1 < 2 */ return x | NO_TAIL; }\n#define NOT 5 \\\n > 7"
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
    assert {("NO_TAIL", "0"), (">", ">=")} <= changes
    assert not {("2", "3"), ("5", "6")} & changes  # in a comment, and where a macro's name stands


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
