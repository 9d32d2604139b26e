"""The proof by z3 and by walking each path: that it goes through, and that it would not if the kernels were wrong."""

from __future__ import annotations

import importlib.util
import os
import random
import re
import shutil
import subprocess
import sys
from pathlib import Path

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
        f"{kernel} paths": "proved",
        f"{kernel} short strides": "proved",
    }


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


@pytest.mark.parametrize(
    ("kernel", "file", "old", "new", "size", "gap"),
    [
        ("avx512", "avx512.c", "size <= 62", "size <= 63", 63, "a late objection to offset 62 is lost"),
        ("avx512", "avx512.c", "block = data + 256;", "block = data + 320;", 600, "nobody judges offset 256"),
        ("avx512", "avx512.c", "found->pairs = _mm512_or", "found->pairs = _mm512_xor", 130, "nobody judges"),
        (
            "avx512",
            "avx512.c",
            "if (ascii) return (progress){0, (size_t)(block - data)}",
            "if (ascii) return (progress){0, (size_t)(block - data + 320)}",
            1600,
            "nobody judges offset",
        ),
        ("avx2", "stretches.h", "return length + !is_ascii(", "return length | !is_ascii(", 0, "is left out"),
        ("avx2", "stretches.h", "return length == 0;", "return length <= 1;", 0, "judge_mixed answers"),
        (
            "avx2",
            "stretches.h",
            "block = data + FIRST;",
            "block = data + FIRST + 64;",
            1600,
            "nobody judges offset 1024",
        ),
        ("avx2", "stretches.h", "if (size <= 512) return", "if (size <= 513) return", 513, "nobody judges offset 256"),
        ("avx2", "stretches.h", "- WIDTH) & 63;", "- WIDTH) & 2047;", 2048, "are read"),
        ("avx2", "stretches.h", "end - block < 512 &&", "end - block < 600 &&", 1600, "nobody judges offset"),
        ("avx2", "stretches.h", "SAMPLE = 480,", "SAMPLE = 490,", 550, "are read"),
        ("avx512", "avx512.c", "(block, (size_t)(end - block))", "(block, (size_t)(end - block) + 1)", 100, "are read"),
        ("avx2", "stretches.h", "!objects(&found) && !utf8_cut_off(end)", "!objects(&found)", 32, "a late objection"),
        ("avx2", "avx2.c", "(8 * (4 - (count & 3)))", "(8 * (5 - (count & 3)))", 5, "nobody judges offset 4"),
        (
            "avx2",
            "stretches.h",
            "(; block < stop; block += 64) note",
            "(; block < stop; block += 96) note",
            400,
            "nobody judges offset 96",
        ),
        ("sse4", "sixteen.h", ">> 8;", ">> 0;", 9, "nobody judges offset 8"),
        ("sse4", "sixteen.h", "(8 * (count - 4))", "(8 * (count - 3))", 6, "nobody judges offset"),
        ("sse4", "sse4.c", "16 - (back)", "15 - (back)", 20, "nobody judges offset"),
        ("sse4", "stretches.h", "size >= WIDTH + 3", "size >= WIDTH + 2", 18, "are read"),
        ("avx2", "half_bytes.h", "ABOVE | SURROGATE", "ABOVE", 0, "objection"),
        ("avx512", "avx512.c", "_mm512_set1_epi8(0x0F)", "_mm512_set1_epi8(0x10)", 0, "silence"),
        ("avx512", "avx512.c", "good < 2 ? 0 : good - 2", "good", -901, "a late objection to offset 766 is lost"),
        ("avx512", "avx512.c", "or64(block - 3,", "or64(block - 2,", 0, "the lane 0 is left out"),
        (
            "avx2",
            "stretches.h",
            "list_block(list, length, block, or_all(block, 64))",
            "list_block(list, length, block, or_all(block - 1, 64))",
            0,
            "the lane 63 is left out",
        ),
        ("avx2", "stretches.h", "load(block - 3), ored", "load(block - 2), ored", 0, "the lane 0 is left out"),
        ("avx512", "avx512.c", "for (; end - block >= 256 &&", "for (; end - block >= 255 &&", 511, "are read"),
        (
            "avx512",
            "avx512.c",
            "end - block >= 256 && is_ascii256(block);\n        if (ascii ? utf8_cut_off(block) || objects(&found) : "
            "block - good >= EXIT_EVERY && objects(&found))\n            return (size_t)",
            "end - block >= 255 && is_ascii256(block);\n        if (ascii ? utf8_cut_off(block) || objects(&found) : "
            "block - good >= EXIT_EVERY && objects(&found))\n            return (size_t)",
            1535,
            "are read",
        ),
        (
            "avx2",
            "stretches.h",
            "if (objects(&found)) return (size_t)(good - data);",
            "if (block >= last && objects(&found)) return (size_t)(good - data);",
            -901,
            "nobody judges offset",
        ),
    ],
)
def test_a_wrong_kernel_is_not_proved(kernel, file, old, new, size, gap, tool, root: Path, tmp_path: Path):
    sources = tmp_path / "kernel"
    shutil.copytree(root / "src/kernel", sources)
    source = (sources / file).read_text()
    assert source.count(old) == 1
    (sources / file).write_text(source.replace(old, new))
    places = ([(size, 0)], []) if size >= 0 else ([], [(-size, 0)])  # below 0: with short strides
    answers = [answer for _, answer in tool.proofs(kernel, AUTOMATON, *places, sources)]
    assert any(gap in answer for answer in answers), answers


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
