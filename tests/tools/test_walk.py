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
from typing import Any

import pytest

from utf8_abnf.automaton import compile_grammar
from utf8_abnf.grammar import Grammar

AUTOMATON = compile_grammar(Grammar.load("utf8")).minimal()
SHORT = [(256, 0), (350, 5), (600, 31)]  # of those with shortened strides; longer ones take as long as all others
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


# NEON's and WebAssembly's loops are SSE4.1's: what they have of their own is reached in short texts.
OF_THEIR_OWN = ([(size, 0) for size in (*range(20), 40, 128, 129, 300)], [(350, 5)])


@pytest.fixture(params=["sse4", "neon", "wasm", "avx2", "avx512"])
def kernel(request) -> str:
    return request.param


def test_the_kernels_are_proved(kernel, tool):
    sizes = OF_THEIR_OWN if kernel in ("neon", "wasm") else (SIZES, SHORT)
    answers = dict(tool.proofs(kernel, AUTOMATON, *sizes))
    assert {claim: answer.partition(" (")[0] for claim, answer in answers.items()} == {
        f"{kernel} lanes": "proved",
        f"{kernel} cut off": "proved",
        f"{kernel} first lane": "proved",
        f"{kernel} left out": "proved",
        f"{kernel} leaves": "proved",
        f"{kernel} paths": "proved",
        f"{kernel} short strides": "proved",
    }


@pytest.mark.slow
def test_the_scalar_kernel_is_proved_for_texts_of_any_size(tool):
    words = (64, 32) if os.environ.get("UTF8_ABNF_EXHAUSTIVE") else (64,)
    answers = dict(tool.scalar_proofs(AUTOMATON, words=words))
    assert len(answers) == 2 + len(words)
    assert {answer.partition(" (")[0] for answer in answers.values()} == {"proved"}, answers


# AVX-512's loops are the quickest to prove; before a release all are, and `python tools/proof/walk` always proves all.
LOOPS = ["avx512", "avx2", "sse4", "neon", "wasm"] if os.environ.get("UTF8_ABNF_EXHAUSTIVE") else ["avx512"]


@pytest.mark.slow
@pytest.mark.parametrize("kernel", LOOPS)
def test_the_kernels_are_proved_for_texts_of_any_size(kernel, tool):
    assert tool.AnySize(kernel, tool.parse(tool.KERNEL / f"{kernel}.c")).prove().startswith("proved (")


@pytest.mark.parametrize("kernel", ["neon", "wasm"])
def test_the_loops_are_those_of_sse4(kernel, tool, root: Path):
    """So that what is proved of SSE4.1's loops, by operations that it replaces, is proved of these."""
    write = sys.modules["symbolic"].CGenerator().visit
    headers = ("stretches.h", "sixteen.h", "short.h", "half_bytes.h", "wide.h")
    source = "".join((root / "src/kernel" / name).read_text() for name in headers)
    names = set(re.findall(r"^(?:KERNEL |static |UTF8_).*?(\w+)\([^;]*\{", source, re.M))
    names -= {"judge_at", "judge_after"}  # not looked into by `any size`: `leaves` shows what they do
    theirs, ours = (tool.Interpreter(tool.parse(tool.KERNEL / f"{each}.c")).functions for each in ("sse4", kernel))
    assert len(names & theirs.keys()) > 20
    assert {name: write(ours[name]) for name in names} == {name: write(theirs[name]) for name in names}


# ---- the intrinsics ------------------------------------------------------------------------------------------------


MACHINES = {"x86": ("sse4", "avx2", "avx512"), "neon": ("neon",), "wasm": ("wasm",)}  # and their kernels
# The operations on single bytes: of one vector, of two, and a look-up by the second.
OF_BYTES = (
    r"_mm(256)?_(and|or|xor)_si(128|256)|_mm(256)?_avg_epu8|v(and|orr|eor|rhadd)q_u8|vshrq_n_u8"
    r"|wasm_(v128_(and|or|xor)|u8x16_avgr|u8x16_shr)"
)
LOOK_UPS = r"_mm(256)?_shuffle_epi8|vqtbl1q_u8|wasm_i8x16_swizzle"


