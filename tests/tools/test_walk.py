"""The proof by z3 and by walking each path: that it goes through, and that it would not if the kernels were wrong."""

from __future__ import annotations

import importlib.util
import os
import random
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from utf8_abnf import first_error, is_valid
from utf8_abnf.automaton import compile_grammar
from utf8_abnf.grammar import Grammar

AUTOMATON = compile_grammar(Grammar.load("utf8")).minimal()
SHORT = [(256, 0), (350, 5), (600, 31), (901, 0)]  # of those with shortened strides
# Before a release every size up to 67; else those around the blocks, and one in five: tests/validator/differential.c
# asks every length up to 512.
SMALL = (
    range(68)
    if os.environ.get("UTF8_ABNF_EXHAUSTIVE")
    else (*range(0, 62, 5), 1, 2, 3, 4, 16, 17, 18, 19, 31, 32, 33, 62, 63, 64, 65)
)
SIZES = [(size, 0) for size in (*SMALL, 95, 96, 97, 127, 128, 129, 255, 256, 257, 300)] + [(1100, 127)]


@pytest.fixture(scope="module")
def tool(root: Path):
    """The modules of tools/proof/walk, as its command finds them."""
    for name, package in (("z3", "z3-solver"), ("pycparser", "pycparser")):
        if importlib.util.find_spec(name) is None:
            pytest.skip(f"needs {package}: pip install {package}")
    if not shutil.which("cc"):
        pytest.skip("needs a C compiler: apt-get install gcc")
    sys.path.insert(0, str(root / "tools/proof/walk"))
    try:
        spec = importlib.util.spec_from_file_location("walk_tool", root / "tools/proof/walk/__main__.py")
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    finally:
        sys.path.pop(0)
    return module


@pytest.fixture(params=["sse4", "avx2", "avx512"])
def kernel(request) -> str:
    return request.param


def test_the_kernels_are_proved(kernel, tool):
    answers = dict(tool.proofs(kernel, AUTOMATON, SIZES, SHORT))
    assert {claim: answer.partition(" (")[0] for claim, answer in answers.items()} == {
        f"{kernel} lanes": "proved",
        f"{kernel} cut off": "proved",
        f"{kernel} left out": "proved",
        f"{kernel} leaves": "proved",
        f"{kernel} paths": "proved",
        f"{kernel} short strides": "proved",
    }


@pytest.mark.slow
def test_the_kernels_are_proved_for_texts_of_any_size(kernel, tool):
    assert tool.AnySize(kernel, tool.parse(tool.KERNEL / f"{kernel}.c")).prove().startswith("proved (")


def test_the_model_is_the_kernel_on_known_texts(kernel, tool):
    chance = random.Random(3629)
    run = tool.Interpreter(tool.parse(tool.KERNEL / f"{kernel}.c"))
    run.decide = lambda asked: all(byte < 0x80 if asked.kind == "ascii" else byte == 0 for byte in asked.bytes)
    for _ in range(60):
        text = bytearray("".join(chance.choices("aaz\u00e9\u0436\u4f60\U0001f600", k=chance.randrange(140))).encode())
        if text and chance.randrange(2):
            text[chance.randrange(len(text))] = chance.choice(b"\x80\xc3\xff\xe0\xf0a")
        data = bytes(text)
        answer = run.call("checked", sys.modules["intrinsics"].Pointer(data, 0), len(data))
        assert (answer == len(data)) == is_valid(data), data.hex(" ")
        assert answer == len(data) or answer <= first_error(data).start + 3, data.hex(" ")


# ---- the intrinsics ------------------------------------------------------------------------------------------------


def test_every_intrinsic_does_what_the_instruction_does(tool, root: Path, tmp_path: Path):
    flags = processor_flags()
    if "avx2" not in flags:
        pytest.xfail("needs an x86 processor with AVX2")
    wide = "#define WITH_AVX512\n" if flags & {"avx512_vbmi", "avx512vbmi"} else ""
    source = f'{wide}#include "{root / "tests/tools/operations.c"}"\n'
    (tmp_path / "compiled.c").write_text(source)
    (tmp_path / "walked.c").write_text(f"#define WALK\n{source}")
    options = ["-mavx2", *(["-mavx512f", "-mavx512bw", "-mavx512vbmi", "-mbmi2"] if wide else [])]
    subprocess.run(["cc", "-O1", *options, "compiled.c", "-o", "compiled"], cwd=tmp_path, check=True)
    chance = random.Random(3629)
    operands = [chance.randbytes(320) for _ in range(40)]
    operands += [
        bytes(a & b & c for a, b, c in zip(*[iter(chance.randbytes(960))] * 3, strict=True)) for _ in range(40)
    ]
    operands += [bytes(320), bytes(range(128)) + bytes(192), b"\x80" * 64 + b"\x7f" * 256]
    lines = subprocess.run([tmp_path / "compiled"], input=b"".join(operands), capture_output=True, check=True).stdout
    run = tool.Interpreter(tool.parse(tmp_path / "walked.c"))
    run.decide = lambda asked: all(byte < 0x80 if asked.kind == "ascii" else byte == 0 for byte in asked.bytes)
    names = [name.removeprefix("try_") for name in run.functions]
    assert len(names) >= (60 if wide else 40)
    answers = iter(lines.decode().splitlines())
    for data in operands:
        for name in names:
            real, made = next(answers), run.call(f"try_{name}", sys.modules["intrinsics"].Pointer(data, 0))
            assert real.split()[0] == name
            out = bytes.fromhex(real.partition(" ")[2])
            if isinstance(made, tuple):
                assert out == bytes(made).ljust(64, b"\0"), (name, data.hex())
            elif isinstance(made, int):
                assert out == made.to_bytes(64, "little"), (name, data.hex())
            else:  # a mask or a flag of which the walk knows only whether it is 0
                assert any(out) == run._truth(made), (name, data.hex())


def processor_flags() -> set[str]:
    try:
        return set(re.search(r"^flags\s*:(.*)$", Path("/proc/cpuinfo").read_text(), re.M)[1].split())
    except (OSError, TypeError):
        return set()


def test_every_intrinsic_of_the_kernels_is_among_the_compared(root: Path):
    used = set()
    for name in ("sse4.c", "avx2.c", "avx512.c"):
        used |= set(re.findall(r"\b(?:_mm\w*|_bzhi\w*)(?=\()", (root / "src/kernel" / name).read_text()))
    assert len(used) > 20
    compared = set(re.findall(r"X\((\w+),", (root / "tests/tools/operations.c").read_text()))
    assert used - compared == set()


def test_the_immediates_of_the_kernels_are_among_the_compared(root: Path):
    pattern = re.compile(r"(_mm\w*(?:ternarylogic|alignr|srli|permute2x128)\w*)\((?:[^()]|\([^()]*\))*?, (0x\w+|\d+)\)")
    used = set()
    for name in ("sse4.c", "avx2.c", "avx512.c"):
        used |= set(pattern.findall((root / "src/kernel" / name).read_text()))
    assert len(used) > 6
    assert used - set(pattern.findall((root / "tests/tools/operations.c").read_text())) == set()


# ---- wrong kernels -------------------------------------------------------------------------------------------------


def seeded(*, any_size: bool) -> list[Any]:
    rows = tomllib.loads((Path(__file__).parents[2] / "tools/proof/seeded/kernels.toml").read_text())["bug"]
    rows = [row for row in rows if (row["size"] == "any") == any_size]
    assert len(rows) > 10
    return [pytest.param(row, id=f"{row['kernel']} {row['new'][:40]!a}") for row in rows]


def spoilt(row: dict[str, Any], root: Path, tmp_path: Path) -> Path:
    """The kernels' source with a bug in it."""
    sources = tmp_path / "kernel"
    shutil.copytree(root / "src/kernel", sources)
    source = (sources / row["file"]).read_text()
    assert source.count(row["old"]) == 1
    (sources / row["file"]).write_text(source.replace(row["old"], row["new"]))
    return sources


@pytest.mark.parametrize("row", seeded(any_size=False))
def test_a_wrong_kernel_is_not_proved(row, tool, root: Path, tmp_path: Path):
    size = row["size"]
    places = ([(size, 0)], []) if size >= 0 else ([], [(-size, 0)])
    answers = [answer for _, answer in tool.proofs(row["kernel"], AUTOMATON, *places, spoilt(row, root, tmp_path))]
    assert any(row["gap"] in answer for answer in answers), answers


@pytest.mark.slow
@pytest.mark.parametrize("row", seeded(any_size=True))
def test_a_kernel_that_is_wrong_on_long_texts_is_not_proved(row, tool, root: Path, tmp_path: Path):
    tree = tool.parse(spoilt(row, root, tmp_path) / f"{row['kernel']}.c")
    assert row["gap"] in tool.AnySize(row["kernel"], tree).prove()


def test_a_cut_off_that_asks_something_else_is_not_understood(tool, root: Path, tmp_path: Path):
    sources = tmp_path / "kernel"
    shutil.copytree(root / "src/kernel", sources)
    source = (sources / "wide.h").read_text()
    (sources / "wide.h").write_text(source.replace("end[-2] >= 0xE0", "end[-2] >= 0xE1"))
    with pytest.raises(Exception, match="a question about the bytes"):
        dict(tool.proofs("avx512", AUTOMATON, [(64, 0)], [], sources))


def test_the_command_prints_what_is_proved(root: Path, tool):
    command = [sys.executable, str(root / "tools/proof/walk"), "avx2", "--sizes", "40", "64:3"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "avx2 paths           proved" in done.stdout