@pytest.fixture(params=MACHINES)
def operations(request, root: Path, tmp_path: Path, tool):
    """Functions of operands: what a machine's instructions make of them, and what the walk does, by name."""
    machine, wide = request.param, ""
    options = {
        "x86": ["cc", "-mavx2"],
        "neon": ["aarch64-linux-gnu-gcc", "-static"],
        "wasm": [
            *("clang", "--target=wasm32", "-msimd128", "-ffreestanding", "-nostdlib"),
            "-Wl,--no-entry,--export=operands,--export=results",
        ],
    }[machine]
    runner = {"x86": [], "neon": ["qemu-aarch64"], "wasm": ["node", root / "tests/tools/operations.mjs"]}[machine]
    if machine == "x86":
        if "avx2" not in (flags := processor_flags()):
            pytest.xfail("needs an x86 processor with AVX2")
        if flags & {"avx512_vbmi", "avx512vbmi"}:
            wide, options = "#define WITH_AVX512\n", [*options, "-mavx512f", "-mavx512bw", "-mavx512vbmi", "-mbmi2"]
    needed = [options[0], *runner[:1], *(["wasm-ld"] if machine == "wasm" else [])]
    if missing := [program for program in needed if not shutil.which(program)]:
        pytest.xfail(f"needs {', '.join(missing)}: apt install gcc-aarch64-linux-gnu qemu-user clang lld nodejs")
    source = f'{wide}#include "{root / f"tests/tools/operations_{machine}.c"}"\n'
    (tmp_path / "compiled.c").write_text(source)
    (tmp_path / f"{machine}.c").write_text(f"#define WALK\n{source}")
    subprocess.run([*options, "-O1", "compiled.c", "-o", "compiled"], cwd=tmp_path, check=True)
    run = tool.Interpreter(tool.parse(tmp_path / f"{machine}.c"))
    run.decide = lambda asked: all(byte < 0x80 if asked.kind == "ascii" else byte == 0 for byte in asked.bytes)
    names = [name.removeprefix("try_") for name in run.functions]
    assert len(names) >= {"x86": 55 if wide else 40}.get(machine, 15)

    def by_the_machine(operands: list[bytes]) -> list[dict[str, bytes]]:
        command = [*runner, tmp_path / "compiled"]
        results = subprocess.run(command, input=b"".join(operands), capture_output=True, check=True).stdout
        assert len(results) == 64 * len(names) * len(operands)
        each = [results[at : at + 64] for at in range(0, len(results), 64)]
        return [dict(zip(names, each[at : at + len(names)], strict=True)) for at in range(0, len(each), len(names))]

    def agrees(name: str, operand: bytes, result: bytes) -> bool:
        made = run.call(f"try_{name}", sys.modules["intrinsics"].Pointer(operand, 0))
        if isinstance(made, tuple):
            return result == bytes(made).ljust(64, b"\0")
        if isinstance(made, int):
            return result == made.to_bytes(64, "little")
        return any(result) == run._truth(made)  # a mask or a flag of which the walk knows only whether it is 0

    return by_the_machine, agrees


@pytest.mark.thorough
def test_every_intrinsic_does_what_the_instruction_does(operations):
    by_the_machine, agrees = operations
    chance = random.Random(3629)
    operands = [chance.randbytes(320) for _ in range(40)]
    operands += [
        bytes(a & b & c for a, b, c in zip(*[iter(chance.randbytes(960))] * 3, strict=True)) for _ in range(40)
    ]
    operands += [bytes(320), bytes(range(128)) + bytes(192), b"\x80" * 64 + b"\x7f" * 256]
    operands += [bytes(at) + bytes([byte]) + bytes(319 - at) for at in range(32) for byte in (1, 0x7F, 0x80)]
    for operand, results in zip(operands, by_the_machine(operands), strict=True):
        for name, result in results.items():
            assert agrees(name, operand, result), (name, operand.hex())


@pytest.mark.slow
def test_operations_on_single_bytes_do_what_the_instructions_do_on_all_bytes(operations):
    by_the_machine, agrees = operations
    every = bytes(range(256))
    pairs = [(every * 2)[x : x + 64] + bytes([y]) * 64 + bytes(192) for y in every for x in range(0, 256, 16)]
    tables = [every[16 * row : 16 * row + 16] * 4 for row in (0, 9)]
    look_ups = [table + every[x : x + 16] * 4 + bytes(192) for table in tables for x in range(0, 256, 16)]
    seen = 0
    for pattern, operands in ((OF_BYTES, pairs), (LOOK_UPS, look_ups)):
        for operand, results in zip(operands, by_the_machine(operands), strict=True):
            for name in filter(re.compile(pattern).fullmatch, results):
                seen += 1
                assert agrees(name, operand, results[name]), (name, operand.hex())
    assert seen >= 5 * len(pairs) + len(look_ups)


def processor_flags() -> set[str]:
    try:
        return set(re.search(r"^flags\s*:(.*)$", Path("/proc/cpuinfo").read_text(), re.M)[1].split())
    except (OSError, TypeError):
        return set()


def sources_of(machine: str, root: Path) -> tuple[str, str]:
    """The source of a machine's kernels, without what only ``first_lane`` needs, and of its operations."""
    kernels = "".join((root / f"src/kernel/{kernel}.c").read_text() for kernel in MACHINES[machine])
    kernels, count = re.subn(r"^[^\n]*uint64_t not_zero\(.*?\}\n(?=\n)", "", kernels, flags=re.M | re.S)
    assert count == len(MACHINES[machine])
    return kernels, (root / f"tests/tools/operations_{machine}.c").read_text()


@pytest.mark.parametrize("machine", MACHINES)
def test_every_intrinsic_of_the_kernels_is_among_the_compared(machine, root: Path):
    kernels, operations = sources_of(machine, root)
    used = set(re.findall(r"\b(?:_mm\w*|_bzhi\w*|v\w+_u8|wasm_\w+)(?=\()", kernels))
    assert len(used) > {"x86": 20}.get(machine, 12)
    assert used - set(re.findall(r"X\((\w+),", operations)) == set()


@pytest.mark.parametrize("machine", MACHINES)
def test_the_immediates_of_the_kernels_are_among_the_compared(machine, root: Path):
    pattern = re.compile(
        r"((?:_mm|v|wasm_)\w*(?:alignr|srli|inserti128|shr)\w*)\((?:[^()]|\([^()]*\))*?, (0x\w+|\d+)\)"
    )
    kernels, operations = (set(pattern.findall(source)) for source in sources_of(machine, root))
    assert len(kernels) >= {"x86": 6}.get(machine, 1)
    assert kernels - operations == set()


# ---- wrong kernels -------------------------------------------------------------------------------------------------


# The functions whose mutants `any size` has to find by itself. AVX-512's loops are the quickest to prove.
LOOPS_OF = {
    "avx512": r"^KERNEL UTF8_INLINE size_t checked_long\(.*?^}\n",
    "scalar": r"^static size_t first_error_scalar\(.*?^}\n",
}


def mutants_of(name: str, mutation, sources: Path, within: str = "") -> list[Any]:
    """Some mutants that a test kills: those of which none is known that they change no answer."""
    known, subject = mutation.explained(), mutation.SUBJECTS[name]
    every = subject.mutants(sources)
    for file in subject.mutated if within else ():
        text = (sources / file).read_text()
        if found := re.search(within, text, re.M | re.S):
            every = [each for each in sys.modules["mutants"].mutants(file, text) if each.start in range(*found.span())]
    every = [each for each in every if each.key not in known]
    count = 3 if os.environ.get("CI") else 1
    assert len(every) > 20
    return random.Random(name).sample(every, len(every) if os.environ.get("UTF8_ABNF_EXHAUSTIVE") else count)


def spoilt_by(mutant: Any, sources: Path, tmp_path: Path) -> Path:
    own = tmp_path / "spoilt"
    shutil.rmtree(own, ignore_errors=True)
    shutil.copytree(sources, own)
    text = (own / mutant.file).read_text()
    (own / mutant.file).write_text(text[: mutant.start] + mutant.new + text[mutant.end :])
    return own


@pytest.mark.parametrize("name", ["avx512", "avx2", "sse4"])
def test_no_kernel_is_proved_that_a_test_finds_wrong(name, tool, mutation, tmp_path: Path):
    sizes = [(size, 0) for size in (*range(21), 28, *range(31, 34), 40, *range(63, 68), 100, 128, 256, 300, 513, 700)]
    sources = mutation.copy_sources(tmp_path)
    for mutant in mutants_of(name, mutation, sources):
        own = spoilt_by(mutant, sources, tmp_path)
        try:
            claims = tool.proofs(name, AUTOMATON, sizes, [*SHORT, (901, 0)], own, any_size=True)
            assert any(not answer.startswith("proved") for _, answer in claims), mutant.key
        except tool.ParseError as error:
            assert mutant.file in str(error)  # noqa: PT017  # that it is not read is as good


@pytest.mark.slow
@pytest.mark.parametrize("name", LOOPS_OF)
def test_no_loop_is_proved_for_texts_of_any_size_that_a_test_finds_wrong(name, tool, mutation, tmp_path: Path):
    sources = mutation.copy_sources(tmp_path)
    for mutant in mutants_of(name, mutation, sources, LOOPS_OF[name]):
        own = spoilt_by(mutant, sources, tmp_path)
        if name == "scalar":
            answers = [answer for _, answer in tool.scalar_proofs(AUTOMATON, own, words=(64,))]
        else:
            loops = tool.AnySize(name, tool.parse(own / f"{name}.c"))
            answers = [tool.said(loops.run, loops.prove)]
        assert any(not answer.startswith("proved") for answer in answers), mutant.key


SENTENCES = {  # what is put in a kernel's place, and what the walk says of it
    "another question": ("wide.h", "end[-2] >= 0xE0", "end[-2] >= 0xE1", r"\.[ch]:\d+: this line .* about the bytes"),
    "no such function": ("stretches.h", "is_zero(judge_first(", "is_nil(judge_first(", r"stretches\.h:\d+: this line"),
    "a goto": (
        "stretches.h",
        "const ptrdiff_t left =",
        "goto x; x:; const ptrdiff_t left =",
        r"stretches\.h:\d+: this",
    ),
    "no C": ("stretches.h", "WHOLE = 1024,", "WHOLE = = 1024,", r"stretches\.h:\d+: Invalid|:\d+:\d+: "),
    "no such header": ("wide.h", '"compiler.h"', '"compilers.h"', r"wide\.h:\d+:.*compilers\.h"),
    "another first lane": ("stretches.h", "? WIDTH : from +", "? WIDTH : 0 +", r"stretches\.h:\d+: 1 bytes from 3"),
}


@pytest.mark.parametrize("name", SENTENCES)
def test_a_kernel_that_cannot_be_read_or_is_wrong_gets_a_sentence_with_file_and_line(
    name, tool, root: Path, tmp_path: Path, capsys, monkeypatch
):
    file, old, new, sentence = SENTENCES[name]
    sources = shutil.copytree(root / "src/kernel", tmp_path / "kernel")
    source = (sources / file).read_text()
    assert source.count(old) == 1
    (sources / file).write_text(source.replace(old, new))
    monkeypatch.setattr(tool, "KERNEL", sources)
    monkeypatch.setattr(sys, "argv", ["walk", "avx2", "--sizes", "5", "1100"])
    assert tool.main() == 1
    printed = capsys.readouterr()
    assert re.search(sentence, printed.out), printed.out
    assert printed.err == ""
